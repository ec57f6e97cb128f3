package input

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"testing/iotest"

	"example.org/refract/internal/testing/scantest"
)

// lines is text with as many lines, in which more and more repeats.
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "http://a/%d/%x/%d\n", i, int64(i)*int64(i)*7919, i%10)
	}
	return b.String()
}

// compressed is src as compress(1) has it, with codes of at most so many bits. A code
// clears the table after each clearing codes, if that is not 0.
func compressed(src string, bits int, block bool, clearing int) string {
	out := []byte{0x1f, 0x9d, byte(bits)}
	first := 256
	if block {
		out[2] |= lzwBlock
		first++
	}
	table := map[string]int{}
	free, known, width, at := first, first, 9, 0 // known is free to the reader
	group := make([]byte, 0, 20)
	pad := func() {
		if at > 0 {
			out = append(out, append(group, make([]byte, 20)...)[:width]...)
		}
		group, at = group[:0], 0
	}
	emit := func(code int) {
		if known == 1<<width && width < max(10, bits) {
			pad()
			width++
		}
		for i := range width {
			if at%8 == 0 {
				group = append(group, 0)
			}
			group[at/8] |= byte(code >> i & 1 << (at % 8))
			at++
		}
		if at == 8*width {
			pad()
		}
	}
	for i, n := 0, 0; i < len(src); n++ {
		if clearing > 0 && n == clearing {
			emit(256)
			pad()
			clear(table)
			free, known, width, n = first, first, 9, 0
		}
		j, code := i+1, int(src[i])
		for ; j < len(src); j++ {
			next, ok := table[src[i:j+1]]
			if !ok {
				break
			}
			code = next
		}
		emit(code)
		if n > 0 && known < 1<<bits {
			known++
		}
		if j < len(src) && free < 1<<bits {
			table[src[i:j+1]] = free
			free++
		}
		i = j
	}
	return string(append(out, group...))
}

func TestCompress(t *testing.T) {
	for bits := 9; bits <= 16; bits += scantest.Amount(7, 1) {
		for _, n := range []int{0, 1, 30, 3000} {
			for _, clearing := range []int{-1, 0, 1, 7, 255, 256, 1000, 30000} {
				src := lines(n)
				got, err := uncompress(compressed(src, bits, clearing >= 0, clearing))
				if err != nil || got != src {
					t.Errorf("%d bits, %d lines, clearing %d: %d bytes of %d, %v", bits, n, clearing, len(got), len(src), err)
				}
			}
		}
	}
	// So it is what ncompress 4.2.4.6 makes of it.
	if sum := fmt.Sprintf("%.4x", sha256.Sum256([]byte(compressed(lines(5000), 16, true, 0)))); sum != "60d2e793" {
		t.Error(sum)
	}
}

func uncompress(data string) (string, error) {
	r, err := openCompress(iotest.OneByteReader(strings.NewReader(data)))
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(r)
	return string(b), err
}

// Against compress itself, which clears the table where text changes.
func TestCompressItself(t *testing.T) {
	exe, err := exec.LookPath("compress")
	if err != nil {
		t.Skip(err)
	}
	noise := make([]byte, 400000)
	rand.NewChaCha8([32]byte{}).Read(noise)
	src := lines(40000) + strings.Repeat("x", 300000) + string(noise) + lines(1000)
	for bits := 10; bits <= 16; bits++ { // see openCompress
		cmd := exec.Command(exe, "-c", "-f", "-b", fmt.Sprint(bits))
		cmd.Stdin = strings.NewReader(src)
		data, err := cmd.Output()
		if err != nil {
			t.Skip(err)
		}
		if got, err := uncompress(string(data)); err != nil || got != src {
			t.Errorf("%d bits: %d bytes of %d, %v", bits, len(got), len(src), err)
		}
	}
}

func BenchmarkCompress(b *testing.B) {
	src := lines(50000)
	data := []byte(compressed(src, 16, true, 0))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		r, _ := openCompress(bytes.NewReader(data))
		io.Copy(io.Discard, r)
	}
}
