package overview

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/net/html"

	"example.org/refract/extract/scan"
)

var update = flag.Bool("update", false, "write the page of TestGolden")

var labels = []string{"userinfo", "ip-host", "lazy"}

// june returns a day of June 1997.
func june(day int) time.Time { return time.Date(1997, 6, day, 7, 14, 1, 0, time.UTC) }

// small collects a few references, in batches of n.
func small(n int) *Collector {
	c := NewCollector(labels)
	var b Batch
	var in *Source
	add := func(s *Source, url, domain string, kind scan.Kind, labels uint64, line int) {
		if s != in || b.IsEmpty() {
			b.In(*s)
			in = s
		}
		b.Add(&Reference{URL: []byte(url), Domain: domain, Kind: kind, Labels: labels, Line: line, Column: 1})
		if len(b.refs) == n {
			c.Take(&b)
			b.Reset()
		}
	}
	mail := &Source{Name: "a.mbox", Folder: "a.mbox", Date: june(2), ID: "1@h", From: "Ann@Example.org", Subject: "The draft", List: "uri.example.org"}
	answer := &Source{Name: "a.mbox", Folder: "a.mbox", Date: june(30), ID: "2@h", From: "bob@example.net", Subject: "Re: The draft", List: "uri.example.org"}
	packed := &Source{Name: "docs/b.zip", Member: "b.zip!/x.html", Folder: "docs/b.zip"}
	add(mail, "http://www.example.org/a", "example.org", scan.Text, 0, 7)
	add(mail, "http://www.example.org/a", "example.org", scan.Link, 0, 8)
	add(mail, "http://user@192.0.2.1/", "192.0.2.1", scan.Link, 3, 9)
	add(answer, "http://www.example.org/a", "example.org", scan.Text, 0, 27)
	add(answer, "mailto:ann@example.org", "", scan.Text, 0, 28)
	add(packed, "https://example.net/?q=<b>&x", "example.net", scan.Embed, 4, 2)
	b.Note(scan.CodeUnclosed)
	c.Take(&b)
	return c
}

func smallRun() *Run {
	return &Run{
		Version: "1.2.3", Args: []string{"a.mbox", "docs"}, Inputs: 2, Unresolved: 3, Errors: 1, Skipped: 4, Notable: 2,
		NotRead: map[string]int{"PDF": 12, "image": 7}, Meaning: map[string]string{"userinfo": `user information before "@"`, "ip-host": "an IP address as the host", "lazy": "in an attribute"},
	}
}

func render(t *testing.T, c *Collector, run *Run) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := c.HTML(&b, run); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// save writes a page into a new directory, and returns its URL.
func save(t *testing.T, page []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(name, page, 0o666); err != nil {
		t.Fatal(err)
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(name)}).String()
}

// A small page, apart from its style and script, is as reviewed.
func TestGolden(t *testing.T) {
	page := string(render(t, small(100), smallRun()))
	_, page, _ = strings.Cut(page, "</style>")
	page, _, _ = strings.Cut(page, "<script>")
	const name = "testdata/small.html"
	if *update {
		if err := os.WriteFile(name, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if page != string(want) {
		t.Errorf("the page has changed; -update writes %s:\n%s", name, page)
	}
}

// The page does not depend on how references come in batches.
func TestBatches(t *testing.T) {
	want := render(t, small(100), smallRun())
	for n := 1; n < 6; n++ {
		if got := render(t, small(n), smallRun()); !bytes.Equal(got, want) {
			t.Errorf("batches of %d references give another page", n)
		}
	}
}

// A read is a parsed page.
type read struct {
	elements map[string]int // by name
	attrs    map[string]bool
	data     data
	text     string // of the body, apart from data and script
	title    string
}

func parse(t *testing.T, page []byte) *read {
	t.Helper()
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	r := &read{elements: map[string]int{}, attrs: map[string]bool{}}
	for n := range doc.Descendants() {
		switch {
		case n.Type == html.TextNode && n.Parent.Data == "title" && n.Parent.Parent.Data == "head":
			r.title = n.Data
		case n.Type == html.TextNode && n.Parent.Data == "script" && strings.HasPrefix(n.Data, "{"):
			if err := json.Unmarshal([]byte(n.Data), &r.data); err != nil {
				t.Fatal(err)
			}
		case n.Type == html.TextNode && n.Parent.Data != "script" && n.Parent.Data != "style":
			r.text += n.Data + " "
		case n.Type == html.ElementNode:
			r.elements[n.Data]++
			for _, a := range n.Attr {
				r.attrs[a.Key] = true
			}
		}
	}
	return r
}

// What a hostile input may contain.
const hostileText = "</script><img src=x onerror=alert(1)><!--{{.}}${1}\u202egpj.exe\x00\x1b[31m\xff\u2028'\"&amp;\n"

func hostile() (*Collector, *Run) {
	c := NewCollector(labels)
	var b Batch
	b.In(Source{Name: hostileText, Member: "x!/" + hostileText, Folder: hostileText, Document: hostileText, Date: june(1), ID: hostileText, From: hostileText, Subject: hostileText, List: hostileText})
	for _, u := range []string{hostileText, "javascript:alert(1)//", "http://h/" + hostileText, "http://h/\"onmouseover=alert(1)", "data:text/html," + hostileText} {
		b.Add(&Reference{URL: []byte(u), Domain: hostileText, Labels: 1, Line: 1, Column: 1})
	}
	b.Note(hostileText)
	c.Take(&b)
	return c, &Run{
		Version: "1.2.3", Args: []string{hostileText}, Inputs: 1, Errors: 1, Notable: 1, NotRead: map[string]int{hostileText: 1}, AsText: map[string]int{hostileText: 1},
	}
}

// Hostile text stays text.
func TestEscaping(t *testing.T) {
	page := render(t, func() *Collector { c, _ := hostile(); return c }(), func() *Run { _, r := hostile(); return r }())
	r := parse(t, page)
	if r.elements["script"] != 2 || r.elements["img"] != 0 || r.attrs["onerror"] || r.attrs["onmouseover"] || r.attrs["style"] || r.attrs["src"] {
		t.Errorf("elements %v, attributes %v", r.elements, r.attrs)
	}
	for i, c := range string(page) {
		if c != '\n' && c != '\t' && (unicode.IsControl(c) || c == unicode.ReplacementChar || c == '\u202e' || c == '\u2028') {
			t.Fatalf("%q in the page: %q", c, string(page)[max(0, i-100):i+10])
		}
	}
	const want = `</script><img src=x onerror=alert(1)><!--{{.}}${1}\u{202e}gpj.exe\u{0}\u{1b}[31m\xff\u{2028}'"&amp;\u{a}`
	if r.title != "Links in "+want {
		t.Errorf("title %q", r.title)
	}
	if urls := strings.Split(r.data.URLs, "\n"); len(urls) != 5 || urls[0] != want {
		t.Errorf("URLs %q", urls)
	}
	if strings.Count(r.text, want) < 9 {
		t.Errorf("%d times in %q", strings.Count(r.text, want), r.text)
	}
}

func TestNothing(t *testing.T) {
	r := parse(t, render(t, NewCollector(labels), &Run{Args: []string{"."}}))
	if !strings.Contains(r.text, "No URLs found.") {
		t.Errorf("text %q", r.text)
	}
	if r.data.URLs != "" || len(r.data.Counts) != 0 {
		t.Errorf("%+v", r.data)
	}
}

// An error of the writer is returned.
func TestHTMLFails(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	if err := small(1).HTML(w, smallRun()); err == nil {
		t.Error("no error")
	}
}

// Long URLs are cut, and those that differ only behind the cut stay two. Long texts hold no memory.
func TestLong(t *testing.T) {
	c := NewCollector(labels)
	var b Batch
	long := strings.Repeat("é", 600)
	b.In(Source{Name: long + "x", From: long, Subject: long})
	for _, end := range []string{"1", "2", "1"} {
		b.Add(&Reference{URL: []byte("http://h/" + long + end), Domain: long})
	}
	b.Add(&Reference{URL: []byte(long), Key: []byte("key")})
	c.Take(&b)
	r := parse(t, render(t, c, smallRun()))
	urls := strings.Split(r.data.URLs, "\n")
	if len(urls) != 3 || !slices.Equal(r.data.Counts, []int{2, 1, 1}) {
		t.Fatalf("%d URLs, %v", len(urls), r.data.Counts)
	}
	for _, u := range urls {
		if len(u) > maxName+len("…") || !strings.HasSuffix(u, "é…") {
			t.Errorf("%d bytes: %q", len(u), u[len(u)-10:])
		}
	}
	for _, text := range r.data.Texts {
		if len(text) > maxName+len("…") {
			t.Errorf("a text of %d bytes", len(text))
		}
	}
}

// A counter counts exactly up to its limit. Beyond it, it keeps the most frequent names, and its counts
// are never too high.
func TestCounter(t *testing.T) {
	c := counter[struct{}]{limit: 100, bytes: 1000}
	counts := map[string]int{}
	for i := range 100000 {
		name := fmt.Sprintf("n%d", i%10) // frequent
		if i%3 > 0 {
			name = fmt.Sprintf("x%d", i) // once
		}
		counts[name]++
		c.add([]byte(name))
		if len(c.items) > 151 || c.held > 1500+10 {
			t.Fatalf("%d items, %d bytes", len(c.items), c.held)
		}
		if !c.isFull && len(c.items) != len(counts) {
			t.Fatalf("%d, not %d", len(c.items), len(counts))
		}
	}
	n, isExact := c.distinct()
	if isExact || math.Abs(float64(n-len(counts))) > .03*float64(len(counts)) {
		t.Errorf("%d of %d names, exact: %v", n, len(counts), isExact)
	}
	c.finish()
	if len(c.items) != 100 {
		t.Errorf("%d items", len(c.items))
	}
	for i, it := range c.items {
		if it.n > counts[it.name] || it.n < counts[it.name] && !it.atMost {
			t.Errorf("%s: %d, not %d", it.name, it.n, counts[it.name])
		}
		if (i < 10) != strings.HasPrefix(it.name, "n") || i < 10 && it.n != counts[it.name] {
			t.Errorf("%d: %s, %d times", i, it.name, it.n)
		}
	}
}

// What is held for URLs and their documents is bounded, and the memory of dropped ones is not counted.
func TestHeld(t *testing.T) {
	c := NewCollector(labels)
	c.urls.limit, c.urls.bytes = 1000, 100000
	var b Batch
	for i := range 20000 {
		b.In(Source{Name: strings.Repeat("n", i%500), Subject: fmt.Sprint(i, strings.Repeat("s", 150))})
		b.Add(&Reference{URL: fmt.Appendf(nil, "http://h/%d/%s", i, strings.Repeat("u", i%700))})
		b.Add(&Reference{URL: []byte("http://h/everywhere")})
		c.Take(&b)
		b.Reset()
		if len(c.urls.items) > 1501 || c.urls.held > 150000+3000 {
			t.Fatalf("%d items, %d bytes", len(c.urls.items), c.urls.held)
		}
	}
	held, sources := 0, map[*source]bool{}
	c.urls.finish()
	for i := range c.urls.items {
		it := &c.urls.items[i]
		held += len(it.name)
		for _, p := range it.value.places[:min(it.value.documents, maxPlaces)] {
			if !sources[p.source] {
				sources[p.source] = true
				held += p.source.size
			}
		}
	}
	if held > 100000 {
		t.Errorf("%d bytes", held)
	}
	if it := c.urls.items[0]; it.n != 20000 || it.value.documents != 20000 || it.atMost {
		t.Errorf("%+v", it)
	}
}

// The bars of a timeline have the right length, and add up to all references.
func TestTimeline(t *testing.T) {
	for _, x := range []struct {
		dates                   []string
		unit, from, to          string
		bars, most, before, out int
	}{
		{[]string{"1997-06-02", "1997-06-02", "1997-06-30"}, "day", "1997-06-02", "1997-06-30", 29, 2, 0, 0},
		{[]string{"1997-06-02", "1998-07-01", "1998-07-31"}, "month", "1997-06", "1998-07", 14, 2, 0, 0},
		{[]string{"1997-06-02", "2012-01-01"}, "quarter", "1997 Q2", "2012 Q1", 60, 1, 0, 0},
		{[]string{"1970-01-01", "2026-01-01", "2026-12-31"}, "year", "1970", "2026", 57, 2, 0, 0},
		{[]string{"1969-12-31", "2000-02-29", "2100-01-01", "0001-01-02", "9999-12-31"}, "day", "2000-02-29", "2000-02-29", 1, 1, 0, 4},
		{append(slices.Repeat([]string{"2001-03-04"}, 1000), "1980-01-01", "2080-01-01"), "day", "2001-03-04", "2001-03-04", 1, 1000, 1, 1},
	} {
		c := NewCollector(labels)
		var b Batch
		for i, text := range append(x.dates, "0001-01-01") {
			date, err := time.Parse(time.DateOnly, text)
			if err != nil {
				t.Fatal(err)
			}
			b.In(Source{Name: fmt.Sprint(i), Date: date})
			b.Add(&Reference{URL: []byte("http://h/")})
		}
		c.Take(&b)
		l := c.timeline()
		sum := l.Before + l.After + l.Undated
		for _, bar := range l.Bars {
			sum += bar.N
		}
		if sum != len(x.dates)+1 || l.Undated != 1 || l.Before != x.before || l.After != x.out {
			t.Errorf("%s: %d of %d references, %d before, %d after, %d undated", x.dates, sum, len(x.dates)+1, l.Before, l.After, l.Undated)
		}
		if l.Unit != x.unit || l.From != x.from || l.To != x.to || len(l.Bars) != x.bars || l.Most != x.most {
			t.Errorf("%.5s: %d bars of a %s, from %s to %s, at most %d", x.dates, len(l.Bars), l.Unit, l.From, l.To, l.Most)
		}
	}
}

func TestShorten(t *testing.T) {
	for _, x := range []struct{ in, want, below string }{
		{"a/b/c a/b/d", "c d", "a/b/"},
		{"a/b a/b/d a/bc", "b b/d bc", "a/"},
		{"a/b a/b/d", "(top) d", "a/b/"},
		{"a b", "a b", ""},
		{"/a /b", "/a /b", ""},
		{"a/b/c", "(top)", "a/b/c/"},
		{". a", "(top) a", ""},
	} {
		var rows []row
		for _, name := range strings.Fields(x.in) {
			rows = append(rows, row{Value: name, Name: name})
		}
		below := shorten(rows)
		got := ""
		for _, r := range rows {
			got += " " + r.Name
		}
		if got != " "+x.want || below != x.below {
			t.Errorf("%s: %s below %q", x.in, got, below)
		}
	}
}

func TestSchemeOf(t *testing.T) {
	for in, want := range map[string]string{"HTTP://h/": "http", "x": noScheme, "": noScheme, ":a": noScheme, "a b:c": noScheme, "1a:": noScheme, "a+1:b": "a+1",
		strings.Repeat("a", 100) + ":": strings.Repeat("a", maxScheme)} {
		if got := schemeOf(nil, []byte(in)); string(got) != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}
