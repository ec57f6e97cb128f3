package buildmatch

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/built"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/input"
	"example.org/refract/internal/order"
	"example.org/refract/resolve"
)

// A use is a reference of a document, to be aligned.
type use struct {
	text, sig  uint64
	at         int64  // offset in the document
	raw        uint64 // of the reference as written
	isEmbedded bool
	isFloating bool // it stands elsewhere than what is shown of it: a definition
}

const (
	maxUses = 1 << 20 // references of a document that are aligned
	maxKept = 1 << 20 // references that are kept from when their documents are read; others are read again
)

// Uses holds references of documents, as they were when the audit read the documents. The zero Uses has
// none.
type Uses struct {
	mu    sync.Mutex
	by    map[*doc.Document][]use
	count int
}

// Take takes a reference of a document with the given text. It is called for all references of a document,
// or none.
func (u *Uses) Take(d *doc.Document, r *extract.Reference, text []byte) {
	one, isShown := useOf(d, r, text)
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.by == nil {
		u.by = map[*doc.Document][]use{}
	}
	all, isKnown := u.by[d]
	switch {
	case isKnown && all == nil:
		return // there were too many
	case u.count >= maxKept:
		u.count -= len(all)
		u.by[d] = nil
		return
	case !isKnown:
		all = []use{}
	}
	if isShown {
		all, u.count = append(all, one), u.count+1
	}
	u.by[d] = all
}

// of returns the references of a document; ok is false if they are not all there. u may be nil.
func (u *Uses) of(d *doc.Document) (all []use, ok bool) {
	if u == nil {
		return nil, false
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	all, isKnown := u.by[d]
	return all, isKnown && all != nil || !isKnown && d.References == 0
}

// usesOf returns the references of d in order, those to other hosts included: they help to align the others.
func (w *Matcher) usesOf(d *doc.Document) []use {
	uses, ok := w.uses.of(d)
	if !ok {
		uses = w.readUses(d)
	}
	if len(d.Undefined) > 0 && d.IsMarkdown() {
		uses = append(slices.Clone(uses), labelsOf(d, d.Source())...)
		order.Sort(uses, func(x, y use) int { return cmp.Compare(x.at, y.at) })
	}
	return uses
}

// readUses reads the references of d again.
func (w *Matcher) readUses(d *doc.Document) (uses []use) {
	text := d.Source()
	cfg := w.reader.ConfigFor(d)
	cfg.Retrieved, cfg.Type, cfg.SkipBinary, cfg.Details = d.Retrieved, d.File.Type, !d.File.Named, true
	for r, err := range cfg.Walk(input.Inner(d.File.Name), bytes.NewReader(text)) {
		if err != nil || len(uses) >= maxUses {
			break
		}
		if u, ok := useOf(d, r, text); ok {
			uses = append(uses, u)
		}
	}
	return uses
}

// useOf returns a reference of d, whose text is given, as it is aligned; ok is false if no link is made of it.
func useOf(d *doc.Document, r *extract.Reference, text []byte) (u use, ok bool) {
	isString := r.Labels&scan.Speculative != 0 && r.How != scan.Attribute // of a program
	if r.Labels&(scan.Include|scan.FrontMatter) != 0 || isString || r.How == scan.Bare && r.Result.Step != resolve.Absolute {
		return u, false
	}
	u = use{at: r.Pos.Offset, isEmbedded: r.Kind == scan.Embed, isFloating: r.How == scan.Reference}
	u.text = built.Key(shownText(r, text))
	u.sig, u.raw = signature(d, r), built.Hash(r.Ref)
	return u, true
}

// labelsOf returns the labels of d that nothing in it defines: a build may define them in what it adds.
func labelsOf(d *doc.Document, text []byte) (uses []use) {
	for i := range d.Undefined {
		at := min(int(d.Undefined[i].Pos.Offset), len(text))
		if !bytes.HasSuffix(text[:at], []byte("[")) {
			continue
		}
		shown := text[at:min(at+d.Undefined[i].Pos.Length, len(text))]
		if before, ok := bytes.CutSuffix(text[max(0, at-maxShown):at], []byte("][")); ok { // [text][label]
			shown = before[bytes.LastIndexByte(before, '[')+1:]
		}
		uses = append(uses, use{at: int64(at), text: built.Key(string(shown))})
	}
	return uses
}

// signature returns what the target of a reference and that of its link have in common.
func signature(d *doc.Document, r *extract.Reference) uint64 {
	ref := string(r.Ref)
	if doc.IsTemplate(r.Ref) {
		return 0 // it is filled in
	}
	if r.Result.Step == resolve.Absolute && len(r.URL) > 0 && (strings.Contains(ref, "://") || strings.HasPrefix(ref, "mailto:")) {
		u, fragment, _ := strings.Cut(string(r.URL), "#")
		return built.Signature(u, fragment)
	}
	p, fragment, _ := strings.Cut(ref, "#")
	p, _, _ = strings.Cut(p, "?")
	p = ascii.UnescapeAll(p)
	if p == "" {
		return built.Signature("", fragment)
	}
	if i := strings.LastIndexByte(p, ':'); i >= 0 { // version@component:module:page.adoc
		p = p[i+1:]
	}
	if built.IsIndexName(built.BareName(path.Base(p))) && !strings.HasPrefix(p, "/") {
		p = path.Join(path.Dir(d.Path), p)
	}
	return built.Signature(p, fragment)
}

// shownText returns the text that is shown for a reference, as far as it stands beside it.
func shownText(r *extract.Reference, source []byte) string {
	at, end := int(r.Pos.Offset), int(r.Pos.Offset)+r.Pos.Length
	switch {
	case r.Text != "":
		return r.Text
	case at < 0 || end > len(source) || at > end:
		return ""
	case r.How == scan.Attribute: // <Link to="page">text</Link>
		return elementText(source[end:min(len(source), end+maxShown)])
	case end < len(source) && source[end] == '[': // xref:page.adoc[text]
		return until(source[end+1:], ']')
	case end < len(source) && source[end] == '>': // `text <page>`_
		before := source[max(0, at-maxShown):at]
		before = bytes.TrimSuffix(before, []byte("<"))
		if i := bytes.LastIndexByte(before, '`'); i >= 0 {
			return string(before[i+1:])
		}
	}
	return ""
}

// elementText returns the text of an element up to the next tag, where s begins in its start tag.
func elementText(s []byte) string {
	i := bytes.IndexByte(s, '>')
	if i < 0 || i > 0 && s[i-1] == '/' || bytes.IndexByte(s[:i], '<') >= 0 {
		return ""
	}
	return until(s[i+1:], '<')
}

// maxShown limits the text of a reference, in bytes.
const maxShown = 1000

func until(s []byte, end byte) string {
	s = s[:min(len(s), maxShown)]
	if i := bytes.IndexByte(s, end); i >= 0 {
		return string(s[:i])
	}
	return ""
}
