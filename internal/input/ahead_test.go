package input

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/gzip"

	"example.org/refract/internal/testing/scantest"
)

// archive returns gzip of members whose sizes are drawn by size, most of them of what is
// hard to compress, and some that hold what looks like a member.
func archive(r *rand.Rand, total int, extra []byte, size func() int) []byte {
	noise := make([]byte, 1<<16)
	for i := range noise {
		noise[i] = byte(r.IntN(64))
	}
	var b bytes.Buffer
	for b.Len() < total {
		n, at := size(), r.IntN(len(noise))
		text := make([]byte, n)
		for i := range text {
			text[i] = noise[(at+i)%len(noise)]
		}
		level := gzip.DefaultCompression
		if r.IntN(5) == 0 {
			level = gzip.NoCompression
			for range n / 5000 {
				copy(text[r.IntN(n):], "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03")
			}
		}
		z, _ := gzip.NewWriterLevel(&b, level)
		z.Extra = extra
		z.Write(text)
		z.Close()
	}
	return b.Bytes()
}

// What is decompressed ahead is what is decompressed in turn, with the same error.
func TestAhead(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for name, size := range map[string]func() int{
		"small":    func() int { return r.IntN(30 << 10) },
		"tiny":     func() int { return r.IntN(20) },
		"large":    func() int { return 200<<10 + r.IntN(1<<20) },
		"too long": func() int { return maxAhead + r.IntN(1<<20) },
		"mixed": func() int {
			if r.IntN(30) == 0 {
				return 3 << 20
			}
			return r.IntN(10 << 10)
		},
		"false magics":  func() int { return r.IntN(300) },
		"empty members": func() int { return r.IntN(2) * r.IntN(100<<10) },
	} {
		if !scantest.IsLong() && name != "mixed" {
			continue
		}
		total := 3 << 20
		if name == "tiny" {
			total = minAhead + segment
		}
		var extra []byte
		if name == "false magics" { // in the heading of each member: nothing can be done in advance
			total, extra = minAhead+segment, bytes.Repeat([]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"), 100)
		}
		whole := archive(r, total, extra, size)
		for damage := range 8 {
			if damage > 4 && name != "mixed" {
				break
			}
			b := bytes.Clone(whole)
			switch damage {
			case 0:
			case 1: // cut off
				b = b[:minAhead+r.IntN(len(b)-minAhead)]
			case 2:
				b = append(b, "trailing bytes that are no member"...)
			case 3: // padding, which is no damage
				b = append(b, make([]byte, 1000)...)
			default:
				for range 1 << (damage - 4) {
					b[r.IntN(len(b))] ^= 1 << r.IntN(8)
				}
			}
			path := filepath.Join(t.TempDir(), "x.warc.gz")
			if err := os.WriteFile(path, b, 0o666); err != nil {
				t.Fatal(err)
			}
			read := func(open func() (io.ReadCloser, error)) string {
				f, err := open()
				if err != nil {
					return err.Error()
				}
				defer f.Close()
				sum := sha256.New()
				n, err := io.Copy(sum, f)
				return fmt.Sprintf("%d bytes, %x, %v", n, sum.Sum(nil)[:4], err)
			}
			want := read(func() (io.ReadCloser, error) { return Open(path) })
			for _, n := range []int{2, 5} {
				if got := read(func() (io.ReadCloser, error) { return OpenAhead(path, n) }); got != want {
					t.Errorf("%s, damage %d: %s, want %s", name, damage, got, want)
				}
			}
			f, _ := OpenAhead(path, 3) // closed before its end
			f.Read(make([]byte, 10))
			f.Close()
		}
	}
}
