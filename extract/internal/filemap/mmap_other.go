//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package filemap

import (
	"errors"
	"os"
)

const canMap = false

func mapFile(*os.File, int64, int) ([]byte, error) { return nil, errors.ErrUnsupported }

func unmapFile([]byte) {}
