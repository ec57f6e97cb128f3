package audit

import (
	"bytes"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/resolve"
)

// A reason says why a reference is not judged, as far as that is known without the tree.
type reason uint8

const (
	isJudged reason = iota
	isFilledIn
	isForm
	isMetadata
	isFrontMatter
	isSpeculative
	isModule
	isAttribute
	isOfSphinx
	isResource
	isOutput
	isGuess
	isElsewhere
	isDeleted
	isReplaced
	isPublished
	isInArchive
	reasons // their number
)

var reasonTexts = [reasons]string{
	isFilledIn:    "a template",
	isForm:        "the address of a form",
	isMetadata:    "metadata, or a header of a message",
	isFrontMatter: "front matter, whose meaning depends on the generator",
	isSpeculative: "an attribute that may not be a reference",
	isModule:      "an import of a module",
	isAttribute:   "an attribute whose value is not known",
	isOfSphinx:    "a role or directive of Sphinx, without a configuration of Sphinx",
	isResource:    "a resource id of Antora, without an antora.yml",
	isOutput:      "the output of a program",
	isGuess:       "a name that may stand for several files",
	isElsewhere:   "a document of another project",
	isDeleted:     "what the current revision of a PDF does not use",
	isReplaced:    "a value that another one replaces",
	isPublished:   "a PDF or RTF in a site: where it is published is not known",
	isInArchive:   "in a book or an office document within another, or from standard input",
}

func (r reason) String() string { return reasonTexts[r] }

// reasonFor returns the reason why r is not judged.
func (d *document) reasonFor(r *extract.Reference) reason {
	mediaType := r.Entity.Type
	switch {
	case r.Labels&scan.Deleted != 0:
		return isDeleted
	case r.Labels&scan.Overridden != 0 && mediaType == "application/pdf":
		return isReplaced
	case d.layout.generated != nil && (mediaType == "application/pdf" || mediaType == "application/rtf"):
		return isPublished
	case r.Member() != "" && (d.bundle == nil || isNested(r.Entity)):
		return isInArchive
	case isTemplate(r.Raw) && d.layout.generated == nil, d.isCode() && len(r.Raw) > 0 && r.Raw[0] == '{':
		return isFilledIn
	case r.Kind == scan.Form:
		return isForm
	case r.Kind == scan.Metadata && !isOfPackage(r), r.Kind == scan.Header:
		return isMetadata
	case r.Labels&scan.FrontMatter != 0:
		return isFrontMatter
	case r.In == "import": // modules have other rules
		return isModule
	case r.Labels&scan.Speculative != 0 && !(d.layout.generated != nil && r.How == scan.Attribute): // attributes of a site's components are judged
		return isSpeculative
	case r.Labels&scan.Output != 0:
		return isOutput
	case d.isAsciiDoc() && r.Labels&scan.Guess != 0 && r.How != scan.Bare:
		return isAttribute
	case r.Labels&scan.Guess != 0:
		return isGuess
	case isDocumentElsewhere(r):
		return isElsewhere
	case d.isRST() && d.layout.generated == nil && isOnlyOfSphinx(r):
		return isOfSphinx
	}
	return isJudged
}

// isDocumentElsewhere reports whether r is a document of Sphinx with the name of another project before it: it is
// no URL.
func isDocumentElsewhere(r *extract.Reference) bool {
	return r.In == "doc" && r.How == scan.Role && r.Result.Step == resolve.Absolute
}

// isOnlyOfSphinx reports whether only Sphinx understands a reStructuredText reference: a document
// name without its suffix, or "/x" relative to the directory of the Sphinx configuration. A file that is included
// may be found without it.
func isOnlyOfSphinx(r *extract.Reference) bool {
	switch r.In {
	case "doc", "toctree", "download":
		return r.How == scan.Role || r.How == scan.Directive
	}
	return r.How == scan.Directive && (r.Raw[0] == '/' && r.In != "include" || bytes.HasSuffix(r.Raw, []byte(".*")))
}

// isOfPackage reports whether r is metadata that leads to a file of a book: a package document, or a record about the
// book.
func isOfPackage(r *extract.Reference) bool {
	return r.Inside != nil && (r.In == "rootfile/full-path" || r.In == "link/href")
}
