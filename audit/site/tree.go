package site

import (
	"bytes"
	"io"
	"io/fs"
	"strings"
	"sync"
)

// A Tree is the file system that sites are read from: absolute names with forward slashes,
// as of package audit.
type Tree interface {
	Open(name string) (fs.File, error)
	ReadDir(name string) ([]fs.DirEntry, error)
	Stat(name string) (fs.FileInfo, error)
	Real(name string) (string, error)
}

const (
	maxConfig = 1 << 20  // bytes of a configuration file
	maxPage   = 4 << 20  // bytes of a page that are searched for includes
	maxFiles  = 500_000  // of a site
	maxKept   = 64 << 20 // bytes of pages that are kept until the audit reads them
	maxDepth  = 64       // of directories
)

// tree lists each directory once. Names have to agree letter by letter.
type tree struct {
	Tree
	root string // absolute path of the directory that is not left: a repository
	mu   sync.Mutex
	dirs map[string]map[string]fs.FileMode
	real map[string]bool // directories, and whether they are there by each part of their names
	// Text of files by name, so that none is read twice: for front matter, for includes, and
	// by the audit itself.
	kept map[string][]byte
	left int // bytes that may still be kept

	playbooks map[string][]value // of Antora, by directory
}

func newTree(t Tree, root string) *tree {
	return &tree{Tree: t, root: root, dirs: map[string]map[string]fs.FileMode{}, real: map[string]bool{}, kept: map[string][]byte{}, left: maxKept, playbooks: map[string][]value{}}
}

// list returns the types of what is in a directory, symbolic links followed that do not lead out of the
// tree.
func (t *tree) list(dir string) map[string]fs.FileMode {
	t.mu.Lock()
	l, ok := t.dirs[dir]
	t.mu.Unlock()
	if ok {
		return l
	}
	isOutside := below(dir, t.root) && dir != t.root && !t.isRealDir(dir)
	t.mu.Lock()
	defer t.mu.Unlock()
	if isOutside {
		t.dirs[dir] = nil
		return nil
	}
	name := dir
	if name == "" {
		name = "/"
	}
	entries, _ := t.ReadDir(name)
	l = make(map[string]fs.FileMode, len(entries))
	for _, e := range entries {
		mode := e.Type()
		if mode&fs.ModeSymlink != 0 {
			info, err := t.Stat(dir + "/" + e.Name())
			if err != nil || !t.isInside(dir+"/"+e.Name()) {
				continue
			}
			mode = info.Mode().Type() | fs.ModeSymlink
		}
		l[e.Name()] = mode
	}
	t.dirs[dir] = l
	return l
}

// isInside reports whether the file that symbolic links lead to is in the repository.
func (t *tree) isInside(name string) bool {
	real, err := t.Real(name)
	if err != nil {
		return false
	}
	root, err := t.Real(t.root + "/")
	return err == nil && below(real, strings.TrimSuffix(root, "/"))
}

// isFile reports whether there is a file of a name, letter by letter.
func (t *tree) isFile(name string) bool {
	mode, ok := t.mode(name)
	return ok && !mode.IsDir()
}

func (t *tree) isDir(name string) bool {
	if name == t.root {
		return true
	}
	mode, ok := t.mode(name)
	return ok && mode.IsDir()
}

// isRealDir reports whether there is a directory of a name, asked once for each.
func (t *tree) isRealDir(dir string) bool {
	t.mu.Lock()
	is, known := t.real[dir]
	t.mu.Unlock()
	if known {
		return is
	}
	mode, ok := t.mode(dir)
	is = ok && mode.IsDir()
	t.mu.Lock()
	t.real[dir] = is
	t.mu.Unlock()
	return is
}

// mode returns the type of what is at a name. Each directory on the way to it is listed
// below the root, so that all of its letters are compared.
func (t *tree) mode(name string) (fs.FileMode, bool) {
	if !below(name, t.root) || name == t.root {
		return 0, false
	}
	i := strings.LastIndexByte(name, '/')
	up := name[:i]
	if up != t.root && t.root != "" && below(up, t.root) && !t.isRealDir(up) {
		return 0, false
	}
	mode, ok := t.list(up)[name[i+1:]]
	return mode &^ fs.ModeSymlink, ok
}

// otherCase returns a name that differs from name in upper and lower case alone: of several
// the first in byte order.
func (t *tree) otherCase(name string) (string, bool) {
	if !below(name, t.root) || name == t.root {
		return "", false
	}
	at := t.root
	changed := false
	for part := range strings.SplitSeq(strings.TrimPrefix(name[len(t.root):], "/"), "/") {
		l := t.list(at)
		if _, ok := l[part]; !ok {
			found := ""
			for other := range l {
				if strings.EqualFold(other, part) && (found == "" || other < found) {
					found = other
				}
			}
			if found == "" {
				return "", false
			}
			part, changed = found, true
		}
		at += "/" + part
	}
	return at, changed
}

// text returns up to limit bytes of a file, at most maxPage, or nil. The caller does not
// change them.
func (t *tree) text(name string, limit int) []byte {
	t.mu.Lock()
	b, ok := t.kept[name]
	t.mu.Unlock()
	if !ok {
		b = t.readPage(name)
		t.mu.Lock()
		if t.left >= len(b) && len(b) < maxPage {
			t.kept[name] = b
			t.left -= len(b)
		}
		t.mu.Unlock()
	}
	return b[:min(len(b), limit)]
}

// readPage returns up to maxPage bytes of a file, or nil.
func (t *tree) readPage(name string) []byte {
	mode, isListed := t.mode(name)
	if !isListed {
		info, err := t.Stat(name)
		if err != nil {
			return nil
		}
		mode = info.Mode()
	}
	if !mode.IsRegular() {
		return nil // reading a pipe might never end
	}
	f, err := t.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	size := 0
	if info, err := f.Stat(); err == nil {
		size = int(min(info.Size(), maxPage))
	}
	// One byte more than there are: the end is seen without another buffer.
	b := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	b.ReadFrom(io.LimitReader(f, maxPage))
	return b.Bytes()
}

// take returns the text of a file that has been read whole, and keeps it no longer.
func (t *tree) take(name string) (text []byte, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if text, ok = t.kept[name]; ok {
		delete(t.kept, name)
		t.left += len(text)
	}
	return text, ok && text != nil
}

// config returns a configuration file, or nil if it is too large.
func (t *tree) config(name string) []byte {
	if !t.isFile(name) {
		return nil
	}
	b := t.text(name, maxConfig+1)
	if len(b) > maxConfig {
		return nil
	}
	return b
}

// files calls yield with the path of each file below dir, relative to it, in byte order of
// names. skip says which directories are left out.
func (t *tree) files(dir string, skip func(name string) bool, yield func(rel string)) {
	left := maxFiles
	var walk func(dir, rel string, depth int)
	walk = func(dir, rel string, depth int) {
		if depth > maxDepth {
			return
		}
		l := t.list(dir)
		for _, name := range sortedKeys(l) {
			if left--; left < 0 {
				return
			}
			mode := l[name]
			if !mode.IsDir() {
				yield(rel + name)
				continue
			}
			if skip(name) || mode&fs.ModeSymlink != 0 && t.isCycle(dir, name) {
				continue
			}
			walk(dir+"/"+name, rel+name+"/", depth+1)
		}
	}
	walk(dir, "", 0)
}

// isCycle reports whether a symbolic link leads to a directory that it is in.
func (t *tree) isCycle(dir, name string) bool {
	real, err := t.Real(dir + "/" + name)
	if err != nil {
		return true
	}
	here, err := t.Real(dir)
	return err != nil || below(here, real)
}

// below reports whether p is dir or in it. The root is "".
func below(p, dir string) bool {
	return strings.HasPrefix(p, dir) && (len(p) == len(dir) || p[len(dir)] == '/')
}
