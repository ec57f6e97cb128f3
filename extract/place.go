package extract

import (
	"bytes"
	"net/url"
	"strings"

	"example.org/refract/base"
	"example.org/refract/resolve"
)

// packageScheme is the scheme of the bases of members of packages. It appears in no output.
const packageScheme = "refract-package:"

// packageBase returns the base of a member of a package with this place.
func packageBase(rules resolve.Rules, place string) base.Base {
	b, _ := base.Root(rules, base.Source{}, base.Source{URI: packageScheme + place, From: "package"})
	return b
}

// place returns the place of a member with this name.
func place(name string) string {
	u := url.URL{Path: "/" + strings.TrimPrefix(name, "/")}
	return u.EscapedPath()
}

// setInside sets Inside if r points to a member of the package that contains it. ref is its reference.
func (r *Reference) setInside() {
	if r.Result.Step == resolve.Absolute {
		return
	}
	rest, ok := bytes.CutPrefix(r.URL, []byte(packageScheme))
	if !ok {
		return
	}
	r.URL = nil
	if bytes.HasPrefix(rest, []byte("//")) {
		r.Err = base.ErrNoBase
		return
	}
	r.Inside = rest
}

// PlaceInPackage returns the path that b stands for, if b is the base of a member of a package, such as an
// EPUB: "/OEBPS/ch%201.xhtml". ok is false for all other bases. The URI of such a base is only for
// resolving.
func PlaceInPackage(b *base.Base) (path string, ok bool) {
	return strings.CutPrefix(b.URI, packageScheme)
}

// ownBase returns the base for references that are relative to a package with base b, or to a directory in its place.
func ownBase(rules resolve.Rules, b base.Base, isDir bool) *base.Base {
	if !isDir || b.URI == "" {
		return &b
	}
	uri, _, _ := strings.Cut(b.URI, "?")
	if strings.HasSuffix(uri, "/") {
		uri += "x"
	}
	source := base.Source{URI: uri + "/", From: b.From}
	retrieved := source
	if b.Layer != base.Retrieval {
		retrieved = base.Source{}
	}
	b, _ = base.Root(rules, retrieved, source)
	return &b
}
