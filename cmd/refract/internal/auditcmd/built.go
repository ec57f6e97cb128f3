package auditcmd

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"strconv"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/order"
)

// writeBuild writes what a build had to say.
func writeBuild(w io.Writer, b *audit.BuildReport) {
	if b == nil {
		return
	}
	fmt.Fprintf(w, "refract: build: %s, %s with a page, %s without a source; it decides on %s\n",
		cli.Count(b.Pages, "page"), cli.Count(b.Documents, "document"), cli.Count(b.Sourceless, "page"), cli.Count(b.Decided, "reference"))
	if b.Copied > 0 {
		fmt.Fprintf(w, "refract: build: broken references of documents are also in %s on other pages\n", cli.Count(b.Copied, "link"))
	}
	if b.Templates > 0 {
		fmt.Fprintf(w, "refract: build: links of %s that are templates are not checked\n", cli.Count(b.Templates, "page"))
	}
	if b.Dropped > 0 {
		fmt.Fprintf(w, "refract: build: %s without a source are left out: there are too many\n", cli.Count(b.Dropped, "broken link"))
	}
	if len(b.Open) > 0 {
		fmt.Fprintf(w, "refract: the build does not decide on:\n")
		reasons := order.Sorted(maps.Keys(b.Open), func(x, y audit.Reason) int {
			return cmp.Or(cmp.Compare(b.Open[y], b.Open[x]), x.Compare(y))
		})
		for _, why := range reasons {
			fmt.Fprintf(w, "%7s  %s\n", ascii.Number(b.Open[why]), cli.OneLine(why.String()))
		}
	}
}

// takeDifference writes a reference of which the build says something else than the model.
func (a *auditRun) takeDifference(d *audit.Difference) {
	if a.options.repeat.WriteBaseline != "" || a.options.dryRun {
		return
	}
	a.buf = append(a.appendPlace(a.buf[:0], d.File, d.Path, d.Pos), " differs: "...)
	written, _ := output.ShortData(d.Ref.Raw, d.Ref.URL)
	a.buf = append(cli.AppendVisible(a.buf, written), ": "...)
	a.buf = fmt.Appendf(a.buf, "expected %s, the build %s", modelText(d.Model), buildText(d.Build))
	if d.URL != "" {
		a.buf = cli.AppendVisible(a.buf, []byte(": "+strconv.Quote(d.URL)))
	}
	if d.Page != "" {
		a.buf = cli.AppendVisible(a.buf, []byte(", in "+strconv.Quote(d.Page)))
	}
	a.buf = append(a.buf, '\n')
	a.w.Write(a.buf)
}

func modelText(s string) string {
	if s == "found" {
		return "nothing is wrong"
	}
	return s
}

func buildText(s string) string {
	switch s {
	case "no-page":
		return "has no such page"
	case "no-id":
		return "has no such id"
	}
	return "has it"
}

// writeModels writes how often the build and the models differ, by generator and rule.
func writeModels(w io.Writer, b *audit.BuildReport) {
	kinds := order.Sorted(maps.Keys(b.Differences), func(x, y audit.DifferenceKind) int {
		return cmp.Or(cmp.Compare(b.Differences[y], b.Differences[x]), cmp.Compare(x.Generator, y.Generator), cmp.Compare(x.Model, y.Model), cmp.Compare(x.Build, y.Build))
	})
	for _, k := range kinds {
		fmt.Fprintf(w, "%7s  %s: expected %s, the build %s\n", ascii.Number(b.Differences[k]), cmp.Or(k.Generator, "no generator"), modelText(k.Model), buildText(k.Build))
	}
	if len(kinds) == 0 {
		fmt.Fprintln(w, "the build has what is expected")
	}
}
