package input

import (
	"bytes"
	"io"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// UTF8 returns a reader of a list as UTF-8: PowerShell writes UTF-16 with a byte order mark, and UTF-8 with
// one. A list without a mark is read as it is. It waits for no more than the first byte if that begins no
// mark.
func UTF8(r io.Reader) io.Reader { return &textReader{r: r} }

type textReader struct {
	r     io.Reader
	begun bool
}

func (t *textReader) Read(p []byte) (int, error) {
	if t.begun || len(p) == 0 {
		return t.r.Read(p)
	}
	head := make([]byte, 512)
	n, err := t.r.Read(head)
	if n == 0 {
		return 0, err
	}
	t.begun = true
	t.r = io.MultiReader(bytes.NewReader(head[:n]), &endReader{t.r, err})
	if head[0] >= 0xef { // EF BB BF, FE FF, FF FE
		t.r = transform.NewReader(t.r, unicode.BOMOverride(encoding.Nop.NewDecoder()))
	}
	return t.r.Read(p)
}

// An endReader reads r, unless err is an error that r has already returned.
type endReader struct {
	r   io.Reader
	err error
}

func (e *endReader) Read(p []byte) (int, error) {
	if e.err != nil {
		return 0, e.err
	}
	return e.r.Read(p)
}
