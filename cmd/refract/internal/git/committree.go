package git

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/order"
	"example.org/refract/internal/slash"
)

// A CommitTree is the disk, with the files of a commit in place of those of the work tree, except in .git.
// Nothing is written: a file that is also in the work tree is read from there, and any other from git when
// it is opened. It keeps some 200 bytes for each file of the commit.
type CommitTree struct {
	tree.Tree        // the disk
	at        string // the top directory of the repository; absolute, clean, with forward slashes
	files     *commitFiles
	commit    tree.Tree // files, whose root is "/"
}

// Tree returns the files of the commit, and those of its submodules that are checked out. temp is a directory for
// large files. A file for which isSpare is true may be missing in the repository without an error.
func (c *Commit) Tree(temp string, isSpare func(name string) bool) (*CommitTree, error) {
	files := &commitFiles{entries: map[string]*commitEntry{}, temp: temp, isSpare: isSpare}
	files.addDir(".")
	files.addDir(".git")
	isChanged := func(name string) bool { return c.Changed[name] }
	if err := files.add(c.Top, c.id, "", c.objects, isChanged); err != nil {
		return nil, err
	}
	files.sort()
	return &CommitTree{Tree: tree.Disk(), at: slash.Path(filepath.Clean(c.Top)), files: files, commit: tree.FS(files)}, nil
}

// Close ends the process that reads from git. The error says why a file could not be read.
func (t *CommitTree) Close() error {
	for _, o := range t.files.ofModules {
		o.close()
	}
	return t.files.failed
}

// AddDir adds a directory, which may exist already, by its path in the commit. It must not be called while
// others read the tree.
func (t *CommitTree) AddDir(dir string) {
	t.files.addDir(path.Clean(dir))
	t.files.sort()
}

// of returns the tree that has a name, and the name there.
func (t *CommitTree) of(name string) (tree.Tree, string) {
	if !tree.Below(name, t.at) {
		return t.Tree, name
	}
	below := "/" + strings.TrimPrefix(name[len(t.at):], "/")
	if strings.Contains(below+"/", "/.git/") {
		return t.Tree, name
	}
	return t.commit, below
}

// IsCommitted implements [tree.Committed].
func (t *CommitTree) IsCommitted(name string) bool {
	in, below := t.of(name)
	return in == t.commit && t.files.entries[strings.TrimPrefix(below, "/")] != nil
}

// Open implements [tree.Tree].
func (t *CommitTree) Open(name string) (fs.File, error) {
	in, name := t.of(name)
	return in.Open(name)
}

// ReadDir implements [tree.Tree].
func (t *CommitTree) ReadDir(name string) ([]fs.DirEntry, error) {
	in, name := t.of(name)
	return in.ReadDir(name)
}

// Stat implements [tree.Tree].
func (t *CommitTree) Stat(name string) (fs.FileInfo, error) {
	in, name := t.of(name)
	return in.Stat(name)
}

// Lstat implements [tree.Tree].
func (t *CommitTree) Lstat(name string) (fs.FileInfo, error) {
	in, name := t.of(name)
	return in.Lstat(name)
}

// ReadLink returns the target of a symbolic link as written.
func (t *CommitTree) ReadLink(name string) (string, error) {
	in, name := t.of(name)
	return tree.ReadLink(in, name)
}

// Real implements [tree.Tree].
func (t *CommitTree) Real(name string) (string, error) {
	in, below := t.of(name)
	real, err := in.Real(below)
	if in != t.commit || err != nil {
		return real, err
	}
	return strings.TrimSuffix(t.at+real, "/"), nil
}

// commitFiles are the files of a commit and its submodules, as an [fs.FS].
type commitFiles struct {
	entries   map[string]*commitEntry // by path
	ofModules []*objects
	temp      string // directory for files that are large
	isSpare   func(name string) bool

	mu     sync.Mutex
	failed error // the first object that git could not read
}

// A commitEntry is a file, a directory or a symbolic link of a commit.
type commitEntry struct {
	name   string
	mode   fs.FileMode
	size   int64
	object string
	in     *objects
	same   string        // the file of the work tree that has the same content; "" if there is none
	list   []fs.DirEntry // of a directory, sorted once all are there
}

func (e *commitEntry) Name() string               { return e.name }
func (e *commitEntry) IsDir() bool                { return e.mode.IsDir() }
func (e *commitEntry) Type() fs.FileMode          { return e.mode.Type() }
func (e *commitEntry) Info() (fs.FileInfo, error) { return e, nil }
func (e *commitEntry) Size() int64                { return e.size }
func (e *commitEntry) Mode() fs.FileMode          { return e.mode }
func (e *commitEntry) ModTime() time.Time         { return time.Time{} }
func (e *commitEntry) Sys() any                   { return nil }

// addDir adds a directory, and those above it.
func (c *commitFiles) addDir(dir string) *commitEntry {
	if e := c.entries[dir]; e != nil {
		return e
	}
	e := &commitEntry{name: path.Base(dir), mode: fs.ModeDir | 0o755}
	c.put(dir, e)
	return e
}

// put adds an entry that is not there.
func (c *commitFiles) put(name string, e *commitEntry) {
	c.entries[name] = e
	if name != "." {
		up := c.addDir(path.Dir(name))
		up.list = append(up.list, e)
	}
}

// sort sorts the lists of directories.
func (c *commitFiles) sort() {
	for _, e := range c.entries {
		order.Sort(e.list, func(x, y fs.DirEntry) int { return strings.Compare(x.Name(), y.Name()) })
	}
}

// Modes of git's entries of trees.
const (
	gitProgram = "100755"
	gitLink    = "120000"
	gitModule  = "160000"
)

// add adds the files of a commit of the repository in dir at the path at: "" or with a slash at its end.
func (c *commitFiles) add(dir, commit, at string, from *objects, isChanged func(name string) bool) error {
	out, err := from.output("ls-tree", "-r", "-z", "-l", "--full-tree", commit)
	if err != nil {
		return err
	}
	modules := map[string]string{}
	for entry := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		about, name, _ := strings.Cut(entry, "\t") // "100644 blob <hash> <size>"
		fields := strings.Fields(about)
		name = at + name
		if len(fields) != 4 || !isUsable(name) || c.entries[name] != nil {
			continue
		}
		e := &commitEntry{name: path.Base(name), mode: 0o644, object: fields[2], in: from}
		e.size, _ = strconv.ParseInt(fields[3], 10, 64) // an object that is missing has none
		switch fields[0] {
		case gitModule:
			c.addDir(name)
			modules[name] = fields[2]
			continue
		case gitLink:
			e.mode = fs.ModeSymlink | 0o777
		case gitProgram:
			e.mode = 0o755
			fallthrough
		default:
			if !isChanged(name) {
				e.same = filepath.Join(dir, filepath.FromSlash(name[len(at):]))
			}
		}
		c.put(name, e)
	}
	if c.entries[at+".gitmodules"] == nil {
		return nil
	}
	for name, commit := range modules {
		sub := filepath.Join(dir, filepath.FromSlash(name[len(at):]))
		if _, err := os.Lstat(filepath.Join(sub, ".git")); err != nil {
			continue
		}
		c.addDir(name + "/.git")
		own := []string{"GIT_DIR=" + filepath.Join(sub, ".git"), "GIT_WORK_TREE=" + sub}
		module := newObjects(sub, own)
		c.ofModules = append(c.ofModules, module)
		// That commit may not have been fetched; then everything in it counts as new.
		c.add(sub, commit, name+"/", module, func(string) bool { return true })
	}
	return nil
}

// isUsable reports whether a path of a commit can be that of a file below a directory. Others are damaged, or hostile.
func isUsable(name string) bool {
	return fs.ValidPath(name) && (filepath.Separator == '/' || filepath.IsLocal(filepath.FromSlash(name)) && !strings.Contains(name, `\`))
}

// entry returns what is at a path.
func (c *commitFiles) entry(op, name string) (*commitEntry, error) {
	if e := c.entries[name]; e != nil {
		return e, nil
	}
	return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
}

// Stat implements [fs.StatFS].
func (c *commitFiles) Stat(name string) (fs.FileInfo, error) { return c.Lstat(name) }

// Lstat implements [fs.ReadLinkFS].
func (c *commitFiles) Lstat(name string) (fs.FileInfo, error) {
	e, err := c.entry("lstat", name)
	if err != nil {
		return nil, err
	}
	return e, nil
}

// ReadDir implements [fs.ReadDirFS].
func (c *commitFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	e, err := c.entry("readdir", name)
	if err == nil && !e.IsDir() {
		err = &fs.PathError{Op: "readdir", Path: name, Err: errors.New("not a directory")}
	}
	if err != nil {
		return nil, err
	}
	return slices.Clone(e.list), nil
}

// ReadLink implements [fs.ReadLinkFS].
func (c *commitFiles) ReadLink(name string) (to string, err error) {
	e, err := c.entry("readlink", name)
	if err != nil {
		return "", err
	}
	if e.mode&fs.ModeSymlink == 0 || e.size > maxLink {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	err = c.read(name, e, func(_ int64, content io.Reader) error {
		text, err := io.ReadAll(content)
		to = string(text)
		return err
	})
	return to, err
}

const (
	maxLink = 64 << 10 // bytes of the target of a symbolic link
	maxHeld = 4 << 20  // bytes of a file that is read into memory
)

// Open implements [fs.FS].
func (c *commitFiles) Open(name string) (file fs.File, err error) {
	e, err := c.entry("open", name)
	if err != nil {
		return nil, err
	}
	if !e.mode.IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if f := e.openSame(); f != nil {
		return f, nil
	}
	err = c.read(name, e, func(size int64, content io.Reader) error {
		if size > maxHeld {
			file, err = c.spill(content)
			return err
		}
		text := make([]byte, size)
		_, err := io.ReadFull(content, text)
		file = &commitFile{bytes.NewReader(text), e}
		return err
	})
	if err != nil {
		return nil, err
	}
	return file, nil
}

// openSame opens the file of the work tree with the same content, or returns nil.
func (e *commitEntry) openSame() fs.File {
	if e.same == "" {
		return nil
	}
	info, err := os.Lstat(e.same)
	if err != nil || !info.Mode().IsRegular() {
		return nil // not checked out
	}
	f, err := os.Open(e.same)
	if err != nil {
		return nil
	}
	return f
}

// read reads the object of an entry, and notes that it could not. What a partial clone leaves out is no
// failure if it is spare.
func (c *commitFiles) read(name string, e *commitEntry, take func(size int64, content io.Reader) error) error {
	err := e.in.blob(e.object, take)
	if err == nil {
		return nil
	}
	isNeeded := !errors.Is(err, errMissing) || !c.isSpare(name)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed == nil && isNeeded {
		c.failed = fmt.Errorf("%q: %w", name, err)
	}
	return &fs.PathError{Op: "open", Path: name, Err: err}
}

// spill returns a temporary file with a content, which is removed when it is closed.
func (c *commitFiles) spill(content io.Reader) (fs.File, error) {
	f, err := os.CreateTemp(c.temp, "")
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(f, content)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		spilled{f}.Close()
		return nil, err
	}
	return spilled{f}, nil
}

// A spilled is a temporary file.
type spilled struct{ *os.File }

// Close removes the file.
func (f spilled) Close() error {
	return errors.Join(f.File.Close(), os.Remove(f.Name()))
}

// A commitFile is an open file of a commit.
type commitFile struct {
	*bytes.Reader
	*commitEntry
}

func (f *commitFile) Stat() (fs.FileInfo, error) { return f.commitEntry, nil }

func (f *commitFile) Size() int64 { return f.commitEntry.Size() } // both have one

func (f *commitFile) Close() error { return nil }
