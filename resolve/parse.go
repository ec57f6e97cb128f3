package resolve

import (
	"bytes"

	"example.org/refract/internal/ascii"
)

// Components are the parts of a URI reference, without their separators. The Has flags distinguish
// undefined from empty (the 1997 draft, section 5.2, last note): "g?" has a query, "g" has none. The path
// is never undefined. The slices share memory with the parsed bytes.
type Components struct {
	Scheme, Authority, Path, Params, Query, Fragment []byte

	HasScheme, HasAuthority, HasParams, HasQuery, HasFragment bool
}

// Parse splits s as RFC 3986 Appendix B does, except that a scheme must obey its own grammar (3.1): "12:30"
// is a path. Every s is valid. [Components.Append] gives s back.
func Parse(s []byte) Components {
	return Rules{}.Parse(s)
}

// Parse splits s in the order of RFC 1808 2.4: fragment, scheme, authority, query, params, path. Under
// rules without params, and in which "?" also ends the authority, this is the same as Appendix B. Every s
// is valid.
//
// [Components.Append] gives s back, unless the rules treat a component that is present but empty as
// undefined.
func (r Rules) Parse(s []byte) (c Components) {
	p := r.split(s)
	c.Path = p.path
	c.Scheme, c.HasScheme = p.scheme, len(p.scheme) > 0
	c.Authority, c.HasAuthority = p.authority, len(p.authority) > 0
	c.Params, c.HasParams = p.params, len(p.params) > 0
	c.Query, c.HasQuery = p.query, len(p.query) > 0
	c.Fragment, c.HasFragment = p.fragment, len(p.fragment) > 0
	if c.HasScheme {
		c.Scheme = c.Scheme[:len(c.Scheme)-1]
	}
	if c.HasAuthority {
		c.Authority = c.Authority[2:]
	}
	if c.HasParams {
		c.Params = c.Params[1:]
	}
	if c.HasQuery {
		c.Query = c.Query[1:]
	}
	if c.HasFragment {
		c.Fragment = c.Fragment[1:]
	}
	return c
}

// Append appends the reference that c describes, exactly by draft 5.2 step 7.
func (c Components) Append(dst []byte) []byte {
	if c.HasScheme {
		dst = append(append(dst, c.Scheme...), ':')
	}
	if c.HasAuthority {
		dst = append(append(dst, "//"...), c.Authority...)
	}
	dst = append(dst, c.Path...)
	if c.HasParams {
		dst = append(append(dst, ';'), c.Params...)
	}
	if c.HasQuery {
		dst = append(append(dst, '?'), c.Query...)
	}
	if c.HasFragment {
		dst = append(append(dst, '#'), c.Fragment...)
	}
	return dst
}

// pieces are components with their separators: "http:", "//a", "/b", ";p", "?q", "#f". An undefined piece
// has length 0, so that no flags are needed and draft 5.2 step 7 is concatenation.
type pieces struct {
	scheme, authority, path, params, query, fragment []byte
}

func (r *Rules) split(s []byte) (p pieces) {
	if i := bytes.IndexByte(s, '#'); i >= 0 {
		s, p.fragment = s[:i], s[i:]
	}
	if i := r.schemeEnd(s); i > 0 {
		p.scheme, s = s[:i+1], s[i+1:]
	}
	if len(s) >= 2 && s[0] == '/' && s[1] == '/' {
		i := 2
		for i < len(s) && s[i] != '/' && (s[i] != '?' || r.AuthoritySlash) {
			i++
		}
		p.authority, s = s[:i], s[i:]
	}
	if i := bytes.IndexByte(s, '?'); i >= 0 {
		s, p.query = s[:i], s[i:]
	}
	if r.Params {
		if i := bytes.IndexByte(s, ';'); i >= 0 {
			s, p.params = s[:i], s[i:]
		}
	}
	p.path = s
	if r.EmptyAbsent {
		p.authority = dropEmpty(p.authority, len("//"))
		p.params = dropEmpty(p.params, len(";"))
		p.query = dropEmpty(p.query, len("?"))
		p.fragment = dropEmpty(p.fragment, len("#"))
	}
	return p
}

// dropEmpty returns piece, or nothing if it consists of its separator alone.
func dropEmpty(piece []byte, separator int) []byte {
	if len(piece) == separator {
		return nil
	}
	return piece
}

// schemeEnd returns the index of the colon that ends the scheme of s, or 0.
func (r *Rules) schemeEnd(s []byte) int {
	if r.AnyScheme {
		return ascii.SchemeEndLoose(s)
	}
	return ascii.SchemeEnd(s)
}
