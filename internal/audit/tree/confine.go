package tree

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"example.org/refract/internal/input"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/slash"
)

// ErrOutside is the error of a confined Tree for files outside its directories.
var ErrOutside = input.ErrOutside

// LeadsOutside is the reason why references to it are not checked.
var LeadsOutside = reason.New(reason.Outside, "leads-outside", "leads out of the repository")

// A Confined is a Tree that reads nothing outside the directories of an audit. These are the repositories of the
// files in [Options.Paths], or these files where there is no repository, and the directories of Root and
// Sites. For a name that points outside them through a symbolic link, at its end or on the way, the error
// is the same whether something exists there or not.
//
// It follows links itself, so that nothing outside is touched, and remembers where each directory really
// is. It assumes that nobody changes the tree meanwhile.
type Confined struct {
	Tree
	dir   string              // absolute path of the directory that relative names are relative to
	roots map[string]*confine // by each of their names
	// hasRaw says that one of roots has a raw name.
	hasRaw bool
	// Directories that are on the way to a root: by any of its names, and by its real one.
	above, realAbove map[string]bool
	places           lazy.Map[string, location] // of directories and symbolic links
	lists            sync.Map                   // entries of the directories that have been listed, by clean name
}

// A confine is a directory, or a file that is named, which a confined Tree may read.
type confine struct {
	given string // absolute and clean; the root of the file system is ""
	raw   string // as an option has it, if it leads elsewhere than given, because of ".." behind a symbolic link
	real  string // without symbolic links
	// isAround says that the directory is not named itself, but read for the configuration of a named
	// directory's site. Symbolic links elsewhere may not point into it.
	isAround bool
}

// A location is where a name really is.
type location struct {
	real string
	err  error // errOutside or syscall.ELOOP
}

// NewConfined returns a Tree for the files and directories args, or dir if args is nil, and for the named
// others.
func NewConfined(t Tree, dir string, args, others []string) *Confined {
	c := &Confined{Tree: t, dir: dir, roots: map[string]*confine{}, above: map[string]bool{}, realAbove: map[string]bool{}}
	if args == nil {
		args = []string{"."}
	}
	for _, arg := range args {
		if arg == "-" {
			arg = "stdin" // its name in the tree
		}
		top := Absolute(dir, arg)
		info, err := c.Tree.Stat(c.join(arg))
		isDir := err == nil && info.IsDir()
		repository, isFound := c.repositoryAt(top)
		switch {
		case isFound:
			c.add(repository, "", false)
		case !isDir:
			c.add(parent(top), "", false)
		}
		if err == nil {
			c.add(top, arg, false)
		}
		switch {
		case isFound:
		case isDir:
			c.add(parent(top), "", true)
		default:
			c.add(parent(parent(top)), "", true)
		}
	}
	for _, name := range others {
		c.addNamed(name)
	}
	return c
}

// addNamed adds a directory that is named, but not audited.
func (c *Confined) addNamed(name string) {
	top := Absolute(c.dir, name)
	c.add(top, name, false)
	if repository, ok := c.repositoryAt(top); ok {
		c.add(repository, "", true)
	} else {
		c.add(parent(top), "", true)
	}
}

// repositoryAt returns the nearest directory upwards that holds .git.
func (c *Confined) repositoryAt(dir string) (string, bool) {
	for {
		if _, err := c.Tree.Lstat(dir + "/.git"); err == nil || errors.Is(err, fs.ErrPermission) {
			return dir, true
		}
		if parent(dir) == dir {
			return "", false
		}
		dir = parent(dir)
	}
}

// add adds a directory or file by its absolute name, and by its name in an option.
func (c *Confined) add(given, option string, isAround bool) {
	r := &confine{given: given, isAround: isAround}
	name := rootName(given)
	if option != "" {
		name = c.join(option)
	}
	real, err := c.Tree.Real(name)
	if err != nil {
		real = name
	}
	r.real = strings.TrimSuffix(path.Clean(real), "/")
	if raw := strings.TrimSuffix(name, "/"); raw != given && path.Clean(raw) == given {
		if at, err := c.Tree.Real(rootName(given)); err != nil || strings.TrimSuffix(at, "/") != r.real {
			r.raw, c.hasRaw = raw, true
		}
	}
	if in := c.rootOf(given); in != nil && (isAround || !in.isAround) && r.raw == "" && in.raw == "" && in.real+given[len(in.nameIn(given)):] == r.real {
		return
	}
	for _, name := range []string{r.given, r.raw, r.real} {
		if name == "" && name != r.given && name != r.real {
			continue
		}
		if before := c.roots[name]; before == nil || before.isAround {
			c.roots[name] = r
		}
		for up := parent(name); !c.above[up]; up = parent(up) {
			c.above[up] = true
		}
	}
	for up := r.real; !c.realAbove[up]; up = parent(up) {
		c.realAbove[up] = true
	}
}

// rootName returns the name of a directory that may be a root: "", or on Windows "C:", which alone is the
// current directory of C:.
func rootName(dir string) string {
	if dir == filepath.VolumeName(dir) {
		return dir + "/"
	}
	return dir
}

// nameIn returns the name of r that p begins with.
func (r *confine) nameIn(p string) string {
	if Below(p, r.given) {
		return r.given
	}
	return r.real
}

// parent returns the directory that holds dir. The root is "", and holds itself.
func parent(dir string) string {
	i := strings.LastIndexByte(dir, '/')
	return dir[:max(i, 0)]
}

// rootOf returns the innermost root that an absolute name is in, or nil.
func (c *Confined) rootOf(name string) *confine {
	for {
		if r := c.roots[name]; r != nil {
			return r
		}
		if name == "" {
			return nil
		}
		name = parent(name)
	}
}

// rootAt is rootOf for a real name. What has the given name of a root with a raw one is another directory.
func (c *Confined) rootAt(real string) *confine {
	r := c.rootOf(real)
	if r != nil && r.raw != "" && !Below(real, r.real) {
		return nil
	}
	return r
}

// join returns an absolute form of a name.
func (c *Confined) join(name string) string { return input.Join(cmp.Or(c.dir, "/"), name) }

// names returns the name to ask Tree for, and the absolute and clean one. They point to the same file.
func (c *Confined) names(name string) (ask, clean string) {
	full := strings.TrimSuffix(c.join(name), "/")
	clean = strings.TrimSuffix(path.Clean(cmp.Or(full, "/")), "/")
	if clean == full {
		return name, clean
	}
	for up := full; c.hasRaw && up != ""; up = parent(up) {
		r, rest := c.roots[up], full[len(up):]
		if r != nil && r.raw == up && (rest == "" || path.Clean(rest) == rest) {
			return name, r.given + rest
		}
	}
	return rootName(clean), clean
}

// place returns where a name really is. It looks at each directory once.
func (c *Confined) place(clean string) location {
	return c.places.Get(clean, c.findPlace)
}

func (c *Confined) findPlace(clean string) location {
	root := c.rootOf(clean)
	if root == nil {
		return location{err: ErrOutside}
	}
	if clean == root.given || clean == root.real {
		return location{real: root.real}
	}
	up := c.place(parent(clean))
	if up.err != nil {
		return up
	}
	if !c.isLink(root, clean) {
		return location{real: up.real + clean[len(parent(clean)):]}
	}
	return c.follow(root, up.real, clean[len(parent(clean))+1:])
}

// isLink reports whether there is a symbolic link at a clean name in root. It asks the system only if the
// directory has not been listed.
func (c *Confined) isLink(root *confine, clean string) bool {
	up := parent(clean)
	if list, ok := c.lists.Load(up); ok {
		list := list.([]fs.DirEntry)
		name := clean[len(up)+1:]
		i, ok := slices.BinarySearchFunc(list, name, func(e fs.DirEntry, name string) int { return strings.Compare(e.Name(), name) })
		if ok && list[i].Type()&fs.ModeIrregular == 0 {
			return list[i].Type()&fs.ModeSymlink != 0
		}
	}
	info, err := c.Tree.Lstat(c.nameOf(root, clean))
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// nameOf returns a name for Tree of what is at a name in root.
func (c *Confined) nameOf(root *confine, name string) string {
	if root.raw != "" && Below(name, root.given) {
		return root.raw + name[len(root.given):]
	}
	return name
}

// follow returns where the path rest leads from the real directory done, which is in root. It touches nothing outside.
func (c *Confined) follow(root *confine, done, rest string) location {
	for links := 0; rest != ""; {
		var first string
		first, rest, _ = strings.Cut(rest, "/")
		at := done + "/" + first
		in := c.rootAt(at)
		switch {
		case first == "" || first == ".":
		case first == ".." && !c.realAbove[done] && !c.mayEnter(root, c.rootAt(done)):
			return location{err: ErrOutside}
		case first == "..":
			done = parent(done)
		case in != nil && at == in.given && c.mayEnter(root, in):
			done = in.real
		case c.mayEnter(root, in):
			to, isLink := c.linkAt(in, at)
			if !isLink {
				done = at
				continue
			}
			if links++; links > input.MaxLinks {
				return location{err: syscall.ELOOP}
			}
			to = slash.Path(to)
			if input.IsAbs(to) {
				done = filepath.VolumeName(to)
				to = to[len(done):]
			}
			rest = to + "/" + rest
		case c.above[at]:
			done = at
		default:
			return location{err: ErrOutside}
		}
	}
	if !c.mayEnter(root, c.rootAt(done)) {
		return location{err: ErrOutside}
	}
	return location{real: done}
}

// mayEnter reports whether a symbolic link in one root may point into another.
func (c *Confined) mayEnter(from, to *confine) bool { return to != nil && (to == from || !to.isAround) }

// linkAt returns where the symbolic link at a real name leads, as it is written.
func (c *Confined) linkAt(root *confine, real string) (to string, ok bool) {
	name := real
	if root.raw == "" && Below(real, root.real) {
		name = root.given + real[len(root.real):] // an Overlay knows the names that are given
	}
	info, err := c.Tree.Lstat(name)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return "", false
	}
	to, err = ReadLink(c.Tree, name)
	if err != nil {
		return "", false
	}
	return to, true
}

// ReadLink returns the target of a symbolic link as written or, if t cannot tell, its real path.
func ReadLink(t Tree, name string) (string, error) {
	if t, ok := t.(interface{ ReadLink(string) (string, error) }); ok {
		return t.ReadLink(name)
	}
	return t.Real(name)
}

// LeadsOut reports whether an absolute name in a root points outside all of them.
func (c *Confined) LeadsOut(name string) bool {
	_, clean := c.names(name)
	return c.rootOf(clean) != nil && c.place(clean).err == ErrOutside
}

// refusal returns the error for a name in a directory that is not in a root.
func refusal(op, name string, err error) error { return &fs.PathError{Op: op, Path: name, Err: err} }

// lstat describes what is at a name, and returns the names to ask for.
func (c *Confined) lstat(op, name string) (info fs.FileInfo, ask, clean string, err error) {
	ask, clean = c.names(name)
	if c.roots[clean] == nil {
		if err := c.place(parent(clean)).err; err != nil {
			return nil, "", "", refusal(op, name, err)
		}
	}
	if len(ask) > 1 {
		ask = strings.TrimSuffix(ask, "/") // otherwise the system would follow a link
	}
	info, err = c.Tree.Lstat(ask)
	return info, ask, clean, err
}

// Lstat implements [Tree].
func (c *Confined) Lstat(name string) (fs.FileInfo, error) {
	info, _, _, err := c.lstat("lstat", name)
	return info, err
}

// Stat implements [Tree].
func (c *Confined) Stat(name string) (fs.FileInfo, error) {
	info, ask, clean, err := c.lstat("stat", name)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return info, err
	}
	if err := c.place(clean).err; err != nil {
		return nil, refusal("stat", name, err)
	}
	return c.Tree.Stat(ask)
}

// Open implements [Tree].
func (c *Confined) Open(name string) (fs.File, error) {
	ask, clean := c.names(name)
	if c.roots[clean] != nil {
		return c.Tree.Open(ask)
	}
	err := c.place(parent(clean)).err
	if err == nil && c.isLink(c.rootOf(clean), clean) {
		err = c.place(clean).err
	}
	if err != nil {
		return nil, refusal("open", name, err)
	}
	return c.Tree.Open(ask)
}

// ReadDir implements [Tree].
func (c *Confined) ReadDir(name string) ([]fs.DirEntry, error) {
	ask, clean := c.names(name)
	if err := c.place(clean).err; err != nil {
		return nil, refusal("readdir", name, err)
	}
	list, err := c.Tree.ReadDir(ask)
	if err == nil {
		c.lists.Store(clean, list)
	}
	return list, err
}

// Real implements [Tree].
func (c *Confined) Real(name string) (string, error) {
	ask, clean := c.names(name)
	if err := c.place(clean).err; err != nil {
		return "", refusal("realpath", name, err)
	}
	return c.Tree.Real(ask)
}

// Walked is the Tree with which an audit looks for files. It also reads files outside the roots that belong
// to the user and are reached without any symbolic link: the ignore files above the roots, and git's
// configuration.
type Walked struct {
	Tree
	Confined *Confined
}

// of returns the Tree for a name.
func (w Walked) of(name string) Tree {
	if _, clean := w.Confined.names(name); w.Confined.rootOf(clean) == nil {
		return w.Confined.Tree
	}
	return w.Tree
}

func (w Walked) Open(name string) (fs.File, error) { return w.of(name).Open(name) }

func (w Walked) ReadDir(name string) ([]fs.DirEntry, error) { return w.of(name).ReadDir(name) }

func (w Walked) Stat(name string) (fs.FileInfo, error) { return w.of(name).Stat(name) }

func (w Walked) Lstat(name string) (fs.FileInfo, error) { return w.of(name).Lstat(name) }

func (w Walked) Real(name string) (string, error) { return w.of(name).Real(name) }
