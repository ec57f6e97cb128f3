package resolve

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// TestSuites compares the tests of other projects with RFC 3986.
func TestSuites(t *testing.T) {
	dir := scantest.Shared(t, "cases/resolve")
	const guard = `"//g" would be an authority from nowhere`
	accepted := map[string][]class{
		"suite-4suite-mjbrown.tsv": {
			{"RFC 3986 5.2.4 to the letter: removing a first segment leaves the slash behind it", 0, []difference{
				{"foo:a/b", "../c", "foo:/c"},
				{"zz:abc", "foo/../../../bar", "zz:/bar"},
				{"zz:abc", "foo/../bar", "zz:/bar"},
			}},
			{"dots are data in an absolute reference without a slash", LeftRootless, []difference{
				{"foo:a", "foo:.", "foo:."},
				{"zz:abc", "zz:.", "zz:."},
			}},
			{guard, Guarded, []difference{{"f:/a", ".//g", "f:/.//g"}}},
		},
		"suite-cpython.tsv": {
			{"urljoin keeps the fragment under an empty reference, as RFC 1808 asked", 0, []difference{
				{"http://a/b/c/d;p?q#f", "", "http://a/b/c/d;p?q"},
			}},
			{"urljoin is not strict: same-scheme=relative", 0, []difference{
				{"http://a/b/c/d;p?q", "http:g", "http:g"},
				{"http://a/b/c/d", "http:g", "http:g"},
				{"http://a/b/c/d", "http:", "http:"},
				{"http://a/b/c/d", "http:?y", "http:?y"},
				{"http://a/b/c/d", "http:g?y", "http:g?y"},
				{"http://a/b/c/d", "http:g?y/./x", "http:g?y/./x"},
			}},
			{"urljoin does not look at an absolute reference where the base is empty; 5.2.2 removes its dots", 0, []difference{
				{"", "http://a/./g", "http://a/g"},
			}},
		},
		"suite-guzzle-psr7.tsv": {
			{"RFC 1808 4 step 1: with no base a reference stays what it is, and ends where a later base can resolve it", 0, []difference{
				{"", "..", ".."},
			}},
			{"both avoid the authority from nowhere; dropping a slash gives another path", Guarded, []difference{
				{"urn:a/b", "..//a/b", "urn:/.//a/b"},
			}},
		},
		"suite-haskell-network-uri.tsv": {
			{guard, Guarded, []difference{
				{"f:/a", ".//g", "f:/.//g"},
				{"f:/a/", "..//g", "f:/.//g"},
			}},
			{"the row wants the directory gone too; RFC 3986 5.2.3 keeps it", 0, []difference{
				{"http://ex/a/b", "./", "http://ex/a/"},
			}},
		},
	}
	files, err := filepath.Glob(dir + "/suite-*.tsv")
	if err != nil || len(files) < 6 {
		t.Fatalf("suites: %v %v", files, err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		compare(t, name, Rules{}, scantest.Records(t, file), "expected", accepted[name])
		delete(accepted, name)
	}
	for name := range accepted {
		t.Errorf("no suite %s", name)
	}
}

// TestSuiteWPT runs the tests that browsers share, as of 2025. All rows pass; one
// that does not would be listed here, with the reason.
func TestSuiteWPT(t *testing.T) {
	file, err := os.Open(scantest.Shared(t, "cases/resolve/suite-wpt.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rules := browser(t)
	rows := 0
	for dec := json.NewDecoder(file); ; rows++ {
		var r struct {
			Input, Base, Href string // null is ""
			Failure           bool
		}
		if err := dec.Decode(&r); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		got, res := rules.Resolver(r.Base).Append(nil, []byte(r.Input))
		if string(got) != r.Href || res.InError != r.Failure {
			t.Errorf("%q + %q = %q (%v), want %q", r.Base, r.Input, got, res.Err(), r.Href)
		}
	}
	if rows < 500 {
		t.Errorf("only %d rows", rows)
	}
}
