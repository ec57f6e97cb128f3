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

// options holds the flag values of the command without a subcommand. Subcommands share cfg and
// json.
type options struct {
	cfg       extract.Config
	generator string
	json      bool
	version   bool
	fileBase  bool
	publish   bool // --published: use the URLs at which sites publish the documents as bases
	output    string
	html      string // file for the page; "" is none
	formatOptions
	workOptions
	distinctOptions
	urlOptions
	filters filterFlags
	textOptions
	fileOptions
}

// formatOptions select the form of the output.
type formatOptions struct {
	numbered, explain, null, edges bool
	frontier                       bool
	csv                            csvFlag
	format                         string   // --format; "" leaves it to the other flags
	fields                         []string // --fields; nil: the usual columns
	columnOptions
}

// A csvFlag is the value of --csv: "" or "false" (off), "true", or "raw".
type csvFlag string

func (v *csvFlag) String() string { return string(*v) }

// Type returns "bool", so that help shows a flag that needs no value.
func (v *csvFlag) Type() string { return "bool" }

func (v *csvFlag) isSet() bool { return *v != "" && *v != "false" }

func (v *csvFlag) Set(s string) error {
	if s != "true" && s != "false" && s != "raw" {
		return errors.New("give raw, or nothing")
	}
	*v = csvFlag(s)
	return nil
}

// workOptions are for work that several processes share, or that may be interrupted.
type workOptions struct {
	list       string // --files-from
	byteRange  string // --range
	split      byteSize
	checkpoint string
}

// distinctOptions select unique URLs, or counts.
type distinctOptions struct {
	unique, sort bool
	count        string
	memory       byteSize
	canonical    []string
}

// urlOptions select which URLs are printed, and in which form.
type urlOptions struct {
	unresolved, noFragment, redact, unwrap bool

	color string
}

// textOptions control how documents are read.
type textOptions struct {
	prefer, abbreviated, domains string
	undo                         []string
}

// fileOptions select which files are read, and what is reported about them.
type fileOptions struct {
	walk          input.Options
	archives      bool
	strict, quiet bool
	jobs          int
}

// sharedFlags adds the flags that subcommands share.
func (o *options) sharedFlags(root *cobra.Command) (readRules func() error) {
	o.cfg.Default.From, o.cfg.Retrieved.From = "--base", "--url"
	p := root.PersistentFlags()
	p.SortFlags = false
	p.StringVar(&o.cfg.Default.URI, "base", "", "base `URL` for documents that have none (RFC 3986 section 5.1.4)")
	readRules = addRules(root, &o.cfg.Rules)
	p.BoolVar(&o.cfg.TwoReadings, "two-readings", false, "print only URLs that browsers read as another host or path than RFC 3986\ndoes: the URL, a tab, and the URL of browsers; --json prints all, labelled")
	p.BoolVar(&o.json, "json", false, "print one JSON object per line: see \"refract help json\"")
	p.StringVar(&o.color, "color", "auto", "use colours `WHEN`: auto (on a terminal, unless NO_COLOR is set), always, never")
	p.BoolVarP(&o.version, "version", "V", false, "print the version, commit and Go release of this program")
	return readRules
}

func (o *options) retrievalFlags(l *pflag.FlagSet) {
	l.StringVar(&o.cfg.Retrieved.URI, "url", "", "`URL` by which the input was retrieved (section 5.1.3); in an archive of\nmail {message-id} in it stands for that of each message")
	l.BoolVar(&o.publish, "published", false, "files were retrieved by the URLs at which the generator of their site publishes\nthem (\"refract audit --routes\" shows them): links to sources lead to pages")
	l.BoolVar(&o.fileBase, "file-base", false, "files were retrieved by their file: URL")
}

func (o *options) formatFlags(l *pflag.FlagSet) {
	l.StringVar(&o.format, "format", "", "`FORMAT` of the output: text, json, csv, tsv, edges, arrow; --json, --csv, --edges\nand --arrow are short for it (default text)")
	l.BoolVarP(&o.numbered, "line-number", "n", false, "print file:line:column: before each URL; columns count bytes")
	l.BoolVar(&o.explain, "explain", false, "print below each URL where it stands, its base and what decided")
	l.Var(&o.csv, "csv", "print comma-separated values with a header line. A cell that begins with =, +,\n-, @ or a tab gets an apostrophe, so that spreadsheets do not compute it;\n--csv=raw adds none")
	takesOptional(l, "csv", "true", []string{"raw", "true", "false"})
	l.StringSliceVar(&o.fields, "fields", nil, "columns of --csv, --format tsv, --arrow and --parquet, in order: `FIELD`s of\n\"refract help json\"")
	o.columnFlags(l)
	l.BoolVarP(&o.null, "null", "0", false, "end each URL with a NUL byte instead of a line break")
	l.StringVarP(&o.output, "output", "o", "", "write to `FILE`, which appears when it is complete. It replaces an earlier\noutput, but never an input, or a document (.md, .html and the like) that refract\nhas not written")
	l.StringVar(&o.html, "html", "", "also write an HTML page to `FILE`: references over time, by domain, list and sender,\nand a table of URLs to search, filter and export")
	l.BoolVar(&o.edges, "edges", false, "print document, URL and kind, separated by tabs; the document is its URL, if\nknown, or its file")
	l.BoolVar(&o.frontier, "frontier", false, "print what a crawler may visit next, each URL once: URL, key, host, kind and document,\nseparated by tabs; without nofollow, forms, metadata, citations and schemes other than\nhttp and https. --canonical says what the key is (default no-fragment)")
}

func (o *options) workerFlags(l *pflag.FlagSet) {
	l.StringVar(&o.list, "files-from", "", "read the names of inputs from `FILE` (- is standard input), one per line, or as\n{\"path\":…, \"name\":…, \"url\":…, \"range\":…}: for workers that read from a\npipe. Implies --edges; each input is output before the next is read, and\ninputs that cannot be read are counted")
	l.StringVar(&o.byteRange, "range", "", "read only the messages or records of an archive that begin in bytes `START:END`,\nEND excluded (in .gz: the gzip members); other files begin at 0")
	l.Var(&o.split, "split", "do not search: print lines for --files-from that divide archives into ranges\nof at least `SIZE`, for several workers")
	l.StringVar(&o.checkpoint, "checkpoint", "", "with -o: record in `FILE` how far the run has come, so that the same command can\ncontinue from there. A FILE that is damaged or in use is refused")
}

func (o *options) distinctFlags(l *pflag.FlagSet) {
	l.BoolVar(&o.unique, "unique", false, "print each URL (or edge) once, when it first appears; those beyond\n--memory follow at the end")
	l.BoolVar(&o.sort, "sort", false, "with --unique: print all at the end, sorted")
	l.StringVar(&o.count, "count", "", "print how often each `WHAT` appears, most frequent first: url, host, domain (the\nregistered domain), host-pair or domain-pair (of the document and the URL)")
	o.memory = 256 << 20
	l.Var(&o.memory, "memory", "memory for --unique and --count: `SIZE`, such as 64M or 1G; the rest goes to disk")
	l.StringSliceVar(&o.canonical, "canonical", nil, "add the key of \"refract normalize\" to each URL, and compare by it in --unique and\n--count: "+canonicalHelp)
	takesOptional(l, "canonical", "normal", canonicalNames())
}

func (o *options) urlFlags(l *pflag.FlagSet) {
	l.BoolVar(&o.unresolved, "unresolved", false, "also print references that have no base, as written")
	l.BoolVar(&o.noFragment, "no-fragment", false, "remove fragments from URLs")
	l.BoolVar(&o.unwrap, "unwrap", false, "also print, behind a tab, the target of a URL that a mail filter, search engine, cache\nor list manager has wrapped (SafeLinks, URL Defense, Google, Facebook, AMP and others)")
	l.BoolVar(&o.redact, "redact", false, "print *** in place of passwords")
	l.BoolVar(&o.cfg.IRI, "iri", false, "do not escape non-ASCII characters in URLs")
}

func (o *options) documentFlags(l *pflag.FlagSet) {
	l.StringVarP(&o.cfg.Type, "type", "t", "", "read the inputs as `TYPE`: "+typeNames()+", or a media type\nsuch as \"text/plain; charset=koi8-r\" (default: by name and first bytes)")
	l.BoolVar(&o.cfg.Details, "details", false, "in --json: also the text of links in HTML and Markdown, and rel, hreflang and\ntype of HTML")
	l.StringVar(&o.prefer, "prefer", "all", "for mail with alternative bodies, read only `FORM`: all, html or text")
	l.BoolVar(&o.cfg.Conditional, "conditional", false, "HTML: also read conditional comments")
	l.BoolVar(&o.cfg.Exhaustive, "exhaustive", false, "HTML: also find what only thorough crawlers look for: conditional comments, URLs and\npaths in running text, bases, document types, report-uri, SVG in data: URLs;\nand the paths of robots.txt")
	l.BoolVar(&o.cfg.Scripts, "scripts", false, "HTML, .js, .json and web archives: also find strings in JavaScript and JSON that are\nclearly URLs or paths. These are guesses, labelled speculative")
	l.BoolVar(&o.cfg.JSONLD, "json-ld", false, "HTML: also find strings in JSON-LD that look like URLs")
	l.BoolVar(&o.cfg.WikiLinks, "wiki-links", false, "Markdown: also find [[page]] and ![[file]]")
	l.StringVar(&o.generator, "generator", "", "in directories with the configuration of site generator `NAME`, read Markdown as it\ndoes; none: always as GitHub does (default: any generator that \"refract audit --help\" lists)")
	l.BoolVar(&o.cfg.MDX, "mdx", false, "Markdown: also find imports, and href, src and to of components")
	o.cfg.MaxEntity = extract.MaxEntity
	l.Var((*byteSize)(&o.cfg.MaxEntity), "max-entity", "read documents larger than `SIZE` as running text, and messages in pieces")
}

func (o *options) textFlags(l *pflag.FlagSet) {
	l.StringVar(&o.abbreviated, "abbreviated", "true", "find names without a scheme, such as www.example.org; `WHICH`: true, false, or all,\nwhich adds ftp.example.org, //example.org/x, 192.0.2.1:80 and [::1]/x")
	takesOptional(l, "abbreviated", "true", abbreviatedValues)
	l.StringVar(&o.domains, "domains", "false", "find example.org and example.name/x, too (but not README.md or self.name); `WHICH`:\ntrue, false, or strong for common top-level domains only")
	takesOptional(l, "domains", "true", domainsValues)
	l.BoolVar(&o.cfg.Text.Addresses, "addresses", false, "find ann@example.org, too, as a mailto: URL")
	l.StringSliceVar(&o.undo, "undo", nil, "undo an `ENCODING` first: qp (=3D, = at line ends), ansi (colours), json (\\/, \\u0026), entities (&amp;),\ndefang (hxxp, [.]), roff (\\-, \\:), latex (\\_, \\~{}), csv (quoted fields), gettext (strings of PO files) or none;\njson, csv and gettext are the default for .json, .csv and .po")
	l.BoolVar(&o.cfg.Text.JoinQuotedBlanks, "join-quoted-blanks", false, "ignore all blanks within \"...\" (RFC 3986 appendix C to the letter)")
}

func (o *options) fileFlags(l *pflag.FlagSet) {
	l.StringSliceVarP(&o.walk.Globs, "glob", "g", nil, "read only files that match `GLOB`; !GLOB excludes files")
	l.BoolVar(&o.walk.Hidden, "hidden", false, "read hidden files and directories, too")
	l.BoolVar(&o.walk.NoIgnore, "no-ignore", false, "do not read .gitignore, .ignore and .rgignore")
	l.BoolVar(&o.archives, "archives", false, "in directories, read the files in ZIP and tar archives, too (.zip, .jar, .whl,\n.tar.gz and the like); an archive that is named is always read")
	l.BoolVar(&o.strict, "strict", false, "report malformed documents, and exit 1 if there are any")
	l.IntVarP(&o.jobs, "jobs", "j", runtime.NumCPU(), "process `N` pieces of input at a time (default: the number of processors); the output\ndoes not depend on it")
	l.BoolVarP(&o.quiet, "quiet", "q", false, "print no summary and no progress")
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
	if s.distinct != nil {
		if err := c.openKeys(s.distinct); err != nil {
			s.distinct.Close()
			c.Discard()
			return err
		}
	}
	return s.run(args)
}

// validate reports invalid values of flags, and flags that cannot be combined.
func (o *options) validate(flags *pflag.FlagSet, args []string) error {
	if o.list != "" && len(args) > 0 {
		return errors.New("--files-from lists the inputs: leave out the arguments")
	}
	if err := o.applyFormat(); err != nil {
		return err
	}
	if o.frontier {
		o.configureFrontier()
	}
	if _, err := base.Root(o.cfg.Rules, o.cfg.Retrieved, o.cfg.Default); err != nil {
		return badBase(err)
	}
	if o.publish && (o.fileBase || o.cfg.Retrieved.URI != "") {
		return errors.New("--published sets the URL of retrieval: leave out --url and --file-base")
	}
	if o.fileBase && o.cfg.Retrieved.URI != "" {
		return errors.New("--url and --file-base both set the URL of retrieval: use one")
	}
	if err := checkGlobs("--glob", o.walk.Globs); err != nil {
		return err
	}
	if o.jobs < 1 {
		return fmt.Errorf("--jobs %d: must be at least 1", o.jobs)
	}
	if err := o.validateDistinct(flags); err != nil {
		return err
	}
	if err := o.validateRange(args); err != nil {
		return err
	}
	if flags.Changed("split") && o.split < 1 {
		return fmt.Errorf("--split %v: must be at least 1", o.split)
	}
	if err := o.validateCheckpoint(args); err != nil {
		return err
	}
	if err := o.validateColumns(flags); err != nil {
		return err
	}
	return distinctPlaces([]place{{"-o", o.output}, {"--html", o.html}, {"--checkpoint", o.checkpoint}, {"--parquet", o.parquet}}, append(argumentPlaces(args), place{"--files-from", o.list}))
}

func (o *options) validateDistinct(flags *pflag.FlagSet) error {
	if o.count != "" && !slices.Contains(countValues, o.count) {
		return badValue("--count", o.count, countValues)
	}
	if o.sort && !o.unique {
		return errors.New("--sort requires --unique")
	}
	if o.memory < 1 {
		return fmt.Errorf("--memory %v: must be at least 1", o.memory)
	}
	if flags.Changed("memory") && !o.unique && o.count == "" {
		return errors.New("--memory requires --unique or --count")
	}
	return nil
}

func (o *options) validateRange(args []string) error {
	if o.byteRange == "" {
		return nil
	}
	if o.list != "" || len(args) != 1 || args[0] == "-" {
		return errors.New("--range requires the name of one file")
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
		return errors.New("--checkpoint requires -o FILE")
	case o.html != "":
		return errors.New("--checkpoint cannot be used with --html, which needs all references in one run")
	case o.filters.mail.thread != "":
		return errors.New("--checkpoint cannot be used with --thread")
	case slices.Contains(args, "-"):
		return errors.New("--checkpoint: standard input cannot be read again")
	}
	return nil
}

// search returns the run that the flags describe. Each flag must be valid by itself.
func (o *options) search(cmd *cobra.Command) (*search, error) {
	s := &search{
		stdout: cmd.OutOrStdout(), stderr: cmd.ErrOrStderr(), cfg: o.cfg, jobs: o.jobs, output: o.output,
		color: o.color, quiet: o.quiet, strict: o.strict, fileBase: o.fileBase, archives: o.archives, overview: newOverview(o.html),
	}
	if err := checkGenerator(o.generator); err != nil {
		return nil, err
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
	if !o.quiet {
		for _, remark := range unknownSchemes(o.filters.schemes) {
			fmt.Fprintf(s.stderr, "refract: %s\n", remark)
		}
	}
	s.filter.records.configure(&s.cfg)
	_, s.places = o.needRecords()
	s.cfg.Details = s.cfg.Details || s.filter.rels.any()
	if s.filter.mail.thread != nil {
		s.jobs = 1 // a message is recognised by earlier ones, so read in order
	}
	if s.renderer, err = o.renderer(&s.cfg, cmd.Flags().Changed("edges")); err != nil {
		return nil, err
	}
	s.columns, err = o.newColumns(s.renderer.columns)
	if err != nil {
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

// configure applies the flags that control how documents are read.
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
	cfg.Messages = o.html != "" || o.filters.mail.needMessages() || strings.Contains(cfg.Retrieved.URI, "{message-id}") ||
		slices.ContainsFunc(o.fields, func(name string) bool { return fields[fieldIndex(name)].scope == ofMessage })
	cfg.Records, _ = o.needRecords()
	cfg.Detect, cfg.Charsets, cfg.Robots = o.needsField("detected_type"), o.needsField("charset"), o.frontier || o.needsField("robots")
	cfg.Cite = o.json || o.filters.mail.notQuoted || slices.Contains(o.fields, "quoted") || slices.Contains(o.fields, "target_part")
	hasPlaces := o.fields == nil || slices.ContainsFunc(o.fields, func(name string) bool {
		return slices.Contains([]string{"line", "column", "part_line", "part_column"}, name)
	})
	cfg.Lines = o.html != "" || o.numbered || o.json || (o.csv.isSet() || o.isColumns()) && hasPlaces || o.explain
	return nil
}

// renderer returns the renderer that the flags describe.
func (o *options) renderer(cfg *extract.Config, edgesSet bool) (r renderer, err error) {
	r = renderer{
		cfg: cfg, terminator: '\n', numbered: o.numbered, unresolved: o.unresolved,
		noFragment: o.noFragment, redact: o.redact, unwrap: o.unwrap, domains: o.needsField("target_domain"), explain: o.explain, count: o.count, flags: new(flagReader),
	}
	plain := o.count == "" && !o.numbered && !o.explain && !cfg.TwoReadings
	switch {
	case o.isColumns():
		r.format = formatColumns
	case o.json:
		r.format = formatJSON
	case o.csv.isSet():
		r.format = formatCSV
	case o.frontier:
		r.format = formatFrontier
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
	columns := csvFields(cfg.TwoReadings, r.canonical != nil, r.unwrap)
	if o.isColumns() {
		columns = columnFields(columns)
	}
	if o.fields != nil {
		r.chosen = true
		columns = fieldsNamed(o.fields...)
	}
	r.columns = layoutOf(columns)
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

// typeNames lists the short names that --type accepts for media types.
func typeNames() string {
	return strings.Join(slices.Sorted(maps.Keys(new(extract.Config).Aliases())), ", ")
}

// parseType parses a media type, or the short name of one.
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

// The values of flags with a fixed set of values.
var (
	formatValues      = []string{"text", "json", "csv", "tsv", "edges", "arrow"}
	countValues       = []string{"url", "host", "domain", "host-pair", "domain-pair"}
	abbreviatedValues = []string{"true", "false", "all"}
	domainsValues     = []string{"true", "false", "strong"}
	preferValues      = []string{"all", "html", "text"}
	siteValues        = []string{"same", "off"}
	colorValues       = []string{"auto", "always", "never"}
)

// applyFormat sets the flag that corresponds to the value of --format.
func (o *options) applyFormat() error {
	switch o.format {
	case "", "text":
	case "json":
		o.json = true
	case "csv", "tsv":
		o.csv = "true"
	case "edges":
		o.edges = true
	case "arrow":
		o.arrow = true
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

// applyFields checks --fields, and sets the flags that the chosen fields need.
func (o *options) applyFields() error {
	if !o.csv.isSet() && !o.isColumns() {
		if o.json || o.edges || o.format != "" {
			return errors.New("--fields requires --csv, --format tsv, --arrow or --parquet")
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
		case "unwrapped", "unwrapped_host":
			o.unwrap = true
		case "canonical", "domain":
			if o.canonical == nil {
				return fmt.Errorf("--fields %s requires --canonical", name)
			}
		case "browser_url":
			if !o.cfg.TwoReadings {
				return fmt.Errorf("--fields %s requires --two-readings", name)
			}
		}
	}
	return nil
}
