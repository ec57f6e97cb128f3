package auditcmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"sync"

	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/cmd/refract/internal/auditflags"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/completeness"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/cmd/refract/internal/report"
	"example.org/refract/cmd/refract/internal/resources"
	"example.org/refract/cmd/refract/internal/webpage"
	"example.org/refract/extract"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
)

// An auditRun is one run of "refract audit".
type auditRun struct {
	options        *auditOptions
	args           []string
	stdout, stderr io.Writer
	renderer       output.Renderer // renders references within findings
	links          *hyperlinks     // nil: none

	w        *bufio.Writer    // writes to the output
	page     *atomicfile.File // of --html; nothing is written to it without --html
	buf      []byte
	reports  []reportFile     // of --report
	baseline audit.Baseline   // for --write-baseline
	pending  pendingFindings  // for --fix: written once all are known
	removed  []*audit.Finding // for --fix: about URLs that are gone
	findings []*audit.Finding // for formats that are written once all are known
	log      findingLog       // in place of findings; see isLogged
	failures int              // findings that fail the run
	hasFlags bool             // the command line sets some
	isFirst  bool             // see notice
	isCrawl  bool             // the arguments are archives of crawls
	outputs  []string         // of a first run: where builds usually are

	completeness *completeness.Result // of archives of crawls
	pages        *report.Pages        // of these

	progress *cli.Progress
	source   sourceFile
	fixing   sync.Mutex // held while a document is being written
}

// run audits the arguments and reports what it finds.
func (a *auditRun) run() error {
	o := a.options
	if err := o.validatePlaces(a.args); err != nil {
		return err
	}
	// Open both before the long work, so that a bad output name fails early.
	out, err := atomicfile.Create(o.output, a.stdout, output.Replaceable(o.output))
	if err != nil {
		return err
	}
	out.SetForm(o.log())
	defer out.Discard()
	a.page, err = atomicfile.Create(o.html, io.Discard, output.IsPage)
	if err != nil {
		return err
	}
	defer a.page.Discard()
	defer a.discardReports()
	temps, err := a.createReports()
	if err != nil {
		return err
	}
	temps = append(temps, out.Temp(), a.page.Temp())
	before := "" // directory for large files of --changed-since
	if o.repeat.ChangedSince != "" {
		var remove func()
		before, remove, err = atomicfile.TempDir()
		if err != nil {
			return err
		}
		defer remove()
		temps = append(temps, before)
	}
	defer cli.OnInterrupt(func() {
		a.fixing.Lock() // wait until the current document is written
		for _, temp := range temps {
			if temp != "" {
				os.RemoveAll(temp)
			}
		}
	})()
	o.Graph = o.html != ""
	a.log.hasReferences = o.html != "" || len(o.reports) > 0 || !o.streams()
	a.pending.log.hasReferences, a.pending.isWhole = true, o.explain || o.format == "json"
	o.Outputs = append(o.reportNames(), o.output, o.html, o.repeat.Cache, o.repeat.WriteBaseline)
	if !o.quiet && !a.renderer.Terminal && cli.IsTerminal(a.stderr) {
		a.showProgress()
	}
	a.setProbes()
	garbage := resources.StartCollector()
	defer garbage.Stop()
	if err := o.repeat.Prepare(&o.Options, a.args, before); err != nil {
		return err
	}
	a.w = bufio.NewWriterSize(out, 64<<10)
	o.Paths = a.args
	o.Spell()
	if o.mustKeep != "" {
		o.Keep = keptURLs(o.mustKeep)
	}
	result, err := a.audit()
	a.progress.Finish()
	if err != nil {
		return auditflags.Named(err)
	}
	var fixed fixCounts
	if o.fix {
		fixed, err = a.fixAll(result)
		if err != nil {
			return err
		}
		result.Findings -= fixed.fixed
	}
	a.notice(result)
	result.Release()
	if err := a.writeEnd(result, &fixed); err != nil {
		return err
	}
	if err := errors.Join(out.Commit(), a.page.Commit(), a.commitReports()); err != nil {
		return err
	}
	a.summarize(result, &fixed)
	if err := o.repeat.Save(&o.Options, &a.baseline); err != nil {
		return err
	}
	isTooLow := o.repeat.WriteBaseline == "" && !a.isCrawl && a.checkCoverage(result)
	switch {
	case !a.isCrawl && result.Documents == 0 && (result.Build == nil || result.Build.Pages == 0) && len(result.Errors) == 0 && o.repeat.ChangedSince == "":
		return noDocument(a.args, o.Globs, result)
	case len(result.Errors) > 0, fixed.failed > 0:
		return cli.Status(cli.ExitFailed)
	case o.zero:
	case a.failures > 0 && o.repeat.WriteBaseline == "", isTooLow:
		return cli.Status(cli.ExitFindings)
	}
	return nil
}

// audit audits the tree, or the archives of a crawl.
func (a *auditRun) audit() (*audit.Report, error) {
	if a.isCrawl {
		return a.auditCrawl()
	}
	return audit.Run(context.Background(), a.options.Options, a.take)
}

// take handles a new finding: it writes or keeps it, depending on the flags.
func (a *auditRun) take(f *audit.Finding) {
	if a.options.modelReport || a.options.selfTest {
		return
	}
	if a.options.isFailure(f) {
		a.failures++
	}
	switch {
	case a.options.repeat.WriteBaseline != "":
		auditflags.AddTo(&a.baseline, f)
	case a.options.fix && (f.Rule == rule.RemovedURL || f.Rule == rule.RemovedID):
		a.removed = append(a.removed, f)
	case a.options.fix:
		a.pending.add(f)
	default:
		f.Certain = f.IsProven()
		a.show(f, false)
	}
}

// show writes a finding, if findings are written one by one, and keeps it for output that is
// written at the end. fixed reports whether --fix has applied the suggestion.
func (a *auditRun) show(f *audit.Finding, fixed bool) {
	switch a.options.format {
	case "json":
		a.buf = a.renderer.Finding(a.buf[:0], f, fixed)
		a.w.Write(a.buf)
	case urlsFormat:
		a.writeURL(f)
	case "text":
		if a.options.verbose {
			a.buf = a.appendText(a.buf[:0], f, f.Text())
			a.w.Write(a.buf)
		}
	}
	switch {
	case fixed || a.options.html == "" && len(a.reports) == 0 && (a.options.format == "json" || a.options.format == urlsFormat):
	case a.isLogged():
		a.log.add(f)
	default:
		a.findings = append(a.findings, f)
	}
}

// isLogged reports whether findings that are kept for the end are in a.log, which lacks most of references and facts.
func (a *auditRun) isLogged() bool { return !a.options.explain }

// all yields the findings that were kept.
func (a *auditRun) all() iter.Seq[*audit.Finding] {
	if a.isLogged() {
		return a.log.all()
	}
	return slices.Values(a.findings)
}

// writeEnd writes the output after the findings: notes, errors and the summary. In a format that needs all
// findings at once, it writes these first. It also writes the HTML page.
func (a *auditRun) writeEnd(result *audit.Report, fixed *fixCounts) error {
	if a.options.format == "text" && !a.options.verbose {
		a.writeFloods()
	}
	if a.options.modelReport {
		writeModels(a.w, result.Build)
	}
	if a.options.selfTest && a.options.format == "text" {
		a.writeSelfTest(a.w, result)
	}
	var b output.Block
	for _, n := range result.Notes {
		a.renderer.Note(&b, n.File, &extract.Note{Pos: n.Pos, Text: n.Text}, false)
		if !a.options.quiet {
			fmt.Fprintf(a.stderr, "refract: %s: %s\n", cli.OneLine(n.File), cli.OneLine(n.Text))
		}
	}
	for _, f := range result.Errors {
		a.renderer.Failure(&b, f.File, f.Err, nil)
	}
	a.stderr.Write(b.Messages)
	a.w.Write(b.Out)
	if a.options.format == "json" {
		a.w.Write(appendCoverage(nil, result))
		a.w.Write(auditSummary(result, fixed))
	}
	run := report.Run{Version: cli.Version(), Home: cli.Home(), SourceURL: a.options.source, Args: a.args, All: a.all(), Fails: a.options.isFailure, Pages: a.pages, Report: result}
	if write := output.FormNamed(a.options.format).Report; write != nil {
		if err := write(&run, a.w); err != nil {
			return err
		}
	}
	if err := errors.Join(a.w.Flush(), a.writeReports(&run)); err != nil {
		return err
	}
	if a.options.html == "" {
		return nil
	}
	w := bufio.NewWriterSize(a.page, 64<<10)
	if err := errors.Join(run.HTML(w), w.Flush()); err != nil {
		return fmt.Errorf("--html %q: %w", a.options.html, err)
	}
	return nil
}

// auditSummary returns the last line of the --json output.
func auditSummary(r *audit.Report, fixed *fixCounts) []byte {
	line := output.AppendSummary(nil, output.Total{Name: "documents", N: r.Documents}, output.Total{Name: "references", N: r.References},
		output.Total{Name: "checked", N: r.Checked}, output.Total{Name: "skipped", N: r.Skipped}, output.Total{Name: "skipped_names", N: r.SkippedNames, Optional: true}, output.Total{Name: "blind", N: r.Blind()}, output.Total{Name: "findings", N: r.Findings}, output.Total{Name: "notes", N: r.NoteFindings - fixed.notes, Optional: true},
		output.Total{Name: "fixed", N: fixed.fixed, Optional: true}, output.Total{Name: "known", N: r.Known, Optional: true}, output.Total{Name: "ignored", N: r.Ignored, Optional: true},
		output.Total{Name: "errors", N: len(r.Errors) + fixed.failed})
	return output.NotRead(r.Unread).AppendTo("not_read", line)
}

// noDocument returns the error for arguments without documents. It names what they contain instead.
func noDocument(args, globs []string, r *audit.Report) error {
	in := cli.OneLine(strings.Join(args, ", "))
	if len(globs) > 0 {
		return fmt.Errorf("no document to audit in %s that --glob selects: %s", in, cli.OneLine(strings.Join(globs, ", ")))
	}
	if len(r.Unread) > 0 {
		return fmt.Errorf("no document to audit in %s, only %v", in, output.NotRead(r.Unread))
	}
	return fmt.Errorf("no document to audit in %s: \"refract audit --help\" lists the formats; --hidden and --no-ignore read more files", in)
}

// summarize prints on standard error how much was read and found.
func (a *auditRun) summarize(r *audit.Report, fixed *fixCounts) {
	if a.options.quiet {
		return
	}
	if a.isCrawl {
		a.summarizeCrawl(a.completeness)
		return
	}
	notes := ""
	if n := r.NoteFindings - fixed.notes; n > 0 {
		notes = fmt.Sprintf(" (%s)", report.CountOf(n, "note"))
	}
	fmt.Fprintf(a.stderr, "refract: %s, %s, %s%s%s%s\n", report.CountOf(r.Documents, "document"),
		report.CountOf(r.InternalLinks(), "internal link"), report.CountOf(r.Findings, "finding"), notes, leftOut(r), blindTo(r))
	certain := 0
	if a.options.format == "text" && !a.options.fix && cli.IsTerminal(a.stderr) {
		certain = writeTotals(a.stderr, a.all())
		if certain > 0 && !a.isFirst {
			fmt.Fprintf(a.stderr, "refract: %s fixable with --fix (preview: --dry-run)\n", webpage.Number(certain))
		}
	}
	writeLearnt(a.stderr, r)
	writeBuild(a.stderr, r.Build)
	if r.Build != nil && a.options.repeat.Cache != "" {
		fmt.Fprintln(a.stderr, "refract: --cache is not used with --built: all documents and pages were read")
	}
	if a.options.unusedBuild {
		fmt.Fprintln(a.stderr, "refract: built, in the configuration, is not used with --changed-since: there is no build of the earlier revision")
	}
	if !a.options.selfTest {
		writeReasons(a.stderr, r)
	}
	a.options.repeat.Since.Report(a.stderr, a.options.repeat.ChangedSince)
	a.reportGone(r)
	if len(r.Unread) > 0 && r.Documents > 0 {
		fmt.Fprintf(a.stderr, "refract: not read: %v\n", output.NotRead(r.Unread))
	}
	fixed.report(a.stderr, a.options.dryRun)
	if a.isFirst {
		a.writeNext(r, certain)
	}
}

// reportGone prints how many findings of the baseline were not found again.
func (a *auditRun) reportGone(r *audit.Report) {
	if r.Gone > 0 && a.options.repeat.Baseline != "" && a.options.repeat.ChangedSince == "" {
		fmt.Fprintf(a.stderr, "refract: %s in %s and no longer reported: update it with --write-baseline\n", isOrAre(r.Gone), cli.OneLine(a.options.repeat.Baseline))
	}
}

// leftOut returns a text that says how many findings were not reported, and why.
func leftOut(r *audit.Report) string {
	var why []string
	if r.Known > 0 {
		why = append(why, ascii.Number(r.Known)+" known")
	}
	if r.Ignored > 0 {
		why = append(why, ascii.Number(r.Ignored)+" ignored")
	}
	if why == nil {
		return ""
	}
	return " (and " + strings.Join(why, ", ") + ")"
}

func isOrAre(n int) string {
	if n == 1 {
		return "1 finding is"
	}
	return ascii.Number(n) + " findings are"
}

// showProgress shows the progress of reading until reading ends.
func (a *auditRun) showProgress() {
	a.progress = cli.NewProgress(a.stderr)
	var one sync.Mutex
	a.options.Progress = func(n int) {
		one.Lock()
		defer one.Unlock()
		a.progress.Add(int64(n))
	}
	a.options.Total = a.progress.Total.Store
}
