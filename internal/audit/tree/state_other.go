//go:build !linux

package tree

import (
	"io/fs"
)

// stateOf returns no state: elsewhere, the time of the last change of a file is not available in one way, and
// files are read again.
func stateOf(fs.FileInfo) FileState { return FileState{} }
