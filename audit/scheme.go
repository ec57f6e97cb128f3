package audit

import (
	"io/fs"
	"path"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/lazy"
)

// judgeScheme reports k if it leads nowhere because its scheme is missing: it is a mail address, or
// begins with a host. It returns whether it reported k.
func (a *auditor) judgeScheme(d *document, k *reference) bool {
	if d.isResourceID(k) {
		return false
	}
	message, made := withScheme(k.ref)
	if made == "" || k.kind == scan.Embed && strings.HasPrefix(made, "mailto:") {
		return false
	}
	first, _, _ := strings.Cut(k.ref, "/")
	if _, err := a.Tree.Stat(path.Join(d.dir(), first)); err == nil {
		return false // a directory whose name looks like a host
	}
	a.reportReference(d, k, problem{
		rule: MissingScheme, message: message, suggestion: made, cause: first,
		certain: a.Schemes && k.kind != scan.Embed && !a.renames(d, k, made) && a.files.list(d.dir()).names[d.base()]&fs.ModeSymlink == 0,
	})
	return true
}

// withScheme returns a reference with its missing scheme added, and a message that says what the
// reference is. made is "" if no scheme is missing.
func withScheme(ref string) (message, made string) {
	if strings.IndexByte(ref, '@') > 0 && mailAddress.MatchString(ref) && !IsPicture(ref) && !IsDocument(ref) {
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
