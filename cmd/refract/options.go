package main

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/refract/audit"
	"example.org/refract/audit/site"
	"example.org/refract/base"
	"example.org/refract/cmd/refract/internal/distinct"
	"example.org/refract/delimit"
	"example.org/refract/extract"
	"example.org/refract/extract/message"
	"example.org/refract/internal/input"
)

// options are the values of the flags of the command without a subcommand. Subcommands share
// cfg and json.
type options struct {
	cfg       extract.Config
	generator string
	json      bool
	version   bool
	fileBase  bool
	publish   bool // bases are the URLs at which sites publish the documents
	output    string
	formatOptions
	workOptions
	distinctOptions
	urlOptions
	filters filterFlags
	textOptions
	fileOptions
}

// formatOptions set the form of the output.
type formatOptions struct {
	numbered, explain, null, edges bool
	csv                            csvFlag
	format                         string   // --format; "" leaves it to the other flags
	fields                         []string // --fields; nil: the usual columns
}

// A csvFlag is the value of --csv: "" or "false" without it, "true", or "raw".
type csvFlag string

func (v *csvFlag) String() string { return string(*v) }

// Type makes the help show a flag that needs no value.
func (v *csvFlag) Type() string { return "bool" }

func (v *csvFlag) isSet() bool { return *v != "" && *v != "false" }

func (v *csvFlag) Set(s string) error {
	if s != "true" && s != "false" && s != "raw" {
		return errors.New("give raw, or nothing")
	}
	*v = csvFlag(s)
	return nil
}

// workOptions are for work that several processes share or that may be interrupted.
type workOptions struct {
	list       string // --files-from
	byteRange  string // --range
	split      byteSize
	checkpoint string
}

// distinctOptions ask for each URL once, or for counts.
type distinctOptions struct {
	unique, sort bool
	count        string
	memory       byteSize
	canonical    []string
}

// urlOptions say which URLs are printed, and how.
type urlOptions struct {
	unresolved, noFragment, redact bool
	color                          string
}

// textOptions say how documents are read.
type textOptions struct {
	prefer, abbreviated, domains string
	undo                         []string
}

// fileOptions say which files are read, and what is reported.
type fileOptions struct {
	walk          input.Options
	strict, quiet bool
	jobs          int
}

// sharedFlags adds the flags that subcommands have, too.
func (o *options) sharedFlags(root *cobra.Command) (readRules func() error) {
	o.cfg.Default.From, o.cfg.Retrieved.From = "--base", "--url"
	p := root.PersistentFlags()
	p.SortFlags = false
	p.StringVar(&o.cfg.Default.URI, "base", "", "base `URL` where a document has none (section 5.1.4)")
	readRules = addRules(root, &o.cfg.Rules)
	p.BoolVar(&o.cfg.TwoReadings, "two-readings", false, "only what browsers take to another host or path than RFC 3986:\nthe URL, a tab, and that of browsers; --json has all, labelled")
	p.BoolVar(&o.json, "json", false, "one JSON object a line: see \"refract help json\"")
	p.StringVar(&o.color, "color", "auto", "`WHEN` output has colours: auto (on a terminal, unless NO_COLOR is set), always, never")
	return readRules
}

func (o *options) retrievalFlags(l *pflag.FlagSet) {
	l.StringVar(&o.cfg.Retrieved.URI, "url", "", "`URL` by which the input was retrieved (section 5.1.3); in an archive of\nmail {message-id} in it stands for that of each message")
	l.BoolVar(&o.publish, "published", false, "files were retrieved by the URLs at which the generator of their site publishes\nthem (\"refract audit --routes\" shows them): links to sources lead to pages")
	l.BoolVar(&o.fileBase, "file-base", false, "files were retrieved by their file: URL")
}

func (o *options) formatFlags(l *pflag.FlagSet) {
	l.StringVar(&o.format, "format", "", "`FORMAT` of the output: text, json, csv, tsv, edges; --json, --csv and --edges\nare short for it (default text)")
	l.BoolVarP(&o.numbered, "line-number", "n", false, "put file:line:column: in front; columns count bytes")
	l.BoolVar(&o.explain, "explain", false, "say under each URL where it stands, its base and what decided")
	l.Var(&o.csv, "csv", "comma-separated values, with a header line. A cell that begins with one of\n= + - @ or a tab gets an apostrophe, as spreadsheets need it; --csv=raw: none does")
	takesOptional(l, "csv", "true", []string{"raw", "true", "false"})
	l.StringSliceVar(&o.fields, "fields", nil, "the columns of --csv and --format tsv, in this order: `FIELD`s of \"refract help json\"")
	l.BoolVarP(&o.null, "null", "0", false, "end each URL with a NUL byte instead of a line break")
	l.StringVarP(&o.output, "output", "o", "", "write to `FILE`, which appears when it is complete. It replaces an earlier\nfile, but no input, and no document (.md, .html and the like) that refract\nhas not written")
	l.BoolVar(&o.edges, "edges", false, "document, tab, URL, tab, kind: a document is named by its URL, if it is\nknown, otherwise by its file")
}

func (o *options) workerFlags(l *pflag.FlagSet) {
	l.StringVar(&o.list, "files-from", "", "read the names of inputs from `FILE` (- is standard input), a line each, or\n{\"path\":…, \"name\":…, \"url\":…, \"range\":…}: for workers that are called by a\npipe. --edges is the default then, each input is put out before the next is\nread, and one that cannot be read is counted")
	l.StringVar(&o.byteRange, "range", "", "only what begins from byte START to before END of an archive, `START:END`:\nmessages, records, or of gzip members; what is no archive begins at 0")
	l.Var(&o.split, "split", "print, instead of references, lines for --files-from that cut archives into\nranges of at least `SIZE`, for workers that share them")
	l.StringVar(&o.checkpoint, "checkpoint", "", "with -o: note in `FILE` how far the run has come; the same command goes on\nfrom there. A damaged FILE is refused, and so is one that is in use")
}

func (o *options) distinctFlags(l *pflag.FlagSet) {
	l.BoolVar(&o.unique, "unique", false, "print each URL, or edge, once, when it first appears; those beyond\n--memory at the end")
	l.BoolVar(&o.sort, "sort", false, "with --unique: print them at the end, sorted")
	l.StringVar(&o.count, "count", "", "print how often each `WHAT` appears, the most frequent first: url, host or\ndomain (the registered one)")
	o.memory = 256 << 20
	l.Var(&o.memory, "memory", "`SIZE` of what --unique and --count hold in memory, such as 64M or 1G; the rest goes to disk")
	l.StringSliceVar(&o.canonical, "canonical", nil, "put the key of refract normalize beside each URL, and go by it in --unique\nand --count; `FORM`s, by its flags: normal, no-fragment, no-index,\nno-tracking, no-trailing-dot, sort-query, short-ipv6, ascii, unicode, surt")
	takesOptional(l, "canonical", "normal", canonicalNames())
}

func (o *options) urlFlags(l *pflag.FlagSet) {
	l.BoolVar(&o.unresolved, "unresolved", false, "print references that have no base, as they are written")
	l.BoolVar(&o.noFragment, "no-fragment", false, "cut URLs at \"#\"")
	l.BoolVar(&o.redact, "redact", false, "print *** for passwords")
	l.BoolVar(&o.cfg.IRI, "iri", false, "keep what is not ASCII in URLs as it is")
}

func (o *options) documentFlags(l *pflag.FlagSet) {
	l.StringVarP(&o.cfg.Type, "type", "t", "", "`TYPE` of the inputs: "+typeNames()+", or a media type:\n\"text/plain; charset=koi8-r\" (default: by name and first bytes)")
	l.BoolVar(&o.cfg.Details, "details", false, "also the text of links in HTML and Markdown, and of HTML rel, hreflang\nand type (--json)")
	l.StringVar(&o.prefer, "prefer", "all", "of mail in several forms, only `FORM`: all, html or text")
	l.BoolVar(&o.cfg.Conditional, "conditional", false, "of HTML, also what conditional comments hold")
	l.BoolVar(&o.cfg.JSONLD, "json-ld", false, "of HTML, also what looks like a URL in JSON-LD")
	l.BoolVar(&o.cfg.WikiLinks, "wiki-links", false, "of Markdown, also [[page]] and ![[file]]")
	l.StringVar(&o.generator, "generator", "", "read Markdown of directories as the generator of `NAME` does, where it is\nconfigured, or none: as GitHub (default: any; \"refract audit -h\" names them)")
	l.BoolVar(&o.cfg.MDX, "mdx", false, "of Markdown, also imports, and href, src and to of components")
	o.cfg.MaxEntity = extract.MaxEntity
	l.Var((*byteSize)(&o.cfg.MaxEntity), "max-entity", "a document larger than `SIZE` is scanned as running text, a message in pieces")
}

func (o *options) textFlags(l *pflag.FlagSet) {
	l.StringVar(&o.abbreviated, "abbreviated", "true", "`WHICH` names without a scheme are found, such as www.example.org: true, false, or all for ftp.example.org, //example.org/x,\n192.0.2.1:80 and [::1]/x too")
	takesOptional(l, "abbreviated", "true", abbreviatedValues)
	l.StringVar(&o.domains, "domains", "false", "find example.org too, and example.name/x (README.md and self.name are none); `WHICH`:\ntrue, false, or strong for common top-level domains only")
	takesOptional(l, "domains", "true", domainsValues)
	l.BoolVar(&o.cfg.Text.Addresses, "addresses", false, "find ann@example.org too, as mailto:")
	l.StringSliceVar(&o.undo, "undo", nil, "undo ways of `WRITING` first: "+strings.Join(extract.UndoNames(), ", ")+"\n(colours, \\/ and \\u0026, &amp;, hxxp and [.], \\- and \\:, \\_ and \\~{}, fields of CSV); json\nand csv by themselves in files of these names, unless none")
	l.BoolVar(&o.cfg.Text.JoinQuotedBlanks, "join-quoted-blanks", false, "ignore every blank within \"...\" (Appendix E to the letter)")
}

func (o *options) fileFlags(l *pflag.FlagSet) {
	l.StringSliceVarP(&o.walk.Globs, "glob", "g", nil, "only files that match `GLOB`; !GLOB leaves them out")
	l.BoolVar(&o.walk.Hidden, "hidden", false, "also hidden files and directories")
	l.BoolVar(&o.walk.NoIgnore, "no-ignore", false, "ignore files have no say")
	l.BoolVar(&o.strict, "strict", false, "print notes about odd documents, and exit with 1 if there are any")
	l.IntVarP(&o.jobs, "jobs", "j", runtime.NumCPU(), "`N` pieces of input are worked on at a time, by default one for each processor; output\nis the same for any")
	l.BoolVarP(&o.quiet, "quiet", "q", false, "do not say what was left out")
}

// find runs the command without a subcommand.
func find(cmd *cobra.Command, o *options, args []string) error {
	if err := o.validate(cmd.Flags(), args); err != nil {
		return err
	}
	s, err := o.search(cmd)
	if err != nil {
		return err
	}
	if o.publish {
		if s.published, err = newPublished(&s.cfg, &o.walk, args); err != nil {
			return err
		}
	}
	if cmd.Flags().Changed("split") {
		return s.split(args, int64(o.split))
	}
	if o.checkpoint == "" {
		return s.run(args)
	}
	c, complete, err := openCheckpoint(o.checkpoint, s.output, runOf(cmd, args), replaceable(s.output))
	if err != nil {
		return err
	}
	if complete {
		defer c.Discard()
		total := c.state.Total
		if err := c.commit(&total); err != nil {
			return err
		}
		return s.report(&total)
	}
	s.checkpoint = c
	return s.run(args)
}

// validate reports what is wrong with the values of flags, and with flags that do not go
// together.
func (o *options) validate(flags *pflag.FlagSet, args []string) error {
	if o.list != "" && len(args) > 0 {
		return errors.New("--files-from gives the inputs: leave out arguments")
	}
	if err := o.applyFormat(); err != nil {
		return err
	}
	if _, err := base.Root(o.cfg.Rules, o.cfg.Retrieved, o.cfg.Default); err != nil {
		return err
	}
	if o.publish && (o.fileBase || o.cfg.Retrieved.URI != "") {
		return errors.New("--published gives the URL of retrieval: leave out --url and --file-base")
	}
	if o.fileBase && o.cfg.Retrieved.URI != "" {
		return errors.New("--url and --file-base both give the URL of retrieval: use one")
	}
	if err := checkGlobs("--glob", o.walk.Globs); err != nil {
		return err
	}
	if o.jobs < 1 {
		return fmt.Errorf("--jobs %d: at least 1 is needed", o.jobs)
	}
	if err := o.validateDistinct(flags); err != nil {
		return err
	}
	if err := o.validateRange(args); err != nil {
		return err
	}
	if flags.Changed("split") && o.split < 1 {
		return fmt.Errorf("--split %v: at least 1 is needed", o.split)
	}
	if err := o.validateCheckpoint(args); err != nil {
		return err
	}
	return distinctPlaces([]place{{"-o", o.output}, {"--checkpoint", o.checkpoint}}, append(argumentPlaces(args), place{"--files-from", o.list}))
}

func (o *options) validateDistinct(flags *pflag.FlagSet) error {
	if o.count != "" && !slices.Contains(countValues, o.count) {
		return badValue("--count", o.count, countValues)
	}
	if o.sort && !o.unique {
		return errors.New("--sort is for --unique")
	}
	if o.memory < 1 {
		return fmt.Errorf("--memory %v: at least 1 is needed", o.memory)
	}
	if flags.Changed("memory") && !o.unique && o.count == "" {
		return errors.New("--memory is for --unique and --count")
	}
	return nil
}

func (o *options) validateRange(args []string) error {
	if o.byteRange == "" {
		return nil
	}
	if o.list != "" || len(args) != 1 || args[0] == "-" {
		return errors.New("--range is for one file: give its name")
	}
	if _, err := parseByteRange(o.byteRange); err != nil {
		return fmt.Errorf("--%w", err)
	}
	return nil
}

func (o *options) validateCheckpoint(args []string) error {
	switch {
	case o.checkpoint == "":
		return nil
	case o.output == "":
		return errors.New("--checkpoint is for a run with -o FILE")
	case o.unique || o.count != "":
		return errors.New("--checkpoint does not keep what --unique and --count have seen: leave them out")
	case o.filters.mail.thread != "":
		return errors.New("--checkpoint does not keep what --thread has seen: leave it out")
	case slices.Contains(args, "-"):
		return errors.New("--checkpoint: standard input cannot be read again")
	}
	return nil
}

// search returns the run that the flags, which are valid in themselves, describe.
func (o *options) search(cmd *cobra.Command) (*search, error) {
	s := &search{
		stdout: cmd.OutOrStdout(), stderr: cmd.ErrOrStderr(), cfg: o.cfg, jobs: o.jobs, output: o.output,
		color: o.color, quiet: o.quiet, strict: o.strict, fileBase: o.fileBase,
	}
	if err := site.CheckName(o.generator); err != nil {
		return nil, fmt.Errorf("--generator: %w", err)
	}
	s.dialects.finder = site.NewFinder(audit.Disk(), o.generator)
	s.inputs.walk, s.inputs.list, s.inputs.byteRange, s.inputs.rules = o.walk, o.list, o.byteRange, &s.cfg.Rules
	var err error
	if s.filter, err = parseFilter(&o.filters); err != nil {
		return nil, err
	}
	if err := o.configure(&s.cfg); err != nil {
		return nil, err
	}
	s.cfg.Details = s.cfg.Details || s.filter.rels.any()
	if s.filter.mail.thread != nil {
		s.jobs = 1 // messages are recognised by those before them
	}
	if s.renderer, err = o.renderer(&s.cfg, cmd.Flags().Changed("edges")); err != nil {
		return nil, err
	}
	if o.unique || o.count != "" {
		s.distinct = &distinct.Set{Memory: int64(o.memory)}
		switch {
		case o.count != "":
			s.distinct.Order = distinct.Count
		case o.sort:
			s.distinct.Order = distinct.Sorted
		}
	}
	return s, nil
}

// configure sets what the flags say about reading documents.
func (o *options) configure(cfg *extract.Config) (err error) {
	if cfg.Text.Abbreviated, err = parseAbbreviated(o.abbreviated); err != nil {
		return err
	}
	if cfg.Text.Domains, cfg.Text.CommonDomains, err = parseDomains(o.domains); err != nil {
		return err
	}
	if cfg.Undo, err = parseUndo(o.undo); err != nil {
		return err
	}
	if cfg.Type, err = parseType(cfg.Type); err != nil {
		return err
	}
	if cfg.Prefer, err = parsePrefer(o.prefer); err != nil {
		return err
	}
	cfg.Cite = o.json || o.fields != nil || o.filters.mail.needMessages() || strings.Contains(cfg.Retrieved.URI, "{message-id}")
	cfg.Lines = o.numbered || o.json || o.csv.isSet() || o.explain
	return nil
}

// renderer returns what writes the references.
func (o *options) renderer(cfg *extract.Config, edgesSet bool) (r renderer, err error) {
	r = renderer{
		cfg: cfg, terminator: '\n', numbered: o.numbered, unresolved: o.unresolved,
		noFragment: o.noFragment, redact: o.redact, explain: o.explain, count: o.count,
	}
	plain := o.count == "" && !o.numbered && !o.explain && !cfg.TwoReadings
	switch {
	case o.json:
		r.format = formatJSON
	case o.csv.isSet():
		r.format = formatCSV
	case o.edges, o.list != "" && !edgesSet && plain:
		r.format = formatEdges
	}
	if o.null {
		r.terminator = 0
	}
	r.canonical, err = parseCanonical(o.canonical)
	switch {
	case o.format == "tsv":
		r.cells = tabs
	case o.csv == "raw":
		r.cells = rawCSV
	}
	r.columns = csvFields(cfg.TwoReadings, r.canonical != nil)
	if o.fields != nil {
		r.chosen = true
		r.columns = fieldsNamed(o.fields...)
	}
	return r, err
}

func parseAbbreviated(s string) (delimit.Abbreviated, error) {
	switch s {
	case "true":
		return delimit.AbbreviatedWWW, nil
	case "false":
		return delimit.AbbreviatedNone, nil
	case "all":
		return delimit.AbbreviatedAll, nil
	}
	return 0, badValue("--abbreviated", s, abbreviatedValues)
}

func parseDomains(s string) (domains, common bool, err error) {
	switch s {
	case "true", "false":
		return s == "true", false, nil
	case "strong":
		return true, true, nil
	}
	return false, false, badValue("--domains", s, domainsValues)
}

func parsePrefer(s string) (message.Prefer, error) {
	switch s {
	case "all":
		return message.PreferNone, nil
	case "html":
		return message.PreferHTML, nil
	case "text":
		return message.PreferText, nil
	}
	return 0, badValue("--prefer", s, preferValues)
}

func parseUndo(names []string) (undo extract.Undo, err error) {
	for _, name := range names {
		i := slices.Index(extract.UndoNames(), strings.ToLower(name))
		if i < 0 {
			return 0, badValue("--undo", name, extract.UndoNames())
		}
		undo |= 1 << i
	}
	return undo, nil
}

// typeNames lists the short names of media types that --type takes.
func typeNames() string {
	return strings.Join(slices.Sorted(maps.Keys(new(extract.Config).Aliases())), ", ")
}

// parseType reads a media type, or the short name of one.
func parseType(s string) (string, error) {
	if t, ok := new(extract.Config).Aliases()[s]; ok || s == "" {
		return t, nil
	}
	if !strings.Contains(s, "/") {
		return "", fmt.Errorf("%w, or a media type", badValue("--type", s, strings.Split(typeNames(), ", ")))
	}
	mediaType, _, err := extract.ParseType(s)
	switch major, _, _ := strings.Cut(mediaType, "/"); major {
	case "image", "audio", "video", "font":
		if mediaType != "image/svg+xml" {
			return "", fmt.Errorf("--type %q: holds no text", s)
		}
	}
	return s, err
}

// The values of flags that take one of a few words.
var (
	formatValues      = []string{"text", "json", "csv", "tsv", "edges"}
	countValues       = []string{"url", "host", "domain"}
	abbreviatedValues = []string{"true", "false", "all"}
	domainsValues     = []string{"true", "false", "strong"}
	preferValues      = []string{"all", "html", "text"}
	siteValues        = []string{"same", "off"}
	colorValues       = []string{"auto", "always", "never"}
)

// applyFormat sets the flag that --format stands for.
func (o *options) applyFormat() error {
	switch o.format {
	case "", "text":
	case "json":
		o.json = true
	case "csv", "tsv":
		o.csv = "true"
	case "edges":
		o.edges = true
	default:
		return badValue("--format", o.format, formatValues)
	}
	if o.fields != nil {
		if err := o.applyFields(); err != nil {
			return err
		}
	}
	for _, other := range []struct {
		set  bool
		name string
	}{{o.numbered, "line-number"}, {o.explain, "explain"}, {o.null, "null"}} {
		if other.set && (o.edges || o.csv.isSet()) && o.format != "" {
			return fmt.Errorf("--%s is not for --format %s", other.name, o.format)
		}
	}
	return nil
}

// applyFields checks --fields, and sets the flags that the fields need.
func (o *options) applyFields() error {
	if !o.csv.isSet() {
		if o.json || o.edges || o.format != "" {
			return errors.New("--fields is for --csv and --format tsv")
		}
		o.csv = "true"
	}
	names := selectable()
	for _, name := range o.fields {
		if !slices.Contains(names, name) {
			return badValue("--fields", name, names)
		}
		switch name {
		case "text", "rel", "hreflang", "media_type":
			o.cfg.Details = true
		case "canonical", "domain":
			if o.canonical == nil {
				return fmt.Errorf("--fields %s: needs --canonical", name)
			}
		case "browser_url":
			if !o.cfg.TwoReadings {
				return fmt.Errorf("--fields %s: needs --two-readings", name)
			}
		}
	}
	return nil
}
