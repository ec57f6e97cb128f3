package move

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.org/refract/cmd/refract/internal/fix"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/order"
)

// apply writes edits into the texts of their documents. It returns the references that cannot be
// edited exactly.
func (p *planner) apply(after *graph, edits []edit) (problems []Problem) {
	byDocument := map[string][]edit{}
	var order []string
	for _, e := range edits {
		if byDocument[e.is.Path] == nil {
			order = append(order, e.is.Path)
		}
		byDocument[e.is.Path] = append(byDocument[e.is.Path], e)
	}
	for _, name := range order {
		text, err := p.text(name)
		if err != nil {
			problems = append(problems, Problem{Path: p.origin(name), Why: err.Error()})
			continue
		}
		var made []byte
		var failed []Problem
		list := byDocument[name]
		if slices.ContainsFunc(list, func(e edit) bool { return e.is.IsNavigation }) {
			list = slices.DeleteFunc(list, func(e edit) bool { return !e.is.IsNavigation }) // the others in the next round
			made, failed = p.applyNavigation(text, list)
		} else {
			made, failed = p.applyTo(after.report, name, text, list)
		}
		problems = append(problems, failed...)
		if made != nil && len(failed) == 0 {
			p.texts[name] = made
		}
	}
	return problems
}

// foreseen returns the edits of the navigation that follow from the names of what moves, by document. An
// audit has to follow them.
func (p *planner) foreseen() map[string][]edit {
	r := p.request
	if p.isRecalled || r.Heading != nil || r.Label != nil || len(r.Renames) == 0 {
		return nil
	}
	edits := map[string][]edit{}
	for _, name := range p.before.order {
		if p.target(name) != name {
			continue
		}
		for _, f := range p.before.refs[name] {
			if to := p.target(f.Target); f.IsNavigation && to != f.Target {
				ref, ok := f.Foreseen(to)
				if ok {
					edits[name] = append(edits[name], edit{f, f, ref})
				}
			}
		}
	}
	return edits
}

// againForeseen examines the tree with the foreseen edits of the navigation, which saves an audit. If one
// of them is wrong, it examines the tree without them.
func (p *planner) againForeseen() (err error) {
	fresh := maps.Clone(p.texts)
	edits := p.foreseen()
	for name, list := range edits {
		text, err := p.text(name)
		if err != nil {
			return err
		}
		made, problems := p.applyNavigation(text, slices.Clone(list))
		if len(problems) > 0 {
			delete(edits, name)
			continue
		}
		p.texts[name] = made
	}
	p.after, err = p.again()
	if err != nil || p.areRight(edits) {
		return err
	}
	p.texts, p.after = fresh, nil
	p.after, err = p.again()
	return err
}

// areRight reports whether edits by document have made of each reference what leads where it led.
func (p *planner) areRight(edits map[string][]edit) bool {
	for name, list := range edits {
		olds, news := p.before.refs[name], p.after.refs[name]
		if len(olds) != len(news) {
			return false
		}
		for _, e := range list {
			is := news[slices.Index(olds, e.was)]
			if !is.Reaches(p.goal(e.was, name)) || is.IsMisspelled || string(is.Ref.Ref) != e.ref {
				return false
			}
		}
	}
	return true
}

// applyTo writes edits into a document.
func (p *planner) applyTo(report *audit.Report, name string, text []byte, edits []edit) (made []byte, problems []Problem) {
	o := fix.Options{Config: report.Config}
	f := &fix.File{Path: name, Old: text}
	var findings []*audit.Finding
	of := map[*audit.Finding]*audit.Followed{}
	for _, e := range edits {
		finding := &audit.Finding{File: name, Path: name, Pos: e.is.Pos, Ref: e.is.Ref, Suggestion: e.ref, Certain: true}
		findings = append(findings, finding)
		of[finding] = e.was
	}
	o.Apply(f, findings)
	for _, s := range f.Skipped {
		problems = append(problems, p.problem(of[s.Finding], fmt.Sprintf("%q cannot be written there: %s", s.Finding.Suggestion, s.Why)))
	}
	return f.New, problems
}

// applyNavigation writes edits into a configuration file, or into the front matter of a document.
// The new value must need no quoting in any language of configurations.
func (p *planner) applyNavigation(text []byte, edits []edit) (made []byte, problems []Problem) {
	order.Sort(edits, func(x, y edit) int { return int(x.is.Pos.Offset - y.is.Pos.Offset) })
	at := 0
	for _, e := range edits {
		start := int(e.is.Pos.Offset)
		end := start + e.is.Pos.Length
		if !e.is.Pos.Exact || start < at || end > len(text) || !bytes.Equal(text[start:end], e.is.Ref.Raw) || !isPlain(e.ref) {
			problems = append(problems, p.problem(e.was, fmt.Sprintf("%q cannot be written there without quoting", e.ref)))
			continue
		}
		made = append(append(made, text[at:start]...), e.ref...)
		at = end
	}
	return append(made, text[at:]...), problems
}

// isPlain reports whether a value needs no quoting in YAML, TOML, JSON and JavaScript, provided that
// the value that it replaces needed none.
func isPlain(value string) bool {
	if value == "" || strings.IndexByte("-?@ ", value[0]) >= 0 && !strings.HasPrefix(value, "@site/") || strings.HasSuffix(value, " ") {
		return false
	}
	return !strings.ContainsFunc(value, func(r rune) bool {
		return r < ' ' || r == 0x7f || strings.ContainsRune("\"'`\\{}[]<>&*!|:,$", r)
	}) && !strings.Contains(value, " #")
}
