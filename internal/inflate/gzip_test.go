package inflate

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
)

// gzipMember is a member with everything that a header may have.
func gzipMember(text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Name, w.Comment, w.Extra = "n\xe4me", "comment", []byte("extra")
	io.WriteString(w, text)
	w.Close()
	return b.Bytes()
}

// checkMember compares a Member with compress/gzip, except that bits of the header that are reserved are an error here.
func checkMember(t *testing.T, src []byte) {
	t.Helper()
	in := bytes.NewReader(src)
	z := new(gzip.Reader)
	wantErr := z.Reset(in)
	var want []byte
	if wantErr == nil && src[3]&reserved != 0 {
		wantErr = gzip.ErrHeader
	}
	if wantErr == nil {
		z.Multistream(false)
		want, wantErr = io.ReadAll(io.LimitReader(z, limited))
	}
	if len(src) > 0 {
		wantErr = truncated(wantErr)
	}
	rest := in.Len()

	in.Reset(src)
	r := bufio.NewReaderSize(in, 512)
	m := new(Member)
	err := m.Reset(r)
	var got []byte
	if err == nil {
		got, err = io.ReadAll(io.LimitReader(m, limited))
	}
	if !bytes.Equal(got, want) || kind(err) != kind(wantErr) {
		t.Fatalf("%.200x: %.200q, %v; want %.200q, %v", src, got, err, want, wantErr)
	}
	left := in.Len() + r.Buffered()
	if err == nil && len(want) < limited && left != rest {
		t.Fatalf("%.200x: %d bytes are left, want %d", src, left, rest)
	}
}

func TestMember(t *testing.T) {
	src := gzipMember("text, text, text")
	src[3] |= hasSum // which is wrong
	checkMember(t, src)
	src[3] &^= hasSum
	for n := range len(src) + 1 {
		checkMember(t, src[:n])
	}
	for i := range 8 * len(src) {
		b := bytes.Clone(src)
		b[i/8] ^= 1 << (i % 8)
		checkMember(t, append(b, "next"...))
	}
	for _, n := range []int{511, 512, 513} {
		checkMember(t, []byte("\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\x00"+strings.Repeat("n", n)+"\x00\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	}
	checkMember(t, []byte("\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\x00\xd0\x07"+strings.Repeat("e", 2000)+"\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	checkMember(t, []byte("\x1f\x8b\x08\x02\x00\x00\x00\x00\x00\x00\x17\x2d\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
}

func FuzzMember(f *testing.F) {
	f.Add(gzipMember(""))
	f.Add(append(gzipMember("text, text, text"), "next"...))
	f.Fuzz(checkMember)
}
