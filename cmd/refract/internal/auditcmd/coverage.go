package auditcmd

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/cmd/refract/internal/webpage"
	"example.org/refract/internal/audit"
)

// coverageOf describes how many references into the tree were judged. It is "" if none leads there.
func coverageOf(r *audit.Report) string {
	all := r.Judged + r.SkippedReferences()
	if all == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s of %s into the tree judged)", webpage.Number(r.Judged), webpage.Number(all))
}

// checkCoverage reports whether fewer references are judged than --min-coverage allows. It says so.
func (a *auditRun) checkCoverage(r *audit.Report) (isTooLow bool) {
	least := a.options.minCoverage
	all := r.Judged + r.SkippedReferences()
	if all == 0 || 100*r.Judged >= least*all {
		return false
	}
	fmt.Fprintf(a.stderr, "refract: %.1f %% of the references into the tree are judged, less than --min-coverage %d\n",
		float64(1000*r.Judged/all)/10, least) // rounded down: 89.99 is not 90
	return true
}

// maxReasons limits the number of reasons in the summary.
const maxReasons = 6

// reasonsOf returns the reasons why references were not judged, the most frequent first.
func reasonsOf(r *audit.Report) []audit.Reason {
	return slices.SortedFunc(maps.Keys(r.Reasons), func(x, y audit.Reason) int {
		return cmp.Or(cmp.Compare(r.Reasons[y], r.Reasons[x]), x.Compare(y))
	})
}

// writeReasons writes why references were not judged.
func writeReasons(w io.Writer, r *audit.Report) {
	reasons := reasonsOf(r)
	if len(reasons) == 0 {
		return
	}
	fmt.Fprintf(w, "refract: not judged (-v lists them):\n")
	others := 0
	for i, why := range reasons {
		if i >= maxReasons && len(reasons) > maxReasons+1 {
			others += r.Reasons[why]
			continue
		}
		fmt.Fprintf(w, "%7d  %s\n", r.Reasons[why], cli.OneLine(why.String()))
	}
	if others > 0 {
		fmt.Fprintf(w, "%7d  for %d other reasons\n", others, len(reasons)-maxReasons)
	}
}

// appendCoverage appends lines of JSON with what was judged in each directory, and why the rest was not.
func appendCoverage(dst []byte, r *audit.Report) []byte {
	for _, c := range r.Coverage {
		dst = append(dst, `{"type":"coverage"`...)
		dst = jsontext.AppendString(jsontext.AppendKey(dst, "directory"), c.Dir)
		dst = fmt.Appendf(dst, `,"judged":%d,"skipped":%d}`+"\n", c.Judged, c.Skipped)
	}
	for _, why := range reasonsOf(r) {
		dst = append(dst, `{"type":"coverage"`...)
		dst = jsontext.AppendString(jsontext.AppendKey(dst, "reason"), why.Name())
		dst = jsontext.AppendString(jsontext.AppendKey(dst, "message"), why.String())
		dst = fmt.Appendf(dst, `,"skipped":%d}`+"\n", r.Reasons[why])
	}
	return dst
}
