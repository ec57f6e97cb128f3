package robots

import (
	"bytes"
	"iter"
	"path"
	"strings"

	"example.org/refract/delimit"
	"example.org/refract/extract/plain"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// IsText reports whether name, a path or a URL, is that of a robots.txt.
func IsText(name string) bool {
	name, _, _ = strings.Cut(name, "?")
	return path.Base(name) == "robots.txt"
}

// A TextScanner scans a robots.txt.
type TextScanner struct {
	Rules delimit.Rules
	Paths bool // also yield the paths of its rules

	text plain.Scanner
}

// Scan yields the sitemaps that a robots.txt names and, with Paths, the paths of its rules (RFC 9309
// section 2.2.2) as metadata, which crawlers are asked not to visit. Patterns, with "*" or "$", are not
// yielded. In other lines, it finds the URLs of running text.
func (s *TextScanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s.text.Finder.Rules, s.text.Rest = s.Rules, false
		var item scan.Item
		for at := 0; at < len(src); {
			end := at + len(src[at:])
			if i := bytes.IndexAny(src[at:], "\r\n"); i >= 0 {
				end = at + i
			}
			kind, in, value := rule(src[at:end])
			if in != "" && (s.Paths || kind == scan.Link) {
				from := at + bytes.Index(src[at:end], []byte(":")) + 1
				from += bytes.Index(src[from:end], value)
				item = scan.Item{Op: scan.Ref, Kind: kind, How: scan.Field, In: in, Span: scan.Span{Start: from, End: from + len(value)}, Value: value}
				if !yield(&item) {
					return
				}
			} else if s.text.Window(src[:end], at, end, true, yield) < 0 {
				return
			}
			at = end + 1
		}
	}
}

// rule returns the value of a line of a robots.txt, and its place, "" if it is no reference.
func rule(line []byte) (kind scan.Kind, in string, value []byte) {
	line, _, _ = bytes.Cut(line, []byte("#"))
	name, value, ok := bytes.Cut(line, []byte(":"))
	if value = bytes.TrimSpace(value); !ok || len(value) == 0 {
		return 0, "", nil
	}
	name = bytes.TrimSpace(name)
	switch {
	case ascii.EqualFold(name, "sitemap"):
		return scan.Link, "robots.txt/sitemap", value
	case value[0] != '/' || bytes.ContainsAny(value, "*$ \t"):
	case ascii.EqualFold(name, "disallow"):
		return scan.Metadata, "robots.txt/disallow", value
	case ascii.EqualFold(name, "allow"):
		return scan.Metadata, "robots.txt/allow", value
	}
	return 0, "", nil
}
