package report

import (
	"io"

	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/internal/audit/rule"
)

// The messages of the Reviewdog Diagnostic Format that rdjson uses.
type (
	rdResult struct {
		Source      rdName         `json:"source"`
		Diagnostics []rdDiagnostic `json:"diagnostics"`
	}
	rdName struct {
		Name string `json:"name"`
	}
	rdDiagnostic struct {
		Message     string         `json:"message"`
		Location    rdLocation     `json:"location"`
		Severity    string         `json:"severity"`
		Code        *rdCode        `json:"code,omitempty"`
		Suggestions []rdSuggestion `json:"suggestions,omitempty"`
	}
	rdLocation struct {
		Path  string   `json:"path"`
		Range *rdRange `json:"range,omitempty"`
	}
	rdRange struct {
		Start rdPosition  `json:"start"`
		End   *rdPosition `json:"end,omitempty"`
	}
	rdPosition struct {
		Line   int `json:"line"`
		Column int `json:"column,omitempty"` // in bytes of UTF-8, from 1
	}
	rdCode struct {
		Value string `json:"value"`
	}
	rdSuggestion struct {
		Range *rdRange `json:"range"`
		Text  string   `json:"text"`
	}
)

// RDJSON writes a DiagnosticResult as JSON.
func (r *Run) RDJSON(w io.Writer) error {
	out := rdResult{Source: rdName{"refract"}, Diagnostics: []rdDiagnostic{}}
	var src source
	for f := range r.all() {
		at := src.region(f)
		d := rdDiagnostic{
			Message: r.text(f), Location: rdLocation{Path: f.File}, Severity: "INFO", Code: &rdCode{string(f.Rule)},
		}
		if f.Level() == rule.LevelError {
			d.Severity = "ERROR"
		}
		if at.line > 0 {
			d.Location.Range = &rdRange{Start: rdPosition{at.line, at.byteColumn}}
		}
		if at.isRead {
			d.Location.Range.End = &rdPosition{at.endLine, at.endByteColumn}
		}
		if text, ok := fix(f, &at); ok {
			d.Suggestions = []rdSuggestion{{d.Location.Range, text}}
		}
		out.Diagnostics = append(out.Diagnostics, d)
	}
	for _, e := range r.Errors {
		out.Diagnostics = append(out.Diagnostics, rdDiagnostic{Message: e.Err.Error(), Location: rdLocation{Path: e.File}, Severity: "ERROR"})
	}
	for _, n := range r.Notes {
		out.Diagnostics = append(out.Diagnostics, rdDiagnostic{Message: n.Text, Location: rdLocation{Path: n.File}, Severity: "INFO"})
	}
	_, err := w.Write(jsontext.AppendLine(nil, out))
	return err
}
