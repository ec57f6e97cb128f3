package slug

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/testing/scantest"
)

// A row is a heading of testdata/slugs.tsv, and its id in each algorithm.
type row struct {
	heading Heading
	ids     []string
}

func readTable(t testing.TB) (rows []row) {
	t.Helper()
	data, err := os.ReadFile("testdata/slugs.tsv")
	if err != nil {
		t.Fatal(err)
	}
	cell := func(s string) string {
		if !strings.HasPrefix(s, `"`) {
			return s
		}
		u, err := strconv.Unquote(s)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		return u
	}
	header := "source\ttext\talt\t" + strings.Join(Names()[:tabled], "\t")
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		fields := strings.Split(line, "\t")
		switch {
		case strings.HasPrefix(line, "# "), line == header:
			continue
		case len(fields) != 3+tabled:
			t.Fatalf("%d fields: %s", len(fields), line)
		}
		h := Heading{Source: cell(fields[0])}
		h.Text = h.Source
		if fields[1] != "=" {
			h.Text = cell(fields[1])
		}
		if fields[2] != "=" {
			h.Alt = cell(fields[2])
		}
		r := row{heading: h}
		for _, id := range fields[3:] {
			r.ids = append(r.ids, cell(id))
		}
		rows = append(rows, r)
	}
	if len(rows) < 60 {
		t.Fatalf("%d rows", len(rows))
	}
	return rows
}

// tabled is the number of algorithms in testdata/slugs.tsv. sites.tsv has the others.
const tabled = int(HugoASCII143) + 1

func TestTable(t *testing.T) {
	rows := readTable(t)
	for i := range tabled {
		s := Slugger{Algorithm: Algorithm(i)}
		for _, r := range rows {
			if got := s.Slug(r.heading); got != r.ids[i] {
				t.Errorf("%s: %q = %q, want %q", s.Algorithm, r.heading.Source, got, r.ids[i])
			}
		}
	}
}

func TestNames(t *testing.T) {
	for i, name := range Names() {
		if f, ok := Named(name); !ok || int(f) != i || f.String() != name {
			t.Errorf("%s: %v %v", name, f, ok)
		}
	}
	for name, want := range map[string]Algorithm{"mkdocs": PythonMarkdown, "jekyll": KramdownGFM} {
		if f, ok := Named(name); !ok || f != want {
			t.Errorf("%s: %v %v", name, f, ok)
		}
	}
	for _, name := range []string{"", "GitHub", "git"} {
		if f, ok := Named(name); ok {
			t.Errorf("%q: %v", name, f)
		}
	}
}

// TestSlug has what no line of a document can be, or is only in some renderers.
func TestSlug(t *testing.T) {
	for _, tt := range []struct {
		algorithm Algorithm
		heading   Heading
		want      string
	}{
		// Assigned in Unicode 14 and 15.
		{GitHub, Heading{Text: "Ⱟ 𱍐"}, "-"},
		{GitLab, Heading{Text: "Ⱟ 𱍐"}, "ⱟ-𱍐"},
		// Several lines: goldmark and Hugo take the last, comrak makes a space.
		{Goldmark, Heading{Text: "one\ntwo", Source: "one\ntwo\n"}, "two"},
		{Hugo, Heading{Text: "one\ntwo", Source: "one\r\n*two*\r\n"}, "two"},
		{Hugo143, Heading{Text: "one\ntwo", Source: "one\r\n*two*\r\n"}, "two"},
		{GitLab, Heading{Text: "one\ntwo"}, "one-two"},
		{GitHub, Heading{Text: "one\ntwo"}, "onetwo"},
		{PythonMarkdown, Heading{Text: "one\ntwo"}, "one-two"},
		// The text stands for a source that is not known.
		{Kramdown, Heading{Text: "1 *a*"}, "a"},
		{KramdownGFM, Heading{Text: "--a"}, "a"},
		// Marks with nothing behind them are no heading of kramdown.
		{Kramdown, Heading{Text: " "}, ""},
		{Kramdown, Heading{Source: "!"}, "section"},
		{Goldmark, Heading{}, "heading"},
		{Hugo, Heading{Source: "![](x)"}, ""},
		// Hugo 0.152.2 built these.
		{Hugo, Heading{Text: "a --b c", Source: `a \-\-b c`}, "a---b-c"},
		{Hugo, Heading{Text: "x --y --z --w", Source: "x `--y` \\-\\-z --w"}, "x---y---z-w"},
		{Hugo, Heading{Text: "m--n", Source: `m\--n`}, "m--n"},
		{Hugo, Heading{Text: "q ---r", Source: `q \-\-\-r`}, "q----r"},
		{Hugo, Heading{Text: "!"}, "heading"},
		{Hugo143, Heading{}, "heading"},
		{PythonMarkdown, Heading{Text: "!"}, ""},
		// kramdown's code spans.
		{KramdownGFM, Heading{Text: "--a `", Source: "`` --a ` ``"}, "--a-"},
		{KramdownGFM, Heading{Text: "`--a`", Source: "\\`--a`"}, "a"},
		{KramdownGFM, Heading{Text: "`--a --b", Source: "``--a `--b`"}, "a---b"},
		{KramdownGFM, Heading{Text: "--a", Source: "`--b` `--a`"}, "a"},
		// Not UTF-8.
		{GitHub, Heading{Text: "a\xffb \ufffd"}, "ab-"},
		{Hugo, Heading{Text: "a\xffb"}, "ab"},
		{Kramdown, Heading{Text: "\xffa\xffb"}, "ab"},
		{Goldmark, Heading{Text: "a\xffb" + strings.Repeat(".", 97) + "cd"}, "acd"},
		{Goldmark, Heading{Text: "a\xc3b\xe3cd\xf3efg\xf8"}, "a"},
		{Goldmark, Heading{Text: "a\xc0bc"}, "a"},
	} {
		if got := tt.algorithm.Slug(tt.heading); got != tt.want {
			t.Errorf("%s: %q = %q, want %q", tt.algorithm, tt.heading, got, tt.want)
		}
	}
}

func TestReserve(t *testing.T) {
	for i := range tabled {
		s := Slugger{Algorithm: Algorithm(i)}
		s.Reserve("a")
		got := []string{s.Slug(Heading{Text: "a"})}
		s.Reserve("a")
		got = append(got, s.Slug(Heading{Text: "a"}))
		want := []string{"a", "a-1"}
		switch s.Algorithm {
		case PythonMarkdown, PythonMarkdownUnicode:
			want = []string{"a_1", "a_2"}
		case Goldmark, Hugo, HugoASCII, Hugo143, HugoASCII143:
			want = []string{"a-1", "a-2"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", s.Algorithm, got, want)
		}
	}
}

// TestNotCounted has the heading that is none between two that are.
func TestNotCounted(t *testing.T) {
	s := Slugger{Algorithm: Kramdown}
	for i, want := range []string{"section", "", "section-1"} {
		if got := s.Slug(Heading{Text: []string{"1", "", "2"}[i]}); got != want {
			t.Errorf("%d: %q, want %q", i, got, want)
		}
	}
}

func TestFold(t *testing.T) {
	for _, tt := range [][2]string{
		{"", ""}, {"a-b", "a-b"}, {"\ufe0f-tools", "\ufe0f-tools"}, {"\ufe0e\u200d-a\u200c", "\ufe0e-a"}, {"\u180b\U000e0100", "\u180b\U000e0100"},
		{"é", "é"}, {"e\u0301", "e\u0301"}, {"a\u200b", "a\u200b"},
		{"\xff\u200d\xfe", "\xff\xfe"},
	} {
		if got := Fold(tt[0]); got != tt[1] {
			t.Errorf("%+q: %+q, want %+q", tt[0], got, tt[1])
		}
	}
}

func TestSuccessor(t *testing.T) {
	for _, tt := range [][2]string{
		{"", "_1"}, {"a", "a_1"}, {"a_1", "a_2"}, {"a_9", "a_10"}, {"a_1_9", "a_1_10"}, {"a_099", "a_100"}, {"a_000", "a_1"},
		{"a_", "a__1"}, {"_", "__1"}, {"_1", "_2"}, {"12", "12_1"}, {"a1", "a1_1"}, {"a-1", "a-1_1"}, {"a_٣", "a_٣_1"},
		{"a_99999999999999999999", "a_100000000000000000000"}, {"a_18446744073709551615", "a_18446744073709551616"},
	} {
		if got := successor(tt[0]); got != tt[1] {
			t.Errorf("%q: %q, want %q", tt[0], got, tt[1])
		}
	}
}

// naive is a Slugger that counts as the programs do, step by step.
type naive struct {
	again again
	last  map[string]int
}

var counted = regexp.MustCompile(`^(.*)_([0-9]+)$`)

func (n *naive) slug(id string) string {
	_, used := n.last[id]
	switch first := id; n.again {
	case hyphen: // github-slugger
		for used {
			n.last[first]++
			id = fmt.Sprintf("%s-%d", first, n.last[first])
			_, used = n.last[id]
		}
	case count: // kramdown: what it puts out is not kept
		if used {
			n.last[id]++
			return fmt.Sprintf("%s-%d", id, n.last[id])
		}
	case underscore: // Python-Markdown, before it remembered where it was
		for used || id == "" {
			if m := counted.FindStringSubmatch(id); m != nil {
				number, err := strconv.Atoi(m[2])
				if err != nil {
					panic(err)
				}
				id = fmt.Sprintf("%s_%d", m[1], number+1)
			} else {
				id += "_1"
			}
			_, used = n.last[id]
		}
	}
	n.last[id] = 0
	return id
}

// fromOne is how goldmark, Hugo and comrak's first versions count.
func fromOne(used map[string]bool, id string) string {
	numbered := id
	for n := 1; used[numbered]; n++ {
		numbered = fmt.Sprintf("%s-%d", id, n)
	}
	used[numbered] = true
	return numbered
}

func TestNaive(t *testing.T) {
	words := []string{"", "a", "a-1", "a-1-1", "a-2", "a_1", "a_1_1", "a_2", "a_0", "a_09", "a_9", "a_10", "_1", "_", "1", "b", "b_99", "!"}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		sluggers, naives, used := [tabled]Slugger{}, [tabled]naive{}, map[string]bool{}
		for i := range tabled {
			sluggers[i].Algorithm = Algorithm(i)
			naives[i] = naive{again: rules[i].again, last: map[string]int{}}
		}
		few := words[:1+rng.IntN(len(words))]
		for range 40 {
			h := Heading{Text: few[rng.IntN(len(few))]}
			for i := range tabled {
				if none := rules[i].none; none != nil && none(h) {
					continue
				}
				got, want := sluggers[i].Slug(h), naives[i].slug(Algorithm(i).Slug(h))
				if got != want {
					t.Fatalf("%s: %q = %q, want %q", Algorithm(i), h.Text, got, want)
				}
				if Algorithm(i) == Goldmark {
					if want := fromOne(used, Goldmark.Slug(h)); got != want {
						t.Fatalf("%q = %q, want %q", h.Text, got, want)
					}
				}
			}
		}
	}
}

// linear has every algorithm over two documents, of which the second is four times the
// first. Below 5 µs for a heading or a byte, caches and the allocator decide; what is
// quadratic takes more than 20 µs.
func linear(t *testing.T, name string, document func(n int) []Heading) {
	t.Helper()
	n := scantest.Amount(200, 5_000)
	short, long := document(n), document(4*n)
	for i := range rules {
		slugs := func(headings []Heading) {
			s := Slugger{Algorithm: Algorithm(i)}
			for _, h := range headings {
				s.Slug(h)
			}
		}
		scantest.Linear(t, fmt.Sprintf("%s: %s", name, Algorithm(i)), time.Duration(4*n*5)*time.Microsecond, func() { slugs(short) }, func() { slugs(long) })
	}
}

// TestMany has as many equal headings as no document has, and no time to try each
// number for each.
func TestMany(t *testing.T) {
	n := scantest.Amount(20_000, 100_000)
	for i := range tabled {
		s := Slugger{Algorithm: Algorithm(i)}
		for range n - 1 {
			s.Slug(Heading{Text: "a"})
		}
		if got, want := s.Slug(Heading{Text: "a"}), strconv.Itoa(n-1); got != "a-"+want && got != "a_"+want {
			t.Errorf("%s: %q", s.Algorithm, got)
		}
	}
}

func TestHostile(t *testing.T) {
	for name, text := range map[string]func(i, n int) string{
		"equal":     func(int, int) string { return "a" },
		"empty":     func(int, int) string { return "!" },
		"distinct":  func(i, _ int) string { return "a" + strconv.Itoa(i) },
		"ascending": func(i, n int) string { return "a_" + strconv.Itoa(i%(n/2)) },
		"hyphens":   func(i, n int) string { return "a-" + strconv.Itoa(i%(n/2)) },
		"descending": func(i, n int) string {
			return "a_" + strconv.Itoa(n/2-i%(n/2))
		},
		"taken before": func(i, n int) string {
			if i < n/2 {
				return "a_" + strconv.Itoa(i)
			}
			return "a"
		},
		"shuffled": func(i, n int) string { return "a_" + strconv.Itoa(i*7919%(n/2)) },
		"nested":   func(i, _ int) string { return "a" + strings.Repeat("_1", i%8) },
		"zeros":    func(i, _ int) string { return "a_" + strings.Repeat("0", i%64) + "1" },
	} {
		linear(t, name, func(n int) []Heading {
			headings := make([]Heading, n)
			for i := range headings {
				headings[i] = Heading{Text: text(i, n)}
			}
			return headings
		})
	}
	for _, shape := range []string{
		"a", "-", " ", "_1", "Σ", "Σ'", "'", "\u0301", "e\u0301", "\xff", "\x80a", "é", "İ", "\u3000", "ﬃ", "\U0001d400", "한",
		"`", "` ", "``` `", "`--a` ", "--", "`--`--", "\\`", "<<", "<< ", "\n", "`a-- b",
	} {
		linear(t, "one of "+shape, func(n int) []Heading {
			s := strings.Repeat(shape, n/len(shape))
			return []Heading{{Text: s, Alt: s, Source: s}}
		})
	}
	// Code with distinct texts, of which the text has each once and the source twice.
	linear(t, "code", func(n int) []Heading {
		var text, source strings.Builder
		for i := range n / 16 {
			fmt.Fprintf(&text, "%d-- ", i)
			fmt.Fprintf(&source, "%d-- `%[1]d--`", i)
		}
		return []Heading{{Text: text.String(), Source: source.String()}}
	})
	linear(t, "backquotes", func(n int) []Heading {
		var source strings.Builder
		for i := 1; source.Len() < n; i++ {
			source.WriteString(strings.Repeat("`", i) + " ")
		}
		return []Heading{{Text: "--", Source: source.String()}}
	})
}

func BenchmarkSlugger(b *testing.B) {
	rows := readTable(b)
	for i := range tabled {
		b.Run(Algorithm(i).String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s := Slugger{Algorithm: Algorithm(i)}
				for _, r := range rows {
					s.Slug(r.heading)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(rows)), "ns/heading")
		})
	}
}
