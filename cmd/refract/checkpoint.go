package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/refract/internal/input"
)

// A checkpoint records the progress of a run with -o, so that the next run can continue it:
// the number of inputs whose output is complete, and the length of the output then. The next
// run truncates the output to that length, and skips these inputs if they are unchanged.
type checkpoint struct {
	file   string
	part   string // the output until it is complete
	out    *os.File
	saved  time.Time
	state  state
	resume mark // of the run before: where this one begins
}

type state struct {
	Run      string `json:"run"` // hash of flags, arguments and version
	Mark     mark   `json:"mark"`
	Offset   int64  `json:"offset"` // in the output
	Total    counts `json:"total"`
	Complete bool   `json:"complete"` // the output only has to get its name
}

// A mark is a number of inputs, counted from the first, with a hash that identifies them.
type mark struct {
	Inputs int    `json:"inputs"`
	Sum    string `json:"sum"` // of their names, sizes, URLs and ranges
}

// next returns the mark after one more input.
func (m mark) next(file input.File, err error) mark {
	size := int64(-1)
	if info, statErr := os.Stat(file.Path); err == nil && statErr == nil {
		size = info.Size()
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %q %d %q %q %q", m.Sum, file.Name, size, file.Path, file.URL, file.Range))
	return mark{m.Inputs + 1, hex.EncodeToString(sum[:])}
}

// runOf returns a hash of what determines the output of a run: version, arguments and flags,
// but for those, like --jobs, that make no difference.
func runOf(cmd *cobra.Command, args []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q", build(), args)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "jobs", "quiet", "checkpoint":
		default:
			fmt.Fprintf(&b, " --%s=%q", f.Name, f.Value)
		}
	})
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:])
}

// openCheckpoint opens the checkpoint called file, or begins one, and its output. Complete
// reports that the run before had only commit left to do.
func openCheckpoint(file, output, run string) (c *checkpoint, complete bool, err error) {
	if info, err := os.Stat(output); err == nil && !info.Mode().IsRegular() {
		return nil, false, fmt.Errorf("--checkpoint: %q is no regular file", output)
	}
	mode := os.FileMode(0o666)
	if info, err := os.Stat(output); err == nil {
		mode = info.Mode().Perm()
	}
	c = &checkpoint{file: file, part: output + ".part", state: state{Run: run}}
	text, err := os.ReadFile(file)
	switch {
	case err == nil:
		if err := json.Unmarshal(text, &c.state); err != nil || c.state.Run != run {
			return nil, false, fmt.Errorf("--checkpoint: %q is of another run, of other flags, arguments or another version: remove it to begin anew", file)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, false, fmt.Errorf("--checkpoint %q: %w", file, causeOf(err))
	}
	c.out, err = os.OpenFile(c.part, os.O_CREATE|os.O_RDWR, mode)
	if err != nil {
		return nil, false, fmt.Errorf("output %q: %w", c.part, causeOf(err))
	}
	info, err := c.out.Stat()
	if err == nil && c.state.Complete && info.Size() < c.state.Offset {
		// The run before has renamed it.
		os.Remove(c.part)
		c.part = ""
		return c, true, nil
	}
	if err == nil && info.Size() < c.state.Offset {
		err = fmt.Errorf("has lost what %q says of it: remove both to begin anew", file)
	}
	if err == nil {
		err = c.out.Truncate(c.state.Offset)
	}
	if err == nil {
		_, err = c.out.Seek(0, io.SeekEnd)
	}
	if err != nil {
		c.out.Close()
		return nil, false, fmt.Errorf("output %q: %w", c.part, err)
	}
	c.resume = c.state.Mark
	return c, c.state.Complete, nil
}

// Write, Stat, Temp and Discard make c an output that stays when a run is interrupted.
func (c *checkpoint) Write(p []byte) (int, error) { return c.out.Write(p) }

func (c *checkpoint) Stat() (os.FileInfo, bool) {
	info, err := c.out.Stat()
	return info, err == nil && info.Mode().IsRegular()
}

func (c *checkpoint) Temp() string { return "" }

func (c *checkpoint) Discard() {}

// reached records that the output of all inputs up to m has been written to w. It saves this
// a few times a second.
func (c *checkpoint) reached(m mark, w *bufio.Writer, total *counts) error {
	const often = 250 * time.Millisecond
	if m.Inputs == 0 || time.Since(c.saved) < often {
		return nil
	}
	if err := w.Flush(); err != nil {
		return err
	}
	c.state.Mark = m
	return c.save(total)
}

// save writes the checkpoint. The output up to there must have been flushed.
func (c *checkpoint) save(total *counts) error {
	var err error
	if c.state.Offset, err = c.out.Seek(0, io.SeekCurrent); err != nil {
		return err
	}
	c.state.Total = *total
	if err := c.out.Sync(); err != nil {
		return err
	}
	text, err := json.Marshal(c.state)
	if err != nil {
		return err
	}
	if err := os.WriteFile(c.file+".part", append(text, '\n'), 0o666); err != nil {
		return err
	}
	c.saved = time.Now()
	return os.Rename(c.file+".part", c.file)
}

// isOwn reports whether a file in a directory is one that the run itself writes.
func (c *checkpoint) isOwn(file input.File, output string) bool {
	name := filepath.Clean(file.Path)
	for _, own := range []string{output, output + ".part", c.file, c.file + ".part"} {
		if filepath.Base(own) != filepath.Base(name) {
			continue
		}
		a, err := filepath.Abs(own)
		b, err2 := filepath.Abs(name)
		if err == nil && err2 == nil && a == b {
			return true
		}
	}
	return false
}

// commit gives the output its name.
func (c *checkpoint) commit(output string, total *counts) error {
	if !c.state.Complete {
		c.state.Complete = true
		if err := c.save(total); err != nil {
			return err
		}
	}
	if c.part != "" {
		if err := errors.Join(c.out.Close(), os.Rename(c.part, output)); err != nil {
			return err
		}
	}
	return os.Remove(c.file)
}

// sameName reports whether two names lead to the same file.
func sameName(a, b string) bool {
	x, err := filepath.Abs(a)
	y, err2 := filepath.Abs(b)
	return err == nil && err2 == nil && x == y
}
