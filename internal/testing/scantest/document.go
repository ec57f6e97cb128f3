package scantest

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Documents are the documents of other projects that a table names. They are not in the repository: the long tests
// read those that are in the directory documents beside it, and count the others.
type Documents struct{ found, missing int }

// Open returns a document, or nil if it is not there. The beginning of its SHA-256 is sum.
func (d *Documents) Open(t *testing.T, name, sum string) []byte {
	t.Helper()
	if !IsLong() {
		d.missing++
		return nil
	}
	src, err := os.ReadFile(filepath.Join(beside("documents"), name))
	if err != nil {
		d.missing++
		return nil
	}
	d.found++
	if got := sha256.Sum256(src); !strings.HasPrefix(hex.EncodeToString(got[:]), sum) {
		t.Errorf("%s is another document: its SHA-256 is %x, not %s", name, got, sum)
	}
	return src
}

// Log says how many documents were there.
func (d *Documents) Log(t *testing.T) {
	t.Helper()
	t.Logf("%d documents of other projects read, %d skipped", d.found, d.missing)
}
