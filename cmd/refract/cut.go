package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/internal/input"
)

// A cut is a range of an archive: the messages or records that begin in it. Start and end
// are in bytes of the file as it is, end -1 where it goes to the end of that; of gzip, what
// counts is where the member begins.
type cut struct {
	start, end int64
	mark       extract.Mark // of start
	found      bool         // both are where a record begins, and mark is known
}

// parseCut reads "START:END", and "START:END@OFFSET,LINE,STATE" as --split makes it.
func parseCut(s string) (c cut, err error) {
	wrong := fmt.Errorf("range %q: give START:END in bytes, or what --split has printed", s)
	span, at, found := strings.Cut(s, "@")
	start, end, ok := strings.Cut(span, ":")
	if !ok {
		return c, wrong
	}
	number := func(s string, empty int64) int64 {
		n, nerr := strconv.ParseInt(s, 10, 64)
		if s == "" {
			return empty
		}
		if nerr != nil || n < 0 {
			err = wrong
		}
		return n
	}
	c.start, c.end, c.found = number(start, 0), number(end, -1), found
	if found {
		fields := strings.Split(at, ",")
		if len(fields) != 3 {
			return c, wrong
		}
		state, serr := strconv.Atoi(fields[2]) // of a mailbox it may be -1
		if serr != nil {
			return c, wrong
		}
		c.mark = extract.Mark{Offset: number(fields[0], -1), Line: int(number(fields[1], -1)), State: state}
	}
	if err == nil && (c.end >= 0 && c.end < c.start || found && c.mark.Offset < 0) {
		err = wrong
	}
	return c, err
}

func (c *cut) String() string {
	end := ""
	if c.end >= 0 {
		end = strconv.FormatInt(c.end, 10)
	}
	return fmt.Sprintf("%d:%s@%d,%d,%d", c.start, end, c.mark.Offset, c.mark.Line, c.mark.State)
}

// An archive is one that is looked through for where it can be cut.
type archive struct {
	*input.Indexed
	in        *bufio.Reader
	mediaType string // "": it is none, and cannot be cut
	cfg       extract.Config
}

func (f *finder) openArchive(file input.File) (*archive, error) {
	r, err := input.OpenIndexed(file.Path, f.jobs)
	if err != nil {
		return nil, err
	}
	a := &archive{Indexed: r, in: bufio.NewReaderSize(r, 64<<10), cfg: *f.config(file)}
	head, _ := a.in.Peek(4096)
	a.mediaType = a.cfg.ArchiveType(input.Inner(file.Name), head)
	a.cfg.Lines, a.cfg.Note = true, nil
	return a, nil
}

// marks calls yield with where the archive can be cut, and where that is in the file as it
// is, until that returns false. The first is the beginning.
func (a *archive) marks(yield func(at int64, m extract.Mark) bool) error {
	if !yield(0, extract.Mark{Line: 1}) || a.mediaType == "" {
		return nil
	}
	for b, err := range a.cfg.Batches("", a.in) {
		if err != nil {
			return err
		}
		enough := false
		for m := range b.Marks() {
			if at, ok := a.At(m.Offset); ok && at < a.Size && !yield(at, m) {
				enough = true
				break
			}
		}
		if b.Release(); enough {
			return nil
		}
	}
	return nil
}

// section opens what begins in a range of an archive, and says how it is to be read. Both
// are nil if nothing begins there: what is no archive begins at 0, and is not cut.
func (f *finder) section(file input.File) (io.ReadCloser, *extract.Config, error) {
	c, err := parseCut(file.Range)
	if err != nil {
		return nil, nil, err
	}
	if info, err := os.Stat(file.Path); err == nil && !info.Mode().IsRegular() {
		return nil, nil, errors.New("a range is for a file: pipes and directories have none")
	}
	a, err := f.openArchive(file)
	if err != nil {
		return nil, nil, err
	}
	defer a.Close()
	cfg := f.config(file)
	if cfg.Type == "" {
		cfg.Type = a.mediaType
	}
	if !c.found {
		exact := cut{start: -1, end: -1}
		// What is read of it tells of damage.
		_ = a.marks(func(at int64, m extract.Mark) bool {
			if exact.start < 0 && at >= c.start {
				exact.start, exact.mark = at, m
			}
			if c.end >= 0 && at >= c.end {
				exact.end = at
			}
			return exact.start < 0 || c.end >= 0 && exact.end < 0
		})
		if c = exact; c.start < 0 || c.start == c.end {
			return nil, nil, nil
		}
	}
	if c.start == 0 && c.end < 0 {
		r, err := input.OpenAhead(file.Path, f.jobs)
		return r, cfg, err
	}
	cfg.Begin = c.mark
	r, err := input.OpenSection(file.Path, c.start, c.end, f.jobs)
	return r, cfg, err
}

// A listed line is one of --files-from that says more than a path.
type listed struct {
	Path    string `json:"path,omitempty"`
	PathB64 string `json:"path_b64,omitempty"`
	Name    string `json:"name,omitempty"`
	NameB64 string `json:"name_b64,omitempty"`
	URL     string `json:"url,omitempty"`
	Range   string `json:"range,omitempty"`
	Found   bool   `json:"found,omitempty"` // in a directory: not read if it is binary
}

// listed yields what such a line stands for: what its path alone would, named and ranged.
func (f *finder) listed(line string, yield func(input.File, error) bool) bool {
	l, err := parseListed(line)
	if err != nil {
		return yield(input.File{Name: line}, fmt.Errorf("--files-from: %q: %w", line, err))
	}
	if l.URL != "" {
		if _, err = base.Root(f.cfg.Rules, base.Source{URI: l.URL, From: "--files-from"}, base.Source{}); err != nil {
			return yield(input.File{Name: line}, fmt.Errorf("--files-from: %q: %w", line, err))
		}
	}
	for file, err := range f.files.Files([]string{l.Path}) {
		if err == nil && !file.Named && l.Name+l.Range != "" {
			return yield(file, fmt.Errorf("--files-from: %q: %q is a directory: its files have names of their own", line, l.Path))
		}
		file.URL, file.Range = l.URL, l.Range
		if l.Name != "" {
			file.Name = l.Name
		}
		file.Named = file.Named && !l.Found
		if !yield(file, named(file, err)) {
			return false
		}
	}
	return true
}

// parseListed reads such a line.
func parseListed(line string) (l listed, err error) {
	in := json.NewDecoder(strings.NewReader(line))
	in.DisallowUnknownFields()
	if err = in.Decode(&l); err != nil {
		return l, err
	}
	if _, err = in.Token(); err != io.EOF {
		return l, errors.New("more follows than one object")
	}
	for _, p := range []struct {
		text *string
		b64  string
	}{{&l.Path, l.PathB64}, {&l.Name, l.NameB64}} {
		if p.b64 != "" {
			b, err := base64.StdEncoding.DecodeString(p.b64)
			if err != nil {
				return l, err
			}
			*p.text = string(b)
		}
	}
	switch l.Path {
	case "":
		return l, errors.New("there is no path in it")
	case "-":
		return l, errors.New("\"-\" is no file")
	}
	if l.Range != "" {
		_, err = parseCut(l.Range)
		return l, err
	}
	return l, nil
}

// splitInputs prints, for each of the inputs, the lines of --files-from that cut it into
// ranges of at least size bytes.
func (f *finder) splitInputs(args []string, size int64) error {
	out, commit, err := f.open()
	if err != nil {
		return err
	}
	defer f.interruptible()()
	w := bufio.NewWriterSize(out, 64<<10)
	var total page
	for file, err := range f.inputs(args) {
		if err == nil && file.Name == "-" {
			err = errors.New("standard input cannot be cut: give it as a file")
		}
		var cuts []cut
		if err == nil {
			cuts, err = f.cuts(file, size)
		}
		if err != nil {
			f.fail(&total, file.Name, named(file, err))
			f.stderr.Write(total.messages)
			total.messages = nil
			continue
		}
		l := listed{URL: file.URL, Found: !file.Named}
		if l.Path = file.Path; !utf8.ValidString(l.Path) {
			l.Path, l.PathB64 = "", base64.StdEncoding.EncodeToString([]byte(file.Path))
		}
		if file.Name != file.Path {
			if l.Name = file.Name; !utf8.ValidString(l.Name) {
				l.Name, l.NameB64 = "", base64.StdEncoding.EncodeToString([]byte(file.Name))
			}
		}
		for _, c := range cuts {
			if l.Range = file.Range; len(cuts) > 1 {
				l.Range = c.String()
			}
			w.Write(appendObject(nil, l))
		}
		if f.from != "" {
			w.Flush()
		}
	}
	if err = w.Flush(); err == nil {
		err = commit()
	}
	if err != nil {
		f.discard()
		return err
	}
	return f.ended(&total)
}

// named is err with the name of the file, if it does not quote that.
func named(file input.File, err error) error {
	if err == nil || strings.Contains(err.Error(), strconv.Quote(file.Name)) || filepath.ToSlash(file.Path) == file.Name && file.Range == "" {
		return err
	}
	return fmt.Errorf("%q: %w", file.Name, err)
}

// cuts returns the ranges of one input, one if it is not to be cut.
func (f *finder) cuts(file input.File, size int64) ([]cut, error) {
	info, err := os.Stat(file.Path)
	if file.Range != "" || err == nil && (!info.Mode().IsRegular() || info.Size() <= size) {
		return make([]cut, 1), nil // a pipe cannot be read twice
	}
	a, err := f.openArchive(file)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	var cuts []cut
	// What is read of it tells of damage.
	_ = a.marks(func(at int64, m extract.Mark) bool {
		if last := len(cuts) - 1; last >= 0 {
			if at-cuts[last].start < size {
				return true
			}
			cuts[last].end = at
		}
		cuts = append(cuts, cut{start: at, end: -1, mark: m, found: true})
		return true
	})
	return cuts, nil
}
