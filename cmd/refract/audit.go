package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"github.com/spf13/cobra"

	"example.org/refract/audit"
	"example.org/refract/cmd/refract/internal/report"
	"example.org/refract/extract"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/input"
)

// An auditing is one run of "refract audit": what the flags say.
type auditing struct {
	options audit.Options
	finder  finder // renders what is common to all commands
	format  string
	asJSON  bool
	stderr  io.Writer
	quiet   bool
	mends   bool // --fix
	dryRun  bool
	html    string // file for the page; "" is none
	living

	progress *progress
	source   sourceFile
	writing  sync.Mutex // held while a document is
}

// newAudit makes the command that looks for what is broken in a tree of documents.
func newAudit(cfg *extract.Config, asJSON *bool) *cobra.Command {
	var (
		a    auditing
		read func() error
	)
	formats := append([]string{"text", "json"}, report.Formats()...)
	cmd := &cobra.Command{
		Use:   "audit [DIR|FILE]...",
		Short: "Find broken relative links in a tree of documents",
		Long: `Audit reads Markdown, HTML, XHTML, SVG and CSS (and text and mail that is named or of a
known suffix), resolves every reference against its document's base, and reports those
that lead nowhere: by file, letter by letter, or by fragment. Without an argument it
audits the current directory. Nothing is fetched: absolute URLs are judged only where
--site says that they lead into the tree.

"/x" leads into --root, otherwise to where the URL of the site says, otherwise into the
repository (the nearest directory upwards that holds .git), otherwise into the package
(that holds go.mod, package.json or the like) or the directory that is audited.

What a heading's id is depends on who renders it: --slugs names a flavour, and auto finds
it by mkdocs.yml, docusaurus.config.*, hugo.toml, book.toml, .vitepress, .vuepress,
conf.py of Sphinx or _config.yml, otherwise as the one under which most fragments live.
Such a file also says which pages a path without a suffix, or with .html, stands for.

--format is for what reads the findings: text, json (the lines of "refract help json"),
sarif (SARIF 2.1.0, of code scanning), junit (a test for each document), github
(annotations of a workflow), checkstyle, rdjson (reviewdog). In sarif and rdjson a
suggestion is a fix where it needs no quoting.

Rules, for --rule and --no-rule:

` + ruleHelp() + `
References that a template still has to fill in ({{ }}, {% %}, ${ }, <% %>) are not
judged, nor are ids that are missing in a document that includes others.

--fix writes into the documents what is certain, and nothing else: the right case, the new
place of a file that is the only one of its name (but for one that is there for another
version, language, package, test or the like), the suffix of the only file beside it
that is as good, and the id of a heading that has the same letters and digits, or that id
under other rules. A document that would say anything else by it is left as it is. The
findings that remain are reported. --dry-run shows what --fix would do as a diff.

Exit status: 0 without findings that remain, 1 with, 2 when something could not be read or
written.`,
		Example: `  refract audit docs                    what is broken in a tree
  refract audit --explain docs/a.md     and why, with the base of each reference
  refract audit --site https://example.org/docs/=docs docs
  refract audit --slugs mkdocs --rule missing-fragment docs
  refract audit --orphans --json docs
  refract audit --dry-run docs          what can be mended, as a diff
  refract audit --fix docs              mend it
  refract audit --format sarif docs     for code scanning
  refract audit --html report.html docs`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := read(); err != nil {
				return err
			}
			if len(args) == 0 {
				args = a.paths
			}
			if len(args) == 0 {
				args = []string{"."}
			}
			if *asJSON {
				if a.format != "json" && cmd.Flags().Changed("format") {
					return fmt.Errorf("--json and --format %s: use one", a.format)
				}
				a.format = "json"
			}
			if !slices.Contains(formats, a.format) {
				return fmt.Errorf("--format %q: give one of %s", a.format, strings.Join(formats, ", "))
			}
			a.asJSON = a.format == "json"
			if a.finder.explains && !a.asJSON && a.format != "text" {
				return fmt.Errorf("--explain is not for --format %s", a.format)
			}
			if a.mends = a.mends || a.dryRun; a.dryRun && (a.format != "text" || a.html != "") {
				return errors.New("--dry-run shows a diff: leave out --json, --format and --html")
			}
			a.finder.cfg = *cfg
			a.finder.stdout, a.stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
			a.finder.terminal = isTerminal(a.finder.stdout) && a.finder.output == "" && a.format == "text"
			return a.run(args)
		},
	}
	read = auditFlags(cmd, cfg, &a.options, &a.living)
	l := cmd.Flags()
	l.BoolVar(&a.mends, "fix", false, "write into the documents what is certain")
	l.BoolVar(&a.dryRun, "dry-run", false, "show what --fix would do as a diff, and write nothing")
	l.StringVar(&a.format, "format", "text", "`FORMAT` of the findings: "+strings.Join(formats, ", "))
	l.StringVarP(&a.finder.output, "output", "o", "", "write to `FILE`, which appears when it is complete")
	l.StringVar(&a.html, "html", "", "also write a page to `FILE`, to read, filter and share: findings, and the\ngraph of links; it appears when it is complete")
	l.BoolVar(&a.finder.explains, "explain", false, "say under each finding what the base was, and what decided")
	a.living.flags(l)
	l.BoolVarP(&a.quiet, "quiet", "q", false, "do not say how much was read")
	cmd.MarkFlagsMutuallyExclusive("baseline", "write-baseline")
	cmd.MarkFlagsMutuallyExclusive("fix", "write-baseline")
	cmd.MarkFlagsMutuallyExclusive("dry-run", "write-baseline")
	return cmd
}

// auditFlags adds the flags to cmd that say what is audited, and how. The function that it
// returns puts into o and v what they say, what a configuration file says, and what cfg
// does.
func auditFlags(cmd *cobra.Command, cfg *extract.Config, o *audit.Options, v *living) (read func() error) {
	var sites, only, without []string
	l := cmd.Flags()
	l.SortFlags = false
	l.StringArrayVar(&sites, "site", nil, "`URL=DIR`: DIR is published at URL, and links there are checked")
	l.StringVar(&o.Root, "root", "", "`DIR` that \"/x\" leads into")
	l.StringVar(&o.Slugs, "slugs", "auto", "`FLAVOUR` of the ids of headings: auto, "+strings.Join(slug.Names(), ", "))
	l.StringSliceVar(&only, "rule", nil, "report only these `RULE`s")
	l.StringSliceVar(&without, "no-rule", nil, "do not report these `RULE`s")
	l.StringArrayVar(&o.Ignore, "ignore", nil, "do not report references that match `GLOB`, as they are written;\n\"*\" matches \"/\", too")
	l.BoolVar(&o.Orphans, "orphans", false, "also report documents that no other links to")
	l.StringSliceVarP(&o.Globs, "glob", "g", nil, "only files that match `GLOB`; !GLOB leaves them out")
	l.BoolVar(&o.Hidden, "hidden", false, "also hidden files and directories")
	l.BoolVar(&o.NoIgnore, "no-ignore", false, "ignore files have no say")
	l.Int64Var(&o.MaxEntity, "max-entity", extract.MaxEntity, "a document of more `BYTES` is scanned as running text")
	l.IntVarP(&o.Jobs, "jobs", "j", runtime.NumCPU(), "`N` documents are read at a time; output is the same for any")
	l.StringVar(&v.config, "config", "", "`FILE` of flags (default: the nearest .refract.yaml upwards, in the repository)")
	l.StringVar(&v.baseline, "baseline", "", "do not report what is in `FILE`, which --write-baseline made")
	return func() error {
		if err := v.configure(cmd, o); err != nil {
			return err
		}
		if cfg.Default.URI != "" {
			return errors.New(cmd.Name() + ": the base of a document is its file: leave out --base, or give --site")
		}
		if cfg.TwoReadings {
			return fmt.Errorf("%[1]s: --two-readings is not for %[1]s", cmd.Name())
		}
		if o.Jobs < 1 {
			return fmt.Errorf("--jobs %d: at least 1 is needed", o.Jobs)
		}
		for _, s := range sites {
			i := strings.LastIndexByte(s, '=')
			if i < 0 {
				return fmt.Errorf("--site %q: give URL=DIR", s)
			}
			o.Sites = append(o.Sites, audit.Site{URL: s[:i], Dir: s[i+1:]})
		}
		if o.Slugs == "auto" {
			o.Slugs = ""
		}
		var err error
		if o.Only, err = parseRules("--rule", only); err != nil {
			return err
		}
		if o.Without, err = parseRules("--no-rule", without); err != nil {
			return err
		}
		if slices.Contains(o.Only, audit.Orphan) {
			o.Orphans = true
		}
		o.Resolve = cfg.Rules
		return v.readBaseline(o)
	}
}

// ruleHelp lists the rules, with what each is about.
func ruleHelp() string {
	const width, indent = 87, 23
	var b strings.Builder
	for _, r := range audit.Rules() {
		column, _ := fmt.Fprintf(&b, "  %-*s", indent-3, r)
		for word := range strings.FieldsSeq(r.About()) {
			if column+1+len(word) > width {
				fmt.Fprintf(&b, "\n%*s", indent-1, "")
				column = indent - 1
			}
			n, _ := b.WriteString(" " + word)
			column += n
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func parseRules(flag string, names []string) (rules []audit.Rule, err error) {
	for _, name := range names {
		r := audit.Rule(name)
		if !slices.Contains(audit.Rules(), r) {
			var all []string
			for _, r := range audit.Rules() {
				all = append(all, string(r))
			}
			return nil, fmt.Errorf("%s %q: give one of %s", flag, name, strings.Join(all, ", "))
		}
		rules = append(rules, r)
	}
	return rules, nil
}

// streams reports whether findings are written as they are found.
func (a *auditing) streams() bool { return a.format == "text" || a.format == "json" }

func (a *auditing) run(args []string) error {
	out, commit, err := a.finder.open()
	if err != nil {
		return err
	}
	defer a.finder.discard()
	// Before long work is done that nobody could read the outcome of.
	page := finder{output: a.html}
	pageOut, pageCommit, err := page.open()
	if err != nil {
		return err
	}
	defer page.discard()
	a.options.Graph = a.html != ""
	a.options.Outputs = []string{a.finder.output, a.html}
	w := bufio.NewWriterSize(out, 64<<10)
	if !a.quiet && !a.finder.terminal && isTerminal(a.stderr) {
		a.showProgress()
	}
	temps := []string{a.finder.temp, page.temp, ""}
	if a.changedSince != "" {
		if temps[2], err = os.MkdirTemp("", "refract"); err != nil {
			return err
		}
		defer os.RemoveAll(temps[2])
	}
	defer onInterrupt(func() {
		a.writing.Lock() // a document is written to its end
		for _, temp := range temps {
			if temp != "" {
				os.RemoveAll(temp)
			}
		}
	})()
	if err := a.prepare(&a.options, args, temps[2]); err != nil {
		return err
	}
	if temps[2] != "" {
		os.RemoveAll(temps[2]) // it is large, and known by now
	}
	var (
		buf      []byte
		known    audit.Baseline   // for --write-baseline
		found    []*audit.Finding // for --fix
		findings []*audit.Finding // for what is written when all is known
	)
	show := func(f *audit.Finding, fixed bool) {
		switch a.format {
		case "json":
			buf = a.appendJSON(buf[:0], f, fixed)
		case "text":
			buf = a.appendText(buf[:0], f)
		}
		w.Write(buf)
		if !fixed && (a.html != "" || !a.streams()) {
			findings = append(findings, f)
		}
	}
	a.options.Paths = args
	result, err := audit.Run(context.Background(), a.options, func(f *audit.Finding) {
		switch {
		case a.writeBaseline != "":
			known.Add(path.Join(directoryOf(f.Path), filepath.Base(f.Path)), f)
		case a.mends:
			found = append(found, f)
		default:
			show(f, false)
		}
	})
	a.progress.finish()
	if err != nil {
		return err
	}
	var m mending
	if a.mends {
		m = a.mend(w, found, show)
		result.Findings -= m.fixed
	}
	for _, n := range result.Notes {
		if a.asJSON {
			w.Write(appendObject(nil, struct {
				place
				Offset  int64  `json:"offset"`
				Length  int    `json:"length"`
				Message string `json:"message"`
			}{placeOf("note", n.File, n.Pos), n.Pos.Offset, n.Pos.Length, n.Text}))
		}
		if !a.quiet {
			fmt.Fprintf(a.stderr, "refract: %s: %s\n", oneLine(n.File), n.Text)
		}
	}
	for _, f := range result.Errors {
		fmt.Fprintf(a.stderr, "refract: %v\n", f.Err)
		if a.asJSON {
			w.Write(appendObject(nil, struct {
				place
				Message string `json:"message"`
			}{placeOf("error", f.File, extract.Position{}), f.Err.Error()}))
		}
	}
	if a.asJSON {
		w.Write(appendObject(nil, struct {
			Type       string `json:"type"`
			Documents  int    `json:"documents"`
			References int    `json:"references"`
			Skipped    int    `json:"skipped"`
			Findings   int    `json:"findings"`
			Fixed      int    `json:"fixed,omitempty"`
			Known      int    `json:"known,omitempty"`
			Ignored    int    `json:"ignored,omitempty"`
			Errors     int    `json:"errors"`
		}{"summary", result.Documents, result.References, result.Skipped, result.Findings, m.fixed, result.Known, result.Ignored, len(result.Errors) + m.failed}))
	}
	run := report.Run{Version: version(), Args: args, Findings: findings, Report: result}
	if !a.streams() {
		if err := run.Write(w, a.format); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if a.html != "" {
		to := bufio.NewWriterSize(pageOut, 64<<10)
		if err := errors.Join(run.HTML(to), to.Flush()); err != nil {
			return fmt.Errorf("--html %q: %w", a.html, err)
		}
	}
	if err := errors.Join(commit(), pageCommit()); err != nil {
		return err
	}
	if !a.quiet {
		skipped := ""
		if result.Skipped > 0 {
			skipped = fmt.Sprintf(" (%d not judged)", result.Skipped)
		}
		fmt.Fprintf(a.stderr, "refract: %s, %s%s, %s%s\n", count(result.Documents, "document"),
			count(result.References, "reference"), skipped, count(result.Findings, "finding"), leftOut(result))
		if result.Gone > 0 && a.baseline != "" && a.changedSince == "" {
			fmt.Fprintf(a.stderr, "refract: %s in %s but no longer there: write it again\n", isOrAre(result.Gone), oneLine(a.baseline))
		}
		m.say(a.stderr, a.dryRun)
	}
	if err := a.keep(&a.options, &known); err != nil {
		return err
	}
	switch {
	case len(result.Errors) > 0, m.failed > 0:
		return status(exitFailed)
	case result.Findings > 0 && a.writeBaseline == "":
		return status(exitFindings)
	}
	return nil
}

// leftOut says how many findings were not reported, and why.
func leftOut(r *audit.Report) string {
	var why []string
	if r.Known > 0 {
		why = append(why, fmt.Sprintf("%d known", r.Known))
	}
	if r.Ignored > 0 {
		why = append(why, fmt.Sprintf("%d ignored", r.Ignored))
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
	return fmt.Sprintf("%d findings are", n)
}

// showProgress shows how much has been read while documents are.
func (a *auditing) showProgress() {
	a.progress = newProgress(a.stderr)
	var one sync.Mutex
	a.options.Progress = func(n int) {
		one.Lock()
		defer one.Unlock()
		a.progress.add(int64(n))
	}
}

type jsonFinding struct {
	*jsonReference
	Rule       audit.Rule `json:"rule"`
	Message    string     `json:"message"`
	Suggestion string     `json:"suggestion,omitempty"`
	Certain    bool       `json:"certain,omitempty"`
	Fixed      bool       `json:"fixed,omitempty"`
	Target     string     `json:"target,omitempty"`
	TargetB64  string     `json:"target_b64,omitempty"`
}

func (a *auditing) appendJSON(dst []byte, f *audit.Finding, fixed bool) []byte {
	if f.Ref == nil { // it is about a place
		return appendObject(dst, struct {
			place
			Offset  int64      `json:"offset"`
			Length  int        `json:"length"`
			Rule    audit.Rule `json:"rule"`
			Message string     `json:"message"`
		}{placeOf("finding", f.File, f.Pos), f.Pos.Offset, f.Pos.Length, f.Rule, f.Message})
	}
	o := a.finder.jsonReference(f.File, f.Ref, f.Ref.URL)
	o.Type = "finding"
	j := jsonFinding{jsonReference: o, Rule: f.Rule, Message: f.Message, Suggestion: f.Suggestion, Certain: f.Certain, Fixed: fixed}
	if utf8.ValidString(f.Target) {
		j.Target = f.Target
	} else {
		j.TargetB64 = base64.StdEncoding.EncodeToString([]byte(f.Target))
	}
	return appendObject(dst, j)
}

// appendText appends f as a line: "file:line:column: message [rule]". On a terminal, the
// line of the document follows, with what is meant marked in it.
func (a *auditing) appendText(dst []byte, f *audit.Finding) []byte {
	colour := a.finder.terminal && colours()
	paint := func(code, text string) {
		if colour {
			dst = append(dst, "\x1b["+code+"m"...)
		}
		dst = append(dst, text...)
		if colour {
			dst = append(dst, "\x1b[0m"...)
		}
	}
	name := oneLine(f.File)
	dst = append(a.finder.appendPlace(dst, name, f.Pos), ' ')
	dst = appendVisible(dst, []byte(f.Text()))
	dst = append(dst, ' ')
	paint("33", "["+string(f.Rule)+"]")
	dst = append(dst, '\n')
	if a.finder.terminal && f.Pos.Line > 0 && f.Rule != audit.Orphan {
		if line, ok := a.source.line(f.Path, f.Pos); ok {
			number := fmt.Sprintf("%5d | ", f.Pos.Line)
			paint("2", number)
			shown, before, width := excerpt(line, f.Pos.Column-1, f.Pos.Length)
			dst = append(append(dst, shown...), '\n')
			paint("2", strings.Repeat(" ", len(number)-2)+"| ")
			dst = append(dst, strings.Repeat(" ", before)...)
			paint("31", strings.Repeat("^", max(1, width)))
			dst = append(dst, '\n')
		}
	}
	if a.finder.explains && f.Ref != nil {
		dst = a.finder.appendExplained(dst, name, f.Ref)
	}
	return dst
}

// oneLine is the name of a file as it stands in a line: as it is, but for controls, which
// would end the line or move a cursor.
func oneLine(name string) string {
	if strings.ContainsFunc(name, unicode.IsControl) {
		return string(appendVisible(nil, []byte(name)))
	}
	return name
}

// A sourceFile is the document whose lines are shown.
type sourceFile struct {
	path string
	text []byte
}

// maxSource is the size of a document up to which its lines are shown.
const maxSource = 8 << 20

// line returns the line of a place, without its end.
func (s *sourceFile) line(path string, pos extract.Position) ([]byte, bool) {
	if s.path != path {
		s.path, s.text = path, nil
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxSource {
			return nil, false
		}
		r, err := input.Open(path)
		if err != nil {
			return nil, false
		}
		defer r.Close()
		s.text, _ = io.ReadAll(io.LimitReader(r, maxSource))
	}
	start := int(pos.Offset) - (pos.Column - 1)
	if pos.Column < 1 || start < 0 || start > len(s.text) || pos.Offset > int64(len(s.text)) {
		return nil, false // it has changed
	}
	line, _, _ := bytes.Cut(s.text[start:], []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r")), true
}

// excerpt returns what is shown of a line: all of it, or if it is long, what is around
// the bytes from at on; and how many columns are before those and under them. Tabs are
// as wide as in a terminal that has nothing in front of the line.
func excerpt(line []byte, at, length int) (shown []byte, before, width int) {
	const around = 60
	at = min(at, len(line))
	end := min(at+length, len(line))
	from, to := 0, len(line)
	if len(line) > 3*around {
		from, to = max(0, at-around), min(len(line), max(end, at)+around)
		for from > 0 && from < at && !utf8.RuneStart(line[from]) {
			from++
		}
		for to < len(line) && !utf8.RuneStart(line[to]) {
			to++
		}
	}
	columns := 0
	put := func(s []byte) int {
		start := columns
		for i, piece := range bytes.Split(s, []byte("\t")) {
			if i > 0 {
				pad := 8 - columns%8
				shown = append(shown, "        "[:pad]...)
				columns += pad
			}
			mark := len(shown)
			shown = appendVisible(shown, piece)
			columns += uniseg.StringWidth(string(shown[mark:]))
		}
		return columns - start
	}
	if from > 0 {
		put([]byte("…"))
	}
	put(line[from:at])
	before = columns
	width = put(line[at:end])
	put(line[end:to])
	if to < len(line) {
		put([]byte("…"))
	}
	return shown, before, width
}
