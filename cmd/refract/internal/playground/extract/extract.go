// Program extract is the first module of the page in contrib/playground, which runs it in the browser: it
// finds the references in a text or a file. On other systems, it does nothing; its parts can be tested
// there.
package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"example.org/refract/base"
	"example.org/refract/extract"
)

// maxShown limits the references of a file that are shown. All are counted.
const maxShown = 5000

// A found is what the page shows of one file.
type found struct {
	References []reference `json:"references"` // the first maxShown
	Count      int         `json:"count"`      // of all references
	Notes      []string    `json:"notes,omitempty"`
	Error      string      `json:"error,omitempty"` // why the file was not read to its end
}

// A reference is what the page shows of one reference. Texts that are not UTF-8 have replacement characters.
type reference struct {
	Place  string `json:"place,omitempty"` // the member of an archive, the part of a message, or both
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"` // in bytes, from 1; 0 is unknown
	Offset int64  `json:"offset"`           // in bytes
	Length int    `json:"length"`           // in bytes
	Page   int    `json:"page,omitempty"`   // of a PDF
	Kind   string `json:"kind"`
	In     string `json:"in,omitempty"`
	Raw    string `json:"raw"`
	Base   string `json:"base,omitempty"`
	Layer  string `json:"layer,omitempty"` // of the base: RFC 3986 section 5.1
	URL    string `json:"url,omitempty"`
	Error  string `json:"error,omitempty"` // why there is no URL
}

// find returns the references in a file as JSON: see found. retrieved is the URL of the file, or "".
func find(name, retrieved string, text []byte) []byte {
	c := extract.Config{Lines: true, SkipBinary: true}
	if retrieved != "" {
		c.Retrieved = base.Source{URI: retrieved, From: "the page"}
	}
	f := found{References: []reference{}}
	c.Note = func(n *extract.Note) {
		if len(f.Notes) < 20 {
			f.Notes = append(f.Notes, n.Text)
		}
	}
	for r, err := range c.Walk(name, bytes.NewReader(text)) {
		if err != nil {
			f.Error = err.Error()
			break
		}
		if f.Count++; f.Count > maxShown {
			continue
		}
		f.References = append(f.References, shown(r))
	}
	out, err := json.Marshal(f)
	if err != nil {
		panic(err) // no field can fail
	}
	return out
}

// shown returns what the page shows of r, which is borrowed.
func shown(r *extract.Reference) reference {
	s := reference{
		Place: strings.TrimSpace(r.Entity.MemberPath() + " " + r.Entity.Path()), Line: r.Pos.Line, Column: r.Pos.Column, Offset: r.Pos.Offset, Length: r.Pos.Length, Page: r.Page,
		Kind: r.Kind.String(), In: r.In, Raw: valid(r.Raw), Base: r.Base.URI, Layer: r.Base.Layer.String(), URL: valid(r.URL),
	}
	if len(r.URL) == 0 && len(r.Inside) > 0 {
		s.URL = valid(r.Inside)
	}
	if r.Err != nil {
		s.Error = r.Err.Error()
	}
	return s
}

func valid(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return string(bytes.ToValidUTF8(b, []byte("\ufffd")))
}
