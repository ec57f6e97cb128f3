package extract

import (
	"bytes"
	"io"
	"iter"
	"net/url"
	"slices"
	"strings"

	"example.org/refract/base"
	"example.org/refract/extract/container"
	"example.org/refract/extract/epub"
	"example.org/refract/extract/internal/decode"
	"example.org/refract/extract/internal/odf"
	"example.org/refract/extract/internal/ooxml"
	"example.org/refract/extract/scan"
	"example.org/refract/resolve"
)

// maxPackage limits the number of members of a package. Their names are held in memory.
const maxPackage = 1 << 16

// packageOf is the Container of documents that are ZIP archives.
func packageOf(alias, mediaType string, suffixes ...string) Container {
	k := Container{Types: []string{mediaType}, Suffixes: suffixes, Alias: alias, Audit: Always, Members: zipMembers, onlySniffed: true, isPackage: true}
	k.Sniff = func(head []byte) bool { return false }
	switch alias {
	case "epub":
		k.Sniff = epub.Is
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

// ownBase returns the base for references that are relative to the package that m reads, or to a
// directory in its place.
func (m *memberReader) ownBase(isDir bool) *base.Base {
	b := m.outer.entity.Base
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
	b, _ = base.Root(m.cfg.Rules, retrieved, source)
	return &b
}

// A Package is a document that is a ZIP archive: an EPUB, an office document. The zero Package has no
// members.
type Package struct{ reader packageReader }

// NewPackage reads the directory of the ZIP archive that r reads, which has size bytes. It lists at most 65,536
// members. An error says that the archive is damaged.
func NewPackage(r io.ReaderAt, size int64) (*Package, error) {
	p := newPackageReader(r, size, Limits{Members: maxPackage})
	return &Package{*p}, p.err
}

// Names returns the names of the members, in the order of the directory.
func (p *Package) Names() []string { return p.reader.names() }

// Book returns what the package documents of an EPUB say; nil if there are none.
func (p *Package) Book() *epub.Book {
	if _, ok := p.reader.index[epub.ContainerName]; !ok {
		return nil
	}
	return epub.Read(func(name string) []byte { return p.reader.text(name, epub.MaxFile) })
}

// IsPackage reports whether files of k are documents in several members, as EPUB and office documents are. They
// are read wherever they are found, and by audits.
func (k *Container) IsPackage() bool { return k != nil && k.isPackage && k.Audit == Always }

// A packageReader holds the members of a package.
type packageReader struct {
	members []container.Member
	index   map[string]int // by name; of those with the same name, the first
	err     error          // after members
}

// newPackageReader lists the members of a ZIP archive.
func newPackageReader(r io.ReaderAt, size int64, limits Limits) *packageReader {
	p := &packageReader{index: make(map[string]int)}
	for m, err := range container.Zip(r, size, min(limits.Members, maxPackage)) {
		if err != nil {
			p.err = err
			break
		}
		if !m.IsFile {
			continue
		}
		if _, again := p.index[m.Name]; !again {
			p.index[m.Name] = len(p.members)
		}
		p.members = append(p.members, m)
	}
	return p
}

// names returns the names of the members.
func (p *packageReader) names() []string {
	names := make([]string, len(p.members))
	for i := range p.members {
		names[i] = p.members[i].Name
	}
	return names
}

// text returns the first limit bytes of a member; nil if there is none.
func (p *packageReader) text(name string, limit int64) []byte {
	i, ok := p.index[name]
	if !ok {
		return nil
	}
	r, err := p.members[i].Open()
	if err != nil {
		return nil
	}
	if closer, ok := r.(io.Closer); ok {
		defer closer.Close()
	}
	src, _ := io.ReadAll(io.LimitReader(r, limit))
	return decodeMarkup(src)
}

// decodeMarkup returns src, which is XML, in UTF-8.
func decodeMarkup(src []byte) []byte {
	mark := decode.ByteOrderMark(src)
	if mark == "" {
		mark = decode.SniffUTF16(src[:min(len(src), 1024)])
	}
	switch mark {
	case "":
		return src
	case "utf-8":
		return src[3:]
	}
	text, _ := decode.Page(src, mark)
	return text
}

// epubMembers yields the members of an EPUB: the package documents, then those of the spine, then the
// others.
func epubMembers(p *packageReader, yield func(Member, error) bool) {
	open := func(name string) []byte { return p.text(name, epub.MaxFile) }
	book := epub.Read(open)
	encrypted := map[string]bool{}
	if i, ok := p.index[epub.EncryptionName]; ok {
		encrypted = readEncryption(&p.members[i])
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
	names := p.names()
	for _, i := range book.Order(names) {
		m := Member{Name: names[i], Type: types[names[i]], Open: p.members[i].Open, place: place(names[i])}
		if names[i] == epub.ContainerName {
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
	if p.err != nil {
		yield(Member{}, p.err)
	}
}

// ooxmlMembers yields the members of a document of Office Open XML. Before the relationships of a part
// are read, that part is, to see which of them it uses.
func ooxmlMembers(p *packageReader, yield func(Member, error) bool) {
	base := ooxml.HyperlinkBase(p.text(ooxml.PropertiesName, ooxml.MaxFile))
	for i := range p.members {
		m := Member{Name: p.members[i].Name, Open: p.members[i].Open, place: place(p.members[i].Name), hasOwn: true}
		switch source, isRels := ooxml.Source(m.Name); {
		case isRels:
			m.place = place(source)
			isFirst := p.index[m.Name] == i // a second one of the same name would read the part again
			m.format = relationshipsFormat(base, func(limit int64) []byte {
				if !isFirst {
					return nil
				}
				return p.text(source, min(limit, ooxml.MaxPart))
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
	if p.err != nil {
		yield(Member{}, p.err)
	}
}

// odfMembers yields the members of an OpenDocument.
func odfMembers(p *packageReader, yield func(Member, error) bool) {
	encrypted := odf.Encrypted(p.text(odf.ManifestName, odf.MaxFile))
	for i := range p.members {
		name := p.members[i].Name
		m := Member{Name: name, Open: p.members[i].Open, place: place(odf.Dir(name)), hasOwn: true, isInDir: true}
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
	if p.err != nil {
		yield(Member{}, p.err)
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
