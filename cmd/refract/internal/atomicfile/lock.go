package atomicfile

import (
	"errors"
	"io/fs"
	"os"
)

// A Lock prevents other processes from doing the same work. It ends with the process.
type Lock struct {
	file *os.File
	name string
}

// errLocked reports that another process holds a lock.
var errLocked = errors.New("it is in use by another run")

// NewLock acquires the lock represented by the file name, a SidePath. The error is errLocked if
// another process holds it. On file systems without locks, NewLock always succeeds.
func NewLock(name string) (*Lock, error) {
	for range 100 {
		f, err := System.OpenFile(name, os.O_CREATE|os.O_RDWR|noFollow, 0o666)
		if err != nil {
			return nil, causeOf(err)
		}
		if locked, err := System.Lock(f); err == nil && !locked {
			System.Close(f)
			return nil, errLocked
		}
		mine, err := System.Stat(f)
		if err == nil && !mine.Mode().IsRegular() {
			err = errNotRegular
		}
		if err == nil {
			there, lstatErr := System.Lstat(name)
			if lstatErr == nil && os.SameFile(mine, there) {
				return &Lock{f, name}, nil
			}
			err = lstatErr
		}
		System.Close(f)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, causeOf(err)
		}
		// The run that held the lock has just removed it.
	}
	return nil, errLocked
}

// Name returns the name of the lock file.
func (l *Lock) Name() string { return l.name }

// Release releases the lock. A nil Lock is allowed.
func (l *Lock) Release() {
	if l == nil || l.file == nil {
		return
	}
	// Remove it while it is locked: a process that has opened it since then sees that the name is
	// gone.
	System.Remove(l.name)
	System.Close(l.file)
	System.Remove(l.name) // on Windows, an open file cannot be removed
	l.file = nil
}
