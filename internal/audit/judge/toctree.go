package judge

import (
	"strconv"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/rule"
)

// What toctrees of Sphinx list.

// judgeGlob judges a pattern of a toctree for names of documents.
func (a *Judge) judgeGlob(d *doc.Document, n *doc.Note) Verdict {
	s, uses, _ := d.SiteUse()
	found, v := false, Verdict{}
	for _, u := range uses {
		files, isAll := s.Names().Documents(u, n.Text)
		found = found || !isAll || len(files) > 0
		if v.Files == nil {
			v.Files = files[:len(files):len(files)] // shared by all that have the pattern
		} else {
			v.Files = append(v.Files, files...)
		}
	}
	if !found {
		v.Problem = &Problem{
			Rule: rule.MissingFile, Message: "no document of the site has a name like " + strconv.Quote(n.Text), Use: a.NameAsReference(d, n, scan.Directive, "toctree"),
		}
	}
	return v
}
