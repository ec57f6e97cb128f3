package lead

import (
	"strings"

	"example.org/refract/base"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/resolve"
)

// isPackaged reports whether k is in a member of d and is checked there. Others are checked as in any
// document: a reference to a file beside the package, and an invalid URL.
func isPackaged(d *doc.Document, k *doc.Reference) bool {
	switch {
	case k.Member == "":
		return false
	case d.Bundle == nil || strings.Count(k.Member, "!/") > 0, k.Labels&scan.Unused != 0, k.Inside != "", k.Result.Step == resolve.CurrentDocument:
		return true
	}
	return isOfOtherComputer(d, k)
}

// isOfOtherComputer reports whether k is a path on the computer where an office document was written.
func isOfOtherComputer(d *doc.Document, k *doc.Reference) bool {
	return k.In == "attachedTemplate" || k.In == "oleObject" && k.Inside == "" || k.Err == base.ErrNoBase ||
		strings.ContainsRune(k.Ref, '\\') || strings.HasPrefix(k.Ref, "/") && d.Bundle.Book == nil
}
