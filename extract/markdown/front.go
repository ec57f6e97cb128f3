package markdown

import (
	"bytes"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// frontMatter adds the URLs of the metadata at the start of src, in YAML between lines of "---" or in TOML
// between lines of "+++". It returns where the Markdown begins, after a byte order mark if there is one. A
// URL is a value, or an element of one, that begins with a scheme and "//" and contains no white space.
func (s *Scanner) frontMatter() int {
	src := bytes.TrimPrefix(s.src, []byte("\xef\xbb\xbf"))
	bom := len(s.src) - len(src)
	if !bytes.HasPrefix(src, []byte("---")) && !bytes.HasPrefix(src, []byte("+++")) {
		return s.meta(bom)
	}
	mark := src[:3]
	at := ascii.NextLine(src, 0)
	if len(bytes.TrimRight(src[3:at], " \t\r\n")) > 0 {
		return bom
	}
	for from := at; at < len(src); {
		end := ascii.NextLine(src, at)
		line := bytes.TrimRight(src[at:end], " \t\r\n")
		if bytes.Equal(line, mark) || mark[0] == '-' && string(line) == "..." {
			s.values(bom+from, bom+at)
			if s.Dialect.Navigation {
				s.navigation(bom+from, bom+at)
			}
			return bom + end
		}
		at = end
	}
	return bom
}

// values adds the values in src[at:end] that are URLs.
func (s *Scanner) values(at, end int) {
	const delimiters = " \t\r\n\"'`,[]{}<>"
	for at < end {
		i := bytes.Index(s.src[at:end], []byte("://"))
		if i < 0 {
			return
		}
		colon := at + i
		from := colon
		for from > at && ascii.IsScheme(s.src[from-1]) {
			from--
		}
		to := colon + len("://")
		for to < end && bytes.IndexByte([]byte(delimiters), s.src[to]) < 0 {
			to++
		}
		// The rest of the line, except a comment, belongs to the same value.
		before := bytes.TrimRight(s.src[bytes.LastIndexByte(s.src[:from], '\n')+1:from], " \t")
		after := bytes.TrimLeft(s.src[to:max(to, min(end, ascii.NextLine(s.src, to)))], " \t\r\n")
		begins := len(before) == 0 || bytes.IndexByte([]byte("\"':=-,[{(>|"), before[len(before)-1]) >= 0
		ends := len(after) == 0 || bytes.IndexByte([]byte("\"'#,]})"), after[0]) >= 0
		if from < colon && to > colon+len("://") && begins && ends {
			s.add(scan.Item{Kind: scan.Metadata, How: scan.Bare, In: "front matter", Labels: scan.FrontMatter, Span: scan.Span{Start: from, End: to}, Value: s.src[from:to]})
		}
		at = to
	}
}

// imports adds the sources of MDX imports and exports: the string at the end of a line that
// begins with one of these words.
func (s *Scanner) imports(at int) {
	var fences codeFences
	end := 0
	for ; at < len(s.src); at = end {
		end = ascii.NextLine(s.src, at)
		line := s.src[at:end]
		if fences.isCode(line) || !bytes.HasPrefix(line, []byte("import ")) && !bytes.HasPrefix(line, []byte("export ")) {
			continue
		}
		line = bytes.TrimRight(line, "; \t\r\n")
		if bytes.IndexByte([]byte("'\""), line[len(line)-1]) < 0 {
			continue
		}
		to := len(line) - 1
		from := bytes.LastIndexByte(line[:to], line[to]) + 1
		before := bytes.TrimRight(line[:max(from-1, 0)], " \t")
		if from > 0 && from < to && (bytes.HasSuffix(before, []byte("from")) || string(before) == "import") {
			s.add(scan.Item{Kind: scan.Embed, How: scan.Bare, In: "import", Labels: scan.Speculative, Span: scan.Span{Start: at + from, End: at + to}, Value: line[from:to]})
		}
	}
}
