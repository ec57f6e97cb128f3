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

// The name of a temporary file is hidden, so that no run reads it as a document. It contains a
// random number, a hash of the machine's name, and a checksum that proves that this package made
// the name. (A process id would not do: in a container, the previous process, which may have been
// killed and have left its file, often had the same one.) A file in use is locked. So if a file of
// this machine is not locked, a killed run has left it. Some network file systems do not share
// locks between machines: a file of another machine counts as left behind only if nothing has been
// written to it for a day.
const (
	suffix    = ".refract-part"
	dirPrefix = "refract-"
	lockName  = ".lock" // in a temporary directory
	numberLen = 16
	hostLen   = 8
	proofLen  = 12

	abandoned = 24 * time.Hour
)

// CreateTemp creates a new temporary file beside dest; the caller renames it to dest. It is locked
// until it is closed.
func CreateTemp(dest string, mode os.FileMode) (*os.File, error) {
	for range 100 {
		name := filepath.Join(filepath.Dir(dest), tempName(filepath.Base(dest)))
		f, err := System.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY|noFollow, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		} else if err != nil {
			return nil, err
		}
		// Between these two steps, another run may mistake it for a file left behind.
		if lockIfSame(f, name) {
			return f, nil
		}
		System.Close(f)
		System.Remove(name)
	}
	return nil, fmt.Errorf("no temporary file could be made in %q", filepath.Dir(dest))
}

// OpenFile is like os.OpenFile, but does not follow name if it is a symbolic link.
func OpenFile(name string, how int, mode os.FileMode) (*os.File, error) {
	return System.OpenFile(name, how|noFollow, mode)
}

// lockIfSame locks f, and reports whether name still refers to it. On systems without locks, no other
// process removes it.
func lockIfSame(f *os.File, name string) bool {
	if locked, err := System.Lock(f); err == nil && !locked {
		return false
	}
	mine, err := System.Stat(f)
	if err != nil {
		return false
	}
	there, err := System.Lstat(name)
	return err == nil && os.SameFile(mine, there)
}

// tempName returns a temporary name for a file called base, at most 255 bytes long.
func tempName(base string) string {
	return "." + base[:min(len(base), 190)] + "." + newProof() + suffix
}

// thisHost returns a hash of the name of this machine.
var thisHost = sync.OnceValue(func() string {
	name, _ := os.Hostname()
	return hashOf("machine "+name, hostLen)
})

// newProof returns a random number, the hash of the machine, and a checksum of both.
func newProof() string {
	text := fmt.Sprintf("%0*x", numberLen, rand.Uint64()) + thisHost()
	return text + hashOf("temporary file "+text, proofLen)
}

// isProven reports whether text ends in a result of newProof, and returns its hash of the machine.
func isProven(text string) (host string, ok bool) {
	i := len(text) - proofLen
	if i < numberLen+hostLen || hashOf("temporary file "+text[i-numberLen-hostLen:i], proofLen) != text[i:] {
		return "", false
	}
	return text[i-hostLen : i], true
}

// hashOf returns n hexadecimal digits of a hash of text.
func hashOf(text string, n int) string {
	sum := sha256.Sum256([]byte("refract " + text))
	return hex.EncodeToString(sum[:])[:n]
}

// swept holds the directories that this process has swept.
var swept sync.Map

// sweep removes temporary files of killed runs from a directory: files with a proven name that no
// process has locked. On systems without locks, it does nothing.
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
			removeUnlocked(filepath.Join(dir, e.Name()), func(name string) { System.Remove(name) })
		}
	}
}

// mayBeLeft reports whether a file with a proven name is of this machine, or is so old that its run
// must be over.
func mayBeLeft(e fs.DirEntry, text string) bool {
	host, ok := isProven(text)
	if !ok || host == thisHost() {
		return ok
	}
	info, err := e.Info()
	return err == nil && time.Since(info.ModTime()) > abandoned
}

// IsTemp reports whether name, a file name, was made by CreateTemp.
func IsTemp(name string) bool {
	rest, ok := strings.CutSuffix(name, suffix)
	if !ok || filepath.Base(name)[0] != '.' {
		return false
	}
	_, ok = isProven(rest)
	return ok
}

// Sweep removes temporary files of killed runs from the directory of a file.
func Sweep(name string) { sweep(filepath.Dir(Real(name))) }

// removeUnlocked calls remove if no process has locked the file called name.
func removeUnlocked(name string, remove func(name string)) {
	f, err := System.OpenFile(name, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return
	}
	locked, err := System.Lock(f)
	if err != nil || !locked {
		System.Close(f)
		return
	}
	remove(name) // while it is locked: see holds
	System.Close(f)
	if runtime.GOOS == "windows" { // an open file cannot be removed there
		remove(name)
	}
}

// TempDir creates a directory for temporary files, and removes those that killed runs have left.
// remove deletes the directory with its contents; it may be called several times.
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
	if err := System.Mkdir(dir, 0o700); err != nil {
		return "", nil, err
	}
	lock, err := System.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		os.RemoveAll(dir)
		return "", nil, err
	}
	System.Lock(lock)
	return dir, func() { lock.Close(); os.RemoveAll(dir) }, nil
}

// SidePath returns a hidden name beside a file. It is always the same for the same file, purpose
// and keys, and no other program uses it.
func SidePath(name, purpose string, keys ...string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "refract %q %q %q", purpose, filepath.Base(name), keys))
	base := filepath.Base(name)
	return filepath.Join(filepath.Dir(name), "."+base[:min(len(base), 200)]+"."+hex.EncodeToString(sum[:])[:24]+"."+purpose)
}
