package searchcmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/joblog"
	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/extract"
	"example.org/refract/internal/input"
)

// A byteRange selects the messages or records of an archive that begin in a range. start and end
// are offsets in the file before decompression; an end of -1 means the end of the file. In gzip, a
// record counts as beginning where its member begins.
type byteRange struct {
	start, end int64
	mark       extract.Mark // of start
	isExact    bool         // records begin exactly at start and end, and mark is known
}

// parseByteRange parses "START:END", and "START:END@OFFSET,LINE,STATE", which --split prints.
func parseByteRange(s string) (c byteRange, err error) {
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
	c.start, c.end, c.isExact = number(start, 0), number(end, -1), found
	if found {
		fields := strings.Split(at, ",")
		if len(fields) != 3 {
			return c, wrong
		}
		state, serr := strconv.Atoi(fields[2]) // -1 occurs in mailboxes
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

func (c *byteRange) String() string {
	end := ""
	if c.end >= 0 {
		end = strconv.FormatInt(c.end, 10)
	}
	return fmt.Sprintf("%d:%s@%d,%d,%d", c.start, end, c.mark.Offset, c.mark.Line, c.mark.State)
}

// An archive is an input that may be split into ranges.
type archive struct {
	*input.Indexed
	in        *bufio.Reader
	mediaType string // "" if it is not an archive, and cannot be split
	cfg       extract.Config
}

func (s *search) openArchive(file input.File) (*archive, error) {
	r, err := input.OpenIndexed(file.Path, s.jobs)
	if err != nil {
		return nil, err
	}
	a := &archive{Indexed: r, in: bufio.NewReaderSize(r, 64<<10), cfg: *s.config(file)}
	head, _ := a.in.Peek(4096)
	a.mediaType = a.cfg.ArchiveType(input.Inner(file.Name), head)
	a.cfg.Lines, a.cfg.Note = true, nil
	return a, nil
}

// marks calls yield for each place where the archive can be split, beginning with its start, until
// yield returns false. at is the offset of the place in the file, before decompression.
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
		b.Release()
		if enough {
			return nil
		}
	}
	return nil
}

// exact moves start and end of c forward to the next beginning of a record. The start is -1 if no
// record begins there.
func (a *archive) exact(c byteRange) byteRange {
	found := byteRange{start: -1, end: -1}
	// Ignore errors: reading the range will report where the archive is damaged.
	_ = a.marks(func(at int64, m extract.Mark) bool {
		if found.start < 0 && at >= c.start {
			found.start, found.mark = at, m
		}
		if c.end >= 0 && at >= c.end {
			found.end = at
		}
		return found.start < 0 || c.end >= 0 && found.end < 0
	})
	return found
}

// openRange opens a range of an archive, and returns the Config with which to read it. Both are nil
// if no record begins in the range. An input that is not an archive counts as one record at offset
// 0.
func (s *search) openRange(file input.File) (io.ReadCloser, *extract.Config, error) {
	c, err := parseByteRange(file.Range)
	if err != nil {
		return nil, nil, err
	}
	if info, err := os.Stat(file.Path); err == nil && !info.Mode().IsRegular() {
		return nil, nil, errors.New("a range requires a file, not a pipe or directory")
	}
	a, err := s.openArchive(file)
	if err != nil {
		return nil, nil, err
	}
	defer a.Close()
	cfg := s.config(file)
	if cfg.Type == "" {
		cfg.Type = a.mediaType
	}
	if !c.isExact {
		c = a.exact(c)
		if c.start < 0 || c.start == c.end {
			return nil, nil, nil
		}
	}
	if c.start == 0 && c.end < 0 {
		r, err := input.OpenAhead(file.Path, s.jobs)
		if err == nil {
			s.locate(cfg, r, byteRange{})
		}
		return r, cfg, err
	}
	cfg.Begin = c.mark
	r, err := input.OpenSection(file.Path, c.start, c.end, s.jobs)
	if err == nil {
		s.locate(cfg, r, c)
	}
	return r, cfg, err
}

// split prints, for each input, the lines of --files-from that split it into ranges of at least
// size bytes.
func (s *search) split(args []string, size int64) error {
	out, err := atomicfile.Create(s.output, s.stdout, output.Replaceable(s.output))
	if err != nil {
		return err
	}
	out.SetForm(joblog.JSON)
	defer out.Discard()
	if temp := out.Temp(); temp != "" {
		defer cli.OnInterrupt(func() { os.Remove(temp) })()
	}
	s.identifyOutput(out)
	w := bufio.NewWriterSize(out, 64<<10)
	var b output.Block
	for file, err := range s.inputs.files(args) {
		var ranges []byteRange
		if err == nil {
			own, lost := s.ownOutput(file)
			if lost != nil {
				return lost
			}
			if own && !file.Named {
				continue
			}
			ranges, err = s.ranges(file, size)
		}
		if err != nil {
			s.fail(&b, file.Name, cli.WithName(file, err))
			s.stderr.Write(b.Messages)
			b.Messages = nil
			continue
		}
		line := newListLine(file)
		for _, r := range ranges {
			if len(ranges) > 1 {
				line.Range = r.String()
			}
			w.Write(jsontext.AppendLine(nil, line))
		}
		if s.inputs.list != "" {
			w.Flush()
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return err
	}
	return s.report(&b.Counts)
}

// ranges returns the ranges of at least size bytes of one input: a single one if it cannot be
// split.
func (s *search) ranges(file input.File, size int64) ([]byteRange, error) {
	if file.Name == "-" {
		return nil, errors.New("standard input cannot be divided: give a file")
	}
	info, err := os.Stat(file.Path)
	if file.Range != "" || err == nil && (!info.Mode().IsRegular() || info.Size() <= size) {
		return make([]byteRange, 1), nil // a pipe cannot be read twice
	}
	a, err := s.openArchive(file)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	var ranges []byteRange
	// Ignore errors: reading the ranges will report them.
	_ = a.marks(func(at int64, m extract.Mark) bool {
		if last := len(ranges) - 1; last >= 0 {
			if at-ranges[last].start < size {
				return true
			}
			ranges[last].end = at
		}
		ranges = append(ranges, byteRange{start: at, end: -1, mark: m, isExact: true})
		return true
	})
	return ranges, nil
}
