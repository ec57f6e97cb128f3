package tree

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"unicode"
	"unicode/utf8"

	"example.org/refract/internal/lazy"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Listings looks up names in a Tree by listing each directory once. A name must match an entry
// exactly. Opening the file would not do: the file systems of macOS and Windows open "README.MD"
// if only "readme.md" exists, but the server that publishes it does not.
type Listings struct {
	tree Tree
	mu   sync.RWMutex
	dirs map[string]*listing // by absolute path
}

func NewListings(t Tree) *Listings { return &Listings{tree: t, dirs: map[string]*listing{}} }

type listing struct {
	tree   Tree
	path   string
	Names  map[string]fs.FileMode          // types of the entries
	folded lazy.Value[map[string]twins]    // names by their folded form, which ignores case and composition
	stems  lazy.Value[map[string][]string] // names by the part before the last dot
	spelt  lazy.Value[*spellings]
	blind  bool // cannot be listed; single names can be looked up
	// isOutside says that the directory is behind a symbolic link that points out of the repository.
	isOutside bool
	sub       lazy.Map[string, *listing]
}

// List returns the listing of a directory.
func (t *Listings) List(path string) *listing {
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
func (t *Listings) known(path string) *listing {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.dirs[path]
}

func newListing(t Tree, path string) *listing {
	l := &listing{tree: t, path: path, Names: map[string]fs.FileMode{}}
	dir := path
	if dir == filepath.VolumeName(dir) { // "", or "C:", which alone means the current directory of C:
		dir += "/"
	}
	entries, err := t.ReadDir(dir)
	l.blind, l.isOutside = err != nil, errors.Is(err, ErrOutside)
	for _, e := range entries {
		l.Names[e.Name()] = e.Type()
	}
	return l
}

// Has reports whether a directory has an entry. Unlike List, it does not list the directory, which may be
// far outside the tree and large: a Cache would then depend on all entries.
func (t *Listings) Has(dir, name string) bool {
	if l := t.known(dir); l != nil {
		_, ok := l.Entry(name)
		return ok
	}
	_, err := t.tree.Lstat(dir + "/" + name)
	return err == nil || errors.Is(err, fs.ErrPermission)
}

// into returns the listing of the directory name in l.
func (t *Listings) into(l *listing, name string) *listing {
	return l.sub.Get(name, func(name string) *listing { return t.List(l.path + "/" + name) })
}

// Entry returns the type of the entry called name.
func (l *listing) Entry(name string) (fs.FileMode, bool) {
	typ, ok := l.Names[name]
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
	t := l.twins(name)
	return t.first, t.n > 0
}

// HasTwins reports whether several entries have names that differ from name only in case or in the
// composition of its letters.
func (l *listing) HasTwins(name string) bool { return l.twins(name).n > 1 }

// twins are the names of a directory that have one folded form.
type twins struct {
	first string
	n     int
}

func (l *listing) twins(name string) twins {
	folded := l.folded.Get(func() map[string]twins {
		folded := make(map[string]twins, len(l.Names))
		for n := range l.Names {
			key := Fold(n)
			t := folded[key]
			if t.n == 0 || n < t.first {
				t.first = n
			}
			t.n++
			folded[key] = t
		}
		return folded
	})
	return folded[Fold(name)]
}

// Fold returns the folded form of a name.
func Fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return cases.Fold().String(norm.NFC.String(s))
}

// SameStem returns the only other file whose name differs from name just after the last dot.
func (l *listing) SameStem(name string) (string, bool) {
	stems := l.stems.Get(func() map[string][]string {
		stems := make(map[string][]string, len(l.Names))
		for n, typ := range l.Names {
			if typ.IsRegular() {
				stems[Stem(n)] = append(stems[Stem(n)], n)
			}
		}
		return stems
	})
	names := stems[Stem(name)]
	if len(names) != 1 || names[0] == name {
		return "", false
	}
	return names[0], true
}

func Stem(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[:i]
	}
	return name
}

// spellings are the names of a directory by the letters in them, in any order.
type spellings struct {
	names   map[uint64][]string // by lettersOf
	letters []rune              // that occur in them
}

// Similar returns the entries whose names have the suffix of name and otherwise the same letters, one more
// or one less: all results of one typing error, and a few others. It takes time for the different letters
// of the directory, not for its names.
func (l *listing) Similar(name string) (names []string) {
	s := l.spelt.Get(func() *spellings {
		s := &spellings{names: make(map[uint64][]string, len(l.Names))}
		seen := map[rune]bool{}
		for n := range l.Names {
			key := lettersOf(n)
			s.names[key] = append(s.names[key], n)
			for _, r := range n {
				if unicode.IsLetter(r) && !seen[r] && len(seen) < maxLetters {
					seen[r] = true
					s.letters = append(s.letters, r)
				}
			}
		}
		return s
	})
	key := lettersOf(name)
	names = append(names, s.names[key]...)
	for _, r := range s.letters {
		names = append(names, s.names[key+spread(r)]...)
	}
	for i, r := range name {
		if strings.IndexRune(name, r) == i {
			names = append(names, s.names[key-spread(r)]...)
		}
	}
	return names
}

// maxLetters limits the different letters of a directory that a name may lack.
const maxLetters = 4096

// lettersOf returns a number for the letters of a name without its suffix, whatever their order, and for
// the suffix. An additional letter adds its spread.
func lettersOf(name string) uint64 {
	ext := path.Ext(name)
	sum := uint64(14695981039346656037)
	for _, c := range []byte(ext) {
		sum = (sum ^ uint64(c)) * 1099511628211
	}
	for _, r := range strings.TrimSuffix(name, ext) {
		sum += spread(r)
	}
	return sum
}

// spread returns a number whose sums are different for different letters (splitmix64).
func spread(r rune) uint64 {
	x := uint64(r) + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// A placeKind says what exists at a path.
type placeKind uint8

const (
	IsMissing placeKind = iota
	IsFile
	IsDirectory
	IsDangling // a broken symbolic link
	IsLoop     // a circular symbolic link
	IsOutside  // behind a symbolic link that points outside the repository: it may exist or not
)

// A Place is the result of following a path.
type Place struct {
	Kind   placeKind
	Path   string   // absolute, spelled as on disk as far as it exists
	Asked  string   // absolute, spelled as in the request
	Respel bool     // path and asked differ in spelling
	Norm   bool     // they differ only in the composition of letters
	Linked bool     // the path passes through a symbolic link
	In     *listing // the directory of the last component, present or not; nil if that directory is missing
}

// At follows the components from a directory, whose own spelling is not checked.
func (t *Listings) At(dir string, components []string) Place {
	asked := dir + "/" + strings.Join(components, "/")
	p := Place{Kind: IsDirectory, Path: dir, Asked: dir}
	l := t.List(dir)
	for i, name := range components {
		if p.Kind != IsDirectory {
			p.Kind, p.In = IsMissing, nil
			p.Path, p.Asked = asked, asked
			return p
		}
		if l == nil {
			l = t.List(p.Path)
		}
		if l.isOutside {
			p.Kind = IsOutside
			return p
		}
		typ, ok := l.Entry(name)
		right := name
		if !ok {
			if right, ok = l.otherwise(name); ok {
				typ = l.Names[right]
				p.Norm = (p.Norm || !p.Respel) && norm.NFC.String(right) == norm.NFC.String(name)
				p.Respel = true
			}
		}
		p.Asked = asked[:len(p.Asked)+len("/")+len(name)]
		p.In = l
		if !ok {
			p.Kind = IsMissing
			if i < len(components)-1 {
				p.In = nil
			}
			p.Path, p.Asked = asked, asked
			return p
		}
		if p.Respel {
			p.Path += "/" + right
		} else {
			p.Path = p.Asked
		}
		switch {
		case typ&fs.ModeSymlink != 0:
			p.Linked = true
			p.Kind = t.Follow(p.Path)
		case typ.IsDir():
			p.Kind = IsDirectory
		default:
			p.Kind = IsFile
		}
		if p.Kind == IsDangling || p.Kind == IsLoop || p.Kind == IsOutside {
			return p
		}
		if p.Kind == IsDirectory && i < len(components)-1 {
			l = t.into(l, right)
		}
	}
	return p
}

// Follow returns the kind of the target of a symbolic link.
func (t *Listings) Follow(path string) placeKind {
	info, err := t.tree.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return IsDirectory
	case err == nil || errors.Is(err, fs.ErrPermission):
		return IsFile
	case errors.Is(err, ErrOutside):
		return IsOutside
	case errors.Is(err, syscall.ELOOP):
		return IsLoop
	}
	return IsDangling
}

// Exists reports whether anything exists at an absolute path.
func (t *Listings) Exists(path string) bool {
	if path == "" {
		return false
	}
	_, err := t.tree.Stat(path)
	return err == nil
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}
