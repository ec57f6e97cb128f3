// Package input turns the command's FILE, DIR and - arguments into an ordered stream of files, and opens
// each as a stream of decompressed bytes.
//
// Directories are walked as ripgrep walks them: hidden entries and those that .gitignore, .ignore and
// .rgignore exclude are skipped, symbolic links are not followed, and only regular files are read. None of
// this applies to arguments: a named file is read whatever its name or kind (a pipe, a device, an ignored
// file), and a named link is followed.
//
// Notable divergences from ripgrep:
//
//   - the order is the same on every run: within a directory, names are compared as bytes, as with
//     ripgrep's --sort path;
//   - where git and ripgrep interpret patterns in ignore files differently, git's meaning applies: {a,b} is
//     literal (in -g it means alternatives), and a malformed pattern is skipped silently;
//   - only its name makes a directory hidden, also on Windows.
//
// Mail folders are recognised by their entries. A directory that contains the directories cur, new and tmp
// is a Maildir (maildir(5)). The files in cur and new are messages; those in tmp are still being delivered,
// and are skipped. A hidden directory within a Maildir that has cur or new does not count as hidden, so
// that the folders of Maildir++ are found. A directory that contains .mh_sequences, or a file whose name is
// a number, is an MH folder: there, ",12" is a deleted message, and is skipped (mh-profile(5)). Again,
// named files are always read.
package input

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.org/refract/internal/slash"
)

// A File is one input of the command.
type File struct {
	// Name is the name to display: the argument as given, followed, for a file found in a directory, by the
	// path below it, with forward slashes. Bytes that are not UTF-8 are kept. "-" is standard input.
	Name string
	// Path is what [Open] takes. It differs from Name only on Windows.
	Path string
	// Named reports that an argument names the file, so it was not found in a directory.
	Named bool
	// Type is the media type of the file if its directory determines it: "message/rfc822" in a
	// Maildir, otherwise "". Files of an MH folder or a news spool are recognised by their contents.
	Type string

	// URL is the URL from which the file was retrieved, and Range the part of the file to read, if
	// the caller's list specifies them; otherwise "".
	URL, Range string
}

const message = "message/rfc822"

// Options selects the files of a directory. The zero value selects the same files as ripgrep.
type Options struct {
	Hidden   bool // include entries whose names begin with a dot, .git among them
	NoIgnore bool // disregard ignore files

	// Visible are names of directories that are read although a dot precedes them.
	Visible []string
	// Tracked, if set, reports whether git has a file at an absolute path, or files in a directory, although .gitignore
	// excludes it. What git has is read.
	Tracked func(path string, isDir bool) bool

	// Globs are patterns like those of ripgrep's -g: in gitignore's syntax, with
	// {a,b} added, and relative to Dir. "!" in front excludes; the last match
	// wins. They take precedence over ignore files and Hidden. If at least one
	// includes, files that match none are skipped. They do not apply to named files. On Windows, a
	// backslash in a glob is a separator: "[[]" matches a bracket there.
	Globs []string
	Dir   string // "" is the directory to which arguments are relative
	// GlobUse, if set, notes which of Globs match something. Only one walk at a time may use it.
	GlobUse *GlobUse

	// Tree is the file system to walk; nil is the disk.
	Tree Tree
	// Jobs is how many directories are listed at a time, before the walk reaches them, if it is more than 1.
	// Memory then holds up to 1,024 listings more, and Tree and Tracked are used by several goroutines.
	Jobs int
	// LeftOut, if set, is called with the name of each mail folder that is skipped because it is
	// hidden, in the order of the files. A mail folder is a directory that contains cur or new.
	LeftOut func(name string)

	// Link, if set, is called with the name and the path of each symbolic link in a directory that is neither
	// hidden nor ignored, in the order of the files. Links are not followed.
	Link func(name, path string)

	// Inbox, if set, is called with the name of each git repository of a public-inbox, and its version,
	// 1 or 2, in the order of the files. The files in it are not read then.
	Inbox func(name string, version int)
	// Real says that arguments are opened by their names without symbolic links. It requires From.
	Real bool
	// From is the absolute path of the directory to which relative arguments are relative; "" is the
	// working directory of the process.
	From string
}

// tree returns the file system to walk.
func (o *Options) tree() Tree {
	if o.Tree == nil {
		return Disk{}
	}
	return o.Tree
}

// Files yields the files that args name, in the order of args; the files of a directory are in byte
// order of their names. For an argument or entry that cannot be read, it yields a File with its
// Name, and an error that quotes it, and continues. For an ignore file that cannot be used, the
// File is its directory, and the error quotes the ignore file. A malformed glob yields an error,
// and no file.
//
// Memory holds one listing for each directory on the path to the current file. A directory whose path has more than
// 16 KiB is an error.
func (o *Options) Files(args []string) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		w := walker{Options: o, tree: o.tree(), yield: yield}
		for _, g := range o.Globs {
			r, err := parseGlob(withSlashes(g, slash.Here()))
			if err != nil {
				yield(File{}, fmt.Errorf("input: glob %q: %w", g, err))
				return
			}
			w.globs = append(w.globs, r...)
			o.GlobUse.add(g, r)
		}
		for _, arg := range args {
			if !w.arg(arg) {
				return
			}
		}
	}
}

type walker struct {
	*Options
	tree  Tree
	yield func(File, error) bool
	globs rules // keep and ignore are exchanged: see parseGlob
	cwd   string

	scouts *scouts // nil if the walk is alone
}

// arg yields the files that one argument names, and reports whether to continue.
func (w *walker) arg(arg string) bool {
	f := File{Name: filepath.ToSlash(arg), Path: arg, Named: true}
	if arg == "-" {
		return w.yield(f, nil)
	}
	if w.From != "" {
		f.Path = Join(w.From, arg)
	}
	if w.Real {
		real, err := w.tree.Real(f.Path)
		if err != nil {
			return w.fail(f.Name, err)
		}
		f.Path = real
	}
	info, err := w.tree.Stat(f.Path)
	if err != nil {
		return w.fail(f.Name, err)
	}
	if !info.IsDir() {
		if info.Mode().IsRegular() && w.isDelivered(filepath.Dir(f.Path)) {
			f.Type = message
		}
		return w.yield(f, nil)
	}
	d := dir{name: strings.TrimSuffix(f.Name, "/") + "/"}
	d.path = filepath.FromSlash(d.name)
	if w.From != "" {
		d.path = strings.TrimSuffix(f.Path, "/") + "/"
	}
	if w.isDelivered(f.Path) {
		d.typ = message
	}
	if w.needsAbs() {
		if d.abs, err = w.real(f.Path); err != nil {
			return w.fail(f.Name, err)
		}
		cwd := cmp.Or(w.Dir, w.From, ".")
		if w.cwd, err = w.real(Join(w.From, cwd)); err != nil {
			return w.fail(cwd, err)
		}
		if d.level, err = w.above(d.abs); err != nil && !w.yield(f, err) {
			return false
		}
	}
	if w.Jobs > 1 {
		w.scouts = newScouts(w, w.Jobs)
		defer w.scouts.close()
	}
	return w.walk(&sight{dir: d})
}

func (w *walker) needsAbs() bool { return !w.NoIgnore || len(w.globs) > 0 }

// A dir is a directory on the path to the current file. The three spellings of its path all end in
// a separator.
type dir struct {
	name  string // as shown
	path  string // to open
	abs   string // absolute and without symbolic links, with forward slashes; see needsAbs
	level *level // the ignore files above it
	typ   string // media type of the files in it

	folder  bool // it is a folder of a Maildir
	tracked bool // .gitignore excludes it: only what git has is read
}

// maxPath limits the length in bytes of the path of a directory: a file system of a program may nest directories
// without end. No operating system opens longer ones from Go, except Windows.
const maxPath = 16 << 10

var errTooDeep = fmt.Errorf("a path of more than %d bytes is not read", maxPath)

// walk yields the files below a directory, and reports whether to continue. It does not follow symbolic
// links, so loops are impossible.
func (w *walker) walk(at *sight) bool {
	if len(at.path) > maxPath {
		return w.fail(strings.TrimSuffix(at.name, "/"), errTooDeep)
	}
	if w.scouts != nil {
		w.scouts.reach(at)
	} else {
		w.see(at)
	}
	d := at.dir
	if at.err != nil && !w.fail(strings.TrimSuffix(d.name, "/"), at.err) || at.levelErr != nil && !w.yield(File{Name: strings.TrimSuffix(d.name, "/")}, at.levelErr) {
		return false
	}
	if version := w.inbox(d, at.entries); version > 0 {
		w.Inbox(strings.TrimSuffix(d.name, "/"), version)
		return true
	}
	for _, e := range at.entries {
		typ, name := e.Type(), e.Name()
		if typ&fs.ModeSymlink != 0 && w.Link != nil && !w.skip(d, name, false, false) {
			w.Link(d.name+name, d.path+name)
		}
		switch {
		case !typ.IsRegular() && !typ.IsDir() || at.isPending(name):
		case typ.IsDir():
			sub := w.next(at, name)
			if sub == nil {
				w.reportFolder(d, e)
			} else if !w.walk(sub) {
				return false
			}
		case !w.skip(d, name, false, false):
			f := File{Name: d.name + name, Type: d.typ}
			f.Path = f.Name
			if !w.samePath() {
				f.Path = d.path + name
			}
			if !w.yield(f, nil) {
				return false
			}
		}
	}
	at.entries, at.subs = nil, nil // scouts may still hold it
	return true
}

// isPending reports whether an entry is a message or directory of messages that are not delivered yet, or deleted.
func (at *sight) isPending(name string) bool {
	return at.maildir && name == "tmp" || at.mh && name[0] == ',' && number(name[1:])
}

// enter returns the directory for an entry that is one, or nil if the walk leaves it out.
func (w *walker) enter(at *sight, name string) *sight {
	d := at.dir
	folder := at.maildir && name[0] == '.' && w.isFolder(d.path+name)
	if w.skip(d, name, true, folder) {
		return nil
	}
	sub := dir{name: d.name + name + "/", level: d.level, folder: folder}
	sub.tracked = d.tracked || w.Tracked != nil && d.level.match(d.abs+name, true) == ignore
	sub.path = sub.name
	if !w.samePath() {
		sub.path = d.path + name + d.path[len(d.path)-1:]
	}
	if d.abs != "" {
		sub.abs = d.abs + name + "/"
	}
	if at.maildir && (name == "cur" || name == "new") {
		sub.typ = message
	}
	return &sight{dir: sub}
}

// reportFolder reports an entry of d that was skipped, if it looks like a mail folder and was
// skipped only because it is hidden.
func (w *walker) reportFolder(d dir, e fs.DirEntry) {
	if w.LeftOut == nil || w.Hidden || len(w.globs) > 0 || !e.IsDir() || e.Name()[0] != '.' {
		return
	}
	for _, part := range []string{"/cur", "/new"} {
		if info, err := w.tree.Lstat(d.path + e.Name() + part); err == nil && info.IsDir() {
			w.LeftOut(d.name + e.Name())
			return
		}
	}
}

// samePath reports whether a displayed name can be opened as it is. Then Name and Path share
// memory.
func (w *walker) samePath() bool { return filepath.Separator == '/' && w.From == "" }

// skip reports whether to skip an entry of d. The globs decide first, then the ignore files, then
// the leading dot, unless it is that of a mail folder. A rule that keeps a file keeps it even if it
// is hidden.
func (w *walker) skip(d dir, name string, isDir, folder bool) bool {
	hidden := name[0] == '.' && !w.Hidden && !folder && !(isDir && slices.Contains(w.Visible, name))
	if len(w.globs) == 0 && d.level == nil {
		return hidden
	}
	abs := d.abs + name
	if len(w.globs) > 0 {
		rel := strings.TrimPrefix(abs, w.cwd)
		w.GlobUse.note(rel, isDir)
		switch v := w.globs.match(rel, isDir); {
		case v == keep:
			return true
		case v == ignore:
			return false
		case !isDir && w.globs.has(ignore):
			return true
		}
	}
	if d.tracked {
		return hidden || d.level.own(abs, isDir) == ignore || !w.Tracked(abs, isDir)
	}
	switch d.level.match(abs, isDir) {
	case ignore:
		return hidden || w.Tracked == nil || d.level.own(abs, isDir) == ignore || !w.Tracked(abs, isDir)
	case keep:
		return false
	}
	return hidden
}

// shape reports whether a directory is a Maildir or an MH folder, judging by its entries.
func shape(entries []fs.DirEntry) (maildir, mh bool) {
	parts := 0
	for _, e := range entries {
		switch name := e.Name(); {
		case name == "cur" || name == "new" || name == "tmp":
			if e.IsDir() {
				parts++
			}
		case name == ".mh_sequences" || number(name):
			mh = mh || e.Type().IsRegular()
		}
	}
	return parts == 3, mh
}

// inbox returns the version of the public-inbox that the git repository d belongs to; 0 if it is none,
// or nobody asks for it. In version 2, the repository is one of git/0.git, git/1.git and so on
// (public-inbox-v2-format(5)); in version 1, it contains the index.
func (w *walker) inbox(d dir, entries []fs.DirEntry) (version int) {
	if w.Inbox == nil {
		return 0
	}
	parts := 0
	for _, e := range entries {
		switch e.Name() {
		case "HEAD":
			if e.Type().IsRegular() {
				parts++
			}
		case "objects", "refs":
			if e.IsDir() {
				parts++
			}
		case "public-inbox", "ssoma.index":
			version = 1
		}
	}
	if parts < 3 {
		return 0
	}
	full, err := abs(d.path)
	if err != nil {
		return version
	}
	full = slash.Path(full)
	if epoch, ok := strings.CutSuffix(path.Base(full), ".git"); ok && number(epoch) && path.Base(path.Dir(full)) == "git" {
		return 2
	}
	return version
}

// isFolder reports whether a hidden directory of a Maildir is a folder: whether it has a directory cur
// or new, and no files of these names. Copies often lack the directories that were empty.
func (w *walker) isFolder(path string) bool {
	is := false
	for _, part := range []string{"cur", "new", "tmp"} {
		info, err := w.tree.Lstat(strings.TrimSuffix(path, "/") + "/" + part)
		switch {
		case err != nil:
		case !info.IsDir():
			return false
		default:
			is = is || part != "tmp"
		}
	}
	return is
}

func (w *walker) isMaildir(path string) bool {
	for _, part := range []string{"cur", "new", "tmp"} {
		if info, err := w.tree.Lstat(strings.TrimSuffix(path, "/") + "/" + part); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// isDelivered reports whether a directory that an argument names is cur or new of a
// Maildir.
func (w *walker) isDelivered(dir string) bool {
	dir, err := abs(dir)
	name := filepath.Base(dir)
	return err == nil && (name == "cur" || name == "new") && w.isMaildir(filepath.Dir(dir))
}

// abs is like filepath.Abs, also for names in a Tree.
func abs(name string) (string, error) {
	name = slash.Path(name)
	if path.IsAbs(name) {
		return path.Clean(name), nil
	}
	return filepath.Abs(name)
}

func number(name string) bool {
	for i := range len(name) {
		if name[i] < '0' || '9' < name[i] {
			return false
		}
	}
	return name != ""
}

// fail yields err for name, and reports whether to continue.
func (w *walker) fail(name string, err error) bool {
	return w.yield(File{Name: name}, failure(name, err))
}

// failure returns err in the form of this package's errors. It removes the path that errors of the
// operating system repeat. errors.Is still finds the cause.
func failure(name string, err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return fmt.Errorf("input: %q: %w", name, err)
}

// real returns the absolute path of a directory, with symbolic links resolved, forward slashes, and
// one at the end.
func (w *walker) real(dir string) (string, error) {
	p, err := abs(dir)
	if err == nil {
		p, err = w.tree.Real(p)
	}
	return strings.TrimSuffix(slash.Path(p), "/") + "/", err
}
