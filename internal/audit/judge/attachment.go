package judge

import (
	"strconv"
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/reason"
)

// judgeAttachment judges a reference to an attachment of its cell.
func (a *Judge) judgeAttachment(d *doc.Document, k *doc.Reference) Verdict {
	cells := a.Attached[d.Path]
	if cells == nil {
		cells = d.Attachments()
		if a.Attached == nil {
			a.Attached = map[string][]map[string]bool{}
		}
		clear(a.Attached) // keep one notebook at a time
		a.Attached[d.Path] = cells
	}
	cell, _, _ := strings.Cut(k.Entity.Path(), ".")
	n, err := strconv.Atoi(cell)
	if err != nil || n < 1 || n > len(cells) {
		return skipped(attachment)
	}
	name := strings.TrimPrefix(k.Ref, doc.AttachmentScheme)
	if !cells[n-1][name] && !cells[n-1][ascii.UnescapeAll(name)] {
		return faulty(Problem{Rule: lead.MissingRule(k), Message: "this cell has no attachment " + strconv.Quote(name)})
	}
	return Verdict{}
}

var attachment = reason.New(reason.NoLink, "attachment", "an attachment")
