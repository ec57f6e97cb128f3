package judge

import (
	"path"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/lazy"
)

// judgeScheme reports ref if it is broken because its scheme is missing: it is a mail address, or begins with
// a host.
func (a *Judge) judgeScheme(d *doc.Document, ref *doc.Reference) (v Verdict, isChecked bool) {
	if d.IsResourceID(ref) {
		return v, false
	}
	message, made := withScheme(ref.Ref)
	if made == "" || ref.Kind == scan.Embed && strings.HasPrefix(made, "mailto:") {
		return v, false
	}
	first, _, _ := strings.Cut(ref.Ref, "/")
	if _, err := a.Shared.Tree.Stat(path.Join(d.Dir(), first)); err == nil {
		return v, false // a directory whose name looks like a host
	}
	return faulty(Problem{
		Rule: rule.MissingScheme, Message: message, Suggestion: made, Cause: first,
		Certain: a.WithSchemes && ref.Kind != scan.Embed && !a.Renames(d, ref, made),
	}), true
}

// withScheme returns a reference with its missing scheme added, and a message that says what the
// reference is. made is "" if no scheme is missing.
func withScheme(ref string) (message, made string) {
	// ".org" is the suffix of Org documents, and of many more hosts.
	isFile := doc.IsPicture(ref) || doc.IsDocument(ref) && path.Ext(ref) != ".org"
	if strings.IndexByte(ref, '@') > 0 && !isFile && mailAddress.MatchString(ref) {
		return `a mail address without "mailto:"`, "mailto:" + ref
	}
	host, _, more := strings.Cut(ref, "/")
	if isHostName(host, more) {
		return `a host without "https://"`, "https://" + ref
	}
	return "", ""
}

// mailAddress matches an ordinary mail address (RFC 5322 3.4.1), with the query that may follow one in
// mailto: (RFC 6068 2).
var mailAddress = lazy.New(`^[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}(?:\?[a-z]+=[^#/]*)?$`)

// isHostName reports whether a path more likely begins with a host: "www.x.org", "github.com/x". No file
// has such a name that is often linked to. more says that a slash follows it.
func isHostName(name string, more bool) bool {
	if strings.HasPrefix(name, "www.") {
		return true
	}
	switch path.Ext(name) {
	case ".com", ".org", ".net", ".io", ".dev":
		return more && name[0] != '.'
	}
	return false
}
