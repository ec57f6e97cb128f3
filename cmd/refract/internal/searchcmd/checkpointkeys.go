package searchcmd

import (
	"bufio"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"

	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/cmd/refract/internal/distinct"
	"example.org/refract/internal/input"
)

// A keyLog is a file beside a checkpoint with the log of the keys of --unique, --count or --format
// frontier. The next run reads it to know which keys have been written or counted.
type keyLog struct {
	file *os.File
	w    *bufio.Writer // to the keyLog itself
	size int64
	sum  uint32 // CRC-32C of the file
}

// Write writes to the file, for w.
func (k *keyLog) Write(p []byte) (int, error) {
	n, err := k.file.Write(p)
	k.sum = crc32.Update(k.sum, castagnoli, p[:n])
	k.size += int64(n)
	return n, err
}

// flush writes all to the disk.
func (k *keyLog) flush() error {
	if err := k.w.Flush(); err != nil {
		return err
	}
	return k.file.Sync()
}

func (c *checkpoint) keysPath() string { return atomicfile.SidePath(c.file, "keys") }

// openKeys opens the log, and brings set to the state in which the previous run has recorded it. From then
// on, set writes to the log.
func (c *checkpoint) openKeys(set *distinct.Set) (err error) {
	name, how := c.keysPath(), 0
	fail := func(err error) error { return fmt.Errorf("--checkpoint: the keys %q: %w", name, input.CauseOf(err)) }
	if c.begins {
		// A file of this name was left by a run whose checkpoint is gone.
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fail(err)
		}
		how = os.O_CREATE | os.O_EXCL
	}
	k := new(keyLog)
	k.w = bufio.NewWriterSize(k, 64<<10)
	k.file, err = atomicfile.OpenFile(name, how|os.O_RDWR, 0o666)
	if err != nil {
		return fail(err)
	}
	c.keys = k
	sum := crc32.New(castagnoli)
	k.size, err = io.Copy(sum, io.LimitReader(k.file, c.state.Keys))
	if k.sum = sum.Sum32(); err == nil && (k.size != c.state.Keys || k.sum != c.state.KeysSum) {
		err = fmt.Errorf("they do not match %q: remove it to start over", c.file)
	}
	if err == nil {
		err = set.Replay(io.NewSectionReader(k.file, 0, c.state.Keys))
	}
	if err == nil {
		err = k.file.Truncate(c.state.Keys)
	}
	if err == nil {
		_, err = k.file.Seek(0, io.SeekEnd)
	}
	if err != nil {
		return fail(err)
	}
	set.Log = k.w
	return nil
}

// removeKeys removes the log, when the output is complete.
func (c *checkpoint) removeKeys() error {
	if c.keys != nil {
		c.keys.file.Close()
		c.keys = nil
	}
	if err := os.Remove(c.keysPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
