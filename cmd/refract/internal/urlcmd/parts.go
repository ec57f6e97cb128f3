package urlcmd

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"unicode/utf8"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/internal/ascii"
	"example.org/refract/resolve"
)

// A urlPart is a part of a URL: a single value or, for a list, any number of values.
type urlPart struct {
	name   string
	list   bool
	values [][]byte
}

// partsOf returns the parts of url. If the scheme decodes a part and this changes its octets, the
// decoded part follows it: "selector_decoded".
func partsOf(rules resolve.Rules, url []byte) (all []urlPart) {
	parts := rules.Parts(nil, url)
	if last := len(parts) - 1; last >= 0 && parts[last].Name == "path" && ascii.EqualFold(parts[0].Value, "gopher") && len(parts[last].Value) <= 1 {
		parts = append(parts, resolve.Part{Name: "gophertype", Value: []byte("1")}) // RFC 4266 section 2.1
	}
	for len(parts) > 0 {
		n := 1
		for n < len(parts) && parts[0].List && parts[n].Name == parts[0].Name {
			n++
		}
		written := urlPart{name: parts[0].Name, list: parts[0].List}
		decoded := urlPart{name: parts[0].Name + "_decoded", list: parts[0].List}
		differs, decodable := false, true
		for _, p := range parts[:n] {
			written.values = append(written.values, p.Value)
			octets, ok := p.Decoded()
			if !ok {
				octets = p.Value
				decodable = decodable && bytes.IndexByte(p.Value, '%') < 0
			}
			differs = differs || ok
			decoded.values = append(decoded.values, octets)
		}
		all = append(all, written)
		if differs && decodable {
			all = append(all, decoded)
		}
		parts = parts[n:]
	}
	return all
}

// appendParts appends parts as members to the JSON object in line. Values that are not UTF-8 become
// base64, under a name that ends in "_b64".
func appendParts(line []byte, parts []urlPart) []byte {
	for _, p := range parts {
		if p.list {
			line = appendPartList(line, p)
		} else {
			line = jsontext.AppendBytes(line, p.name, p.values[0])
		}
	}
	return line
}

func appendPartList(line []byte, p urlPart) []byte {
	name, isUTF8 := p.name, true
	for _, v := range p.values {
		isUTF8 = isUTF8 && utf8.Valid(v)
	}
	if !isUTF8 {
		name += "_b64"
	}
	var list []string
	for _, v := range p.values {
		if isUTF8 {
			list = append(list, string(v))
		} else {
			list = append(list, base64.StdEncoding.EncodeToString(v))
		}
	}
	return jsontext.AppendStrings(jsontext.AppendKey(line, name), list)
}

// showParts writes the parts of a URL as aligned lines, with a blank line between two URLs.
func (r *resolver) showParts(parts []urlPart) {
	width := 0
	for _, p := range parts {
		width = max(width, len(p.name)+len(": "))
	}
	if r.hasParts {
		r.w.WriteByte('\n')
	}
	r.hasParts = true
	for _, p := range parts {
		for _, v := range p.values {
			line := append([]byte(p.name), ':')
			if len(v) > 0 {
				line = fmt.Appendf(line, "%*s%s", width-len(line), "", r.visible(v))
			}
			r.w.Write(append(line, '\n'))
		}
	}
}

// visible returns s in the form in which output lines show it.
func (r *resolver) visible(s []byte) []byte { return r.appendVisible(nil, s) }

// AppendVisible appends s without control characters, and with the escapes that a terminal needs.
func (r *resolver) appendVisible(dst, s []byte) []byte {
	if r.terminal {
		return cli.AppendVisible(dst, s)
	}
	return ascii.AppendLine(dst, s)
}
