package audit

import (
	"bytes"
	"encoding/json"
	"path"
	"strconv"
	"strings"

	"example.org/refract/extract"
	"example.org/refract/internal/ascii"
)

const attachmentScheme = "attachment:"

// isNotebook reports whether d is a notebook, by its name.
func (d *document) isNotebook() bool { return path.Ext(d.path) == ".ipynb" }

// isAttachment reports whether r leads to an attachment of the cell that it is in.
func (d *document) isAttachment(r *extract.Reference) bool {
	return bytes.HasPrefix(r.Ref, []byte(attachmentScheme)) && d.isNotebook()
}

// attachments returns the names of the attachments of each cell of a notebook, nil if it cannot be read.
func (d *document) attachments() (cells []map[string]bool) {
	var notebook struct {
		Cells []struct {
			Attachments map[string]json.RawMessage
		}
	}
	if json.Unmarshal(d.source(), &notebook) != nil {
		return nil
	}
	for _, c := range notebook.Cells {
		names := make(map[string]bool, len(c.Attachments))
		for name := range c.Attachments {
			names[name] = true
		}
		cells = append(cells, names)
	}
	return cells
}

// judgeAttachment judges a reference to an attachment of its cell.
func (a *auditor) judgeAttachment(d *document, k *reference) {
	cells := a.attached[d.path]
	if cells == nil {
		cells = d.attachments()
		if a.attached == nil {
			a.attached = map[string][]map[string]bool{}
		}
		clear(a.attached) // keep one notebook at a time
		a.attached[d.path] = cells
	}
	cell, _, _ := strings.Cut(k.entity.Path(), ".")
	n, err := strconv.Atoi(cell)
	if err != nil || n < 1 || n > len(cells) {
		a.skip(d, k, "an attachment")
		return
	}
	name := strings.TrimPrefix(k.ref, attachmentScheme)
	if !cells[n-1][name] && !cells[n-1][ascii.UnescapeAll(name)] {
		a.reportReference(d, k, problem{rule: missingRule(k), message: "this cell has no attachment " + strconv.Quote(name)})
	}
}
