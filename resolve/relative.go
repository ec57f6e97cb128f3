package resolve

import (
	"bytes"
	"slices"
	"strings"
)

// AppendRelative is the inverse of Append. It appends to dst the shortest reference, in bytes, that
// resolves against b to exactly url, and to a URL, not to the current document. Then ok is true.
//
// If there is no such reference, AppendRelative appends url itself, and ok is false. Examples are a url
// without a scheme or with another scheme than the base, or with dot segments that RFC 3986 removes. Every
// url is valid.
//
// Of several shortest references, it chooses the one that takes most from the base. The order is: empty
// reference, fragment, query, params, relative path, absolute path, network path, whole URL. (Combinations
// of rules that no document has can need a contorted reference: with query-dots and without empty
// components, "x:/?" from "x:/a" is ".?./../?". AppendRelative does not look for such references.)
//
// AppendRelative applies the algorithm and nothing else: it does not check whether the base's scheme has
// relative forms.
//
// It takes time linear in base and url, and allocates only if dst has less room than twice their total
// length and some bytes. url must not overlap the free space of dst.
func (b *Resolver) AppendRelative(dst, url []byte) (_ []byte, ok bool) {
	var room [maxForms]form
	forms := b.forms(room[:0], url)
	slices.SortStableFunc(forms, func(x, y form) int { return x.size() - y.size() })
	start := len(dst)
	for _, f := range forms {
		dst = f.append(dst[:start], url)
		end := len(dst)
		back, res := b.Append(dst, dst[start:])
		ok := !res.InError && !res.SameDocument() && bytes.Equal(back[end:], url)
		dst = back[:end]
		if ok {
			return dst, true
		}
	}
	return append(dst[:start], url...), false
}

// A form is a candidate reference for a URL: "../" ups times, then lead, then the rest of the URL from an
// offset on. AppendRelative resolves each form to check it, so forms need to know little about the rules,
// and cannot be wrong.
type form struct {
	ups  int
	lead string
	from int
}

const maxForms = 17

// size is meaningful only in comparison with other forms of the same URL.
func (f form) size() int { return len("../")*f.ups + len(f.lead) - f.from }

func (f form) append(dst, url []byte) []byte {
	for range f.ups {
		dst = append(dst, "../"...)
	}
	return append(append(dst, f.lead...), url[f.from:]...)
}

// forms appends the candidates for the shortest reference to url, in order of preference.
// TestRelativeIsShortest has the proof.
func (b *Resolver) forms(list []form, url []byte) []form {
	r := &b.rules
	list = append(list, form{from: len(url)}) // the empty reference
	root := len(b.authority)
	if hasPrefix(url, b.authority) && (!b.hasAuthority() || endsAuthority(url[root:])) {
		fragment := root + indexOrEnd(url[root:], '#')
		query := root + indexOrEnd(url[root:fragment], '?')
		params := query
		if r.Params {
			params = root + indexOrEnd(url[root:query], ';')
		}
		list = append(list, form{from: fragment})
		if r.EmptyAbsent { // "#" is then not a fragment, but not the empty reference either
			list = append(list, form{lead: "#", from: len(url)})
		}
		if r.SameScheme && r.Empty == EmptyIsWholeBase { // nor is the scheme of the base alone
			list = append(list, form{lead: b.scheme, from: len(url)})
		}
		list = append(list, form{from: query}, form{from: params})

		path := url[root:params]
		list = b.climb(list, url, root, params)
		switch {
		case b.hasAuthority() && len(b.dir) == root && len(path) > 0: // AddedSlash
			list = b.climb(list, url, root+len("/"), params)
		case !b.hasAuthority() && hasPrefix(path, "/.//"), // Guarded
			root == 0 && hasPrefix(path, "./"):
			list = b.climb(list, url, root+len("/."), params)
		}

		list = append(list, form{from: root})
		if hasPrefix(path, "//") { // it is not an authority
			list = append(list, form{lead: "/.", from: root})
			if r.EmptyAbsent {
				list = append(list, form{lead: "//", from: root})
			}
		}
	}
	if len(b.scheme) > 0 && hasPrefix(url, b.scheme) {
		list = append(list, form{from: len(b.scheme)})
	}
	return append(list, form{})
}

// endsAuthority reports whether an authority can end in front of rest.
func endsAuthority(rest []byte) bool {
	return len(rest) == 0 || rest[0] == '/' || rest[0] == '?' || rest[0] == '#'
}

func hasPrefix(s []byte, prefix string) bool {
	return len(s) >= len(prefix) && string(s[:len(prefix)]) == prefix
}

func indexOrEnd(s []byte, c byte) int {
	if i := bytes.IndexByte(s, c); i >= 0 {
		return i
	}
	return len(s)
}

// climb appends relative paths to url[at:end], from the deepest directory that url shares with the base: to
// leave that directory and come back only makes a path longer.
func (b *Resolver) climb(list []form, url []byte, at, end int) []form {
	root := len(b.authority)
	dir := b.dir[root:]
	if first := root + len(dir) - len(strings.TrimPrefix(dir, "/")); b.rules.LeaveDots && b.rules.AboveRoot == RemoveAboveRoot && b.floor > first {
		// dir contains segments above the root; the result does not.
		dir = b.dir[b.floor:]
		at = min(at+first-root, end)
	}
	shared := 0
	for i := 0; i < len(dir) && at+i < end && dir[i] == url[at+i]; i++ {
		if dir[i] == '/' {
			shared = i + 1
		}
	}
	at += shared
	ups := strings.Count(dir[shared:], "/")
	if ups > 0 {
		if at == end {
			list = append(list, form{ups - 1, "..", at})
		}
		return append(list, form{ups, "", at})
	}
	list = append(list, form{from: at})
	if at == end {
		list = append(list, form{lead: ".", from: at})
	}
	return append(list, form{lead: "./", from: at})
}
