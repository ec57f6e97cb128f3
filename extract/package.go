package extract

import (
	"encoding/xml"
	"io"
	"iter"
	"slices"
	"strings"

	"example.org/refract/extract/internal/odf"
	"example.org/refract/extract/internal/ooxml"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/container"
	"example.org/refract/internal/decode"
	"example.org/refract/internal/zipdoc"
)

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

// maxEncryption limits the list of encrypted members, in bytes.
const maxEncryption = 1 << 20

// readEncryption returns the members that an EPUB lists as encrypted (EPUB Open Container Format 3.2,
// section 4.2.6.3.2). Obfuscated fonts do not count.
func readEncryption(m *container.Member) map[string]bool {
	r, err := m.Open()
	if err != nil {
		return nil
	}
	if closer, ok := r.(io.Closer); ok {
		defer closer.Close()
	}
	in := xml.NewDecoder(io.LimitReader(r, maxEncryption))
	in.Strict = false
	encrypted := make(map[string]bool)
	algorithm := ""
	for {
		token, err := in.RawToken()
		if err != nil {
			return encrypted
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		for _, a := range start.Attr {
			switch start.Name.Local + "/" + a.Name.Local {
			case "EncryptionMethod/Algorithm":
				algorithm = a.Value
			case "CipherReference/URI":
				if !strings.HasPrefix(algorithm, "http://www.idpf.org/") && !strings.HasPrefix(algorithm, "http://ns.adobe.com/pdf/enc") {
					encrypted[ascii.UnescapeAll(a.Value)] = true
				}
			}
		}
	}
}

// ooxmlMembers yields the members of a document of Office Open XML. It reads each part before its
// relationships, to see which of them the part uses.
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

// The formats of members of packages. No name or type points to them.
var (
	partFormat = &Format{Types: []string{"application/xml"}, Charset: decode.XMLDeclared, UTF8Queries: true,
		Scan: func(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
			s := ooxml.Scanner{Anchors: x.Anchors, Rules: c.Text}
			return s.Scan(src)
		}}
	odfFormat = &Format{Types: []string{"application/xml"}, Charset: decode.XMLDeclared, UTF8Queries: true, Scan: scanODF}
)

// relationshipsFormat is the Format of the relationships of one part. source returns at most limit bytes of
// that part. base is the base of the document.
func relationshipsFormat(base string, source func(limit int64) []byte) *Format {
	return &Format{Types: []string{"application/vnd.openxmlformats-package.relationships+xml"}, Charset: decode.XMLDeclared, UTF8Queries: true,
		Scan: func(src []byte, c *Config, x Context) iter.Seq[*scan.Item] {
			s := ooxml.Relationships{Source: source(c.limit()), Base: base}
			return s.Scan(src)
		}}
}
