package searchcmd

import (
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"example.org/refract/base"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/input"
	"example.org/refract/internal/slash"
)

const (
	// Files of at most smallFile bytes are read by the workers, in groups of at
	// least groupSize bytes or groupFiles files; larger ones are cut into pieces.
	smallFile  = 256 << 10
	groupSize  = 1 << 20
	groupFiles = 512
)

// A job is a worker's unit of work: a piece of a large input, a group of small files, or an error
// to report in place of an input.
type job struct {
	name  string
	piece *extract.Batch
	group []input.File
	err   error
	// unread is a note about a directory that is not read; name is the directory.
	unread *extract.Note

	pauses bool // the input was not ready after piece

	bytes int64 // of the pieces, decompressed
	read  int64 // of the file, as it is stored
	ends  mark  // all inputs up to this mark are complete once this job is written; zero if unknown
	fatal error // ends the run
	block output.Block
	place int // among all jobs, from 1
}

// produce emits the jobs for args, in order. It stops when emit fails.
func (s *search) produce(args []string, emit func(*job) error) error {
	p := producer{search: s, emit: emit, group: new(job)}
	s.inputs.walk.LeftOut, s.inputs.walk.Inbox = p.leftOut, p.inbox
	for file, err := range s.inputs.files(args) {
		if err := p.add(file, err); err != nil {
			return err
		}
	}
	if c := s.checkpoint; c != nil && p.at.Inputs < c.resume.Inputs {
		return p.fail(fmt.Errorf("--checkpoint: inputs have disappeared: remove %q to start over", c.file))
	}
	return p.flush()
}

// A producer makes the jobs of a search.
type producer struct {
	search *search
	emit   func(*job) error
	group  *job // group of small files, not yet emitted
	at     mark // with a checkpoint: the inputs so far
}

// flush emits the group.
func (p *producer) flush() error {
	if len(p.group.group) == 0 {
		return nil
	}
	j := p.group
	p.group = new(job)
	return p.emit(j)
}

// leftOut emits a note about a mail folder that is not read. It may ignore an error of emit: emit
// returns the same error for the next input.
func (p *producer) leftOut(name string) {
	p.unread(name, output.HiddenFolder, "a hidden mail folder: not read (use --hidden)")
}

// inbox emits a note about a public-inbox repository. Its messages are objects in packs of git, which
// only git reads: the note says how, and so does the summary, for the first one.
func (p *producer) inbox(name string, version int) {
	list := "rev-list --reverse HEAD | sed 's/$/:m/'"
	if version == 1 {
		list = "ls-tree -r HEAD | cut -d' ' -f3 | cut -f1"
	}
	command := fmt.Sprintf("git -C %[1]s %[2]s | git -C %[1]s cat-file --batch='From x Thu Jan  1 00:00:00 1970' | refract -t mbox", shellWord(name), list)
	if p.search.inbox == "" {
		p.search.inbox = command
	}
	p.unread(name, output.PublicInbox, "a public-inbox repository: not read; use "+command)
}

// shellWord quotes s for a POSIX shell.
func shellWord(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// unread emits a note about a directory that is not read.
func (p *producer) unread(name, kind, text string) {
	if c := p.search.checkpoint; c != nil && p.at.Inputs < c.resume.Inputs {
		return // the previous run has already noted it
	}
	if p.flush() == nil {
		p.emit(&job{name: name, unread: &extract.Note{Code: scan.CodeUnreadType, Unread: kind, Text: text}})
	}
}

// fail emits an error that ends the run, and returns it.
func (p *producer) fail(err error) error {
	if emitErr := p.emit(&job{fatal: err}); emitErr != nil {
		return emitErr
	}
	return err
}

// add makes the jobs for one more input, or for the error in its place.
func (p *producer) add(file input.File, err error) error {
	s := p.search
	if err == nil {
		own, lost := s.ownOutput(file)
		switch {
		case lost != nil:
			return p.fail(lost)
		case own && !file.Named:
			return nil
		case own:
			err = fmt.Errorf("input %q is also the output", file.Name)
		}
	}
	if c := s.checkpoint; c != nil {
		if err == nil && !file.Named && c.isOwn(file) {
			return nil
		}
		p.at = p.at.next(file, err)
		if p.at.Inputs == c.resume.Inputs && p.at != c.resume {
			return p.fail(fmt.Errorf("--checkpoint: the inputs have changed: remove %q to start over", c.file))
		}
		if p.at.Inputs <= c.resume.Inputs {
			if info, statErr := os.Stat(file.Path); err == nil && statErr == nil {
				s.progress.Skip(info.Size())
			}
			return nil
		}
	}
	if err == nil {
		if size, ok := small(file); ok {
			return p.addSmall(file, size)
		}
	}
	if err := p.flush(); err != nil {
		return err
	}
	if err == nil {
		err = s.pieces(file, p.emit)
	} else {
		err = p.emit(&job{name: file.Name, err: err})
	}
	if err == nil && s.checkpoint != nil {
		err = p.emit(&job{ends: p.at})
	}
	return err
}

// addSmall adds a file to the group.
func (p *producer) addSmall(file input.File, size int64) error {
	g := p.group
	g.group = append(g.group, file)
	g.ends = p.at
	g.bytes += size
	g.read += size
	if g.bytes >= groupSize || len(g.group) == groupFiles || p.search.inputs.list != "" {
		return p.flush()
	}
	return nil
}

// small reports whether a worker should read the file whole, and returns its size.
func small(file input.File) (int64, bool) {
	if file.Name == "-" || input.Inner(file.Path) != file.Path || file.Range != "" {
		return 0, false
	}
	info, err := os.Stat(file.Path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > smallFile {
		return 0, false
	}
	return info.Size(), true
}

// pieces emits the jobs for one large file.
func (s *search) pieces(file input.File, emit func(*job) error) error {
	var (
		cfg = s.config(file)
		r   io.ReadCloser
		err error
	)
	if file.Range == "" {
		r, err = input.OpenAhead(file.Path, s.jobs)
		if err == nil {
			s.locate(cfg, r, byteRange{})
		}
	} else {
		r, cfg, err = s.openRange(file)
		if r == nil && err == nil {
			return nil
		}
	}
	if err != nil {
		return emit(&job{name: file.Name, err: cli.WithName(file, err)})
	}
	defer r.Close()
	last := int64(0)
	for b, err := range cfg.Batches(input.Inner(file.Name), r) {
		j := &job{name: file.Name, piece: b, err: cli.WithName(file, err)}
		if b != nil {
			if s.undecided && b.IsMail() {
				s.addMailColumns(cfg)
			}
			s.undecided = false
			j.bytes, j.read, j.pauses = b.Size(), b.Size(), b.Pauses()
			if at, ok := input.Position(r); ok {
				j.read, last = at-last, at
			}
			s.memory.set(max(j.bytes, b.Held()))
		}
		if err := emit(j); err != nil {
			return err
		}
	}
	return nil
}

// locate makes cfg know where records are in the file, and which of it are damaged. r reads the range c of
// it, and nothing has been read from r.
func (s *search) locate(cfg *extract.Config, r io.ReadCloser, c byteRange) {
	stored := input.Locate(r, c.start, c.mark.Offset)
	if stored != nil {
		cfg.Storage = stored
	}
}

// config returns the Config for one file.
func (s *search) config(file input.File) *extract.Config {
	cfg := s.cfg
	cfg.SkipBinary = !file.Named
	cfg.MapFiles = true
	if !file.Named && !s.archives {
		cfg.Archives = extract.OpenAttached
	}
	if cfg.Type == "" {
		cfg.Type = file.Type
	}
	if path.Ext(file.Name) == "" && file.Name != file.Path {
		cfg.TypeName = input.Inner(file.Path)
	}
	if file.URL != "" {
		cfg.Retrieved = base.Source{URI: file.URL, From: "--files-from"}
		cfg.Messages = cfg.Messages || strings.Contains(file.URL, "{message-id}")
	}
	if s.published != nil && file.Name != "-" {
		s.published.configure(file, &cfg)
	}
	if s.fileBase && file.Name != "-" {
		cfg.Retrieved = base.Source{URI: fileURL(file.Path), From: "--file-base"}
	}
	s.dialects.Set(&cfg, file)
	return &cfg
}

// fileURL returns the file: URL of a path.
func fileURL(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return slash.URL(path)
}

// lastName returns the name of the last input that j reads.
func (j *job) lastName() string {
	if n := len(j.group); n > 0 {
		return j.group[n-1].Name
	}
	return j.name
}
