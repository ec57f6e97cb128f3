package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"example.org/refract/base"
	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/extract"
	"example.org/refract/internal/ascii"
	"example.org/refract/resolve"
)

const factIndent = "    "

// appendFacts appends each fact on a line of its own, indented.
func appendFacts(dst []byte, facts []string, visible func([]byte) []byte) []byte {
	for _, fact := range facts {
		dst = append(append(append(dst, factIndent...), visible([]byte(fact))...), '\n')
	}
	return dst
}

// explain returns the facts that decided how ref resolves, beginning with the base if ref uses it.
// The base is a default (section 5.1.4), because there is no document that could set one.
func (r *resolver) explain(uri string, ref []byte) []string {
	facts := r.base.Explain(ref)
	_, res := r.base.Append(nil, ref)
	switch {
	case res.Step == resolve.Absolute, res.SameDocument(), res.Step == resolve.NoBase:
		return facts
	}
	b := base.Base{URI: uri, Layer: base.Default, From: r.cfg.Default.From}
	return append(b.Facts(r.cfg.Rules), facts...)
}

// facts returns why ref has its URL: the base in force, and the steps that decided it.
func (r *renderer) facts(ref *extract.Reference) []string {
	if place, ok := extract.PlaceInPackage(&ref.Base); ok && ref.Inside != nil {
		return []string{
			fmt.Sprintf("base: %q, the place of the file in the package", place),
			fmt.Sprintf("target: %q, in the package", ref.Inside),
		}
	}
	b, text := ref.Base, r.explainable(ref)
	if r.redact && b.Layer != base.None {
		// The prepared base includes the password.
		b, _ = base.Root(r.cfg.Rules, base.Source{}, base.Source{URI: r.printableText(b.URI), From: b.From})
		b.Layer = ref.Base.Layer
	}
	if ref.Meant == "" {
		return b.Explain(text)
	}
	meant := fmt.Sprintf("abbreviated: %q is implied (draft appendix F)", ref.Meant)
	return append([]string{meant}, b.Explain(append([]byte(ref.Meant), text...))...)
}

// explainable returns the part of ref that decides its meaning. Only data URLs are longer than
// that.
func (r *renderer) explainable(ref *extract.Reference) []byte {
	text := r.printable(ref.Ref)
	return text[:min(len(text), maxWritten)]
}

// appendExplained appends where ref is, and either facts or, if there are none, why it has its URL.
func (r *renderer) appendExplained(dst []byte, name string, ref *extract.Reference, facts []string) []byte {
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
		dst = append(dst, factIndent...)
		if r.terminal {
			dst = appendVisible(dst, []byte(fact))
		} else {
			dst = ascii.AppendLine(dst, fact)
		}
		dst = append(dst, '\n')
	}
	return dst
}

type jsonComparison struct {
	Type    string         `json:"type"`
	Ref     string         `json:"ref"`
	Base    string         `json:"base"`
	Results []jsonCompared `json:"results"`
}

type jsonCompared struct {
	Rules []string `json:"rules"`
	jsonResult
	Knobs []string `json:"knobs,omitempty"`
}

// compare prints the result of each rule set for ref, beginning with the rules in force.
func (r *resolver) compare(uri string, ref []byte) {
	outcomes := r.cfg.Rules.Compare(uri, ref)
	ways := func(o *resolve.Outcome) (list []string) {
		for _, way := range o.Knobs {
			list = append(list, strings.Join(way, "+"))
		}
		return list
	}
	if r.asJSON {
		c := jsonComparison{Type: "comparison", Ref: string(ref), Base: uri}
		for _, o := range outcomes {
			c.Results = append(c.Results, jsonCompared{o.Rules, newJSONResult(o.Result, o.URL), ways(o)})
		}
		r.w.Write(jsontext.AppendLine(nil, c))
		return
	}
	if len(outcomes) == 1 {
		fmt.Fprintf(r.w, "%s: all agree on %s\n", r.visible(ref), r.visible(resultWords(outcomes[0].Result, []byte(outcomes[0].URL))))
		return
	}
	fmt.Fprintf(r.w, "%s:\n", r.visible(ref))
	var rows [][2]string
	var widths [2]int
	for _, o := range outcomes {
		row := [2]string{string(r.visible(resultWords(o.Result, []byte(o.URL)))), strings.Join(o.Rules, ", ")}
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
		rows = append(rows, row)
	}
	for i, o := range outcomes {
		line := fmt.Sprintf("%s%-*s  %-*s  %s", factIndent, widths[0], rows[i][0], widths[1], rows[i][1], strings.Join(ways(o), " or "))
		r.w.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// relative prints the shortest reference to url. If the scheme of the base has no relative forms,
// that is a reference without path and authority, or url itself.
func (r *resolver) relative(uri string, url []byte) {
	var ok bool
	r.dst, ok = r.base.AppendRelative(r.dst[:0], url)
	if c := r.cfg.Rules.Parse(r.dst); !c.HasScheme && (c.HasAuthority || c.HasParams || len(c.Path) > 0) &&
		!base.Suitable(string(r.cfg.Rules.Parse([]byte(uri)).Scheme)) {
		r.dst = append(r.dst[:0], url...)
	}
	if !r.asJSON {
		r.w.Write(append(r.visible(r.dst), '\n'))
		return
	}
	ref := slices.Clone(r.dst)
	back, res := r.base.Append(nil, ref)
	o := jsonResolved{Ref: string(ref), Base: uri,
		jsonResult: newJSONResult(res, string(back)), Notes: res.Departures.Names()}
	if ok = ok && bytes.Equal(back, url); !ok {
		o.URL, o.Error = nil, "no reference resolves to it"
	}
	r.w.Write(append(o.append(nil), "}\n"...))
}
