package tree

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
)

// index returns an index of git with names, in order.
func index(version uint32, names ...string) []byte {
	var b bytes.Buffer
	b.WriteString("DIRC")
	binary.Write(&b, binary.BigEndian, []uint32{version, uint32(len(names))})
	last := ""
	for _, name := range names {
		start := b.Len()
		b.Write(make([]byte, 60))
		binary.Write(&b, binary.BigEndian, uint16(len(name)))
		if version == 4 {
			same := 0
			for same < min(len(last), len(name)) && last[same] == name[same] {
				same++
			}
			b.WriteByte(byte(len(last) - same)) // less than 128 here
			b.WriteString(name[same:])
			b.WriteByte(0)
		} else {
			b.WriteString(name)
			for more := true; more; more = (b.Len()-start)%8 != 0 {
				b.WriteByte(0)
			}
		}
		last = name
	}
	b.Write(make([]byte, 20))
	return b.Bytes()
}

func TestIndexNames(t *testing.T) {
	names := []string{"a", "docs/a.md", "docs/b.md", "docs/sub/with-a-long-name.md", "é.md"}
	for version := uint32(2); version <= 4; version++ {
		text := index(version, names...)
		if got := indexNames(text); !slices.Equal(got, names) {
			t.Errorf("version %d: got %q", version, got)
		}
		for i := range text { // damaged ones must not fail
			indexNames(text[:i])
		}
	}
	if got := indexNames([]byte("DIRC\x00\x00\x00\x05")); got != nil {
		t.Errorf("got %q", got)
	}
}
