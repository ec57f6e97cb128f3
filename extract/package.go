package extract

import (
	"bytes"
	"io"
	"iter"
	"net/url"
	"slices"
	"strings"

	"example.org/refract/base"
	"example.org/refract/extract/internal/odf"
	"example.org/refract/extract/internal/ooxml"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/container"
	"example.org/refract/internal/decode"
	"example.org/refract/internal/zipdoc"
	"example.org/refract/resolve"
)

// packageOf is the Container of documents that are ZIP archives.
func packageOf(alias, mediaType string, suffixes ...string) Container {
	k := Container{Types: []string{mediaType}, Suffixes: suffixes, Alias: alias, Audit: Always, Members: zipMembers, onlySniffed: true, isPackage: true}
	k.Sniff = func(head []byte) bool { return false }
	switch alias {
	case "epub":
		k.Sniff = zipdoc.IsEPUB
	case "docx", "xlsx", "pptx":
		k.Sniff = func(head []byte) bool { return container.IsZip(head) && ooxml.Kind(head) == alias }
	default:
		k.Sniff = func(head []byte) bool { return container.IsZip(head) && odf.Kind(head) == mediaType }
	}
	return k
}

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

// setInside sets Inside if r leads to a member of the package that contains it. ref is its reference.
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

// PlaceInPackage returns the path that b stands for, if b is the base of a member of a package, such as an EPUB:
// "/OEBPS/ch%201.xhtml". ok is false for all other bases. The URI of such a base is only for resolving.
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

// IsPackage reports whether files of k are documents in several members, as EPUB and office documents are. They
// are read wherever they are found, and by audits.
func (k *Container) IsPackage() bool { return k != nil && k.isPackage && k.Audit == Always }

// epubMembers yields the members of an EPUB: the package documents, then those of the spine, then the
// others.
func epubMembers(p *zipdoc.Document, yield func(Member, error) bool) {
	open := func(name string) []byte { return p.Text(name, zipdoc.MaxFile) }
	book := zipdoc.ReadBook(open)
	encrypted := map[string]bool{}
	if i, ok := p.Index(zipdoc.EncryptionName); ok {
		encrypted = readEncryption(&p.Members[i])
	}
	types := map[string]string{}
	for _, name := range book.Packages {
		types[name] = "application/oebps-package+xml"
	}
	for i := range book.Items {
		if t := book.Items[i].Type; strings.HasSuffix(t, "+xml") || t == "text/css" {
			types[book.Items[i].Name] = t
		}
	}
	names := p.Names()
	for _, i := range book.Order(names) {
		m := Member{Name: names[i], Type: types[names[i]], Open: p.Members[i].Open, place: place(names[i])}
		if names[i] == zipdoc.ContainerName {
			m.place = "/"
		}
		if encrypted[names[i]] {
			m.Open = func() (io.Reader, error) {
				return nil, &container.UnreadError{Kind: "DRM", Text: "encrypted for digital rights management: not read"}
			}
		}
		if !yield(m, nil) {
			return
		}
	}
	if p.Err != nil {
		yield(Member{}, p.Err)
	}
}

// ooxmlMembers yields the members of a document of Office Open XML. Before the relationships of a part
// are read, that part is, to see which of them it uses.
func ooxmlMembers(p *zipdoc.Document, yield func(Member, error) bool) {
	base := ooxml.HyperlinkBase(p.Text(ooxml.PropertiesName, ooxml.MaxFile))
	for i := range p.Members {
		m := Member{Name: p.Members[i].Name, Open: p.Members[i].Open, place: place(p.Members[i].Name), hasOwn: true}
		switch source, isRels := ooxml.Source(m.Name); {
		case isRels:
			m.place = place(source)
			first, _ := p.Index(m.Name)
			isFirst := first == i // a second one of the same name would read the part again
			m.format = relationshipsFormat(base, func(limit int64) []byte {
				if !isFirst {
					return nil
				}
				return p.Text(source, min(limit, ooxml.MaxPart))
			})
		case ooxml.IsSkipped(m.Name):
			continue
		case ooxml.IsPart(m.Name):
			m.format = partFormat
		}
		if !yield(m, nil) {
			return
		}
	}
	if p.Err != nil {
		yield(Member{}, p.Err)
	}
}

// odfMembers yields the members of an OpenDocument.
func odfMembers(p *zipdoc.Document, yield func(Member, error) bool) {
	encrypted := odf.Encrypted(p.Text(odf.ManifestName, odf.MaxFile))
	for i := range p.Members {
		name := p.Members[i].Name
		m := Member{Name: name, Open: p.Members[i].Open, place: place(odf.Dir(name)), hasOwn: true, isInDir: true}
		switch {
		case slices.Contains(encrypted, name):
			m.Open = func() (io.Reader, error) {
				return nil, &container.UnreadError{Kind: "encrypted document", Text: "encrypted: not read"}
			}
		case odf.IsSkipped(name):
			continue
		case odf.IsContent(name):
			m.format = odfFormat
		}
		if !yield(m, nil) {
			return
		}
	}
	if p.Err != nil {
		yield(Member{}, p.Err)
	}
}

// The formats of members of packages. No name or type leads to them.
var (
	partFormat = &Format{Types: []string{"application/xml"}, Charset: decode.XMLDeclared, UTF8Queries: true,
		Scan: func(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
			s := ooxml.Scanner{Anchors: x.Anchors, Rules: c.Text}
			return s.Scan(src)
		}}
	odfFormat = &Format{Types: []string{"application/xml"}, Charset: decode.XMLDeclared, UTF8Queries: true, Scan: scanODF}
)

// scanODF scans a member of an OpenDocument, or a flat one.
func scanODF(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
	s := odf.Scanner{Anchors: x.Anchors, Rules: c.Text}
	return s.Scan(src)
}

// relationshipsFormat is the Format of the relationships of one part. source returns at most limit bytes of
// it. base is that of the document.
func relationshipsFormat(base string, source func(limit int64) []byte) *Format {
	return &Format{Types: []string{"application/vnd.openxmlformats-package.relationships+xml"}, Charset: decode.XMLDeclared, UTF8Queries: true,
		Scan: func(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
			s := ooxml.Relationships{Source: source(c.limit()), Base: base}
			return s.Scan(src)
		}}
}
