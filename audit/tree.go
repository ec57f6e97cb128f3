package audit

import (
	"io/fs"

	"example.org/refract/internal/audit/tree"
)

// A Tree is a read-only file system that an audit reads. Names are absolute, with forward slashes:
// "/docs/a.md", on the disk of Windows "C:/docs/a.md". They need not be clean or UTF-8.
//
// Errors are those of package [io/fs]. Two have a meaning of their own: after [fs.ErrPermission] the audit
// concludes nothing, and [syscall.ELOOP] says that a symbolic link is circular. Any other error says that
// the file does not exist.
//
// A Tree with symbolic links should have a method ReadLink(name string) (string, error), which returns the
// target of a link as written. An audit follows links itself, so that it never reads outside the
// repositories that it audits. Without ReadLink, it calls Real.
//
// Several goroutines may call the methods at once.
type Tree interface {
	// Open opens a file for reading. It follows symbolic links.
	Open(name string) (fs.File, error)
	// ReadDir lists a directory, sorted by name. It returns the names exactly as listed: an audit compares them
	// to find differences in case. Together with an error it may return the entries read before it.
	ReadDir(name string) ([]fs.DirEntry, error)
	// Stat describes the file at a name. It follows symbolic links.
	Stat(name string) (fs.FileInfo, error)
	// Lstat describes the file at a name, which may be a symbolic link.
	Lstat(name string) (fs.FileInfo, error)
	// Real returns the absolute name of a file with all symbolic links followed.
	Real(name string) (string, error)
}

// Disk returns the file system of the operating system.
func Disk() Tree { return tree.Disk() }

// FS returns a Tree with the files of fsys, whose root is "/": "a.md" of fsys is "/a.md".
// Symbolic links count if fsys is an [fs.ReadLinkFS].
func FS(fsys fs.FS) Tree { return tree.FS(fsys) }

// An Overlay is a Tree with changes in memory: buffers that an editor has not saved, files that are about
// to be moved. Names are absolute, as in a Tree.
//
// Changes apply to names: an Overlay does not follow symbolic links, so a file that was changed under one
// name is unchanged under another. Do not change an Overlay while an audit runs.
//
// The zero Overlay changes [Disk].
type Overlay struct{ in tree.Overlay }

// NewOverlay returns an Overlay of t without changes. A nil t means [Disk].
func NewOverlay(t Tree) *Overlay { return &Overlay{*tree.NewOverlay(innerTree(t))} }

// Write creates or replaces the file at name, and creates the directories that it needs. The Overlay keeps
// text, which the caller must not change.
func (o *Overlay) Write(name string, text []byte) { o.in.Write(name, text) }

// Remove removes a file, or a directory with everything in it.
func (o *Overlay) Remove(name string) { o.in.Remove(name) }

// Rename moves a file, or a directory with everything in it. It replaces whatever is at the new name. If
// nothing is at the old name, the error wraps [fs.ErrNotExist].
func (o *Overlay) Rename(from, to string) error { return o.in.Rename(from, to) }

// Open and the methods below are those of [Tree], with the changes applied.
func (o *Overlay) Open(name string) (fs.File, error)          { return o.in.Open(name) }
func (o *Overlay) ReadDir(name string) ([]fs.DirEntry, error) { return o.in.ReadDir(name) }
func (o *Overlay) Stat(name string) (fs.FileInfo, error)      { return o.in.Stat(name) }
func (o *Overlay) Lstat(name string) (fs.FileInfo, error)     { return o.in.Lstat(name) }
func (o *Overlay) ReadLink(name string) (string, error)       { return o.in.ReadLink(name) }
func (o *Overlay) Real(name string) (string, error)           { return o.in.Real(name) }

// innerTree returns t for the engine.
func innerTree(t Tree) tree.Tree {
	if o, ok := t.(*Overlay); ok && o != nil {
		return &o.in
	}
	if t == nil || t == (*Overlay)(nil) {
		return nil
	}
	return t
}
