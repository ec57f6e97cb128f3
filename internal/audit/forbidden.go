package audit

import (
	"strconv"
	"unicode/utf8"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/judge"
	"example.org/refract/internal/audit/rule"
)

// newForbidden returns a function that reports the forbidden references of d up to an offset. Their targets
// do not matter, so nothing counts as checked or not checked.
func (a *auditor) newForbidden(d *doc.Document) (report func(end int64)) {
	if a.Forbidden == nil || !a.wantsIn(d.Path, rule.Forbidden) {
		return func(int64) {}
	}
	left := d.UnpackedForbidden()
	return func(end int64) {
		for ; len(left) > 0 && left[0].Pos.Offset < end; left = left[1:] {
			r := left[0].Extracted()
			e, text := a.Forbidden.Of(r)
			if e == nil {
				continue // of a cache file that is damaged
			}
			f := a.finding(d, rule.Forbidden, e.What()+": "+strconv.Quote(shortened(text)))
			if member := left[0].Member; member != "" {
				f.File, f.Path = judge.InMember(f.File, member), judge.InMember(f.Path, member)
			}
			f.Pos, f.Ref, f.Cause = left[0].Pos, r, e.What()
			a.report(d, f)
		}
	}
}

// maxForbidden limits the text of a forbidden reference in a message, in bytes: it may be a whole image.
const maxForbidden = 200

// shortened returns the beginning of text.
func shortened(text []byte) string {
	if len(text) <= maxForbidden {
		return string(text)
	}
	end := maxForbidden
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return string(text[:end]) + "…"
}
