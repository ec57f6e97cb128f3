package audit

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/audit/site"
	"example.org/refract/base"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/lazy"
	"example.org/refract/resolve"
)

// A View is a document as somebody has it in an editor: what it leads to, and what could
// be written into it. All else is as it was when the Report was made.
//
// The Views of a Report are not for several goroutines at once. They do not use its
// Cache, so that the next run may.
type View struct {
	a *auditor
	d *document

	lines    [][]byte     // of the text; nil until needed
	headings map[int]bool // lines of headings
}

// View returns the document at p, an absolute path with forward slashes, with text in it.
// There need not be such a file.
func (r *Report) View(p string, text []byte) *View {
	a := r.audited()
	if a.Cache != nil {
		a.Cache = nil
		for _, d := range a.byPath { // what is worked out there is the next run's
			d.memo = new(memo)
		}
		a.others = lazy.Map[string, *document]{}
	}
	d := a.newDocument(p)
	d.text = text
	if text == nil {
		d.text = []byte{}
	}
	if before := a.byPath[p]; before != nil {
		d.top, d.file = before.top, before.file
	} else {
		d.top = a.topOf(p)
	}
	d.layout = a.layouts.of(d)
	d.retrieved = a.sites.retrieved(p)
	d.scan(a, bytes.NewReader(text))
	return &View{a: a, d: d}
}

// Target returns where the reference leads that a byte of the document stands in, or that
// ends in front of it: a file, by its absolute path, and a line in it from 1, that of the
// anchor if there is one. ok is false if there is no such reference, or no such file.
func (v *View) Target(offset int64) (file string, line int, ok bool) {
	for i := range v.d.refs {
		k := &v.d.refs[i]
		if offset < k.pos.Offset || offset > k.pos.Offset+int64(k.pos.Length) || k.err != nil {
			continue
		}
		if file, fragment, ok := v.follow(k); ok {
			return file, v.line(file, fragment), true
		}
	}
	if l, ok := v.labelAt(offset); ok {
		return l.File, l.Line, true
	}
	return "", 0, false
}

// follow returns the file that k leads to, and its fragment.
func (v *View) follow(k *reference) (file, fragment string, ok bool) {
	if v.d.layout.generated != nil && k.result.Step != resolve.Absolute {
		_, fragment, _ = strings.Cut(k.ref, "#")
		if strings.HasPrefix(k.ref, "#") || k.ref == "" {
			return v.d.path, fragment, true
		}
		res, _ := v.a.onSite(v.d, k, k.ref)
		return res.File, fragment, res.State == site.Found && res.File != ""
	}
	t := v.a.locate(v.d, k)
	if !t.inside || t.encoded {
		return "", "", false
	}
	p := v.a.resolve(v.d, k, &t)
	if p.linked {
		p.path = v.a.behind(p.path)
	}
	return p.path, t.fragment, p.kind == isFile
}

func (v *View) line(file, fragment string) int {
	if to := v.document(file); to != nil {
		if id, live := to.hit(fragment, to.layout.slug); live {
			return max(1, to.idsOf(to.layout.slug).line(id))
		}
	}
	if m := lineFragment.FindStringSubmatch(fragment); m != nil {
		n, _ := strconv.Atoi(m[1])
		return max(1, n)
	}
	return 1
}

// document is that at a path, the one in the editor among them.
func (v *View) document(p string) *document {
	if p == v.d.path {
		return v.d
	}
	return v.a.document(p)
}

// A Name completes a reference at some place.
type Name struct {
	Name string // of a file, of a directory with "/" at its end, or an id
	Ref  string // as it is written in a reference
}

// Files returns the names of what is in the directory that a reference names which begins
// with dir and stands at an offset: "" is that of the document. dir ends in a slash, or is
// empty. They are in byte order. What is hidden or ignored is left out, as from the run.
func (v *View) Files(dir string, offset int64) (names []Name) {
	k := v.made(dir+"x", offset)
	t := v.a.locate(v.d, &k)
	if k.err != nil || !t.inside || t.encoded || len(t.components) == 0 {
		return nil
	}
	var all []string
	for _, root := range t.roots {
		if p := v.a.files.at(root, t.components[:len(t.components)-1]); p.kind == isDirectory && !p.respel {
			all = append(all, v.a.within(p.path)...)
		}
	}
	slices.Sort(all)
	for _, name := range slices.Compact(all) {
		ref := spelled(name)
		if dir == "" && strings.IndexByte(ref, ':') >= 0 {
			ref = "./" + ref // or it would be a scheme
		}
		names = append(names, Name{name, ref})
	}
	return names
}

// Anchors returns the ids of the document that a reference leads to which stands at an
// offset, in its order. ref is what is in front of "#"; "" is the document itself.
func (v *View) Anchors(ref string, offset int64) (names []Name) {
	k := v.made(ref+"#x", offset)
	if k.err != nil {
		return nil
	}
	file, _, ok := v.follow(&k)
	if !ok {
		return nil
	}
	to := v.document(file)
	if to == nil {
		return nil
	}
	for id := range to.idsOf(to.layout.slug).all() {
		names = append(names, Name{id, escapedFragment(id)})
	}
	return names
}

// made returns a reference as it would be at an offset.
func (v *View) made(ref string, offset int64) reference {
	b, _ := base.Root(v.a.Resolve, v.d.retrieved, base.Source{})
	for i := range v.d.refs { // what stands around it has the same base
		k := &v.d.refs[i]
		if k.entity != whole {
			continue
		}
		b = *k.base
		if k.pos.Offset+int64(k.pos.Length) >= offset {
			break
		}
	}
	k := reference{raw: ref, ref: ref, kind: scan.Link, base: &b, entity: whole}
	u, res, err := b.Append(nil, []byte(ref))
	if err == nil && res.InError {
		err = res.Err()
	}
	k.result, k.err = res, err
	if !res.SameDocument() {
		k.url = string(u)
	}
	return k
}

// within returns what is in a directory: files, and with a slash directories that have any.
func (a *auditor) within(dir string) (names []string) {
	if !a.contain(dir) {
		for name, typ := range a.files.list(dir).names {
			switch {
			case name[0] == '.' && !a.Hidden:
			case typ.IsRegular():
				names = append(names, name)
			case typ.IsDir():
				names = append(names, name+"/")
			}
		}
		return names
	}
	if a.children == nil {
		a.children = map[string][]string{}
		seen := map[string]bool{}
		for _, paths := range a.byName {
			for _, p := range paths {
				a.children[path.Dir(p)] = append(a.children[path.Dir(p)], path.Base(p))
				for p = path.Dir(p); !seen[p] && path.Dir(p) != p; p = path.Dir(p) {
					seen[p] = true
					a.children[path.Dir(p)] = append(a.children[path.Dir(p)], path.Base(p)+"/")
				}
			}
		}
	}
	return a.children[dir]
}

// IsDocument reports whether a file is one that people read, or that a page is made of, by
// its name.
func IsDocument(name string) bool { return new(Options).kindOf(name).isDocument }

// IsPicture reports whether a file is a picture, by its name.
func IsPicture(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".ico", ".bmp":
		return true
	}
	return false
}
