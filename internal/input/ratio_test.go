package input

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// A compressed file that was made to exhaust its reader is an error, behind what may be read; one that repeats a lot is not.
func TestRatio(t *testing.T) {
	for name, mib := range map[string]int{"bomb": 64, "small": 1} {
		var b bytes.Buffer
		w, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(w, io.LimitReader(zeros{}, int64(mib)<<20)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), name+".zst")
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, r)
		_ = r.Close()
		if most := leastMade + maxRatio*int64(b.Len()); n > most {
			t.Errorf("%s: %d bytes made of %d", name, n, b.Len())
		}
		if isCut := err != nil && strings.Contains(err.Error(), "1032 times"); isCut != (name == "bomb") {
			t.Errorf("%s: %v after %d bytes", name, err, n)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
