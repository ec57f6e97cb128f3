package container

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// readAll reads all members, at most max bytes of each, and returns the number of members and bytes.
func readAll(t testing.TB, src []byte, max int64) (number int, size int64, failed error) {
	t.Helper()
	for m, err := range members(src) {
		if err != nil {
			return number, size, err
		}
		number++
		if len(m.Name) > maxName {
			t.Errorf("a name of %d bytes", len(m.Name))
		}
		r, err := m.Open()
		if err != nil {
			continue
		}
		n, _ := io.Copy(io.Discard, io.LimitReader(r, max))
		size += n
		if c, ok := r.(io.Closer); ok {
			c.Close()
		}
	}
	return number, size, nil
}

func packZip(t testing.TB, write func(z *zip.Writer)) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	write(z)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// overlapping returns a ZIP archive of n members that all have the same bytes, in the manner of David
// Fifield's bomb.
func overlapping(n int) []byte {
	kernel := []byte(strings.Repeat("http://h.example/ ", 100))
	name := []byte("a.txt")
	local := make([]byte, localSize, localSize+len(kernel)+9)
	copy(local, localMagic)
	binary.LittleEndian.PutUint16(local[26:], uint16(len(name)))
	src := append(append(local, name...), kernel...)
	start := len(src)
	for range n {
		head := make([]byte, directorySize)
		copy(head, directoryMagic)
		binary.LittleEndian.PutUint32(head[16:], crc32.ChecksumIEEE(kernel))
		binary.LittleEndian.PutUint32(head[20:], uint32(len(kernel)))
		binary.LittleEndian.PutUint32(head[24:], uint32(len(kernel)))
		binary.LittleEndian.PutUint16(head[28:], uint16(len(name)))
		src = append(append(src, head...), name...)
	}
	end := make([]byte, endSize)
	copy(end, endMagic)
	binary.LittleEndian.PutUint16(end[8:], uint16(n))
	binary.LittleEndian.PutUint16(end[10:], uint16(n))
	binary.LittleEndian.PutUint32(end[12:], uint32(len(src)-start))
	binary.LittleEndian.PutUint32(end[16:], uint32(start))
	return append(src, end...)
}

// Members that share bytes are read once.
func TestOverlap(t *testing.T) {
	number, size, err := readAll(t, overlapping(1000), 1<<20)
	if number != 1000 || size != 1800 || err != nil {
		t.Errorf("%d members, %d bytes, %v", number, size, err)
	}
}

// A directory with more entries than are read is not read to its end.
func TestMany(t *testing.T) {
	src := packZip(t, func(z *zip.Writer) {
		for i := range 100 {
			if _, err := z.Create(fmt.Sprint(i)); err != nil {
				t.Fatal(err)
			}
		}
	})
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := range 100 {
		if err := w.WriteHeader(&tar.Header{Name: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	for _, all := range []func(yield func(Member, error) bool){Zip(bytes.NewReader(src), int64(len(src)), 40), Tar(&b, 40)} {
		n := 0
		for _, err := range all {
			if err == nil {
				n++
				continue
			}
			if unread, ok := errors.AsType[*UnreadError](err); !ok || unread.Kind != "large archive" {
				t.Error(err)
			}
		}
		if n != 40 {
			t.Errorf("%d members", n)
		}
	}
}

// The sizes in the directory do not count for more than the data.
func TestLyingSizes(t *testing.T) {
	text := strings.Repeat("http://h.example/ ", 100)
	src := packZip(t, func(z *zip.Writer) {
		w, err := z.Create("a.txt")
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, text)
	})
	at := bytes.LastIndex(src, []byte(directoryMagic))
	for _, tt := range []struct {
		field int
		value uint32
		size  int
		want  string
	}{
		{24, 10, 10, "zip: the member has more bytes than the directory says"},
		{24, 0xfffffffe, len(text), "unexpected EOF"},
		{20, 0xfffffffe, 0, "zip: the member reaches beyond the archive"},
		{20, 3, -1, "unexpected EOF"},
		{42, 7, 0, "zip: there is no member where the directory says"},
		{42, 0xfffffffe, 0, "zip: there is no member where the directory says"},
		{16, 1, len(text), "zip: the checksum is wrong"},
	} {
		lying := bytes.Clone(src)
		binary.LittleEndian.PutUint32(lying[at+tt.field:], tt.value)
		for m, err := range members(lying) {
			if err != nil {
				t.Fatal(err)
			}
			var got []byte
			r, err := m.Open()
			if err == nil {
				got, err = io.ReadAll(r)
			}
			if err == nil || err.Error() != tt.want || tt.size >= 0 && len(got) != tt.size {
				t.Errorf("field %d is %d: %d bytes, %v", tt.field, tt.value, len(got), err)
			}
		}
	}
}

// Names are cut, and end before a NUL.
func TestNames(t *testing.T) {
	for _, tt := range []struct {
		name string
		isPC bool
		want string
	}{
		{"a/b.html", true, "a/b.html"},
		{"../../etc/passwd", true, "../../etc/passwd"},
		{"a\x00b.html", true, "a"},
		{"\x81\x94.txt", true, "üö.txt"},
		{"\x81\x94.txt", false, "\x81\x94.txt"},
		{"ü.txt", true, "ü.txt"},
		{strings.Repeat("x", 65530) + ".html", true, strings.Repeat("x", maxName-5) + ".html"},
		{"\x00b.html", true, ""},
		{strings.Repeat("x", maxName), true, strings.Repeat("x", maxName)},
		{strings.Repeat("x", maxName) + "y", true, strings.Repeat("x", maxName-1) + "y"},
		{"x" + strings.Repeat("ü", 3000) + ".html", true, "x" + strings.Repeat("ü", maxName/2-3) + ".html"},
		{"x" + strings.Repeat("ü", 3000) + ".htm", true, "x" + strings.Repeat("ü", maxName/2-3) + ".htm"}, // not the first half of one
		{strings.Repeat("\x80", 5000), false, strings.Repeat("\x80", maxName-16)},
	} {
		got := shownName([]byte(tt.name), tt.isPC)
		if got != tt.want {
			t.Errorf("%.40q: %.40q of %d bytes", tt.name, got, len(got))
		}
	}
}

// A hole of a sparse file takes no room in the archive, and is read only up to a limit.
func TestSparse(t *testing.T) {
	src, err := os.ReadFile("testdata/archives/sparse.tar")
	if err != nil {
		t.Fatal(err)
	}
	// The header has the size of the file at 483, and each data block as offset and size at 386.
	huge := bytes.Clone(src)
	copy(huge[483:], fmt.Sprintf("%011o\x00", int64(1)<<32))
	sum := 0
	copy(huge[148:], "        ")
	for _, c := range huge[:blockSize] {
		sum += int(c)
	}
	copy(huge[148:], fmt.Sprintf("%06o\x00 ", sum))
	number, size, err := readAll(t, huge, 1<<40)
	if number != 1 || size > maxSparse || err != nil {
		t.Errorf("%d members, %d bytes, %v", number, size, err)
	}
}

// Anything may be in an archive: no panic, and no more bytes than it can stand for.
func TestMutated(t *testing.T) {
	files, _ := filepath.Glob("testdata/archives/*")
	rounds := scantest.Amount(1000, 20_000)
	random := rand.New(rand.NewPCG(1, 2))
	opened := 0
	for i := range rounds {
		src, err := os.ReadFile(files[i%len(files)])
		if err != nil {
			t.Fatal(err)
		}
		number, size, _ := readAll(t, mutated(random, src), 1<<30)
		if number > 0 {
			opened++
		}
		if size > maxSparse+1032*int64(len(src)) {
			t.Errorf("%s: %d bytes of %d", files[i%len(files)], size, len(src))
		}
	}
	if opened < rounds/4 {
		t.Errorf("only %d of %d have a member", opened, rounds)
	}
}

// mutated returns src with a few changes, most of them in headers.
func mutated(random *rand.Rand, src []byte) []byte {
	src = bytes.Clone(src)
	for range 1 + random.IntN(4) {
		at := random.IntN(len(src))
		if magics := []string{directoryMagic, localMagic, endMagic, end64Magic}; random.IntN(3) > 0 {
			if i := bytes.LastIndex(src[:at], []byte(magics[random.IntN(len(magics))])); i >= 0 {
				at = min(i+random.IntN(directorySize), len(src)-1)
			}
		}
		switch random.IntN(6) {
		case 0:
			src[at] ^= 1 << random.IntN(8)
		case 1:
			src[at] = 0xff
		case 2:
			src[at] = 0
		case 3:
			copy(src[at:], "\xff\xff\xff\xff")
		case 4:
			src = append(src[:at], src[min(len(src), at+1+random.IntN(64)):]...)
		case 5:
			src = append(src[:at:at], append(bytes.Clone(src[max(0, at-random.IntN(600)):at]), src[at:]...)...)
		}
		if len(src) == 0 {
			return []byte{0}
		}
	}
	return src
}

// Time is linear in the archive.
func TestLinear(t *testing.T) {
	scantest.Linear(t, "overlapping members", 0, func() { readAll(t, overlapping(5_000), 1<<20) }, func() { readAll(t, overlapping(20_000), 1<<20) })
	// A comment full of signatures, of which each is examined: it has at most 64 KiB, which takes half a millisecond.
	ends := func(n int) []byte {
		src := overlapping(1)
		return append(src[:len(src)-endSize], strings.Repeat(endMagic, n)...)
	}
	readAll(t, ends(16_000), 1)
}

func FuzzMembers(f *testing.F) {
	files, _ := filepath.Glob("testdata/archives/*")
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Add(overlapping(3))
	f.Fuzz(func(t *testing.T, src []byte) {
		_, size, _ := readAll(t, src, 1<<24)
		if size > maxSparse+1<<16*int64(len(src)) { // the ratio of zstd
			t.Errorf("%d bytes of %d", size, len(src))
		}
	})
}
