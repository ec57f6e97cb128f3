package atomicfile

import (
	"errors"
	"io/fs"
	"os"
)

// A Lock keeps other processes from the same work. It ends with the process.
type Lock struct {
	file *os.File
	name string
}

// ErrLocked says that another process holds a lock.
var ErrLocked = errors.New("it is in use by another run")

// NewLock takes the lock that is a file called name, a SidePath. The error is ErrLocked if
// another process has it. On file systems without locks, every process gets it.
func NewLock(name string) (*Lock, error) {
	for range 100 {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR|noFollow, 0o666)
		if err != nil {
			return nil, causeOf(err)
		}
		if locked, err := tryLock(f); err == nil && !locked {
			f.Close()
			return nil, ErrLocked
		}
		mine, err := f.Stat()
		if err == nil && mine.Mode().IsRegular() {
			there, err := os.Lstat(name)
			if err == nil && os.SameFile(mine, there) {
				return &Lock{f, name}, nil
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				f.Close()
				return nil, causeOf(err)
			}
		}
		f.Close() // the run that had the lock has just removed it
	}
	return nil, ErrLocked
}

// Name returns the name of the lock's file.
func (l *Lock) Name() string { return l.name }

// Release gives the lock back. A nil Lock has none.
func (l *Lock) Release() {
	if l == nil || l.file == nil {
		return
	}
	// Removed while it is locked: whoever has opened it since sees that the name is gone.
	os.Remove(l.name)
	l.file.Close()
	os.Remove(l.name) // on Windows, where an open file stays
	l.file = nil
}
