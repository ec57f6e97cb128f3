package markdown

import (
	"bytes"
	"slices"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// colonFiles lists, for each element of DocFX between colons, the attributes that name files.
var colonFiles = map[string][]string{
	"image": {"source", "lightbox", "link"},
	"code":  {"source"},
}

// colonElements finds the elements of DocFX between colons in src[body:], such as
// :::image source="x.png" alt-text="…":::, and masks those that name files.
func (s *Scanner) colonElements(body int) {
	var fences codeFences
	for at := body; at < len(s.src); {
		end := ascii.NextLine(s.src, at)
		for isCode := fences.isCode(s.src[at:end]); !isCode; {
			i := bytes.Index(s.src[at:end], []byte(":::"))
			if i < 0 {
				break
			}
			at = s.colonElement(at+i, end)
		}
		at = end
	}
}

// colonElement reads the element at src[at:], at most up to end, and returns where it ends.
func (s *Scanner) colonElement(at, end int) int {
	i := at + len(":::")
	name := i
	for i < end && (ascii.IsLetter(s.src[i]) || s.src[i] == '-') {
		i++
	}
	files := colonFiles[string(bytes.ToLower(s.src[name:i]))]
	if files == nil {
		return i
	}
	element := s.src[name:i]
	for i < end {
		key := i
		for i < end && (ascii.IsLetter(s.src[i]) || s.src[i] == '-') {
			i++
		}
		if i+1 < end && i > key && s.src[i] == '=' && s.src[i+1] == '"' {
			n := bytes.IndexByte(s.src[i+2:end], '"')
			if n < 0 {
				break
			}
			if slices.Contains(files, string(bytes.ToLower(s.src[key:i]))) && n > 0 {
				kind := scan.Embed
				if bytes.EqualFold(s.src[key:i], []byte("link")) {
					kind = scan.Link
				}
				value := scan.Span{Start: i + 2, End: i + 2 + n}
				s.add(scan.Item{Kind: kind, How: scan.Directive, In: ":::" + string(element), Span: value, Value: s.src[value.Start:value.End]})
			}
			i += 2 + n + 1
			continue
		}
		if bytes.HasPrefix(s.src[i:end], []byte(":::")) {
			i += len(":::")
			break
		}
		if i == key {
			i++
		}
	}
	i = min(i, end)
	s.maskTemplate(at, at+len(bytes.TrimRight(s.src[at:i], "\r\n")))
	return i
}
