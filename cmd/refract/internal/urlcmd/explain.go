package urlcmd

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"example.org/refract/base"
	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/resolve"
)

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

type jsonComparison struct {
	Type    string         `json:"type"`
	Ref     string         `json:"ref"`
	Base    string         `json:"base"`
	Results []jsonCompared `json:"results"`
}

type jsonCompared struct {
	Rules []string `json:"rules"`
	jsonResult
	Options []string `json:"options,omitempty"`
}

// compare prints the result of each rule set for ref, beginning with the rules in force.
func (r *resolver) compare(uri string, ref []byte) {
	outcomes := r.cfg.Rules.Compare(uri, ref)
	ways := func(o *resolve.Outcome) (list []string) {
		for _, way := range o.Options {
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
		line := fmt.Sprintf("%s%-*s  %-*s  %s", output.FactIndent, widths[0], rows[i][0], widths[1], rows[i][1], strings.Join(ways(o), " or "))
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
