package searchcmd

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/internal/input"
)

// A checkpoint records the progress of a run with -o, so that the next run can continue it. It has the
// number of inputs with complete output, and the length and checksum of the output at that point. The next
// run truncates the output to that length, and skips these inputs if they have not changed. With --unique
// and --count, a second file has the keys so far (keyLog).
//
// Until it is complete, the output is a hidden file beside its destination. A run never continues a file
// that is damaged, or that does not match its checkpoint.
type checkpoint struct {
	file   string
	output string // where the output belongs, symbolic links followed
	part   string // the unfinished output; "" once it has been renamed to output
	out    *os.File
	lock   *atomicfile.Lock
	may    atomicfile.Replaceable // says which files the output may replace
	saved  time.Time
	begins bool    // there is no previous run
	keys   *keyLog // with --unique and --count
	state  state
	resume mark // where the previous run stopped and this one starts
}

type state struct {
	Run    string        `json:"run"` // hash of flags, arguments and version
	Mark   mark          `json:"mark"`
	Offset int64         `json:"offset"` // in the output
	Sum    uint32        `json:"sum"`    // CRC-32C of the output up to there
	Total  output.Counts `json:"total"`

	Keys    int64  `json:"keys,omitempty"` // length in bytes of the log of keys, and its CRC-32C
	KeysSum uint32 `json:"keys_sum,omitempty"`

	Complete bool `json:"complete"` // the output only needs to be renamed
}

// A mark identifies the first inputs of a run: their number, and a hash.
type mark struct {
	Inputs int    `json:"inputs"`
	Sum    string `json:"sum"` // hash of their names, sizes, URLs and ranges
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

// runOf returns a hash of everything that determines the output of a run: version, arguments and flags,
// except for flags like --jobs that do not affect it.
func runOf(cmd *cobra.Command, args []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q", cli.Build(), args)
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

// A checkpoint file consists of this line, with the CRC-32C of the rest, and the state as JSON.
const stateHead = "refract checkpoint 2 "

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func isCheckpoint(head []byte) bool { return bytes.HasPrefix(head, []byte(stateHead)) }

// encode returns the contents of a checkpoint file.
func (s *state) encode() ([]byte, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	text = append(text, '\n')
	return append(fmt.Appendf(nil, "%s%08x\n", stateHead, crc32.Checksum(text, castagnoli)), text...), nil
}

var errDamaged = errors.New("it is damaged: remove it to start over")

// decode sets s from the contents of a checkpoint file.
func (s *state) decode(file []byte) error {
	sum, text, _ := bytes.Cut(file[len(stateHead):], []byte("\n"))
	if string(sum) != fmt.Sprintf("%08x", crc32.Checksum(text, castagnoli)) || json.Unmarshal(text, s) != nil {
		return errDamaged
	}
	return nil
}

// openCheckpoint opens or creates the checkpoint in file, and opens its output, which may replace
// the files that may accepts. complete reports that the previous run had only commit left to do.
func openCheckpoint(file, output, run string, may atomicfile.Replaceable) (c *checkpoint, complete bool, err error) {
	if info, err := os.Stat(output); err == nil && !info.Mode().IsRegular() {
		return nil, false, fmt.Errorf("--checkpoint: %q is not a regular file", output)
	}
	if err := atomicfile.Check(output, may); err != nil {
		return nil, false, err
	}
	c = &checkpoint{file: atomicfile.Real(file), output: atomicfile.Real(output), may: may, state: state{Run: run}}
	if c.lock, err = atomicfile.NewLock(atomicfile.SidePath(c.file, "lock")); err != nil {
		return nil, false, fmt.Errorf("--checkpoint %q: %w", file, err)
	}
	if complete, err = c.open(run); err != nil {
		c.Discard()
		return nil, false, err
	}
	return c, complete, nil
}

// open reads the state and opens the output.
func (c *checkpoint) open(run string) (complete bool, err error) {
	atomicfile.Sweep(c.file)
	key, err := filepath.Rel(filepath.Dir(c.output), c.file)
	if err != nil {
		key = c.file
	}
	c.part = atomicfile.SidePath(c.output, "part", filepath.ToSlash(key))
	begins, err := c.read(run)
	if err != nil {
		return false, err
	}
	c.begins = begins
	if begins {
		// A file of this name was left by a run whose checkpoint is gone.
		if err := os.Remove(c.part); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, fmt.Errorf("output %q: %w", c.part, input.CauseOf(err))
		}
	}
	info, err := os.Lstat(c.part)
	switch {
	case begins, err == nil && info.Mode().IsRegular():
	case errors.Is(err, fs.ErrNotExist) && c.state.Complete:
		c.part = "" // the previous run has renamed it
		return true, nil
	default:
		return false, fmt.Errorf("--checkpoint: the output of %q so far is gone: remove it to start over", c.file)
	}
	if err := c.openPart(begins); err != nil {
		return false, err
	}
	c.resume = c.state.Mark
	return c.state.Complete, nil
}

// read reads the state of the previous run. begins reports that there is none.
func (c *checkpoint) read(run string) (begins bool, err error) {
	if info, err := os.Stat(c.file); err == nil && !info.Mode().IsRegular() {
		return false, fmt.Errorf("--checkpoint: %q is not a regular file", c.file)
	}
	text, err := os.ReadFile(c.file)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(text) == 0:
		return true, nil
	case err != nil:
		return false, fmt.Errorf("--checkpoint %q: %w", c.file, input.CauseOf(err))
	case !isCheckpoint(text):
		return false, fmt.Errorf("--checkpoint %q: it is damaged, or not a checkpoint of this version: remove it to start over, or give another name", c.file)
	}
	if err := c.state.decode(text); err != nil {
		return false, fmt.Errorf("--checkpoint %q: %w", c.file, err)
	}
	if c.state.Run != run {
		return false, fmt.Errorf("--checkpoint: %q belongs to a run with other flags or arguments, or of another version: remove it to start over", c.file)
	}
	return false, nil
}

// openPart opens the output at the position that the previous run had reached.
func (c *checkpoint) openPart(begins bool) (err error) {
	mode, how := os.FileMode(0o666), 0
	if info, err := os.Stat(c.output); err == nil {
		mode = info.Mode().Perm()
	}
	if begins {
		how = os.O_CREATE | os.O_EXCL
	}
	c.out, err = atomicfile.OpenFile(c.part, how|os.O_RDWR, mode)
	if err != nil {
		return fmt.Errorf("output %q: %w", c.part, input.CauseOf(err))
	}
	sum := crc32.New(castagnoli)
	n, err := io.Copy(sum, io.LimitReader(c.out, c.state.Offset))
	if err == nil && (n != c.state.Offset || sum.Sum32() != c.state.Sum) {
		err = fmt.Errorf("does not match %q: remove both to start over", c.file)
	}
	if err == nil {
		err = c.out.Truncate(c.state.Offset)
	}
	if err == nil {
		_, err = c.out.Seek(0, io.SeekEnd)
	}
	if err != nil {
		return fmt.Errorf("output %q: %w", c.part, input.CauseOf(err))
	}
	return nil
}

// Write, Stat, Temp and Discard make c an output that is kept when a run is interrupted.
func (c *checkpoint) Write(p []byte) (int, error) {
	n, err := c.out.Write(p)
	c.state.Sum = crc32.Update(c.state.Sum, castagnoli, p[:n])
	c.state.Offset += int64(n)
	return n, err
}

func (c *checkpoint) Stat() (os.FileInfo, bool) {
	info, err := c.out.Stat()
	return info, err == nil && info.Mode().IsRegular()
}

func (c *checkpoint) Temp() string { return "" }

// Discard closes the output and releases the lock.
func (c *checkpoint) Discard() {
	if c.out != nil {
		c.out.Close()
	}
	if c.keys != nil {
		c.keys.file.Close()
	}
	c.lock.Release()
}

// reached records that the output of all inputs up to m has been written to w. It saves the
// checkpoint only a few times per second.
func (c *checkpoint) reached(m mark, w *bufio.Writer, total *output.Counts) error {
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

// save writes the checkpoint. The caller must have flushed the output.
func (c *checkpoint) save(total *output.Counts) error {
	c.state.Total = *total
	if err := c.out.Sync(); err != nil {
		return err
	}
	if k := c.keys; k != nil {
		if err := k.flush(); err != nil {
			return err
		}
		c.state.Keys, c.state.KeysSum = k.size, k.sum
	}
	text, err := c.state.encode()
	if err != nil {
		return err
	}
	c.saved = time.Now()
	return atomicfile.Save(c.file, text, isCheckpoint)
}

// isOwn reports whether file, which was found in a directory, is one that the run itself writes.
func (c *checkpoint) isOwn(file input.File) bool {
	for _, own := range []string{c.output, c.part, c.file, c.keysPath()} {
		if own != "" && strings.EqualFold(filepath.Base(own), filepath.Base(file.Path)) && cli.IsSameFile(own, file.Path) {
			return true
		}
	}
	return atomicfile.IsTemp(file.Path) || file.Path == c.lock.Name()
}

// commit renames the output to its final name.
func (c *checkpoint) commit(total *output.Counts) error {
	if !c.state.Complete {
		c.state.Complete = true
		if err := c.save(total); err != nil {
			return err
		}
	}
	if c.part != "" {
		if err := c.out.Close(); err != nil {
			return err
		}
		if err := atomicfile.Check(c.output, c.may); err != nil {
			return err
		}
		if err := atomicfile.Rename(c.part, c.output); err != nil {
			return err
		}
	}
	if err := c.removeKeys(); err != nil {
		return err
	}
	return os.Remove(c.file)
}
