package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"

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
	var pairs bool
	cmd := &cobra.Command{
		Use:   "resolve --base URL [REF]...",
		Short: "Resolve references that are given",
		Long: `Resolve prints what each REF means against --base, by the algorithm of section 5.2
and nothing else: results are not escaped. Without REF it reads one reference a line
from standard input, and with --pairs a base, a tab and a reference.

A result may be "(current document)", with a fragment, under rules that say so, or
"(error)" under --above-root error.`,
		Example: `  refract resolve --base http://a/b/c/d;p?q ../g
  refract resolve --base http://a/b/c/d;p?q --rules rfc1808 ../../../g
  printf 'http://a/b\tc\n' | refract resolve --pairs`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if pairs && (len(args) > 0 || cfg.Default.URI != "") {
				return errors.New("--pairs reads bases and references from standard input: leave out --base and arguments")
			}
			if !pairs && cfg.Default.URI == "" {
				return errors.New("resolve needs --base URL, or --pairs")
			}
			r := resolver{cfg: cfg, asJSON: *asJSON, w: bufio.NewWriter(cmd.OutOrStdout())}
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
	return cmd
}

type resolver struct {
	cfg    *extract.Config
	asJSON bool
	w      *bufio.Writer
	base   *resolve.Base
	dst    []byte
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
	}
	var res resolve.Result
	r.dst, res = r.base.Append(r.dst[:0], ref)
	if r.asJSON {
		r.json(uri, ref, res)
		return
	}
	switch {
	case res.InError:
		r.w.WriteString("(error)")
	case res.SameDocument():
		r.w.WriteString("(current document)")
	}
	r.w.Write(r.dst)
	r.w.WriteByte('\n')
}

func (r *resolver) json(uri string, ref []byte, res resolve.Result) {
	o := struct {
		Type         string   `json:"type"`
		Ref          string   `json:"ref"`
		Base         string   `json:"base"`
		URL          *string  `json:"url,omitempty"`
		Error        string   `json:"error,omitempty"`
		SameDocument bool     `json:"same_document,omitempty"`
		Fragment     string   `json:"fragment,omitempty"`
		Step         string   `json:"step"`
		Labels       []string `json:"labels,omitempty"`
		Notes        []string `json:"notes,omitempty"`
	}{Type: "reference", Ref: string(ref), Base: uri, Step: res.Step.String(), Notes: res.Departures.Names()}
	url := string(r.dst)
	switch {
	case res.InError:
		o.Error = "the path goes above the root"
	case res.SameDocument():
		o.SameDocument = true
		o.Fragment = string(bytes.TrimPrefix(r.dst, []byte("#")))
	default:
		o.URL = &url
	}
	if res.Step != resolve.Absolute && !base.Suitable(string(resolve.Parse([]byte(uri)).Scheme)) {
		o.Labels = append(o.Labels, "unsuitable-base")
	}
	r.w.Write(appendObject(nil, o))
}
