package audit

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"example.org/refract/internal/lazy"
)

// listings looks up names in a Tree by listing each directory once. A name must match an entry
// exactly. Opening the file would not do: the file systems of macOS and Windows open "README.MD"
// if only "readme.md" exists, but the server that publishes it does not.
type listings struct {
	tree Tree
	mu   sync.RWMutex
	dirs map[string]*listing // by absolute path
}

func newListings(t Tree) *listings { return &listings{tree: t, dirs: map[string]*listing{}} }

type listing struct {
	tree   Tree
	path   string
	names  map[string]fs.FileMode          // types of the entries
	folded lazy.Value[map[string]string]   // names by their folded form, which ignores case and composition
	stems  lazy.Value[map[string][]string] // names by the part before the last dot
	blind  bool                            // cannot be listed; single names can be looked up
	sub    lazy.Map[string, *listing]
}

// list returns the listing of a directory.
func (t *listings) list(path string) *listing {
	if l := t.known(path); l != nil {
		return l
	}
	l := newListing(t.tree, path)
	t.mu.Lock()
	defer t.mu.Unlock()
	if before := t.dirs[path]; before != nil {
		return before
	}
	t.dirs[path] = l
	return l
}

// known returns the listing of a directory, if the directory has been listed.
func (t *listings) known(path string) *listing {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.dirs[path]
}

func newListing(t Tree, path string) *listing {
	l := &listing{tree: t, path: path, names: map[string]fs.FileMode{}}
	dir := path
	if dir == filepath.VolumeName(dir) { // "", or "C:", which alone means the current directory of C:
		dir += "/"
	}
	entries, err := t.ReadDir(dir)
	l.blind = err != nil
	for _, e := range entries {
		l.names[e.Name()] = e.Type()
	}
	return l
}

// has reports whether a directory has an entry. Unlike list, it does not list the directory, which may be far
// outside the tree and large: a Cache would then depend on all that is in it.
func (t *listings) has(dir, name string) bool {
	if l := t.known(dir); l != nil {
		_, ok := l.entry(name)
		return ok
	}
	_, err := t.tree.Lstat(dir + "/" + name)
	return err == nil || errors.Is(err, fs.ErrPermission)
}

// into returns the listing of the directory name in l.
func (t *listings) into(l *listing, name string) *listing {
	return l.sub.Get(name, func(name string) *listing { return t.list(l.path + "/" + name) })
}

// entry returns the type of the entry called name.
func (l *listing) entry(name string) (fs.FileMode, bool) {
	typ, ok := l.names[name]
	if ok || !l.blind {
		return typ, ok
	}
	info, err := l.tree.Lstat(l.path + "/" + name)
	if err != nil {
		return 0, errors.Is(err, fs.ErrPermission) // unknown, so report nothing
	}
	return info.Mode().Type(), true
}

// otherwise returns an entry whose name differs from name only in case or in the composition of
// its letters.
func (l *listing) otherwise(name string) (string, bool) {
	folded := l.folded.Get(func() map[string]string {
		folded := make(map[string]string, len(l.names))
		for n := range l.names {
			key := fold(n)
			if before, ok := folded[key]; !ok || n < before {
				folded[key] = n
			}
		}
		return folded
	})
	n, ok := folded[fold(name)]
	return n, ok
}

// fold returns the folded form of a name.
func fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return cases.Fold().String(norm.NFC.String(s))
}

// sameStem returns the only other file whose name differs from name just after the last dot.
func (l *listing) sameStem(name string) (string, bool) {
	stems := l.stems.Get(func() map[string][]string {
		stems := make(map[string][]string, len(l.names))
		for n, typ := range l.names {
			if typ.IsRegular() {
				stems[stem(n)] = append(stems[stem(n)], n)
			}
		}
		return stems
	})
	names := stems[stem(name)]
	if len(names) != 1 || names[0] == name {
		return "", false
	}
	return names[0], true
}

func stem(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[:i]
	}
	return name
}

// A placeKind says what exists at a path.
type placeKind uint8

const (
	isMissing placeKind = iota
	isFile
	isDirectory
	isDangling // a symbolic link that leads nowhere
	isLoop     // a symbolic link that leads to itself
)

// A place is the result of following a path.
type place struct {
	kind   placeKind
	path   string   // absolute, spelled as on disk as far as it exists
	asked  string   // absolute, spelled as in the request
	respel bool     // path and asked differ in spelling
	norm   bool     // they differ only in the composition of letters
	linked bool     // the path passes through a symbolic link
	in     *listing // the directory of the last component, present or not; nil if that directory is missing
}

// at follows the components from a directory, whose own spelling is not checked.
func (t *listings) at(dir string, components []string) place {
	asked := dir + "/" + strings.Join(components, "/")
	p := place{kind: isDirectory, path: dir, asked: dir}
	l := t.list(dir)
	for i, name := range components {
		if p.kind != isDirectory {
			p.kind, p.in = isMissing, nil
			p.path, p.asked = asked, asked
			return p
		}
		if l == nil {
			l = t.list(p.path)
		}
		typ, ok := l.entry(name)
		right := name
		if !ok {
			if right, ok = l.otherwise(name); ok {
				typ = l.names[right]
				p.norm = (p.norm || !p.respel) && norm.NFC.String(right) == norm.NFC.String(name)
				p.respel = true
			}
		}
		p.asked = asked[:len(p.asked)+len("/")+len(name)]
		p.in = l
		if !ok {
			p.kind = isMissing
			if i < len(components)-1 {
				p.in = nil
			}
			p.path, p.asked = asked, asked
			return p
		}
		if p.respel {
			p.path += "/" + right
		} else {
			p.path = p.asked
		}
		switch {
		case typ&fs.ModeSymlink != 0:
			p.linked = true
			p.kind = t.follow(p.path)
		case typ.IsDir():
			p.kind = isDirectory
		default:
			p.kind = isFile
		}
		if p.kind == isDangling || p.kind == isLoop {
			return p
		}
		if p.kind == isDirectory && i < len(components)-1 {
			l = t.into(l, right)
		}
	}
	return p
}

// follow returns the kind of what a symbolic link leads to.
func (t *listings) follow(path string) placeKind {
	info, err := t.tree.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return isDirectory
	case err == nil || errors.Is(err, fs.ErrPermission):
		return isFile
	case errors.Is(err, syscall.ELOOP):
		return isLoop
	}
	return isDangling
}

// exists reports whether anything exists at an absolute path outside any tree.
func (t *listings) exists(path string) bool {
	if path == "" {
		return false
	}
	_, err := t.tree.Stat(path)
	return err == nil
}
