package input

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// Whatever byte of a file is wrong, all members are read but the one to which it belongs, and the error says which one that is.
func TestDamagedByte(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for suffix, compress := range map[string]func(string) string{
		".gz": gz, ".zst": zst, ".lz4": lz4Checked,
	} {
		s := memberTexts(5, compress)
		name := filepath.Join(t.TempDir(), "a.warc"+suffix)
		step := 1
		if !scantest.IsLong() {
			step = 7
		}
		lost, told := 0, 0
		for i := 0; i < len(s.file); i += step {
			data := bytes.Clone(s.file)
			data[i] ^= byte(1 + r.IntN(255))
			err := os.WriteFile(name, data, 0o666)
			if err != nil {
				t.Fatal(err)
			}
			got, err := read(name)
			at := 0
			for k, text := range s.records {
				if i >= s.at[k+1] {
					at = k + 1
				}
				if isDamaged := i >= s.at[k] && i < s.at[k+1]; !isDamaged && !strings.Contains(got, text) {
					lost++
					t.Logf("%s: byte %d of member %d: member %d is lost: %v", suffix, i-s.at[at], at, k, err)
				}
			}
			var damaged *DamagedError
			switch {
			case !errors.As(err, &damaged):
				if err != nil || got != strings.Join(s.records, "") {
					t.Errorf("%s: byte %d of member %d: %v", suffix, i-s.at[at], at, err)
				}
			case damaged.list[0].offset != int64(s.at[at]):
				t.Errorf("%s: byte %d of the member at %d: %v", suffix, i-s.at[at], s.at[at], err)
			default:
				told++
			}
		}
		if told == 0 || lost > 0 {
			t.Errorf("%s: %d damages of %d bytes, %d members lost", suffix, told, len(s.file), lost)
		}
	}
}

// memberTexts returns an archive of n members with texts that differ.
func memberTexts(n int, compress func(string) string) (s stored) {
	for i := range n {
		var b strings.Builder
		for k := range 12 {
			fmt.Fprintf(&b, "member %d line %d %x\n", i, k, i*7919+k*k*31)
		}
		s.records = append(s.records, b.String())
		s.at = append(s.at, len(s.file))
		s.file = append(s.file, compress(b.String())...)
	}
	s.at = append(s.at, len(s.file))
	return s
}

// A file in which every few bytes look like a member that fails late is read at most twice.
func TestDamageLinear(t *testing.T) {
	for suffix, fake := range map[string]string{
		".gz":  "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x00\xff\xff\x00\x00", // a block of 65,535 bytes, as they are
		".zst": "\x28\xb5\x2f\xfd\x04\x58\x00\x00\x08",                         // a block of 64 KiB, as they are
		".lz4": lz4Checked("")[:7] + "\x00\x00\x01\x80",                        // likewise
	} {
		var sizes [2]int64 // of what is decompressed
		for i, n := range []int{1 << 16, 1 << 18} {
			r, ok, err := Unpack("a"+suffix, false, strings.NewReader(strings.Repeat(fake, n)), maxWindow)
			if err != nil || !ok {
				t.Fatal(suffix, ok, err)
			}
			sizes[i], err = io.Copy(io.Discard, r)
			if err == nil {
				t.Errorf("%s: no error", suffix)
			}
		}
		t.Log(suffix, sizes)
		if sizes[1] > 5*sizes[0]+1<<20 {
			t.Errorf("%s: %d bytes, then %d", suffix, sizes[0], sizes[1])
		}
	}
}

// lz4Checked returns a frame of one block, with a checksum.
func lz4Checked(text string) string {
	head := []byte("\x64\x70")
	b := append([]byte(lz4Magic), head...)
	b = append(b, byte(xxh32Of(head)>>8))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text))|1<<31)
	b = append(append(b, text...), 0, 0, 0, 0)
	return string(binary.LittleEndian.AppendUint32(b, xxh32Of([]byte(text))))
}

// Whatever block of a file is overwritten, its bytes are in the extents that are told, and no member that is whole begins in one.
func TestDamagedBlock(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for suffix, compress := range map[string]func(string) string{
		".gz": gz, ".zst": zst, ".lz4": lz4Checked,
	} {
		s := memberTexts(40, compress)
		for range 60 {
			size := 1 + r.IntN(len(s.file)/2)
			from := r.IntN(len(s.file) - size)
			data := bytes.Clone(s.file)
			for i := range size {
				data[from+i] ^= byte(1 + r.IntN(255))
			}
			in, _, err := Unpack("a.warc"+suffix, true, bytes.NewReader(data), maxWindow)
			if err == nil {
				_, err = io.Copy(io.Discard, in)
			}
			var damaged *DamagedError
			if !errors.As(err, &damaged) {
				t.Errorf("%s: no error for %d bytes at %d: %v", suffix, size, from, err)
				continue
			}
			told := from
			for at := range damaged.Untold() {
				if at.Offset <= int64(told) {
					told = max(told, int(at.Offset+at.Length))
				}
				for k, start := range s.at[:len(s.records)] {
					isWhole := s.at[k+1] <= from || start >= from+size
					if isWhole && int64(start) >= at.Offset && int64(start) < at.Offset+at.Length {
						t.Errorf("%s: %d bytes at %d: the member at %d is in the extent %v", suffix, size, from, start, at)
					}
				}
			}
			if told < from+size {
				t.Errorf("%s: of the %d bytes at %d, those from %d are not told", suffix, size, from, told)
			}
		}
	}
}
