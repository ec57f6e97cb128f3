package urlcmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/filter"
	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/extract"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/input"
	"example.org/refract/resolve"
	"example.org/refract/resolve/canon"
	"example.org/refract/resolve/risk"
)

// normalizeOptions holds the flag values of "refract normalize".
type normalizeOptions struct {
	key       canon.Key
	forms     []string
	idn, surt string
	null      bool
	names     []string // of --canonical
}

// Normalize returns the command that prints URLs in normal form, or a key for each.
func Normalize(env *cli.Env) *cli.Command {
	o := &normalizeOptions{forms: []string{"all"}}
	cmd := &cobra.Command{
		Use:   "normalize [URL]...",
		Short: "Print normal forms of URLs, or keys to compare them",
		Long: `Normalize prints the normal form of each URL (RFC 3986 section 6.2), which identifies the
same resource: escaped letters, digits and -._~ are decoded, scheme and host are lower
case, the digits of escapes upper case, and dot segments and default ports are removed.
Without URL, it reads one URL per line from standard input, and prints one line for each.
It escapes nothing but control characters, which would end the line, and every input is
valid.

Each flag from --no-fragment on makes a key instead: a string to compare and sort by, which
different resources may share. A key does not replace the URL: in --json, "url" is the
normal form and "canonical" the key.`,
		Example: `  refract normalize HTTP://www.Example.org:80/%7euser/./
  refract letter.txt | refract normalize --no-fragment --no-index | sort -u
  refract letter.txt | refract normalize --surt | sort   by domain: org,example,www)/
  refract letter.txt | refract normalize --canonical w3lib   keys as Scrapy makes them
  refract normalize --json --no-tracking 'http://h/?utm_source=x&id=1'`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(env, cmd, args) },
	}
	return cli.NewCommand(cmd, "form no-fragment no-tracking surt json", o.flags())
}

func (o *normalizeOptions) flags() []cli.Flag {
	return slices.Concat(
		cli.InGroup("Normal forms", []cli.Flag{
			{Name: "form", Var: &o.forms, Values: cli.Fixed(formNames...),
				Brief: "apply only these `FORM`s of normalization (default all)",
				Help:  "apply only these `FORM`s: " + strings.Join(formNames, ", ") + " (RFC 3986 6.2.2.2, 6.2.2.1,\n6.2.2.3, 6.2.3)"},
		}),
		cli.InGroup("Keys", []cli.Flag{
			{Name: "no-fragment", Var: &o.key.NoFragment, Help: "remove the fragment"},
			{Name: "no-index", Var: &o.key.NoIndex, Help: "remove index.html, default.asp and the like"},
			{Name: "no-tracking", Var: &o.key.NoTracking, Help: "remove utm_source, gclid, fbclid and the like"},
			{Name: "no-session", Var: &o.key.NoSession, Help: "remove ;jsessionid=x, PHPSESSID=x and the like"},
			{Name: "sort-query", Var: &o.key.SortQuery, Help: "sort parameters by name; equal names keep their order"},
			{Name: "no-trailing-dot", Var: &o.key.NoTrailingDot, Help: "write example.org for example.org."},
			{Name: "short-ipv6", Var: &o.key.ShortIPv6, Help: "write [2001:db8::1] for [2001:db8:0:0:0:0:0:1] (RFC 5952)"},
			{Name: "idn", Var: &o.idn, Values: cli.Fixed("ascii", "unicode"), Help: "write hosts in `FORM` ascii (xn--bcher-kva) or unicode (bücher)"},
			{Name: "surt", Var: &o.surt, Values: cli.Fixed("key", "full", "cdx"), None: "key",
				Brief: "reverse the labels of the host: `FORM` key, full or cdx",
				Help:  "reverse the labels of the host: `FORM` key, org,example)/; full,\nhttp://(org,example,)/; cdx, the keys of web archive indexes"},
			{Name: "canonical", Var: &o.names, Values: cli.CanonicalNames, None: "normal", Help: "make the same key as other commands by " + cli.CanonicalHelp},
		}),
		cli.InGroup("Output", []cli.Flag{
			{Name: "json"},
			{Name: "null", Short: "0", Var: &o.null, Help: "end each result with a NUL byte instead of a line break; input may use either"},
			{Name: "color"},
		}))
}

func (o *normalizeOptions) run(env *cli.Env, cmd *cobra.Command, args []string) error {
	for _, name := range []string{"base", "resolution"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s: normalize uses no base and no rules of resolution: use refract resolve", name)
		}
	}
	if *env.JSON && o.null {
		return errors.New("--json and --null cannot be used together")
	}
	form, err := parseForms(o.forms)
	if err != nil {
		return err
	}
	o.key.IDN, err = parseChoice[canon.IDN]("idn", o.idn, "ascii", "unicode")
	if err != nil {
		return err
	}
	if err := setSURT(&o.key, o.surt); err != nil {
		return err
	}
	if err := cli.SetCanonical(&o.key, o.names); err != nil {
		return err
	}
	if o.key.Profile != canon.NoProfile && o.key != (canon.Key{Profile: o.key.Profile}) {
		return fmt.Errorf("%s has rules of its own: leave out the other flags that make a key", o.key.Profile)
	}
	n := normalizer{form: form, key: o.key, lossy: o.key != canon.Key{}, json: *env.JSON, terminator: '\n', w: cmd.OutOrStdout()}
	n.key.Forms = form
	n.terminal = cli.IsTerminal(n.w)
	if o.null {
		n.terminator = 0
	}
	if len(args) > 0 {
		for _, url := range args {
			n.line([]byte(url))
		}
		return n.flush()
	}
	if term.IsTerminal(int(os.Stdin.Fd())) {
		fmt.Fprintln(cmd.ErrOrStderr(), "refract: reading URLs from standard input, one per line")
	} else if !n.terminal && cli.IsTerminal(cmd.ErrOrStderr()) {
		n.progress = cli.NewProgress(cmd.ErrOrStderr())
		defer n.progress.Finish()
	}
	return n.lines(input.UTF8(os.Stdin))
}

// formNames lists the names of resolve's forms, by bit.
var formNames = []string{"percent", "case", "dots", "scheme"}

func parseForms(names []string) (f resolve.Form, err error) {
	for _, name := range names {
		i := slices.Index(formNames, name)
		switch {
		case name == "all":
			f |= resolve.AllForms
		case i < 0:
			return 0, cli.BadOneOf("--form", name, append([]string{"all"}, formNames...))
		default:
			f |= 1 << i
		}
	}
	if f == 0 {
		return 0, errors.New("--form requires a form")
	}
	return f, nil
}

// parseChoice returns the number of value among names, from 1 on, and 0 for "".
func parseChoice[T ~uint8](flag, value string, names ...string) (T, error) {
	i := slices.Index(names, value)
	if i < 0 && value != "" {
		return 0, cli.BadValue("--"+flag, value, names)
	}
	return T(i + 1), nil
}

type normalizer struct {
	form       resolve.Form
	key        canon.Key
	lossy      bool // text shows the key
	json       bool
	terminal   bool // output goes to a terminal
	terminator byte
	progress   *cli.Progress

	w        io.Writer
	out      []byte // not yet written
	url, alt []byte // scratch
}

// lines normalises each line of r. Before it waits for more input, it writes the results so far, so
// that the reader of a slow pipe gets them at once.
func (n *normalizer) lines(r io.Reader) error {
	buf := make([]byte, 256<<10)
	length := 0 // of the incomplete line that buf begins with
	for {
		if length == len(buf) {
			buf = append(buf, make([]byte, len(buf))...)
		}
		more, err := r.Read(buf[length:])
		n.progress.Add(int64(more))
		data := buf[:length+more]
		searched := length
		for {
			i := n.lineEnd(data[searched:])
			if i < 0 {
				break
			}
			n.line(bytes.TrimSuffix(data[:searched+i], []byte("\r")))
			data, searched = data[searched+i+1:], 0
		}
		if err != nil && len(data) > 0 {
			n.line(bytes.TrimSuffix(data, []byte("\r")))
		}
		if len(data) < length+more {
			copy(buf, data)
		}
		length = len(data)
		if flushed := n.flush(); flushed != nil {
			return flushed
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("standard input: %w", err)
		}
	}
}

func (n *normalizer) lineEnd(s []byte) int {
	if n.terminator == 0 {
		return bytes.IndexAny(s, "\n\x00")
	}
	return bytes.IndexByte(s, '\n')
}

func (n *normalizer) flush() error {
	if len(n.out) == 0 {
		return nil
	}
	_, err := n.w.Write(n.out)
	n.out = n.out[:0]
	return err
}

func (n *normalizer) line(url []byte) {
	switch {
	case n.json:
		n.url = n.form.Append(n.url[:0], url)
		canonical := n.url
		if n.lossy {
			n.alt = n.key.Append(n.alt[:0], url)
			canonical = n.alt
		}
		n.out = append(n.out, `{"type":"reference"`...)
		n.out = jsontext.AppendBytes(n.out, "raw", url)
		n.out = jsontext.AppendBytes(n.out, "url", n.url)
		n.out = jsontext.AppendBytes(n.out, "canonical", canonical)
		n.out = appendLabels(n.out, url)
		n.out = append(n.out, "}\n"...)
		return
	case n.terminal:
		n.url = n.key.Append(n.url[:0], url)
		n.out = cli.AppendVisible(n.out, n.url)
	case n.lossy:
		n.url = n.key.Append(n.url[:0], url)
		n.out = ascii.AppendLine(n.out, n.url)
	default:
		n.url = n.form.Append(n.url[:0], url)
		n.out = ascii.AppendLine(n.out, n.url)
	}
	n.out = append(n.out, n.terminator)
}

// appendLabels appends the field "labels" with what the text of url alone tells.
func appendLabels(dst, url []byte) []byte {
	labels := risk.Of(url).Names()
	if !extract.ValidAuthority(url) {
		labels = append([]string{filter.InvalidAuthority}, labels...)
	}
	if len(labels) == 0 {
		return dst
	}
	dst = append(dst, `,"labels":["`...)
	return append(append(dst, strings.Join(labels, `","`)...), `"]`...)
}

// setSURT sets the form that --surt names.
func setSURT(k *canon.Key, name string) (err error) {
	if name == canon.CDX.String() {
		k.Profile = canon.CDX
		return nil
	}
	k.SURT, err = parseChoice[canon.SURT]("surt", name, "key", "full")
	if err != nil {
		return cli.BadValue("--surt", name, []string{"key", "full", "cdx"})
	}
	return nil
}
