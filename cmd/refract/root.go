package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"example.org/refract/base"
	"example.org/refract/cmd/refract/internal/distinct"
	"example.org/refract/delimit"
	"example.org/refract/extract"
	"example.org/refract/extract/message"
	"example.org/refract/resolve"
)

const rootHelp = `Refract finds URL references in documents and resolves them: one absolute URL
a line, in the order of the text.

In text, references are found as people delimit them: in <angle brackets> or
"quotes", broken over lines or not, behind URL:, or bare in a sentence;
www.example.org is short for http://www.example.org. In HTML, XHTML, SVG and CSS they
are what a browser sees, and <base> is obeyed; in Markdown, what GitHub makes links
and images of. Messages of mail and news, their archives (mbox, Maildir, MH, rnews) and
saved pages (MHTML) are taken apart, decoded, and read part by part, with the base that
their headings give. Directories are walked as ripgrep walks them,
.gz, .bz2, .xz, .zst and .Z are read through, and without an argument refract reads a
pipe. Nothing is ever fetched.`

const rootExamples = `  refract letter.txt                  every URL of a text
  refract -n docs/ | sort -u          with file:line:column in front
  refract --unique --scheme https .   each https URL once
  refract --json mail.txt             where each stands, and why it means what it does
  refract --prefer html list.mbox     the links of an archive of mail
  zcat log.gz | refract --host example.org
  refract --count domain .            which sites are referred to most
  find . -name '*.html' | refract --files-from -    an edge a line, for a graph
  refract --split 1000000000 list.mbox              an archive for several workers
  refract --url http://h/d/ page.html   what a saved page refers to
  refract --base http://h/d/ a.txt    resolve relative references too: <URL:../x>
  refract --explain letter.txt        with what decided under each
  refract resolve --base http://a/b/c ../d`

const rootUsage = `Usage:
  refract [flags] [FILE|DIR|-]...       find and resolve
  refract resolve --base URL [REF]...   resolve references that are given
  refract normalize [URL]...            normal forms, and keys to compare by
  refract audit [DIR|FILE]...           broken relative links of a tree of documents
  refract lsp                           the same, served to an editor

Examples:
{{.Example}}
{{if .HasAvailableLocalFlags}}
Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}
Exit status: 0, also when nothing was found; 1 for notes under --strict and findings of
audit; 2 when something could not be read, the rest having been processed.

"refract help rules" explains --rules and its knobs, "refract help json" the lines
of --json, "refract help labels" what there is to beware of, "refract help schemes"
what is known of each. A file that is called like a subcommand is given as ./resolve.
`

func newRoot(stdout, stderr io.Writer) *cobra.Command {
	f := &finder{stdout: stdout, stderr: stderr, terminator: '\n'}
	f.cfg.Default.From, f.cfg.Retrieved.From = "--base", "--url"
	var (
		abbreviated = "true"
		filters     filterFlags
		canonical   []string
		memory      int64
		checkpoint  string
		split       int64
		sorted      bool
		asEdges     bool
		asJSON      bool
		asCSV       bool
		null        bool
		numbered    bool
		undo        []string
		prefer      string
	)
	root := &cobra.Command{
		Use:           "refract [flags] [FILE|DIR|-]...",
		Short:         "Find URL references in documents and resolve them",
		Long:          rootHelp,
		Example:       rootExamples,
		Version:       version(),
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.from != "" && len(args) > 0 {
				return errors.New("--files-from gives the inputs: leave out arguments")
			}
			if len(args) == 0 && f.from == "" {
				if term.IsTerminal(int(os.Stdin.Fd())) {
					return cmd.Help()
				}
				args = []string{"-"}
			}
			var err error
			if f.cfg.Text.Abbreviated, err = parseAbbreviated(abbreviated); err != nil {
				return err
			}
			if f.filter, err = parseFilter(&filters); err != nil {
				return err
			}
			if f.cfg.Undo, err = parseUndo(undo); err != nil {
				return err
			}
			if f.cfg.Type, err = parseType(f.cfg.Type); err != nil {
				return err
			}
			if _, err = base.Root(f.cfg.Rules, f.cfg.Retrieved, f.cfg.Default); err != nil {
				return err
			}
			if f.fileBase && f.cfg.Retrieved.URI != "" {
				return errors.New("--url and --file-base both give the URL of retrieval: use one")
			}
			if f.jobs < 1 {
				return fmt.Errorf("--jobs %d: at least 1 is needed", f.jobs)
			}
			switch {
			case asJSON:
				f.format = formatJSON
			case asCSV:
				f.format = formatCSV
			case asEdges, f.from != "" && !cmd.Flags().Changed("edges") && f.count == "" && !numbered && !f.explains && !f.cfg.TwoReadings:
				f.format = formatEdges
			}
			if null {
				f.terminator = 0
			}
			if f.canonical, err = parseCanonical(canonical); err != nil {
				return err
			}
			if f.count != "" && !slices.Contains([]string{"url", "host", "domain"}, f.count) {
				return fmt.Errorf("--count %q: give url, host or domain", f.count)
			}
			if sorted && !f.unique {
				return errors.New("--sort is for --unique")
			}
			if memory < 1 {
				return fmt.Errorf("--memory %d: at least 1 is needed", memory)
			}
			if cmd.Flags().Changed("memory") && !f.unique && f.count == "" {
				return errors.New("--memory is for --unique and --count")
			}
			if f.unique || f.count != "" {
				f.set = &distinct.Set{Memory: memory}
				switch {
				case f.count != "":
					f.set.Order = distinct.Count
				case sorted:
					f.set.Order = distinct.Sorted
				}
			}
			if f.cfg.Prefer, err = parsePrefer(prefer); err != nil {
				return err
			}
			f.cfg.Cite = asJSON || strings.Contains(f.cfg.Retrieved.URI, "{message-id}")
			f.numbered = numbered
			f.cfg.Lines = numbered || asJSON || asCSV || f.explains
			f.cfg.Details = f.cfg.Details || f.filter.rels.any()
			if f.span != "" {
				if f.from != "" || len(args) != 1 || args[0] == "-" {
					return errors.New("--range is for one file: give its name")
				}
				if _, err := parseCut(f.span); err != nil {
					return fmt.Errorf("--%w", err)
				}
			}
			if cmd.Flags().Changed("split") {
				if split < 1 {
					return fmt.Errorf("--split %d: at least 1 is needed", split)
				}
				return f.splitInputs(args, split)
			}
			if checkpoint != "" {
				switch {
				case f.output == "":
					return errors.New("--checkpoint is for a run with -o FILE")
				case f.set != nil:
					return errors.New("--checkpoint does not keep what --unique and --count have seen: leave them out")
				case sameName(checkpoint, f.output), sameName(checkpoint, f.output+".part"), sameName(checkpoint+".part", f.output):
					return errors.New("--checkpoint and -o: give two files")
				case slices.Contains(args, "-"):
					return errors.New("--checkpoint: standard input cannot be read again")
				}
				var complete bool
				if name, err := filepath.EvalSymlinks(f.output); err == nil {
					f.output = name // where a link leads
				}
				if f.resume, complete, err = openCheckpoint(checkpoint, f.output, runOf(cmd, args)); err != nil {
					return err
				}
				if complete {
					var total page
					f.resume.restore(&total)
					if err = f.resume.commit(f.output, &total); err != nil {
						return err
					}
					return f.ended(&total)
				}
			}
			return f.run(args)
		},
	}
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetVersionTemplate("refract {{.Version}}\n")

	p := root.PersistentFlags()
	p.SortFlags = false
	p.StringVar(&f.cfg.Default.URI, "base", "", "base `URL` where a document has none (section 5.1.4)")
	addRules(root, &f.cfg.Rules)
	p.BoolVar(&f.cfg.TwoReadings, "two-readings", false, "only what browsers take to another host or path than RFC 3986:\nthe URL, a tab, and that of browsers; --json has all, labelled")
	p.BoolVar(&asJSON, "json", false, "one JSON object a line")

	l := root.Flags()
	l.SortFlags = false
	l.StringVar(&f.cfg.Retrieved.URI, "url", "", "`URL` by which the input was retrieved (section 5.1.3); in an archive of\nmail {message-id} in it stands for that of each message")
	l.BoolVar(&f.fileBase, "file-base", false, "files were retrieved by their file: URL")
	l.BoolVarP(&numbered, "line-number", "n", false, "put file:line:column: in front; columns count bytes")
	l.BoolVar(&f.explains, "explain", false, "say under each URL where it stands, its base and what decided")
	l.BoolVar(&asCSV, "csv", false, "comma-separated values, with a header line")
	l.BoolVarP(&null, "null", "0", false, "end each URL with a NUL byte instead of a line break")
	l.StringVarP(&f.output, "output", "o", "", "write to `FILE`, which appears when it is complete")
	l.BoolVar(&asEdges, "edges", false, "document, tab, URL, tab, kind: a document is named by its URL, if it is\nknown, otherwise by its file")
	l.StringVar(&f.from, "files-from", "", "read the names of inputs from `FILE` (- is standard input), a line each, or\n{\"path\":…, \"name\":…, \"url\":…, \"range\":…}: for workers that are called by a\npipe. --edges is the default then, each input is put out before the next is\nread, and one that cannot be read is counted")
	l.StringVar(&f.span, "range", "", "only what begins from byte START to before END of an archive, `START:END`:\nmessages, records, or of gzip members; what is no archive begins at 0")
	l.Int64Var(&split, "split", 0, "print, instead of references, lines for --files-from that cut archives into\nranges of at least `BYTES`, for workers that share them")
	l.StringVar(&checkpoint, "checkpoint", "", "with -o: note in `FILE` how far the run has come; the same command goes on\nfrom there")
	l.BoolVar(&f.unique, "unique", false, "print each URL, or edge, once, when it first appears; those beyond\n--memory at the end")
	l.BoolVar(&sorted, "sort", false, "with --unique: print them at the end, sorted")
	l.StringVar(&f.count, "count", "", "print how often each `WHAT` appears, the most frequent first: url, host or\ndomain (the registered one)")
	l.Int64Var(&memory, "memory", 256<<20, "`BYTES` for --unique and --count; what does not fit goes to disk")
	l.StringSliceVar(&canonical, "canonical", nil, "put the key of refract normalize beside each URL, and go by it in --unique\nand --count; `FORM`s, by its flags: normal, no-fragment, no-index,\nno-tracking, no-trailing-dot, sort-query, short-ipv6, ascii, unicode, surt")
	l.Lookup("canonical").NoOptDefVal = "normal"
	l.BoolVar(&f.unresolved, "unresolved", false, "print references that have no base, as they are written")
	l.BoolVar(&f.noFragment, "no-fragment", false, "cut URLs at \"#\"")
	l.BoolVar(&f.redact, "redact", false, "print *** for passwords")
	l.BoolVar(&f.cfg.IRI, "iri", false, "keep what is not ASCII in URLs as it is")
	filters.flags(l)
	l.StringVarP(&f.cfg.Type, "type", "t", "", "`TYPE` of the inputs: "+strings.Join(slices.Sorted(maps.Keys(shortTypes)), ", ")+", or a media type:\n\"text/plain; charset=koi8-r\" (default: by name and first bytes)")
	l.BoolVar(&f.cfg.Details, "details", false, "also the text of links in HTML and Markdown, and of HTML rel, hreflang\nand type (--json)")
	l.StringVar(&prefer, "prefer", "all", "of mail in several forms, only `FORM`: all, html or text")
	l.BoolVar(&f.cfg.Conditional, "conditional", false, "of HTML, also what conditional comments hold")
	l.BoolVar(&f.cfg.JSONLD, "json-ld", false, "of HTML, also what looks like a URL in JSON-LD")
	l.BoolVar(&f.cfg.WikiLinks, "wiki-links", false, "of Markdown, also [[page]] and ![[file]]")
	l.BoolVar(&f.cfg.MDX, "mdx", false, "of Markdown, also imports, and href, src and to of components")
	l.Int64Var(&f.cfg.MaxEntity, "max-entity", extract.MaxEntity, "a document of more `BYTES` is scanned as running text")
	l.StringVar(&abbreviated, "abbreviated", "true", "find www.example.org: true, false, or all for ftp.example.org too")
	l.Lookup("abbreviated").NoOptDefVal = "true"
	l.BoolVar(&f.cfg.Text.Domains, "domains", false, "find example.org/x too; README.md and main.rs are none")
	l.BoolVar(&f.cfg.Text.Addresses, "addresses", false, "find ann@example.org too, as mailto:")
	l.StringSliceVar(&undo, "undo", nil, "undo ways of `WRITING` first: "+strings.Join(extract.UndoNames(), ", ")+"\n(colours, \\/ and \\u0026, &amp;, hxxp and [.])")
	l.BoolVar(&f.cfg.Text.JoinQuotedBlanks, "join-quoted-blanks", false, "ignore every blank within \"...\" (Appendix E to the letter)")
	l.StringSliceVarP(&f.files.Globs, "glob", "g", nil, "only files that match `GLOB`; !GLOB leaves them out")
	l.BoolVar(&f.files.Hidden, "hidden", false, "also hidden files and directories")
	l.BoolVar(&f.files.NoIgnore, "no-ignore", false, "ignore files have no say")
	l.BoolVar(&f.strict, "strict", false, "print notes about odd documents, and exit with 1 if there are any")
	l.IntVarP(&f.jobs, "jobs", "j", runtime.NumCPU(), "`N` pieces of input are worked on at a time; output is the same for any")
	l.BoolVarP(&f.quiet, "quiet", "q", false, "do not say what was left out")
	root.MarkFlagsMutuallyExclusive("json", "csv", "null")
	root.MarkFlagsMutuallyExclusive("json", "csv", "edges")
	for _, form := range []string{"csv", "null", "edges", "count"} {
		root.MarkFlagsMutuallyExclusive("explain", form)
	}
	for _, form := range []string{"unique", "edges", "line-number", "unresolved", "two-readings"} {
		root.MarkFlagsMutuallyExclusive("count", form)
	}
	for _, form := range []string{"json", "csv", "edges", "explain", "count", "unique", "line-number", "null", "range", "checkpoint"} {
		root.MarkFlagsMutuallyExclusive("split", form)
	}
	root.MarkFlagsMutuallyExclusive("edges", "line-number")
	root.MarkFlagsMutuallyExclusive("edges", "two-readings")

	root.SetUsageTemplate(rootUsage)
	root.AddCommand(newResolve(&f.cfg, &asJSON), newNormalize(&asJSON), newAudit(&f.cfg, &asJSON), newLSP(&f.cfg), rulesTopic(), schemesTopic(), labelsTopic, jsonTopic)
	for _, c := range root.Commands() {
		c.SetUsageTemplate(new(cobra.Command).UsageTemplate())
	}
	return root
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
	return 0, fmt.Errorf("--abbreviated %q: give true, false or all", s)
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
	return 0, fmt.Errorf("--prefer %q: give all, html or text", s)
}

func parseUndo(names []string) (undo extract.Undo, err error) {
	for _, name := range names {
		i := slices.Index(extract.UndoNames(), strings.ToLower(name))
		if i < 0 {
			return 0, fmt.Errorf("--undo %q: give one of %s", name, strings.Join(extract.UndoNames(), ", "))
		}
		undo |= 1 << i
	}
	return undo, nil
}

// shortTypes are names for media types.
var shortTypes = map[string]string{
	"text": "text/plain", "html": "text/html", "xml": "application/xml", "xhtml": "application/xhtml+xml", "svg": "image/svg+xml", "css": "text/css",
	"markdown": "text/markdown", "mail": "message/rfc822", "mbox": "application/mbox", "mhtml": "multipart/related",
	"news": "application/x-rnews", "warc": "application/warc",
}

// parseType reads a media type, or the short name of one.
func parseType(s string) (string, error) {
	if t, ok := shortTypes[s]; ok || s == "" {
		return t, nil
	}
	if !strings.Contains(s, "/") {
		return "", fmt.Errorf("--type %q: give one of %s, or a media type", s, strings.Join(slices.Sorted(maps.Keys(shortTypes)), ", "))
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

// addRules adds --rules and a flag for each of its knobs.
func addRules(cmd *cobra.Command, rules *resolve.Rules) {
	var (
		name  string
		turns []func() error
	)
	p := cmd.PersistentFlags()
	p.StringVar(&name, "rules", "rfc3986", "resolve by the `RULES` of one document: "+strings.Join(resolve.Names(), ", "))
	for _, k := range resolve.Knobs() {
		value := p.String(k.Name, k.Values[0], k.Doc+": "+strings.Join(k.Values, ", "))
		if k.Name != "above-root" && k.Name != "same-scheme" {
			p.MarkHidden(k.Name)
		}
		turns = append(turns, func() error {
			if !p.Changed(k.Name) {
				return nil
			}
			if !slices.Contains(k.Values, *value) {
				return fmt.Errorf("--%s %q: give %s", k.Name, *value, strings.Join(k.Values, " or "))
			}
			if rules.Browser {
				return fmt.Errorf("--%s: the rules of browsers have no knobs: leave out --rules whatwg", k.Name)
			}
			return rules.Set(k.Name, *value)
		})
	}
	cmd.PersistentPreRunE = func(*cobra.Command, []string) error {
		named, ok := resolve.Named(name)
		if !ok {
			return fmt.Errorf("--rules %q: give one of %s", name, strings.Join(resolve.Names(), ", "))
		}
		*rules = named
		for _, turn := range turns {
			if err := turn(); err != nil {
				return err
			}
		}
		if two, _ := p.GetBool("two-readings"); two && rules.Browser {
			return errors.New("--two-readings compares RFC 3986 with browsers: leave out --rules whatwg")
		}
		return nil
	}
}

func rulesTopic() *cobra.Command {
	var b strings.Builder
	b.WriteString("--rules takes the rules of one document. Where they differ, single flags overrule it:\n\n")
	for _, k := range resolve.Knobs() {
		fmt.Fprintf(&b, "  --%s %s\n        %s\n", k.Name, strings.Join(k.Values, "|"), k.Doc)
	}
	b.WriteString("\nThe first value is that of rfc3986.\n\n")
	knobs := resolve.Knobs()
	for _, name := range resolve.Names() {
		r, _ := resolve.Named(name)
		var differs []string
		if r.Browser {
			differs = append(differs, "as browsers do: the parser of the URL Standard, which escapes and has no knobs")
		}
		for _, k := range knobs {
			for _, v := range k.Values[1:] {
				if turned := r; turned.Set(k.Name, v) == nil && turned == r {
					differs = append(differs, k.Name+"="+v)
				}
			}
		}
		fmt.Fprintf(&b, "  %-9s %s\n", name, strings.Join(differs, " "))
	}
	return &cobra.Command{Use: "rules", Short: "The rules of resolution and their knobs", Long: b.String()}
}

var jsonTopic = &cobra.Command{
	Use:   "json",
	Short: "The lines of --json",
	Long: `Each line is a flat object. What is not known is left out; fields are only ever
added. "type" is reference, note, error, of audit finding, with --count count, or, in the
last line, summary.

  input, input_b64         the input as it was named; base64 where it is not UTF-8
  document                 the URL by which that was retrieved, if it is known: that of a
                           page in an archive of a crawler
  part                     which document within it: "2.1" of a message, "srcdoc"
  part_type                its media type
  part_line, part_column   as line and column, in the part as it is decoded
  line, column             from 1; columns count bytes
  offset, length           in bytes, in the input after decompression
  exact                    those bytes decode to the reference and nothing else
  ranges                   [offset, length] of each piece, if it has several
  kind                     text, link, embed, form, cite, metadata, header, definition
  in                       where it stands: "<URL:>", "a/href", "style/url()"
  how                      bare, angle, quoted, prefixed, attribute, css, json, inline,
                           reference, autolink, element
  abbreviated              "http://", "ftp://" or "mailto:" is meant in front
  raw, raw_b64             as written
  ref                      after undoing the quoting of the document's format
  base, layer, from        what it was resolved against, which layer of section 5.1
                           gave that (embedded, encapsulating, retrieval, default,
                           none), and which header, element or flag
  url                      absolute
  canonical, domain        with --canonical, the key that "refract normalize" makes, and
                           the registered domain of the host, or that where it has none;
                           there url and canonical may be url_b64 and canonical_b64
  error                    why there is no url
  same_document, fragment  it means the current document, under rules that say so
  alternatives             other readings, as URLs
  labels                   what there is to beware of: see refract help labels; of
                           resolve also unsuitable-base: the base's scheme has no
                           relative forms; two-readings with --two-readings
  browser_url              where browsers go, if it has two readings
  notes                    departures from the letter of the rules that took place
  text, rel, hreflang,     with --details, as the document has them: what is shown for
  media_type               the reference, and the attributes of its element
  target_part              the part of the same message that it names
  message_id, subject,     of the message that it stands in; of the subject at most 80
  date                     characters
  truncated                url was longer, and cut
  message                  of a note, an error or a finding
  rule, suggestion,        of a finding: see "refract help audit"; what to write in place
  target, target_b64       of ref, and the file that ref leads to, or would
  certain, fixed           nothing else than suggestion can have been meant; --fix has
                           written it: offset and length are those of what is there now
  step                     the step of section 5.2 that decided; under --explain, and
                           always of "refract resolve"
  explain                  under --explain, all that decided: "label: text" each, with
                           sections by the rules in force; labels are base,
                           unsuitable, abbreviated, step, scheme, inherited,
                           dot segments, rootless, guard, slash, above-root, error

"refract resolve" also has

  invalid, invalid_at      with --check: the first offence of ref in words, and its
                           offset in bytes
  scheme, authority, user, password, host, port, path, query, fragment
                           with --parts: the parts of the url. One that is empty is "",
                           one that is not there is left out, one that is not UTF-8
                           stands as base64 under its name and _b64
  directories, name, typecode                            ftp
  gophertype, selector, search, gopher_plus              gopher
  addresses, fields                                      mailto
  group, article, all                                    news, snews, nntp
  database, search, wtype, wpath                         wais
  host_class, drive, directories, name                   file: local, remote or unc
  object, fields                                         prospero
  message_id, content_id                                 mid, cid
  mediatype, encoding, data                              data
  number, parameters                                     tel
  nid, nss                                               urn
                           addresses, directories, fields and parameters are arrays.
                           A part is as written; where its octets are what the scheme
                           sends or means, they follow if they differ, under its name
                           and _decoded, unless they hold a control character

"refract resolve --compare" puts out comparisons: "type" comparison, "ref", "base" and
  results                  each distinct result, that of the rules in force first, with
                           rules (which give it), url, error, same_document, fragment
                           and step, and
                           knobs, each of which makes the difference to the first; "+"
                           joins those that do so together
With --relative-to, "ref" is the answer, and "url" the URL that was given and that it
leads to; "error" says that none does.`,
}
