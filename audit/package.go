package audit

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/epub"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/input"
	"example.org/refract/resolve"
)

// A bundle is a document that is a package: an EPUB or an office document. References to its members are judged among
// these, as those of a site in a directory; others are judged as those of any document beside it.
type bundle struct {
	members map[string]*member
	names   []string
	folded  map[string]string // names by their folded form; nil until needed
	book    *epub.Book        // nil for an office document
	anchors map[string]bool   // of all members: bookmarks and sheets of an office document
	partial bool              // not all members are known
}

// A member is one file of a package.
type member struct {
	anchors    map[string]bool
	hasIDs     bool // ids in it are the targets of fragments
	isPartial  bool // it could not be read to its end
	isDeclared bool // the manifest of the book lists it
	isInSpine  bool
	isPage     bool // XHTML or SVG
}

// maxAnchors limits the ids of a package that are kept. Fragments are not judged in one with more.
const maxAnchors = 1 << 20

// isPackage reports whether the name of d says that it is a package.
func (a *auditor) isPackage(d *document) bool {
	c := extract.Config{Formats: a.Formats, Containers: a.Containers}
	return d.text == nil && d.file.Path != "-" && d.file.Type == "" && c.FormatOfName(input.Inner(d.path)) == nil && c.ContainerOfName(input.Inner(d.path)).IsPackage()
}

// readPackage reads d, which is a package by its name.
func (d *document) readPackage(a *auditor) {
	f, err := d.open()
	if err != nil {
		d.err, d.isPartial = err, true
		return
	}
	defer f.Close()
	at, size, err := readerAt(f, a.MaxEntity)
	if err != nil {
		d.err, d.isPartial = err, true
		return
	}
	var magic [2]byte
	if n, _ := at.ReadAt(magic[:], 0); n < len(magic) || string(magic[:]) != "PK" {
		d.isUnread = true
		return
	}
	p, err := extract.NewPackage(at, size)
	d.bundle = newBundle(p, err != nil)
	src := io.Reader(io.NewSectionReader(at, 0, size))
	if file, isFile := at.(fs.File); isFile { // otherwise it would be held in memory again
		src = file
	}
	d.scan(a, src)
	d.isPartial = true
}

// readerAt returns a reader of any part of r, and its size. What is no file of the disk is held in memory, up to
// limit bytes.
func readerAt(r io.Reader, limit int64) (io.ReaderAt, int64, error) {
	if t, ok := r.(*tracedFile); ok {
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
func newBundle(p *extract.Package, isPartial bool) *bundle {
	k := &bundle{members: map[string]*member{}, book: p.Book(), anchors: map[string]bool{}, partial: isPartial}
	k.names = p.Names()
	for _, name := range k.names {
		k.members[name] = &member{}
		f := new(extract.Config).FormatOfName(name)
		k.members[name].hasIDs = f != nil && f.Fragments == extract.WrittenFragments
	}
	if k.book == nil {
		return k
	}
	for i := range k.book.Items {
		item := &k.book.Items[i]
		if m := k.members[item.Name]; m != nil {
			m.isDeclared = true
			f := new(extract.Config).FormatOfType(item.Type)
			m.hasIDs = m.hasIDs || f != nil && f.Fragments == extract.WrittenFragments
			m.isPage = item.Type == "application/xhtml+xml" || item.Type == "image/svg+xml"
		}
	}
	for _, name := range k.book.Spine {
		if m := k.members[name]; m != nil {
			m.isInSpine = true
		}
	}
	return k
}

func (d *document) keepMemberAnchor(n *extract.Anchor) {
	m := d.bundle.members[memberOf(n.Entity)]
	if m == nil || n.Space != "" || isNested(n.Entity) {
		return
	}
	if len(d.bundle.anchors) >= maxAnchors {
		m.isPartial = true
		return
	}
	if m.anchors == nil {
		m.anchors = map[string]bool{}
	}
	m.anchors[string(n.Name)] = true
	d.bundle.anchors[string(n.Name)] = true
}

// keepMemberNote keeps what is not known about a member.
func (d *document) keepMemberNote(n *extract.Note) {
	m := d.bundle.members[memberOf(n.Entity)]
	switch n.Code {
	case scan.CodeTooLarge, scan.CodeTooDeep, scan.CodeDamaged, scan.CodeUnreadType, scan.CodeSimplified, scan.CodeInternal:
		if m != nil {
			m.isPartial = true
		} else {
			d.bundle.partial = true
		}
		if n.Code == scan.CodeTooLarge {
			d.limits = append(d.limits, note{pos: n.Pos, text: n.Text})
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

// inMember returns the name of a member of the package called name.
func inMember(name, member string) string { return name + "!/" + member }

// countUnreadPackage counts a file that is no package, although its name says so.
func (a *auditor) countUnreadPackage(d *document) {
	r := &a.results.Report
	if r.Unread == nil {
		r.Unread = map[string]int{}
	}
	r.Unread[strings.ToLower(path.Ext(d.path))]++
}

// judgeBook reports ids in the package documents of a book that no item of the manifest has.
func (a *auditor) judgeBook(d *document) {
	if d.bundle == nil {
		return
	}
	if d.bundle.book == nil && strings.HasSuffix(strings.ToLower(d.path), ".epub") && !d.bundle.partial {
		f := a.finding(d, MissingFile, "an EPUB without "+epub.ContainerName+", which names its package document")
		f.Pos.Line, f.Pos.Column = 1, 1
		a.report(d, f)
	}
	if d.bundle.book == nil {
		return
	}
	for _, use := range d.bundle.book.Missing {
		f := a.finding(d, Undefined, fmt.Sprintf("%s: no item of the manifest has the id %q", use.In, use.ID))
		f.File, f.Path = inMember(f.File, use.Package), inMember(f.Path, use.Package)
		f.Pos = extract.Position{Offset: int64(use.Offset), Length: len(use.ID), Line: use.Line, Column: use.Column}
		a.report(d, f)
	}
}

// judgePackaged judges a reference in a member of d. It returns false for one that is judged as in any
// document: to a file beside the package, or to an invalid URL.
func (a *auditor) judgePackaged(d *document, k *reference) bool {
	switch {
	case d.bundle == nil || strings.Count(k.member, "!/") > 0:
		a.skip(d, k, "in an archive")
	case k.labels&scan.Unused != 0: // nobody can follow it
	case k.inside != "":
		a.judgeMember(d, k)
	case k.result.Step == resolve.CurrentDocument:
		a.judgeBookmark(d, k)
	case k.in == "attachedTemplate", k.in == "oleObject" && k.inside == "", k.err == base.ErrNoBase, strings.ContainsRune(k.ref, '\\'), strings.HasPrefix(k.ref, "/") && d.bundle.book == nil:
		a.skip(d, k, "a path of another computer")
	case k.ref == "" && k.kind == scan.Embed, k.ref == "NULL":
		return false
	default:
		return false
	}
	return true
}

// judgeMember judges a reference to a member of the package.
func (a *auditor) judgeMember(d *document, k *reference) {
	target, fragment, _ := strings.Cut(k.inside, "#")
	target, _, _ = strings.Cut(target, "?")
	name := strings.TrimPrefix(ascii.UnescapeAll(target), "/")
	if k.ref == "" {
		a.reportReference(d, k, problem{rule: EmptyLink, message: "the reference is empty, and points to the document itself"})
		return
	}
	if leavesPackage(k) {
		a.reportReference(d, k, problem{rule: Outside, message: "points outside the package"})
		return
	}
	m := d.bundle.members[name]
	if m == nil {
		m = d.bundle.members[strings.TrimPrefix(target, "/")] // a path in META-INF/container.xml is no URL
	}
	switch {
	case m == nil && d.bundle.book == nil && d.bundle.hasDir(name): // an object of OpenDocument
	case m == nil && d.bundle.partial:
		a.skip(d, k, "not all files of the package are known")
	case m == nil:
		a.reportMember(d, k, name)
	case d.bundle.book != nil && a.isUnlisted(d, k, m, name):
	case fragment != "":
		a.judgeMemberFragment(d, k, m, name, fragment)
	}
}

// leavesPackage reports whether the segments ".." of k lead above the root of the package.
func leavesPackage(k *reference) bool {
	p := string(resolve.Parse([]byte(k.ref)).Path)
	if strings.HasPrefix(p, "/") || k.base.Layer == base.Embedded {
		return false
	}
	depth := strings.Count(k.member, "/")
	if k.member == epub.ContainerName {
		depth = 0
	}
	for segment := range strings.SplitSeq(p, "/") {
		switch segment {
		case "..":
			if depth--; depth < 0 {
				return true
			}
		case ".", "":
		default:
			depth++
		}
	}
	return false
}

// hasDir reports whether there are members in a directory.
func (p *bundle) hasDir(name string) bool {
	dir := strings.TrimSuffix(name, "/") + "/"
	return slices.ContainsFunc(p.names, func(n string) bool { return strings.HasPrefix(n, dir) })
}

// reportMember reports a reference to a member that does not exist.
func (a *auditor) reportMember(d *document, k *reference, name string) {
	if d.bundle.folded == nil {
		d.bundle.folded = map[string]string{}
		for _, n := range d.bundle.names {
			d.bundle.folded[foldedName(n)] = n
		}
	}
	if n := d.bundle.folded[foldedName(name)]; n != "" {
		a.reportReference(d, k, problem{rule: Case, message: fmt.Sprintf("the name in the package is %s, which differs in case or Unicode normalization", strconv.Quote(n))})
		return
	}
	rule, what := missingRule(k), "file"
	if rule == BrokenImage {
		what = "image"
	}
	a.reportReference(d, k, problem{rule: rule, message: fmt.Sprintf("no such %s in the package: %s", what, strconv.Quote(name)), cause: inMember(d.name, name)})
}

func foldedName(name string) string { return strings.ToLower(norm.NFC.String(name)) }

// isUnlisted reports k if the manifest does not list the member m that it leads to, or, for a link to a page,
// the spine does not (EPUB 3.3 sections 3.2 and 5.7.2).
func (a *auditor) isUnlisted(d *document, k *reference, m *member, name string) bool {
	isPackage := slices.Contains(d.bundle.book.Packages, k.member) || strings.HasPrefix(k.member, "META-INF/")
	switch {
	case len(d.bundle.book.Items) == 0 || isPackage || strings.HasPrefix(name, "META-INF/") || slices.Contains(d.bundle.book.Packages, name):
	case !m.isDeclared:
		a.reportReference(d, k, problem{rule: Undeclared, message: fmt.Sprintf("the manifest does not list %s", strconv.Quote(name))})
		return true
	case k.kind == scan.Link && k.in == "a/href" && m.isPage && !m.isInSpine:
		a.reportReference(d, k, problem{rule: NotInSpine, message: fmt.Sprintf("%s is not in the spine: readers may not be able to open it", strconv.Quote(name))})
		return true
	}
	return false
}

// judgeMemberFragment judges a fragment of a reference to the member m.
func (a *auditor) judgeMemberFragment(d *document, k *reference, m *member, name, fragment string) {
	fragment, _, _ = strings.Cut(fragment, ":~:") // a text fragment follows
	id := ascii.UnescapeAll(fragment)
	switch {
	case id == "" || strings.ContainsAny(fragment, "(=") || k.how == scan.CSS: // epubcfi(…), t=1, xywh=…: no id
	case !m.hasIDs || m.isPartial:
		a.skip(d, k, "the ids of the file are not known")
	case !m.anchors[id]:
		a.reportReference(d, k, problem{rule: MissingFragment, message: fmt.Sprintf("%s has no id %s", strconv.Quote(name), strconv.Quote(id)), cause: inMember(d.name, name) + "#" + fragment})
	}
}

// judgeBookmark judges a reference to a place in an office document: a bookmark, or a cell of a sheet.
func (a *auditor) judgeBookmark(d *document, k *reference) {
	name := strings.TrimPrefix(k.ref, "#")
	if sheet, ok := sheetOf(name); ok {
		name = sheet
	}
	isKnown := d.bundle.anchors[name] || d.bundle.anchors[ascii.UnescapeAll(name)]
	switch ext := strings.ToLower(path.Ext(d.path)); {
	case isKnown || name == "_top" || name == "_bottom" || name == "":
	case d.bundle.partial || len(d.bundle.anchors) >= maxAnchors,
		strings.HasPrefix(ext, ".ppt") || strings.HasPrefix(ext, ".pp"),        // slides are counted
		strings.HasPrefix(ext, ".xl") && !strings.Contains(k.ref, "!"),         // a name or a cell
		strings.HasPrefix(ext, ".o") && strings.ContainsAny(name, "|.!"),       // a heading, an object, a cell
		slices.Contains([]string{".ods", ".ots", ".odp", ".otp", ".odg"}, ext): // the same
		a.skip(d, k, "a place in the document that is not known")
	default:
		what := "bookmark"
		if strings.HasPrefix(ext, ".xl") {
			what = "sheet"
		}
		a.reportReference(d, k, problem{rule: MissingFragment, message: fmt.Sprintf("the document has no %s %s", what, strconv.Quote(name))})
	}
}

// sheetOf returns the sheet of a place in a workbook: "S" of "S!A1" and "'S'!A1".
func sheetOf(location string) (string, bool) {
	i := strings.LastIndexByte(location, '!')
	if i < 0 {
		return "", false
	}
	name := location[:i]
	if len(name) > 1 && name[0] == '\'' && name[len(name)-1] == '\'' {
		name = strings.ReplaceAll(name[1:len(name)-1], "''", "'")
	}
	return name, true
}
