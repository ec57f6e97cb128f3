package resolve

import (
	"bytes"
	"slices"
	"strings"
)

// AppendRelative is the way back: it appends to dst the shortest reference, in
// bytes, that resolves against b to url, byte for byte, and to a URL, not to the
// current document. Then ok is true.
//
// Where no reference does, url itself is appended, and ok is false: it has no
// scheme or not that of the base, say, or it has dot segments that RFC 3986
// removes. No url is an error.
//
// Of several shortest ones it takes the one that leaves most to the base: the
// empty reference, a fragment, a query, params, a relative path, an absolute
// path, a network path, and only then the whole. (Rules that no document has can
// need a contorted one: with query-dots and without empty components, "x:/?" from
// "x:/a" is ".?./../?". Such are not looked for.)
//
// It applies the algorithm and
// nothing else: whether the base's scheme has relative forms is for others to say.
//
// It takes time linear in base and url, and allocates only when dst has not room
// for twice both and some bytes. url must not overlap the free space of dst.
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

// A form is a reference that may give a URL back: "../" as often as ups says,
// lead, and the URL from there on. Whether it does is found out by resolving it,
// so that forms need to know little of the rules, and cannot be wrong.
type form struct {
	ups  int
	lead string
	from int
}

const maxForms = 17

// size is compared only with the sizes of other forms of the same URL.
func (f form) size() int { return len("../")*f.ups + len(f.lead) - f.from }

func (f form) append(dst, url []byte) []byte {
	for range f.ups {
		dst = append(dst, "../"...)
	}
	return append(append(dst, f.lead...), url[f.from:]...)
}

// forms appends the references that can be a shortest one for url, in the order
// of preference. TestRelativeIsShortest has the proof.
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
		if r.EmptyAbsent { // "#" is no fragment, but not the empty reference either
			list = append(list, form{lead: "#", from: len(url)})
		}
		if r.SameScheme && r.Empty == BaseAndFragment { // nor is the scheme of the base
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
		if hasPrefix(path, "//") { // which is no authority
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

// climb appends relative paths to url[at:end], from the deepest directory that
// it shares with the base: to leave that, and to come back, only makes longer.
func (b *Resolver) climb(list []form, url []byte, at, end int) []form {
	root := len(b.authority)
	dir := b.dir[root:]
	if first := root + len(dir) - len(strings.TrimPrefix(dir, "/")); b.rules.LeaveDots && b.rules.AboveRoot == Remove && b.floor > first {
		// What goes above the root is in dir, but not in the result.
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
