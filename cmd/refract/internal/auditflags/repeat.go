package auditflags

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/config"
	"example.org/refract/internal/input"
	"example.org/refract/internal/slash"
)

// Repeat are the flags for repeated audits of one tree.
type Repeat struct {
	Config        string
	noConfig      bool
	Baseline      string
	WriteBaseline string
	ChangedSince  string
	Cache         string
	Paths         []string // from the configuration, instead of arguments
	Env           *cli.Env
	List          []cli.Flag  // of the command
	Since         *comparison // with --changed-since
	Dir           string      // absolute; names are relative to it; "" is the working directory
	args          []string    // of the command

	configured struct { // by the configuration file
		file  string
		flags []string
	}
}

// readBaseline reads the findings to ignore into options.
func (v *Repeat) readBaseline(options *audit.Options) error {
	if v.Baseline == "" || v.WriteBaseline != "" { // a new baseline contains all findings
		return nil
	}
	file := v.BaselineFile()
	text, err := file.Text()
	if err == nil {
		options.Baseline, err = audit.ReadBaseline(bytes.NewReader(text), file.Dir)
	}
	if err != nil {
		return fmt.Errorf("--baseline %q: %w", v.Baseline, input.CauseOf(err))
	}
	return nil
}

// A BaselineFile is the file of --baseline.
type BaselineFile struct {
	Name string // "" is none
	Dir  string // the directory to which the names of documents in it are relative
}

// BaselineFile returns the file of --baseline.
func (v *Repeat) BaselineFile() BaselineFile {
	if v.Baseline == "" {
		return BaselineFile{}
	}
	name := v.in(v.Baseline)
	return BaselineFile{name, v.baselineDir(name)}
}

// Text reads the file.
func (f BaselineFile) Text() ([]byte, error) {
	if err := config.CheckInside(f.Name); err != nil {
		return nil, err
	}
	return input.ReadRegular(f.Name, maxBaseline)
}

// AddTo adds a finding to a baseline.
func AddTo(b *audit.Baseline, f *audit.Finding) {
	b.Add(path.Join(DirectoryOf(f.Path), filepath.Base(f.Path)), f)
}

// Prepare reads the cache. For --changed-since, it also makes options ignore the findings of that
// revision. temp is an empty directory for its large files.
func (v *Repeat) Prepare(options *audit.Options, args []string, temp string) error {
	if v.WriteBaseline != "" {
		if err := atomicfile.Check(v.WriteBaseline, output.IsBaseline); err != nil {
			return fmt.Errorf("--write-baseline %w", err)
		}
		atomicfile.Sweep(v.WriteBaseline)
	}
	if v.Cache != "" {
		if err := atomicfile.Check(v.Cache, output.IsCache); err != nil {
			return fmt.Errorf("--cache %w", err)
		}
		atomicfile.Sweep(v.Cache)
		options.Cache = new(doc.Cache)
		// The directory that holds the cache may be part of what is audited, and must not change after that.
		if _, err := os.Lstat(v.Cache); errors.Is(err, fs.ErrNotExist) {
			if err := v.writeCache(options.Cache); err != nil {
				return err
			}
		}
		readCache(options.Cache, v.Cache)
	}
	if v.ChangedSince == "" {
		return nil
	}
	before, err := v.Since.findings(args, temp)
	if err != nil {
		return fmt.Errorf("--changed-since %q: %w", v.ChangedSince, err)
	}
	options.Before, options.Contents = v.Since.inventory, &v.Since.contents
	if options.Baseline != nil {
		before.Join(options.Baseline)
	}
	options.Baseline = before
	return nil
}

// readCache reads a cache from a file. If the file cannot be used, the cache stays empty.
func readCache(c *doc.Cache, name string) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return // reading a device might never end
	}
	if f, err := os.Open(name); err == nil {
		c.Read(f, cli.Build())
		f.Close()
	}
}

// Save writes the files for the next run: the cache and the baseline.
func (v *Repeat) Save(options *audit.Options, known *audit.Baseline) error {
	if v.WriteBaseline != "" {
		if err := writeFile(v.WriteBaseline, output.IsBaseline, func(w io.Writer) error {
			return known.Write(w, v.baselineDir(v.WriteBaseline))
		}); err != nil {
			return fmt.Errorf("--write-baseline %w", err)
		}
	}
	if v.Cache != "" && options.Cache.Changed() {
		return v.writeCache(options.Cache)
	}
	return nil
}

// writeCache writes the cache to its file.
func (v *Repeat) writeCache(c *doc.Cache) error {
	if err := writeFile(v.Cache, output.IsCache, func(w io.Writer) error { return c.Write(w, cli.Build()) }); err != nil {
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

// DirectoryOf returns the absolute path of a file's directory, with forward slashes.
func DirectoryOf(name string) string {
	dir, err := filepath.Abs(filepath.Dir(name))
	if err != nil {
		dir = filepath.Dir(name)
	}
	return slash.Path(dir)
}

// baselineDir returns DirectoryOf(name) under the name that the audit has for it: see [tree.Places].
func (v *Repeat) baselineDir(name string) string {
	return cli.PlacesOf(v.Dir, v.args).Name(DirectoryOf(name))
}
