package auditcmd

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"strings"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/cmd/refract/internal/report"
	"example.org/refract/cmd/refract/internal/webpage"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/order"
)

// plainReach is the share of broken links, in percent, that an audit reports if it says nothing about the rest.
const plainReach = 95

// blindTo describes how many broken links and names an audit would not report. It is "" if these are few.
func blindTo(r *audit.Report) string {
	var what []string
	add := func(name string, blind, all int) {
		if 100*blind > (100-plainReach)*all {
			what = append(what, fmt.Sprintf("%s in %s (%d %%)", name, webpage.Number(blind), 100*blind/all))
		}
	}
	add("links", r.Blind(), r.InternalLinks())
	blind, all := r.BlindNames()
	add("names", blind, all)
	if what == nil {
		return ""
	}
	return "; blind to broken " + strings.Join(what, ", to ")
}

// checkCoverage reports whether fewer broken links would be reported than --min-coverage allows. It says so.
func (a *auditRun) checkCoverage(r *audit.Report) (isTooLow bool) {
	least := a.options.minCoverage
	all := r.InternalLinks()
	found := all - r.Blind()
	if all == 0 || 100*found >= least*all {
		return false
	}
	fmt.Fprintf(a.stderr, "refract: of 100 broken links, %.1f would be reported, less than --min-coverage %d\n",
		float64(1000*found/all)/10, least) // rounded down: 89.99 is not 90
	return true
}

// sortedReasons returns reasons, the most frequent first.
func sortedReasons(counts map[audit.Reason]int) []audit.Reason {
	return order.Sorted(maps.Keys(counts), func(x, y audit.Reason) int {
		return cmp.Or(cmp.Compare(counts[y], counts[x]), x.Compare(y))
	})
}

// A causeCount says how often a cause occurs, and by which reasons, the most frequent first.
type causeCount struct {
	cause   audit.Cause
	n       int
	reasons []audit.Reason
}

// byCause groups reasons by their causes, the most frequent first.
func byCause(counts map[audit.Reason]int) []*causeCount {
	groups := map[audit.Cause]*causeCount{}
	for _, why := range sortedReasons(counts) {
		g := groups[why.Cause()]
		if g == nil {
			g = &causeCount{cause: why.Cause()}
			groups[g.cause] = g
		}
		g.n += counts[why]
		g.reasons = append(g.reasons, why)
	}
	return order.Sorted(maps.Values(groups), func(x, y *causeCount) int { return cmp.Or(cmp.Compare(y.n, x.n), cmp.Compare(x.cause, y.cause)) })
}

// writeReasons writes why broken links and names would not be reported.
func writeReasons(w io.Writer, r *audit.Report) {
	groups := byCause(r.BlindReasons())
	if len(groups) == 0 {
		return
	}
	fmt.Fprintln(w, "refract: not checked, or blind (-v lists the former, --self-test the latter):")
	for _, g := range groups {
		more := ""
		if n := len(g.reasons) - 1; n > 0 {
			more = fmt.Sprintf("; %s", report.CountOf(n, "other reason"))
		}
		fmt.Fprintf(w, "%7s  %s (%s%s)\n", ascii.Number(g.n), g.cause.Phrase(), cli.OneLine(g.reasons[0].String()), more)
	}
}

// appendCoverage appends lines of JSON with the checked links of each directory, how many of these would be
// reported if they were broken, and why the rest would not.
func appendCoverage(dst []byte, r *audit.Report) []byte {
	for _, c := range r.Coverage {
		dst = append(dst, `{"type":"coverage"`...)
		dst = jsontext.AppendString(jsontext.AppendKey(dst, "directory"), c.Dir)
		dst = fmt.Appendf(dst, `,"checked":%d,"skipped":%d,"probes":%d,"found":%d,"blind":%d}`+"\n", c.Checked, c.Skipped, c.Probes, c.Found, c.Blind)
	}
	counts := r.BlindReasons()
	for _, why := range sortedReasons(counts) {
		dst = append(dst, `{"type":"coverage"`...)
		dst = jsontext.AppendString(jsontext.AppendKey(dst, "reason"), why.Cause().String())
		dst = jsontext.AppendString(jsontext.AppendKey(dst, "message"), why.String())
		dst = fmt.Appendf(dst, `,"skipped":%d,"blind":%d}`+"\n", r.Reasons[why], counts[why])
	}
	return dst
}
