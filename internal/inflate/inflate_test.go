package inflate

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	kflate "github.com/klauspost/compress/flate"

	"example.org/refract/internal/testing/scantest"
)

// A result is what a decoder makes of a stream.
type result struct {
	out  string
	rest int // bytes of the input that it left
	err  error
}

// limited reads at most this much, so that a fuzz input of a few bytes does not take a second.
const limited = 1 << 20

var reference = flate.NewReader(nil)

// standard is what compress/flate makes of src.
func standard(src []byte) result {
	r := bytes.NewReader(src)
	reference.(flate.Resetter).Reset(r, nil)
	out, err := io.ReadAll(io.LimitReader(reference, limited))
	return result{string(out), r.Len(), err}
}

// own is what a Reader makes of src, read from a buffer of the smallest size.
func own(z *Reader, src []byte, wrap func(io.Reader) io.Reader) result {
	in := bytes.NewReader(src)
	r := bufio.NewReaderSize(wrap(in), 512)
	z.Reset(r)
	out, err := io.ReadAll(io.LimitReader(z, limited))
	return result{string(out), in.Len() + r.Buffered(), err}
}

func whole(r io.Reader) io.Reader { return r }

// kind returns an error without the offset that it quotes.
func kind(err error) error {
	var corrupt flate.CorruptInputError
	if errors.As(err, &corrupt) {
		return flate.CorruptInputError(0)
	}
	return err
}

// check compares a Reader with compress/flate.
func check(t *testing.T, z *Reader, src []byte) {
	t.Helper()
	want := standard(src)
	compare(t, z, src, want, whole)
	z.ResetBytes(src)
	out, err := io.ReadAll(io.LimitReader(z, limited))
	if string(out) != want.out || kind(err) != kind(want.err) {
		t.Fatalf("%.200x: %d bytes, %v; want %d bytes, %v", src, len(out), err, len(want.out), want.err)
	}
}

// compare compares a Reader of what wrap makes of src with what is wanted.
func compare(t *testing.T, z *Reader, src []byte, want result, wrap func(io.Reader) io.Reader) {
	t.Helper()
	got := own(z, src, wrap)
	if got.out != want.out || kind(got.err) != kind(want.err) {
		t.Fatalf("%.200x: %d bytes, %v; want %d bytes, %v", src, len(got.out), got.err, len(want.out), want.err)
	}
	if want.err == nil && len(want.out) < limited && got.rest != want.rest {
		t.Fatalf("%.200x: %d bytes are left, want %d", src, got.rest, want.rest)
	}
}

// texts are of several kinds: of no length, random, of short and long distances, and larger than the window.
func texts() []string {
	rnd := rand.New(rand.NewPCG(1, 2))
	random := make([]byte, 100_000)
	few := make([]byte, 100_000)
	for i := range random {
		random[i] = byte(rnd.Uint32())
		few[i] = "aaaaaaaaaaaabbbbbbccc\n"[rnd.IntN(22)]
	}
	list := []string{"", "a", strings.Repeat("a", 1000), string(random), string(few), string(random[:32768]) + string(random[:32768])}
	page := largePage(2 * window)
	list = append(list, page, page[:5000])
	for n := 1; n < 40; n++ { // each distance that is less than a copy is wide, and some more
		list = append(list, strings.Repeat(string(random[:n]), 600/n))
	}
	return list
}

// largePage returns n bytes of HTML.
func largePage(n int) string {
	rnd := rand.New(rand.NewPCG(5, 6))
	words := strings.Fields("a page of the archive has links and text and the words of it come again in other places")
	var b strings.Builder
	for b.Len() < n {
		fmt.Fprintf(&b, `<li class="c%d"><a href="https://example.org/%x/">`, rnd.IntN(30), rnd.Uint32()>>12)
		for range rnd.IntN(12) {
			b.WriteString(words[rnd.IntN(len(words))] + " ")
		}
		b.WriteString("</a></li>\n")
	}
	return b.String()[:n]
}

func TestStreams(t *testing.T) {
	z := new(Reader)
	texts := texts()
	var b bytes.Buffer
	for level := flate.HuffmanOnly; level <= flate.BestCompression; level++ {
		if level > flate.BestSpeed && level < flate.BestCompression && !scantest.IsLong() {
			continue
		}
		w, err := flate.NewWriter(nil, level)
		if err != nil {
			t.Fatal(err)
		}
		k, err := kflate.NewWriter(nil, level)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			b.Reset()
			w.Reset(&b)
			io.WriteString(w, text[:len(text)/2])
			w.Flush()
			io.WriteString(w, text[len(text)/2:])
			w.Close()
			b.WriteString("what follows")
			check(t, z, b.Bytes())
			b.Reset()
			k.Reset(&b)
			io.WriteString(k, text)
			k.Close()
			check(t, z, b.Bytes())
		}
	}
}

// Made by zlib 1.2.13, level 9, with each of its strategies, and with all its kinds of flushes.
var strategies = []struct{ name, hex string }{
	{"default",
		"cdcc4712c2201400d0ab301c20ec1d60ecbdb7d8f59b10124d41821afbd5bd816bdf011e559c02f2b5f018f68d5139424406" +
			"910a859568490073a0043882d8453488244ab5c330092c154b8c20340c679823fa570dfc902f144be54ab5566f345bed4eb7" +
			"d71f0c47e3c9d49ecd17cbd57ab3ddc1de718527fde0700ca33851279d9af3e59addee8fe7ebfdf902"},
	{"Huffman only",
		"05c16752c0201006d0abecec01b2ff33c0d87bef5d3f1302d1902041c57e75df53d128904fb6d3ec738eb5882d0871b0d594" +
			"9c800d94c010c696541f1ccda9d12c7d1547c784216b2e6c4845a3403ed94eb3cf39d622b620c4c15653720236500243185b" +
			"527d7034a746b3f4551c1d1386acb9b021158d02f9643bcd3ee7588bd88210075b4dc909d840090c616c49f5c1d19c1acdd2" +
			"5771744c18b2e6c28600000000000000000000606171697965756d7d63736b7b67776fffe0f0e8f8e4f4ecfce2f2eafae6f6" +
			"eefe018f4d6b3be7fba7e7218c537c49737e7d7b2f1f9f5fdf3fbf7fff"},
	{"RLE",
		"7dc1575205211000c0ab4ccd0198ff574099734ecface32e0b28b0c8a262beba37b05b662d195c318342576b9e1199c63107" +
			"23c6628951b324d6c0a907e9a385a9740ac98b9c2c0287aab0a10699b56470c50c0a5dad7946641ac71c8c188b2546cd9258" +
			"03a71ea48f16a6d229242f72b2081caac2861a64d692c115332874b5e61991691c7330622c9618354b620d9c7a903e5a984a" +
			"a790bcc8c92270a80a1b6ae07f2c2c2e2dafacaead6f6c6e6defeceeed1f1c1e1d9f9c9ecdcf2f2eafae6f6eefeef9a1ebcd" +
			"609d7f7c0a318df9b94cf5e5f5adbd7f7c7e7dfffcfe01"},
	{"fixed",
		"b329b0b34954c8284a4db355ca282929b0d2d74fad48cc2dc849d5cb2f4ad74f54b24bb4d14fb45348cc4b51b0c9cc4d5728" +
			"2e4ab655d2cfd42bc84b575248cc29b155aa50b253b01954c624e2010e8e4ece2eae6eee1e9e5ede3ebe7efe018141c121a1" +
			"61e1119151d131b171f1098949c929a969e9199959d939b979f9058545c525a565e5159555d535b575f500"},
	{"flushes",
		"cccc4712c2201400d0ab301c20ec1d60ecbdb7d8f59b10124d41821afbd5bd816bdf011e559c02f2b5f018f68d5139424406" +
			"910a859568490073a0043882d8453488244ab5c330092c154b8c20340c679823fa570dfc902f144be54ab5566f345bed4eb7" +
			"d71f0c47e3c9d49ecd17cbd57ab3ddc1de718527fde0700ca33851279d9af3e59addee8fe7ebfdf9020000ffffb2190d30d2" +
			"020c000000ffffcccc4712c2201400d0ab301c20ec1d60ecbdb7d8f59b10124d41821afbd5bd816bdf011e559c02f2b5f018" +
			"f68d5139424406910a859568490073a0043882d8453488244ab5c330092c154b8c20340c679823fa570dfc902f144be54ab5" +
			"566f345bed4eb7d71f0c47e3c9d49ecd17cbd57ab3ddc1de718527fde0700ca33851279d9af3e59addee8fe7ebfdf90a3000"},
}

func TestStrategies(t *testing.T) {
	text := strings.Repeat(`<p><a href="http://example.org/a">a</a> and <img src="/i.png" alt="x"> `, 3) + strings.Repeat("a", 28)
	for c := byte(64); c < 128; c++ {
		text += string(c)
	}
	z := new(Reader)
	for _, s := range strategies {
		src, err := hex.DecodeString(s.hex)
		if err != nil {
			t.Fatal(err)
		}
		want := text
		if s.name == "flushes" {
			want = text + text + text
		}
		if got := own(z, src, whole); got.out != want || got.err != nil || got.rest != 0 {
			t.Errorf("%s: %q, %d bytes left, %v", s.name, got.out, got.rest, got.err)
		}
	}
}

// small returns streams that are small enough to damage them in each place.
func small(t *testing.T) (list [][]byte) {
	for _, s := range strategies {
		src, err := hex.DecodeString(s.hex)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, src)
	}
	return append(list, hostile()...)
}

func TestTruncated(t *testing.T) {
	z := new(Reader)
	for _, src := range small(t) {
		for n := 0; n < len(src); n += scantest.Amount(3, 1) {
			check(t, z, src[:n])
			compare(t, z, src[:n], standard(src[:n]), iotest.OneByteReader)
		}
	}
}

func TestDamaged(t *testing.T) {
	z := new(Reader)
	for _, src := range small(t) {
		for i := 0; i < 8*len(src); i += scantest.Amount(5, 1) {
			b := bytes.Clone(src)
			b[i/8] ^= 1 << (i % 8)
			check(t, z, b)
		}
	}
}

// A bitWriter writes deflate by hand.
type bitWriter struct {
	out []byte
	n   int
}

// number writes the lowest bit first, as header fields and extra bits are.
func (w *bitWriter) number(v, n int) {
	for ; n > 0; n-- {
		if w.n%8 == 0 {
			w.out = append(w.out, 0)
		}
		w.out[w.n/8] |= byte(v&1) << (w.n % 8)
		v >>= 1
		w.n++
	}
}

// lengths begins a last block with codes of these lengths, and writes each as four bits.
func (w *bitWriter) lengths(lit, dist []int) {
	w.number(1, 1)
	w.number(2, 2)
	w.number(len(lit)-257, 5)
	w.number(len(dist)-1, 5)
	w.number(15, 4)
	for _, s := range order {
		if s < 16 {
			w.number(4, 3)
		} else {
			w.number(0, 3)
		}
	}
	for _, n := range append(lit[:len(lit):len(lit)], dist...) {
		for i := 3; i >= 0; i-- {
			w.number(n>>i&1, 1)
		}
	}
}

// hostile returns streams that encoders do not write.
func hostile() (list [][]byte) {
	add := func(lit, dist map[int]int, nlit, ndist int, rest ...int) {
		var w bitWriter
		l, d := make([]int, nlit), make([]int, ndist)
		for i, n := range lit {
			l[i] = n
		}
		for i, n := range dist {
			d[i] = n
		}
		w.lengths(l, d)
		for _, v := range rest {
			w.number(v, 8)
		}
		list = append(list, w.out)
	}
	type m = map[int]int
	add(m{}, m{}, 257, 1, 0, 0)                                                // no codes
	add(m{256: 1}, m{}, 257, 1, 0, 0)                                          // one code, used
	add(m{256: 1}, m{}, 257, 1, 1, 0)                                          // the other bit
	add(m{256: 2}, m{}, 257, 1, 0, 0)                                          // one code of two bits
	add(m{97: 1}, m{}, 257, 1, 0, 0, 0)                                        // no end of block
	add(m{97: 1, 256: 2}, m{}, 257, 1, 0, 0)                                   // undersubscribed
	add(m{97: 1, 98: 1, 256: 1}, m{}, 257, 1, 0, 0)                            // oversubscribed
	add(m{97: 1, 256: 2, 257: 2}, m{}, 286, 30, 0, 7, 0, 0)                    // no distances
	add(m{97: 1, 256: 2, 257: 2}, m{0: 1}, 286, 30, 0x60, 0x70, 0xff)          // one distance
	add(m{97: 1, 256: 2, 257: 2}, m{0: 1, 1: 1}, 286, 30, 0x03, 0x70, 0xff)    // beyond the start
	add(m{97: 1, 256: 2, 257: 2}, m{1: 1, 2: 2}, 286, 30, 0x03, 0x70, 0xff)    // undersubscribed
	add(m{97: 1, 256: 2, 257: 2}, m{1: 1, 2: 1, 3: 1}, 286, 30, 3, 0x70, 0xff) // oversubscribed
	add(m{97: 1, 256: 2, 257: 2}, m{}, 288, 1, 0, 0)                           // too many symbols
	add(m{97: 1, 256: 2, 257: 2}, m{}, 258, 31, 0, 0)                          // too many distances
	deep := m{256: 15, 285: 15}
	for i := range 14 {
		deep[97+i] = i + 1
	}
	add(deep, m{0: 1, 29: 1}, 286, 30, 0x00, 0xff, 0xff, 0xff, 0x00, 0xfe, 0xff) // codes of 15 bits
	deepDist := m{}
	for i := range 15 {
		deepDist[i] = i + 1
	}
	deepDist[15] = 15
	add(m{97: 1, 256: 2, 257: 2}, deepDist, 286, 30, 0x00, 0xff, 0xff, 0x00, 0xfe, 0xff, 0xff)
	for _, s := range []string{
		"\x07", "\x06", // reserved
		"\x01\x01\x00\xfe\xffa",                    // stored
		"\x01\x01\x00\xff\xffa",                    // wrong complement of the length
		"\x00\x00\x00\xff\xff\x01\x00\x00\xff\xff", // stored, empty
		"\x1b\x03", "\xfb\xff\xff\xff", "\x4b\x04\x22", "\x4b\x04\x3e", "\x4b\x84\x03\x00", // fixed, with symbols that do not exist
		"\xed\xfd\x03", "\x05\xe0\x81\x08",
	} {
		list = append(list, []byte(s))
	}
	return list
}

func TestHostile(t *testing.T) {
	z := new(Reader)
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, src := range hostile() {
		for range 50 { // what follows: so much that the fast loop runs
			tail := make([]byte, 64)
			for i := range tail {
				tail[i] = byte(rnd.Uint32())
			}
			check(t, z, append(src[:len(src):len(src)], tail...))
		}
		check(t, z, src)
	}
}

// A Reader that is used again allocates nothing, however much it decodes.
func TestNoAllocation(t *testing.T) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(make([]byte, 1<<20))
	w.Close()
	m, in, buf := new(Member), new(bytes.Reader), make([]byte, 64<<10)
	r := bufio.NewReader(in)
	decode := func() {
		in.Reset(b.Bytes())
		r.Reset(in)
		if err := m.Reset(r); err != nil {
			t.Fatal(err)
		}
		for {
			_, err := m.Read(buf)
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	// Allocations are counted for the whole process: the runtime or another test may add some. What the Reader
	// allocates, it allocates in each run, and the average is rounded down.
	if n := testing.AllocsPerRun(25, decode); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// What has been decoded is returned before the rest of the input is there.
func TestWithoutWaiting(t *testing.T) {
	in, out := io.Pipe()
	w, _ := flate.NewWriter(out, 6)
	go func() {
		io.WriteString(w, "first")
		w.Flush()
	}()
	b := make([]byte, 100)
	z := new(Reader)
	z.Reset(bufio.NewReader(in))
	n, err := z.Read(b)
	if string(b[:n]) != "first" || err != nil {
		t.Errorf("%q, %v", b[:n], err)
	}
	in.Close()
}

func FuzzReader(f *testing.F) {
	for _, s := range strategies {
		src, err := hex.DecodeString(s.hex)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	for _, src := range hostile() {
		f.Add(src)
	}
	z := new(Reader)
	f.Fuzz(func(t *testing.T, src []byte) { check(t, z, src) })
}

// FuzzText compresses, damages one byte, and compares.
func FuzzText(f *testing.F) {
	f.Add([]byte("a text, a text, a text"), 6, 5, byte(0))
	f.Add([]byte(strings.Repeat("<p>text</p>", 100)), 1, 9, byte(1))
	z := new(Reader)
	var writers [flate.BestCompression + 1]*flate.Writer
	f.Fuzz(func(t *testing.T, text []byte, level, at int, change byte) {
		if uint(level) >= uint(len(writers)) {
			t.Skip()
		}
		if writers[level] == nil {
			writers[level], _ = flate.NewWriter(nil, level)
		}
		var b bytes.Buffer
		w := writers[level]
		w.Reset(&b)
		w.Write(text)
		w.Close()
		src := b.Bytes()
		if uint(at) < uint(len(src)) {
			src[at] ^= change
		}
		check(t, z, src)
	})
}

// BenchmarkReader decodes pages of 10 kB, as archives of crawlers have them, and one of 1 MB.
func BenchmarkReader(b *testing.B) {
	page := largePage(1 << 20)
	z := new(Reader)
	readers := []struct {
		name  string
		r     io.Reader
		reset func(*bufio.Reader)
	}{
		{"own", z, z.Reset},
		{"klauspost", kflate.NewReader(nil), nil},
		{"standard", flate.NewReader(nil), nil},
	}
	for _, size := range []int{10_000, 1_000_000} {
		var src bytes.Buffer
		w, _ := flate.NewWriter(&src, 6)
		io.WriteString(w, page[:size])
		w.Close()
		for _, d := range readers {
			b.Run(fmt.Sprintf("%d/%s", size, d.name), func(b *testing.B) {
				b.SetBytes(int64(size))
				in, buf := new(bytes.Reader), make([]byte, 64<<10)
				r := bufio.NewReaderSize(in, 64<<10)
				for b.Loop() {
					in.Reset(src.Bytes())
					r.Reset(in)
					if d.reset != nil {
						d.reset(r)
					} else {
						d.r.(flate.Resetter).Reset(r, nil)
					}
					for {
						_, err := d.r.Read(buf)
						if err == io.EOF {
							break
						}
						if err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		}
	}
}
