package lead

import (
	"bytes"

	"example.org/refract/internal/audit/doc"
)

// CitesInBrackets reports whether the text of an undefined reference, "[RFC4346][RFC6347]", whose label
// begins at an offset of d, stands alone in brackets elsewhere in d. Then its brackets are those of a
// citation.
func (a *Library) CitesInBrackets(d *doc.Document, label int) bool {
	before, ok := bytes.CutSuffix(d.Source()[:min(label, len(d.Source()))], []byte("]["))
	before = before[max(0, len(before)-maxCitation-1):]
	start := bytes.LastIndexByte(before, '[')
	if !ok || start < 0 {
		return false
	}
	alone := a.alone.Get(d.Path, func(string) map[string]bool { return aloneInBrackets(d.Source()) })
	return alone[doc.LabelKey(string(before[start+1:]))]
}

// maxCitation is the greatest length of a text in brackets that may be a citation, in bytes.
const maxCitation = 60

// aloneInBrackets returns the texts in brackets that stand alone, as doc.LabelKey returns them: neither the
// text nor the label of a link, and without a definition.
func aloneInBrackets(source []byte) map[string]bool {
	texts := map[string]bool{}
	var defined []string
	open := -1
	for i, c := range source {
		switch {
		case c == '\n':
			open = -1
		case c == '[':
			open = i
		case c == ']' && open >= 0:
			text := source[open+1 : i]
			isLabel := open > 0 && source[open-1] == ']'
			next := source[i+1 : min(i+2, len(source))]
			switch {
			case isLabel || len(text) > maxCitation || bytes.ContainsAny(next, "[("):
			case string(next) == ":":
				defined = append(defined, doc.LabelKey(string(text)))
			default:
				texts[doc.LabelKey(string(text))] = true
			}
			open = -1
		}
	}
	for _, text := range defined {
		delete(texts, text)
	}
	return texts
}
