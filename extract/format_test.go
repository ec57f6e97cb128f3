package extract

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"strings"
	"testing"

	"example.org/refract/base"
	"example.org/refract/extract/internal/onenote"
	"example.org/refract/extract/internal/pdf"
	"example.org/refract/extract/internal/plist"
	"example.org/refract/extract/internal/rtf"
	"example.org/refract/extract/internal/sqlite"
	"example.org/refract/extract/internal/webjson"
	"example.org/refract/extract/scan"
)

// gemLines is a Format as an importing program brings it: whose lines are references.
var gemLines = Format{
	Types: []string{"text/x-lines"}, Suffixes: []string{".lines"}, Alias: "gemLines", Audit: Always,
	Sniff: func(head []byte) string {
		if bytes.HasPrefix(head, []byte("=> ")) {
			return "text/x-lines"
		}
		return ""
	},
	Scan: func(src []byte, _ *Config, x Context) iter.Seq[*scan.Item] {
		return func(yield func(*scan.Item) bool) {
			at := 0
			for line := range bytes.Lines(src) {
				start := at
				at += len(line)
				var it scan.Item
				switch fields := bytes.Fields(line); {
				case len(fields) > 1 && string(fields[0]) == "=>":
					start += bytes.Index(line, fields[1])
					it = scan.Item{Op: scan.Ref, Kind: scan.Link, How: scan.Inline, In: "=>", Value: fields[1]}
					it.Span = scan.Span{Start: start, End: start + len(fields[1])}
				case len(fields) > 1 && string(fields[0]) == "#" && x.Anchors:
					it = scan.Item{Op: scan.Anchor, In: "heading", Text: string(fields[1]), Span: scan.Span{Start: start, End: at}}
				case len(fields) == 1 && string(fields[0]) == "{html}":
					it = scan.Item{Op: scan.Part, Name: "html", Type: "text/html", Span: scan.Span{Start: start, End: at}, Value: []byte("<a href=y>")}
				default:
					continue
				}
				if !yield(&it) {
					return
				}
			}
		}
	},
}

// A Format of an importing program is used wherever a built-in one is: by name, by type, by
// first bytes, in a message and in a record of a crawler.
func TestOwnFormat(t *testing.T) {
	const text = "=> x  A\n\n\xe9 => y\n=> ../z\r\n{html}\n"
	want := "x,../z,y"
	record := "HTTP/1.1 200 OK\r\nContent-Type: text/x-lines\r\n\r\n" + text
	warc := fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(record), record)
	for _, tt := range []struct{ name, src, mediaType string }{
		{"a.lines", text, ""},
		{"a.LINES", text, ""},
		{"a", text, ""},
		{"a", text, "text/x-lines"},
		{"a.eml", "Content-Type: text/x-lines\n\n" + text, ""},
		{"a.eml", "Content-Type: application/octet-stream; name=b.lines\n\n" + text, ""},
		{"a.warc", warc, ""},
	} {
		c := Config{Formats: []Format{gemLines}, Type: tt.mediaType, Lines: true}
		var got []string
		for r, err := range c.Walk(tt.name, strings.NewReader(tt.src)) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(r.Ref))
		}
		if strings.Join(got, ",") != want {
			t.Errorf("%s: got %q, want %s", tt.name, got, want)
		}
	}
	if got := urls(&Config{}, "a.lines", text); len(got) != 0 {
		t.Errorf("without the Format: %q", got)
	}
}

// Breaking at any reference stops the scanner of a Format.
func TestOwnFormatBreak(t *testing.T) {
	c := Config{Formats: []Format{gemLines}}
	for stop := range 3 {
		n := 0
		for range c.Walk("a.lines", strings.NewReader("=> a\n{html}\n=> b\n")) {
			if n == stop {
				break
			}
			n++
		}
	}
}

// A Config's Format comes before a built-in one with the same type.
func TestFormatReplaces(t *testing.T) {
	own := gemLines
	own.Types, own.Suffixes = []string{"text/html"}, nil
	c := Config{Formats: []Format{own}, Default: base.Source{URI: "http://h/d/", From: "--base"}}
	if got := urls(&c, "a.html", "<a href=x>\n=> z\n"); len(got) != 1 || !strings.Contains(got[0], "http://h/d/z") {
		t.Errorf("got %q", got)
	}
}

func TestFormatLookup(t *testing.T) {
	c := Config{Formats: []Format{gemLines}}
	for _, tt := range []struct{ name, head, mediaType, alias string }{
		{"a.lines", "", "text/x-lines", "gemLines"},
		{"a", "=> x", "text/x-lines", "gemLines"},
		{"a.md", "=> x", markdownType, "markdown"},
		{"a.rss", "", "application/rss+xml", ""},
		{"a", "<rss >", "application/rss+xml", ""},
		{"a.txt", "", textType, "text"},
		{"a.mbox", "", mboxType, "none"},
		{"a", "\x00\x00\x01\x00\x00", binaryType, "none"},
		{"a.MDX", "", markdownType, ""},
	} {
		f, mediaType := c.FormatOf(tt.name, []byte(tt.head))
		alias := "none"
		if f != nil {
			alias = f.Alias
		}
		if mediaType != tt.mediaType || alias != tt.alias {
			t.Errorf("%s: %s, %s, want %s, %s", tt.name, mediaType, alias, tt.mediaType, tt.alias)
		}
	}
	if f := c.FormatOfName("a.mdx"); f == nil || f.Setup == nil {
		t.Error("no options for MDX")
	} else if f.Setup(&c); !c.MDX {
		t.Error("Setup does not set MDX")
	}
	if f := c.FormatOfType("model/x3d+xml"); f == nil || f.Alias != "xml" {
		t.Errorf("+xml: %v", f)
	}
	aliases := c.Aliases()
	for alias, want := range map[string]string{"gemLines": "text/x-lines", "html": "text/html", "mail": "message/rfc822", "warc": "application/warc", "mhtml": "multipart/related", "text": "text/plain"} {
		if aliases[alias] != want {
			t.Errorf("alias %s: %s, want %s", alias, aliases[alias], want)
		}
	}
}

// Each suffix is an alias of its type, in any case, and a suffix of source code says which escapes its strings have.
func TestSuffixAsType(t *testing.T) {
	for _, f := range Formats() {
		for _, s := range f.Suffixes {
			c := Config{Type: strings.TrimPrefix(s, ".")}
			if got, _, err := c.declaredType(); err != nil || got != f.Types[0] && c.Aliases()[c.Type] != got {
				t.Errorf("%s: %s, %v, want %s", s, got, err, f.Types[0])
			}
		}
	}
	for typ, want := range map[string]string{
		"js": "http://h/a", "YML": "http://h/a", "jsonl": "http://h/a", "txt": "", "text": "", "log": "", "md": "", "po": "",
	} {
		c := Config{Type: typ}
		got := ""
		for ref, err := range c.Walk("x", strings.NewReader(`"http:\/\/h\/a"`)) {
			if err != nil {
				t.Fatal(err)
			}
			got += string(ref.URL)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", typ, got, want)
		}
	}
}

// readOnly holds the types of formats in which nothing is ever edited.
var readOnly = map[string]bool{pdf.Type: true, rtf.Type: true, xmpType: true, indexType: true, sqlite.Type: true, plist.Type: true, webjson.HARType: true, onenote.Type: true, onenote.TextType: true}

// The table has one answer for each suffix, alias and type.
func TestTable(t *testing.T) {
	seen := map[string]int{}
	for _, f := range Formats() {
		for _, s := range f.Suffixes {
			seen[s]++
		}
		seen["--type "+f.Alias]++
		if len(f.Types) == 0 || f.Quote == nil && !readOnly[f.Types[0]] {
			t.Errorf("%v: no types, or no Quote", f.Suffixes)
		}
	}
	for _, k := range Containers() {
		for _, s := range k.Suffixes {
			seen[s]++
		}
		seen["--type "+k.Alias]++
	}
	delete(seen, "--type ")
	for what, n := range seen {
		if n != 1 {
			t.Errorf("%d formats have %s", n, what)
		}
	}
	Formats()[0].Types = nil
	if Formats()[0].Types == nil {
		t.Error("the table is not copied")
	}
}

// ownQuoting holds the formats that contain no HTML; TestQuoteBack tests them.
var ownQuoting = map[string]bool{".gmi": true, ".wiki": true, ".typ": true, ".dj": true, ".m3u8": true, ".webmanifest": true, ".texi": true, ".tex": true}

func TestQuote(t *testing.T) {
	for _, tt := range []struct {
		ref, want string
		at        scan.Place
	}{
		{"a(b)|&amp;", `a\(b\)\|&amp;amp;`, scan.Place{How: scan.Inline, Before: '('}},
		{"a(b)", "a(b)", scan.Place{How: scan.Inline, Before: '<'}},
		{`a"b&c`, "a&#34;b&amp;c", scan.Place{How: scan.Attribute, Before: '"'}},
		{`a"b c`, "a&#34;b&#32;c", scan.Place{How: scan.Attribute, Before: '='}},
		{`a'b`, `a\27 b`, scan.Place{How: scan.CSS, Before: '('}},
		{`a&b`, `a\26 b`, scan.Place{How: scan.CSS, In: "a/style", Before: '('}},
		{`a&b`, `a&b`, scan.Place{How: scan.Bare}},
	} {
		for _, f := range Formats() {
			if (f.Fragments >= TitleFragments || f.Alias == "org") && tt.at.How == scan.Inline {
				continue // it has links of its own
			}
			if len(f.Suffixes) > 0 && ownQuoting[f.Suffixes[0]] || f.Types[0] == webjson.Types[webjson.Feed] {
				continue
			}
			if readOnly[f.Types[0]] {
				continue
			}
			if got, ok := f.Quote(nil, tt.ref, tt.at); string(got) != tt.want || !ok {
				t.Errorf("%v: %s: got %s, want %s", f.Suffixes, tt.ref, got, tt.want)
			}
		}
	}
}

// In place of each reference of a document, Quote writes others that are read as they were meant, or says that they cannot be written.
func TestQuoteBack(t *testing.T) {
	refs := []string{"q", "q(r)", "q[r]", `q"r'.x`, `q\r`, "q{r}", "q|r", "q<r>", "q,r", "qé", "q&amp;r", "q$r@s", "q}r", "q%20r?a=b&c_d#e", "q_", "q*r*", "q~r", "q;r", "q`r`", "q''r", "q.", "q)"}
	for _, tt := range []struct {
		name, text string
		refused    string // the refs that cannot be written at some places
	}{
		{"a.gmi", "=> x.gmi label\n=>y.gmi\n=> http://h/x\n", "q[r] q\"r'.x q{r} q|r q<r> q}r"},
		{"a.wiki", "[http://h/a label] and [//h/b x].\n", "q[r] q\"r'.x q{r} q|r q<r> q}r"},
		{"a.typ", "#link(\"x.typ\")[a] #image(\"p.png\") #include \"y.typ\"\n", ""},
		{"a.dj", "[a](x.dj) ![p](p.png)\n\n[b]: y.dj\n\n[b][]\n", "q[r] q\"r'.x q{r} q|r q<r> q}r"},
		{"a.texi", "\\input texinfo\n@uref{http://h/x,text} @url{http://h/y} @image{p} @email{a@@b}\n", ""},
		{"a.tex", "\\documentclass{article}\n\\begin{document}\n\\href{http://h/x}{y} \\url{http://h/z} \\includegraphics{p.png}\n", "q\\r q{r} q}r"},
		{"a.m3u8", "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k.bin\"\nseg.ts\n", "q\"r'.x"},
		{"a.webmanifest", `{"start_url":"x/","icons":[{"src":"p.png"}]}`, ""},
		{"a.jsonfeed", `{"version":"https://jsonfeed.org/version/1.1","home_page_url":"x/"}`, ""},
		{"a.md", "[a](x.md) ![p](<p.png>)\n\n[b]: y.md\n\n[b]\n", ""},
		{"a.org", "[[file:x.org][a]]\n", ""},
		{"a.html", "<a href=x>x</a><a href=\"y\">y</a><style>a{background:url(z)}</style>", ""},
	} {
		c := Config{Type: map[string]string{"a.jsonfeed": "application/feed+json"}[tt.name]}
		f, _ := c.FormatOf(tt.name, []byte(tt.text))
		read := func(text string) (refs []Reference) {
			for r, err := range c.Walk(tt.name, strings.NewReader(text)) {
				if err != nil {
					t.Fatal(err)
				}
				if r.Kind != scan.Text {
					refs = append(refs, *r.Clone())
				}
			}
			return refs
		}
		was := read(tt.text)
		refused := map[string]bool{}
		for i, r := range was {
			start, end := int(r.Pos.Offset), int(r.Pos.Offset)+r.Pos.Length
			for _, ref := range refs {
				if bytes.Contains(r.Ref, []byte("//")) {
					ref = "http://h/" + ref
				}
				written, ok := f.Quote(nil, ref, scan.Place{How: r.How, In: r.In, Before: tt.text[max(0, start-1)]})
				if !ok {
					refused[strings.TrimPrefix(ref, "http://h/")] = true
					continue
				}
				is := read(tt.text[:start] + string(written) + tt.text[end:])
				if len(is) != len(was) || string(is[i].Ref) != ref {
					t.Errorf("%s: %s in place of %s is written as %s", tt.name, ref, r.Ref, written)
				}
			}
		}
		if want := strings.Fields(tt.refused); !maps.Equal(refused, setOf(want)) {
			t.Errorf("%s: %v is refused, want %v", tt.name, refused, want)
		}
		if len(was) == 0 {
			t.Errorf("%s: no references", tt.name)
		}
	}
}

func setOf(all []string) map[string]bool {
	set := map[string]bool{}
	for _, s := range all {
		set[s] = true
	}
	return set
}

// Editors complete what has destinations.
func TestHasUnfinished(t *testing.T) {
	c := new(Config)
	for name, want := range map[string]bool{"a.md": true, "a.mdx": true, "a.svg": true, "a.html": true, "a.css": true, "a.txt": false, "a.rst": false} {
		if got := c.FormatOfName(name).Unfinished != nil; got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
