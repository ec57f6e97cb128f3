package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrChanged is the cause of an error of Replace about a file that is no longer the one that was
// read.
var ErrChanged = errors.New("the file has changed since it was read")

// ErrLinks is the cause of an error about a file with several hard links: the others would keep the
// old content.
var ErrLinks = errors.New("the file has several hard links")

// Save gives the file called name a new content, which is on the disk when Save returns. After a
// crash at any time, the file has the old content or the new one. It is an error if may rejects the
// file that is there, and if name exists and is not a regular file. Permissions are those of Create.
func Save(name string, text []byte, may Replaceable) error {
	f, err := Create(name, nil, may)
	if err != nil {
		return err
	}
	temp := f.temp
	if temp == "" {
		System.Close(f.file)
		return f.fail(errNotRegular)
	}
	_, err = System.Write(f.file, text)
	if err == nil {
		err = System.Sync(f.file)
	}
	if err != nil {
		System.Close(f.file)
		return errors.Join(f.fail(causeOf(err)), remove(temp))
	}
	err = f.Commit()
	if err != nil {
		return errors.Join(err, remove(temp))
	}
	syncDir(filepath.Dir(f.dest))
	return nil
}

// Replace is like Save, but keeps permissions, owner, group and extended attributes of the file
// called name, and leaves it unchanged if these cannot be kept. was is what os.Stat returned before
// the caller read the file. It is an error if the file has changed since then, is read-only, is not
// regular, or has several hard links. An error names the temporary file if it could not be removed,
// but not the file called name.
func Replace(name string, was fs.FileInfo, text []byte) error {
	Sweep(name)
	temp, err := CreateTemp(name, 0o600)
	if err != nil {
		return causeOf(err)
	}
	err = fill(temp, name, text)
	if err == nil {
		err = isStill(name, was)
	}
	if err == nil {
		err = System.Rename(temp.Name(), name)
	}
	if err != nil {
		return errors.Join(causeOf(err), remove(temp.Name()))
	}
	syncDir(filepath.Dir(name))
	return nil
}

// isStill returns an error unless a file is the one that was read.
func isStill(name string, was fs.FileInfo) error {
	now, err := System.Lstat(name)
	switch {
	case err != nil:
		return err
	case Links(name, now) > 1:
		return ErrLinks
	case !os.SameFile(now, was) || now.Size() != was.Size() || !now.ModTime().Equal(was.ModTime()):
		return ErrChanged
	}
	return nil
}

// Prepare writes text to the file called name, which must be one of the caller's own. It has the
// permissions, owner, group and extended attributes of the file called like, which it is going to
// replace by Rename. It is on the disk when Prepare returns. The conditions are those of Replace.
func Prepare(name, like string, text []byte) error {
	f, err := System.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY|noFollow, 0o600)
	if err != nil {
		return err
	}
	return causeOf(fill(f, like, text))
}

// fill writes text to f, gives f what belongs to the file called like, and closes f.
func fill(f *os.File, like string, text []byte) error {
	_, err := System.Write(f, text)
	if err == nil {
		err = makeLike(f, like)
	}
	if err == nil {
		err = System.Sync(f)
	}
	closeErr := System.Close(f)
	if err == nil {
		err = closeErr
	}
	return err
}

var errNotRegular = errors.New("not a regular file")

// makeLike gives temp the permissions, owner, group and extended attributes of the file called name.
// It is an error if one of these cannot be kept, and if that file must not be replaced.
func makeLike(temp *os.File, name string) error {
	// Renaming needs no permission to write to the file that it replaces, so check that here.
	may, err := System.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer System.Close(may)
	info, err := System.Stat(may)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errNotRegular
	case Links(name, info) > 1:
		return ErrLinks
	}
	chown(temp, info) // before setting permissions, because chown clears some of them
	err = System.Copy(temp, name)
	if err == nil {
		err = System.Chmod(temp, info.Mode())
	}
	if err == nil {
		err = keeps(temp, info)
	}
	return err
}

// Rename renames a file or directory, after it has made the directories of the new name. It makes
// this durable where the system can do so.
func Rename(from, to string) error {
	dir := filepath.Dir(to)
	err := makeDir(dir)
	if err == nil {
		err = System.Rename(from, to)
	}
	if err == nil {
		syncDir(dir)
	}
	if old := filepath.Dir(from); err == nil && old != dir {
		syncDir(old)
	}
	return err
}

// makeDir makes a directory and those above it that are missing.
func makeDir(dir string) error {
	_, err := System.Lstat(dir)
	above := filepath.Dir(dir)
	if !errors.Is(err, fs.ErrNotExist) || above == dir {
		return err
	}
	err = makeDir(above)
	if err == nil {
		err = System.Mkdir(dir, 0o777)
	}
	if err == nil {
		syncDir(above)
	}
	return err
}

// syncDir makes what a directory lists durable, where the system can do that.
func syncDir(dir string) {
	f, err := System.OpenFile(dir, os.O_RDONLY, 0)
	if err == nil {
		System.Sync(f)
		System.Close(f)
	}
}

// remove removes a temporary file, or returns an error that names it.
func remove(temp string) error {
	err := System.Remove(temp)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("the temporary file %q stays: %w", temp, causeOf(err))
}
