// Package auditcmd is "refract audit".
package auditcmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/refract/cmd/refract/internal/auditflags"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/config"
	"example.org/refract/internal/site/gen"
)

const auditHelp = `Audit reads Markdown, reStructuredText, AsciiDoc, Org, notebooks, HTML, XHTML, SVG, CSS,
EPUB, office documents, PDF, RTF, text and mail; other formats, such as LaTeX and XML, only
in files given on the command line. Without arguments, it audits the current directory. It
also reads the rest of the repository: what it reports about a document does not depend on
the other arguments. It never goes online: it checks absolute URLs only if --site maps them
to a directory, or if they are those of files of the repository on its host (the remote in
.git/config).

If a supported site generator publishes the tree ("refract help generators"), links are
checked by the URLs of its pages. Otherwise "/x" is looked up in --root; without --root, in
the directory that the URL of the site implies, the repository, the package (with go.mod,
package.json or the like), or the audited directory. If most such links fail there but work
in another directory, that directory is used, with the suffixes that the links leave out;
the summary says so.

Archives of crawls (WARC, ARC, WACZ or HAR files, or directories of them) are checked by
themselves: is what a browser without scripts requests for their pages and style sheets in
one of them? Each missing URL is reported once, at the first record that needs it. For
--ignore, --baseline and overrides, the archive is the document, and the URL the reference.

The id of a heading depends on the renderer: --slugs auto takes the algorithm of the site
generator, and otherwise the one that matches most fragments. reStructuredText has the ids
of Docutils, AsciiDoc those of Asciidoctor; conf.py and antora.yml define the targets of
roles, labels and resource ids.

Not checked are references that a template still has to fill in ({{ }}, {% %}, ${ }, <% %>),
missing ids in a document that includes others, and broken links in test inputs (testdata,
fixtures, tests; --tests checks these) and in templates to copy. Files and directories given
on the command line are always checked.

--fix applies only unambiguous fixes: the case of a name; the new path of a moved file, if
no other file has its name (copies for another version, language, package or test do not count); a
missing suffix, if one file alone fits; and the id of a heading with the same letters and
digits, or with that id by another algorithm. It leaves a document alone in which a change
would alter anything else. The remaining findings are reported.

Notes do not fail a run, unless their rule is named (--rule, --orphans, --link-texts) or
--strict is given ("refract help rules"). Findings with a common cause share one line;
--verbose lists each.

The audit tests itself: it breaks some links of each kind in each directory and checks them.
The summary says how many broken links would not be reported, and why; references that are not
checked are among these. --min-coverage fails a run that is blind to too many.

Formats: sarif (SARIF 2.1.0, for code scanning), junit (one test per document), github
(workflow annotations), checkstyle, rdjson (for reviewdog), gitlab (code quality), markdown
(for a job summary or a comment; less than 64 KiB), counts (NAME=VALUE, for the outputs of a
step), urls (of archives of crawls: what to fetch next), json ("refract help json"). In sarif
and rdjson, a suggestion is a fix if it needs no quoting.

Exit status: 0 if there are no findings, or only notes, 1 if there are other findings,
or less than --min-coverage is reached, 2 if something could not be read or written.`

const auditExamples = `  refract audit docs                    broken links in a tree
  refract audit --explain docs/a.md     why each link is broken, with its base
  refract audit --dry-run docs          what --fix would change, as a diff
  refract audit --fix docs              apply unambiguous fixes
  refract audit --site https://example.org/docs/=docs docs
  refract audit --slugs mkdocs --rule missing-fragment docs
  refract audit --orphans --json docs
  refract audit --self-test docs        which broken links would not be reported, and why
  refract audit --routes docs           the pages of a site and their URLs
  refract audit --format sarif docs     for code scanning
  refract audit --report markdown=links.md --report junit=links.xml docs
  refract audit --html report.html docs
  refract audit --format urls crawl.warc   what to fetch next`

// auditOptions holds the flag values of "refract audit".
type auditOptions struct {
	audit.Options
	repeat  auditflags.Repeat
	format  string
	links   string   // --hyperlink
	output  string   // "" is standard output
	html    string   // file for the HTML page; "" is none
	reports []string // further reports, as FORMAT=FILE
	source  string   // URL of the documents, for links in reports
	explain bool
	fix     bool
	dryRun  bool
	quiet   bool
	verbose bool
	strict  bool // notes fail the run, too
	zero    bool // findings do not fail the run
	// minCoverage is the percentage of the internal links that must be checked.
	minCoverage int
	built       []string
	unusedBuild bool // built was that of the configuration, and is empty because of --changed-since
	modelReport bool // list what the build and the models say differently, instead of findings
	selfTest    bool // list what would not be found, instead of findings
	routes      bool // list the URLs at which documents are published, instead of findings
	anchors     bool // with routes: also list the anchors of each page
	crawl       crawlFlags
	mustKeep    string // list of URLs that the tree must serve; "" is none
}

// Command returns the command that finds broken links in a tree of documents.
func Command(env *cli.Env) *cli.Command {
	o := &auditOptions{}
	cmd := &cobra.Command{
		Use:     "audit [DIR|FILE]...",
		Short:   "Find broken links and anchors in a tree of documents",
		Long:    auditHelp,
		Example: auditExamples,
	}
	shared := auditflags.NewShared(env, &o.Options, &o.repeat)
	list := o.flags(shared)
	o.repeat.Env, o.repeat.List = env, list
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var given []string // flags of the command line
		cmd.Flags().Visit(func(f *pflag.Flag) { given = append(given, f.Name) })
		if err := shared.Read(cmd); err != nil {
			return err
		}
		if o.repeat.ChangedSince != "" && len(o.built) > 0 && !slices.Contains(given, "built") {
			// A configuration serves all runs: its build must not stop those for pull requests.
			o.built, o.unusedBuild = nil, true
		}
		if *env.JSON {
			if o.format != "json" && cmd.Flags().Changed("format") {
				return fmt.Errorf("--json and --format %s: use one", o.format)
			}
			o.format = "json"
		}
		for _, value := range o.built {
			url, dir := config.CutBuild(value)
			o.Built = append(o.Built, audit.Site{URL: url, Dir: dir})
		}
		if err := o.validate(); err != nil {
			return err
		}
		o.fix = o.fix || o.dryRun
		if len(args) == 0 {
			args = o.repeat.Paths
		}
		if len(args) == 0 {
			args = []string{"."}
		}
		args, err := cli.Arguments(cmd, args)
		if err != nil {
			return err
		}
		if o.mustKeep == "-" && slices.Contains(args, "-") {
			return errors.New("--must-keep -: standard input is audited already")
		}
		archives := crawlFiles(args)
		isCrawl := len(archives) > 0
		if isCrawl {
			args = archives
		}
		if err := o.checkCrawl(cmd.Flags(), given, isCrawl); err != nil {
			return err
		}
		a := auditRun{options: o, args: args, isCrawl: isCrawl, stdout: cmd.OutOrStdout(), stderr: cmd.ErrOrStderr(), hasFlags: len(given) > 0}
		a.renderer = output.Renderer{Config: env.Config, Format: output.Text, Explain: o.explain}
		if o.format == "json" {
			a.renderer.Format = output.JSON
		}
		if o.verbose {
			o.Unchecked = a.takeUnchecked
		}
		if len(o.built) > 0 && o.verbose && o.format == "text" || o.modelReport {
			o.Differs = a.takeDifference
		}
		a.renderer.Terminal = cli.IsTerminal(a.stdout) && o.output == "" && o.format == "text"
		a.renderer.Colour = o.format == "text" && cli.Coloured(cmd.Flag("color").Value.String(), a.renderer.Terminal)
		if o.format == "text" && cli.Hyperlinked(o.links, a.renderer.Terminal) {
			a.links = &hyperlinks{home: cli.Home()}
		}
		if o.routes {
			return a.routes()
		}
		return a.run()
	}
	return cli.NewCommand(cmd, "fix dry-run site root generator slugs rule no-rule ignore orphans baseline format html explain verbose", list)
}

// flags returns all flags of "refract audit".
func (o *auditOptions) flags(shared *auditflags.Shared) []cli.Flag {
	o.format, o.links = "text", "auto"
	return slices.Concat(shared.Start,
		cli.InGroup("Link targets", []cli.Flag{
			{Name: "built", Var: &o.built, Each: true, Config: cli.Found, Holds: config.BuildDir,
				Brief: "check against the output of a build in `DIR`, or URL=DIR",
				Help:  "check against the output of a build in `DIR`, or URL=DIR if it is published at URL"},
		}),
		cli.InGroup("What is reported", []cli.Flag{
			shared.Forbid(),
			{Name: "write-baseline", Var: &o.repeat.WriteBaseline, Not: "baseline fix dry-run", Config: cli.Named, Holds: config.File,
				Help: "write the findings to `FILE`, and report nothing"},
			{Name: "changed-since", Var: &o.repeat.ChangedSince, Config: cli.Named, Help: "report only findings caused by changes since git `REVISION`, in any document"},
		}),
		cli.InGroup("What is reported", []cli.Flag{
			{Name: "must-keep", Var: &o.mustKeep, Not: "write-baseline", Config: cli.Named, Holds: config.AnyFile,
				Brief: "also report URLs in `FILE` that the tree does not serve",
				Help:  "also report URLs in `FILE` (- is standard input) that no page or redirect serves: a list,\noutput of --routes --json, a sitemap, CDX or an earlier build"},
		}),
		cli.InGroup("Fixes", []cli.Flag{
			{Name: "fix", Var: &o.fix, Config: cli.Named, Help: "apply unambiguous fixes"},
			{Name: "dry-run", Var: &o.dryRun, Config: cli.Named, Help: "print the changes of --fix as a diff, and write nothing"},
			{Name: "fix-schemes", Var: &o.Schemes, Config: cli.Named, Help: "let --fix also add the missing schemes of addresses and hosts (missing-scheme)"},
		}),
		cli.InGroup("Output", []cli.Flag{
			{Name: "format", Var: &o.format, Values: output.AuditForms, Config: cli.Named, Help: "print findings in `FORMAT`: " + strings.Join(output.AuditForms(), ", ")},
			{Name: "json"},
			{Name: "output", Short: "o", Var: &o.output, Config: cli.Named, Holds: config.File,
				Brief: "write to `FILE`, which appears when it is complete",
				Help:  "write to `FILE`, which appears when it is complete; never to an input or another\nprogram's document"},
			{Name: "html", Var: &o.html, Config: cli.Named, Holds: config.File,
				Brief: "also write an HTML page to `FILE`",
				Help:  "also write an HTML report to `FILE`: findings to filter, and the graph of links"},
			{Name: "report", Var: &o.reports, Each: true, Not: "dry-run", Config: cli.Named,
				Values: reportValues, Help: "also write a report: `FORMAT=FILE`, such as sarif=links.sarif"},
			{Name: "source-url", Var: &o.source, Config: cli.Named,
				Help: "in markdown, link findings to `URL` with the path and #L10 added, or in place of {path}\nand {line}"},
			{Name: "routes", Var: &o.routes, Not: "report fix dry-run write-baseline changed-since must-keep html output", Config: cli.Named,
				Help: "instead of findings, list documents with their published URLs and aliases; JSON also\nhas the redirects"},
			{Name: "anchors", Var: &o.anchors, Config: cli.Named, Help: "with --routes: also list the ids in each document"},
			{Name: "build-differences", Var: &o.modelReport, Not: "fix dry-run write-baseline changed-since html routes", Config: cli.Named,
				Help: "with --built: instead of findings, list where the build differs from refract's rules\nfor the generator"},
			{Name: "self-test", Var: &o.selfTest, Not: "report fix dry-run write-baseline changed-since html routes build-differences must-keep", Config: cli.Named,
				Help: "instead of findings, list how many broken links would be reported, and why others would\nnot"},
			{Name: "explain", Var: &o.explain, Config: cli.Named, Help: "print below each finding its base and what decided"},
			{Name: "color"},
			{Name: "hyperlink", Var: &o.links, Values: cli.Fixed(cli.ColorValues...), Config: cli.Named,
				Help: "make file names and rules hyperlinks `WHEN`: auto (on a terminal), always, never"},
			{Name: "strict", Var: &o.strict, Config: cli.Found, OfRevision: true, Help: "exit 1 for notes as well"},
			{Name: "exit-zero", Var: &o.zero, Not: "strict min-coverage", Config: cli.Named, Help: "exit 0 despite findings, and 2 if something could not be read or written"},
			{Name: "min-coverage", Var: &o.minCoverage, Config: cli.Found, OfRevision: true,
				Help: "exit 1 if the audit would report less than `PERCENT` of broken internal links"},
			{Name: "quiet", Short: "q", Var: &o.quiet, Config: cli.Named, Help: "suppress the summary and progress"},
			{Name: "verbose", Short: "v", Var: &o.verbose, Config: cli.Named,
				Help: "list each finding of a group, and each unchecked reference with the reason"},
		}),
		o.crawl.list(),
		shared.Limits,
		cli.InGroup("Limits", []cli.Flag{
			{Name: "cache", Var: &o.repeat.Cache, Config: cli.Named, Holds: config.File, Help: "keep data in `FILE` to make the next run faster"},
		}))
}

// validate reports invalid values, and flags that exclude each other.
func (o *auditOptions) validate() error {
	switch {
	case !output.FormNamed(o.format).Audit:
		return cli.BadFormat(o.format, output.AuditForms())
	case o.source != "":
		if err := checkSourceURL(o.source); err != nil {
			return err
		}
	}
	if !slices.Contains(cli.ColorValues, o.links) {
		return cli.BadValue("--hyperlink", o.links, cli.ColorValues)
	}
	if _, err := parseReports(o.reports); err != nil {
		return err
	}
	switch {
	case o.minCoverage < 0 || o.minCoverage > 100:
		return fmt.Errorf("--min-coverage %d: a percentage from 0 to 100", o.minCoverage)
	case o.explain && o.format != "json" && o.format != "text":
		return fmt.Errorf("--explain is not for --format %s", o.format)
	case o.modelReport && len(o.built) == 0:
		return errors.New("--build-differences requires --built")
	case o.modelReport && o.format != "text":
		return fmt.Errorf("--build-differences is not for --format %s", o.format)
	case o.repeat.ChangedSince != "" && len(o.built) > 0:
		return errors.New("--changed-since audits an earlier revision, of which --built is no build: use a baseline")
	case o.anchors && !o.routes:
		return errors.New("--anchors requires --routes")
	case o.routes && !o.streams():
		return fmt.Errorf("--routes is not for --format %s", o.format)
	case o.verbose && !o.streams():
		return fmt.Errorf("--verbose is not for --format %s", o.format)
	case o.selfTest && !o.streams():
		return fmt.Errorf("--self-test is not for --format %s", o.format)
	case o.dryRun && (o.format != "text" || o.html != ""):
		return errors.New("--dry-run shows a diff: leave out --json, --format and --html")
	}
	return nil
}

// validatePlaces reports an output file that is also an input or another output.
func (o *auditOptions) validatePlaces(args []string) error {
	baseline, configuration := o.repeat.Baseline, o.repeat.Config
	if o.repeat.WriteBaseline != "" {
		baseline = "" // --write-baseline does not read it
	}
	if configuration == "" {
		configuration = o.repeat.FindConfig()
	}
	outputs := []cli.Place{{Flag: "-o", Name: o.output}, {Flag: "--html", Name: o.html}, {Flag: "--cache", Name: o.repeat.Cache}, {Flag: "--write-baseline", Name: o.repeat.WriteBaseline}}
	for _, name := range o.reportNames() {
		outputs = append(outputs, cli.Place{Flag: "--report", Name: name})
	}
	for _, p := range outputs {
		if err := config.CheckInside(p.Name); err != nil {
			return fmt.Errorf("%s %q: %w", p.Flag, p.Name, err)
		}
	}
	return cli.DistinctPlaces(outputs, append(cli.ArgumentPlaces(args), cli.Place{Flag: "--baseline", Name: baseline}, cli.Place{Flag: "--config", Name: configuration}))
}

// reportValues returns what the values of --report begin with.
func reportValues() (values []string) {
	for _, name := range output.ReportForms() {
		values = append(values, name+"=")
	}
	return values
}

// streams reports whether findings are written as soon as they are found.
func (o *auditOptions) streams() bool { return output.FormNamed(o.format).Report == nil }

// GeneratorsTopic returns the topic about site generators.
func GeneratorsTopic(*cli.Env) *cli.Command {
	return cli.LateTopic("generators", "The site generators that are supported", func() string {
		names := strings.Join(cli.Wrap(strings.Join(gen.Names(), ", ")+".", helpWidth), "\n")
		return "Values of --generator:\n" + names + "\n\n" + configHelp()
	})
}

// RulesTopic returns the topic about the rules of the audit.
func RulesTopic(*cli.Env) *cli.Command {
	return cli.LateTopic("rules", "The rules of the audit", func() string {
		return "Rules, for --rule and --no-rule. Those marked (note) fail a run only if they are named, or\nwith --strict:\n\n" + ruleHelp()
	})
}

// helpWidth is the width of lists in topics.
const helpWidth = 88

// configHelp lists the configurations by which generators are found.
func configHelp() string {
	const width = helpWidth
	text := "They are found by these files and directories, if what is in them fits:"
	at := len(text)
	for i, name := range gen.Configs() {
		if i > 0 {
			text, at = text+",", at+1
		}
		if at+1+len(name)+1 > width {
			text, at = text+"\n"+name, len(name)
		} else {
			text, at = text+" "+name, at+1+len(name)
		}
	}
	return text + ".\n"
}

// ruleHelp lists the rules with their descriptions.
func ruleHelp() string {
	const width, indent = 87, 23
	var b strings.Builder
	for _, r := range rule.Rules() {
		column, _ := fmt.Fprintf(&b, "  %-*s", indent-3, r)
		about := r.About()
		if r.Level() == rule.LevelNote {
			about += " (note)"
		}
		for word := range strings.FieldsSeq(about) {
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
