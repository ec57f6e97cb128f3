package move

import (
	"io/fs"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// heldBelow returns a file that another program keeps from being renamed: the file itself, or one in the
// directory, which cannot be renamed then. It returns "" if there is none.
func heldBelow(name string) (held string) {
	filepath.WalkDir(filepath.FromSlash(name), func(file string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && isHeld(file) {
			held = file
			return fs.SkipAll
		}
		return nil
	})
	return held
}

// isHeld reports whether another program has a file open in a way that keeps it from being renamed or
// replaced. A file that cannot be opened for another reason is not held, as far as known: the rename itself
// says more.
func isHeld(name string) bool {
	p, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return false
	}
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	h, err := windows.CreateFile(p, windows.DELETE, share, nil, windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS|windows.FILE_FLAG_OPEN_REPARSE_POINT, 0)
	if err == nil {
		windows.CloseHandle(h)
	}
	return err == windows.ERROR_SHARING_VIOLATION
}
