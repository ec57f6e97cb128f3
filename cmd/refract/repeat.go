package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"example.org/refract/audit"
	"example.org/refract/cmd/refract/internal/atomicfile"
)

// repeatFlags are the flags for repeated audits of one tree.
type repeatFlags struct {
	config        string
	baseline      string
	writeBaseline string
	changedSince  string
	cache         string
	paths         []string // from the configuration, instead of arguments
	readRules     func() error
	dir           string // absolute; names are relative to it; "" is the working directory

	configured struct { // by the configuration file
		file  string
		flags []string
	}
}

// flags adds the flags that "refract lsp" does not have.
func (v *repeatFlags) flags(l *pflag.FlagSet) {
	l.StringVar(&v.writeBaseline, "write-baseline", "", "write the findings to `FILE`, and report nothing")
	l.StringVar(&v.changedSince, "changed-since", "", "report only findings caused by changes since git `REVISION`, in any document")
	l.StringVar(&v.cache, "cache", "", "keep what was read in `FILE`, to make the next run faster")
}

// readBaseline reads the findings to ignore into options.
func (v *repeatFlags) readBaseline(options *audit.Options) error {
	if v.baseline == "" || v.writeBaseline != "" { // a new baseline contains all findings
		return nil
	}
	f, err := os.Open(v.in(v.baseline))
	if err != nil {
		return fmt.Errorf("--baseline %q: %w", v.baseline, causeOf(err))
	}
	defer f.Close()
	if options.Baseline, err = audit.ReadBaseline(f, directoryOf(v.in(v.baseline))); err != nil {
		return fmt.Errorf("--baseline %q: %w", v.baseline, err)
	}
	return nil
}

// prepare reads the cache. For --changed-since, it also makes options ignore the findings of that
// revision. temp is an empty directory for the revision's tree.
func (v *repeatFlags) prepare(options *audit.Options, args []string, temp string) error {
	if v.writeBaseline != "" {
		if err := atomicfile.Check(v.writeBaseline, isBaseline); err != nil {
			return fmt.Errorf("--write-baseline %w", err)
		}
		atomicfile.Sweep(v.writeBaseline)
	}
	if v.cache != "" {
		if err := atomicfile.Check(v.cache, isCache); err != nil {
			return fmt.Errorf("--cache %w", err)
		}
		atomicfile.Sweep(v.cache)
		options.Cache = new(audit.Cache)
		// The directory that holds the cache may be part of what is audited, and must not change after that.
		if _, err := os.Lstat(v.cache); errors.Is(err, fs.ErrNotExist) {
			if err := v.writeCache(options.Cache); err != nil {
				return err
			}
		}
		readCache(options.Cache, v.cache)
	}
	if v.changedSince == "" {
		return nil
	}
	before, err := findingsBefore(v.changedSince, *options, args, temp)
	if err != nil {
		return fmt.Errorf("--changed-since %q: %w", v.changedSince, err)
	}
	if options.Baseline != nil {
		before.Join(options.Baseline)
	}
	options.Baseline = before
	return nil
}

// readCache reads a cache from a file. If the file cannot be used, the cache stays empty.
func readCache(c *audit.Cache, name string) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return // reading a device might never end
	}
	if f, err := os.Open(name); err == nil {
		c.Read(f, build())
		f.Close()
	}
}

// save writes the files for the next run: the cache and the baseline.
func (v *repeatFlags) save(options *audit.Options, known *audit.Baseline) error {
	if v.writeBaseline != "" {
		if err := writeFile(v.writeBaseline, isBaseline, func(w io.Writer) error {
			return known.Write(w, directoryOf(v.writeBaseline))
		}); err != nil {
			return fmt.Errorf("--write-baseline %w", err)
		}
	}
	if v.cache != "" && options.Cache.Changed() {
		return v.writeCache(options.Cache)
	}
	return nil
}

// writeCache writes the cache to its file.
func (v *repeatFlags) writeCache(c *audit.Cache) error {
	if err := writeFile(v.cache, isCache, func(w io.Writer) error { return c.Write(w, build()) }); err != nil {
		return fmt.Errorf("--cache %w", err)
	}
	return nil
}

// writeFile writes a file that appears only when complete. It replaces a file that may accepts.
func writeFile(name string, may atomicfile.Replaceable, write func(io.Writer) error) error {
	f, err := atomicfile.Create(name, nil, may)
	if err != nil {
		return err
	}
	defer f.Discard()
	w := bufio.NewWriterSize(f, 64<<10)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Commit()
}

// directoryOf returns the absolute path of a file's directory, with forward slashes.
func directoryOf(name string) string {
	dir, err := filepath.Abs(filepath.Dir(name))
	if err != nil {
		dir = filepath.Dir(name)
	}
	return filepath.ToSlash(dir)
}

// build identifies this build of refract, for files that only the same build can read.
func build() string {
	v := version()
	if !strings.Contains(v, "(devel)") && !strings.Contains(v, "+dirty") {
		return v
	}
	if self, err := os.Executable(); err == nil {
		if info, err := os.Stat(self); err == nil {
			v += fmt.Sprintf(" %d %d", info.Size(), info.ModTime().UnixNano())
		}
	}
	return v
}
