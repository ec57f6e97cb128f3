package move

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"example.org/refract/cmd/refract/internal/git"
	"example.org/refract/internal/input"
	"example.org/refract/internal/slash"
)

// A diskTree is a directory of the disk in which files are moved.
type diskTree struct {
	Root string // absolute, without symbolic links
	Git  bool   // it is the top directory of a git repository

	began map[string]state // of the files, when the move was begun
}

// A state tells whether a file has changed.
type state struct {
	size     int64
	modified time.Time
	mode     fs.FileMode
}

// recover finishes the move that an interrupted run has begun in the tree. isSame reports whether
// that run had the same arguments, so that there is nothing left to do. found is false if there was
// none.
func (t *diskTree) recover(args []string) (found, isSame bool, err error) {
	if _, err := os.Lstat(filepath.Join(t.Root, journalName)); err != nil {
		return false, false, nil
	}
	j, err := openJournal(t.Root)
	if err != nil {
		return false, false, err
	}
	defer j.close()
	r, err := j.read()
	if r == nil || err != nil {
		return false, false, err
	}
	return true, r.isSame(args), j.finish(r)
}

// Begin records the state of the files that the request moves. Call it before Make.
func (t *diskTree) Begin(r *Request) error {
	t.began = map[string]state{}
	note := func(name string) error {
		info, err := os.Lstat(filepath.FromSlash(name))
		if err == nil {
			t.began[name] = state{info.Size(), info.ModTime(), info.Mode()}
		}
		return err
	}
	for _, m := range r.Renames {
		err := filepath.WalkDir(filepath.FromSlash(m.From), func(name string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return note(slash.Path(name))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// check reports files that have changed since Begin, that an editor has open with changes, or that
// cannot be replaced or renamed.
func (t *diskTree) check(p *Plan) error {
	for name, was := range t.began {
		info, err := os.Lstat(filepath.FromSlash(name))
		if err != nil || (state{info.Size(), info.ModTime(), info.Mode()}) != was {
			return fmt.Errorf("%s has changed since it was read: nothing was moved", name)
		}
		if lock := editorFile(name); lock != "" {
			return fmt.Errorf("%s is open in an editor, or has unsaved changes (%s): nothing was moved", name, lock)
		}
	}
	for i := range p.Files {
		f := &p.Files[i]
		if held := heldBelow(f.Path); held != "" {
			return errHeld(held)
		}
		now, err := os.ReadFile(filepath.FromSlash(f.Path))
		switch {
		case err != nil:
			return err
		case !bytes.Equal(now, f.Old):
			return fmt.Errorf("%s has changed since it was read: nothing was moved", f.Path)
		case !below(f.Path, slash.Path(t.Root)):
			return fmt.Errorf("%s is outside %s: nothing was moved", f.Path, t.Root)
		}
		if real, err := filepath.EvalSymlinks(filepath.FromSlash(f.Path)); err != nil || slash.Path(real) != f.Path {
			return fmt.Errorf("%s is reached through a symbolic link, and would have to change: nothing was moved", f.Path)
		}
		if lock := editorFile(f.Path); lock != "" {
			return fmt.Errorf("%s is open in an editor, or has unsaved changes (%s): nothing was moved", f.Path, lock)
		}
		if !sameDevice(t.Root, filepath.Dir(filepath.FromSlash(f.Path))) {
			return fmt.Errorf("%s is on another file system than %s: nothing was moved", f.Path, t.Root)
		}
	}
	for _, m := range p.Renames {
		if held := heldBelow(m.From); held != "" {
			return errHeld(held)
		}
		if !sameDevice(filepath.Dir(filepath.FromSlash(m.From)), existingDir(filepath.FromSlash(m.To))) {
			return fmt.Errorf("%s is on another file system than %s: nothing was moved", m.To, m.From)
		}
	}
	return nil
}

// existingDir returns the nearest directory above a name that exists.
func existingDir(name string) string {
	dir := filepath.Dir(name)
	for up := filepath.Dir(dir); up != dir && !input.Exists(dir); up = filepath.Dir(dir) {
		dir = up
	}
	return dir
}

// errHeld says that another program keeps a file from being renamed.
func errHeld(name string) error {
	return fmt.Errorf("%s is open in another program: nothing was moved; close it there, and run the command again", name)
}

// editorFile returns the file by which an editor says that it has a document open, or that it holds
// changes that are not saved; "" if there is none.
func editorFile(name string) string {
	dir, base := filepath.Split(filepath.FromSlash(name))
	for _, lock := range []string{"." + base + ".swp", "." + base + ".swo", ".#" + base, "#" + base + "#", ".~lock." + base + "#", "." + base + ".kate-swp"} {
		if _, err := os.Lstat(dir + lock); err == nil {
			return lock
		}
	}
	return ""
}

// apply carries out a plan. Either all of it is done, or nothing is changed. If the process is killed
// after that was decided, recover does the rest.
func (t *diskTree) apply(p *Plan, args []string) (err error) {
	if len(p.Problems) > 0 {
		return errors.New("the plan has problems")
	}
	if err := t.check(p); err != nil {
		return err
	}
	j, err := openJournal(t.Root)
	if err != nil {
		return err
	}
	defer j.close()
	r, err := j.read()
	if r != nil || err != nil {
		return errors.Join(errors.New("another move was interrupted: run the command again"), err)
	}
	r, err = t.record(p, args)
	if err != nil {
		return err
	}
	if err := j.write(r, p.Files); err != nil {
		return fmt.Errorf("nothing was moved: %w", err)
	}
	err = t.check(p)
	if err != nil {
		return errors.Join(err, j.drop())
	}
	err = j.finish(r)
	if err != nil {
		return fmt.Errorf("the move is not complete: %s: %w", nextStep(err, slash.Here()), err)
	}
	return nil
}

// Errors of Windows about a file that another program has open (winerror.h).
const (
	sharingViolation syscall.Errno = 32
	lockViolation    syscall.Errno = 33
)

// nextStep says what to do if a move has stopped because of an error.
func nextStep(err error, s slash.System) string {
	if s == slash.Windows && (errors.Is(err, sharingViolation) || errors.Is(err, lockViolation) || errors.Is(err, fs.ErrPermission)) {
		return "another program may have the file open: close it there, and run the command again to complete it"
	}
	return "run the command again to complete it"
}

// record returns the record of a plan.
func (t *diskTree) record(p *Plan, args []string) (*record, error) {
	r := &record{Version: recordVersion, Git: t.Git}
	for _, arg := range args {
		r.Args = append(r.Args, []byte(arg))
	}
	rel := func(name string) []byte {
		return []byte(strings.TrimPrefix(strings.TrimPrefix(name, slash.Path(t.Root)), "/"))
	}
	for i := range p.Files {
		f := &p.Files[i]
		r.Files = append(r.Files, recordFile{rel(f.Path), sumOf(f.Old), sumOf(f.New)})
	}
	for _, m := range p.Renames {
		if !below(m.From, slash.Path(t.Root)) || !below(m.To, slash.Path(t.Root)) {
			return nil, fmt.Errorf("%s and %s are not both in %s", m.From, m.To, t.Root)
		}
		r.Renames = append(r.Renames, recordRename{rel(m.From), rel(m.To)})
	}
	for _, dir := range p.emptied {
		r.Removed = append(r.Removed, rel(dir))
	}
	return r, nil
}

// followInGit moves the entries of files in the index of a repository, as git mv does. Files that git
// does not track have none. A failure changes nothing but what git shows as renamed.
func followInGit(root string, renames []recordRename) error {
	var input bytes.Buffer
	for _, m := range renames {
		cmd := git.Command(root, nil, "ls-files", "--stage", "-z", "--", ":(top,literal)"+string(m.From))
		out, err := cmd.Output()
		if err != nil {
			return err
		}
		for entry := range strings.SplitSeq(string(out), "\x00") {
			about, name, _ := strings.Cut(entry, "\t") // "100644 <object> 0"
			rest, isBelow := strings.CutPrefix(name, string(m.From))
			if !isBelow {
				continue // the end of the list
			}
			object := strings.Fields(about)[1]
			fmt.Fprintf(&input, "0 %s\t%s\x00", strings.Repeat("0", len(object)), name)
			fmt.Fprintf(&input, "%s\t%s%s\x00", about, m.To, rest)
		}
	}
	cmd := git.Command(root, git.NoFilters(root, nil), "update-index", "-z", "--add", "--index-info")
	cmd.Stdin = &input
	return cmd.Run()
}
