package audit

import (
	"io"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/doc"
)

// A Baseline holds known findings, which are not reported again. A finding is identified by its document,
// its rule and the reference as written, not by its line, so the text around it may change. Identical
// findings are counted: one more than the Baseline holds is reported. The zero Baseline is empty.
type Baseline struct{ in audit.Baseline }

// ReadBaseline reads a baseline in the format of Write. Document names are relative to dir. The error names
// the first malformed line by its number, or says that the text has neither findings nor the first line of
// a baseline. It does not quote the text: that may be any file, and an attacker who chooses its name must
// not learn its contents.
func ReadBaseline(r io.Reader, dir string) (*Baseline, error) {
	in, err := audit.ReadBaseline(r, dir)
	if err != nil {
		return nil, err
	}
	return &Baseline{*in}, nil
}

// Add adds f, a finding in the document at path, which is absolute and has forward slashes.
func (b *Baseline) Add(path string, f *Finding) { b.in.Add(path, f.inner()) }

// Join adds the findings of other. A finding in both counts once. A nil other is empty.
func (b *Baseline) Join(other *Baseline) {
	if other != nil {
		b.in.Join(&other.in)
	}
}

// Write writes b, one finding per line, with documents relative to dir. A nil b is empty.
func (b *Baseline) Write(w io.Writer, dir string) error {
	if b == nil {
		b = new(Baseline)
	}
	return b.in.Write(w, dir)
}

// A Cache keeps the contents of documents from one run to the next. A document is scanned again only if its
// bytes, or the settings that affect how it is read, have changed. References are checked again, unless
// nothing has changed that the outcome of an earlier audit on disk depends on: then its findings are
// repeated. The findings are always those of a run without a cache.
//
// The zero Cache is empty. Successive runs may share a Cache, concurrent runs may not.
type Cache struct{ in doc.Cache }

// Read reads a cache that Write wrote for the same version, which names the program and its build: another
// build may read documents differently. If r holds anything else, or is damaged, Read returns an error and
// leaves c unchanged. It holds all of r in memory.
func (c *Cache) Read(r io.Reader, version string) error { return c.in.Read(r, version) }

// Write writes c in the format that Read reads.
func (c *Cache) Write(w io.Writer, version string) error { return c.in.Write(w, version) }

// Changed reports whether c has changed since Read.
func (c *Cache) Changed() bool { return c.in.Changed() }
