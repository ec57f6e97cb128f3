package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit"
)

// No document defines JUnit XML: these are the elements that Ant, Surefire and the schemas of
// Jenkins have in common.
type (
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		junitCounts
		Suite junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		junitCounts
		Cases []*junitCase `xml:"testcase"`
	}
	junitCounts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Error   *junitProblem `xml:"error"`
		Failure *junitProblem `xml:"failure"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes JUnit XML: a test for each document, which fails if there are findings in it. All
// findings of a document are in one failure, because Jenkins shows only the first of several.
// Notes become output of the test.
func (r *Run) JUnit(w io.Writer) error {
	s := junitSuites{Suite: junitSuite{Name: "refract audit"}}
	cases := map[string]*junitCase{}
	of := func(name string) *junitCase {
		c := cases[name]
		if c == nil {
			c = &junitCase{Name: name, Class: "refract.audit"}
			cases[name] = c
			s.Suite.Cases = append(s.Suite.Cases, c)
		}
		return c
	}
	for _, name := range r.Names {
		of(name)
	}
	for _, e := range r.Errors {
		c := of(e.File)
		if c.Error == nil {
			c.Error = &junitProblem{Message: e.Err.Error(), Type: "unreadable"}
			s.Errors++
		}
		c.Error.Text += printable(e.Err.Error()) + "\n"
	}
	for _, n := range r.Notes {
		of(n.File).Out += printable(n.Text) + "\n"
	}
	findings := map[string][]*audit.Finding{}
	for f := range r.all() {
		c := of(f.File)
		if !r.isFailure(f) {
			c.Out += r.line(f)
			continue
		}
		findings[f.File] = append(findings[f.File], f)
	}
	for _, c := range s.Suite.Cases {
		if all := findings[c.Name]; len(all) > 0 {
			c.Failure = r.failure(all)
			s.Failures++
		}
	}
	s.Tests = len(s.Suite.Cases)
	s.Suite.junitCounts = s.junitCounts
	return writeXML(w, s)
}

// failure returns all findings of a document, one per line. Columns are in bytes, as in the text
// format.
func (r *Run) failure(findings []*audit.Finding) *junitProblem {
	p := &junitProblem{Message: findings[0].Text()}
	if len(findings) > 1 {
		p.Message = fmt.Sprintf("%d findings", len(findings))
	}
	var (
		rules []string
		text  strings.Builder
	)
	for _, f := range findings {
		if !slices.Contains(rules, string(f.Rule)) {
			rules = append(rules, string(f.Rule))
		}
		text.WriteString(r.line(f))
	}
	p.Type, p.Text = strings.Join(rules, ","), text.String()
	return p
}

// line returns a finding as the text format shows it.
func (r *Run) line(f *audit.Finding) string {
	if r.Pages != nil {
		return fmt.Sprintf("%s:%d: %s [%s]\n", printable(f.File), f.Pos.Offset, printable(f.Text()), f.Rule)
	}
	return fmt.Sprintf("%s:%d:%d: %s [%s]\n", printable(f.File), f.Pos.Line, f.Pos.Column, printable(f.Text()), f.Rule)
}

// writeXML writes v. Package xml replaces characters that XML 1.0 forbids with U+FFFD. Other hidden
// characters, which can only stand in text and in values of attributes, become references.
func writeXML(w io.Writer, v any) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	text, err := xml.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	for len(text) > 0 && err == nil {
		at := bytes.IndexFunc(text, func(r rune) bool { return r >= 0x7f && ascii.IsHidden(r) })
		if at < 0 {
			break
		}
		r, size := utf8.DecodeRune(text[at:])
		_, err = fmt.Fprintf(w, "%s&#x%X;", text[:at], r)
		text = text[at+size:]
	}
	if err == nil {
		_, err = fmt.Fprintf(w, "%s\n", text)
	}
	return err
}
