//go:build !unix

package move

import "path/filepath"

// sameDevice reports whether a file can be renamed from one directory to another, as far as known.
func sameDevice(a, b string) bool { return filepath.VolumeName(a) == filepath.VolumeName(b) }
