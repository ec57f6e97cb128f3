package searchcmd

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/refract/base"
	"example.org/refract/cmd/refract/internal/archived"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/distinct"
	"example.org/refract/cmd/refract/internal/filter"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/extract"
	"example.org/refract/extract/message"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/input"
	"example.org/refract/internal/site/gen"
	"example.org/refract/resolve"
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
	damaged   string // file for the list of --damaged; "" is none
	formatOptions
	workOptions
	distinctOptions
	urlOptions
	filters filter.Flags
	textOptions
	fileOptions
}

// formatOptions select the form of the output.
type formatOptions struct {
	numbered, explain, null, edges bool
	frontier                       bool
	csv                            cli.Choice
	format                         string   // --format; "" leaves it to the other flags
	fields                         []string // --fields; nil: the usual columns
	columnOptions
}

// workOptions are for work that several processes share, or that may be interrupted.
type workOptions struct {
	list       string // --files-from
	byteRange  string // --range
	split      cli.ByteSize
	checkpoint string
}

// distinctOptions select unique URLs, or counts.
type distinctOptions struct {
	unique    cli.Choice
	count     string
	memory    cli.ByteSize
	canonical []string
	archived  archived.Flags // Indexes: --archived
}

// urlOptions select which URLs are printed, and in which form.
type urlOptions struct {
	unresolved, noFragment, redact, unwrap bool

	color string
}

// textOptions control how documents are read.
type textOptions struct {
	prefer, join, known string
	also                []string
	undo                []string
}

// fileOptions select which files are read, and what is reported about them.
type fileOptions struct {
	walk          input.Options
	archives      bool
	strict, quiet bool
	failsFound    bool
	lineBuffered  bool
	jobs          int
}

// flags returns the flags of the main command. readRules sets the rules from them.
func (o *options) flags() (all []cli.Flag, readRules func() error) {
	o.cfg.Default.From, o.cfg.Retrieved.From = "--base", "--url"
	resolution, readRules := resolutionFlag(&o.cfg)
	return slices.Concat(
		o.inputFlags(), o.foundFlags(), o.baseFlags(resolution), o.filters.Flags(),
		o.outputFlags(), o.limitFlags(), helpFlags(&o.version)), readRules
}

func (o *options) inputFlags() []cli.Flag {
	o.prefer = "all"
	return cli.InGroup("Input", []cli.Flag{
		{Name: "type", Short: "t", Var: &o.cfg.Type, Values: cli.TypeNames,
			Brief: "read the inputs as `TYPE`, such as html (default: by name and first bytes)",
			Help:  "read the inputs as `TYPE`, such as html, eml or \"text/plain; charset=koi8-r\":\nsee \"refract help types\" (default: by name and first bytes)"},
		{Name: "glob", Short: "g", Var: &o.walk.Globs, Help: "read only files that match `GLOB`; !GLOB excludes files"},
		{Name: "hidden", Var: &o.walk.Hidden, Help: "also read hidden files and directories"},
		{Name: "no-ignore", Var: &o.walk.NoIgnore, Help: "do not read .gitignore, .ignore and .rgignore"},
		{Name: "archives", Var: &o.archives,
			Help: "in directories, also read the files in ZIP and tar archives (.jar, .whl, .tar.gz\nand the like)"},
		{Name: "files-from", Var: &o.list,
			Help: "read names of inputs from `FILE` (- is standard input), one per line, or as\n{\"path\":…, \"name\":…, \"url\":…, \"range\":…}. Implies --edges"},
		{Name: "range", Topic: cli.LargeRuns, Var: &o.byteRange,
			Help: "read only the messages or records of an archive (in .gz: the gzip members) that begin\nin bytes `START:END`, END excluded"},
		{Name: "prefer", Var: &o.prefer, Values: cli.Fixed(preferValues...), Help: "of alternative bodies of a message, read `FORM`: all, html or text"},
		{Name: "generator", Var: &o.generator, Values: cli.GeneratorNames,
			Brief: "look only for the configuration of site generator `NAME`, or for none",
			Help:  "read Markdown as site generator `NAME` in directories with its configuration;\nnone: always as GitHub (see \"refract help generators\")"},
	})
}

func (o *options) foundFlags() []cli.Flag {
	o.join = "mail"
	return cli.InGroup("What is found", []cli.Flag{
		{Name: "also", Var: &o.also, Values: extraNames,
			Help: "also find `WHAT`: " + strings.Join(extraNames(), ", ") + ":\nsee \"refract help also\""},
		{Name: "undo", Var: &o.undo, Values: extract.UndoNames,
			Help: "undo an `ENCODING` first: " + strings.Join(extract.UndoNames(), ", ") + ":\nsee \"refract help also\""},
		{Name: "join", Var: &o.join, Values: cli.Fixed(joinValues...),
			Help: "join wrapped URLs `WHEN`: never, proven (the whole URL occurs nearby in the file or in\n--known), mail (proven, in messages only), archive (or anywhere in the inputs, which are\nread twice), likely (also by the form of the next line)"},
		{Name: "known", Var: &o.known,
			Help: "with --join: known URLs, one per line of `FILE`, such as an earlier output"},
		{Name: "details", Var: &o.cfg.Details, Help: "in --json: also text, rel, hreflang and type of links"},
	})
}

func (o *options) baseFlags(resolution cli.Flag) []cli.Flag {
	return cli.InGroup("Bases and resolution", []cli.Flag{
		{Name: "base", Var: &o.cfg.Default.URI, Shared: true, Config: cli.Named,
			Brief: "base `URL` for documents that have none",
			Help:  "base `URL` for documents that have none (RFC 3986 section 5.1.4)"},
		{Name: "url", Var: &o.cfg.Retrieved.URI,
			Brief: "the inputs were retrieved from `URL`",
			Help:  "`URL` from which the input was retrieved (section 5.1.3); {message-id} stands\nfor that of each message"},
		{Name: "published", Var: &o.publish,
			Help: "files were retrieved from the URLs at which their site generator publishes them\n(see \"refract audit --routes\")"},
		{Name: "file-base", Var: &o.fileBase, Help: "files were retrieved from their file: URL"},
		resolution,
		{Name: "parser-differences", Var: &o.cfg.ParserDifferences, Shared: true, Config: cli.Named,
			Help: "print only URLs in which browsers find another host or path, a tab, and the URL of\nbrowsers; --json prints all URLs"},
	})
}

func (o *options) outputFlags() []cli.Flag {
	o.color, o.fileSize, o.dataURLs = "auto", 128<<20, "short"
	o.csv, o.unique = cli.Choice{Values: []string{"excel", "raw"}, Hint: "; --fields chooses columns"}, cli.Choice{Values: []string{sorted, earliest, first, last}}
	return cli.InGroup("Output", slices.Concat([]cli.Flag{
		{Name: "format", Var: &o.format, Not: "json csv edges parquet", Values: output.SearchForms,
			Brief: "output `FORMAT`: text, json, csv, tsv, edges, frontier, arrow (default text)",
			Help:  "output `FORMAT`: text, json, csv, tsv, edges, frontier (what a crawler may visit next),\narrow (default text)"},
		{Name: "line-number", Short: "n", Var: &o.numbered, Help: "print file:line:column: before each URL; columns count bytes"},
		{Name: "json", Var: &o.json, Shared: true, Not: "csv edges parquet", Config: cli.Named, Help: "print one JSON object per line: see \"refract help json\""},
		{Name: "csv", Var: &o.csv, Not: "edges parquet", Values: cli.Fixed(o.csv.Values...), None: "true", NextWord: cli.Fixed("excel", "raw", "true", "false"),
			Help: "print comma-separated values with a header; --csv=excel: as Excel reads them; --csv=raw:\nno apostrophe before cells that spreadsheets would compute"},
		{Name: "parquet", Var: &o.parquet,
			Help: "write typed columns to `PATH`: a file if it ends in .parquet, with notes and errors\nbeside it; otherwise a directory"},
		{Name: "file-size", Topic: cli.LargeRuns, Var: &o.fileSize, Help: "with --parquet DIR: begin another file at about `SIZE`"},
		{Name: "sort-by", Topic: cli.LargeRuns, Var: &o.sortBy, Values: cli.Fixed(output.SortKeys...),
			Help: "with --parquet: sort rows by `KEY`, url or host (by registered domain, host, URL),\nfor faster lookups"},
		{Name: "data-urls", Topic: cli.LargeRuns, Var: &o.dataURLs, Values: cli.Fixed(dataValues...),
			Help: "with --format arrow and --parquet: `HOW` to store data: URLs: short (64 bytes) or full"},
		{Name: "fields", Var: &o.fields, Values: output.Selectable,
			Help: "columns of --csv, --parquet and --format tsv or arrow, in order: `FIELD`s of\n\"refract help json\""},
		{Name: "edges", Var: &o.edges, Not: "parquet", Help: "print document (its URL, if known, else its file), URL and kind, separated by tabs"},
		{Name: "null", Short: "0", Var: &o.null, Help: "end each URL with a NUL byte instead of a line break"},
		{Name: "explain", Var: &o.explain, Not: "null count", Help: "print below each URL its place, its base and what decided"},
		{Name: "output", Short: "o", Var: &o.output,
			Brief: "write to `FILE`, which appears when it is complete",
			Help:  "write to `FILE`, which appears when it is complete; never to an input or another\nprogram's document"},
		{Name: "html", Var: &o.html,
			Brief: "also write an HTML page to `FILE`",
			Help:  "also write an HTML page to `FILE`: counts, and a table to search, filter and export"},
		{Name: "damaged", Topic: cli.LargeRuns, Var: &o.damaged, Not: "checkpoint split",
			Help: "also list damaged inputs and records of web archives in `FILE`, for refetching: CSV with\nranges and known URLs"},
		{Name: "unique", Var: &o.unique, Not: "count archived", Values: cli.Fixed(o.unique.Values...), None: "true",
			Brief: "print each URL (or edge) once, when it first appears",
			Help:  "print each URL (or edge) once, when it first appears; those beyond --memory at the\nend. `HOW`: sorted; earliest (the reference with the first date); first or last (sorted\nby that date, with first and last date, messages and senders)"},
		{Name: "archived", Var: &o.archived.Indexes, Each: true, Not: "count edges fields parquet line-number explain null unresolved parser-differences unwrap checkpoint canonical html",
			Brief: "print each URL once, with its captures in `INDEX`: of a web archive",
			Help:  "print each URL once, with its captures before and after its date (or --at) in `INDEX`:\nCDX, CDXJ, WACZ or WARC files, or directories"},
	}, o.archived.List("--archived"), []cli.Flag{
		{Name: "count", Var: &o.count, Not: "fields line-number unresolved parser-differences unwrap", Values: countValues,
			Brief: "count each `WHAT`: url, host, domain, month",
			Help:  "count each `WHAT`, most frequent first: url, host, domain (registered), host-pair or\ndomain-pair (document and URL), or a list of FIELDs, month, year, sender and list,\nas in month,domain"},
		{Name: "canonical", Var: &o.canonical, Values: cli.CanonicalNames, None: "normal",
			Help: "add a key to each URL, also for --unique and --count, by " + cli.CanonicalHelp},
		{Name: "line-buffered", Var: &o.lineBuffered,
			Brief: "write each line at once",
			Help:  "write each line at once"},
		{Name: "unresolved", Var: &o.unresolved, Help: "also print references that have no base, as written"},
		{Name: "no-fragment", Var: &o.noFragment, Help: "remove fragments from URLs"},
		{Name: "unwrap", Var: &o.unwrap,
			Help: "also print, after a tab, the target of a URL that a mail filter, search engine, AMP cache\nor web archive has wrapped"},
		{Name: "redact", Var: &o.redact, Help: "print *** for passwords"},
		{Name: "iri", Var: &o.cfg.IRI, Help: "do not escape non-ASCII characters in URLs"},
		{Name: "color", Var: &o.color, Shared: true, Values: cli.Fixed(cli.ColorValues...), Config: cli.Named,
			Help: "use colours `WHEN`: auto (on a terminal, unless NO_COLOR is set), always, never"},
		{Name: "strict", Var: &o.strict, Help: "exit 1 for notes, and note malformed documents"},
		{Name: "fail-if-found", Var: &o.failsFound, Not: "split", Help: "exit 1 if a reference is printed"},
		{Name: "quiet", Short: "q", Var: &o.quiet, Help: "suppress the summary and progress"},
	}))
}

func (o *options) limitFlags() []cli.Flag {
	o.cfg.Names = true
	o.jobs, o.memory, o.cfg.MaxEntity = runtime.NumCPU(), 256<<20, extract.MaxEntity
	return cli.InGroup("Limits", []cli.Flag{
		{Name: "jobs", Short: "j", Var: &o.jobs,
			Help: "process `N` inputs at a time (default: the number of processors)"},
		{Name: "memory", Var: &o.memory, Help: "memory for --unique, --count, --sort-by and the like: `SIZE`, such as 1G; the rest goes\nto disk"},
		{Name: "max-entity", Var: (*cli.ByteSize)(&o.cfg.MaxEntity), Help: "read documents larger than `SIZE` as running text, and messages in pieces"},
		{Name: "split", Topic: cli.LargeRuns, Var: &o.split, Not: "csv format edges explain count unique line-number null range checkpoint html",
			Help: "print lines for --files-from that divide archives into ranges of at least `SIZE`"},
		{Name: "checkpoint", Topic: cli.LargeRuns, Var: &o.checkpoint,
			Help: "with -o: record progress in `FILE`; the same command then continues from there"},
	})
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
		s.published, err = newPublished(&s.cfg, &o.walk, args)
		if err != nil {
			return err
		}
	}
	if cmd.Flags().Changed("split") {
		return s.split(args, int64(o.split))
	}
	if o.checkpoint == "" {
		return s.run(args)
	}
	c, complete, err := openCheckpoint(o.checkpoint, s.output, runOf(cmd, args), output.Replaceable(s.output))
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
	if err := o.applyFormat(flags); err != nil {
		return err
	}
	if _, err := base.Root(o.cfg.Rules, o.cfg.Retrieved, o.cfg.Default); err != nil {
		return cli.BadBase(err)
	}
	if o.publish && (o.fileBase || o.cfg.Retrieved.URI != "") {
		return errors.New("--published sets the URL of retrieval: leave out --url and --file-base")
	}
	if o.fileBase && o.cfg.Retrieved.URI != "" {
		return errors.New("--url and --file-base both set the URL of retrieval: use one")
	}
	if err := cli.CheckGlobs("--glob", o.walk.Globs); err != nil {
		return err
	}
	if o.jobs < 1 {
		return fmt.Errorf("--jobs %d: must be at least 1", o.jobs)
	}
	if err := o.validateDistinct(flags, args); err != nil {
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
	return cli.DistinctPlaces([]cli.Place{{Flag: "-o", Name: o.output}, {Flag: "--html", Name: o.html}, {Flag: "--damaged", Name: o.damaged}, {Flag: "--checkpoint", Name: o.checkpoint}, {Flag: "--parquet", Name: o.parquet}}, append(cli.ArgumentPlaces(args), cli.Place{Flag: "--files-from", Name: o.list}))
}

func (o *options) validateDistinct(flags *pflag.FlagSet, args []string) error {
	if o.count != "" && !slices.Contains(output.SimpleCounts, o.count) {
		for _, name := range strings.Split(o.count, ",") {
			if !slices.Contains(output.Countable(), name) {
				return cli.BadValue("--count", name, countValues())
			}
		}
	}
	if err := o.validateUnique(flags); err != nil {
		return err
	}
	if err := o.validateJoin(args); err != nil {
		return err
	}
	if err := o.validateArchived(); err != nil {
		return err
	}
	if o.memory < 1 {
		return fmt.Errorf("--memory %v: must be at least 1", o.memory)
	}
	if flags.Changed("memory") && !o.isDistinct() && o.sortBy == "" {
		return errors.New("--memory requires --unique, --count, --archived or --sort-by")
	}
	return nil
}

// validateJoin checks the flags about URLs that are broken over lines.
func (o *options) validateJoin(args []string) error {
	switch {
	case o.known != "" && (o.join == "never" || o.join == "mail"):
		return errors.New("--known requires --join proven, archive or likely")
	case o.join != joinArchive:
		return nil
	case slices.Contains(args, "-") || o.list == "-":
		return errors.New("--join archive: standard input cannot be read twice")
	case o.byteRange != "" || o.checkpoint != "" || o.split > 0:
		return errors.New("--join archive cannot be used with --range, --split and --checkpoint: the whole archive is the evidence")
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
	case o.filters.Mail.Thread != "":
		return errors.New("--checkpoint cannot be used with --thread")
	case o.filters.Mail.RelativeDates():
		return errors.New("--checkpoint: a run may continue on another day: give dates such as 2026-05-31")
	case slices.Contains(args, "-"):
		return errors.New("--checkpoint: standard input cannot be read again")
	}
	return nil
}

// search returns the run that the flags describe. Each flag must be valid by itself.
func (o *options) search(cmd *cobra.Command) (*search, error) {
	s := &search{
		stdout: cmd.OutOrStdout(), stderr: cmd.ErrOrStderr(), cfg: o.cfg, jobs: o.jobs, output: o.output,
		color: o.color, quiet: o.quiet, strict: o.strict, failsFound: o.failsFound, byLine: o.lineBuffered, fileBase: o.fileBase, archives: o.archives, twice: o.join == joinArchive, overview: newOverview(o.html), lost: newDamagedList(o.damaged),
	}
	s.jobsGiven = cmd.Flags().Changed("jobs")
	if err := cli.CheckGenerator(o.generator); err != nil {
		return nil, err
	}
	s.archived, s.sortMemory = o.archived, o.sortMemory()
	s.dialects.Finder = gen.Find(tree.Disk(), o.generator)
	s.inputs.walk, s.inputs.list, s.inputs.byteRange, s.inputs.rules = o.walk, o.list, o.byteRange, &s.cfg.Rules
	var err error
	s.filter, err = filter.Parse(&o.filters)
	if err != nil {
		return nil, err
	}
	if err := o.configure(&s.cfg); err != nil {
		return nil, err
	}
	if !o.quiet {
		for _, note := range cli.UnknownSchemes(o.filters.Schemes) {
			fmt.Fprintf(s.stderr, "refract: %s\n", note)
		}
	}
	s.filter.Records.Configure(&s.cfg)
	_, s.places = o.needRecords()
	s.cfg.Details = s.cfg.Details || s.filter.Rels.Any()
	if s.filter.Mail.Thread != nil {
		s.jobs = 1 // a message is recognised by earlier ones, so read in order
	}
	s.renderer, err = o.renderer(&s.cfg, cmd.Flags().Changed("format"))
	if err != nil {
		return nil, err
	}
	s.columns, err = output.NewColumns(o.arrow, o.parquet, int64(o.fileSize), o.sortBy, o.sortMemory(), s.renderer.Columns)
	if err != nil {
		return nil, err
	}
	if o.isDistinct() {
		s.distinct = &distinct.Set{Memory: int64(o.memory) - o.sortMemory()}
		switch {
		case o.count != "":
			s.distinct.Order = distinct.Count
		case s.renderer.Age != output.AnyAge:
			s.distinct.Order, s.distinct.Memory = distinct.Sorted, s.distinct.Memory/2 // the other half is for their order by date
		case o.unique.Value == sorted:
			s.distinct.Order = distinct.Sorted
		}
	}
	return s, nil
}

// columns returns the names of the fields that the output needs, besides those that it always has.
func (o *options) columnNames() []string {
	if o.count == "" || slices.Contains(output.SimpleCounts, o.count) {
		return o.fields
	}
	return strings.Split(o.count, ",")
}

// configure applies the flags that control how documents are read.
func (o *options) configure(cfg *extract.Config) (err error) {
	if err := setExtras(o.also, cfg); err != nil {
		return err
	}
	cfg.Undo, err = parseUndo(o.undo)
	if err != nil {
		return err
	}
	cfg.Type, err = cli.ParseType(cfg.Type)
	if err != nil {
		return err
	}
	cfg.Prefer, err = parsePrefer(o.prefer)
	if err != nil {
		return err
	}
	cfg.Join, err = parseJoin(o.join)
	if err != nil {
		return err
	}
	if o.known != "" {
		cfg.Known, err = readKnown(o.known)
		if err != nil {
			return err
		}
	}
	cfg.Messages = o.html != "" || o.age() != output.AnyAge || o.filters.Mail.NeedMessages() || strings.Contains(cfg.Retrieved.URI, "{message-id}") ||
		slices.ContainsFunc(o.columnNames(), output.CountsMessages)
	cfg.Records, _ = o.needRecords()
	cfg.Detect, cfg.Charsets, cfg.Robots = o.needsField("detected_type"), o.needsField("charset"), o.frontier || o.needsField("robots")
	cfg.Cite = o.json || o.filters.Mail.NotQuoted || slices.Contains(o.columnNames(), "quoted") || slices.Contains(o.columnNames(), "target_part")
	hasPlaces := o.columnNames() == nil || slices.ContainsFunc(o.columnNames(), func(name string) bool {
		return slices.Contains([]string{"line", "column", "part_line", "part_column"}, name)
	})
	cfg.Lines = o.html != "" || o.numbered || o.json || (o.csv.IsSet() || o.isColumns() || o.count != "" && o.columnNames() != nil) && hasPlaces || o.explain
	return nil
}

// renderer returns the renderer that the flags describe.
func (o *options) renderer(cfg *extract.Config, isFormatGiven bool) (r output.Renderer, err error) {
	r = output.Renderer{
		Config: cfg, Format: output.Text, Terminator: '\n', Numbered: o.numbered, Unresolved: o.unresolved,
		NoFragment: o.noFragment, Redact: o.redact, Unwrap: o.unwrap, Domains: o.needsField("target_domain"), Explain: o.explain, Count: o.count, Age: o.age(), Flags: new(output.FlagReader), WholeData: o.dataURLs == "full",
	}
	plain := o.count == "" && o.age() == output.AnyAge && !o.numbered && !o.explain && !cfg.ParserDifferences
	switch {
	case o.isColumns():
		r.Format = output.Columns
	case o.json:
		r.Format = output.JSON
	case o.csv.IsSet():
		r.Format = output.CSV
	case o.frontier:
		r.Format = output.Frontier
	case o.edges, o.list != "" && !isFormatGiven && plain:
		r.Format = output.Edges
	}
	if o.null {
		r.Terminator = 0
	}
	r.Canonical, err = cli.ParseCanonical(o.canonical)
	r.Cells = output.FormNamed(o.format).Cells
	switch o.csv.Value {
	case "excel":
		r.Cells = output.ExcelCSV
	case "raw":
		r.Cells = output.RawCSV
	}
	columns := r.CSVFields()
	if o.isColumns() {
		columns = output.ColumnFields(columns)
	}
	if o.fields != nil {
		r.Chosen = true
		columns = output.FieldsNamed(o.fields...)
	}
	r.Columns = output.LayoutOf(columns)
	r.Prepare()
	return r, err
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
	return 0, cli.BadValue("--prefer", s, preferValues)
}

func parseUndo(names []string) (undo extract.Undo, err error) {
	for _, name := range names {
		i := slices.Index(extract.UndoNames(), strings.ToLower(name))
		if i < 0 {
			return 0, cli.BadValue("--undo", name, extract.UndoNames())
		}
		undo |= 1 << i
	}
	return undo, nil
}

// helpFlags returns the flags for help. -h has a name, too, which nobody needs.
func helpFlags(version *bool) []cli.Flag {
	var help, brief bool
	return append(cli.InGroup("Help", []cli.Flag{
		cli.Flag{Name: "help", Var: &help, Shared: true, Config: cli.Never, Help: "-h prints the common flags, --help all flags"},
		{Name: "version", Short: "V", Var: version, Shared: true, Config: cli.Never, Help: "print the version, commit and Go release of this program"}}),
		cli.Flag{Name: "brief-help", Short: "h", Var: &brief, Shared: true, Config: cli.Never, Help: "the common flags"})
}

// countValues returns the names that --count takes.
func countValues() []string {
	return slices.Concat(output.SimpleCounts, slices.DeleteFunc(output.Countable(), func(name string) bool { return slices.Contains(output.SimpleCounts, name) }))
}

// The values of flags with a fixed set of values.
var (
	joinValues   = []string{"never", "mail", "proven", "likely", joinArchive} // in the order of extract.Join
	preferValues = []string{"all", "html", "text"}
)

// resolutionFlag returns --resolution. read sets the rules of cfg from it.
func resolutionFlag(cfg *extract.Config) (flag cli.Flag, read func() error) {
	text := "rfc3986"
	flag = cli.Flag{Name: "resolution", Var: &text, Shared: true, Values: resolve.RulesNames, Config: cli.Found, OfRevision: true,
		Brief: "resolution algorithm `RULES`, such as rfc1808 or whatwg",
		Help:  "resolution algorithm `RULES`: " + strings.Join(resolve.RulesNames(), ", ") + ";\nsingle points after commas, as in rfc3986,above-root=retain: see \"refract help resolution\""}
	return flag, func() (err error) {
		cfg.Rules, err = resolve.ParseRules(text)
		if err != nil {
			return cli.Listed(fmt.Errorf("--resolution %s", strings.TrimPrefix(err.Error(), "resolve: ")))
		}
		if cfg.ParserDifferences && cfg.Rules.Browser {
			return errors.New("--parser-differences compares RFC 3986 with browsers: leave out --resolution whatwg")
		}
		return nil
	}
}
