package auditcmd

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"maps"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/webpage"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/order"
)

// maxCauses limits the number of causes in the totals.
const maxCauses = 5

// writeTotals writes, for users at a terminal, the number of findings by rule and the most frequent
// causes. It returns how many findings --fix can fix.
func writeTotals(w io.Writer, findings iter.Seq[*audit.Finding]) (certain int) {
	rules, causes := map[string]int{}, map[string]int{}
	for f := range findings {
		rules[string(f.Rule)]++
		if f.Cause != "" {
			causes[fmt.Sprintf("%s: %s", f.Rule, cli.OneLine(f.Cause))]++
		}
		if f.Certain {
			certain++
		}
	}
	maps.DeleteFunc(causes, func(_ string, n int) bool { return n < 2 })
	if len(rules) > 1 {
		fmt.Fprintln(w, "refract: by rule:")
		writeCounts(w, rules, len(rules))
	}
	if len(causes) > 0 {
		fmt.Fprintln(w, "refract: by likely cause:")
		writeCounts(w, causes, maxCauses)
	}
	return certain
}

// writeCounts writes the most largest counts, and how many others there are.
func writeCounts(w io.Writer, counts map[string]int, most int) {
	names := order.Sorted(maps.Keys(counts), func(x, y string) int {
		return cmp.Or(cmp.Compare(counts[y], counts[x]), cmp.Compare(x, y))
	})
	for _, name := range names[:min(most, len(names))] {
		fmt.Fprintf(w, "%7s  %s\n", webpage.Number(counts[name]), name)
	}
	if n := len(names) - most; n > 0 {
		fmt.Fprintf(w, "         and %s\n", cli.Count(n, "other"))
	}
}
