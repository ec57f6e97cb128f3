package output

import (
	"path"
	"strings"

	"example.org/refract/extract"
)

// MemberOf returns the place of an entity of the input called name. shown is the name with the path in the
// archives, "d/a.zip!/b.html", and member that path, from the name of the outermost archive on,
// "a.zip!/b.html". The outermost archive is the input itself, or a file in it, such as an attachment.
// Outside of archives, shown is the name, and member is "".
func memberOf(name string, e *extract.Entity) (shown, member string) {
	inner := e.MemberPath()
	if inner == "" {
		return name, ""
	}
	outermost := e
	for ; e != nil; e = e.Parent {
		if e.Member != "" {
			outermost = e
		}
	}
	if outermost.Parent.Parent == nil {
		return name + "!/" + inner, path.Base(name) + "!/" + inner
	}
	return name + "!/" + inner, inner
}

// MemberOf is like the function of that name. It remembers the entity: most references are in that of
// the reference before.
func (b *Block) MemberOf(name string, e *extract.Entity) (shown, member string) {
	if b.entity != e || b.inputName != name {
		b.entity, b.inputName = e, name
		b.shown, b.member = memberOf(name, e)
	}
	return b.shown, b.member
}

// packageOf returns the path of the package that contains e, with the mark at its end: "book.epub!".
// member is the path of e itself.
func packageOf(member string, e *extract.Entity) string {
	for ; e != nil && e.Member == ""; e = e.Parent {
	}
	if e == nil {
		return member
	}
	return strings.TrimSuffix(member, "/"+e.Member)
}
