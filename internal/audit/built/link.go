package built

import (
	"bytes"
	"path"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// A Link is a link of a page, or something that the page shows.
type Link struct {
	Outcome
	Pos  int    // offset of the reference in the file
	In   string // "a/href"
	Ref  string // the reference, decoded
	Zone Zone
	// IsEmbedded says that the page shows the target; otherwise the link is an a or area element.
	IsEmbedded bool
	// IsHidden says that it is in a template that a script copies, or is read by one.
	IsHidden bool
	Text     uint64 // Key of the text of the link, or of the description of an image; 0: none
	Sig      uint64 // Signature of its target
}

// maxLinks limits the links of one page that are looked at.
const maxLinks = 1 << 20

// A Linker reads the links of pages, one page after another.
type Linker struct {
	reader   *reader
	resolver *resolver // of the last page
	links    []Link
	Text     []byte // of the last page
	// Left is the number of links of the last page that were not returned because of maxLinks.
	Left int
	// IsBased says that a base element of the last page determines the targets of its relative links.
	IsBased bool
}

func NewLinker() *Linker { return &Linker{reader: newReader(nil, nil)} }

// Links returns the links of p in order; nil if it cannot be read. They are valid until the next call.
func (l *Linker) Links(p *Page) []Link {
	l.links, l.Left, l.IsBased = l.links[:0], 0, false
	l.Text = p.Text()
	if l.Text == nil {
		return nil
	}
	r := l.reader
	r.zones.find(l.Text)
	r.scanner.XML = strings.HasSuffix(p.Name, ".xhtml")
	res := l.resolver.next(p)
	l.resolver = res
	cursor := 0
	for it := range r.scanner.Scan(l.Text) {
		switch {
		case it.Op == scan.Base && it.In == "base/href":
			res.setBase(it.Value)
			l.IsBased = l.IsBased || bytes.HasPrefix(it.Value, []byte("/")) || bytes.Contains(it.Value, []byte("://"))
		case it.Op == scan.Ref && isLink(it):
			if len(l.links) >= maxLinks {
				l.Left++
				continue
			}
			o := res.lead(it.Value)
			k := Link{
				Outcome: o, Pos: it.Span.Start, In: it.In, Ref: string(it.Value), IsEmbedded: it.Kind == scan.Embed,
				IsHidden: it.Labels&(scan.Lazy|scan.Template|scan.Speculative|scan.Overridden) != 0, Text: Key(it.Text),
			}
			k.Zone = r.zones.of(k.Pos, &cursor)
			if strings.HasPrefix(k.Ref, "#") {
				k.Sig = Signature("", o.Fragment)
			} else {
				k.Sig = Signature(o.URL, o.Fragment)
			}
			l.links = append(l.links, k)
		}
	}
	return l.links
}

// isLink reports whether an item is a reference that a reader of the page follows or sees.
func isLink(it *scan.Item) bool {
	switch it.In {
	case "a/href", "area/href", "meta/refresh":
		return true
	}
	return it.Kind == scan.Embed && it.How != scan.CSS
}

// Signature returns a number for the target of a reference that its source and its link share, whatever a
// generator makes of paths. It is made of the fragment and of the last name in the path, without its suffix
// and the number or date that sorts it, unless that is the name of an index page. For a URL of another
// host, it is made of the whole URL. It is 0 if there is nothing to compare.
func Signature(u, fragment string) uint64 {
	if strings.Contains(u, "://") || strings.HasPrefix(u, "mailto:") {
		return Hash(strings.TrimSuffix(u, "/")+"#"+fragment) | 1 // browsers add the slash of a root
	}
	name := BareName(path.Base("/" + strings.TrimSuffix(u, "/")))
	if IsIndexName(name) {
		name = BareName(path.Base("/" + path.Dir(strings.TrimSuffix(u, "/"))))
	}
	key := Key(name)
	id := Key(ascii.UnescapeAll(fragment))
	if key == 0 && id == 0 {
		return 0
	}
	return (key*31 + id) | 1
}

// BareName returns a name without its suffix and without the number or date before it that only sorts it.
func BareName(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 && isSuffix(name[i+1:]) {
		name = name[:i]
	}
	digits := len(name) - len(strings.TrimLeft(name, "0123456789-"))
	if digits > 0 && digits < len(name) {
		if rest := strings.TrimLeft(name[digits:], "._ "); name[digits-1] == '-' || len(rest) < len(name)-digits {
			name = rest
		}
	}
	return name
}

// isSuffix reports whether what follows the last point of a name says what kind of file it is. In "1.2", it does not.
func isSuffix(s string) bool {
	return s != "" && len(s) <= len("markdown") && ascii.IsLetter(s[0])
}

// IsIndexName reports whether a stem is that of a page that stands for its directory.
func IsIndexName(stem string) bool {
	switch strings.ToLower(stem) {
	case "index", "_index", "readme", ".", "..", "/", "":
		return true
	}
	return false
}
