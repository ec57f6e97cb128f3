package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/resolve"
)

// newResolve makes the command that applies the algorithm of section 5.2 to
// references that are given, and nothing else: no escaping, no judgement whether the
// base suits.
func newResolve(cfg *extract.Config, asJSON *bool) *cobra.Command {
	var (
		pairs, parts, redact bool
		check                string
	)
	cmd := &cobra.Command{
		Use:   "resolve --base URL [REF]...",
		Short: "Resolve references that are given",
		Long: `Resolve prints what each REF means against --base, by the algorithm of section 5.2
and nothing else: results are not escaped. Without REF it reads one reference a line
from standard input, and with --pairs a base, a tab and a reference.

A result may be "(current document)", with a fragment, under rules that say so, or
"(error)" under --above-root error, and under --rules whatwg where browsers fail; the
results of browsers are escaped.

With --parts it prints what the result consists of, by its scheme, and with --check
the references that break a grammar, with the byte where they do, instead of results.
Neither keeps a reference from being resolved, and neither needs --base.

--two-readings prints only what browsers take to another host or path than RFC 3986:
the result, a tab, and the URL of browsers. The URL of browsers has no tab.`,
		Example: `  refract resolve --base http://a/b/c/d;p?q ../g
  refract resolve --base http://a/b/c/d;p?q --rules rfc1808 ../../../g
  printf 'http://a/b\tc\n' | refract resolve --pairs
  refract resolve --parts ftp://host.dom/%2Fetc/motd
  refract resolve --check 'http://a/{b}'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if pairs && (len(args) > 0 || cfg.Default.URI != "") {
				return errors.New("--pairs reads bases and references from standard input: leave out --base and arguments")
			}
			if !pairs && !parts && check == "" && cfg.Default.URI == "" {
				return errors.New("resolve needs --base URL, or --pairs")
			}
			r := resolver{cfg: cfg, asJSON: *asJSON, w: bufio.NewWriter(cmd.OutOrStdout()),
				parts: parts, check: check != "", redact: redact, terminal: isTerminal(cmd.OutOrStdout())}
			if check == checkRules {
				r.grammar, _ = resolve.GrammarNamed(cmd.Flag("rules").Value.String())
			} else if g, ok := resolve.GrammarNamed(check); ok {
				r.grammar = g
			} else if check != "" {
				return fmt.Errorf("--check=%s: give one of %s", check, strings.Join(resolve.GrammarNames(), ", "))
			}
			if len(args) > 0 {
				for _, ref := range args {
					r.line(cfg.Default.URI, []byte(ref))
				}
				return r.w.Flush()
			}
			if term.IsTerminal(int(os.Stdin.Fd())) {
				fmt.Fprintln(cmd.ErrOrStderr(), "refract: reading references from standard input, one a line")
			}
			return r.lines(pairs)
		},
	}
	cmd.Flags().BoolVar(&pairs, "pairs", false, "read a base, a tab and a reference from each line")
	cmd.Flags().BoolVar(&parts, "parts", false, "print the parts of each result")
	cmd.Flags().StringVar(&check, "check", "", "print where each REF breaks a `GRAMMAR`: "+
		strings.Join(resolve.GrammarNames(), ", ")+"\n(default: that of --rules)")
	cmd.Flags().Lookup("check").NoOptDefVal = checkRules
	cmd.Flags().BoolVar(&redact, "redact", false, "print *** for passwords")
	return cmd
}

// checkRules is the value of --check without one: the grammar that belongs to --rules.
const checkRules = "rules"

type resolver struct {
	cfg    *extract.Config
	asJSON bool
	w      *bufio.Writer
	base   *resolve.Base
	dst    []byte

	parts, check, redact bool
	grammar              resolve.Grammar
	terminal             bool // results go to a terminal
	shown                bool // parts of one before

	readings *resolve.Readings // of base, with --two-readings
	browser  []byte            // what browsers make of a reference, if it has two readings
}

// lines resolves what standard input holds, a result a line.
func (r *resolver) lines(pairs bool) error {
	in := bufio.NewReaderSize(os.Stdin, 64<<10)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
			uri, ref := r.cfg.Default.URI, line
			if pairs {
				b, rest, ok := bytes.Cut(line, []byte("\t"))
				if !ok {
					r.w.Flush()
					return fmt.Errorf("line %d of standard input has no tab: %q", n, line)
				}
				uri, ref = string(b), rest
			}
			r.line(uri, ref)
		}
		if err != nil {
			return r.w.Flush()
		}
	}
}

func (r *resolver) line(uri string, ref []byte) {
	if r.base == nil || r.base.String() != uri {
		r.base = r.cfg.Rules.Base(uri)
		if r.cfg.TwoReadings {
			r.readings = resolve.NewReadings(uri)
		}
	}
	two := false
	if r.readings != nil {
		r.browser, two = r.readings.AppendBrowser(r.browser[:0], ref)
	}
	var res resolve.Result
	r.dst, res = r.base.Append(r.dst[:0], ref)
	switch {
	case r.asJSON:
		r.json(uri, ref, res)
		return
	case r.readings != nil && !two:
		return
	}
	var offence resolve.Offence
	valid := true
	if r.check {
		offence, valid = r.grammar.Check(ref)
	}
	result := r.result(res)
	switch {
	case r.parts:
		fields := []field{{name: "url", values: [][]byte{result}}}
		if res.Step == resolve.NoBase {
			fields[0].name = "reference"
		}
		if !res.InError && !res.SameDocument() {
			fields = append(fields, fieldsOf(r.cfg.Rules, r.shownURL(r.dst))...)
		}
		if !valid {
			fields = append(fields, field{name: "invalid", values: [][]byte{[]byte(offence.String())}})
		}
		r.showParts(fields)
	case r.check:
		if !valid {
			fmt.Fprintf(r.w, "%s: %v\n", r.visible(r.shownURL(ref)), offence)
		}
	default:
		r.w.Write(result)
		if two {
			r.w.WriteByte('\t')
			r.w.Write(r.shownURL(r.browser))
		}
		r.w.WriteByte('\n')
	}
}

// result is what a reference resolved to, in words where it is no URL.
func (r *resolver) result(res resolve.Result) []byte {
	switch {
	case res.InError:
		return []byte("(error)")
	case res.SameDocument():
		return append([]byte("(current document)"), r.dst...)
	}
	return r.shownURL(r.dst)
}

// shownURL is a URL as it may be shown: without a password under --redact.
func (r *resolver) shownURL(url []byte) []byte {
	if r.redact {
		return redacted(url)
	}
	return url
}

func (r *resolver) json(uri string, ref []byte, res resolve.Result) {
	o := struct {
		Type         string   `json:"type"`
		Ref          string   `json:"ref"`
		Base         string   `json:"base"`
		URL          *string  `json:"url,omitempty"`
		BrowserURL   string   `json:"browser_url,omitempty"`
		Error        string   `json:"error,omitempty"`
		SameDocument bool     `json:"same_document,omitempty"`
		Fragment     string   `json:"fragment,omitempty"`
		Step         string   `json:"step"`
		Labels       []string `json:"labels,omitempty"`
		Notes        []string `json:"notes,omitempty"`
		Invalid      string   `json:"invalid,omitempty"`
		InvalidAt    *int     `json:"invalid_at,omitempty"`
	}{Type: "reference", Ref: string(r.shownURL(ref)), Base: string(r.shownURL([]byte(uri))), Step: res.Step.String(), Notes: res.Departures.Names()}
	url := string(r.shownURL(r.dst))
	risks := resolve.Risks(ref)
	switch {
	case res.InError:
		o.Error = res.Err().Error()
	case res.SameDocument():
		o.SameDocument = true
		o.Fragment = string(bytes.TrimPrefix(r.dst, []byte("#")))
	default:
		o.URL = &url
		risks |= resolve.Risks(r.dst)
	}
	o.Labels = risks.Names()
	if res.Step != resolve.Absolute && !base.Suitable(string(resolve.Parse([]byte(uri)).Scheme)) {
		o.Labels = append(o.Labels, "unsuitable-base")
	}
	if len(r.browser) > 0 {
		o.Labels = append(o.Labels, "two-readings")
		o.BrowserURL = string(r.shownURL(r.browser))
	}
	if r.check {
		if offence, valid := r.grammar.Check(ref); !valid {
			o.Invalid, o.InvalidAt = fmt.Sprintf("%s (%s)", offence.Words, offence.Section), &offence.At
		}
	}
	line := appendObject(nil, o)
	if r.parts && o.URL != nil {
		line = appendFields(line, fieldsOf(r.cfg.Rules, []byte(url)))
	}
	r.w.Write(line)
}
