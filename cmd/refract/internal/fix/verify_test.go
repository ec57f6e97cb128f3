package fix

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit"
)

// lengthened returns a verification of two edits: one makes the text two bytes longer, the other three shorter.
func lengthened() *verification {
	return &verification{
		edits: []edit{
			{start: 10, at: 12, end: 14, ref: "first", text: []byte("......"), url: "http://h/1"},
			{start: 20, at: 20, end: 25, ref: "second", text: []byte(".."), url: "http://h/2"},
		},
		longer: []int64{2, -1},
		bad:    map[int]bool{},
	}
}

// Offsets before the edits and after them, and the edit that is blamed for a place.
func TestPlacesOfEdits(t *testing.T) {
	for _, tt := range []struct{ before, after int64 }{
		{9, 9}, {10, 10}, {13, 13}, {14, 16}, {20, 22}, {21, 23}, {25, 24}, {30, 29},
	} {
		if got := lengthened().moved(tt.before); got != tt.after {
			t.Errorf("%d moves to %d, want %d", tt.before, got, tt.after)
		}
		if got := lengthened().back(tt.after); got != tt.before {
			t.Errorf("%d comes from %d, want %d", tt.after, got, tt.before)
		}
	}
	for _, tt := range []struct{ offset, edit int }{{0, 0}, {10, 0}, {19, 0}, {20, 1}, {30, 1}} {
		v := lengthened()
		if v.blame(int64(tt.offset)); !v.bad[tt.edit] || len(v.bad) != 1 {
			t.Errorf("blamed for %d: %v, want %d", tt.offset, v.bad, tt.edit)
		}
	}
	for _, tt := range []struct{ offset, bad, edit int }{{0, -1, 0}, {13, -1, 0}, {14, -1, 1}, {24, -1, 1}, {25, -1, 1}, {0, 0, 0}, {14, 1, 0}, {20, 1, 1}} {
		v := lengthened()
		want := map[int]bool{tt.edit: true}
		if tt.bad >= 0 {
			v.bad[tt.bad], want[tt.bad] = true, true
		}
		if v.blameLine(int64(tt.offset)); !maps.Equal(v.bad, want) {
			t.Errorf("blamed for the line of %d: %v, want %v", tt.offset, v.bad, want)
		}
	}
}

// What a reference becomes: that of its edit, if it has exactly this place.
func TestWanted(t *testing.T) {
	for _, tt := range []struct {
		start, length int64
		want          string
	}{
		{5, 4, "5+4 ref http://h/"},
		{12, 2, "10+6 first http://h/1"},
		{10, 4, "10+4 ref http://h/"},
		{12, 1, "12+1 ref http://h/"},
		{20, 5, "22+2 second http://h/2"},
		{20, 4, "22+4 ref http://h/"},
		{25, 1, "24+1 ref http://h/"},
	} {
		r, url, e := lengthened().wanted(&reference{start: tt.start, length: tt.length, ref: "ref"}, "http://h/")
		got := fmt.Sprintf("%d+%d %s %s", r.start, r.length, r.ref, url)
		if got != tt.want || (e != nil) != (r.ref != "ref") {
			t.Errorf("%d+%d: %s, want %s; edit: %v", tt.start, tt.length, got, tt.want, e)
		}
	}
}

// An edited reference has all properties that it should have; its URL decides if it is known.
func TestAgrees(t *testing.T) {
	const url = "http://h/x"
	whole := reference{start: 3, length: 5, raw: "raw", ref: "x", kind: scan.Embed, how: scan.Macro, in: "in", base: "http://h/", entity: "1 text/html"}
	other := map[string]func(r *reference){
		"start":  func(r *reference) { r.start++ },
		"length": func(r *reference) { r.length++ },
		"kind":   func(r *reference) { r.kind = scan.Link },
		"how":    func(r *reference) { r.how = scan.Script },
		"in":     func(r *reference) { r.in = "out" },
		"base":   func(r *reference) { r.base = "http://i/" },
		"entity": func(r *reference) { r.entity = "2 text/html" },
	}
	v := new(verification)
	for name, change := range other {
		is := whole
		change(&is)
		if v.agrees(&whole, &is, url, url, new(edit)) || v.agrees(&whole, &is, url, url, nil) {
			t.Errorf("%s: agrees", name)
		}
	}
	for _, tt := range []struct {
		ref, url, isURL    string
		isEdited, isWanted bool
	}{
		{"x", url, url, true, true},
		{"y", url, url, true, true}, // another spelling of the same URL
		{"x", url, "http://h/z", true, false},
		{"y", url, "http://h/z", true, false},
		{"x", "", "http://h/z", true, true}, // the URL is unknown
		{"y", "", "", true, false},
		{"x", "http://h/ä", "http://h/%C3%A4", true, true},
		{"y", "http://h/ä", "http://h/%C3%A4", true, false},
		{"x", "http://h/\x7f", "http://h/%7F", true, false},
		{"x", "http://h/\u0080", "http://h/%C2%80", true, true},
		{"x", url, url, false, true},
		{"x", url, "http://h/z", false, false},
		{"y", url, url, false, false},
	} {
		is, e := whole, (*edit)(nil)
		is.ref = tt.ref
		if tt.isEdited {
			e, is.raw = new(edit), "new"
		}
		if got := v.agrees(&whole, &is, tt.url, tt.isURL, e); got != tt.isWanted {
			t.Errorf("%+v: %v", tt, got)
		}
	}
	for _, tt := range []struct {
		want, is string
		ok       bool
	}{{"[[file:]]", "[[]]", true}, {"[[file:]]", "in", false}, {"in", "[[]]", false}} {
		want, is := whole, whole
		want.in, is.in = tt.want, tt.is
		if got := v.agrees(&want, &is, url, url, new(edit)); got != tt.ok {
			t.Errorf("%q and %q: %v", tt.want, tt.is, got)
		}
	}
}

// The edits that are blamed for anchors and notes that differ.
func TestCompareMarks(t *testing.T) {
	at := func(starts ...int64) (marks []mark) {
		for _, start := range starts {
			marks = append(marks, mark{start: start})
		}
		return marks
	}
	renamed := at(10, 22)
	renamed[0].name = "n"
	for _, tt := range []struct {
		before, after []mark
		want          []int
	}{
		{at(), at(), nil},
		{at(9, 14, 25), at(9, 16, 24), nil},
		{at(), at(22), []int{1}},
		{at(5), at(5, 16), []int{0}},
		{at(15), at(), []int{1}},
		{at(5, 15), at(5), []int{1}},
		{at(10, 20), renamed, []int{0}},
		{at(10, 20), at(11, 23), []int{0}},
		{at(10, 20), append(renamed[:1:1], mark{start: 22, name: "n"}), []int{0, 1}}, // the second by itself
	} {
		v := lengthened()
		v.compareMarks(tt.before, tt.after)
		if got := slices.Sorted(maps.Keys(v.bad)); !slices.Equal(got, tt.want) {
			t.Errorf("%v, and then %v: %v, want %v", tt.before, tt.after, got, tt.want)
		}
	}
}

// An id of AsciiDoc stands for "#id".
func TestIsOwnID(t *testing.T) {
	for _, tt := range []struct {
		r    extract.Reference
		want bool
	}{
		{extract.Reference{In: "<<>>", How: scan.Macro, Raw: []byte("a"), Ref: []byte("#a")}, true},
		{extract.Reference{In: "<<>>", How: scan.Macro, Raw: []byte("a"), Ref: []byte("a")}, false},
		{extract.Reference{In: "<<>>", How: scan.Macro, Raw: []byte(""), Ref: []byte("#")}, false},
		{extract.Reference{In: "<<>>", How: scan.Script, Raw: []byte("a"), Ref: []byte("#a")}, false},
		{extract.Reference{In: "xref:", How: scan.Macro, Raw: []byte("a"), Ref: []byte("#a")}, false},
	} {
		if got := isOwnID(&tt.r); got != tt.want {
			t.Errorf("%+v: %v", tt.r, got)
		}
	}
}

// A name in the form that a finding has for references.
func TestNameOf(t *testing.T) {
	whole, part := &extract.Entity{Type: "text/x"}, &extract.Entity{Type: "text/x", Parent: new(extract.Entity)}
	for _, tt := range []struct {
		in           string
		offset       int64
		length       int
		entity       *extract.Entity
		isExact      bool
		raw, ref, is string
		kind         scan.Kind
		how          scan.How
		isInner      bool
	}{
		{"image:", 2, 3, whole, true, "cde", "name", "image:", scan.Embed, scan.Macro, false},
		{"include::", 0, 6, whole, true, "abcdef", "name", "include::", scan.Embed, scan.Macro, false},
		{"xref:", 0, 6, whole, true, "abcdef", "name", "xref:", scan.Link, scan.Macro, false},
		{"xref:", 0, 7, whole, true, "", "name", "xref:", scan.Link, scan.Macro, false},
		{"xref:", -1, 2, whole, true, "", "name", "xref:", scan.Link, scan.Macro, false},
		{"xref:", 0, 1, part, true, "a", "name", "xref:", scan.Link, scan.Macro, true},
		{"xref:", 0, 1, whole, false, "a", "name", "xref:", scan.Link, scan.Macro, true},
		{"ref", 0, 1, whole, true, "a", "a", "label", scan.Link, scan.Role, false},
		{"numref", 0, 1, whole, true, "a", "a", "label", scan.Link, scan.Role, false},
		{"term", 0, 1, whole, true, "a", "a", "term", scan.Link, scan.Role, false},
	} {
		m := &extract.Mention{In: tt.in, Name: []byte("name"), Entity: tt.entity}
		m.Pos = extract.Position{Offset: tt.offset, Length: tt.length, Exact: tt.isExact}
		want := reference{start: tt.offset, length: int64(tt.length), raw: tt.raw, ref: tt.ref, in: tt.is, kind: tt.kind, how: tt.how,
			inner: tt.isInner, entity: tt.entity.Path() + " text/x"}
		if got := nameOf(m, []byte("abcdef")); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// Without a format, or with one that quotes nothing, nothing is spelled.
func TestSpellUnknown(t *testing.T) {
	for _, f := range []*extract.Format{nil, {}} {
		if text, ok := spell(f, []byte("a"), &reference{length: 1, raw: "a", ref: "a"}, "b"); ok {
			t.Errorf("%q", text)
		}
	}
}

// What is before a reference decides how it is quoted, also if that is the first byte of the document.
func TestSpellAtStart(t *testing.T) {
	for src, want := range map[string]string{`"a.png"`: `b c`, `'a.png'`: `b c`, `=a.png`: `b&#32;c`, `a.png`: `b&#32;c`, `x"a.png"`: `b c`} {
		r := &reference{start: int64(strings.Index(src, "a.png")), length: 5, raw: "a.png", ref: "a.png", how: scan.Attribute}
		text, ok := spell(new(extract.Config).FormatOfName("a.html"), []byte(src), r, "b c")
		if string(text) != want || !ok {
			t.Errorf("%s: %q, want %q", src, text, want)
		}
	}
}

// The number of scans has a limit: the edit tried in the last one is made, a later one is not.
func TestMaxScans(t *testing.T) {
	for good, isMade := range map[int]bool{31: true, 32: false} {
		src := strings.Repeat("[x](A.md) ", 33) // 33 edits take 65 scans, the last two for the last two of them
		var findings []*audit.Finding
		for i := range 33 {
			f := finding("a.md", src, 10*i+4, "a b.md")
			if i == good {
				f.Suggestion = "a.md"
			}
			findings = append(findings, f)
		}
		file := &File{Path: "a.md", Old: []byte(src)}
		new(Options).Apply(file, findings)
		if len(file.Fixed) > 0 != isMade {
			t.Errorf("%d: %d fixed", good, len(file.Fixed))
		}
	}
}

// Keys of findings depend on the file, under whatever name, and a key counts as often as it occurs.
func TestKeys(t *testing.T) {
	a := &again{dir: "/d", seed: maphash.MakeSeed()}
	key := func(name string) uint64 { return a.key(&audit.Finding{Path: name}) }
	if key("") != key(".") {
		t.Error("the directory itself")
	}
	first, second, input := key("a.md"), key("b.md"), key("-")
	if first == second || first != key("x/../a.md") || first != key("/d/a.md") || input == key("/d/-") {
		t.Error("not told apart, or not the same")
	}
	a.before = []uint64{3, 5, 5, 8}
	taken := make([]int32, len(a.before))
	for _, tt := range []struct {
		key uint64
		ok  bool
	}{{5, true}, {5, true}, {5, false}, {4, false}, {8, true}, {8, false}, {9, false}, {3, true}, {3, false}, {1, false}} {
		if got := a.take(taken, tt.key); got != tt.ok {
			t.Errorf("%d: %v", tt.key, got)
		}
	}
}

// tokens is a Config for documents whose references are a letter with digits behind it. change may change them.
func tokens(change func(src string, it *scan.Item)) func(string) extract.Config {
	token := regexp.MustCompile(`[A-Za-z]\d+`)
	return func(string) extract.Config {
		return extract.Config{Formats: []extract.Format{{
			Types: []string{"text/x-tokens"}, Suffixes: []string{".tokens"},
			Quote: func(dst []byte, ref string, _ scan.Place) ([]byte, bool) {
				return append(dst, ref...), ref != "unwritable"
			},
			Scan: func(src []byte, _ *extract.Config, _ extract.Context) iter.Seq[*scan.Item] {
				return func(yield func(*scan.Item) bool) {
					for _, at := range token.FindAllIndex(src, -1) {
						it := scan.Item{Op: scan.Ref, Kind: scan.Link, How: scan.Inline, In: "token", Value: src[at[0]:at[1]], Span: scan.Span{Start: at[0], End: at[1]}}
						if change != nil {
							change(string(src), &it)
						}
						if !yield(&it) {
							return
						}
						if it.Value[0] == 'D' { // two references
							it.In = "again"
							if !yield(&it) {
								return
							}
						}
					}
				}
			},
		}}}
	}
}

// References without anything between them are edited.
func TestAdjacent(t *testing.T) {
	o := Rewriter{Decide: toRef("b33")}
	o.Config = tokens(nil)
	w := &Rewriting{File: File{Path: "a.tokens", Old: []byte("A1A22 c A3")}}
	if o.Apply(w); string(w.New) != "b33b33 c b33" {
		t.Errorf("%q %+v", w.New, w.Changes)
	}
	var findings []*audit.Finding
	cfg := o.Config("")
	for r := range cfg.Walk("a.tokens", bytes.NewReader(w.Old)) {
		findings = append(findings, &audit.Finding{Pos: r.Pos, Ref: r.Clone(), Suggestion: "b33"})
	}
	file := &File{Path: "a.tokens", Old: w.Old}
	if o.Options.Apply(file, findings); string(file.New) != "b33b33 c b33" {
		t.Errorf("%q %+v", file.New, file.Skipped)
	}
}

// If each scan shows one more edit to be bad, a rewriter gives up after a number of scans.
func TestScansOfRewriter(t *testing.T) {
	first := 0
	o := Rewriter{Decide: toRef("b1")}
	o.Config = tokens(func(src string, it *scan.Item) {
		if it.Span.Start == 0 {
			first++
		}
		if strings.HasPrefix(src[it.Span.Start:], "b1") && strings.Count(src[:it.Span.Start], "b1") == 0 { // the first edit is bad
			it.In = "other"
		}
	})
	w := &Rewriting{File: File{Path: "a.tokens", Old: []byte(strings.Repeat("A1 ", 80))}}
	if o.Apply(w); w.New != nil || first != 2+maxScans {
		t.Errorf("%d scans: %q", first, w.New)
	}
}

// A reference in one range is edited; one in several is not.
func TestRanges(t *testing.T) {
	for n, want := range map[int]string{0: "b1", 1: "b1", 2: ""} {
		o := Rewriter{Decide: toRef("b1")}
		o.Config = tokens(func(_ string, it *scan.Item) {
			it.More = new(scan.More)
			for i := range n {
				it.More.Parts = append(it.More.Parts, scan.Span{Start: it.Span.Start + i, End: it.Span.End - n + i + 1})
			}
		})
		w := &Rewriting{File: File{Path: "a.tokens", Old: []byte("A1")}}
		if o.Apply(w); string(w.New) != want {
			t.Errorf("%d ranges: %q %+v", n, w.New, w.Changes[0])
		}
	}
}

// What a scan says of references: whether they are in the file itself, and their base.
func TestOutline(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		{"a.md", "[x](y) www.h.example", []string{"y", "www.h.example inner"}},
		{"a.html", "<a href=x>", []string{"x"}},
		{"a.html", "<iframe srcdoc='<a href=x>'>", []string{"x inner"}},
		{"a.txt", "<URL:http://h/x\ny>", []string{"http://h/x\ny inner"}},
		{"a.adoc", "link:x[y] <<z>>", []string{"x without base", "z without base"}},
	} {
		c := checker{path: tt.name}
		c.config.Lines, c.config.Retrieved.URI = true, "http://h.example/d/"
		var got []string
		for _, r := range c.scan([]byte(tt.src)).refs {
			text := r.raw
			if r.inner {
				text += " inner"
			}
			if r.base == "" {
				text += " without base"
			}
			got = append(got, text)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.src, got, tt.want)
		}
	}
}

// Edits hold if nothing else changes: neither references nor anchors.
func TestHolds(t *testing.T) {
	const src = "# [x](A.md)\n\n[y](B.md)\n"
	e := edit{start: 6, end: 10, ref: "long.md", text: []byte("long.md")}
	for text, want := range map[string]bool{
		"# [x](long.md)\n\n[y](B.md)\n":      true,
		"# [z](long.md)\n\n[y](B.md)\n":      false,
		"# [x](long.md)\n\n[y](C.md)\n":      false,
		"# [x](long.md)\n\n[yy](B.md)\n":     false,
		"# [x](long.md)\n\n[y](B.md) <z>\n":  true,
		"# [x](long.md)\n\n[y](B.md) [z](C)": false,
		"x [x](long.md)\n\n[y](B.md)\n":      false,
		"# [x](A.md)\n\n[y](B.md)\n":         false,
	} {
		c := checker{path: "a.md"}
		c.config.Lines = true
		c.config.Anchor = func(*extract.Anchor) {}
		c.old = c.scan([]byte(src))
		if got := c.holds([]byte(text), []edit{e}); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// An edit at the start of a line moves what is behind it in the line, but not in the next one.
func TestNowAtStart(t *testing.T) {
	o := Rewriter{Decide: toRef("b333")}
	o.Config = tokens(nil)
	w := &Rewriting{File: File{Path: "a.tokens", Old: []byte("A1\nA1 c\nd")}}
	o.Apply(w)
	for _, tt := range []struct{ offset, column, nowOffset, nowColumn int }{{0, 1, 0, 1}, {2, 3, 4, 5}, {3, 1, 5, 1}, {6, 4, 10, 6}, {8, 1, 12, 1}} {
		now := w.Now(extract.Position{Offset: int64(tt.offset), Column: tt.column})
		if now.Offset != int64(tt.nowOffset) || now.Column != tt.nowColumn {
			t.Errorf("%+v: now %d, column %d", tt, now.Offset, now.Column)
		}
	}
}

// Two references at one place become the same one, or only the first is edited.
func TestTwoAtPlace(t *testing.T) {
	for again, want := range map[string]string{"D2": "", "D3": disagree} {
		o := Rewriter{Decide: func(r *extract.Reference, _ bool) (Decision, bool) {
			if r.In == "again" {
				return Decision{Ref: again}, true
			}
			return Decision{Ref: "D2"}, true
		}}
		o.Config = tokens(nil)
		w := &Rewriting{File: File{Path: "a.tokens", Old: []byte("D1")}}
		o.Apply(w)
		if string(w.New) != "D2" || len(w.Changes) != 2 || w.Changes[0].Why != "" || w.Changes[1].Why != want {
			t.Errorf("%s: %q, %+v", again, w.New, w.Changes)
		}
	}
}

// A reference that the format cannot write is left as it is.
func TestUnwritable(t *testing.T) {
	o := Rewriter{Decide: toRef("unwritable")}
	o.Config = tokens(nil)
	w := &Rewriting{File: File{Path: "a.tokens", Old: []byte("A1")}}
	if o.Apply(w); w.New != nil || w.Changes[0].Why != `"unwritable" cannot be written there` {
		t.Errorf("%q, %+v", w.New, w.Changes[0])
	}
}

// A reference without a byte is not edited: where it would be written is not known.
func TestEmpty(t *testing.T) {
	o := Rewriter{Decide: func(*extract.Reference, bool) (Decision, bool) { return Decision{Ref: "b"}, true }}
	w := &Rewriting{File: File{Path: "a.html", Old: []byte(`<a href="">`)}}
	o.Apply(w)
	if len(w.Changes) != 1 || w.Changes[0].Why != elsewhere || w.New != nil {
		t.Errorf("%q, %+v", w.New, w.Changes)
	}
}

// Of references that overlap, the first is tried, and the others are left as they are.
func TestOverlap(t *testing.T) {
	o := Rewriter{Decide: toRef("b1")}
	o.Config = tokens(func(src string, it *scan.Item) {
		if it.Span.Start == 0 {
			it.Span.End, it.Value = len(src)-1, []byte(src[:len(src)-1])
		}
	})
	w := &Rewriting{File: File{Path: "a.tokens", Old: []byte("A1 A22 c")}}
	o.Apply(w)
	if len(w.Changes) != 2 || w.New != nil {
		t.Fatalf("%q, %+v", w.New, w.Changes)
	}
	if w.Changes[1].Why != "it overlaps another reference" || w.Changes[0].Why == "" {
		t.Errorf("%q, %q", w.Changes[0].Why, w.Changes[1].Why)
	}
}
