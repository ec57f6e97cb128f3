package extract

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// Every case of the crawl maze that needs no script to run is found, with Config.Exhaustive or Config.Scripts where the table says so.
func TestCrawlMaze(t *testing.T) {
	table, err := os.ReadFile("testdata/crawlmaze.tsv")
	if err != nil {
		t.Fatal(err)
	}
	field := regexp.MustCompile(`^[A-Za-z-]+: `)
	const origin = "http://maze.example"
	count := make(map[string]int)
	for row := range strings.Lines(string(table)) {
		if strings.HasPrefix(row, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if len(cells) != 3 {
			t.Fatalf("%q", row)
		}
		path, how, page := cells[0], cells[1], cells[2]
		count[how]++
		content := strings.ReplaceAll(page, "PATH", path)
		mediaType := "text/html"
		if strings.HasPrefix(page, "<?xml") {
			mediaType = "application/xml"
		}
		target := origin + "/"
		if rule, ok := strings.CutSuffix(content, " (robots.txt)"); ok {
			mediaType, target, content = "text/plain", origin+"/robots.txt", "User-agent: *\n"+rule+"\n"
		}
		http := "HTTP/1.1 200 OK\nContent-Type: " + mediaType + "\n\n" + content
		if field.MatchString(page) && mediaType == "text/html" {
			http = "HTTP/1.1 302 Found\nContent-Type: text/html\n" + content + "\n\n<p>"
		}
		record := fmt.Sprintf("WARC/1.0\nWARC-Type: response\nWARC-Target-URI: %s\nContent-Type: application/http; msgtype=response\nContent-Length: %d\n\n%s\n\n", target, len(http), http)
		for _, flags := range []Config{{}, {Exhaustive: true}, {Scripts: true}} {
			flags.Type = warcType
			found := false
			for ref, err := range flags.Walk("maze.warc", strings.NewReader(record)) {
				if err != nil {
					t.Fatal(err)
				}
				found = found || string(ref.URL) == origin+path
			}
			if want := how == "always" || flags.Exhaustive && how == "exhaustive" || flags.Scripts && how == "scripts"; found != want {
				t.Errorf("%s: exhaustive %v, scripts %v: found is %v\n%s", path, flags.Exhaustive, flags.Scripts, found, http)
			}
		}
	}
	if want := map[string]int{"always": 51, "exhaustive": 13, "scripts": 19, "runs": 8}; !reflect.DeepEqual(count, want) {
		t.Errorf("%v", count)
	}
}
