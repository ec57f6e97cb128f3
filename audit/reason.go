package audit

import (
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
)

// A reason is why a reference is not judged that is known without the tree.
type reason uint8

const (
	isJudged reason = iota
	isFilledIn
	isForm
	isMetadata
	isFrontMatter
	isSpeculative
	isModule
	isOutput
	isGuess
	reasons // their number
)

var reasonTexts = [reasons]string{
	isFilledIn:    "a template",
	isForm:        "the address of a form",
	isMetadata:    "metadata, or a header of a message",
	isFrontMatter: "front matter, which means what the generator makes of it",
	isSpeculative: "an attribute that may be no reference",
	isModule:      "an import of a module",
	isOutput:      "the output of a program",
	isGuess:       "a name that may stand for several files",
}

func (r reason) String() string { return reasonTexts[r] }

// reasonFor returns why r is not judged.
func (d *document) reasonFor(r *extract.Reference) reason {
	switch {
	case isTemplate(r.Raw) && d.layout.generated == nil:
		return isFilledIn
	case r.Kind == scan.Form:
		return isForm
	case r.Kind == scan.Metadata, r.Kind == scan.Header:
		return isMetadata
	case r.Labels&scan.FrontMatter != 0:
		return isFrontMatter
	case r.Labels&scan.Speculative != 0 && !(d.layout.generated != nil && r.How == scan.Attribute): // that of a component of a site is judged
		return isSpeculative
	case r.Labels&scan.Output != 0:
		return isOutput
	case r.Labels&scan.Guess != 0:
		return isGuess
	case r.In == "import": // a module has other rules
		return isModule
	}
	return isJudged
}
