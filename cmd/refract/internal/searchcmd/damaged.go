package searchcmd

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strconv"

	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/extract"
	"example.org/refract/internal/input"
)

// damagedHeader begins the list of --damaged.
const damagedHeader = "input,offset,url,error\n"

// isDamagedList recognises the list of --damaged by its first bytes.
func isDamagedList(head []byte) bool { return bytes.HasPrefix(head, []byte(damagedHeader)) }

// A damagedList is the list of --damaged: what of the archives is to be fetched again. A nil list takes nothing.
type damagedList struct {
	name string
	file *atomicfile.File // nil until the run begins
}

// newDamagedList returns the list for a file; nil if name is "".
func newDamagedList(name string) *damagedList {
	if name == "" {
		return nil
	}
	return &damagedList{name: name}
}

func (l *damagedList) open() (err error) {
	if l == nil {
		return nil
	}
	l.file, err = atomicfile.Create(l.name, io.Discard, isDamagedList)
	if err == nil {
		_, err = io.WriteString(l.file, damagedHeader)
	}
	return err
}

// temp returns the name of the temporary file; "" if there is none.
func (l *damagedList) temp() string {
	if l == nil {
		return ""
	}
	return l.file.Temp()
}

func (l *damagedList) discard() {
	if l != nil {
		l.file.Discard()
	}
}

func (l *damagedList) commit() error {
	if l == nil {
		return nil
	}
	return l.file.Commit()
}

// write writes the rows of a page.
func (l *damagedList) write(rows []byte) error {
	if l == nil || len(rows) == 0 {
		return nil
	}
	_, err := l.file.Write(rows)
	return err
}

// add appends a row to b. name is that of the input, with the member of an archive; d is nil if nothing but the error is known.
func (l *damagedList) add(b *output.Block, name string, d *extract.Damage, text string) {
	if l == nil {
		return
	}
	row := []string{name, "", "", text}
	if d != nil {
		row = []string{name, strconv.FormatInt(d.Offset, 10), d.Target, d.Err.Error()}
	}
	var line bytes.Buffer
	w := csv.NewWriter(&line)
	w.Write(row)
	w.Flush()
	b.Damaged = append(b.Damaged, line.Bytes()...)
}

// damaged counts and reports what of an archive cannot be read.
func (s *search) damaged(b *output.Block, name string, n *extract.Note) {
	b.Errors++
	s.renderer.FailureAt(b, name, n.Entity, n.Pos, "", n.Text)
	shown, _ := b.MemberOf(name, n.Entity)
	s.lost.add(b, shown, n.Damage, n.Text)
}

// fail counts and reports an input that cannot be read, or not to its end: each damaged member that is in no record of which a
// note has told.
func (s *search) fail(b *output.Block, name string, err error) {
	var damaged *input.DamagedError
	if !errors.As(err, &damaged) {
		b.Errors++
		s.renderer.Failure(b, name, err)
		s.lost.add(b, name, nil, err.Error())
		return
	}
	for offset, err := range damaged.Untold() {
		b.Errors++
		s.renderer.Failure(b, name, err)
		s.lost.add(b, name, &extract.Damage{Offset: offset, Err: err}, "")
	}
}
