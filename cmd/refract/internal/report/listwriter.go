package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"example.org/refract/cmd/refract/internal/jsontext"
)

// A listWriter writes JSON whose last value is a long list, without holding the list: begin writes the JSON
// before the list, add an element, and end the rest.
type listWriter struct {
	w           io.Writer
	escapesHTML bool // <, > and &

	buf   bytes.Buffer
	after string
	n     int // elements
}

// begin writes around, a value whose encoding ends with the empty list and after, which begins with "]".
func (l *listWriter) begin(around any, after string) error {
	text, err := l.encode(around)
	if err != nil {
		return err
	}
	before, ok := bytes.CutSuffix(text, []byte("["+after))
	if !ok {
		return errors.New("the list is not at the end")
	}
	_, err = l.w.Write(append(before, '['))
	l.after = after
	return err
}

// add writes an element.
func (l *listWriter) add(element any) error {
	if l.n++; l.n > 1 {
		if _, err := io.WriteString(l.w, ","); err != nil {
			return err
		}
	}
	text, err := l.encode(element)
	if err != nil {
		return err
	}
	_, err = l.w.Write(bytes.TrimSuffix(text, []byte("\n")))
	return err
}

func (l *listWriter) end() error {
	_, err := io.WriteString(l.w, l.after)
	return err
}

// encode returns the JSON of a value, valid until the next call.
func (l *listWriter) encode(v any) ([]byte, error) {
	l.buf.Reset()
	e := json.NewEncoder(&l.buf)
	e.SetEscapeHTML(l.escapesHTML)
	err := e.Encode(v)
	return jsontext.Escape(l.buf.Bytes()), err
}
