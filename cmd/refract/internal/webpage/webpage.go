// Package webpage writes web pages that are single files: their style, script and data are in them. They
// fetch nothing, and run nothing but their own script, whatever the data contain.
package webpage

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/internal/ascii"
)

// The style and the script with which those of each page begin.
var (
	//go:embed common.css
	commonCSS string
	//go:embed common.js
	commonJS string
)

// A Page is one page. Body writes the content of the body, which has to contain a button with the id
// "theme". The script finds Data, which is encoded as JSON, as "data", and the functions of common.js.
type Page struct {
	Version string // of refract
	Title   string
	CSS     string
	JS      string
	Body    func(*HTML)
	Data    any
}

// HTML is markup under construction.
//
// Package html/template would be the usual choice. But it calls methods by name, so that the linker has to keep
// every exported method of the program: 3.7 of 35 MB. Values stand only in text and in quoted attributes, where
// one way of escaping is right.
type HTML struct{ text bytes.Buffer }

// Addf appends markup, in which it formats values as [fmt.Printf] does. It escapes strings, and separates the
// thousands of an int. A format is constant.
func (h *HTML) Addf(format string, values ...any) {
	escaped := make([]any, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case string:
			escaped[i] = html.EscapeString(v)
		case int:
			escaped[i] = Number(v)
		default:
			panic(fmt.Sprintf("webpage: a %T in markup", v))
		}
	}
	fmt.Fprintf(&h.text, format, escaped...)
}

// Write writes the page. An error is an error of w, or of encoding Data.
func (p *Page) Write(w io.Writer) error {
	return p.WriteData(w, func(w io.Writer) error {
		text, err := json.Marshal(p.Data) // escapes <, > and &
		if err != nil {
			return err
		}
		_, err = w.Write(append(jsontext.Escape(text), '\n'))
		return err
	})
}

// WriteData is like Write, but write writes the data: JSON in which <, > and & are escaped.
func (p *Page) WriteData(w io.Writer, write func(io.Writer) error) error {
	style, script := styleOf(p.CSS), scriptOf(p.JS)
	var h HTML
	h.Addf(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%v">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="refract %v">
<title>%v</title>
<link rel="icon" href="data:,">
`, policyOf(style, script), p.Version, p.Title)
	fmt.Fprintf(&h.text, "<style>%s</style>\n</head>\n<body>\n", style)
	p.Body(&h)
	h.Addf("<footer><p>Made by refract %v. This page loads nothing from the network.</p></footer>\n"+dataTag, p.Version)
	_, err := w.Write(h.text.Bytes())
	if err == nil {
		err = write(w)
	}
	if err == nil {
		_, err = fmt.Fprintf(w, "</script>\n<script>%s</script>\n</body>\n</html>\n", script)
	}
	return err
}

// dataTag precedes the data. No escaped value contains it.
const dataTag = `<script type="application/json" id="data">`

// styleOf returns the style sheet of a page with the given rules of its own.
func styleOf(css string) string { return commonCSS + css }

// scriptOf returns the script of a page with the given statements of its own.
func scriptOf(js string) string {
	return "\"use strict\";\n(() => {\n" + commonJS + "\n" + js + "})();\n"
}

// Policy returns the policy of pages with the given rules and statements of their own.
func Policy(css, js string) string { return policyOf(styleOf(css), scriptOf(js)) }

// policyOf returns the policy of a page with the given style and script (Content Security Policy Level
// 3). It prevents the page from fetching or running anything else.
func policyOf(style, script string) string {
	return "default-src 'none'; img-src data:; style-src " + hash(style) + "; script-src " + hash(script) + "; base-uri 'none'; form-action 'none'"
}

// hash returns the name of an inline style or script in a policy (Content Security Policy Level 3,
// section 2.3.1).
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Top is shown for the directory to which the names of others are relative.
const Top = "(top)"

// Number returns n with a comma before each group of three digits.
func Number(n int) string { return ascii.Number(n) }

// Names names the arguments of a run in a title; for "." and ".." it uses the directory's own name.
func Names(args []string) string {
	var names []string
	for _, arg := range args {
		if base := filepath.Base(arg); base == "." || base == ".." {
			if full, err := filepath.Abs(arg); err == nil {
				arg = filepath.Base(full)
			}
		}
		names = append(names, arg)
	}
	return Shown(strings.Join(names, ", "))
}

// MaxShown limits the bytes shown of a name, a reference or a message. A reference may be an image of a
// megabyte.
const MaxShown = 1000

// Shown returns s in a form for a page. It writes out control characters, direction marks and bytes
// that are not UTF-8, because these could reverse or hide the text beside them. It cuts s after
// MaxShown bytes.
func Shown(s string) string {
	rest := ""
	if len(s) > MaxShown {
		s, rest = s[:Start(s, MaxShown)], "…"
	}
	if isPlain(s) {
		return s + rest
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case ascii.IsHidden(r):
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + rest
}

// isPlain reports whether s is printable ASCII.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// Start returns the start of the character at s[i], or i if there is none.
func Start[S string | []byte](s S, i int) int {
	for j := i; j > max(0, i-utf8.UTFMax); j-- {
		if j < len(s) && utf8.RuneStart(s[j]) {
			return j
		}
	}
	return i
}
