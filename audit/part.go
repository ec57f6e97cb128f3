package audit

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/audit/site"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/lazy"
)

// isPartOfPage reports whether d seems to be a piece of HTML that a program puts into a page of the
// directory above, because a relative reference leads to a file from there.
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

// mayHaveImagesDir reports whether a build seems to say where the images of AsciiDoc documents are: none is where
// the documents say, and files in other directories have the names of some.
func (a *auditor) mayHaveImagesDir(d *document, k *reference) bool {
	if !isImageInAsciiDoc(d, k) || len(a.byName[path.Base(k.ref)]) == 0 {
		return false
	}
	return a.hasImagesDir
}

// countImages sets hasImagesDir.
func (a *auditor) countImages() {
	isSet, elsewhere := true, 0
	for _, d := range a.docs {
		if !d.isAsciiDoc() {
			continue
		}
		refs := a.refsOf(d)
		for i := range refs {
			r := &refs[i]
			if !isImageInAsciiDoc(d, r) {
				continue
			}
			dir, name := path.Split(path.Join(d.dir(), r.ref))
			_, isThere := a.files.list(strings.TrimSuffix(dir, "/")).entry(name)
			isSet = isSet && !isThere
			elsewhere += min(len(a.byName[name]), 1)
		}
	}
	a.hasImagesDir = isSet && elsewhere >= imagesElsewhere
}

// imagesElsewhere is how many images have to be in another directory.
const imagesElsewhere = 3

func isImageInAsciiDoc(d *document, k *reference) bool {
	return d.isAsciiDoc() && k.in == "image:" && d.layout.generated == nil
}

// mayMoveReference reports whether k may be right in the place where the file ends up: in a
// template that is filled in and written elsewhere, as a name that a bundler gives to a style
// sheet, or as an AsciiDoc image.
func (d *document) mayMoveReference(k *reference) bool {
	if d.isAsciiDoc() && k.kind == scan.Embed && d.layout.generated == nil {
		return true // the build may set imagesdir
	}
	if k.how == scan.CSS && k.in == "@import" {
		return k.ref != "" && k.ref[0] != '.' && k.ref[0] != '/'
	}
	return strings.HasPrefix(path.Ext(d.path), ".htm") && strings.Contains(strings.ToLower(path.Base(d.path)), "template")
}

// definitionLine matches a definition in the text of a part of a page.
var definitionLine = lazy.New(`(?m)^ {0,3}\[([^\]\n]+)\]:[ \t]*\S`)

// definesInPart reports whether a file that d includes defines a label.
func (a *auditor) definesInPart(d *document, label string) bool {
	s := d.layout.generated
	if s == nil {
		return false
	}
	parts, _ := s.Parts(d.path)
	return slices.ContainsFunc(parts, func(part string) bool {
		to := a.document(part)
		if to == nil {
			return false
		}
		defines := memoized(to.memo, &to.defines, false, func() map[string]bool { return labelsOf(definitionLine.FindAllSubmatch(to.head(), -1)) })
		return defines[labelKey(label)]
	})
}

// labelsOf returns the labels of definitions that were matched.
func labelsOf(definitions [][][]byte) map[string]bool {
	labels := map[string]bool{}
	for _, m := range definitions {
		labels[labelKey(string(m[1]))] = true
	}
	return labels
}

// labelKey returns the form of a label in which labels are compared.
func labelKey(label string) string { return fold(strings.Join(strings.Fields(label), " ")) }

// isShownElsewhere reports whether other pages of the site include d, and may use its definitions.
func (d *document) isShownElsewhere() bool {
	if d.layout.generated == nil {
		return false
	}
	_, uses, _ := d.siteUse()
	return slices.ContainsFunc(uses, func(u site.Use) bool { return u.Page.File != d.path })
}
