package extract_test

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"log"
	"os"
	"strings"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/resolve"
)

func ExampleConfig_Walk() {
	cfg := extract.Config{
		Lines:     true,
		Retrieved: base.Source{URI: "http://www.example.org/notes/today", From: "the archive"},
	}
	text := "See www.w3.org/Addressing/, or\n<URL:../drafts/> if that is gone."
	for ref, err := range cfg.Walk("today", strings.NewReader(text)) {
		if err != nil {
			log.Fatal(err) // the input is unreadable; nothing follows
		}
		fmt.Printf("%d:%d %s -> %s", ref.Pos.Line, ref.Pos.Column, ref.Ref, ref.URL)
		if ref.Meant == "" {
			fmt.Printf(" by the %s base from %s", ref.Base.Layer, ref.Base.From)
		}
		fmt.Println()
	}
	// Output:
	// 1:5 www.w3.org/Addressing/ -> http://www.w3.org/Addressing/
	// 2:6 ../drafts/ -> http://www.example.org/drafts/ by the retrieval base from the archive
}

// The links of a page, without images, scripts and forms.
func ExampleConfig_Walk_page() {
	page := `<base href="/docs/"><a href="intro.html">Intro</a> <img src="logo.png"> <a href="#top">Top</a>`
	cfg := extract.Config{Retrieved: base.Source{URI: "https://www.example.org/index.html"}}
	for ref, err := range cfg.Walk("index.html", strings.NewReader(page)) {
		if err != nil {
			log.Fatal(err)
		}
		if ref.Kind == scan.Link {
			fmt.Printf("%s\n", ref.URL)
		}
	}
	// Output:
	// https://www.example.org/docs/intro.html
	// https://www.example.org/docs/#top
}

// The links of a mailbox, each with the Message-ID and subject of its message.
func ExampleReference_Message() {
	mailbox := "From ann@example.org Tue Apr  1 09:28:56 1997\n" +
		"Message-ID: <1@example.org>\nSubject: Drafts\n\nSee http://www.example.org/drafts\n\n" +
		"From bob@example.org Wed Apr  2 10:00:00 1997\n" +
		"Message-ID: <2@example.org>\nSubject: Re: Drafts\n\n> See http://www.example.org/drafts\nGone.\n"
	cfg := extract.Config{Cite: true}
	for ref, err := range cfg.Walk("list.mbox", strings.NewReader(mailbox)) {
		if err != nil {
			log.Fatal(err)
		}
		m := ref.Message()
		fmt.Printf("<%s> %s: %s\n", m.ID, m.Subject, ref.URL)
	}
	// Output:
	// <1@example.org> Drafts: http://www.example.org/drafts
	// <2@example.org> Re: Drafts: http://www.example.org/drafts
}

// A format of one's own: lines of Gemini's text that begin with "=>" are links.
func ExampleFormat() {
	scanLines := func(src []byte, yield func(*scan.Item) bool) {
		var item scan.Item
		at := 0
		for line := range bytes.Lines(src) {
			fields := bytes.Fields(line)
			if len(fields) > 1 && string(fields[0]) == "=>" {
				start := at + bytes.Index(line, fields[1])
				item = scan.Item{
					Op: scan.Ref, Kind: scan.Link, How: scan.Inline, In: "=>",
					Span: scan.Span{Start: start, End: start + len(fields[1])}, Value: fields[1],
				}
				if !yield(&item) {
					return
				}
			}
			at += len(line)
		}
	}
	gemtext := extract.Format{
		Types: []string{"text/gemini"}, Suffixes: []string{".gmi"},
		Scan: func(src []byte, _ *extract.Config, _ extract.Context) iter.Seq[*scan.Item] {
			return func(yield func(*scan.Item) bool) { scanLines(src, yield) }
		},
	}
	cfg := extract.Config{Formats: []extract.Format{gemtext}, Lines: true, Default: base.Source{URI: "gemini://example.org/"}}
	for ref, err := range cfg.Walk("index.gmi", strings.NewReader("# Hello\n=> /notes Notes\n")) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d:%d %s\n", ref.Pos.Line, ref.Pos.Column, ref.URL)
	}
	// Output:
	// 2:4 gemini://example.org/notes
}

// A container of one's own: documents separated by lines of "---".
func ExampleContainer() {
	bundle := extract.Container{
		Types: []string{"application/x-bundle"}, Suffixes: []string{".bundle"},
		Members: func(r io.ReaderAt, size int64, _ extract.Limits) iter.Seq2[extract.Member, error] {
			return func(yield func(extract.Member, error) bool) {
				src, err := io.ReadAll(io.NewSectionReader(r, 0, size))
				if err != nil {
					yield(extract.Member{}, err)
					return
				}
				for i, text := range bytes.Split(src, []byte("---\n")) {
					open := func() (io.Reader, error) { return bytes.NewReader(text), nil }
					if !yield(extract.Member{Name: fmt.Sprintf("%d.md", i+1), Open: open}, nil) {
						return
					}
				}
			}
		},
	}
	cfg := extract.Config{Containers: []extract.Container{bundle}, Lines: true}
	for ref, err := range cfg.Walk("x.bundle", strings.NewReader("[a](http://a.example/)\n---\n\n[b](http://b.example/)\n")) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s:%d: %s\n", ref.Member(), ref.Pos.Line, ref.URL)
	}
	// Output:
	// 1.md:1: http://a.example/
	// 2.md:2: http://b.example/
}

// Walking one large input on several processors. The output is in the order of the input.
func ExampleConfig_WalkParallel() {
	text := strings.Repeat("See http://www.example.org/ for more.\n", 3)
	cfg := extract.Config{Lines: true}
	err := cfg.WalkParallel(os.Stdout, "notes.txt", strings.NewReader(text), 4, func(out io.Writer, b *extract.Batch) error {
		for ref := range b.References() {
			if _, err := fmt.Fprintf(out, "%d: %s\n", ref.Pos.Line, ref.URL); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1: http://www.example.org/
	// 2: http://www.example.org/
	// 3: http://www.example.org/
}

// URLs that were made unclickable, or escaped as in JSON, are found after decoding.
func ExampleUndo() {
	cfg := extract.Config{Undo: extract.UndoJSON | extract.UndoDefang}
	for ref, err := range cfg.Walk("log", strings.NewReader(`{"url": "hxxps:\/\/www[.]example.org\/x"}`)) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\n", ref.URL)
	}
	// Output:
	// https://www.example.org/x
}

// The rules that browsers follow, and the base that applied.
func ExampleConfig_rules() {
	rules, _ := resolve.RulesNamed("whatwg")
	cfg := extract.Config{Rules: rules, Default: base.Source{URI: "http://www.example.org/a/b", From: "the default"}}
	for ref, err := range cfg.Walk("a.html", strings.NewReader(`<base href="c/"><a href="\\host\x">x</a> <a href="d">d</a>`)) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s (%s base from %s)\n", ref.URL, ref.Base.Layer, ref.Base.From)
	}
	// Output:
	// http://host/x (embedded base from base/href)
	// http://www.example.org/a/c/d (embedded base from base/href)
}

// What fragments of a document can point to.
func ExampleAnchor() {
	cfg := extract.Config{Lines: true, Anchor: func(a *extract.Anchor) {
		fmt.Printf("%d: %s %q %s\n", a.Pos.Line, a.In, a.Name, a.Heading.Text)
	}}
	for _, err := range cfg.Walk("a.md", strings.NewReader("# Getting *started*\n\n<b id=\"first\">1.</b>\n")) {
		if err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// 1: heading "" Getting started
	// 3: b/id "first"
}

// Notes say what is malformed or unusual.
func ExampleNote() {
	cfg := extract.Config{Note: func(n *extract.Note) { fmt.Printf("%s: %s\n", n.Code, n.Text) }}
	for _, err := range cfg.Walk("a.eml", strings.NewReader("Content-Type: text/plain; charset=nonsense\n\nhi\n")) {
		if err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// unknown-charset: unknown charset "nonsense"
}

func ExampleAppendEscaped() {
	fmt.Printf("%s\n", extract.AppendEscaped(nil, []byte("http://bücher.example/a b"), false))
	// Output:
	// http://xn--bcher-kva.example/a%20b
}
