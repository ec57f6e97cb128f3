package doc

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/zipdoc"
)

// A bundle is a document that is a package: an EPUB or an office document. References to its members are
// checked against these, as those of a site in a directory; others are checked as those of any document
// beside it.
type bundle struct {
	Members map[string]*Member
	Names   []string
	Folded  map[string]string // names by their folded form; nil until needed
	Book    *zipdoc.Book      // nil for an office document
	Anchors map[string]bool   // of all members: bookmarks and sheets of an office document
	Partial bool              // not all members are known
}

// A Member is one file of a package.
type Member struct {
	Anchors    map[string]bool
	HasIDs     bool // ids in it are the targets of fragments
	IsPartial  bool // it could not be read to its end
	IsDeclared bool // the manifest of the book lists it
	IsInSpine  bool
	IsPage     bool // XHTML or SVG
}

// MaxAnchors limits the ids of a package that are kept. Fragments are not checked in one with more.
const MaxAnchors = 1 << 20

// readPackage reads the document, which is a package by its name.
func (s scanner) readPackage() {
	d := s.d
	f, err := d.open()
	if err != nil {
		d.Err, d.IsPartial = err, true
		return
	}
	defer f.Close()
	at, size, err := readerAt(f, s.EntityLimit)
	if err != nil {
		d.Err, d.IsPartial = err, true
		return
	}
	var magic [2]byte
	if n, _ := at.ReadAt(magic[:], 0); n < len(magic) || string(magic[:]) != "PK" {
		d.IsUnread = true
		return
	}
	p := zipdoc.Open(at, size, zipdoc.MaxMembers)
	d.Bundle = newBundle(p, p.Err != nil)
	src := io.Reader(io.NewSectionReader(at, 0, size))
	if file, isFile := at.(fs.File); isFile { // otherwise it would be held in memory again
		src = file
	}
	s.scan(src)
	d.IsPartial = true
}

// readerAt returns a reader of any part of r, and its size. If r is not a file on disk, it is held in
// memory, up to limit bytes.
func readerAt(r io.Reader, limit int64) (io.ReaderAt, int64, error) {
	if t, ok := r.(*tree.TracedFile); ok {
		// The outcome depends on all bytes of the file.
		seeker, isSeeker := t.File.(io.Seeker)
		if _, isAt := t.File.(io.ReaderAt); isAt && isSeeker {
			if _, err := io.Copy(io.Discard, t); err != nil {
				return nil, 0, err
			}
			if _, err := seeker.Seek(0, io.SeekStart); err != nil {
				return nil, 0, err
			}
			r = t.File
		}
	}
	if f, ok := r.(fs.File); ok {
		info, err := f.Stat()
		if at, ok := r.(io.ReaderAt); ok && err == nil && info.Mode().IsRegular() {
			return at, info.Size(), nil
		}
	}
	if limit <= 0 {
		limit = extract.MaxEntity
	}
	src, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(src)) > limit {
		err = fmt.Errorf("more than %d bytes in a document that cannot be read in any order", limit)
	}
	return bytes.NewReader(src), int64(len(src)), err
}

// newBundle returns what the directory of p, and the manifest of a book, say about its members.
func newBundle(p *zipdoc.Document, isPartial bool) *bundle {
	k := &bundle{Members: map[string]*Member{}, Book: p.Book(), Anchors: map[string]bool{}, Partial: isPartial}
	k.Names = p.Names()
	for _, name := range k.Names {
		k.Members[name] = &Member{}
		f := new(extract.Config).FormatOfName(name)
		k.Members[name].HasIDs = f != nil && f.Fragments == extract.WrittenFragments
	}
	if k.Book == nil {
		return k
	}
	for i := range k.Book.Items {
		item := &k.Book.Items[i]
		if m := k.Members[item.Name]; m != nil {
			m.IsDeclared = true
			f := new(extract.Config).FormatOfType(item.Type)
			m.HasIDs = m.HasIDs || f != nil && f.Fragments == extract.WrittenFragments
			m.IsPage = item.Type == "application/xhtml+xml" || item.Type == "image/svg+xml"
		}
	}
	for _, name := range k.Book.Spine {
		if m := k.Members[name]; m != nil {
			m.IsInSpine = true
		}
	}
	return k
}

func (s scanner) keepMemberAnchor(n *extract.Anchor) {
	p := s.d.Bundle
	m := p.Members[memberOf(n.Entity)]
	if m == nil || n.Space != "" || isNested(n.Entity) {
		return
	}
	if len(p.Anchors) >= MaxAnchors {
		m.IsPartial = true
		return
	}
	if m.Anchors == nil {
		m.Anchors = map[string]bool{}
	}
	m.Anchors[string(n.Name)] = true
	p.Anchors[string(n.Name)] = true
}

// keepMemberNote keeps what is not known about a member.
func (s scanner) keepMemberNote(n *extract.Note) {
	m := s.d.Bundle.Members[memberOf(n.Entity)]
	switch n.Code {
	case scan.CodeTooLarge, scan.CodeTooDeep, scan.CodeDamaged, scan.CodeUnreadType, scan.CodeSimplified, scan.CodeInternal:
		if m != nil {
			m.IsPartial = true
		} else {
			s.d.Bundle.Partial = true
		}
		if n.Code == scan.CodeTooLarge {
			s.d.Limits = append(s.d.Limits, Note{Pos: n.Pos, Text: n.Text})
		}
	}
}

// memberOf returns the name of the outermost member that contains e: that of the package itself.
func memberOf(e *extract.Entity) string {
	name := ""
	for ; e != nil; e = e.Parent {
		if e.Member != "" {
			name = e.Member
		}
	}
	return name
}

// isNested reports whether e is in a package within a package.
func isNested(e *extract.Entity) bool {
	n := 0
	for ; e != nil; e = e.Parent {
		if e.Member != "" {
			n++
		}
	}
	return n > 1
}

// HasDir reports whether there are members in a directory.
func (p *bundle) HasDir(name string) bool {
	dir := strings.TrimSuffix(name, "/") + "/"
	return slices.ContainsFunc(p.Names, func(n string) bool { return strings.HasPrefix(n, dir) })
}
