// Package reason says why something is not checked, or is not published, in one value: one of twelve causes, which
// programs compare, and a phrase that people read.
package reason

import (
	"cmp"
	"strings"
)

// A Reason says why a reference is not checked, a file is not published, or a reference is broken. Reasons
// are comparable. The zero Reason is none.
type Reason struct {
	cause      Cause
	name, text string
}

// New returns a reason with a cause, a name, such as "built-page", which only the code of the audit
// compares, and a text: a phrase for the maintainer of the documentation. If the text contains "%s", With
// replaces it.
func New(cause Cause, name, text string) Reason { return Reason{cause, name, text} }

// With returns r with a detail in place of "%s" in its text. Is still finds it equal to r.
func (r Reason) With(detail string) Reason {
	r.text = strings.Replace(r.text, "%s", detail, 1)
	return r
}

// Without returns r without a part of its detail. Is still finds it equal to r.
func (r Reason) Without(part string) Reason {
	r.text = strings.ReplaceAll(r.text, part, "")
	return r
}

// If returns r if holds is true, otherwise the zero Reason.
func (r Reason) If(holds bool) Reason {
	if holds {
		return r
	}
	return Reason{}
}

// Cause returns the cause of r. It is 0 for the zero Reason.
func (r Reason) Cause() Cause { return r.cause }

// Name returns the name of r, which does not depend on the detail. It is "" for the zero Reason.
func (r Reason) Name() string { return r.name }

// String returns the text of r.
func (r Reason) String() string { return r.text }

// IsZero reports whether r is none.
func (r Reason) IsZero() bool { return r == Reason{} }

// Is reports whether r and other have the same name.
func (r Reason) Is(other Reason) bool { return r.name == other.name }

// RawHTML returns the reason why a link in raw HTML to a source file is broken. The generator does not
// rewrite it, and browsers resolve it against the URL of the page.
func RawHTML(generator, url string) Reason { return rawHTML.With(generator).With(url) }

// Compare orders reasons by their texts.
func (r Reason) Compare(other Reason) int {
	return cmp.Or(cmp.Compare(r.text, other.text), cmp.Compare(r.name, other.name))
}
