package doc

import (
	"bytes"
	"strings"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/resolve"
)

// An EarlyReason says why a reference is not checked, as far as that is known without the tree.
type EarlyReason uint8

const (
	isChecked EarlyReason = iota
	IsFilledIn
	IsForm
	IsMetadata
	IsFrontMatter
	IsSpeculative
	IsModule
	IsAttribute
	IsOfSphinx
	isResource
	isOutput
	isGuess
	isElsewhere
	isDeleted
	isReplaced
	isPublished
	isInArchive
	isOfApp
	isComposed
	isCodeItem
	reasons // their number
)

var reasonTexts = [reasons]reason.Reason{
	IsFilledIn:    reason.Template,
	IsForm:        formAddress,
	IsMetadata:    metadata,
	IsFrontMatter: frontMatter,
	IsSpeculative: mayBeReference,
	IsModule:      moduleImport,
	IsAttribute:   attributeUnknown,
	IsOfSphinx:    sphinxOnly,
	isResource:    antoraOnly,
	isOutput:      programOutput,
	isGuess:       severalFiles,
	isElsewhere:   otherProject,
	isDeleted:     pdfUnused,
	isReplaced:    replaced,
	isPublished:   unplacedPDF,
	isInArchive:   nestedPackage,
	isOfApp:       appRoot,
	isComposed:    composed,
	isCodeItem:    reason.CodeItem,
}

func (r EarlyReason) Reason() reason.Reason { return reasonTexts[r] }

// reasonFor returns the reason why r is not checked.
func (s scanner) reasonFor(r *extract.Reference) EarlyReason {
	d, mediaType := s.d, r.Entity.Type
	switch {
	case r.Labels&scan.Deleted != 0:
		return isDeleted
	case r.Labels&scan.Overridden != 0 && mediaType == "application/pdf":
		return isReplaced
	case d.Layout.Generated != nil && (mediaType == "application/pdf" || mediaType == "application/rtf"):
		return isPublished
	case r.Member() != "" && (d.Bundle == nil || isNested(r.Entity)):
		return isInArchive
	case IsTemplate(r.Raw) && d.Layout.Generated == nil, d.IsCode() && len(r.Raw) > 0 && r.Raw[0] == '{':
		return IsFilledIn
	case d.IsMarkdown() && isQuotedCode(r.Raw):
		return isCodeItem
	case r.Kind == scan.Form:
		return IsForm
	case r.Kind == scan.Metadata && !isOfPackage(r) && !s.isOwnMeta(r), r.Kind == scan.Header:
		return IsMetadata
	case r.Labels&scan.FrontMatter != 0:
		return IsFrontMatter
	case r.In == "import": // modules have other rules
		return IsModule
	case bytes.HasPrefix(r.Raw, []byte("~/")) && d.Layout.Generated == nil:
		return isOfApp
	case r.Labels&(scan.Speculative|scan.Guess) == scan.Speculative|scan.Guess:
		return isComposed
	case r.Labels&scan.Speculative != 0 && !(d.Layout.Generated != nil && r.How == scan.Attribute): // attributes of a site's components are checked
		return IsSpeculative
	case r.Labels&scan.Output != 0:
		return isOutput
	case d.IsAsciiDoc() && (r.Labels&scan.Guess != 0 && r.How != scan.Bare || unknownAttribute.Match(r.Ref)):
		return IsAttribute
	case r.Labels&scan.Guess != 0:
		return isGuess
	case isDocumentElsewhere(r):
		return isElsewhere
	case d.IsRST() && d.Layout.Generated == nil && isOnlyOfSphinx(r):
		return IsOfSphinx
	}
	return isChecked
}

// unknownAttribute matches an attribute of AsciiDoc in a reference whose known ones are replaced: the value
// of another may contain it.
var unknownAttribute = lazy.New(`\{[A-Za-z0-9_][\w-]*\}`)

// isQuotedCode reports whether ref is code in backquotes, which programs such as ExDoc replace by the URL
// of what it names.
func isQuotedCode(ref []byte) bool {
	return len(ref) > 2 && ref[0] == '`' && ref[len(ref)-1] == '`'
}

// isOwnMeta reports whether r is an absolute URL of the site itself in a meta element of HTML, such as
// og:image, whose readers cannot use relative URLs.
func (s scanner) isOwnMeta(r *extract.Reference) bool {
	if !strings.HasPrefix(r.In, "meta/") || r.Result.Step != resolve.Absolute {
		return false
	}
	c := resolve.Parse(r.URL)
	_, _, isOwn := s.Published.Find(&c)
	return isOwn
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

// isOfPackage reports whether r is metadata that points to a file of a book: a package document, or a
// record about the book.
func isOfPackage(r *extract.Reference) bool {
	return r.Inside != nil && (r.In == "rootfile/full-path" || r.In == "link/href")
}

// Reasons.
var (
	appRoot          = reason.New(reason.Base, "app-root", `begins with "~/", the root of an app or a site`)
	antoraOnly       = reason.New(reason.OtherSite, "antora-only", "a resource id of Antora, without an antora.yml")
	attributeUnknown = reason.New(reason.Templated, "attribute-unknown", "an attribute whose value is not known")
	composed         = reason.New(reason.Component, "component-composes-link", "a component builds the URL from this value")
	formAddress      = reason.New(reason.NoLink, "form-address", "the address of a form")
	frontMatter      = reason.New(reason.NoLink, "front-matter", "front matter, whose meaning depends on the generator")
	mayBeReference   = reason.New(reason.Component, "may-be-reference", "an attribute that may not be a reference")
	metadata         = reason.New(reason.NoLink, "metadata", "metadata, or a header of a message")
	moduleImport     = reason.New(reason.Build, "module-import", "an import of a module")
	nestedPackage    = reason.New(reason.Unpublished, "nested-package", "in a book or an office document within another, or from standard input")
	otherProject     = reason.New(reason.OtherSite, "other-project", "a document of another project")
	pdfUnused        = reason.New(reason.Unpublished, "pdf-unused", "what the current revision of a PDF does not use")
	programOutput    = reason.New(reason.Build, "program-output", "the output of a program")
	replaced         = reason.New(reason.Templated, "replaced", "a value that another one replaces")
	severalFiles     = reason.New(reason.Base, "several-files", "a name that may stand for several files")
	sphinxOnly       = reason.New(reason.Code, "sphinx-only", "a role or directive of Sphinx, without a configuration of Sphinx")
	unplacedPDF      = reason.New(reason.Unpublished, "unplaced-pdf", "a PDF or RTF in a site: where it is published is not known")
)
