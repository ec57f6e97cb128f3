package doc

import (
	"bytes"
	"testing"

	"example.org/refract/internal/audit/tree"
)

// A damaged cache, or one of another version, is rejected.
func TestCacheDamaged(t *testing.T) {
	c := new(Cache)
	for i := range 3 {
		c.Put(tree.Sum{byte(i)}, contentOf(i))
		c.Keep(&Outcome{Key: tree.Sum{byte(i)}, Packed: "findings"})
	}
	var b bytes.Buffer
	if err := c.Write(&b, "1"); err != nil {
		t.Fatal(err)
	}
	try := func(text []byte, version string) error {
		c := new(Cache)
		err := c.Read(bytes.NewReader(text), version)
		if err != nil && (len(c.kept) > 0 || len(c.Outcomes) > 0) {
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
