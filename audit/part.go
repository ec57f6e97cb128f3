package audit

import (
	"bytes"
	"path"
	"strings"

	"example.org/refract/extract/scan"
)

// isPartOfPage reports whether d is a piece of HTML that a program puts into a page of the
// directory above, where a relative reference leads to a file.
func (a *auditor) isPartOfPage(d *document, t *target, p *place) bool {
	if d.layout.generated != nil || t.rooted || d.isMarkdown() || !strings.HasPrefix(path.Ext(d.path), ".htm") {
		return false
	}
	rest, ok := strings.CutPrefix(p.path, path.Dir(d.path)+"/")
	above := path.Dir(path.Dir(d.path))
	if !ok || !below(above, a.boundary(d)) || a.files.at(above, strings.Split(rest, "/")).kind == isMissing {
		return false
	}
	head := bytes.ToLower(d.head())
	for _, tag := range []string{"<!doctype", "<html", "<head", "<body"} {
		if bytes.Contains(head, []byte(tag)) {
			return false
		}
	}
	return true
}

// mayMoveReference reports whether k may be right where the file is in the end: in a
// template that is filled in and written elsewhere, or as a name that a bundler gives to a
// style sheet.
func (d *document) mayMoveReference(k *reference) bool {
	if k.how == scan.CSS && k.in == "@import" {
		return k.ref != "" && k.ref[0] != '.' && k.ref[0] != '/'
	}
	return strings.HasPrefix(path.Ext(d.path), ".htm") && strings.Contains(strings.ToLower(path.Base(d.path)), "template")
}
