package output

import (
	"fmt"

	"example.org/refract/base"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/extract"
	"example.org/refract/internal/ascii"
)

// FactIndent stands before each fact.
const FactIndent = "    "

// AppendFacts appends each fact on a line of its own, indented.
func AppendFacts(dst []byte, facts []string, visible func([]byte) []byte) []byte {
	for _, fact := range facts {
		dst = append(append(append(dst, FactIndent...), visible([]byte(fact))...), '\n')
	}
	return dst
}

// facts returns why ref has its URL: the base in force, and the steps that decided it.
func (r *Renderer) facts(ref *extract.Reference) []string {
	if place, ok := extract.PlaceInPackage(&ref.Base); ok && ref.Inside != nil {
		return []string{
			fmt.Sprintf("base: %q, the place of the file in the package", place),
			fmt.Sprintf("target: %q, in the package", ref.Inside),
		}
	}
	b, text := ref.Base, r.explainable(ref)
	if r.Redact && b.Layer != base.None {
		// The prepared base includes the password.
		b, _ = base.Root(r.Config.Rules, base.Source{}, base.Source{URI: r.printableText(b.URI), From: b.From})
		b.Layer = ref.Base.Layer
	}
	if ref.Meant == "" {
		return b.Explain(text)
	}
	meant := fmt.Sprintf("abbreviated: %q is implied (draft appendix F)", ref.Meant)
	return append([]string{meant}, b.Explain(append([]byte(ref.Meant), text...))...)
}

// AppendExplained appends where ref is, and either facts or, if there are none, why it has its URL.
func (r *Renderer) AppendExplained(dst []byte, name string, ref *extract.Reference, facts []string) []byte {
	in := ""
	if ref.In != "" {
		in = ", in " + ref.In
	}
	place := fmt.Sprintf("found: %q at %s:%d:%d, %s%s", r.explainable(ref), name, ref.Pos.Line, ref.Pos.Column, ref.How, in)
	if facts == nil {
		facts = r.facts(ref)
	}
	for _, fact := range append([]string{place}, facts...) {
		fact = shortText(fact)
		dst = append(dst, FactIndent...)
		if r.Terminal {
			dst = cli.AppendVisible(dst, []byte(fact))
		} else {
			dst = ascii.AppendLine(dst, fact)
		}
		dst = append(dst, '\n')
	}
	return dst
}

// explainable returns the part of ref that decides its meaning. Only data URLs are longer than
// that.
func (r *Renderer) explainable(ref *extract.Reference) []byte {
	text := r.Printable(ref.Ref)
	return text[:min(len(text), maxWritten)]
}
