//go:build !nocolumns

package output

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/columnar"
)

const (
	// A batch of Arrow and a row group of Parquet end when they have these sizes in memory. A row group takes
	// its size, and up to as much again for the growth of its columns and for the page that is being
	// compressed, or for its rows in order.
	arrowBatch   = 4 << 20
	parquetGroup = 16 << 20

	// arrowRows also limits a batch: programs that read the stream handle a batch at a time.
	arrowRows = 64 << 10

	// ColumnMemory limits what --format arrow and --parquet add to the memory of a run.
	ColumnMemory = 64 << 20

	// spoolSize is the size from which batches of notes and errors wait in a file.
	spoolSize = 1 << 20
)

// NewColumns returns the output for --format arrow, or for --parquet with a path, or nil. sortBy is one of
// SortKeys, or "". memory limits the bytes of the rows that are sorted in memory.
func NewColumns(arrow bool, parquet string, fileSize int64, sortBy string, memory int64, references layout) (ColumnOutput, error) {
	schemas := schemasOf(references)
	switch {
	case arrow:
		return newArrowOutput(schemas), nil
	case parquet != "":
		return newParquetOutput(parquet, fileSize, sortBy, memory, schemas), nil
	}
	return nil, nil
}

// metadataOf returns the metadata of a table.
func metadataOf(s *columnar.Schema) [][2]string {
	return [][2]string{{"refract.table", s.Table}, {"refract.schema", columnVersion}}
}

// tableBatches holds a batch for each table.
type tableBatches [tables]*columnar.Batch

func newTableBatches(schemas [tables]*columnar.Schema) (b tableBatches) {
	for i, s := range schemas {
		b[i] = columnar.NewBatch(s)
	}
	return b
}

// add appends rows. It calls full for each batch that has reached a size or number of rows.
func (b *tableBatches) add(rows []byte, size, most int, full func(table int) error) error {
	for len(rows) > 0 {
		table := int(rows[0])
		batch := b[table]
		rows = batch.Append(rows[1:])
		if batch.Size() >= size || batch.Rows() >= most {
			if err := full(table); err != nil {
				return err
			}
			batch.Reset()
		}
	}
	return nil
}

// An arrowOutput writes the tables as streams of Arrow IPC, one after the other. Notes and errors
// wait until the stream of references has ended.
type arrowOutput struct {
	batches tableBatches
	streams [tables]*columnar.Arrow
	spools  [tables]*spool // nil for references
	out     io.Writer
	schemas [tables]*columnar.Schema
}

func newArrowOutput(schemas [tables]*columnar.Schema) *arrowOutput {
	return &arrowOutput{batches: newTableBatches(schemas), schemas: schemas}
}

func (a *arrowOutput) Begin(stdout io.Writer) error {
	a.out = stdout
	for i, s := range a.schemas {
		w := stdout
		if i != tableReferences {
			a.spools[i] = new(spool)
			w = a.spools[i]
		}
		a.streams[i] = columnar.NewArrow(w, s, metadataOf(s))
	}
	return nil
}

func (a *arrowOutput) Write(rows []byte) (int, error) {
	err := a.batches.add(rows, arrowBatch, arrowRows, func(table int) error { return a.streams[table].Write(a.batches[table]) })
	return len(rows), err
}

func (a *arrowOutput) End(*Counts) error {
	for i, stream := range a.streams {
		if err := errors.Join(stream.Write(a.batches[i]), stream.Close()); err != nil {
			return err
		}
		if a.spools[i] != nil {
			if err := a.spools[i].copyTo(a.out); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *arrowOutput) Commit() error { return nil }

func (a *arrowOutput) Temps() []string { return nil }

func (a *arrowOutput) Owns(string) bool { return false }

func (a *arrowOutput) Discard() {
	for _, s := range a.spools {
		s.discard()
	}
}

// A spool keeps bytes in memory or, from spoolSize on, in a file.
type spool struct {
	buf    bytes.Buffer
	file   *os.File
	remove func()
}

func (s *spool) Write(p []byte) (int, error) {
	if s.file == nil && s.buf.Len()+len(p) > spoolSize {
		dir, remove, err := atomicfile.TempDir()
		if err != nil {
			return 0, err
		}
		s.remove = remove
		s.file, err = os.Create(filepath.Join(dir, "rows"))
		if err != nil {
			return 0, err
		}
		if _, err := s.buf.WriteTo(s.file); err != nil {
			return 0, err
		}
	}
	if s.file != nil {
		return s.file.Write(p)
	}
	return s.buf.Write(p)
}

func (s *spool) copyTo(w io.Writer) error {
	if s.file == nil {
		_, err := s.buf.WriteTo(w)
		return err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(w, s.file)
	return err
}

func (s *spool) discard() {
	if s == nil || s.remove == nil {
		return
	}
	if s.file != nil {
		s.file.Close()
	}
	s.remove()
}

// A parquetOutput writes the tables as Parquet files.
type parquetOutput struct {
	path     string
	fileSize int64
	sortBy   string     // --sort-by
	sorter   *rowSorter // of the references; nil: they are written in the order of the input
	isFile   bool
	batches  tableBatches
	files    [tables]parquetFiles

	// Of a directory: it is filled under a temporary name.
	lock  *atomicfile.Lock
	stage string
}

// parquetFiles are the files of a table.
type parquetFiles struct {
	schema *columnar.Schema
	w      *columnar.Parquet // nil: no file is open
	buffer *bufio.Writer
	out    *atomicfile.File // with isFile
	part   *os.File         // otherwise
	done   []parquetFile
}

// A parquetFile is a complete file, as the summary of a directory lists it.
type parquetFile struct {
	Name  string `json:"name"` // in the directory, with slashes
	Rows  int64  `json:"rows"`
	Bytes int64  `json:"bytes"`
}

func newParquetOutput(path string, fileSize int64, sortBy string, memory int64, schemas [tables]*columnar.Schema) *parquetOutput {
	p := &parquetOutput{path: path, fileSize: fileSize, sortBy: sortBy, isFile: IsParquetFile(path), batches: newTableBatches(schemas)}
	for i, s := range schemas {
		p.files[i].schema = s
	}
	if sortBy != "" {
		p.sorter = newRowSorter(schemas[tableReferences], sortBy, memory)
	}
	return p
}

// summaryName is the file of a directory that lists the others. Its first bytes identify the
// directory as an output of refract.
const (
	summaryName = "_refract.json"
	summaryHead = `{"refract":`
)

func (p *parquetOutput) Begin(io.Writer) error {
	if p.isFile {
		return p.beginFiles()
	}
	p.path = atomicfile.Real(filepath.Clean(p.path))
	if err := p.check(); err != nil {
		return err
	}
	var err error
	p.lock, err = atomicfile.NewLock(atomicfile.SidePath(p.path, "lock"))
	if err != nil {
		return p.fail(err)
	}
	p.stage = atomicfile.SidePath(p.path, "part")
	if err := errors.Join(os.RemoveAll(p.stage), os.Mkdir(p.stage, 0o777)); err != nil { // a killed run may have left it
		return p.fail(err)
	}
	for i := range p.files {
		if err := os.Mkdir(filepath.Join(p.stage, tableNames[i]), 0o777); err != nil {
			return p.fail(err)
		}
	}
	return nil
}

// beginFiles opens a file for each table.
func (p *parquetOutput) beginFiles() error {
	for i := range p.files {
		f := &p.files[i]
		out, err := atomicfile.Create(p.fileOf(i), nil, isParquet)
		if err != nil {
			return err
		}
		f.out = out
		f.start(out)
	}
	return nil
}

// fileOf returns the name of the file of a table, if the output is a file.
func (p *parquetOutput) fileOf(table int) string {
	if table == tableReferences {
		return p.path
	}
	suffix := filepath.Ext(p.path)
	return strings.TrimSuffix(p.path, suffix) + "." + tableNames[table] + suffix
}

// isParquet reports whether a file with these first bytes may be replaced.
func isParquet(head []byte) bool { return bytes.HasPrefix(head, []byte("PAR1")) }

// check reports why a directory cannot be replaced.
func (p *parquetOutput) check() error {
	entries, err := os.ReadDir(p.path)
	switch {
	case errors.Is(err, os.ErrNotExist) || err == nil && len(entries) == 0:
		return nil
	case err != nil:
		if info, statErr := os.Stat(p.path); statErr == nil && !info.IsDir() {
			err = errors.New("a file exists there: give the name of a directory, or one that ends in .parquet")
		}
		return p.fail(err)
	}
	head, err := atomicfile.Head(filepath.Join(p.path, summaryName))
	if err != nil || !bytes.HasPrefix(head, []byte(summaryHead)) {
		return p.fail(errors.New("the directory exists and was not written by refract: give another name, or remove the directory"))
	}
	return nil
}

func (p *parquetOutput) fail(err error) error { return fmt.Errorf("--parquet %q: %w", p.path, err) }

// start begins a file.
func (f *parquetFiles) start(w io.Writer) {
	if f.buffer == nil {
		f.buffer = bufio.NewWriterSize(nil, 64<<10)
	}
	f.buffer.Reset(w)
	f.w = columnar.NewParquet(f.buffer, f.schema)
}

func (p *parquetOutput) Write(rows []byte) (int, error) {
	if p.sorter == nil {
		return len(rows), p.add(rows)
	}
	for rest := rows; len(rest) > 0; {
		row, url, next := p.files[rest[0]].schema.Next(rest[1:], p.sorter.field)
		row, rest = rest[:1+len(row)], next
		var err error
		if row[0] == tableReferences {
			err = p.sorter.add(row, url)
		} else {
			err = p.add(row)
		}
		if err != nil {
			return 0, err
		}
	}
	return len(rows), nil
}

// add appends rows to the batches of their tables.
func (p *parquetOutput) add(rows []byte) error {
	return p.batches.add(rows, parquetGroup, columnar.MaxBatch, p.flush)
}

// flush writes the batch of a table as a row group, and ends its file if it is large enough.
func (p *parquetOutput) flush(table int) error {
	f := &p.files[table]
	if f.w == nil {
		name := fmt.Sprintf("%s/part-%05d.parquet", tableNames[table], len(f.done))
		part, err := os.Create(filepath.Join(p.stage, name))
		if err != nil {
			return p.fail(err)
		}
		f.part = part
		f.done = append(f.done, parquetFile{Name: name})
		f.start(part)
	}
	if table == tableReferences && p.sorter != nil {
		p.batches[table].SetSorted("url", p.sortBy == "host")
	}
	if err := f.w.Write(p.batches[table]); err != nil {
		return p.fail(err)
	}
	if !p.isFile && f.w.Size() >= p.fileSize {
		return p.endFile(table)
	}
	return nil
}

// endFile writes the footer of a file, and closes it in a directory.
func (p *parquetOutput) endFile(table int) error {
	f := &p.files[table]
	err := errors.Join(f.w.Close("refract version "+fileVersion(), metadataOf(f.schema)), f.buffer.Flush())
	if err != nil {
		return p.fail(err)
	}
	if f.part != nil {
		err = f.part.Close()
		last := &f.done[len(f.done)-1]
		last.Rows, last.Bytes = f.w.Rows(), f.w.Size()
	}
	f.part, f.w = nil, nil
	if err != nil {
		return p.fail(err)
	}
	return nil
}

// fileVersion returns the version of the program in the form that readers of Parquet parse.
func fileVersion() string {
	version, _, _ := strings.Cut(cli.Version(), " ")
	version = strings.TrimPrefix(version, "v")
	if version == "" || version[0] < '0' || version[0] > '9' {
		version = "0.0.0"
	}
	return version + " (build " + columnVersion + ")"
}

// A columnSummary describes a directory.
type columnSummary struct {
	Refract string                   `json:"refract"` // version
	Schema  string                   `json:"schema"`
	Tables  map[string][]parquetFile `json:"tables"`
	Counts  *Counts                  `json:"counts"`
}

func (p *parquetOutput) End(total *Counts) error {
	if p.sorter != nil {
		if err := p.sorter.set.Finish(func(row []byte, _ uint64) error { return p.add(row) }); err != nil {
			return fmt.Errorf("--sort-by: %w", err)
		}
	}
	summary := columnSummary{Schema: columnVersion, Tables: map[string][]parquetFile{}, Counts: total}
	for i := range p.files {
		f := &p.files[i]
		if f.w != nil || len(f.done) == 0 || p.batches[i].Rows() > 0 { // a table without rows has a file, too
			if err := p.flush(i); err != nil {
				return err
			}
			p.batches[i].Reset()
		}
		if f.w != nil {
			if err := p.endFile(i); err != nil {
				return err
			}
		}
		summary.Tables[tableNames[i]] = f.done
	}
	if p.isFile {
		return nil
	}
	summary.Refract, _, _ = strings.Cut(cli.Version(), " ")
	text, err := json.Marshal(summary)
	if err == nil {
		err = os.WriteFile(filepath.Join(p.stage, summaryName), append(text, '\n'), 0o666)
	}
	if err != nil {
		return p.fail(err)
	}
	return nil
}

// Commit gives the files, or the directory, their names.
func (p *parquetOutput) Commit() error {
	if p.isFile {
		var errs []error
		for i := range p.files {
			errs = append(errs, p.files[i].out.Commit())
		}
		return errors.Join(errs...)
	}
	if err := p.check(); err != nil {
		return err
	}
	old := atomicfile.SidePath(p.path, "old")
	if err := os.RemoveAll(old); err != nil {
		return p.fail(err)
	}
	if err := os.Rename(p.path, old); err != nil && !errors.Is(err, os.ErrNotExist) {
		return p.fail(err)
	}
	if err := os.Rename(p.stage, p.path); err != nil {
		return p.fail(errors.Join(err, os.Rename(old, p.path)))
	}
	if err := os.RemoveAll(old); err != nil {
		return p.fail(err)
	}
	return nil
}

func (p *parquetOutput) Temps() (names []string) {
	if !p.isFile {
		return []string{p.stage, p.lock.Name()}
	}
	for i := range p.files {
		names = append(names, p.files[i].out.Temp())
	}
	return names
}

func (p *parquetOutput) Discard() {
	if p.sorter != nil {
		p.sorter.set.Close()
	}
	for i := range p.files {
		if f := &p.files[i]; f.out != nil {
			f.out.Discard()
		} else if f.part != nil {
			f.part.Close()
		}
	}
	if p.stage != "" {
		os.RemoveAll(p.stage)
	}
	p.lock.Release()
}

func (p *parquetOutput) Owns(path string) bool {
	if p.isFile {
		for i := range p.files {
			if cli.IsSameFile(p.fileOf(i), path) {
				return true
			}
		}
		return false
	}
	file, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	for _, dir := range []string{p.path, p.stage} {
		dir, err := filepath.Abs(dir)
		if err == nil && strings.HasPrefix(file, dir+string(filepath.Separator)) {
			return true
		}
	}
	return false
}
