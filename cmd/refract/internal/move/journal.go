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
	"strings"

	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/internal/input"
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
	Args    [][]byte // arguments of the command
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
	err := atomicfile.System.Mkdir(j.dir, 0o700)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	j.lock, err = atomicfile.NewLock(filepath.Join(j.dir, lockName))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.dir, err)
	}
	return j, nil
}

// close removes what is in the journal, unless it has a plan that was not completed, or may have one.
func (j *journal) close() {
	defer j.lock.Release()
	_, err := atomicfile.System.Lstat(filepath.Join(j.dir, planName))
	if !errors.Is(err, fs.ErrNotExist) {
		return
	}
	entries, _ := os.ReadDir(j.dir)
	for _, e := range entries {
		_, err := strconv.Atoi(e.Name())
		if err == nil || atomicfile.IsTemp(e.Name()) {
			atomicfile.System.Remove(filepath.Join(j.dir, e.Name()))
		}
	}
	j.lock.Release()
	atomicfile.System.Remove(j.dir)
}

// write writes the texts, and then the plan.
func (j *journal) write(r *record, files []File) error {
	for i := range files {
		err := atomicfile.Prepare(j.text(i), filepath.FromSlash(files[i].Path), files[i].New)
		if err != nil {
			return fmt.Errorf("%s: %w", files[i].Path, err)
		}
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return atomicfile.Save(filepath.Join(j.dir, planName), text, nil)
}

func (j *journal) text(i int) string { return filepath.Join(j.dir, strconv.Itoa(i)) }

// read returns the plan, or nil if there is none.
func (j *journal) read() (*record, error) {
	text, err := atomicfile.System.ReadFile(filepath.Join(j.dir, planName))
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
		err := j.replace(i, &r.Files[i])
		if err != nil {
			return err
		}
	}
	for _, m := range r.Renames {
		err := rename(j.path(m.From), j.path(m.To))
		if err != nil {
			return err
		}
	}
	for _, name := range r.Removed {
		atomicfile.System.Remove(j.path(name)) // unless something has appeared in it
	}
	if r.Git {
		followInGit(j.root, r.Renames)
	}
	return j.drop()
}

// drop removes the plan, so that nothing of it is carried out any more.
func (j *journal) drop() error {
	return atomicfile.System.Remove(filepath.Join(j.dir, planName))
}

// replace replaces the text of a file, unless an earlier run has done so.
func (j *journal) replace(i int, f *recordFile) error {
	_, err := atomicfile.System.Lstat(j.text(i))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	name := j.path(f.Path)
	now, err := atomicfile.System.ReadFile(name)
	switch {
	case err != nil:
		return err
	case !bytes.Equal(sumOf(now), f.Old):
		return fmt.Errorf("%s has changed since the move began: restore it, or remove %s, and move again", name, j.dir)
	}
	return atomicfile.Rename(j.text(i), name)
}

// sumOf returns the SHA-256 of a text.
func sumOf(text []byte) []byte {
	sum := sha256.Sum256(text)
	return sum[:]
}

// rename renames a file or directory, unless an earlier run has done so.
func rename(from, to string) error {
	isLeft, err := hasEntry(from)
	if err != nil {
		return err
	}
	isThere, err := hasEntry(to)
	switch {
	case err != nil:
		return err
	case !isLeft && isThere:
		return nil
	case !isLeft && isCaseOnly(from, to) && input.Exists(to+halfway):
		return atomicfile.Rename(to+halfway, to)
	case !isLeft:
		return fmt.Errorf("%s: %w", from, fs.ErrNotExist)
	case isThere:
		return fmt.Errorf("%s: %w", to, fs.ErrExist)
	}
	err = atomicfile.Rename(from, to)
	if err != nil || !isCaseOnly(from, to) {
		return err
	}
	return recase(from, to)
}

// halfway ends the name that a file has for a moment if only the case of its name changes.
const halfway = ".refract-mv"

// isCaseOnly reports whether two different names are the same where case does not matter.
func isCaseOnly(from, to string) bool { return from != to && strings.EqualFold(from, to) }

// recase verifies that a name has changed its case. Some systems rename a file to itself, and change
// nothing: then recase renames it by way of another name.
func recase(from, to string) error {
	isThere, err := hasEntry(to)
	if isThere || err != nil {
		return err
	}
	if err := atomicfile.Rename(from, to+halfway); err != nil {
		return err
	}
	if err := atomicfile.Rename(to+halfway, to); err != nil {
		return err
	}
	isThere, err = hasEntry(to)
	if err == nil && !isThere {
		err = fmt.Errorf("the file system keeps another spelling of %s", to)
	}
	return err
}

// hasEntry reports whether a directory lists exactly this name. File systems that ignore case find a
// name that differs.
func hasEntry(name string) (bool, error) {
	_, err := atomicfile.System.Lstat(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return false, err
	}
	list, err := os.ReadDir(filepath.Dir(name)) // which may be a directory that may not be listed
	return err != nil || slices.ContainsFunc(list, func(e fs.DirEntry) bool { return e.Name() == filepath.Base(name) }), nil
}

// isSame reports whether a record is about these arguments.
func (r *record) isSame(args []string) bool {
	return slices.EqualFunc(r.Args, args, func(a []byte, b string) bool { return bytes.Equal(a, []byte(b)) })
}
