package resolve

import (
	"bytes"

	"example.org/refract/internal/ascii"
)

var slashDot = []byte("/.")

// A fastPath says which references are resolved without the general algorithm.
type fastPath uint8

const (
	fastNone     fastPath = iota
	fastAbsolute          // absolute references, after a look at their bytes
	fastAll               // nearly all references, by appendFast
)

// noDots reports whether the absolute reference ref, whose scheme ends at colon,
// has no dot segments to remove. A result of false may be wrong.
func noDots(ref []byte, colon int) bool {
	return (colon+1 == len(ref) || ref[colon+1] != '.') && !bytes.Contains(ref, slashDot)
}

// appendFast is Append for the most frequent kinds of references, under
// RFC 3986 and against a base with scheme and authority. It appends the same as
// appendGeneral would. If it returns step 0, it has appended nothing, and the caller must use
// appendGeneral.
//
// One vectorised search for "/." shows that there are no dot segments to remove
// (a hit may be a false alarm: "/.x", "?/.."). The result is then a
// prepared prefix of the base and the reference. This takes less than half the
// time of appendGeneral; a loop over the bytes in place of the search took five times as
// long as the search.
func (b *Resolver) appendFast(dst, ref []byte) ([]byte, Step) {
	if len(ref) == 0 {
		return append(dst, b.query...), SameURI
	}
	switch ref[0] {
	case '#':
		return append(append(dst, b.query...), ref...), SameURI
	case '?':
		return append(append(dst, b.params...), ref...), SamePath
	case '.':
		return b.appendDotted(dst, ref)
	}
	if bytes.Contains(ref, slashDot) {
		return dst, 0
	}
	if ref[0] == '/' {
		if len(ref) > 1 && ref[1] == '/' {
			return append(append(dst, b.scheme...), ref...), NetworkPath
		}
		return append(append(dst, b.authority...), ref...), AbsolutePath
	}
	if i := ascii.SchemeEnd(ref); i > 0 {
		if i+1 < len(ref) && ref[i+1] == '.' {
			return dst, 0 // a rootless path, perhaps with dot segments
		}
		return append(dst, ref...), Absolute
	}
	return append(append(dst, b.dir...), ref...), RelativePath
}

// appendDotted goes up the directory for the "./" and "../" at the start of ref,
// as long as there is a directory to go up to.
func (b *Resolver) appendDotted(dst, ref []byte) ([]byte, Step) {
	n := len(b.dir) // b.dir[n-1] is a slash
	for len(ref) > 1 && ref[0] == '.' {
		if ref[1] == '/' {
			ref = ref[2:]
			continue
		}
		if len(ref) < 3 || ref[1] != '.' || ref[2] != '/' || n == len(b.authority)+1 {
			return dst, 0
		}
		for n--; b.dir[n-1] != '/'; n-- {
		}
		ref = ref[3:]
	}
	if len(ref) > 0 && ref[0] == '.' || bytes.Contains(ref, slashDot) {
		return dst, 0
	}
	return append(append(dst, b.dir[:n]...), ref...), RelativePath
}
