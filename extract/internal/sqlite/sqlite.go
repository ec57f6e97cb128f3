// Package sqlite scans SQLite databases for text. It yields each value of a table that may contain a
// reference, as an entity that is named after its table, row and column ("moz_places.17.url"). Scanned as
// it lies in the file, a text would run into the value after it.
//
// It reads the tables of the current state of the file, by their b-trees: not deleted rows, and not the
// changes in a write-ahead log or rollback journal beside the file. Indexes only repeat the tables.
//
// Source: https://www.sqlite.org/fileformat2.html, whose sections the comments name.
//
//	sqlite.go  Scanner: values
//	tree.go    pages, b-trees, records
//	schema.go  names of tables and columns
package sqlite

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"
	"strconv"

	"example.org/refract/delimit"
	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/internal/undo"
	"example.org/refract/extract/scan"
)

// Type is the media type of SQLite databases.
const Type = "application/vnd.sqlite3"

const magic = "SQLite format 3\x00"

// Is reports whether a file that begins with head is a SQLite database.
func Is(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }

// A Scanner scans one database. The zero Scanner has the defaults. It may be reused, but several goroutines
// must not use it at once.
type Scanner struct {
	Rules delimit.Rules // of references in text

	item   scan.Item
	more   scan.More
	m      scan.Map
	finder delimit.Finder
}

// Scan yields a Body for each text that may contain a reference, table by table and row by row, and Notes
// about unread parts. Every input is valid. The time is linear in len(src): each page is read once. The
// memory is that of the largest value, and a few bytes for each page.
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		r := &reader{s: s, yield: yield}
		s.finder.Rules = s.Rules
		if !r.open(src) {
			r.note(scan.CodeMalformed, "", "a SQLite database with an invalid header: not read")
			return
		}
		r.database()
		s.item, s.more = scan.Item{}, scan.More{}
		s.m.Reset()
	}
}

// A reader reads one database.
type reader struct {
	s       *Scanner
	yield   func(*scan.Item) bool
	stopped bool // yield returned false

	file
	charset string // of texts; "" is UTF-8
	table   *table

	// Reused memory: a record, and a payload that continues on other pages.
	values  []value
	payload []byte
}

// open reads the header of the database (1.3).
func (r *reader) open(src []byte) bool {
	if len(src) < 100 || !Is(src) {
		return false
	}
	size := int(binary.BigEndian.Uint16(src[16:]))
	if size == 1 {
		size = 1 << 16
	}
	usable := size - int(src[20])
	if size < 512 || size&(size-1) != 0 || usable < 480 {
		return false
	}
	r.file = file{src: src, size: size, usable: usable, seen: make([]bool, (len(src)+size-1)/size+1)}
	switch binary.BigEndian.Uint32(src[56:]) {
	case 2:
		r.charset = "utf-16le"
	case 3:
		r.charset = "utf-16be"
	}
	return true
}

func (r *reader) database() {
	if r.src[18] == 2 { // 4.1
		r.note(scan.CodePartial, "", "a SQLite database with a write-ahead log: changes that are only in the log, a file whose name ends in -wal, are not read")
	}
	schema := &table{name: "sqlite_schema", root: 1, columns: []string{"type", "name", "tbl_name", "rootpage", "sql"}}
	var tables []*table
	r.table = schema
	r.walk(schema.root, 0, func(rowid int64, record []value) {
		r.row(rowid, record)
		if t := r.tableOf(record); t != nil {
			tables = append(tables, t)
		}
	})
	for _, t := range tables {
		if r.stopped {
			return
		}
		r.table = t
		r.walk(t.root, 0, r.row)
		r.noteBlobs(t)
	}
	switch {
	case r.stopped:
	case r.isShort:
		r.note(scan.CodePartial, "", "the SQLite database has pages beyond the end of the file: not read")
	case r.isDamaged:
		r.note(scan.CodeMalformed, "", "the SQLite database is damaged: some pages or rows are not read")
	}
}

// row yields the values of a row.
func (r *reader) row(rowid int64, record []value) {
	for i := range record {
		v := &record[i]
		if r.stopped {
			return
		}
		if len(v.data) == 0 {
			continue
		}
		if v.isText {
			r.text(rowid, i, v, r.charset)
			continue
		}
		head := v.data[:min(len(v.data), 1024)]
		if mediatype.LooksBinary(head) || bytes.IndexByte(head, 0) >= 0 {
			r.table.countBlob(i)
			continue
		}
		r.text(rowid, i, v, "")
	}
}

// text yields a value if a reference may be in it.
func (r *reader) text(rowid int64, column int, v *value, charset string) {
	s := r.s
	if charset == "" && !s.finder.May(v.data) {
		return
	}
	it := &s.item
	s.more = scan.More{Charset: charset, IsValue: true}
	if charset == "" {
		s.more.Charset = "utf-8"
	}
	*it = scan.Item{
		Op: scan.Body, Type: mediatype.Text, Name: r.table.name + "." + strconv.FormatInt(rowid, 10) + "." + r.table.column(column),
		Span: v.at, Value: v.data, More: &s.more,
	}
	plain := v.data
	if charset != "" && (bytes.IndexByte(plain[:min(len(plain), 2)], '{') >= 0 || bytes.IndexByte(plain[:min(len(plain), 2)], '[') >= 0) {
		plain = bytes.ReplaceAll(plain, []byte{0}, nil)
	}
	if undo.IsJSON(plain) {
		it.Type = "application/json"
	}
	if n := v.at.End - v.at.Start; n != len(v.data) { // it continues on other pages
		s.m.Reset()
		s.m.AddStateful(len(v.data), v.at.Start, len(v.data), n) // the bytes of the span are not all of them
		it.Map, s.more.Packed = &s.m, true
	}
	r.pass()
}

// noteBlobs counts values of a table that are not text.
func (r *reader) noteBlobs(t *table) {
	for i, n := range t.blobs {
		if n > 0 && !r.stopped {
			r.note(scan.CodeUnreadType, "BLOB", fmt.Sprintf("%d BLOBs in column %s of table %s: not read", n, t.column(i), t.name))
		}
	}
}

func (r *reader) note(code scan.Code, kind, text string) {
	r.s.item = scan.Item{Op: scan.Note, Code: code, Type: kind, Text: text}
	r.pass()
}

func (r *reader) pass() {
	if !r.stopped && !r.yield(&r.s.item) {
		r.stopped = true
	}
}
