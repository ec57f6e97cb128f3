package rewrite

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/refract/base"
	"example.org/refract/cmd/refract/internal/archived"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/dialect"
	"example.org/refract/cmd/refract/internal/filter"
	"example.org/refract/cmd/refract/internal/fix"
	"example.org/refract/cmd/refract/internal/resources"
	"example.org/refract/extract"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/config"
	"example.org/refract/internal/each"
	"example.org/refract/internal/input"
	"example.org/refract/internal/site/gen"
	"example.org/refract/internal/slash"
	"example.org/refract/resolve"
)

const rewriteHelp = `Rewrite edits the destinations of links and images in documents, in place, and nothing
else: all other bytes stay, including encodings and line endings. It edits Markdown, HTML,
XHTML, SVG, CSS, XML, reStructuredText, AsciiDoc, Org, notebooks and plain text, and quotes
each destination as its place needs it. Mail, archives and binary files are never edited.

The rules apply in this order, in any combination: --to-archive replaces dead URLs;
--unwrap, --map and --canonical change the others; then one of --absolute, --relative and
--root-relative changes their form. Otherwise a reference keeps its form. A reference that
no rule changes stays as it is written. Links to an id of the same document (#id) stay,
too.

The URL of a document is that of --root, followed by the path of the file from there:
with --absolute https://example.org/docs/, the document a/b.md in the working directory
has the URL https://example.org/docs/a/b.md. <base> and xml:base apply, and are not edited.
--relative and --root-relative change URLs below that of --root.

After each edit, refract scans the document again. A reference that does not have its new
value, or whose edit changes how anything else is read, is not edited. It is listed on
standard error, as are references that cannot hold a URL (:doc:, xref:, include::), and
those that a template fills in. A file is replaced at once; if it changes meanwhile, or has
several hard links, it is left alone.

In directories, only files of known formats are edited; -t and naming a file overrule this.

Exit status: 0 if successful, also if nothing was rewritten or some references could not
be; 2 if something could not be read or written.`

const rewriteExamples = `  refract rewrite --map http://example.org=https://example.org --dry-run docs
  refract rewrite --map https://old.example/=https://example.org/wiki/ docs   a site has moved
  refract rewrite --absolute https://example.org/raw/main/ --kind embed README.md   images
  refract rewrite --absolute https://example.org/tree/main/ README.md   all that is relative
  refract rewrite --relative --url https://example.org/ saved    a saved site, to work offline
  refract rewrite --unwrap --dry-run notes   no redirectors, no tracking parameters: as a diff
  refract rewrite --to-archive a.cdxj --dead dead.txt --replay https://web.archive.org/web/ docs
  refract rewrite --canonical sort-query,no-fragment --host example.org docs`

// rewriteOptions holds the flag values of "refract rewrite".
type rewriteOptions struct {
	cfg       *extract.Config
	rules     rules
	filters   filter.Flags
	walk      input.Options
	generator string
	root      string // directory
	json      bool
	dryRun    bool
	quiet     bool
	jobs      int

	absolute, url          string
	relative, rootRelative bool
	maps, canonical        []string
	archived               archived.Flags // Indexes: --to-archive
	dead                   []string       // files with URLs
}

// Command returns the command that edits destinations.
func Command(env *cli.Env) *cli.Command {
	o := &rewriteOptions{cfg: env.Config}
	cmd := &cobra.Command{
		Use:     "rewrite RULE... DIR|FILE...",
		Short:   "Edit the destinations of links in place",
		Long:    rewriteHelp,
		Example: rewriteExamples,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.json = *env.JSON
			if err := o.validate(); err != nil {
				return err
			}
			if len(args) == 0 {
				return errors.New("rewrite: give the files or directories to edit, such as \".\" for all documents below this directory")
			}
			args, err := cli.Arguments(cmd, args)
			if err != nil {
				return err
			}
			o.root = cli.PlacesOf("", args).Name(o.root) // names are compared with it
			return o.run(cmd, args)
		},
	}
	return cli.NewCommand(cmd, "absolute relative root-relative map canonical unwrap to-archive url root kind host match glob dry-run", o.flags())
}

func (o *rewriteOptions) flags() []cli.Flag {
	o.jobs = runtime.NumCPU()
	return slices.Concat(
		cli.InGroup("Rules", slices.Concat([]cli.Flag{
			{Name: "absolute", Var: &o.absolute, Not: "relative root-relative", Help: "make references absolute; `URL` is that of --root"},
			{Name: "relative", Var: &o.relative, Not: "root-relative", Help: "make references below --url relative to their document"},
			{Name: "root-relative", Var: &o.rootRelative, Help: "make references below --url paths that begin with \"/\""},
			{Name: "map", Var: &o.maps, Each: true,
				Help: "`OLD=NEW`: replace OLD, which ends with a host or path segment, at the beginning of URLs\nby NEW; the longest match counts"},
			{Name: "canonical", Var: &o.canonical, Values: rewritable,
				Help: "replace URLs by these `FORM`s: " + strings.Join(rewritable(), ", ")},
			{Name: "unwrap", Var: &o.rules.Unwrap,
				Help: "replace wrapped URLs (see \"refract --unwrap\") by their targets, and remove tracking\nparameters"},
			{Name: "to-archive", Var: &o.archived.Indexes, Each: true,
				Help: "replace the URLs of --dead by their nearest captures in `INDEX` (CDX, CDXJ, WACZ or WARC\nfiles, or directories)"},
			{Name: "dead", Var: &o.dead, Each: true, Help: "with --to-archive: dead URLs, in `LIST`, a file of any format"},
		}, o.archived.List("--to-archive"))),
		cli.InGroup("URLs of documents", []cli.Flag{
			{Name: "url", Var: &o.url, Help: "`URL` of --root (with --absolute: the same URL, if not given)"},
			{Name: "root", Var: &o.root, Holds: config.Directory, Help: "`DIR` whose URL is that of --absolute or --url (default: the working directory)"},
			{Name: "resolution"},
		}),
		o.filters.ReferenceFlags(),
		cli.InGroup("Input", []cli.Flag{
			{Name: "type", Short: "t", Var: &o.cfg.Type, Values: cli.TypeNames,
				Brief: "read the inputs as `TYPE`, such as html (default: by name and first bytes)",
				Help:  "read the inputs as `TYPE`, such as html, eml or \"text/plain; charset=koi8-r\":\nsee \"refract help types\" (default: by name and first bytes)"},
			{Name: "glob", Short: "g", Var: &o.walk.Globs, Help: "read only files that match `GLOB`; !GLOB excludes files"},
			{Name: "hidden", Var: &o.walk.Hidden, Help: "also read hidden files and directories"},
			{Name: "no-ignore", Var: &o.walk.NoIgnore, Help: "do not read .gitignore, .ignore and .rgignore"},
			{Name: "generator", Var: &o.generator, Values: cli.GeneratorNames,
				Brief: "look only for the configuration of site generator `NAME`, or for none",
				Help:  "read Markdown as site generator `NAME` in directories with its configuration;\nnone: always as GitHub (see \"refract help generators\")"},
		}),
		cli.InGroup("Output", []cli.Flag{
			{Name: "dry-run", Var: &o.dryRun, Help: "print the changes as a diff, or with --json as lines, and write nothing"},
			{Name: "json"},
			{Name: "color"},
			{Name: "quiet", Short: "q", Var: &o.quiet, Help: "suppress the changes, the references that could not be edited, and the summary"},
			{Name: "jobs", Short: "j", Var: &o.jobs,
				Help: "process `N` inputs at a time (default: the number of processors)"},
		}))
}

// rewritable lists the values of --canonical that make URLs; the others make keys.
func rewritable() []string {
	return []string{"normal", "no-fragment", "no-index", "no-tracking", "no-session", "no-trailing-dot", "sort-query", "short-ipv6", "ascii", "unicode"}
}

// showsDiff reports whether the changes are printed as a diff.
func (o *rewriteOptions) showsDiff() bool { return o.dryRun && !o.json }

// validate checks the flags, and sets the rules.
func (o *rewriteOptions) validate() (err error) {
	switch {
	case o.cfg.Default.URI != "":
		return errors.New("rewrite: the base of a document is its URL: leave out --base, or give --url")
	case o.cfg.ParserDifferences:
		return errors.New("rewrite: --parser-differences is not for rewrite")
	case o.absolute == "" && !o.relative && !o.rootRelative && o.maps == nil && o.canonical == nil && !o.rules.Unwrap && o.archived.Indexes == nil && o.dead == nil:
		return errors.New("rewrite: give a rule: --absolute, --relative, --root-relative, --map, --canonical, --unwrap or --to-archive")
	case o.jobs < 1:
		return fmt.Errorf("--jobs %d: must be at least 1", o.jobs)
	}
	switch {
	case o.absolute != "":
		o.rules.Form = absoluteForm
	case o.relative:
		o.rules.Form = relativeForm
	case o.rootRelative:
		o.rules.Form = rootRelativeForm
	}
	for _, text := range o.maps {
		m, err := parseMap(text)
		if err != nil {
			return fmt.Errorf("--map %w", err)
		}
		if i := slices.IndexFunc(o.rules.Maps, func(other mapping) bool { return other.Old == m.Old && other.New != m.New }); i >= 0 {
			return fmt.Errorf("--map %q: %s already becomes %s", text, m.Old, o.rules.Maps[i].New)
		}
		o.rules.Maps = append(o.rules.Maps, m)
	}
	for _, name := range o.canonical {
		if !slices.Contains(rewritable(), name) {
			return cli.BadOneOf("--canonical", name, rewritable())
		}
	}
	o.rules.Canonical, err = cli.ParseCanonical(o.canonical)
	if err != nil {
		return err
	}
	if err := o.checkArchived(); err != nil {
		return err
	}
	if err := o.setRoot(); err != nil {
		return err
	}
	if err := cli.CheckGenerator(o.generator); err != nil {
		return err
	}
	if err := cli.CheckGlobs("--glob", o.walk.Globs); err != nil {
		return err
	}
	o.cfg.Type, err = cli.ParseType(o.cfg.Type)
	return err
}

// setRoot sets the directory of the documents, and its URL.
func (o *rewriteOptions) setRoot() error {
	for _, u := range []struct {
		flag string
		uri  *string
	}{{"--absolute", &o.absolute}, {"--url", &o.url}} {
		if *u.uri == "" {
			continue
		}
		if _, err := base.Root(o.cfg.Rules, base.Source{URI: *u.uri, From: u.flag}, base.Source{}); err != nil {
			return cli.BadBase(err)
		}
		if c := resolve.Parse([]byte(*u.uri)); !c.HasAuthority || c.HasQuery || c.HasFragment {
			return fmt.Errorf("%s %q: give the URL of a directory, such as https://example.org/docs/", u.flag, *u.uri)
		}
		*u.uri = strings.TrimSuffix(*u.uri, "/") + "/"
	}
	if o.absolute != "" && o.url != "" && o.absolute != o.url {
		return errors.New("--absolute and --url are the URL of the same directory: give one")
	}
	o.rules.Root = cmp.Or(o.absolute, o.url)
	root, err := filepath.Abs(o.root)
	if err != nil {
		return err
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return fmt.Errorf("--root %q: not a directory", o.root)
	}
	o.root = slash.Path(root)
	return nil
}

// documentURL returns the URL of a file. ok is false if it is not below --root.
func (o *rewriteOptions) documentURL(path string) (url string, ok bool) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", false
	}
	below, ok := strings.CutPrefix(slash.Path(abs), strings.TrimSuffix(o.root, "/")+"/")
	return fileURL(cmp.Or(o.rules.Root, noRoot), below), ok
}

// rewriter returns what rewrites the file.
func (o *rewriteOptions) rewriter(f *filter.Filter, d *dialect.Set, file input.File) *fix.Rewriter {
	cfg := *o.cfg
	cfg.Lines = true
	cfg.Details = f.Rels.Any()
	if url, ok := o.documentURL(file.Path); ok {
		cfg.Retrieved = base.Source{URI: url, From: "--url"}
	}
	d.Set(&cfg, file)
	if file.Type != "" && cfg.Type == "" {
		cfg.Type = file.Type
	}
	r := &fix.Rewriter{OnlyKnown: !file.Named}
	r.Config = func(string) extract.Config { return cfg }
	r.Decide = func(r *extract.Reference, onlyASCII bool) (fix.Decision, bool) {
		url := r.URL
		if strings.HasPrefix(string(url), noRoot) {
			url = nil
		}
		if !f.Match(r, url, true) {
			return fix.Decision{}, false
		}
		return o.rules.decide(r, onlyASCII)
	}
	return r
}

// run rewrites the files that args name.
func (o *rewriteOptions) run(cmd *cobra.Command, args []string) error {
	f, err := filter.Parse(&o.filters)
	if err != nil {
		return err
	}
	if o.archived.Indexes != nil {
		summary, err := o.readDead()
		if err != nil {
			return err
		}
		if !o.quiet && !o.json {
			fmt.Fprintf(cmd.ErrOrStderr(), "refract: %s\n", summary)
		}
	}
	o.walk.GlobUse = new(input.GlobUse)
	w := newRewriteOutput(o, cmd)
	d := &dialect.Set{Finder: gen.Find(tree.Disk(), o.generator)}
	d.Given(args)
	defer cli.OnInterrupt(func() { w.writing.Lock() })() // wait until the current document is written
	type result struct {
		file    input.File
		err     error
		rewrite *fix.Rewriting
	}
	if !cmd.Flags().Changed("jobs") {
		resources.FitJobs(cmd.ErrOrStderr(), o.quiet, &o.jobs, extract.MaxEntity, 0)
	}
	files := func(yield func(result) bool) {
		for file, err := range o.walk.Files(args) {
			if !yield(result{file: file, err: err}) {
				return
			}
		}
	}
	worker := func() func(result) result {
		return func(r result) result {
			if r.err == nil {
				r.rewrite = o.rewriteFile(&f, d, r.file)
			}
			return r
		}
	}
	err = each.InOrder(o.jobs, o.jobs, files, worker, func(r result) error {
		w.take(r.file, r.err, r.rewrite)
		return nil
	})
	return cmp.Or(err, w.finish())
}

// rewriteFile returns what becomes of a file.
func (o *rewriteOptions) rewriteFile(f *filter.Filter, d *dialect.Set, file input.File) *fix.Rewriting {
	if _, ok := o.documentURL(file.Path); !ok && o.rules.Form != keepForm {
		return &fix.Rewriting{Refused: "it is not below --root, so its URL is not known"}
	}
	return o.rewriter(f, d, file).Rewrite(file.Path, file.Name)
}
