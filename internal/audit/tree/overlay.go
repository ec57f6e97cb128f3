package tree

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"example.org/refract/internal/order"
)

// An Overlay is a Tree with changes in memory: buffers that an editor has not saved, files that are about
// to be moved. Names are absolute, as in a Tree.
//
// Changes apply to names: an Overlay follows no symbolic links except those to directories that
// [Overlay.Follow] names, so a file that was changed under one name is unchanged under another. Do not
// change an Overlay while an audit runs. The zero Overlay changes the disk.
type Overlay struct {
	base    Tree // nil is the disk
	changes map[string]change
	in      map[string]map[string]bool // names of changed entries, by directory
	links   Links
}

// A change replaces what the underlying Tree has at a name. Except for moved files, nothing below that name
// shows through.
type change struct {
	kind changeKind
	text []byte // for written
	from string // for moved: its name in the underlying Tree
}

type changeKind uint8

const (
	written changeKind = iota
	removed
	moved     // a file or a directory
	directory // that holds only changes
)

// NewOverlay returns an Overlay of t without changes. A nil t means [Disk].
func NewOverlay(t Tree) *Overlay { return &Overlay{base: t} }

// Follow makes changes in the target directories of symbolic links also visible below the links.
func (o *Overlay) Follow(links Links) { o.links = links }

// Links maps symbolic links to the real paths of the directories that they point to. Neither has a symbolic
// link above it.
type Links map[string]string

// Behind splits the path of a file below one of the links: into the link, its target directory, and the
// path below both.
func (l Links) Behind(name string) (link, dir, rest string, ok bool) {
	for at := path.Dir(name); len(l) > 0 && path.Dir(at) != at; at = path.Dir(at) {
		if dir, ok := l[at]; ok {
			return at, dir, name[len(at):], true
		}
	}
	return "", "", "", false
}

// real returns the name without links above it, or with isWhole, without any. Each round leaves fewer names
// in which there may be a link.
func (l Links) real(name string, isWhole bool) string {
	for {
		_, dir, rest, ok := l.Behind(name)
		switch {
		case ok:
			name = dir + rest
		case isWhole && l[name] != "":
			return l[name]
		default:
			return name
		}
	}
}

// under returns the Tree without the changes.
func (o *Overlay) under() Tree {
	if o.base == nil {
		return Disk()
	}
	return o.base
}

// Write creates or replaces the file at name, and creates the directories that it needs. The Overlay keeps
// text, which the caller must not change.
func (o *Overlay) Write(name string, text []byte) {
	name = o.links.real(path.Clean(name), true)
	o.forget(name)
	o.put(name, change{kind: written, text: text})
	o.needDir(path.Dir(name))
}

// Remove removes a file, or a directory with everything in it.
func (o *Overlay) Remove(name string) {
	name = path.Clean(name)
	o.forget(name)
	o.put(name, change{kind: removed})
}

// Rename moves a file, or a directory with everything in it. It replaces whatever is at the new name. If
// nothing is at the old name, the error wraps [fs.ErrNotExist].
func (o *Overlay) Rename(from, to string) error {
	from, to = path.Clean(from), path.Clean(to)
	if _, err := o.Lstat(from); err != nil {
		return err
	}
	if from == to {
		return nil
	}
	root := change{kind: moved, from: from}
	if c, rest, ok := o.find(from); ok {
		root = c
		if root.kind == moved {
			root.from += rest
		}
	}
	below := map[string]change{}
	for name, c := range o.changes {
		if rest, ok := strings.CutPrefix(name, from+"/"); ok {
			below[to+"/"+rest] = c
		}
	}
	o.Remove(from)
	o.forget(to)
	o.put(to, root)
	for name, c := range below {
		o.put(name, c)
	}
	o.needDir(path.Dir(to))
	return nil
}

// put records a change.
func (o *Overlay) put(name string, c change) {
	dir := path.Dir(name)
	if o.changes == nil {
		o.changes, o.in = map[string]change{}, map[string]map[string]bool{}
	}
	if o.in[dir] == nil {
		o.in[dir] = map[string]bool{}
	}
	o.in[dir][path.Base(name)] = true
	o.changes[name] = c
}

// forget drops the changes at a name and below it.
func (o *Overlay) forget(name string) {
	for p := range o.changes {
		if p == name || strings.HasPrefix(p, name+"/") {
			delete(o.changes, p)
			delete(o.in[path.Dir(p)], path.Base(p))
		}
	}
}

// needDir makes a directory and its parents, where they do not exist.
func (o *Overlay) needDir(dir string) {
	for ; path.Dir(dir) != dir; dir = path.Dir(dir) {
		if info, err := o.Stat(dir); err == nil && info.IsDir() {
			return
		}
		o.put(dir, change{kind: directory})
	}
}

// find returns the change that applies to a name: the one at that name, or at the nearest directory
// upwards. rest is the name after that of the change.
func (o *Overlay) find(name string) (c change, rest string, ok bool) {
	if len(o.changes) == 0 {
		return c, "", false
	}
	for at := name; ; at = path.Dir(at) {
		if c, ok = o.changes[at]; ok {
			return c, name[len(at):], true
		}
		if path.Dir(at) == at {
			return c, "", false
		}
	}
}

// below returns the name in the underlying Tree of the file at a name. If that is in memory instead, below
// returns the file or directory as memory.
func (o *Overlay) below(op, name string) (under string, memory *entry, err error) {
	name = o.links.real(path.Clean(name), op != "lstat" && op != "readlink")
	c, rest, ok := o.find(name)
	switch {
	case !ok:
		return name, nil, nil
	case c.kind == moved:
		return c.from + rest, nil, nil
	case c.kind == removed || rest != "":
		return "", nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return "", &entry{name: path.Base(name), text: c.text, dir: c.kind == directory}, nil
}

// ask asks the underlying Tree for what is at a name, or memory if that is there.
func ask[T any](o *Overlay, op, name string, under func(name string) (T, error), memory func(*entry) (T, error)) (answer T, err error) {
	below, e, err := o.below(op, name)
	switch {
	case err != nil:
		return answer, err
	case e == nil:
		return under(below)
	}
	return memory(e)
}

// Open implements [Tree].
func (o *Overlay) Open(name string) (fs.File, error) {
	return ask(o, "open", name, o.under().Open, func(e *entry) (fs.File, error) { return &file{bytes.NewReader(e.text), e}, nil })
}

// ReadDir implements [Tree].
func (o *Overlay) ReadDir(name string) (list []fs.DirEntry, err error) {
	under, memory, err := o.below("readdir", name)
	switch {
	case err != nil:
		return nil, err
	case memory == nil:
		list, err = o.under().ReadDir(under)
	case !memory.dir:
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	name = o.links.real(path.Clean(name), true)
	changes := o.in[name]
	if len(changes) == 0 {
		return list, err
	}
	list = slices.DeleteFunc(slices.Clone(list), func(e fs.DirEntry) bool { return changes[e.Name()] })
	for base := range changes {
		if info, err := o.Lstat(path.Join(name, base)); err == nil {
			list = append(list, &entry{name: base, info: info})
		}
	}
	order.Sort(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, err
}

// Stat implements [Tree].
func (o *Overlay) Stat(name string) (fs.FileInfo, error) {
	return ask(o, "stat", name, o.under().Stat, (*entry).Info)
}

// Lstat implements [Tree].
func (o *Overlay) Lstat(name string) (fs.FileInfo, error) {
	return ask(o, "lstat", name, o.under().Lstat, (*entry).Info)
}

// ReadLink returns the target of a symbolic link as written.
func (o *Overlay) ReadLink(name string) (string, error) {
	return ask(o, "readlink", name, func(name string) (string, error) { return ReadLink(o.under(), name) }, func(*entry) (string, error) {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	})
}

// Real implements [Tree].
func (o *Overlay) Real(name string) (string, error) {
	name = o.links.real(path.Clean(name), true)
	under, memory, err := o.below("realpath", name)
	switch {
	case err != nil:
		return "", err
	case memory != nil:
		name = path.Clean(name)
		if path.Dir(name) == name {
			return name, nil
		}
		dir, err := o.Real(path.Dir(name)) // symbolic links of the underlying Tree may point to it
		if err != nil {
			return name, nil
		}
		return path.Join(dir, memory.name), nil
	}
	real, err := o.under().Real(under)
	if c, rest, ok := o.find(path.Clean(name)); err == nil && ok && c.kind == moved {
		if inside, ok := strings.CutPrefix(real, c.from); ok { // no link points out of what was moved
			return strings.TrimSuffix(path.Clean(name), rest) + inside, nil
		}
	}
	return real, err
}

// An entry describes a file or directory of an Overlay.
type entry struct {
	name string
	text []byte
	dir  bool
	info fs.FileInfo // of a file with another name in the underlying Tree; nil for one in memory
}

func (e *entry) Name() string { return e.name }

func (e *entry) IsDir() bool { return e.Mode().IsDir() }

func (e *entry) Type() fs.FileMode { return e.Mode().Type() }

func (e *entry) Info() (fs.FileInfo, error) { return e, nil }

func (e *entry) Size() int64 {
	if e.info != nil {
		return e.info.Size()
	}
	return int64(len(e.text))
}

func (e *entry) Mode() fs.FileMode {
	switch {
	case e.info != nil:
		return e.info.Mode()
	case e.dir:
		return fs.ModeDir | 0o555
	}
	return 0o444
}

func (e *entry) ModTime() time.Time {
	if e.info != nil {
		return e.info.ModTime()
	}
	return time.Time{}
}

func (e *entry) Sys() any { return nil }

// A file is an open file of an Overlay.
type file struct {
	*bytes.Reader
	*entry
}

func (f *file) Stat() (fs.FileInfo, error) { return f.entry, nil }

func (f *file) Size() int64 { return f.entry.Size() } // both have one

func (f *file) Close() error { return nil }
