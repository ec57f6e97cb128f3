package atomicfile

import (
	"io/fs"
	"os"
)

// Calls are the calls of the system by which this package, and package move, change the disk.
type Calls struct {
	OpenFile func(name string, flag int, mode fs.FileMode) (*os.File, error)
	ReadFile func(name string) ([]byte, error)
	Lstat    func(name string) (fs.FileInfo, error)
	Rename   func(from, to string) error
	Remove   func(name string) error
	Mkdir    func(name string, mode fs.FileMode) error

	Lock  func(f *os.File) (bool, error) // see tryLock
	Stat  func(f *os.File) (fs.FileInfo, error)
	Write func(f *os.File, text []byte) (int, error)
	Copy  func(to *os.File, from string) error // extended attributes
	Chmod func(f *os.File, mode fs.FileMode) error
	Sync  func(f *os.File) error
	Close func(f *os.File) error
}

// System holds the calls in use. Tests replace them to test the failure of each one.
var System = Calls{
	OpenFile: os.OpenFile,
	ReadFile: os.ReadFile,
	Lstat:    os.Lstat,
	Rename:   os.Rename,
	Remove:   os.Remove,
	Mkdir:    os.Mkdir,

	Lock:  tryLock,
	Stat:  (*os.File).Stat,
	Write: (*os.File).Write,
	Copy:  copyAttributes,
	Chmod: (*os.File).Chmod,
	Sync:  (*os.File).Sync,
	Close: (*os.File).Close,
}
