package atomicfile

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

const noFollow = 0

// tryLock locks f until it is closed. It returns false if another process has locked it, and an
// error if the file system has no locks. It locks a single byte far beyond the end, because on
// Windows other processes cannot read or write a locked range.
func tryLock(f *os.File) (bool, error) {
	at := windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}
