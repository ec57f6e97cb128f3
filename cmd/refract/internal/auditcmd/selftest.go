package auditcmd

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/cmd/refract/internal/webpage"
	"example.org/refract/internal/audit"
)

// probeCount is how many probes there are, and how many would be reported.
type probeCount struct{ probes, found int }

func (c *probeCount) add(s *audit.Reach) probeCount {
	return probeCount{c.probes + s.Probes, c.found + s.Found}
}

// setProbes says which links are probed, and that rules are doubted.
func (a *auditRun) setProbes() {
	o := a.options
	o.Probes, o.Doubts = audit.SomeProbes, true
	if !o.selfTest {
		return
	}
	o.Probes, o.Unchecked = audit.AllProbes, nil
	if o.verbose || o.format == "json" {
		o.Probed = a.takeProbe
	}
}

// takeProbe writes a probe that would not be reported, or any in verbose JSON.
func (a *auditRun) takeProbe(p *audit.Probe) {
	isJSON := a.options.format == "json"
	if p.Why.IsZero() && !(isJSON && a.options.verbose) {
		return
	}
	if isJSON {
		a.buf = appendProbe(a.buf[:0], p)
	} else {
		a.buf = a.appendPlace(a.buf[:0], p.File, p.Path, p.Pos)
		a.buf = cli.AppendVisible(append(a.buf, ' '), []byte(cli.OneLine(p.Raw)))
		a.buf = cli.AppendVisible(append(a.buf, ": "...), []byte(p.Why.String()))
		a.buf = append(a.buf, '\n')
	}
	a.w.Write(a.buf)
}

func appendProbe(dst []byte, p *audit.Probe) []byte {
	dst = append(dst, `{"type":"probe"`...)
	dst = jsontext.AppendString(jsontext.AppendKey(dst, "input"), p.File)
	dst = fmt.Appendf(dst, `,"line":%d,"column":%d,"offset":%d,"length":%d`, p.Pos.Line, p.Pos.Column, p.Pos.Offset, p.Pos.Length)
	dst = jsontext.AppendString(jsontext.AppendKey(dst, "raw"), p.Raw)
	dst = jsontext.AppendString(jsontext.AppendKey(dst, "changed"), p.Changed)
	dst = jsontext.AppendString(jsontext.AppendKey(dst, "kind"), string(p.Kind))
	if !p.Why.IsZero() {
		dst = jsontext.AppendString(jsontext.AppendKey(dst, "reason"), p.Why.Cause().String())
		dst = jsontext.AppendString(jsontext.AppendKey(dst, "message"), p.Why.String())
	}
	return append(dst, "}\n"...)
}

// writeSelfTest writes how many probes of each kind of target would be reported, in which directories
// others would not, and why.
func (a *auditRun) writeSelfTest(w io.Writer, r *audit.Report) {
	kinds, dirs, hidden := map[audit.TargetKind]probeCount{}, map[string]probeCount{}, map[audit.Reason]int{}
	var all probeCount
	for i := range r.Reach {
		s := &r.Reach[i]
		k, d := kinds[s.Kind], dirs[s.Dir]
		kinds[s.Kind], dirs[s.Dir], all = k.add(s), d.add(s), all.add(s)
		for why, n := range s.Blind {
			hidden[why] += n
		}
	}
	fmt.Fprintln(w, "  broken  reported")
	line := func(name string, c probeCount) {
		if c.probes > 0 {
			fmt.Fprintf(w, "%8s  %8s  %3d %%  %s\n", webpage.Number(c.probes), webpage.Number(c.found), 100*c.found/c.probes, cli.OneLine(name))
		}
	}
	for _, kind := range audit.TargetKinds() {
		line(string(kind)+"s", kinds[kind])
	}
	line("all", all)
	if len(hidden) == 0 {
		return
	}
	fmt.Fprintln(w, "\nby directory:")
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		if c := dirs[dir]; c.found < c.probes {
			line(dir, c)
		}
	}
	fmt.Fprintln(w, "\nnot reported, because:")
	for _, g := range byCause(hidden) {
		fmt.Fprintf(w, "%8s  %s\n", webpage.Number(g.n), g.cause.Phrase())
		for _, why := range g.reasons {
			fmt.Fprintf(w, "%12s  %s\n", webpage.Number(hidden[why]), cli.OneLine(why.String()))
		}
		if remedy := g.cause.Remedy(len(a.options.Built) > 0); remedy != "" {
			fmt.Fprintf(w, "%10s%s\n", "", remedy)
		}
	}
	if a.options.verbose {
		writePrices(w, r.Reasons, hidden)
	}
}

// writePrices writes, for each reason, how many references it decides and how many broken links it hides.
func writePrices(w io.Writer, decided, hidden map[audit.Reason]int) {
	all := maps.Clone(hidden)
	for why, n := range decided {
		all[why] += n
	}
	fmt.Fprintln(w, "\n decides     hides")
	for _, why := range sortedReasons(all) {
		fmt.Fprintf(w, "%8s  %8s  %s\n", webpage.Number(decided[why]), webpage.Number(hidden[why]), cli.OneLine(why.String()))
	}
}
