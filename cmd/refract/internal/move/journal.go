package move

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/cmd/refract/internal/fix"
)

// A journal makes a move all or nothing. It is a hidden directory in the tree:
//
//	.refract-mv/lock   held by the process that moves
//	.refract-mv/0, 1   the new texts
//	.refract-mv/plan   what to do; it appears when all texts are there
//
// Before plan exists, nothing in the tree has changed. From then on, each step can be repeated: the
// same process, or the next one, carries out those that are left, and removes the journal.
type journal struct {
	root string
	dir  string
	lock *atomicfile.Lock
}

// journalName is the name of the directory of the journal, in the root of the tree.
const journalName = ".refract-mv"

const (
	planName = "plan"
	lockName = "lock"
)

// A record is the content of plan. All names are relative to the root.
type record struct {
	Version int
	Args    [][]byte // what the command was asked to do
	Files   []recordFile
	Renames []recordRename
	Removed [][]byte // directories that the move leaves empty
	Git     bool     // the index of the repository has to follow
}

type recordFile struct {
	Path     []byte // before the move
	Old, New []byte // SHA-256 of the texts
}

type recordRename struct{ From, To []byte }

const recordVersion = 1

// openJournal creates the journal of a tree, or opens the one that is there.
func openJournal(root string) (*journal, error) {
	j := &journal{root: root, dir: filepath.Join(root, journalName)}
	if err := os.Mkdir(j.dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	var err error
	j.lock, err = atomicfile.NewLock(filepath.Join(j.dir, lockName))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.dir, err)
	}
	return j, nil
}

// close removes what is in the journal, unless it has a plan that was not completed.
func (j *journal) close() {
	if _, err := os.Lstat(filepath.Join(j.dir, planName)); err == nil {
		j.lock.Release()
		return
	}
	entries, _ := os.ReadDir(j.dir)
	for _, e := range entries {
		if _, err := strconv.Atoi(e.Name()); err == nil || e.Name() == planName+".new" {
			os.Remove(filepath.Join(j.dir, e.Name()))
		}
	}
	j.lock.Release()
	os.Remove(j.dir)
}

// write writes the texts, and then the plan.
func (j *journal) write(r *record, files []File) error {
	for i := range files {
		if err := j.writeText(i, &files[i]); err != nil {
			return fmt.Errorf("%s: %w", files[i].Path, err)
		}
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	name := filepath.Join(j.dir, planName)
	f, err := os.OpenFile(name+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	syncDir(j.dir)
	if err := os.Rename(name+".new", name); err != nil {
		return err
	}
	syncDir(j.dir)
	return nil
}

func (j *journal) text(i int) string { return filepath.Join(j.dir, strconv.Itoa(i)) }

func (j *journal) writeText(i int, file *File) error {
	f, err := os.OpenFile(j.text(i), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(file.New)
	if err == nil {
		err = fix.MakeLike(f, filepath.FromSlash(file.Path))
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// syncDir makes what a directory lists durable, where the system can do that.
func syncDir(dir string) {
	if f, err := os.Open(dir); err == nil {
		f.Sync()
		f.Close()
	}
}

// read returns the plan, or nil if there is none.
func (j *journal) read() (*record, error) {
	text, err := os.ReadFile(filepath.Join(j.dir, planName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	r := new(record)
	if err := json.Unmarshal(text, r); err != nil || r.Version != recordVersion {
		return nil, fmt.Errorf("%s was not written by this version of refract", filepath.Join(j.dir, planName))
	}
	return r, nil
}

// path returns the path of a name in a record.
func (j *journal) path(name []byte) string {
	return filepath.Join(j.root, filepath.FromSlash(string(name)))
}

// finish carries out the steps of a record that are left, and removes the plan.
func (j *journal) finish(r *record) error {
	for i := range r.Files {
		if err := j.replace(i, &r.Files[i]); err != nil {
			return err
		}
	}
	for _, m := range r.Renames {
		if err := rename(j.path(m.From), j.path(m.To)); err != nil {
			return err
		}
	}
	for _, name := range r.Removed {
		os.Remove(j.path(name)) // unless something has appeared in it
	}
	if r.Git {
		followInGit(j.root, r.Renames)
	}
	return os.Remove(filepath.Join(j.dir, planName))
}

// replace replaces the text of a file, unless an earlier run has done so.
func (j *journal) replace(i int, f *recordFile) error {
	if _, err := os.Lstat(j.text(i)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	name := j.path(f.Path)
	now, err := os.ReadFile(name)
	switch {
	case err != nil:
		return err
	case !bytes.Equal(sumOf(now), f.Old):
		return fmt.Errorf("%s has changed since the move began: restore it, or remove %s, and move again", name, j.dir)
	}
	if err := os.Rename(j.text(i), name); err != nil {
		return err
	}
	syncDir(filepath.Dir(name))
	return nil
}

// sumOf returns the SHA-256 of a text.
func sumOf(text []byte) []byte {
	sum := sha256.Sum256(text)
	return sum[:]
}

// rename renames a file or directory, unless an earlier run has done so.
func rename(from, to string) error {
	isLeft, isThere := hasEntry(from), hasEntry(to)
	switch {
	case !isLeft && isThere:
		return nil
	case !isLeft:
		return fmt.Errorf("%s: %w", from, fs.ErrNotExist)
	case isThere:
		return fmt.Errorf("%s: %w", to, fs.ErrExist)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	syncDir(filepath.Dir(from))
	syncDir(filepath.Dir(to))
	return nil
}

// hasEntry reports whether a directory lists exactly this name. File systems that ignore case find a
// name that differs.
func hasEntry(name string) bool {
	if _, err := os.Lstat(name); err != nil {
		return false
	}
	list, err := os.ReadDir(filepath.Dir(name))
	if err != nil {
		return true
	}
	return slices.ContainsFunc(list, func(e fs.DirEntry) bool { return e.Name() == filepath.Base(name) })
}

// isSame reports whether a record is about these arguments.
func (r *record) isSame(args []string) bool {
	return slices.EqualFunc(r.Args, args, func(a []byte, b string) bool { return bytes.Equal(a, []byte(b)) })
}
