package report

import (
	"encoding/xml"
	"io"

	"example.org/refract/internal/audit/rule"
)

type (
	checkstyle struct {
		XMLName xml.Name          `xml:"checkstyle"`
		Version string            `xml:"version,attr"`
		Files   []*checkstyleFile `xml:"file"`
	}
	checkstyleFile struct {
		Name   string            `xml:"name,attr"`
		Errors []checkstyleError `xml:"error"`
	}
	checkstyleError struct {
		Line     int    `xml:"line,attr,omitempty"`
		Column   int    `xml:"column,attr,omitempty"` // in UTF-16 code units
		Severity string `xml:"severity,attr"`
		Message  string `xml:"message,attr"`
		Source   string `xml:"source,attr"`
	}
)

// Checkstyle writes Checkstyle XML, grouped by file.
func (r *Run) Checkstyle(w io.Writer) error {
	out := checkstyle{Version: "5.0"}
	files := map[string]*checkstyleFile{}
	add := func(name string, e checkstyleError) {
		f := files[name]
		if f == nil {
			f = &checkstyleFile{Name: name}
			files[name] = f
			out.Files = append(out.Files, f)
		}
		f.Errors = append(f.Errors, e)
	}
	var src source
	for f := range r.all() {
		at := src.region(f)
		severity := "error"
		if f.Level() == rule.LevelNote {
			severity = "info"
		}
		add(f.File, checkstyleError{at.line, at.column, severity, r.text(f), "refract." + string(f.Rule)})
	}
	for _, e := range r.Errors {
		add(e.File, checkstyleError{Severity: "error", Message: e.Err.Error(), Source: "refract.unreadable"})
	}
	for _, n := range r.Notes {
		add(n.File, checkstyleError{Severity: "info", Message: n.Text, Source: "refract.note"})
	}
	return writeXML(w, out)
}
