package doc

import (
	"bytes"
	"io"
	"io/fs"
	"sync/atomic"

	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/input"
)

// A sourceText is the text of a document. It is kept while the document is checked; afterwards it is read
// again for rare questions.
type sourceText struct {
	File     input.File
	Text     []byte // of a View, in place of the file's; nil means the file's
	tree     tree.Tree
	piped    []byte                 // the beginning of standard input, which cannot be reread
	Bytes    atomic.Pointer[[]byte] // what Source has read; nil if it has not
	IsJudged atomic.Bool            // the document is being checked: Head also keeps the text
}

// open opens the text at its beginning.
func (s *sourceText) open() (io.ReadCloser, error) {
	if s.Text != nil {
		return io.NopCloser(bytes.NewReader(s.Text)), nil
	}
	return input.OpenIn(s.tree, s.File.Path, s.File.Name)
}

// Source returns the text, or its beginning, while the document is checked.
func (s *sourceText) Source() []byte {
	if text := s.Bytes.Load(); text != nil {
		return *text
	}
	text := s.reread()
	s.Bytes.Store(&text)
	return text
}

// Head returns the beginning of the text. Several goroutines may call it, while another checks the
// document.
func (s *sourceText) Head() []byte {
	if text := s.Bytes.Load(); text != nil {
		return *text
	}
	text := s.reread()
	if s.IsJudged.Load() {
		s.Bytes.Store(&text)
		if !s.IsJudged.Load() {
			s.Bytes.Store(nil) // Finish may have come before
		}
	}
	return text
}

// Finish drops the text when the document has been checked.
func (s *sourceText) Finish() {
	s.IsJudged.Store(false)
	s.Bytes.Store(nil)
}

// MaxHead limits how many bytes of a document are reread, for rare questions.
const MaxHead = 1 << 25

// reread reads the beginning of the text again.
func (s *sourceText) reread() []byte {
	if s.File.Path == "-" {
		return s.piped
	}
	r, err := s.open()
	if err != nil {
		return nil
	}
	defer r.Close()
	size := 0
	if f, ok := r.(fs.File); ok {
		if info, err := f.Stat(); err == nil {
			size = int(min(info.Size(), MaxHead))
		}
	}
	b := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead)) // so that it does not grow
	b.ReadFrom(io.LimitReader(r, MaxHead))
	return b.Bytes()
}

// CountLines returns the number of lines of a text file, and -1 for anything else.
func CountLines(t tree.Tree, path string) (n int) {
	if info, err := t.Stat(path); err != nil || !info.Mode().IsRegular() {
		return -1
	}
	f, err := t.Open(path)
	if err != nil {
		return -1
	}
	defer f.Close()
	buf := make([]byte, 64<<10)
	last := byte('\n')
	for {
		k, err := f.Read(buf)
		if bytes.IndexByte(buf[:k], 0) >= 0 {
			return -1
		}
		n += bytes.Count(buf[:k], []byte{'\n'})
		if k > 0 {
			last = buf[k-1]
		}
		switch {
		case err == io.EOF && last != '\n':
			return n + 1
		case err == io.EOF:
			return n
		case err != nil:
			return -1
		}
	}
}
