package markdown

import (
	"bytes"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

// TestCmark compares the destinations that are found in a tree of documents with those of
// cmark-gfm. REFRACT_CMARK is the directory of the documents; the program is in PATH.
func TestCmark(t *testing.T) {
	dir := os.Getenv("REFRACT_CMARK")
	if dir == "" {
		t.Skip("REFRACT_CMARK is not set")
	}
	documents, destinations, lost, extra := 0, 0, 0, 0
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".md") {
			return err
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		src = src[(&Scanner{src: src}).frontMatter():]
		if simplified(src) != "" {
			return nil
		}
		want := cmarkDestinations(t, src)
		got := destinationsOf(src)
		documents++
		destinations += len(want)
		for url := range want {
			if _, ok := got[url]; !ok {
				lost++
				t.Logf("%s: lost %q", filepath.Base(name), url)
			}
		}
		for url, bare := range got {
			if !want[url] {
				extra++
				t.Logf("%s: extra %q, bare: %v", filepath.Base(name), url, bare)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d documents, %d destinations, %d lost, %d that cmark-gfm has not", documents, destinations, lost, extra)
}

// destinationsOf returns what links and images of src point to, those of HTML left out, and
// whether one stands bare.
func destinationsOf(src []byte) map[string]bool {
	all := make(map[string]bool)
	s := &Scanner{Dialect: GitHub}
	for it := range s.Scan(src) {
		if it.Op == scan.Ref && it.Labels&scan.Unused == 0 && (it.How == scan.Inline || it.How == scan.Reference || it.How == scan.Bare || it.How == scan.Autolink) {
			all[it.Meant+string(it.Value)] = it.How == scan.Bare || all[it.Meant+string(it.Value)]
		}
	}
	return all
}

// cmarkDestinations returns the destinations that cmark-gfm finds in src.
func cmarkDestinations(t *testing.T, src []byte) map[string]bool {
	cmd := exec.Command("cmark-gfm", "--to", "xml", "-e", "table", "-e", "autolink", "-e", "strikethrough", "-e", "footnotes")
	cmd.Stdin = bytes.NewReader(src)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]bool)
	for _, m := range cmarkDestination.FindAllStringSubmatch(string(out), -1) {
		all[html.UnescapeString(m[1])] = true
	}
	return all
}

// cmarkDestination matches a link or an image of cmark-gfm's XML, which not every XML parser
// reads.
var cmarkDestination = regexp.MustCompile(`<(?:link|image) destination="([^"]+)"`)
