package searchcmd

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"io"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strconv"

	"example.org/refract/cmd/refract/internal/archived"
	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/extract"
	"example.org/refract/internal/input"
	"example.org/refract/internal/order"
)

// damagedHeader begins the list of --damaged.
const damagedHeader = "input,offset,length,url,error\n"

// isDamagedList recognises the list of --damaged by its first bytes.
func isDamagedList(head []byte) bool { return bytes.HasPrefix(head, []byte(damagedHeader)) }

// A damagedList is the list of --damaged: what of the archives is to be fetched again. A nil list takes nothing.
type damagedList struct {
	name string
	file *atomicfile.File // nil until the run begins

	extents map[string][]unread // by the name of the archive, without directories: indexes give that
	count   int                 // of them
}

// An unread is what of an archive cannot be read, or only in part.
type unread struct {
	archive        string // as named
	offset, length int64
	isNamed        bool // its URL is known
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
	l.keep(rows)
	_, err := l.file.Write(rows)
	return err
}

// maxExtents limits the extents for which records are looked up, of about 100 bytes each.
const maxExtents = 1 << 17

// keep notes what is damaged by the rows that say so.
func (l *damagedList) keep(rows []byte) {
	for r := csv.NewReader(bytes.NewReader(rows)); l.count < maxExtents; l.count++ {
		row, err := r.Read()
		if err != nil {
			return
		}
		offset, err := strconv.ParseInt(row[1], 10, 64)
		if err != nil {
			continue
		}
		length, _ := strconv.ParseInt(row[2], 10, 64)
		if l.extents == nil {
			l.extents = map[string][]unread{}
		}
		name := path.Base(filepath.ToSlash(row[0]))
		l.extents[name] = append(l.extents[name], unread{row[0], offset, length, row[3] != ""})
	}
}

// addNamed appends the records that are unread, but that an index names. The list has the URL of others.
func (l *damagedList) addNamed(indexes []string) error {
	for _, list := range l.extents {
		order.Sort(list, func(a, b unread) int { return cmp.Compare(a.offset, b.offset) })
	}
	var err error
	archived.Places(indexes, func(p archived.Place) {
		list := l.extents[path.Base(p.Archive)]
		i := sort.Search(len(list), func(i int) bool { return list[i].offset > p.Offset }) - 1
		if i < 0 || p.Offset >= list[i].offset+list[i].length || p.Offset == list[i].offset && list[i].isNamed {
			return
		}
		row := damagedRow(list[i].archive, &extract.Damage{Offset: p.Offset, Length: p.Length, Target: p.URL}, "unread, named by "+p.Index)
		if err == nil {
			_, err = l.file.Write(appendCSV(nil, row))
		}
	})
	return err
}

// nameDamaged completes the list by the indexes at hand: those of --archived, and those among the inputs.
func (s *search) nameDamaged(args []string) error {
	if s.lost == nil || s.lost.extents == nil {
		return nil
	}
	indexes := slices.Clone(s.archived.Indexes)
	if s.inputs.list != "-" {
		for file, err := range s.inputs.files(args) {
			if err == nil && archived.IsIndex(file.Name) {
				indexes = append(indexes, file.Path)
			}
		}
	}
	slices.Sort(indexes)
	return s.lost.addNamed(slices.Compact(indexes))
}

// add appends a row to b. name is that of the input, with the member of an archive; d is nil if nothing but
// the error is known.
func (l *damagedList) add(b *output.Block, name string, d *extract.Damage, text string) {
	if l == nil {
		return
	}
	row := []string{name, "", "", "", text}
	if d != nil {
		row = damagedRow(name, d, d.Err.Error())
	}
	b.Damaged = appendCSV(b.Damaged, row)
}

func damagedRow(name string, d *extract.Damage, text string) []string {
	return []string{name, strconv.FormatInt(d.Offset, 10), strconv.FormatInt(d.Length, 10), d.Target, text}
}

func appendCSV(dst []byte, row []string) []byte {
	line := bytes.NewBuffer(dst)
	w := csv.NewWriter(line)
	w.Write(row)
	w.Flush()
	return line.Bytes()
}

// damaged counts and reports what of an archive cannot be read.
func (s *search) damaged(b *output.Block, name string, n *extract.Note) {
	b.Errors++
	s.renderer.Damaged(b, name, n)
	shown, _ := b.MemberOf(name, n.Entity)
	s.lost.add(b, shown, n.Damage, n.Text)
}

// fail counts and reports an input that cannot be read, or not to its end: each damaged member outside the
// records that notes have reported.
func (s *search) fail(b *output.Block, name string, err error) {
	var damaged *input.DamagedError
	if !errors.As(err, &damaged) {
		b.Errors++
		s.renderer.Failure(b, name, err, nil)
		s.lost.add(b, name, nil, err.Error())
		return
	}
	for at, err := range damaged.Untold() {
		b.Errors++
		d := &extract.Damage{Offset: at.Offset, Length: at.Length, Err: err}
		s.renderer.Failure(b, name, err, d)
		s.lost.add(b, name, d, "")
	}
}
