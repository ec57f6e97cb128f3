package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"example.org/refract/resolve"
)

// A field is a name and what stands there: one value, or, for a list, any number.
type field struct {
	name   string
	list   bool
	values [][]byte
}

// fieldsOf returns the parts of url as fields. One whose octets are sent or meant, and
// are others than are written, is followed by those octets: "selector_decoded".
func fieldsOf(rules resolve.Rules, url []byte) (fields []field) {
	parts := rules.Parts(nil, url)
	for len(parts) > 0 {
		n := 1
		for n < len(parts) && parts[0].List && parts[n].Name == parts[0].Name {
			n++
		}
		written := field{name: parts[0].Name, list: parts[0].List}
		decoded := field{name: parts[0].Name + "_decoded", list: parts[0].List}
		differs, all := false, true
		for _, p := range parts[:n] {
			written.values = append(written.values, p.Value)
			octets, ok := p.Decoded()
			if !ok {
				octets = p.Value
				all = all && bytes.IndexByte(p.Value, '%') < 0
			}
			differs = differs || ok
			decoded.values = append(decoded.values, octets)
		}
		fields = append(fields, written)
		if differs && all {
			fields = append(fields, decoded)
		}
		parts = parts[n:]
	}
	return fields
}

// appendFields appends fields to a JSON object that a line holds. Values that are not
// UTF-8 are base64, under a name that says so.
func appendFields(line []byte, fields []field) []byte {
	line = bytes.TrimSuffix(line, []byte("}\n"))
	for _, f := range fields {
		valid := true
		for _, v := range f.values {
			valid = valid && utf8.Valid(v)
		}
		name := f.name
		if !valid {
			name += "_b64"
		}
		var list []string
		for _, v := range f.values {
			if valid {
				list = append(list, string(v))
			} else {
				list = append(list, base64.StdEncoding.EncodeToString(v))
			}
		}
		var value any = list
		if !f.list {
			value = list[0]
		}
		var buf bytes.Buffer
		enc := json.NewEncoder(&buf)
		enc.SetEscapeHTML(false)
		enc.Encode(value) // strings
		line = fmt.Appendf(line, ",%q:%s", name, bytes.TrimSuffix(buf.Bytes(), []byte("\n")))
	}
	return append(line, "}\n"...)
}

// showParts writes the fields of a URL as aligned lines, a blank one between two URLs.
func (r *resolver) showParts(fields []field) {
	width := 0
	for _, f := range fields {
		width = max(width, len(f.name)+len(": "))
	}
	if r.shown {
		r.w.WriteByte('\n')
	}
	r.shown = true
	for _, f := range fields {
		for _, v := range f.values {
			line := append([]byte(f.name), ':')
			if len(v) > 0 {
				line = fmt.Appendf(line, "%*s%s", width-len(line), "", r.visible(v))
			}
			r.w.Write(append(line, '\n'))
		}
	}
}

// visible is what a terminal may be shown of s.
func (r *resolver) visible(s []byte) []byte {
	if r.terminal {
		return appendVisible(nil, s)
	}
	return s
}

func schemesTopic() *cobra.Command {
	var b strings.Builder
	b.WriteString(`What is known of each scheme: its default port, whether its URLs have a host and a
user, whether relative references can be resolved against them, where they are
defined, and their form, whose parts "refract resolve --parts" shows.

`)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  scheme\tport\thost\tuser\tbase\tdefined in\tform")
	word := map[bool]string{true: "yes", false: "no"}
	for _, s := range resolve.Schemes() {
		port, form := "-", s.Form
		if s.Port > 0 {
			port = fmt.Sprint(s.Port)
		}
		if form == "" {
			form = "undefined"
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\t%s\t%s\n", s.Name, port, s.Host, word[s.User && s.Host != resolve.HostNone], word[s.Base], s.Section, form)
	}
	w.Flush()
	b.WriteString("\n\"x-\" stands for every scheme that begins with it. Schemes that are not listed are\nread by the generic syntax, and can be a base.\n")
	return &cobra.Command{Use: "schemes", Short: "What is known of each scheme", Long: b.String()}
}
