//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package atomicfile

import (
	"errors"
	"os"
)

const noFollow = 0

// tryLock says that there are no locks.
func tryLock(*os.File) (bool, error) { return false, errors.ErrUnsupported }
