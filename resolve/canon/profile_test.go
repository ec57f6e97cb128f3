package canon

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// profileTables holds the verdicts of the programs whose keys the profiles make. A refused URL is its own key.
var profileTables = map[Profile]string{
	CDX: "cdx.tsv", W3lib: "w3lib.tsv", URLCanonSemantic: "urlcanon.tsv", CrawlerCommons: "crawler-commons.tsv",
}

// unquoted returns a field of a table, which may be a string of Go.
func unquoted(t testing.TB, field string) string {
	if !strings.HasPrefix(field, `"`) {
		return field
	}
	s, err := strconv.Unquote(field)
	if err != nil {
		t.Fatalf("%s: %v", field, err)
	}
	return s
}

func TestProfiles(t *testing.T) {
	for _, p := range Profiles() {
		key := Key{Profile: p, NoIndex: true}
		for _, r := range scantest.Records(t, "../../testdata/resolve/"+profileTables[p]) {
			url := unquoted(t, r["url"])
			want := unquoted(t, r["key"])
			if want == "(refused)" {
				want = url
			}
			if got := string(key.Append([]byte("x"), []byte(url))); got != "x"+want {
				t.Errorf("%v: %q gives %q, want %q (%s)", p, url, got[1:], want, r["origin"])
			}
		}
	}
}

// Every URL has a key, and making it changes neither the URL nor what precedes the key.
func FuzzProfiles(f *testing.F) {
	for _, table := range profileTables {
		for _, r := range scantest.Records(f, "../../testdata/resolve/"+table) {
			f.Add([]byte(unquoted(f, r["url"])))
		}
	}
	f.Fuzz(func(t *testing.T, url []byte) {
		before := bytes.Clone(url)
		for _, p := range Profiles() {
			key := Key{Profile: p}
			got := key.Append([]byte("prefix"), url)
			if !bytes.HasPrefix(got, []byte("prefix")) || !bytes.Equal(url, before) || len(got) > 9*len(url)+64 {
				t.Fatalf("%v: %q gives %q", p, before, got)
			}
		}
	})
}

// A name is as the program writes it, and a Profile without one has none.
func TestProfileNames(t *testing.T) {
	seen := map[string]bool{NoProfile.String(): true}
	for i, p := range Profiles() {
		if int(p) != i+1 || seen[p.String()] {
			t.Errorf("profile %d is number %d and has the name %q", i+1, p, p)
		}
		seen[p.String()] = true
	}
}

// Keys of long URLs are made, and are no longer than their URLs make them.
func TestProfilesAreLinear(t *testing.T) {
	units := []string{"%25", "%2541", "/..", "/../", "/./", "//", "../", "/..a", "a&", "b=&", "=", "+", ";", "é", "ß", "☃.", ".", "。", "@", ":", "[", "]", "\\", "x:", "url:", "http://", "\xff", "\t", " ", "0", "0x"}
	for _, p := range Profiles() {
		key := Key{Profile: p}
		for _, unit := range units {
			for _, prefix := range []string{"", "http://", "http://h/", "http://h/?"} {
				short := len(key.Append(nil, []byte(prefix+strings.Repeat(unit, 1<<11))))
				long := len(key.Append(nil, []byte(prefix+strings.Repeat(unit, 1<<13))))
				if long > 4*short+64 {
					t.Errorf("%v: %q repeated: %d and %d bytes", p, prefix+unit, short, long)
				}
			}
		}
	}
}
