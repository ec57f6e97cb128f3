package source

import (
	"bytes"
	"cmp"
	"io"
	"io/fs"
	"strings"
	"sync"
	"unicode"

	"example.org/refract/internal/input"
	"example.org/refract/internal/lazy"
)

const (
	MaxConfig = 1 << 20  // bytes of a configuration file
	MaxPage   = 4 << 20  // bytes of a page that are searched for includes
	maxFiles  = 500_000  // files of a site
	maxKept   = 64 << 20 // bytes of pages that are kept until the audit reads them
	maxDepth  = 64       // nested directories
)

// A Tree reads files and directories, and lists each directory once. Names must match exactly.
type Tree struct {
	input.Tree
	Root string // absolute path of the directory that lookups never leave: a repository
	Jobs int    // pages that are read at a time; 0 means 1
	mu   sync.Mutex
	dirs map[string]map[string]fs.FileMode
	// The names in a directory by their form in which case does not count, the first in byte order if there are
	// several.
	folded lazy.Map[string, map[string]string]
	real   map[string]bool // whether a directory exists, with each part of its name spelled exactly
	// Text of files by name, so that no file is read twice: for front matter, for includes,
	// and by the audit itself.
	kept map[string][]byte
	left int // bytes that may still be kept

	ignored lazy.Map[string, func(string) bool] // what each .gitignore leaves out, by its directory; nil if there is none
	// ignoredLower is the same for names in lower case.
	ignoredLower lazy.Map[string, func(string) bool]

	memo map[any]any // see memo

	listed      lazy.Map[string, [2]bool]           // by directory; see indexesIn
	indexNames  lazy.Map[string, []string]          // by directory; see hasIndex
	autoindexed lazy.Value[[]string]                // see isAutoindexed
	vendored    lazy.Map[string, func(string) bool] // what the .gitattributes of the root calls vendored
}

// NewTree returns the tree below root. It reads jobs pages at a time.
func NewTree(t input.Tree, root string, jobs int) *Tree {
	return &Tree{Tree: t, Root: root, Jobs: jobs, dirs: map[string]map[string]fs.FileMode{}, real: map[string]bool{}, kept: map[string][]byte{}, left: maxKept, memo: map[any]any{}}
}

// Memo returns the result of make, and keeps it for later calls with the key. The type of a key belongs to
// the package that uses it, so that keys of several packages are never equal.
func Memo[T any](t *Tree, key any, make func() T) T {
	t.mu.Lock()
	known, ok := t.memo[key]
	t.mu.Unlock()
	if ok {
		return known.(T)
	}
	made := make()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.memo[key] = made
	return made
}

// Derived returns the result of make for the text of a file, obtained from Text. The result must depend on
// the text and the key alone, and must not be changed: several audits of one tree may share it. The type of
// a key belongs to the package that uses it.
func Derived[T any](t *Tree, text []byte, key any, make func() T) T {
	d, ok := t.Tree.(interface {
		Derive(text []byte, key any, make func() any) any
	})
	if !ok {
		return make()
	}
	return d.Derive(text, key, func() any { return make() }).(T)
}

// List returns the types of the entries of a directory, by name. It follows symbolic links that do not
// point outside the tree.
func (t *Tree) List(dir string) map[string]fs.FileMode {
	t.mu.Lock()
	l, ok := t.dirs[dir]
	t.mu.Unlock()
	if ok {
		return l
	}
	if !Below(dir, t.Root) || dir == t.Root || t.isRealDir(dir) {
		l = t.readList(dir)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.dirs[dir] = l
	return l
}

// readList reads the list of a directory.
func (t *Tree) readList(dir string) map[string]fs.FileMode {
	entries, _ := t.ReadDir(cmp.Or(dir, "/"))
	l := make(map[string]fs.FileMode, len(entries))
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
	return l
}

// isInside reports whether name, with symbolic links followed, is in the repository.
func (t *Tree) isInside(name string) bool {
	real, err := t.Real(name)
	if err != nil {
		return false
	}
	root, err := t.Real(t.Root + "/")
	return err == nil && Below(real, strings.TrimSuffix(root, "/"))
}

// IsFile reports whether a file with exactly this name exists.
func (t *Tree) IsFile(name string) bool {
	mode, ok := t.mode(name)
	return ok && !mode.IsDir()
}

// IsDir reports whether a directory with exactly this name exists.
func (t *Tree) IsDir(name string) bool {
	if name == t.Root {
		return true
	}
	mode, ok := t.mode(name)
	return ok && mode.IsDir()
}

// isRealDir reports whether a directory with exactly this name exists. It checks each directory once.
// Missing names are not cached, since there is no limit to them.
func (t *Tree) isRealDir(dir string) bool {
	t.mu.Lock()
	is, known := t.real[dir]
	t.mu.Unlock()
	if known {
		return is
	}
	mode, ok := t.mode(dir)
	is = ok && mode.IsDir()
	if !is {
		return false
	}
	t.mu.Lock()
	t.real[dir] = is
	t.mu.Unlock()
	return is
}

// MaxPath is the longest path of a file in bytes, that of Linux with its zero. Each directory on a path
// costs as much as its name: the time for a longer path would grow with the square of its length.
const MaxPath = 4096

// mode returns the type of the file at a name. It lists each directory on the path below the root, so
// that the whole name must match exactly.
func (t *Tree) mode(name string) (fs.FileMode, bool) {
	if !Below(name, t.Root) || name == t.Root || len(name) > MaxPath {
		return 0, false
	}
	i := strings.LastIndexByte(name, '/')
	up := name[:i]
	if up != t.Root && t.Root != "" && Below(up, t.Root) && !t.isRealDir(up) {
		return 0, false
	}
	mode, ok := t.List(up)[name[i+1:]]
	return mode &^ fs.ModeSymlink, ok
}

// OtherCase returns a name that differs from name only in case, the first in byte order if there are
// several.
func (t *Tree) OtherCase(name string) (string, bool) {
	if !Below(name, t.Root) || name == t.Root || len(name) > MaxPath {
		return "", false
	}
	at := t.Root
	changed := false
	for part := range strings.SplitSeq(strings.TrimPrefix(name[len(t.Root):], "/"), "/") {
		l := t.List(at)
		if _, ok := l[part]; !ok {
			found := t.folded.Get(at, func(string) map[string]string { return foldedNames(l) })[folded(part)]
			if found == "" {
				return "", false
			}
			part, changed = found, true
		}
		at += "/" + part
	}
	return at, changed
}

// foldedNames returns the names in a directory by their folded form, the first in byte order if there are several.
func foldedNames(l map[string]fs.FileMode) map[string]string {
	names := make(map[string]string, len(l))
	for name := range l {
		key := folded(name)
		if first, ok := names[key]; !ok || name < first {
			names[key] = name
		}
	}
	return names
}

// folded returns a form of a name that names have in common if they are equal under strings.EqualFold.
func folded(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, name)
}

// Text returns up to limit bytes of a file, at most MaxPage, or nil. The caller must not change
// them.
func (t *Tree) Text(name string, limit int) []byte {
	t.mu.Lock()
	b, ok := t.kept[name]
	t.mu.Unlock()
	if !ok {
		b = t.ReadPage(name)
		t.mu.Lock()
		if t.left >= len(b) && len(b) < MaxPage {
			t.kept[name] = b
			t.left -= len(b)
		}
		t.mu.Unlock()
	}
	return b[:min(len(b), limit)]
}

// ReadPage returns up to MaxPage bytes of a file, or nil.
func (t *Tree) ReadPage(name string) []byte {
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
	if held, ok := f.(interface{ Bytes() []byte }); ok && len(held.Bytes()) <= MaxPage {
		return held.Bytes()
	}
	size := 0
	if info, err := f.Stat(); err == nil {
		size = int(min(info.Size(), MaxPage))
	}
	// There is room for more than size bytes, so that reading sees the end without growing the buffer.
	b := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	b.ReadFrom(io.LimitReader(f, MaxPage))
	return b.Bytes()
}

// Take returns the text of a file that has been read completely, and drops it.
func (t *Tree) Take(name string) (text []byte, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if text, ok = t.kept[name]; ok {
		delete(t.kept, name)
		t.left += len(text)
	}
	return text, ok && text != nil
}

// Config returns a configuration file, or nil if it is too large.
func (t *Tree) Config(name string) []byte {
	if !t.IsFile(name) {
		return nil
	}
	b := t.Text(name, MaxConfig+1)
	if len(b) > MaxConfig {
		return nil
	}
	return b
}

// Files calls yield with the path of each file below dir, relative to dir, in byte order of names.
// It leaves out the directories for which skip returns true.
func (t *Tree) Files(dir string, skip func(name string) bool, yield func(rel string)) {
	left := maxFiles
	var walk func(dir, rel string, depth int)
	walk = func(dir, rel string, depth int) {
		if depth > maxDepth {
			return
		}
		entries, _ := t.ReadDir(cmp.Or(dir, "/")) // without a map, which few of these directories need
		for _, e := range entries {
			name, mode := e.Name(), e.Type()
			if mode&fs.ModeSymlink != 0 {
				to, isInside := t.List(dir)[name]
				if !isInside {
					continue
				}
				mode = to
			}
			if left--; left < 0 {
				return
			}
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
	if len(t.List(dir)) > 0 {
		walk(dir, "", 0)
	}
}

// isCycle reports whether a symbolic link points to a directory that it is in.
func (t *Tree) isCycle(dir, name string) bool {
	real, err := t.Real(dir + "/" + name)
	if err != nil {
		return true
	}
	here, err := t.Real(dir)
	return err != nil || Below(here, real)
}

// IsIgnored reports whether .gitignore excludes a file from the repository, so that it may exist after a
// build.
func (t *Tree) IsIgnored(file string) bool { return t.isIgnoredBy(file, &t.ignored, t.ignoredBelow) }

// IsIgnoredInLower is IsIgnored for a file whose name is known in lower case only.
func (t *Tree) IsIgnoredInLower(file string) bool {
	return t.isIgnoredBy(file, &t.ignoredLower, func(dir string) func(string) bool {
		match := IgnoreRules(strings.ToLower(string(t.Config(dir + "/.gitignore"))))
		return func(rel string) bool { return match(strings.ToLower(rel)) }
	})
}

func (t *Tree) isIgnoredBy(file string, all *lazy.Map[string, func(string) bool], rules func(dir string) func(string) bool) bool {
	top := t.Root
	for rest, ok := strings.CutPrefix(file, top+"/"); ok; {
		if match := all.Get(top, rules); match != nil && match(rest) {
			return true
		}
		var first string
		first, rest, ok = strings.Cut(rest, "/")
		top = file[:len(top)+len("/")+len(first)]
		if ok && !t.isRealDir(top) {
			return false // nothing below it has rules
		}
	}
	return false
}

// ignoredBelow returns the rules of the .gitignore in a directory, or nil if it has none.
func (t *Tree) ignoredBelow(dir string) func(string) bool {
	text := t.Config(dir + "/.gitignore")
	if len(text) == 0 {
		return nil
	}
	return IgnoreRules(string(text))
}

// IsVendored reports whether the .gitattributes of the root says that a file belongs to another project.
func (t *Tree) IsVendored(file string) bool {
	rest, ok := strings.CutPrefix(file, t.Root+"/")
	return ok && t.vendored.Get(t.Root, t.vendoredBelow)(rest)
}

// vendoredBelow returns which files have the attribute linguist-vendored. Later lines override earlier ones
// (gitattributes(5)).
func (t *Tree) vendoredBelow(root string) func(string) bool {
	var rules strings.Builder
	for line := range strings.Lines(string(t.Config(root + "/.gitattributes"))) {
		fields := strings.Fields(line)
		if len(fields) < 2 || strings.HasPrefix(fields[0], "#") || strings.HasPrefix(fields[0], "!") {
			continue
		}
		for _, attribute := range fields[1:] {
			switch attribute {
			case "linguist-vendored", "linguist-vendored=true":
				rules.WriteString(fields[0] + "\n")
			case "-linguist-vendored", "!linguist-vendored", "linguist-vendored=false":
				rules.WriteString("!" + fields[0] + "\n")
			}
		}
	}
	return IgnoreRules(rules.String())
}

// Below reports whether p is dir or in it. The root is "".
func Below(p, dir string) bool {
	return strings.HasPrefix(p, dir) && (len(p) == len(dir) || p[len(dir)] == '/')
}
