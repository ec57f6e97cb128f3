package atomicfile

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// The name of a temporary file is hidden, so that no run reads it as a document. It holds a
// random number (not the process id: in a container that is often the id of the process
// before, which may have been killed and have left its file), a hash of the name of the
// machine, and a checksum that proves that this package has made the name. While the file is
// in use, it is locked: one of this machine that is not locked was left by a run that was
// killed. Some network file systems keep locks to each machine: one of another machine is
// left only if nothing has been written to it for a day.
const (
	suffix    = ".refract-part"
	dirPrefix = "refract-"
	lockName  = ".lock" // in a temporary directory
	numberLen = 16
	hostLen   = 8
	proofLen  = 12

	abandoned = 24 * time.Hour
)

// CreateTemp creates a temporary file beside dest, which becomes dest when it is renamed. It
// is new, and it is locked until it is closed.
func CreateTemp(dest string, mode os.FileMode) (*os.File, error) {
	for range 100 {
		name := filepath.Join(filepath.Dir(dest), tempName(filepath.Base(dest)))
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY|noFollow, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		} else if err != nil {
			return nil, err
		}
		// Between these two steps another run may take it for one that was left.
		if holds(f, name) {
			return f, nil
		}
		f.Close()
		os.Remove(name)
	}
	return nil, fmt.Errorf("no temporary file could be made in %q", filepath.Dir(dest))
}

// OpenFile is os.OpenFile, but that it does not follow name if that is a symbolic link.
func OpenFile(name string, how int, mode os.FileMode) (*os.File, error) {
	return os.OpenFile(name, how|noFollow, mode)
}

// holds locks f, and reports whether it is still the file of that name. Where there are no
// locks, nobody else removes it.
func holds(f *os.File, name string) bool {
	if locked, err := tryLock(f); err == nil && !locked {
		return false
	}
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(name)
	return err == nil && os.SameFile(mine, there)
}

// tempName returns a temporary name for a file of that name, at most 255 bytes long.
func tempName(base string) string {
	return "." + base[:min(len(base), 190)] + "." + newProof() + suffix
}

// thisHost is a hash of the name of this machine.
var thisHost = sync.OnceValue(func() string {
	name, _ := os.Hostname()
	return hashOf("machine "+name, hostLen)
})

// newProof returns a random number, the machine, and the checksum of both.
func newProof() string {
	text := fmt.Sprintf("%0*x", numberLen, rand.Uint64()) + thisHost()
	return text + hashOf("temporary file "+text, proofLen)
}

// isProven reports whether text ends in what newProof returns, and on which machine.
func isProven(text string) (host string, ok bool) {
	i := len(text) - proofLen
	if i < numberLen+hostLen || hashOf("temporary file "+text[i-numberLen-hostLen:i], proofLen) != text[i:] {
		return "", false
	}
	return text[i-hostLen : i], true
}

// hashOf returns n hexadecimal digits that depend on text.
func hashOf(text string, n int) string {
	sum := sha256.Sum256([]byte("refract " + text))
	return hex.EncodeToString(sum[:])[:n]
}

// swept has the directories that this process has swept.
var swept sync.Map

// sweep removes from a directory the temporary files of runs that were killed: those with a
// proven name that nobody has locked. Where there are no locks, it does nothing.
func sweep(dir string) {
	if _, done := swept.LoadOrStore(dir, true); done {
		return
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		rest, ok := strings.CutSuffix(e.Name(), suffix)
		if ok && e.Type().IsRegular() && e.Name()[0] == '.' && mayBeLeft(e, rest) {
			removeUnlocked(filepath.Join(dir, e.Name()), func(name string) { os.Remove(name) })
		}
	}
}

// mayBeLeft reports whether a proven name is of this machine, or so old that the run is over.
func mayBeLeft(e fs.DirEntry, text string) bool {
	host, ok := isProven(text)
	if !ok || host == thisHost() {
		return ok
	}
	info, err := e.Info()
	return err == nil && time.Since(info.ModTime()) > abandoned
}

// IsTemp reports whether the name of a file is one that CreateTemp has made.
func IsTemp(name string) bool {
	rest, ok := strings.CutSuffix(name, suffix)
	if !ok || filepath.Base(name)[0] != '.' {
		return false
	}
	_, ok = isProven(rest)
	return ok
}

// Sweep removes from the directory of a file the temporary files of runs that were killed.
func Sweep(name string) { sweep(filepath.Dir(Real(name))) }

// removeUnlocked calls remove if nobody has locked the file called name.
func removeUnlocked(name string, remove func(name string)) {
	f, err := os.OpenFile(name, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return
	}
	locked, err := tryLock(f)
	if err != nil || !locked {
		f.Close()
		return
	}
	remove(name) // while it is locked: see holds
	f.Close()
	if runtime.GOOS == "windows" { // where an open file stays
		remove(name)
	}
}

// TempDir makes a directory for temporary files, and removes those that killed runs have
// left. Remove removes it with all that is in it; it may be called several times.
func TempDir() (dir string, remove func(), err error) {
	all := os.TempDir()
	if entries, err := os.ReadDir(all); err == nil {
		for _, e := range entries {
			rest, ok := strings.CutPrefix(e.Name(), dirPrefix)
			if left := filepath.Join(all, e.Name()); ok && e.IsDir() && mayBeLeft(e, rest) {
				removeUnlocked(filepath.Join(left, lockName), func(string) { os.RemoveAll(left) })
			}
		}
	}
	dir = filepath.Join(all, dirPrefix+newProof())
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", nil, err
	}
	lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		os.RemoveAll(dir)
		return "", nil, err
	}
	tryLock(lock)
	return dir, func() { lock.Close(); os.RemoveAll(dir) }, nil
}

// SidePath returns a hidden name beside a file, which is always the same for that file, that
// purpose and those keys, and which nobody else gives to a file.
func SidePath(name, purpose string, keys ...string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "refract %q %q %q", purpose, filepath.Base(name), keys))
	base := filepath.Base(name)
	return filepath.Join(filepath.Dir(name), "."+base[:min(len(base), 200)]+"."+hex.EncodeToString(sum[:])[:24]+"."+purpose)
}
