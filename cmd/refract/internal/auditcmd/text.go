package auditcmd

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/cmd/refract/internal/report"
	"example.org/refract/cmd/refract/internal/webpage"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
)

// isFailure reports whether a finding fails the run. Errors do; notes do if the user asked for them, by
// more than an override.
func (o *auditOptions) isFailure(f *audit.Finding) bool {
	isAsked := slices.Contains(o.Only, f.Rule) || f.Rule.IsOnRequest()
	return o.strict || f.Level() == rule.LevelError || isAsked && f.Severity == ""
}

// writeFloods writes the findings as text, and combines those with the same cause.
func (a *auditRun) writeFloods() {
	for flood := range report.Floods(a.all()) {
		text := flood.Text
		if text == "" {
			a.writeText(flood.First, flood.First.Text())
			continue
		}
		if inner, ok := strings.CutSuffix(text, ")"); ok {
			text = inner + "; -v lists them)"
		} else {
			text += " (-v lists them)"
		}
		a.writeText(flood.First, text)
	}
}

// writeText writes a finding, with text as its message.
func (a *auditRun) writeText(f *audit.Finding, text string) {
	a.buf = a.appendText(a.buf[:0], f, text)
	a.w.Write(a.buf)
}

// takeUnchecked writes a reference that is not checked.
func (a *auditRun) takeUnchecked(u *audit.Unchecked) {
	if a.options.repeat.WriteBaseline != "" || a.options.dryRun {
		return
	}
	if a.options.format == "json" {
		a.buf = a.renderer.Unchecked(a.buf[:0], u)
		a.w.Write(a.buf)
		return
	}
	name := cli.OneLine(u.File)
	a.buf = append(a.appendPlace(a.buf[:0], u.File, u.Path, u.Pos), " not checked: "...)
	if u.Ref != nil {
		written, _ := output.ShortData(u.Ref.Raw, u.Ref.URL)
		a.buf = append(cli.AppendVisible(a.buf, written), ": "...)
	}
	a.buf = cli.AppendVisible(a.buf, []byte(u.Why.String()))
	a.buf = append(a.buf, '\n')
	if a.renderer.Explain && u.Ref != nil {
		a.buf = a.renderer.AppendExplained(a.buf, name, u.Ref, u.Facts)
	}
	a.w.Write(a.buf)
}

// writeLearnt writes what the audit inferred about trees whose generator is unknown.
func writeLearnt(w io.Writer, r *audit.Report) {
	for i, l := range r.Learnt {
		var read []string
		for _, root := range l.Roots {
			for _, suffix := range append([]string{""}, l.Suffixes...) {
				read = append(read, cli.OneLine(path.Join(root, "x")+suffix))
			}
		}
		without := ""
		if l.ByName {
			without = ", without (groups), numbers and index names"
		}
		end := ""
		if i == len(r.Learnt)-1 {
			end = ";\n  --root and --suffixes override"
		}
		fmt.Fprintf(w, "refract: \"%s/x\" read as %s%s: %s of %s links agree%s\n",
			cli.OneLine(l.Below), strings.Join(read, ", "), without, webpage.Number(l.Agree), webpage.Number(l.Links), end)
	}
}
