//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package atomicfile

import (
	"errors"
	"os"
)

const noFollow = 0

// tryLock always fails: this system has no locks.
func tryLock(*os.File) (bool, error) { return false, errors.ErrUnsupported }
