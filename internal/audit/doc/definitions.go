package doc

import (
	"bytes"
	"strings"

	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/lazy"
)

// LabelsOf returns the labels of definitions that were matched.
func LabelsOf(definitions [][][]byte) map[string]bool {
	labels := map[string]bool{}
	for _, m := range definitions {
		labels[LabelKey(string(m[1]))] = true
	}
	return labels
}

// LabelKey returns the form of a label in which labels are compared.
func LabelKey(label string) string { return tree.Fold(strings.Join(strings.Fields(label), " ")) }

// templateLabel matches a definition whose label a template makes.
var templateLabel = lazy.New(`(?m)^ {0,3}\[[^\]\n]*(?:\{\{|\{%)[^\n]*\]:`)

// MakesDefinitions reports whether a template in d makes definitions.
func (d *Document) MakesDefinitions() bool {
	if d.Layout.Generated == nil {
		return false
	}
	return d.hasMadeLabels.Get(func() (has bool) {
		text := d.Source()
		if bytes.Contains(text, []byte("{{")) || bytes.Contains(text, []byte("{%")) {
			for line := range bytes.Lines(text) {
				has = has || bytes.Contains(line, []byte("]:")) && templateLabel.Match(line)
			}
		}
		return has
	})
}

// definitionByTemplate matches a definition with a template in its destination. With spaces in it, Markdown
// sees no definition there; the program that fills the template in does.
var definitionByTemplate = lazy.New(`(?m)^ {0,3}\[([^\]\n]+)\]:[ \t]*\S*?(?:\{\{|\{%)`)

// DefinesByTemplate reports whether the destination of a definition of label in d has a template.
func (d *Document) DefinesByTemplate(label []byte) bool {
	filled := d.filled.Get(func() map[string]bool {
		text := d.Source()
		if !bytes.Contains(text, []byte("]:")) || !bytes.Contains(text, []byte("{{")) && !bytes.Contains(text, []byte("{%")) {
			return nil
		}
		return LabelsOf(definitionByTemplate.FindAllSubmatch(text, -1))
	})
	return filled[LabelKey(string(label))]
}

// IsByBot reports whether an offset is in the list that the bot of all-contributors writes, between its comments.
func (d *Document) IsByBot(offset int) bool {
	at := d.byBot.Get(func() [2]int {
		text := d.Source()
		return [2]int{bytes.Index(text, []byte("ALL-CONTRIBUTORS-LIST:START")), bytes.LastIndex(text, []byte("ALL-CONTRIBUTORS-LIST:END"))}
	})
	return at[0] >= 0 && at[0] < offset && offset < at[1]
}
