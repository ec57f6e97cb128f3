package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"example.org/refract/audit"
	"example.org/refract/audit/site"
	"example.org/refract/base"
	"example.org/refract/cmd/refract/internal/fix"
	"example.org/refract/cmd/refract/internal/rewrite"
	"example.org/refract/extract"
	"example.org/refract/internal/input"
	"example.org/refract/resolve"
)

const rewriteHelp = `Rewrite edits the destinations of links and images in documents, in place, and nothing
else: all other bytes stay, including encodings and line endings. It edits Markdown, HTML,
XHTML, SVG, CSS, XML, reStructuredText, AsciiDoc, Org, notebooks and plain text, and quotes
each destination as its place needs it. Mail, archives and binary files are never edited.

The rules apply in this order, in any combination: --unwrap, --map and --canonical change
URLs; then one of --absolute, --relative and --root-relative changes their form. Otherwise
a reference keeps its form. A reference that no rule changes stays as it is written. Links
to an id of the same document (#id) stay, too.

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
  refract rewrite --unwrap --diff notes                  no redirectors, no tracking parameters
  refract rewrite --canonical sort-query,no-fragment --host example.org docs`

// rewriteOptions holds the flag values of "refract rewrite".
type rewriteOptions struct {
	cfg       *extract.Config
	rules     rewrite.Rules
	filters   filterFlags
	walk      input.Options
	generator string
	root      string // directory
	json      bool
	dryRun    bool
	diff      bool
	quiet     bool
	jobs      int

	absolute, url          string
	relative, rootRelative bool
	maps, canonical        []string
}

// newRewrite returns the command that edits destinations.
func newRewrite(cfg *extract.Config, asJSON *bool) *cobra.Command {
	o := &rewriteOptions{cfg: cfg}
	cmd := &cobra.Command{
		Use:     "rewrite RULE... [DIR|FILE]...",
		Short:   "Edit the destinations of links in place",
		Long:    rewriteHelp,
		Example: rewriteExamples,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.json = *asJSON
			if err := o.validate(); err != nil {
				return err
			}
			if len(args) == 0 {
				args = []string{"."}
			}
			if err := checkArguments(cmd, args); err != nil {
				return err
			}
			return o.run(cmd, args)
		},
	}
	o.flags(cmd)
	return cmd
}

func (o *rewriteOptions) flags(cmd *cobra.Command) {
	l := cmd.Flags()
	l.SortFlags = false
	l.StringVar(&o.absolute, "absolute", "", "make references absolute; `URL` is that of --root")
	l.BoolVar(&o.relative, "relative", false, "make references below --url relative to their document")
	l.BoolVar(&o.rootRelative, "root-relative", false, "make references below --url paths that begin with \"/\"")
	l.StringArrayVar(&o.maps, "map", nil, "`OLD=NEW`: replace OLD at the beginning of URLs by NEW. OLD ends with a host or path segment;\nof several that match, the longest counts")
	l.StringSliceVar(&o.canonical, "canonical", nil, "replace URLs by a form of them: `FORM`s of normal, no-fragment, no-index, no-tracking,\nno-session, no-trailing-dot, sort-query, short-ipv6, ascii, unicode")
	l.BoolVar(&o.rules.Unwrap, "unwrap", false, "replace URLs that a mail filter, search engine, cache or list manager has wrapped by\ntheir targets, and remove tracking parameters")
	l.StringVar(&o.url, "url", "", "`URL` of --root (with --absolute: the same URL, if not given)")
	l.StringVar(&o.root, "root", "", "`DIR` whose URL is that of --absolute or --url (default: the working directory)")
	o.filters.referenceFlags(l)
	l.StringVarP(&o.cfg.Type, "type", "t", "", "read the inputs as `TYPE`: "+typeNames()+", or a media type\nsuch as \"text/plain; charset=koi8-r\" (default: by name and first bytes)")
	l.StringVar(&o.generator, "generator", "", "in directories with the configuration of site generator `NAME`, read Markdown as it\ndoes; none: always as GitHub does (default: any generator that \"refract audit --help\" lists)")
	l.StringSliceVarP(&o.walk.Globs, "glob", "g", nil, "read only files that match `GLOB`; !GLOB excludes files")
	l.BoolVar(&o.walk.Hidden, "hidden", false, "read hidden files and directories, too")
	l.BoolVar(&o.walk.NoIgnore, "no-ignore", false, "do not read .gitignore, .ignore and .rgignore")
	l.BoolVar(&o.dryRun, "dry-run", false, "write nothing")
	l.BoolVar(&o.diff, "diff", false, "print the changes as a diff")
	l.BoolVarP(&o.quiet, "quiet", "q", false, "print no changes, no references that could not be edited, and no summary")
	l.IntVarP(&o.jobs, "jobs", "j", runtime.NumCPU(), "process `N` documents at a time (default: the number of processors); the output\ndoes not depend on it")
	cmd.MarkFlagsMutuallyExclusive("absolute", "relative", "root-relative")
}

// rewritable lists the values of --canonical that make URLs.
func rewritable() (names []string) {
	for _, name := range canonicalNames() {
		if name != "surt" && name != "cdx" {
			names = append(names, name)
		}
	}
	return names
}

// validate checks the flags, and sets the rules.
func (o *rewriteOptions) validate() (err error) {
	switch {
	case o.cfg.Default.URI != "":
		return errors.New("rewrite: the base of a document is its URL: leave out --base, or give --url")
	case o.cfg.TwoReadings:
		return errors.New("rewrite: --two-readings is not for rewrite")
	case o.absolute == "" && !o.relative && !o.rootRelative && o.maps == nil && o.canonical == nil && !o.rules.Unwrap:
		return errors.New("rewrite: give a rule: --absolute, --relative, --root-relative, --map, --canonical or --unwrap")
	case o.diff && o.json:
		return errors.New("--diff and --json: use one")
	case o.jobs < 1:
		return fmt.Errorf("--jobs %d: must be at least 1", o.jobs)
	}
	switch {
	case o.absolute != "":
		o.rules.Form = rewrite.Absolute
	case o.relative:
		o.rules.Form = rewrite.Relative
	case o.rootRelative:
		o.rules.Form = rewrite.RootRelative
	}
	for _, text := range o.maps {
		m, err := rewrite.ParseMap(text)
		if err != nil {
			return fmt.Errorf("--map %w", err)
		}
		o.rules.Maps = append(o.rules.Maps, m)
	}
	for _, name := range o.canonical {
		if name == "surt" || name == "cdx" {
			return badOneOf("--canonical", name, rewritable())
		}
	}
	o.rules.Canonical, err = parseCanonical(o.canonical)
	if err != nil {
		return err
	}
	if err := o.setRoot(); err != nil {
		return err
	}
	if err := checkGenerator(o.generator); err != nil {
		return err
	}
	if err := checkGlobs("--glob", o.walk.Globs); err != nil {
		return err
	}
	o.cfg.Type, err = parseType(o.cfg.Type)
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
			return badBase(err)
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
	o.root = filepath.ToSlash(root)
	return nil
}

// documentURL returns the URL of a file. ok is false if it is not below --root.
func (o *rewriteOptions) documentURL(path string) (url string, ok bool) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", false
	}
	below, ok := strings.CutPrefix(filepath.ToSlash(abs), strings.TrimSuffix(o.root, "/")+"/")
	return rewrite.FileURL(cmp.Or(o.rules.Root, rewrite.NoRoot), below), ok
}

// rewriter returns what rewrites the file.
func (o *rewriteOptions) rewriter(f *filter, d *dialects, file input.File) *fix.Rewriter {
	cfg := *o.cfg
	cfg.Lines = true
	cfg.Details = f.rels.any()
	if url, ok := o.documentURL(file.Path); ok {
		cfg.Retrieved = base.Source{URI: url, From: "--url"}
	}
	d.set(&cfg, file)
	if file.Type != "" && cfg.Type == "" {
		cfg.Type = file.Type
	}
	r := &fix.Rewriter{OnlyKnown: !file.Named}
	r.Config = func(string) extract.Config { return cfg }
	r.Decide = func(r *extract.Reference, onlyASCII bool) (fix.Decision, bool) {
		url := r.URL
		if strings.HasPrefix(string(url), rewrite.NoRoot) {
			url = nil
		}
		if !f.match(r, url, true) {
			return fix.Decision{}, false
		}
		return o.rules.Decide(r, onlyASCII)
	}
	return r
}

// run rewrites the files that args name.
func (o *rewriteOptions) run(cmd *cobra.Command, args []string) error {
	f, err := parseFilter(&o.filters)
	if err != nil {
		return err
	}
	w := newRewriteOutput(o, cmd)
	d := &dialects{finder: site.NewFinder(audit.Disk(), o.generator)}
	d.given(args)
	defer onInterrupt(func() { w.writing.Lock() })() // wait until the current document is written
	type result struct {
		file    input.File
		err     error
		rewrite *fix.Rewriting
	}
	queue := make(chan chan result, o.jobs)
	go func() {
		for file, err := range o.walk.Files(args) {
			one := make(chan result, 1)
			queue <- one
			go func() {
				r := result{file: file, err: err}
				if err == nil {
					r.rewrite = o.rewriteFile(&f, d, file)
				}
				one <- r
			}()
		}
		close(queue)
	}()
	for one := range queue {
		r := <-one
		w.take(r.file, r.err, r.rewrite)
	}
	return w.finish()
}

// rewriteFile returns what becomes of a file.
func (o *rewriteOptions) rewriteFile(f *filter, d *dialects, file input.File) *fix.Rewriting {
	if _, ok := o.documentURL(file.Path); !ok && o.rules.Form != rewrite.Keep {
		return &fix.Rewriting{Refused: "it is not below --root, so its URL is not known"}
	}
	return o.rewriter(f, d, file).Rewrite(file.Path, file.Name)
}
