package report

import (
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
)

// An element is an element of any XML document, or of a schema.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Children []element  `xml:",any"`
	Text     string     `xml:",chardata"`
}

func (e *element) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// A junitSchema validates XML with the subset of XML Schema that Jenkins' schema of JUnit uses:
// elements at the top, sequences of references to them, and attributes that are strings.
// Anything else is an error.
type junitSchema map[string]*element

func newJUnitSchema(src []byte) (junitSchema, error) {
	var root element
	if err := xml.Unmarshal(src, &root); err != nil {
		return nil, err
	}
	s := junitSchema{}
	for i := range root.Children {
		e := &root.Children[i]
		if e.XMLName.Local != "element" {
			return nil, fmt.Errorf("schema: %s", e.XMLName.Local)
		}
		s[e.attr("name")] = e
	}
	return s, nil
}

func (s junitSchema) validate(src []byte) error {
	var root element
	if err := xml.Unmarshal(src, &root); err != nil {
		return err
	}
	return s.check(&root)
}

func (s junitSchema) check(e *element) error {
	name := e.XMLName.Local
	decl := s[name]
	switch {
	case decl == nil || e.XMLName.Space != "":
		return fmt.Errorf("%s: not in the schema", name)
	case decl.attr("type") == "xs:string":
		if len(e.Attrs)+len(e.Children) > 0 {
			return fmt.Errorf("%s: not a string", name)
		}
		return nil
	case len(decl.Children) != 1 || decl.Children[0].XMLName.Local != "complexType":
		return fmt.Errorf("schema: %s", name)
	}
	kind := &decl.Children[0]
	if kind.attr("mixed") != "true" && strings.TrimSpace(e.Text) != "" {
		return fmt.Errorf("%s: text %q", name, e.Text)
	}
	allowed := map[string]bool{}
	children := e.Children
	for _, k := range kind.Children {
		switch k.XMLName.Local {
		case "attribute":
			if k.attr("type") != "xs:string" {
				return fmt.Errorf("schema: %s of %s", k.attr("name"), name)
			}
			allowed[k.attr("name")] = true
			has := false
			for _, a := range e.Attrs {
				has = has || a.Name.Local == k.attr("name")
			}
			if k.attr("use") == "required" && !has {
				return fmt.Errorf("%s: no %s", name, k.attr("name"))
			}
		case "sequence":
			for _, ref := range k.Children {
				least, most := 1, 1
				if v := ref.attr("minOccurs"); v != "" {
					least, _ = strconv.Atoi(v)
				}
				if v := ref.attr("maxOccurs"); v == "unbounded" {
					most = len(children)
				} else if v != "" {
					most, _ = strconv.Atoi(v)
				}
				n := 0
				for n < most && n < len(children) && children[n].XMLName.Local == ref.attr("ref") {
					if err := s.check(&children[n]); err != nil {
						return err
					}
					n++
				}
				if n < least {
					return fmt.Errorf("%s: no %s", name, ref.attr("ref"))
				}
				children = children[n:]
			}
		default:
			return fmt.Errorf("schema: %s of %s", k.XMLName.Local, name)
		}
	}
	if len(children) > 0 {
		return fmt.Errorf("%s: %s has no place there", name, children[0].XMLName.Local)
	}
	for _, a := range e.Attrs {
		if !allowed[a.Name.Local] {
			return fmt.Errorf("%s: attribute %s", name, a.Name.Local)
		}
	}
	return nil
}

func TestJUnit(t *testing.T) {
	file, err := os.ReadFile(junitFile)
	if err != nil {
		t.Fatal(err)
	}
	path, err := filepath.Abs(junitFile)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := newJUnitSchema(file)
	if err != nil {
		t.Fatal(err)
	}
	xmllint, missing := exec.LookPath("xmllint")
	dir := t.TempDir()
	validate := func(src []byte) error {
		err := schema.validate(src)
		if missing == nil { // as a second opinion
			name := filepath.Join(dir, "junit.xml")
			os.WriteFile(name, src, 0o666)
			out, failed := exec.Command(xmllint, "--noout", "--nonet", "--schema", path, name).CombinedOutput()
			if (failed == nil) != (err == nil) {
				t.Errorf("xmllint: %v\n%s\nhere: %v", failed, out, err)
			}
		}
		return err
	}
	for _, bad := range []string{
		`<testsuites><testsuite tests="1"/></testsuites>`,
		`<testsuites>x</testsuites>`,
		`<testsuites><testsuite name="x" tests="1" x="y"/></testsuites>`,
		`<testsuites><testsuite name="x" tests="1"><testcase name="x"><failure/><error/></testcase></testsuite></testsuites>`,
		`<testsuites><testsuite name="x" tests="1"><testcase name="x"><system-out>x<b/></system-out></testcase></testsuite></testsuites>`,
		`<testsuites><testsuite name="x" tests="1"><testcase name="x"><what/></testcase></testsuite></testsuites>`,
		"<testsuites name=\"\x1b\"></testsuites>",
	} {
		if validate([]byte(bad)) == nil {
			t.Errorf("the schema takes %s", bad)
		}
	}

	r := auditTree(t)
	// A document that could be read in part has both findings and an error.
	r.Errors = append(r.Errors, audit.Failure{File: "a b.md", Err: os.ErrInvalid}, audit.Failure{File: "a b.md", Err: os.ErrClosed})
	for _, run := range []*Run{r, {Report: &audit.Report{}}} {
		if err := validate(written(t, run, "junit")); err != nil {
			t.Error(err)
		}
	}
	var got junitSuites
	if err := xml.Unmarshal(written(t, r, "junit"), &got); err != nil {
		t.Fatal(err)
	}
	failed := map[string][]string{}
	for _, f := range r.Findings {
		if f.Rule.Level() == rule.LevelNote {
			continue
		}
		failed[f.File] = append(failed[f.File], fmt.Sprintf("%d:%d: %s [%s]\n", f.Pos.Line, f.Pos.Column, xmlText(printable(f.Text())), f.Rule))
	}
	if c := got.Suite.junitCounts; c != got.junitCounts || c.Tests != len(r.Names)+1 || c.Failures != len(failed) || c.Errors != 2 || len(got.Suite.Cases) != c.Tests {
		t.Errorf("%+v, of %d documents", c, len(r.Names))
	}
	for i, name := range r.Names {
		c := got.Suite.Cases[i]
		if c.Name != xmlText(name) || (c.Failure != nil) != (failed[name] != nil) {
			t.Errorf("%q: %+v", name, c)
			continue
		}
		for _, line := range failed[name] {
			if !strings.Contains(c.Failure.Text, line) {
				t.Errorf("%q: no %q in %q", name, line, c.Failure.Text)
			}
		}
		if n := len(failed[name]); n > 1 && c.Failure.Message != fmt.Sprintf("%d findings", n) {
			t.Errorf("%q: %q", name, c.Failure.Message)
		}
		if name == "a b.md" && (c.Error == nil || c.Error.Text != "invalid argument\nfile already closed\n" || c.Out != "odd\ufffd]]>\na b.md:1:1: no document links to this one [orphan]\n") {
			t.Errorf("%+v", c)
		}
	}
	if last := got.Suite.Cases[len(r.Names)]; last.Error == nil || last.Failure != nil || runtime.GOOS != "windows" && !strings.Contains(last.Error.Text, "no such file") {
		t.Errorf("%+v", last)
	}
}
