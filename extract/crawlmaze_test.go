package extract

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every case of the crawl maze that needs no script is found, with or without Config.Exhaustive as the table says.
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
		http := "HTTP/1.1 200 OK\nContent-Type: text/html\n\n" + content
		if field.MatchString(page) {
			http = "HTTP/1.1 302 Found\nContent-Type: text/html\n" + content + "\n\n<p>"
		}
		record := fmt.Sprintf("WARC/1.0\nWARC-Type: response\nWARC-Target-URI: %s/\nContent-Type: application/http; msgtype=response\nContent-Length: %d\n\n%s\n\n", origin, len(http), http)
		for _, exhaustive := range []bool{false, true} {
			cfg := Config{Type: warcType, Exhaustive: exhaustive}
			found := false
			for ref, err := range cfg.Walk("maze.warc", strings.NewReader(record)) {
				if err != nil {
					t.Fatal(err)
				}
				found = found || string(ref.URL) == origin+path
			}
			if want := how == "always" || exhaustive && how == "exhaustive"; found != want {
				t.Errorf("%s: exhaustive %v: found is %v\n%s", path, exhaustive, found, http)
			}
		}
	}
	if count["always"] != 50 || count["exhaustive"] != 12 {
		t.Errorf("%v", count)
	}
}
