// Package urlcmd has the commands that work on URLs, not documents: "refract resolve" and "refract
// normalize".
package urlcmd

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"example.org/refract/base"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/filter"
	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/extract"
	"example.org/refract/internal/input"
	"example.org/refract/resolve"
	"example.org/refract/resolve/canon"
	"example.org/refract/resolve/risk"
)

const resolveHelp = `Resolve prints the target of each REF against --base, by the algorithm of RFC 3986
section 5.2 and no more: results are not escaped, except for control characters, which
would end the line. --escape escapes them as the main command does. Without REF, it reads
one reference per line from standard input; with --pairs, a base, a tab and a reference.
An absolute REF needs no base. "<" and ">" around a REF are left out, with a note. --typed
accepts references as people type and copy them: <URL:http://h/> and "http://h/", also with
spaces and line breaks inside.

Under some rules a result is "(current document)", with a fragment if there is one. It is
"(error)" under --resolution above-root=error, and under whatwg where browsers fail. Results
of whatwg are escaped.

--parts prints the components of the result, by its scheme. --check prints, instead of
results, the references that violate a grammar, with the offset of the first invalid byte.
Both resolve every reference, and neither needs --base. --strict exits 1 if --check
reports anything or a result is "(error)".

--get prints only the named components of the result, as written, separated by tabs; a
missing component is empty. --set changes a component, and --query-remove removes
parameters. Characters that a component cannot hold are escaped. --canonical adds a key
to compare by, as in the main command.

--parser-differences prints only references that browsers resolve to another host or path than
RFC 3986 does: the result, a tab, and the URL of browsers, which holds no tab.

--readers prints the host that each of four readers finds in REF as written: browsers (the
URL Standard), curl 7.88, Python 3.11 (urlsplit) and Go (net/url). If they differ, a
program that checks a URL and one that fetches it may see different hosts.

--explain adds what decided. --compare resolves by every set of rules, and names the options
("refract help resolution") that cause each difference from the rules in force: "or" separates
options that suffice alone, "+" joins those that are needed together. --relative-to does the
reverse: it prints the shortest reference that resolves to each URL, which may be empty,
or the URL itself if no reference does.`

const resolveExamples = `  refract resolve --base http://a/b/c/d;p?q ../g
  refract resolve --base http://a/b/c/d;p?q --resolution rfc1808 ../../../g
  printf 'http://a/b\tc\n' | refract resolve --pairs
  refract resolve --parts ftp://host.dom/%2Fetc/motd
  refract resolve --check 'http://a/{b}'
  refract resolve --get host,port,query:id 'http://h:8080/?id=1'
  refract resolve --set scheme=https --query-remove 'utm_*' 'http://h/?utm_id=1'
  refract resolve --explain --base http://a/b/c/d;p?q ../g
  refract resolve --compare --base http://a/b/c/d;p?q g ?y ../../../g
  refract resolve --relative-to http://a/b/c/d;p?q http://a/b/g`

// resolveOptions holds the flag values of "refract resolve".
type resolveOptions struct {
	pairs, parts, redact bool
	check, relativeTo    string
	canonical            []string
	mode                 resolveMode
	change               edits
}

// Resolve returns the command that applies the algorithm of section 5.2 to references, and does
// nothing else: it does not escape, and accepts any base.
func Resolve(env *cli.Env) *cli.Command {
	o := new(resolveOptions)
	cmd := &cobra.Command{
		Use:     "resolve [--base URL] [REF]...",
		Short:   "Resolve references given as arguments",
		Long:    resolveHelp,
		Example: resolveExamples,
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(env, cmd, args) },
	}
	return cli.NewCommand(cmd, "base resolution pairs parts get set check compare explain json", o.flags())
}

func (o *resolveOptions) flags() []cli.Flag {
	return slices.Concat(
		cli.InGroup("Input", []cli.Flag{
			{Name: "pairs", Var: &o.pairs, Help: "read a base, a tab and a reference from each line"},
			{Name: "typed", Var: &o.mode.typed, Help: "remove <>, \"URL:\" and spaces (RFC 3986 appendix C)"},
		}),
		cli.InGroup("Bases and resolution", []cli.Flag{
			{Name: "base"},
			{Name: "relative-to", Var: &o.relativeTo, Not: "parts check pairs", Help: "print the shortest reference from this `URL` to each given URL"},
			{Name: "resolution"},
			{Name: "parser-differences"},
			{Name: "compare", Var: &o.mode.compare, Not: "relative-to parts check",
				Help: "resolve by all rules, and name the options that cause differences"},
		}),
		cli.InGroup("Output", []cli.Flag{
			{Name: "json"},
			{Name: "parts", Var: &o.parts, Help: "print the components of each result"},
			{Name: "get", Var: &o.change.get, Not: "parts check explain compare relative-to", Values: cli.Fixed(editable...),
				Brief: "print only these `PARTS` of each result, such as host,query:id",
				Help:  "print only these `PARTS` of each result: " + strings.Join(editable, ", ") + "\nor query:NAME"},
			{Name: "check", Var: &o.check, Values: resolve.GrammarNames, None: checkRules, NextWord: checkable,
				Brief: "print where each REF breaks a `GRAMMAR`",
				Help:  "print where each REF violates a `GRAMMAR`: " + strings.Join(resolve.GrammarNames(), ", ") + "\n(default: that of --resolution)"},
			{Name: "readers", Var: &o.mode.readers, Not: "parts check explain compare relative-to pairs get set query-remove",
				Help: "print the host that browsers, curl, Python and Go each find in REF as written"},
			{Name: "explain", Var: &o.mode.explain, Not: "compare relative-to parts check", Help: "print below each result what decided, with its section"},
			{Name: "set", Var: &o.change.set, Each: true, Not: "compare relative-to", Help: "change a component of each result: `NAME=VALUE`"},
			{Name: "query-remove", Var: &o.change.remove, Not: "compare relative-to",
				Help: "remove parameters with these `NAMES`, such as utm_*, from each result"},
			{Name: "escape", Var: &o.mode.escape, Not: "compare relative-to", Help: "escape results as the main command does"},
			{Name: "canonical", Var: &o.canonical, Not: "parts check get compare relative-to readers", Values: cli.CanonicalNames, None: "normal",
				Help: "add a key to each result, after a tab, by " + cli.CanonicalHelp},
			{Name: "redact", Var: &o.redact, Help: "print *** in place of passwords"},
			{Name: "color"},
			{Name: "strict", Var: &o.mode.strict, Help: "exit 1 for violations (--check) and errors"},
		}))
}

func (o *resolveOptions) run(env *cli.Env, cmd *cobra.Command, args []string) error {
	cfg := env.Config
	if o.pairs && (len(args) > 0 || cfg.Default.URI != "") {
		return errors.New("--pairs reads bases and references from standard input: leave out --base and arguments")
	}
	if o.relativeTo != "" {
		if cfg.Default.URI != "" {
			return errors.New("--relative-to sets the base: leave out --base")
		}
		o.mode.relative, cfg.Default = true, base.Source{URI: o.relativeTo, From: "--relative-to"}
	}
	if c := resolve.Parse([]byte(cfg.Default.URI)); cfg.Default.URI != "" && !c.HasScheme {
		return cli.BadBase(fmt.Errorf("base: %s %q: not absolute", cmp.Or(cfg.Default.From, "--base"), cfg.Default.URI))
	}
	if cfg.ParserDifferences && (o.mode.compare || o.mode.relative) {
		return errors.New("--parser-differences cannot be used with --compare or --relative-to")
	}
	if cfg.Rules.Browser && o.mode.compare {
		return errors.New("--compare compares RFCs and drafts: use --parser-differences for browsers")
	}
	if o.mode.compare && !o.pairs && cfg.Default.URI == "" {
		return errors.New("--compare needs a base: give it with --base URL, or --pairs")
	}
	if err := o.change.validate(); err != nil {
		return err
	}
	if o.pairs {
		cfg.Default.From = "--pairs"
	}
	key, err := cli.ParseCanonical(o.canonical)
	if err != nil {
		return err
	}
	r := resolver{key: key, cfg: cfg, asJSON: *env.JSON, mode: o.mode, w: bufio.NewWriter(cmd.OutOrStdout()),
		parts: o.parts, check: o.check != "", redact: o.redact, terminal: cli.IsTerminal(cmd.OutOrStdout()),
		edit: o.change, needsBase: !o.pairs && !o.parts && o.check == ""}
	if o.check == checkRules {
		nearest, _, _ := strings.Cut(cfg.Rules.String(), ",")
		r.grammar, _ = resolve.GrammarNamed(nearest)
	} else if g, ok := resolve.GrammarNamed(o.check); ok {
		r.grammar = g
	} else if o.check != "" {
		return fmt.Errorf("--check=%s: give one of %s", o.check, strings.Join(resolve.GrammarNames(), ", "))
	}
	if len(args) > 0 {
		for _, ref := range args {
			r.line(cfg.Default.URI, []byte(ref))
		}
		return r.finish(cmd.ErrOrStderr())
	}
	if term.IsTerminal(int(os.Stdin.Fd())) {
		fmt.Fprintln(cmd.ErrOrStderr(), "refract: reading references from standard input, one per line")
	}
	if err := r.lines(o.pairs); err != nil {
		return err
	}
	return r.finish(cmd.ErrOrStderr())
}

// checkable returns the values of --check.
func checkable() []string { return append(resolve.GrammarNames(), "draft-01", "draft-02") }

// A resolveMode selects what to do with a reference besides, or instead of, resolving it.
type resolveMode struct {
	explain, compare, relative bool
	strict, escape, typed      bool
	readers                    bool
}

// checkRules is the value of --check without an argument: the grammar that corresponds to --resolution.
const checkRules = "rules"

type resolver struct {
	cfg    *extract.Config
	asJSON bool
	mode   resolveMode
	w      *bufio.Writer
	base   *resolve.Resolver
	seed   maphash.Seed
	bases  map[uint64]*preparedBase // that earlier lines had, by a hash of their URI
	last   *preparedBase            // whose base is base
	wrong  int                      // how many lines in a row did not have the base last.next
	dst    []byte
	text   []byte // of --json
	shown  []byte // the line to be written

	parts, check, redact bool
	grammar              resolve.Grammar
	terminal             bool // results go to a terminal
	edit                 edits
	needsBase            bool // a relative reference without a base is an error
	offences             int  // violations that --check has found, and failed results
	relatives            int  // relative references without a base
	firstRelative        string
	delimited            int // references in "<>", which are no part of them
	firstDelimited       string
	hasParts             bool // a previous URL's parts have been printed

	prepared int               // bytes of bases
	key      *canon.Key        // of --canonical; nil: none
	keyed    []byte            // scratch: the key of a result
	readings *resolve.Readings // of base, with --parser-differences
	browser  []byte            // the URL that browsers use, if the reference has two readings
}

// finish writes the remaining output and a note, and returns the exit status as an error.
func (r *resolver) finish(notes io.Writer) error {
	if err := r.w.Flush(); err != nil {
		return err
	}
	if r.delimited > 0 {
		fmt.Fprintf(notes, "refract: %q: \"<\" and \">\" delimit a URL (RFC 3986 appendix C) and are left out\n", r.firstDelimited)
	}
	switch {
	case r.relatives > 1:
		return fmt.Errorf("%q and %d more references are relative: give their base with --base URL", r.firstRelative, r.relatives-1)
	case r.relatives > 0:
		return fmt.Errorf("%q is relative: give its base with --base URL", r.firstRelative)
	case r.mode.strict && r.offences > 0:
		return cli.Status(cli.ExitFindings)
	}
	return nil
}

// lines resolves each line of standard input.
func (r *resolver) lines(pairs bool) error {
	in := bufio.NewReaderSize(input.UTF8(os.Stdin), 64<<10)
	for n := 1; ; n++ {
		line, err := readLine(in)
		if len(line) > 0 {
			line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
			uri, ref := r.cfg.Default.URI, line
			if pairs {
				b, rest, ok := bytes.Cut(line, []byte("\t"))
				if !ok {
					r.w.Flush()
					return fmt.Errorf("line %d of standard input has no tab: %q", n, line)
				}
				r.setBase(b)
				uri, ref = r.base.String(), rest
			}
			r.line(uri, ref)
		}
		if err != nil {
			return r.w.Flush()
		}
	}
}

// readLine returns the next line of in with its line end, valid until the next call.
func readLine(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	if err != bufio.ErrBufferFull {
		return line, err
	}
	long := bytes.Clone(line)
	rest, err := in.ReadBytes('\n')
	return append(long, rest...), err
}

// A preparedBase is a base that references are resolved against.
type preparedBase struct {
	base     resolve.Resolver  // not a pointer: one wait for memory less
	readings *resolve.Readings // with --parser-differences
	next     *preparedBase     // the base of the lines that followed last time; nil: unknown
}

// maxPrepared limits the bytes of the bases that are kept. Preparing one takes several times as long
// as resolving a reference, and about ten times the memory of the base.
const maxPrepared = 2 << 20

// maxWrong is after how many lines in another order the order of bases is no longer used.
const maxWrong = 16

// setBase sets r.base to the base uri, which lines are likely to repeat.
func (r *resolver) setBase(uri []byte) {
	if r.base != nil && r.base.String() == string(uri) {
		return
	}
	// Bases often follow each other in the same order. With thousands of them, the map is not in the CPU
	// caches, and a search in it takes a quarter of the time. In random order, the base that followed last time
	// is not in the caches either.
	var p *preparedBase
	if r.last != nil && r.wrong < maxWrong && r.last.next != nil && r.last.next.base.String() == string(uri) {
		p, r.wrong = r.last.next, 0
	} else {
		p = r.prepare(uri)
		if r.last != nil && r.wrong < maxWrong {
			if r.last.next != nil {
				r.wrong++
			}
			r.last.next = p
		}
	}
	r.last = p
	r.base, r.readings = &p.base, p.readings
}

// prepare returns the prepared base uri. The map has hashes, because a map of URIs would also have to read
// its own copy.
func (r *resolver) prepare(uri []byte) *preparedBase {
	if r.bases == nil {
		r.seed, r.bases = maphash.MakeSeed(), make(map[uint64]*preparedBase)
	}
	hash := maphash.Bytes(r.seed, uri)
	p := r.bases[hash]
	if p == nil || p.base.String() != string(uri) {
		if r.prepared += len(uri) + 64; r.prepared > maxPrepared {
			r.bases, r.prepared = make(map[uint64]*preparedBase), len(uri)
		}
		name := string(uri)
		p = &preparedBase{base: *r.cfg.Rules.Resolver(name)}
		if r.cfg.ParserDifferences {
			p.readings = resolve.NewReadings(name)
		}
		r.bases[hash] = p
	}
	return p
}

// undelimited returns a reference without what Appendix E delimits it with, and counts those that were not asked for.
func (r *resolver) undelimited(ref []byte) []byte {
	isDelimited := len(ref) > 1 && ref[0] == '<' && ref[len(ref)-1] == '>' && !r.check && !r.mode.readers
	if isDelimited && !r.mode.typed {
		if r.delimited++; r.delimited == 1 {
			r.firstDelimited = string(r.printable(ref))
		}
	}
	if r.mode.typed || isDelimited {
		return typed(ref)
	}
	return ref
}

func (r *resolver) line(uri string, ref []byte) {
	ref = r.undelimited(ref)
	if r.mode.readers {
		r.showReaders(ref)
		return
	}
	if r.base == nil || r.base.String() != uri {
		r.setBase([]byte(uri))
	}
	switch {
	case r.mode.compare:
		r.compare(uri, ref)
		return
	case r.mode.relative:
		r.relative(uri, ref)
		return
	}
	two := false
	if r.readings != nil {
		r.browser, two = r.readings.AppendBrowser(r.browser[:0], ref)
	}
	var res resolve.Result
	r.dst, res = r.base.Append(r.dst[:0], ref)
	if r.needsBase && uri == "" && res.Step == resolve.NoBase {
		if r.relatives++; r.relatives == 1 {
			r.firstRelative = string(r.printable(ref))
		}
		if !r.asJSON {
			return
		}
	}
	if res.InError {
		r.offences++
	} else if !res.SameDocument() {
		r.change()
	}
	var offence resolve.Offence
	valid := true
	if r.check {
		if offence, valid = r.grammar.Check(ref); !valid {
			r.offences++
		}
	}
	switch {
	case r.asJSON:
		r.json(uri, ref, res)
		return
	case r.readings != nil && !two:
		return
	case len(r.edit.get) > 0 && !res.InError:
		r.shown = r.shown[:0]
		for i, p := range r.edit.values(r.cfg.Rules, r.printable(r.dst)) {
			if i > 0 {
				r.shown = append(r.shown, '\t')
			}
			r.shown = r.appendVisible(r.shown, p.values[0])
		}
		r.w.Write(append(r.shown, '\n'))
		return
	}
	result := resultWords(res, r.printable(r.dst))
	switch {
	case r.parts:
		parts := []urlPart{{name: "url", values: [][]byte{result}}}
		if res.Step == resolve.NoBase {
			parts[0].name = "reference"
		}
		if !res.InError && !res.SameDocument() {
			parts = append(parts, partsOf(r.cfg.Rules, r.printable(r.dst))...)
		}
		if !valid {
			parts = append(parts, urlPart{name: "invalid", values: [][]byte{[]byte(offence.String())}})
		}
		r.showParts(parts)
	case r.check:
		if !valid {
			fmt.Fprintf(r.w, "%s: %v\n", r.visible(r.printable(ref)), offence)
		}
	default:
		r.shown = r.appendVisible(r.shown[:0], result)
		if two {
			r.shown = r.appendVisible(append(r.shown, '\t'), r.printable(r.browser))
		}
		if r.key != nil && !res.InError && !res.SameDocument() {
			r.keyed = r.key.Append(r.keyed[:0], r.printable(r.dst))
			r.shown = r.appendVisible(append(r.shown, '\t'), r.keyed)
		}
		r.w.Write(append(r.shown, '\n'))
	}
	if r.mode.explain {
		r.w.Write(output.AppendFacts(nil, r.explain(uri, ref), r.visible))
	}
}

// change applies the requested changes to a result.
func (r *resolver) change() {
	if r.edit.changes() {
		r.dst = r.edit.apply(r.cfg.Rules, r.dst)
	}
	if r.mode.escape && !r.cfg.Rules.Browser {
		r.dst = extract.AppendEscaped(nil, r.dst, false)
	}
}

// resultWords returns a result as text: a URL, or a description if there is none.
func resultWords(res resolve.Result, url []byte) []byte {
	switch {
	case res.InError:
		return []byte("(error)")
	case res.SameDocument():
		return append([]byte("(current document)"), url...)
	}
	return url
}

// printable returns a URL in printable form: with --redact, without its password.
func (r *resolver) printable(url []byte) []byte {
	if r.redact {
		return output.HidePassword(url)
	}
	return url
}

// jsonResolved is a line of "resolve --json". Fields that are zero are left out, except for the first three
// and the step.
type jsonResolved struct {
	Ref, Base string
	jsonResult
	BrowserURL string
	Labels     []string
	Notes      []string
	Layer      string
	From       string // what set the base
	Explain    []string
	Invalid    string
	InvalidAt  *int
}

// append appends the line without its end: members may follow.
func (o *jsonResolved) append(dst []byte) []byte {
	dst = jsontext.AppendString(append(dst, `{"type":"reference","ref":`...), o.Ref)
	dst = jsontext.AppendString(jsontext.AppendKey(dst, "base"), o.Base)
	if o.URL != nil {
		dst = jsontext.AppendString(jsontext.AppendKey(dst, "url"), *o.URL)
	}
	dst = appendText(dst, "error", o.Error)
	if o.SameDocument {
		dst = append(jsontext.AppendKey(dst, "same_document"), "true"...)
	}
	dst = appendText(dst, "fragment", o.Fragment)
	dst = jsontext.AppendString(jsontext.AppendKey(dst, "step"), o.Step)
	dst = appendText(dst, "browser_url", o.BrowserURL)
	dst = appendList(dst, "labels", o.Labels)
	dst = appendList(dst, "notes", o.Notes)
	dst = appendText(dst, "layer", o.Layer)
	dst = appendText(dst, "base_from", o.From)
	dst = appendList(dst, "explain", o.Explain)
	dst = appendText(dst, "invalid", o.Invalid)
	if o.InvalidAt != nil {
		dst = jsontext.AppendInt(jsontext.AppendKey(dst, "invalid_at"), int64(*o.InvalidAt))
	}
	return dst
}

// appendText appends a member unless its value is empty.
func appendText(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	return jsontext.AppendString(jsontext.AppendKey(dst, name), value)
}

// appendList appends a member unless its value is empty.
func appendList(dst []byte, name string, value []string) []byte {
	if len(value) == 0 {
		return dst
	}
	return jsontext.AppendStrings(jsontext.AppendKey(dst, name), value)
}

// jsonResult is the result of resolving a reference with one rule set.
type jsonResult struct {
	URL          *string `json:"url,omitempty"`
	Error        string  `json:"error,omitempty"`
	SameDocument bool    `json:"same_document,omitempty"`
	Fragment     string  `json:"fragment,omitempty"`
	Step         string  `json:"step"`
}

func newJSONResult(res resolve.Result, url string) jsonResult {
	o := jsonResult{Step: res.Step.String()}
	switch {
	case res.InError:
		o.Error = res.Err().Error()
	case res.SameDocument():
		o.SameDocument = true
		o.Fragment = strings.TrimPrefix(url, "#")
	default:
		o.URL = &url
	}
	return o
}

func (r *resolver) json(uri string, ref []byte, res resolve.Result) {
	o := jsonResolved{Ref: string(r.printable(ref)), Base: string(r.printable([]byte(uri))),
		jsonResult: newJSONResult(res, string(r.printable(r.dst))), Notes: res.Departures.Names()}
	risks := risk.Of(ref)
	if o.URL != nil {
		risks |= risk.Of(r.dst)
	}
	if o.URL != nil && !r.cfg.Rules.Browser && !extract.ValidAuthority(r.dst) {
		o.Labels = append(o.Labels, filter.InvalidAuthority)
	}
	o.Labels = append(o.Labels, risks.Names()...)
	if r.needsBase && uri == "" && res.Step == resolve.NoBase {
		o.URL, o.Error = nil, "the reference is relative, and there is no base"
	}
	if res.Step != resolve.Absolute && !base.Suitable(string(resolve.Parse([]byte(uri)).Scheme)) {
		o.Labels = append(o.Labels, "unsuitable-base")
	}
	if len(r.browser) > 0 {
		o.Labels = append(o.Labels, "parser-differences")
		o.BrowserURL = string(r.printable(r.browser))
	}
	if r.mode.explain {
		o.Layer, o.From = base.Default.String(), r.cfg.Default.From
		o.Explain = r.explain(uri, ref)
	}
	if r.check {
		if offence, valid := r.grammar.Check(ref); !valid {
			o.Invalid, o.InvalidAt = fmt.Sprintf("%s (%s)", offence.Words, offence.Section), &offence.At
		}
	}
	line := o.append(r.text[:0])
	if r.key != nil && o.URL != nil {
		r.keyed = r.key.Append(r.keyed[:0], []byte(*o.URL))
		line = jsontext.AppendBytes(line, "canonical", r.keyed)
	}
	if o.URL != nil && len(r.edit.get) > 0 {
		values := slices.DeleteFunc(r.edit.values(r.cfg.Rules, []byte(*o.URL)), func(p urlPart) bool { return p.name == "url" })
		line = appendParts(line, values)
	}
	if r.parts && o.URL != nil {
		line = appendParts(line, partsOf(r.cfg.Rules, []byte(*o.URL)))
	}
	r.text = append(line, "}\n"...)
	r.w.Write(r.text)
}
