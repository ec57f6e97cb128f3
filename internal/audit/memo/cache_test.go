package memo_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/memo"
)

// A damaged cache, or one of another version, is rejected.
func TestCacheDamaged(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("# x\n\n[a](1.md)"), 0o666); err != nil {
		t.Fatal(err)
	}
	c := new(memo.Cache)
	if _, err := audit.Run(t.Context(), audit.Options{Paths: []string{dir}, Cache: c}, nil); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := c.Write(&b, "1"); err != nil {
		t.Fatal(err)
	}
	try := func(text []byte, version string) error {
		c := new(memo.Cache)
		err := c.Read(bytes.NewReader(text), version)
		if err != nil && len(memo.Packed(c)) > 0 {
			t.Error("a part of it is used")
		}
		return err
	}
	if try(b.Bytes(), "1") != nil || try(b.Bytes(), "2") == nil {
		t.Error("the version does not count")
	}
	for i := range b.Len() {
		text := bytes.Clone(b.Bytes())
		text[i] ^= 0x10
		if try(text, "1") == nil {
			t.Errorf("byte %d of %d does not count", i, len(text))
		}
		if try(text[:i], "1") == nil {
			t.Errorf("%d bytes of %d are enough", i, len(text))
		}
	}
}
