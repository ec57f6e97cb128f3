package audit

import (
	"math/rand/v2"
	"testing"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/ascii"
)

// full computes distance with the whole table.
func full(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := corner
			if a[i] != b[j] {
				d++
			}
			corner = row[j+1]
			row[j+1] = min(d, row[j]+1, corner+1)
		}
	}
	return row[len(b)]
}

func TestDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		b := make([]byte, r.IntN(9))
		for i := range b {
			b[i] = "abc"[r.IntN(3)]
		}
		return string(b)
	}
	for range 20000 {
		a, b, limit := word(), word(), r.IntN(5)
		got, want := distance([]rune(a), []rune(b), limit), full(a, b)
		if want <= limit && got != want || want > limit && got <= limit {
			t.Fatalf("%q, %q up to %d: %d, want %d", a, b, limit, got, want)
		}
	}
}

func TestClosest(t *testing.T) {
	d := &document{path: "/a.html", content: content{memo: new(memo)}}
	for i, id := range []string{"install", "installed", "Usage-Notes", "x1", "x2", "übersicht"} {
		d.anchors = append(d.anchors, anchor{name: id, in: "p/id", line: i})
	}
	for _, c := range []struct{ fragment, want string }{
		{"instal", "install"},
		{"instaled", "installed"},
		{"usage_notes", "Usage-Notes"}, // the same letters
		{"usage-note", "Usage-Notes"},
		{"x3", ""}, // as near to one as to another
		{"x", ""},
		{"ubersicht", "übersicht"},
		{"something-else", ""},
		{"", ""},
		{"--", ""},
	} {
		if got := d.closest(d, c.fragment, slug.GitHub); got != c.want {
			t.Errorf("%q: %q, want %q", c.fragment, got, c.want)
		}
	}
	d.budget = maxBudget
	if got := d.closest(d, "instal", slug.GitHub); got != "" {
		t.Errorf("%q without a budget", got)
	}
}

func TestRelative(t *testing.T) {
	for _, c := range []struct{ dir, path, want string }{
		{"/a/b", "/a/b/c", "c"},
		{"/a/b", "/a/c", "../c"},
		{"/a/b", "/a/bc", "../bc"},
		{"/a/b/c", "/x", "../../../x"},
		{"", "/x", "x"},
		{"C:/a", "C:/b/c", "../b/c"},
	} {
		if got := relative(c.dir, c.path); got != c.want {
			t.Errorf("from %s to %s: %s, want %s", c.dir, c.path, got, c.want)
		}
	}
}

func TestDecoded(t *testing.T) {
	for in, want := range map[string]string{
		"a%20b": "a b", "%": "%", "%2": "%2", "%2x%41": "%2xA", "%2541": "%41", "%C3%BC": "ü", "%ff": "\xff", "": "",
	} {
		if got := ascii.UnescapeAll(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"a b#c?d%e.md": "a%20b%23c%3Fd%25e.md", "ü": "ü", "\xff": "%FF", "(x)": "%28x%29",
	} {
		if got := spelled(in); got != want || ascii.UnescapeAll(got) != in {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Templates are not judged.
func TestTemplate(t *testing.T) {
	for ref, want := range map[string]bool{
		"{{ x }}": true, "a/{%x%}": true, "${x}": true, "<%= x %>": true, "{!x!}": true,
		"{x}": false, "a{": false, "$x": false, "{": false, "": false,
	} {
		if isTemplate([]byte(ref)) != want {
			t.Errorf("%q: %t", ref, !want)
		}
	}
}
