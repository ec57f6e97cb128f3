// A scanner of one's own, for lines such as "=> gemini://h/x text" of gemtext.
package main

import (
	"bytes"
	"fmt"
	"iter"
	"log"
	"os"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
)

var gemtext = extract.Format{
	Types:    []string{"text/gemini"},
	Suffixes: []string{".gmi"},
	Alias:    "gemtext",
	Scan:     links,
}

// links yields the destination of each line that begins with "=>".
func links(src []byte, _ *extract.Config, _ extract.Context) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		for at := 0; at < len(src); {
			line := src[at:]
			if i := bytes.IndexByte(line, '\n'); i >= 0 {
				line = line[:i+1]
			}
			if rest, ok := bytes.CutPrefix(line, []byte("=>")); ok {
				value := bytes.TrimLeft(rest, " \t")
				start := at + len(line) - len(value)
				if i := bytes.IndexAny(value, " \t\r\n"); i >= 0 {
					value = value[:i]
				}
				item := scan.Item{
					Kind: scan.Link, How: scan.Inline, In: "link", Value: value,
					Span: scan.Span{Start: start, End: start + len(value)},
				}
				if len(value) > 0 && !yield(&item) {
					return
				}
			}
			at += len(line)
		}
	}
}

func main() {
	cfg := extract.Config{
		Formats: []extract.Format{gemtext}, Lines: true,
		Retrieved: base.Source{URI: "gemini://h/d/"},
	}
	for ref, err := range cfg.Walk("index.gmi", os.Stdin) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d:%d %s %s\n", ref.Pos.Line, ref.Pos.Column, ref.Raw, ref.URL)
	}
}
