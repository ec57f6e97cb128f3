package searchcmd

import (
	"errors"
	"fmt"
	"os"

	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/internal/input"
)

// Which files an output may replace:
//
//   - A file that only refract reads (--cache, --checkpoint, --write-baseline, --html, --damaged) is
//     replaced only if it begins like a file of that kind.
//   - -o replaces any file, as ">" does, with two exceptions: a file that the run reads, and a
//     file with a document's suffix (.md, .html, .css and the like, but not .txt) that does not
//     look like output of refract. When the run reads a directory, it skips an earlier output.
//
// Empty files are always replaced.

// errReadAndWritten is the error for an input that the output would replace.
var errReadAndWritten = errors.New("it is also an input, and not an earlier output of refract: give another name, or remove the file")

// A writtenFile is an output of the run.
type writtenFile struct {
	name     string
	info     os.FileInfo // of the file being written; nil unless it is a regular file
	replaced os.FileInfo // the file that will be replaced; nil: the output is new
	isOurs   func(head []byte) bool
}

// identifyOutput notes which files must not be read.
func (s *search) identifyOutput(out sink) {
	s.written = nil
	add := func(out interface{ Stat() (os.FileInfo, bool) }, name string, isOurs func([]byte) bool) {
		f := writtenFile{name: name, isOurs: isOurs}
		if info, ok := out.Stat(); ok {
			f.info = info
		}
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			f.replaced = info
		}
		if f.info != nil || f.replaced != nil {
			s.written = append(s.written, f)
		}
	}
	add(out, s.output, output.IsWritten)
	if s.overview != nil {
		add(s.overview.file, s.overview.name, output.IsPage)
	}
	if s.lost != nil {
		add(s.lost.file, s.lost.name, isDamagedList)
	}
}

// ownOutput reports whether file is one that the run writes, or that it will replace. Such a file must
// not be read: reading it might never end, or it might hold the output of the previous run. An error
// ends the run before anything is lost.
func (s *search) ownOutput(file input.File) (own bool, err error) {
	if s.columns != nil && file.Name != "-" && s.columns.Owns(file.Path) {
		if file.Named {
			err = fmt.Errorf("input %q is also the output", file.Name)
		}
		return true, err
	}
	if len(s.written) == 0 || file.Name == "-" {
		return false, nil
	}
	if !file.Named && atomicfile.IsTemp(file.Path) {
		return true, nil
	}
	info, err := os.Stat(file.Path)
	if err != nil {
		return false, nil // reading it will report the reason
	}
	for i := range s.written {
		own, err = s.written[i].is(file, info)
		if own || err != nil {
			return own, err
		}
	}
	return false, nil
}

// is reports whether f is file, or will replace it. info describes file.
func (f *writtenFile) is(file input.File, info os.FileInfo) (own bool, err error) {
	if f.info != nil && os.SameFile(info, f.info) {
		return true, nil
	}
	if f.replaced == nil || !os.SameFile(info, f.replaced) {
		return false, nil
	}
	if file.Named {
		return true, fmt.Errorf("input %q is also the output", file.Name)
	}
	head, err := atomicfile.Head(file.Path)
	if err == nil && len(head) > 0 && !f.isOurs(head) {
		err = fmt.Errorf("output %q: %w", f.name, errReadAndWritten)
	}
	return true, err
}
