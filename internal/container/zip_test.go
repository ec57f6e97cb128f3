package container

import (
	"archive/zip"
	"bytes"
	"errors"
	"testing"
)

// The flags of a member say why it is not read.
func TestFlags(t *testing.T) {
	for flags, want := range map[uint16]string{
		0: "", 1 << 0: "encrypted ZIP", 1 << 5: "ZIP patch", 1 << 6: "encrypted ZIP", 1 << 13: "encrypted ZIP", 1<<5 | 1: "encrypted ZIP", 1 << 11: "", 1 << 1: "",
	} {
		var archive bytes.Buffer
		w := zip.NewWriter(&archive)
		f, err := w.CreateRaw(&zip.FileHeader{Name: "a.txt", Flags: flags, CRC32: 0x8CDC1683, CompressedSize64: 1, UncompressedSize64: 1})
		if err == nil {
			_, err = f.Write([]byte("x"))
		}
		if err := errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		for m, err := range Zip(bytes.NewReader(archive.Bytes()), int64(archive.Len()), 10) {
			if err != nil {
				t.Fatal(err)
			}
			_, err := m.Open()
			got := ""
			if unread := new(UnreadError); errors.As(err, &unread) {
				got = unread.Kind
			} else if err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("flags %#x: %q, want %q", flags, got, want)
			}
		}
	}
}
