package lead

import (
	"path"
	"slices"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site/source"
)

// MayHaveImagesDir reports whether a build seems to say where the images of AsciiDoc documents are. Either
// none is where the documents say, and files in other directories have the names of some, or a page says so
// by an attribute.
func (a *World) MayHaveImagesDir(d *doc.Document, ref *doc.Reference) bool {
	if !IsImageInAsciiDoc(d, ref) {
		return false
	}
	return a.HasImagesDir && len(a.ByName[path.Base(ref.Ref)]) > 0 || a.mayBeInImagesDir(d)
}

func IsImageInAsciiDoc(d *doc.Document, ref *doc.Reference) bool {
	return d.IsAsciiDoc() && ref.In == "image:" && d.Layout.Generated == nil
}

// definitionLine matches a definition in the text of a part of a page.
var definitionLine = lazy.New(`(?m)^ {0,3}\[([^\]\n]+)\]:[ \t]*\S`)

// DefinesInPart reports whether a file that d includes defines a label.
func (a *Library) DefinesInPart(d *doc.Document, label string) bool {
	s := d.Layout.Generated
	if s == nil {
		return false
	}
	parts, _ := s.Parts(d.Path)
	return slices.ContainsFunc(parts, func(part string) bool {
		to := a.Document(part)
		if to == nil { // such as a list of definitions that is appended to all pages
			return a.definedIn.Get(part, func(string) map[string]bool {
				return doc.LabelsOf(definitionLine.FindAllSubmatch(s.Tree.Text(part, source.MaxPage), -1))
			})[doc.LabelKey(label)]
		}
		defines := to.Defines.Get(func() map[string]bool { return doc.LabelsOf(definitionLine.FindAllSubmatch(to.Head(), -1)) })
		return defines[doc.LabelKey(label)]
	})
}
