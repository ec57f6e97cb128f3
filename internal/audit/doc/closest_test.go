package doc_test

import (
	"math/rand/v2"
	"testing"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/audit/doc"
)

// full computes Distance with the whole table.
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
		got, want := doc.Distance([]rune(a), []rune(b), limit), full(a, b)
		if want <= limit && got != want || want > limit && got <= limit {
			t.Fatalf("%q, %q up to %d: %d, want %d", a, b, limit, got, want)
		}
	}
}

func TestClosest(t *testing.T) {
	d := &doc.Document{Path: "/a.html", Content: doc.Content{Memo: new(doc.Memo)}}
	for i, id := range []string{"install", "installed", "Usage-Notes", "x1", "x2", "übersicht"} {
		d.Anchors = append(d.Anchors, doc.Anchor{Name: id, In: "p/id", Line: i})
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
		if got := d.IDsOf(slug.GitHub).Closest(&d.Budget, c.fragment); got != c.want {
			t.Errorf("%q: %q, want %q", c.fragment, got, c.want)
		}
	}
	d.Budget = doc.MaxBudget
	if got := d.IDsOf(slug.GitHub).Closest(&d.Budget, "instal"); got != "" {
		t.Errorf("%q without a budget", got)
	}
}

func TestIsTypingError(t *testing.T) {
	for _, tt := range []struct {
		written, meant string
		want           bool
	}{
		{"isntall", "install", true},
		{"instal", "install", true},
		{"installl", "install", true},
		{"nstall", "install", false},
		{"none", "one", false},
		{"nistall", "install", true},
		{"installe", "install", true},
		{"über", "übre", true},
		{"install", "install", false},
		{"instaII", "install", false},
		{"imstall", "install", false}, // another letter
		{"page1", "page", false},
		{"page12", "page21", false},
		{"v1", "v12", false},
		{"ab", "ba", false},
		{"abc", "abcd", true},
		{"abc", "bac", false},
		{"a", "", false},
		{"", "", false},
		{"isntalll", "install", false}, // two
		{"stop", "pots", false},
	} {
		if got := doc.IsTypingError([]rune(tt.written), []rune(tt.meant)); got != tt.want {
			t.Errorf("%q for %q: %t", tt.written, tt.meant, got)
		}
	}
}
