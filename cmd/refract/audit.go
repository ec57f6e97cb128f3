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

const auditHelp = `Audit checks the links of a tree of documents. It reads Markdown, reStructuredText,
AsciiDoc, Org, notebooks, HTML, XHTML, SVG, CSS, EPUB, office documents, PDF, RTF, text and
mail (and other formats, such as LaTeX and XML, in files that are named), resolves each
reference against the base of its document, and reports those that point to a missing
file, directory or fragment. Without arguments, it audits the current directory. It never
goes online: absolute URLs are checked only if --site maps them to a directory.

If a known site generator publishes the tree, links are judged by the URLs of the pages
that it makes (--generator). Otherwise "/x" is looked up in --root; without --root, in
the directory that the URL of the site implies, the repository (the nearest parent
directory with .git), the package (with go.mod, package.json or the like), or the audited
directory. If most such links fail there but work in another directory, that directory is
used, with the suffixes that the links leave out; the summary says so. --root,
--suffixes, --index and --prefix set these explicitly.

The id of a heading depends on the renderer. --slugs selects one; auto (the default)
detects it from mkdocs.yml, docusaurus.config.*, hugo.toml, book.toml, .vitepress,
.vuepress, conf.py of Sphinx or _config.yml, and otherwise takes the one that matches
most fragments. Such a file also decides which page a path without suffix, or with .html,
stands for. reStructuredText has the ids of Docutils, AsciiDoc those of Asciidoctor;
conf.py and antora.yml define the targets of roles, labels and resource ids.

--format selects the output: text, json (see "refract help json"), sarif (SARIF 2.1.0,
for code scanning), junit (one test per document), github (workflow annotations),
checkstyle, rdjson (for reviewdog). In sarif and rdjson, a suggestion is a fix if it
needs no quoting.

Rules, for --rule and --no-rule:

`

const auditHelpEnd = `
References that a template still has to fill in ({{ }}, {% %}, ${ }, <% %>) are not
judged; neither are missing ids in a document that includes others, or broken links in
test inputs (testdata, fixtures, tests) and in templates to copy. --tests judges test
inputs. Files and directories named on the command line are always judged.

--fix changes only what is certain: the case of a name; the new path of a moved file, if
no other file has its name (copies for another version, language, package or test do not
count); a missing suffix, if one file alone fits; and the id of a heading with the same
letters and digits, or with that id in another flavour. A document in which a change
would alter anything else is left as it is. The remaining findings are reported.
--dry-run shows the changes as a diff instead.

Some rules make remarks (level "note"). Remarks do not fail a run, unless their rule is
named (--rule, --orphans) or --strict is given. If many findings have one cause, text
output has one line for all of them; --verbose lists each. References that are not judged
are counted by reason; --verbose lists these, too.

Exit status: 0 if there are no findings, or only remarks, 1 if there are other findings, 2
if something could not be read or written.`

const auditExamples = `  refract audit docs                    broken links in a tree
  refract audit --explain docs/a.md     why each link is broken, with its base
  refract audit --dry-run docs          what --fix would change, as a diff
  refract audit --fix docs              fix what is certain
  refract audit --site https://example.org/docs/=docs docs
  refract audit --slugs mkdocs --rule missing-fragment docs
  refract audit --orphans --json docs
  refract audit --routes docs           the pages of a site and their URLs
  refract audit --format sarif docs     for code scanning
  refract audit --html report.html docs`

// auditOptions holds the flag values of "refract audit".
type auditOptions struct {
	audit.Options
	repeatFlags
	format  string
	output  string // "" is standard output
	html    string // file for the HTML page; "" is none
	explain bool
	fix     bool
	dryRun  bool
	quiet   bool
	verbose bool
	strict  bool // remarks fail the run, too
	routes  bool // list the URLs at which documents are published, instead of findings
	anchors bool // with routes: also list the anchors of each page
}

// auditFormats returns the values of --format.
func auditFormats() []string { return append([]string{"text", "json"}, report.Formats()...) }

// newAudit returns the command that finds broken links in a tree of documents.
func newAudit(cfg *extract.Config, asJSON *bool, readRules func() error) *cobra.Command {
	o := &auditOptions{repeatFlags: repeatFlags{readRules: readRules}}
	cmd := &cobra.Command{
		Use:     "audit [DIR|FILE]...",
		Short:   "Find broken links and anchors in a tree of documents",
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

// flags adds the flags that "refract lsp" does not have.
func (o *auditOptions) flags(cmd *cobra.Command) {
	l := cmd.Flags()
	l.BoolVar(&o.fix, "fix", false, "change documents where the fix is certain")
	l.BoolVar(&o.dryRun, "dry-run", false, "print the changes of --fix as a diff, and write nothing")
	l.BoolVar(&o.Schemes, "fix-schemes", false, "let --fix also add the missing schemes of addresses and hosts (missing-scheme)")
	l.StringVar(&o.format, "format", "text", "print findings in `FORMAT`: "+strings.Join(auditFormats(), ", "))
	l.StringVarP(&o.output, "output", "o", "", "write to `FILE`, which appears when it is complete. It never replaces a document\n(.md, .html and the like) that refract has not written")
	l.StringVar(&o.html, "html", "", "also write an HTML report to `FILE`: findings to filter, and the graph of links")
	l.BoolVar(&o.routes, "routes", false, "do not audit: list the documents with their published URLs and aliases,\nseparated by tabs")
	l.BoolVar(&o.anchors, "anchors", false, "with --routes: also list the ids in each document")
	l.BoolVar(&o.explain, "explain", false, "print below each finding its base and what decided")
	o.repeatFlags.flags(l)
	l.BoolVar(&o.strict, "strict", false, "exit 1 for remarks, too")
	l.BoolVarP(&o.quiet, "quiet", "q", false, "print no summary and no progress")
	l.BoolVarP(&o.verbose, "verbose", "v", false, "list each finding of a group, and each reference that is not judged, with the reason")
	for _, flag := range []string{"fix", "dry-run", "write-baseline", "changed-since", "html", "output"} {
		cmd.MarkFlagsMutuallyExclusive("routes", flag)
	}
	cmd.MarkFlagsMutuallyExclusive("baseline", "write-baseline")
	cmd.MarkFlagsMutuallyExclusive("fix", "write-baseline")
	cmd.MarkFlagsMutuallyExclusive("dry-run", "write-baseline")
}

// validate reports invalid values, and flags that exclude each other.
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

// validatePlaces reports an output file that is also an input or another output.
func (o *auditOptions) validatePlaces(args []string) error {
	baseline, config := o.baseline, o.config
	if o.writeBaseline != "" {
		baseline = "" // --write-baseline does not read it
	}
	if config == "" {
		config = o.findConfig()
	}
	return distinctPlaces(
		[]place{{"-o", o.output}, {"--html", o.html}, {"--cache", o.cache}, {"--write-baseline", o.writeBaseline}},
		append(argumentPlaces(args), place{"--baseline", baseline}, place{"--config", config}))
}

// streams reports whether findings are written as soon as they are found.
func (o *auditOptions) streams() bool { return o.format == "text" || o.format == "json" }

// auditFlags adds the flags that "refract audit" and "refract lsp" share. Call read when cmd runs:
// it sets o and v from the flags, the configuration file and cfg, and reports invalid values.
func auditFlags(cmd *cobra.Command, cfg *extract.Config, o *audit.Options, v *repeatFlags) (read func() error) {
	var sites, only, without []string
	l := cmd.Flags()
	l.SortFlags = false
	l.StringArrayVar(&sites, "site", nil, "`URL=DIR`: check links to URL, at which DIR is published")
	l.StringVar(&o.Root, "root", "", "look up links that begin with \"/\" in `DIR`")
	l.StringSliceVar(&o.Suffixes, "suffixes", nil, "suffixes that links leave out, if no generator is known: `LIST`, such as\n.md,.html")
	l.StringSliceVar(&o.Indexes, "index", nil, "files that stand for their directory, if no generator is known: `LIST`, such as README.md")
	l.StringVar(&o.Prefix, "prefix", "", "--root is published below `PATH`, such as /docs/; other links that begin with \"/\" are not judged")
	l.StringVar(&o.Generator, "generator", "", "look only for the configuration of site generator `NAME`, or for none:\n"+strings.Join(site.Names(), ", "))
	l.StringVar(&o.Slugs, "slugs", "auto", "make ids of headings as `FLAVOUR` does: auto, "+strings.Join(slug.Names(), ", "))
	l.StringSliceVar(&only, "rule", nil, "report only these `RULE`s")
	l.StringSliceVar(&without, "no-rule", nil, "do not report these `RULE`s")
	l.StringArrayVar(&o.Ignore, "ignore", nil, "do not report references that match `GLOB` as written; \"*\" also matches \"/\"")
	l.BoolVar(&o.Orphans, "orphans", false, "also report documents to which no other links")
	l.BoolVar(&o.Tests, "tests", false, "also report findings in test inputs: testdata, fixtures, directories of test programs")
	l.StringSliceVarP(&o.Globs, "glob", "g", nil, "read only files that match `GLOB`; !GLOB excludes files")
	l.BoolVar(&o.Hidden, "hidden", false, "read hidden files and directories, too")
	l.BoolVar(&o.NoIgnore, "no-ignore", false, "do not read .gitignore, .ignore and .rgignore")
	o.MaxEntity = extract.MaxEntity
	l.Var((*byteSize)(&o.MaxEntity), "max-entity", "read documents larger than `SIZE` as running text, and messages in pieces")
	l.IntVarP(&o.Jobs, "jobs", "j", runtime.NumCPU(), "read `N` documents at a time (default: the number of processors); the output does not depend\non it")
	l.StringVar(&v.config, "config", "", "read flags from `FILE` (default: .refract.yaml in the nearest directory upwards, within\nthe repository)")
	l.StringVar(&v.baseline, "baseline", "", "do not report the findings in `FILE`, written by --write-baseline")
	check := func() error {
		if cfg.Default.URI != "" {
			return errors.New(cmd.Name() + ": the base of a document is its file: leave out --base, or give --site")
		}
		if cfg.TwoReadings {
			return fmt.Errorf("%[1]s: --two-readings is not for %[1]s", cmd.Name())
		}
		if err := checkGlobs("--glob", o.Globs); err != nil {
			return err
		}
		if err := checkGlobs("--ignore", o.Ignore); err != nil {
			return err
		}
		if o.Jobs < 1 {
			return fmt.Errorf("--jobs %d: must be at least 1", o.Jobs)
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
		if _, ok := slug.Named(o.Slugs); !ok && o.Slugs != "" {
			return badValue("--slugs", o.Slugs, append([]string{"auto"}, slug.Names()...))
		}
		err := checkGenerator(o.Generator)
		if err != nil {
			return err
		}
		if o.Only, err = parseRules("--rule", only); err != nil {
			return err
		}
		if o.Without, err = parseRules("--no-rule", without); err != nil {
			return err
		}
		if slices.Contains(o.Only, audit.Orphan) {
			o.Orphans = true
		}
		if i := slices.IndexFunc(o.Suffixes, func(s string) bool { return !strings.Contains(s, ".") }); i >= 0 {
			return fmt.Errorf("--suffixes %q: give suffixes with their dot, such as .md,.html", o.Suffixes[i])
		}
		o.Resolve = cfg.Rules
		return v.readBaseline(o)
	}
	return func() error {
		if err := v.configure(cmd, o); err != nil {
			return err
		}
		return v.blame(check())
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
