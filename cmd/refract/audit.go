package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/refract/audit"
	"example.org/refract/audit/site"
	"example.org/refract/cmd/refract/internal/report"
	"example.org/refract/extract"
	"example.org/refract/extract/slug"
)

const auditHelp = `Audit reads Markdown, HTML, XHTML, SVG and CSS (and text and mail that is named or of a
known suffix), resolves every reference against its document's base, and reports those
that lead nowhere: by file, letter by letter, or by fragment. Without an argument it
audits the current directory. Nothing is fetched: absolute URLs are judged only where
--site says that they lead into the tree.

A tree that a known generator publishes is judged by the URLs of its pages (--generator).
Elsewhere "/x" leads into --root, otherwise to where the URL of the site says, otherwise into
the repository (the nearest directory upwards that holds .git), otherwise into the package
(that holds go.mod, package.json or the like) or the directory that is audited. If most "/x"
lead nowhere there, but into another directory, this is taken in its place, with the suffixes
that are left out; the summary says so. --root, --suffixes, --index and --prefix say it.

What a heading's id is depends on who renders it: --slugs names a flavour, and auto finds
it by mkdocs.yml, docusaurus.config.*, hugo.toml, book.toml, .vitepress, .vuepress,
conf.py of Sphinx or _config.yml, otherwise as the one under which most fragments live.
Such a file also says which pages a path without a suffix, or with .html, stands for.
reStructuredText has the ids of Docutils, AsciiDoc those of Asciidoctor. conf.py and antora.yml
say what their roles, labels and resource ids lead to.

--format is for what reads the findings: text, json (the lines of "refract help json"),
sarif (SARIF 2.1.0, of code scanning), junit (a test for each document), github
(annotations of a workflow), checkstyle, rdjson (reviewdog). In sarif and rdjson a
suggestion is a fix where it needs no quoting.

Rules, for --rule and --no-rule:

`

const auditHelpEnd = `
References that a template still has to fill in ({{ }}, {% %}, ${ }, <% %>) are not
judged, nor are ids that are missing in a document that includes others, nor what leads nowhere
in documents that tests read (testdata, fixtures, tests) or that are copied (templates). --tests
judges the former. What is named on the command line is judged in any case.

--fix writes into the documents what is certain, and nothing else: the right case, the new
place of a file that is the only one of its name (but for one that is there for another
version, language, package, test or the like), the suffix of the only file beside it
that is as good, and the id of a heading that has the same letters and digits, or that id
under other rules. A document that would say anything else by it is left as it is. The
findings that remain are reported. --dry-run shows what --fix would do as a diff.

Remarks are no broken links: they do not fail a run, unless their rule is named (--rule,
--orphans) or --strict is given. Where many references have one cause, text has one line for
all of them, and --verbose has each. What is not judged is counted by reason; --verbose lists
it, too.

Exit status: 0 without findings that remain but remarks, 1 with, 2 when something could not
be read or written.`

const auditExamples = `  refract audit docs                    what is broken in a tree
  refract audit --explain docs/a.md     and why, with the base of each reference
  refract audit --site https://example.org/docs/=docs docs
  refract audit --slugs mkdocs --rule missing-fragment docs
  refract audit --orphans --json docs
  refract audit --routes docs           the pages of a site and their URLs
  refract audit --dry-run docs          what can be mended, as a diff
  refract audit --fix docs              mend it
  refract audit --format sarif docs     for code scanning
  refract audit --html report.html docs`

// auditOptions are the values of the flags of "refract audit".
type auditOptions struct {
	audit.Options
	repeatFlags
	format  string
	output  string // "" is standard output
	html    string // file for the page; "" is none
	explain bool
	fix     bool
	dryRun  bool
	quiet   bool
	verbose bool
	strict  bool // remarks fail the run
	routes  bool // show where documents are published in place of findings
	anchors bool // with their ids
}

// auditFormats returns the values of --format.
func auditFormats() []string { return append([]string{"text", "json"}, report.Formats()...) }

// newAudit makes the command that finds broken links in a tree of documents.
func newAudit(cfg *extract.Config, asJSON *bool, readRules func() error) *cobra.Command {
	o := &auditOptions{repeatFlags: repeatFlags{readRules: readRules}}
	cmd := &cobra.Command{
		Use:     "audit [DIR|FILE]...",
		Short:   "Find broken relative links in a tree of documents",
		Long:    auditHelp + ruleHelp() + auditHelpEnd,
		Example: auditExamples,
	}
	read := auditFlags(cmd, cfg, &o.Options, &o.repeatFlags)
	o.flags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := read(); err != nil {
			return err
		}
		if *asJSON {
			if o.format != "json" && cmd.Flags().Changed("format") {
				return fmt.Errorf("--json and --format %s: use one", o.format)
			}
			o.format = "json"
		}
		if err := o.validate(); err != nil {
			return err
		}
		o.fix = o.fix || o.dryRun
		if len(args) == 0 {
			args = o.paths
		}
		if len(args) == 0 {
			args = []string{"."}
		}
		if err := checkArguments(cmd, args); err != nil {
			return err
		}
		a := auditRun{options: o, args: args, stdout: cmd.OutOrStdout(), stderr: cmd.ErrOrStderr()}
		a.renderer = renderer{cfg: cfg, explain: o.explain}
		if o.format == "json" {
			a.renderer.format = formatJSON
		}
		if o.verbose {
			o.Unjudged = a.takeUnjudged
		}
		a.renderer.terminal = isTerminal(a.stdout) && o.output == "" && o.format == "text"
		a.renderer.colour = o.format == "text" && coloured(cmd.Flag("color").Value.String(), a.renderer.terminal)
		if o.routes {
			return a.routes()
		}
		return a.run()
	}
	return cmd
}

// flags adds the flags that "refract lsp" has not.
func (o *auditOptions) flags(cmd *cobra.Command) {
	l := cmd.Flags()
	l.BoolVar(&o.fix, "fix", false, "write into the documents what is certain")
	l.BoolVar(&o.dryRun, "dry-run", false, "show what --fix would do as a diff, and write nothing")
	l.BoolVar(&o.Schemes, "fix-schemes", false, "--fix also writes the missing schemes of addresses and hosts (missing-scheme)")
	l.StringVar(&o.format, "format", "text", "`FORMAT` of the findings: "+strings.Join(auditFormats(), ", "))
	l.StringVarP(&o.output, "output", "o", "", "write to `FILE`, which appears when it is complete. It replaces no document\n(.md, .html and the like) that refract has not written")
	l.StringVar(&o.html, "html", "", "also write a page to `FILE`, to read, filter and share: findings, and the\ngraph of links; it appears when it is complete")
	l.BoolVar(&o.routes, "routes", false, "judge nothing: list the documents with the URLs at which they are published,\nand aliases, separated by tabs")
	l.BoolVar(&o.anchors, "anchors", false, "with --routes, also list what fragments may name in each")
	l.BoolVar(&o.explain, "explain", false, "say under each finding what the base was, and what decided")
	o.repeatFlags.flags(l)
	l.BoolVar(&o.strict, "strict", false, "exit 1 for remarks, too")
	l.BoolVarP(&o.quiet, "quiet", "q", false, "do not say how much was read")
	l.BoolVarP(&o.verbose, "verbose", "v", false, "list each finding by itself, and what is not judged, with the reason")
	for _, flag := range []string{"fix", "dry-run", "write-baseline", "changed-since", "html", "output"} {
		cmd.MarkFlagsMutuallyExclusive("routes", flag)
	}
	cmd.MarkFlagsMutuallyExclusive("baseline", "write-baseline")
	cmd.MarkFlagsMutuallyExclusive("fix", "write-baseline")
	cmd.MarkFlagsMutuallyExclusive("dry-run", "write-baseline")
}

// validate reports values that are wrong, and flags that exclude each other.
func (o *auditOptions) validate() error {
	switch {
	case !slices.Contains(auditFormats(), o.format):
		return badValue("--format", o.format, auditFormats())
	case o.explain && o.format != "json" && o.format != "text":
		return fmt.Errorf("--explain is not for --format %s", o.format)
	case o.anchors && !o.routes:
		return errors.New("--anchors requires --routes")
	case o.routes && !o.streams():
		return fmt.Errorf("--routes is not for --format %s", o.format)
	case o.verbose && !o.streams():
		return fmt.Errorf("--verbose is not for --format %s", o.format)
	case o.dryRun && (o.format != "text" || o.html != ""):
		return errors.New("--dry-run shows a diff: leave out --json, --format and --html")
	}
	return nil
}

// validatePlaces reports an output that is also an input, or another output.
func (o *auditOptions) validatePlaces(args []string) error {
	baseline, config := o.baseline, o.config
	if o.writeBaseline != "" {
		baseline = "" // it is not read
	}
	if config == "" {
		config = o.findConfig()
	}
	return distinctPlaces(
		[]place{{"-o", o.output}, {"--html", o.html}, {"--cache", o.cache}, {"--write-baseline", o.writeBaseline}},
		append(argumentPlaces(args), place{"--baseline", baseline}, place{"--config", config}))
}

// streams reports whether findings are written as they are found.
func (o *auditOptions) streams() bool { return o.format == "text" || o.format == "json" }

// auditFlags adds the flags that "refract audit" and "refract lsp" share. Read, to be called
// when cmd runs, sets o and v from the flags, the configuration file and cfg.
func auditFlags(cmd *cobra.Command, cfg *extract.Config, o *audit.Options, v *repeatFlags) (read func() error) {
	var sites, only, without []string
	l := cmd.Flags()
	l.SortFlags = false
	l.StringArrayVar(&sites, "site", nil, "`URL=DIR`: DIR is published at URL, and links there are checked")
	l.StringVar(&o.Root, "root", "", "`DIR` that \"/x\" leads into")
	l.StringSliceVar(&o.Suffixes, "suffixes", nil, "`LIST` of the suffixes that URLs leave out, where no generator is known:\n.md,.html")
	l.StringSliceVar(&o.Indexes, "index", nil, "`LIST` of the files that stand for their directory there: README.md")
	l.StringVar(&o.Prefix, "prefix", "", "`PATH` in front of the URLs of --root there: /docs/; other \"/x\" are not judged")
	l.StringVar(&o.Generator, "generator", "", "`NAME` of the only generator of sites that is looked for, or none:\n"+strings.Join(site.Names(), ", "))
	l.StringVar(&o.Slugs, "slugs", "auto", "`FLAVOUR` of the ids of headings, and nothing else: auto, "+strings.Join(slug.Names(), ", "))
	l.StringSliceVar(&only, "rule", nil, "report only these `RULE`s")
	l.StringSliceVar(&without, "no-rule", nil, "do not report these `RULE`s")
	l.StringArrayVar(&o.Ignore, "ignore", nil, "do not report references that match `GLOB`, as they are written;\n\"*\" matches \"/\", too")
	l.BoolVar(&o.Orphans, "orphans", false, "also report documents that no other links to")
	l.BoolVar(&o.Tests, "tests", false, "also report what is in inputs of tests: testdata, fixtures, directories of test programs")
	l.StringSliceVarP(&o.Globs, "glob", "g", nil, "only files that match `GLOB`; !GLOB leaves them out")
	l.BoolVar(&o.Hidden, "hidden", false, "also hidden files and directories")
	l.BoolVar(&o.NoIgnore, "no-ignore", false, "ignore files have no say")
	o.MaxEntity = extract.MaxEntity
	l.Var((*byteSize)(&o.MaxEntity), "max-entity", "a document larger than `SIZE` is scanned as running text, a message in pieces")
	l.IntVarP(&o.Jobs, "jobs", "j", runtime.NumCPU(), "`N` documents are read at a time, by default one for each processor; output is the same for\nany")
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
		if err := checkGlobs("--glob", o.Globs); err != nil {
			return err
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

// ruleHelp lists the rules with their descriptions.
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
			return nil, badValue(flag, name, all)
		}
		rules = append(rules, r)
	}
	return rules, nil
}
