package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/extract"
	"example.org/refract/internal/ascii"
	"example.org/refract/resolve"
)

// newNormalize returns the command that prints URLs in normal form, or a key for each.
func newNormalize(asJSON *bool) *cobra.Command {
	var (
		n     = normalizer{terminator: '\n'}
		forms []string
		idn   string
		surt  string
		null  bool
		names []string // of --canonical
	)
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
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range resolving() {
				if cmd.Flags().Changed(name) {
					return fmt.Errorf("--%s: normalize uses no base and no rules of resolution: use refract resolve", name)
				}
			}
			if *asJSON && null {
				return errors.New("--json and --null cannot be used together")
			}
			form, err := parseForms(forms)
			if err != nil {
				return err
			}
			n.key.IDN, err = parseChoice[resolve.IDN]("idn", idn, "ascii", "unicode")
			if err != nil {
				return err
			}
			if err := setSURT(&n.key, surt); err != nil {
				return err
			}
			if err := setCanonical(&n.key, names); err != nil {
				return err
			}
			if n.key.Profile != resolve.NoProfile && n.key != (resolve.Key{Profile: n.key.Profile}) {
				return fmt.Errorf("%s has rules of its own: leave out the other flags that make a key", n.key.Profile)
			}
			n.lossy = n.key != resolve.Key{}
			n.form, n.key.Forms = form, form
			n.json = *asJSON
			n.w = cmd.OutOrStdout()
			n.terminal = isTerminal(n.w)
			if null {
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
			} else if !n.terminal && isTerminal(cmd.ErrOrStderr()) {
				n.progress = newProgress(cmd.ErrOrStderr())
				defer n.progress.finish()
			}
			return n.lines(os.Stdin)
		},
	}
	l := cmd.Flags()
	l.SortFlags = false
	l.StringSliceVar(&forms, "form", []string{"all"}, "apply only these `FORM`s: "+strings.Join(formNames, ", ")+" (RFC 3986 6.2.2.2, 6.2.2.1,\n6.2.2.3, 6.2.3)")
	l.BoolVarP(&null, "null", "0", false, "end each result with a NUL byte instead of a line break; input lines may end with\neither")
	l.BoolVar(&n.key.NoFragment, "no-fragment", false, "remove the fragment")
	l.BoolVar(&n.key.NoIndex, "no-index", false, "remove index.html, default.asp and the like")
	l.BoolVar(&n.key.NoTracking, "no-tracking", false, "remove utm_source, gclid, fbclid and the like")
	l.BoolVar(&n.key.NoSession, "no-session", false, "remove ;jsessionid=x, PHPSESSID=x and what else identifies a session")
	l.BoolVar(&n.key.SortQuery, "sort-query", false, "sort parameters by name; values of one name keep their order")
	l.BoolVar(&n.key.NoTrailingDot, "no-trailing-dot", false, "write example.org for example.org.")
	l.BoolVar(&n.key.ShortIPv6, "short-ipv6", false, "write [2001:db8::1] for [2001:db8:0:0:0:0:0:1] (RFC 5952)")
	l.StringVar(&idn, "idn", "", "write hosts in `FORM` ascii (xn--bcher-kva) or unicode (bücher)")
	l.StringVar(&surt, "surt", "", "reverse the labels of the host: `FORM` key, org,example)/, or full,\nhttp://(org,example,)/; cdx makes the keys of the indexes of web archives, by rules of its own")
	takesOptional(l, "surt", "key", []string{"key", "full", "cdx"})
	l.StringSliceVar(&names, "canonical", nil, "make the same key as the other commands do: "+canonicalHelp)
	takesOptional(l, "canonical", "normal", canonicalNames())
	cmd.SetHelpFunc(func(c *cobra.Command, args []string) {
		for _, name := range resolving() {
			c.InheritedFlags().MarkHidden(name)
		}
		c.Parent().HelpFunc()(c, args)
	})
	return cmd
}

// resolving returns the names of the shared flags that concern resolution.
func resolving() []string {
	names := []string{"base", "rules"}
	for _, k := range resolve.Knobs() {
		names = append(names, k.Name)
	}
	return names
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
			return 0, badOneOf("--form", name, append([]string{"all"}, formNames...))
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
		return 0, badValue("--"+flag, value, names)
	}
	return T(i + 1), nil
}

type normalizer struct {
	form       resolve.Form
	key        resolve.Key
	lossy      bool // text shows the key
	json       bool
	terminal   bool // output goes to a terminal
	terminator byte
	progress   *progress

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
		n.progress.add(int64(more))
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
		n.out = appendVisible(n.out, n.url)
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
	labels := resolve.Risks(url).Names()
	if !extract.ValidAuthority(url) {
		labels = append([]string{invalidAuthority}, labels...)
	}
	if len(labels) == 0 {
		return dst
	}
	dst = append(dst, `,"labels":["`...)
	return append(append(dst, strings.Join(labels, `","`)...), `"]`...)
}

// setSURT sets the form that --surt names.
func setSURT(k *resolve.Key, name string) (err error) {
	if name == resolve.CDX.String() {
		k.Profile = resolve.CDX
		return nil
	}
	k.SURT, err = parseChoice[resolve.SURT]("surt", name, "key", "full")
	if err != nil {
		return badValue("--surt", name, []string{"key", "full", "cdx"})
	}
	return nil
}

// canonicalForms maps the values of --canonical to fields of a key. Besides the profiles they are the names
// of the flags of "normalize".
var canonicalForms = func() map[string]func(*resolve.Key) {
	forms := map[string]func(*resolve.Key){
		"normal":          func(*resolve.Key) {},
		"no-fragment":     func(k *resolve.Key) { k.NoFragment = true },
		"no-index":        func(k *resolve.Key) { k.NoIndex = true },
		"no-tracking":     func(k *resolve.Key) { k.NoTracking = true },
		"no-session":      func(k *resolve.Key) { k.NoSession = true },
		"sort-query":      func(k *resolve.Key) { k.SortQuery = true },
		"no-trailing-dot": func(k *resolve.Key) { k.NoTrailingDot = true },
		"short-ipv6":      func(k *resolve.Key) { k.ShortIPv6 = true },
		"ascii":           func(k *resolve.Key) { k.IDN = resolve.IDNASCII },
		"unicode":         func(k *resolve.Key) { k.IDN = resolve.IDNUnicode },
		"surt":            func(k *resolve.Key) { k.SURT = resolve.SURTKey },
		"surt-full":       func(k *resolve.Key) { k.SURT = resolve.SURTFull },
	}
	for _, p := range resolve.Profiles() {
		forms[p.String()] = func(k *resolve.Key) { k.Profile = p }
	}
	return forms
}()

// canonicalHelp names the values of --canonical.
const canonicalHelp = "`FORM`s, named like the flags of\n\"refract normalize\": normal, no-fragment, no-index, no-tracking, no-session, no-trailing-dot,\nsort-query, short-ipv6, ascii, unicode, surt, surt-full; or the key of another program:\ncdx, w3lib, urlcanon-semantic or crawler-commons"

func canonicalNames() []string { return slices.Sorted(maps.Keys(canonicalForms)) }

// parseCanonical returns the key that names select; nil if names is empty.
func parseCanonical(names []string) (*resolve.Key, error) {
	if names == nil {
		return nil, nil
	}
	k := new(resolve.Key)
	return k, setCanonical(k, names)
}

// setCanonical adds to k the forms that names select.
func setCanonical(k *resolve.Key, names []string) error {
	for _, name := range names {
		set, ok := canonicalForms[name]
		if !ok {
			return badOneOf("--canonical", name, canonicalNames())
		}
		set(k)
		if k.Profile != resolve.NoProfile && len(names) > 1 {
			return fmt.Errorf("--canonical %s has rules of its own: give no other form", k.Profile)
		}
	}
	return nil
}
