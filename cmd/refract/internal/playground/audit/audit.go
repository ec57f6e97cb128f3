// Program audit is the second module of the page in contrib/playground, which loads it when documents are
// to be audited. On other systems than the browser, it does nothing; its parts can be tested there.
package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"example.org/refract/cmd/refract/internal/report"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/tree"
)

const (
	maxShown = 2000      // findings that the page shows; the report has all
	maxTotal = 512 << 20 // bytes of all files, as they are in memory
)

// An outcome is what the page shows of an audit.
type outcome struct {
	Findings   []finding `json:"findings"` // the first maxShown
	Count      int       `json:"count"`    // of all findings
	Documents  int       `json:"documents"`
	References int       `json:"references"`
	Checked    int       `json:"checked"`
	Skipped    int       `json:"skipped"` // that could not be checked
	Notes      []string  `json:"notes,omitempty"`
	Report     string    `json:"report"` // the HTML page of --html
}

type finding struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"` // in bytes, from 1
	Rule   string `json:"rule"`
	Level  string `json:"level"`
	Text   string `json:"text"`
	Base   string `json:"base,omitempty"`
}

// A dropped collects the files that the user has dropped, in memory.
type dropped struct {
	files *tree.Overlay
	size  int64
}

func newDropped() *dropped { return &dropped{files: tree.NewOverlay(tree.FS(new(zip.Reader)))} }

var errTooLarge = fmt.Errorf("more than %d MiB in all", maxTotal>>20)

// add adds a file. A ZIP archive stands for the files in it.
func (d *dropped) add(name string, text []byte) error {
	if strings.EqualFold(path.Ext(name), ".zip") {
		return d.unpack(text)
	}
	if d.size += int64(len(text)); d.size > maxTotal {
		return errTooLarge
	}
	d.files.Write(path.Clean("/"+name), text)
	return nil
}

// unpack adds the files of a ZIP archive.
func (d *dropped) unpack(text []byte) error {
	z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return err
	}
	for _, f := range z.File {
		if !f.Mode().IsRegular() {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return fmt.Errorf("%q: %w", f.Name, err)
		}
		text, err := io.ReadAll(io.LimitReader(r, maxTotal-d.size+1))
		if err != nil {
			return fmt.Errorf("%q: %w", f.Name, err)
		}
		if d.size += int64(len(text)); d.size > maxTotal {
			return errTooLarge
		}
		d.files.Write(path.Clean("/"+strings.ReplaceAll(f.Name, `\`, "/")), text)
	}
	return nil
}

// audit returns the outcome of an audit of all files as JSON.
func (d *dropped) audit() ([]byte, error) {
	o := outcome{Findings: []finding{}}
	var all []*audit.Finding
	r, err := audit.Run(context.Background(), audit.Options{Tree: d.files, Dir: "/", Graph: true}, func(f *audit.Finding) {
		all = append(all, f)
	})
	if err != nil {
		return nil, err
	}
	if r.Documents == 0 {
		return nil, errors.New("no document among these files")
	}
	for _, f := range all[:min(len(all), maxShown)] {
		shown := finding{File: f.File, Line: f.Pos.Line, Column: f.Pos.Column, Rule: string(f.Rule), Level: string(f.Level()), Text: f.Text()}
		if f.Ref != nil {
			shown.Base = f.Ref.Base.URI
		}
		o.Findings = append(o.Findings, shown)
	}
	o.Count, o.Documents, o.References, o.Checked, o.Skipped = len(all), r.Documents, r.References, r.Checked, r.Skipped
	for _, n := range r.Notes {
		o.Notes = append(o.Notes, n.File+": "+n.Text)
	}
	for _, f := range r.Errors {
		o.Notes = append(o.Notes, fmt.Sprintf("%s: %v", f.File, f.Err))
	}
	var page bytes.Buffer
	run := report.Run{Version: "playground", Args: []string{"."}, All: slices.Values(all), Report: r}
	if err := run.HTML(&page); err != nil {
		return nil, err
	}
	o.Report = page.String()
	return json.Marshal(o)
}
