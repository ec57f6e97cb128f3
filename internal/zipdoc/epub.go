package zipdoc

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/xmlread"
)

// The files of the Open Container Format.
const (
	ContainerName  = "META-INF/container.xml"
	EncryptionName = "META-INF/encryption.xml"

	mimetype = "mimetypeapplication/epub+zip"
)

// MaxFile limits in bytes what is read of each of these files and of a package document.
const MaxFile = 8 << 20

// maxItems limits the manifests of a book, and maxBooks its package documents.
const (
	maxItems = 1 << 16
	maxBooks = 16
)

// IsEPUB reports whether a ZIP archive that begins with head is an EPUB: its type is its first member.
func IsEPUB(head []byte) bool {
	const name = 30 // offset of the name in the header
	return len(head) > name && bytes.HasPrefix(head[name:], []byte(mimetype))
}

// A Book is what the package documents of an EPUB say.
type Book struct {
	Packages []string // names of the package documents
	Items    []Item   // of the manifests, in their order
	Spine    []string // names of the members that are read one after the other
	Missing  []IDRef  // uses of ids that no item of the manifest has
}

// An IDRef is the use of the id of an item in a package document.
type IDRef struct {
	Package, In, ID string
	Offset          int // of the id in the package document, in bytes
	Line, Column    int // from 1; the column in bytes
}

// An Item is an entry of a manifest.
type Item struct {
	ID, Name, Type string // Name is that of the member; Type is the media type, in lower case
	Properties     string
	Fallback       string
}

// ReadBook reads a Book. open returns the first MaxFile bytes of a member, nil if there is none. Malformed
// parts are left out.
func ReadBook(open func(name string) []byte) *Book {
	b := &Book{}
	var r xmlread.Reader
	r.Reset(open(ContainerName))
	for r.Next() && len(b.Packages) < maxBooks {
		if r.Is(xmlread.Start, "rootfile") {
			t := string(bytes.ToLower(r.Value("media-type")))
			if name := string(r.Value("full-path")); name != "" && !slices.Contains(b.Packages, name) && (t == "" || t == "application/oebps-package+xml") {
				b.Packages = append(b.Packages, name)
			}
		}
	}
	for _, name := range b.Packages {
		b.readPackage(name, open(name))
	}
	return b
}

// readPackage reads the manifest and the spine of a package document.
func (b *Book) readPackage(name string, src []byte) {
	first := len(b.Items)
	var idrefs []string
	var uses []IDRef
	var r xmlread.Reader
	r.Reset(src)
	use := func(attr string) {
		if at, ok := r.Attr(attr); ok && at.End > at.Start && len(uses) < maxItems {
			uses = append(uses, IDRef{Package: name, In: string(r.Name) + "/" + attr, ID: string(bytes.TrimSpace(r.Value(attr))), Offset: at.Start})
		}
	}
	for r.Next() {
		if r.Kind == xmlread.Start {
			switch string(r.Name) {
			case "itemref":
				use("idref")
			case "item":
				use("fallback")
				use("media-overlay")
			case "spine":
				use("toc")
			}
		}
		switch {
		case r.Is(xmlread.Start, "item") && len(b.Items) < maxItems:
			i := Item{ID: string(bytes.TrimSpace(r.Value("id"))), Name: join(name, string(r.Value("href"))), Type: strings.ToLower(string(r.Value("media-type"))),
				Properties: string(r.Value("properties")), Fallback: string(r.Value("fallback"))}
			if i.Name != "" {
				b.Items = append(b.Items, i)
			}
		case r.Is(xmlread.Start, "itemref") && len(idrefs) < maxItems:
			idrefs = append(idrefs, string(bytes.TrimSpace(r.Value("idref"))))
		}
	}
	names := make(map[string]string)
	for _, i := range b.Items[first:] {
		names[i.ID] = i.Name
	}
	line, start, counted := 1, 0, 0
	for _, u := range uses {
		if _, ok := names[u.ID]; ok {
			continue
		}
		before := src[counted:u.Offset]
		if n := bytes.Count(before, []byte("\n")); n > 0 {
			line, start = line+n, counted+bytes.LastIndexByte(before, '\n')+1
		}
		counted = u.Offset
		u.Line, u.Column = line, u.Offset-start+1
		b.Missing = append(b.Missing, u)
	}
	for _, id := range idrefs {
		if n := names[id]; n != "" {
			b.Spine = append(b.Spine, n)
		}
	}
}

// join returns the name of the member that a reference in the member from points to, or "".
func join(from, ref string) string {
	ref, _, _ = strings.Cut(ref, "#")
	ref, _, _ = strings.Cut(ref, "?")
	if i := strings.IndexAny(ref, ":/"); i >= 0 && ref[i] == ':' || ref == "" || strings.HasPrefix(ref, "//") {
		return ""
	}
	name := ascii.UnescapeAll(ref)
	if !strings.HasPrefix(name, "/") {
		name = path.Join("/", path.Dir(from), name)
	}
	return strings.TrimPrefix(path.Clean(name), "/")
}

// Order returns the order in which members with these names are read, as indices: the container, the
// package documents, the spine, then the others in their order.
func (b *Book) Order(names []string) []int {
	index := make(map[string]int, len(names))
	for i, n := range names {
		if _, again := index[n]; !again {
			index[n] = i
		}
	}
	order, isTaken := make([]int, 0, len(names)), make([]bool, len(names))
	take := func(name string) {
		if i, ok := index[name]; ok && !isTaken[i] {
			isTaken[i] = true
			order = append(order, i)
		}
	}
	take("mimetype")
	take(ContainerName)
	for _, n := range b.Packages {
		take(n)
	}
	for _, n := range b.Spine {
		take(n)
	}
	for i := range names {
		if !isTaken[i] {
			order = append(order, i)
		}
	}
	return order
}
