package audit

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/internal/audit/rule"
)

// Each archive in testdata/published/built has two states of a site, and the URLs of the pages that its generator made of each: those that
// are gone are those that are reported, exactly. The URLs in "made" have no source: they are tags and the like. With "form clean" in
// the comment, hosts serve x.html and x/index.html at x. A comment "rename" is as in TestRemoved.
func TestRemovedBuilt(t *testing.T) {
	names, err := filepath.Glob("testdata/published/built/*.txtar")
	must(t, err)
	const least = 28
	if len(names) < least {
		t.Errorf("only %d sites", len(names))
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			must(t, err)
			isClean := strings.Contains(string(ar.Comment), "form clean")
			urls := map[string]map[string]bool{}
			for _, f := range ar.Files {
				urls[f.Name] = map[string]bool{}
				for _, u := range strings.Fields(string(f.Data)) {
					urls[f.Name][servedAs(u, isClean)] = true
				}
			}
			want := urls["urls-before"]
			for _, same := range []string{"urls-after", "made"} {
				maps.DeleteFunc(want, func(u string, _ bool) bool { return urls[same][u] })
			}
			got, many := map[string]bool{}, 0
			removed(t, ar, func(f *Finding) {
				if f.Rule != rule.RemovedURL {
					return
				}
				if m := manyURLs.FindStringSubmatch(f.Message); m != nil {
					n, _ := strconv.Atoi(m[1])
					many += n
					return
				}
				quoted, err := strconv.QuotedPrefix(f.Message)
				must(t, err)
				u, _ := strconv.Unquote(quoted)
				got[servedAs(u, isClean)] = true
			})
			if many > 0 && len(got)+many == len(want) {
				return // one finding for all
			}
			for _, u := range slices.Sorted(maps.Keys(want)) {
				if !got[u] {
					t.Errorf("%s is gone, and not reported (%d in one finding)", u, many)
				}
				delete(got, u)
			}
			for _, u := range slices.Sorted(maps.Keys(got)) {
				t.Errorf("%s is reported, and not gone", u)
			}
		})
	}
}

var manyURLs = regexp.MustCompile(`^(\d+) URLs are no longer published`)

// servedAs returns what URLs have in common at which a host serves the same page.
func servedAs(u string, isClean bool) string {
	if isClean {
		u = strings.TrimSuffix(strings.TrimSuffix(u, ".html"), "/index")
		return "/" + strings.Trim(u, "/")
	}
	if strings.HasSuffix(u, "/index.html") {
		return strings.TrimSuffix(u, "index.html")
	}
	return u
}
