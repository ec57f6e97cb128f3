package input

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

const text = "http://a/b/c/d;p?q\n"

func unbase64(s string) string {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// text by bzip2 1.0.8, xz 5.4 and ncompress 4.2.4.6.
var (
	z      = unbase64("H52QaOjQgaPjxYswL8S8GPOCzA44P+IoAA==")
	bz     = unbase64("QlpoOTFBWSZTWeIj/M8AAAbZgAAQAACAGLxAZAAgACIABoIBoADNNWNSCK+0L3i7kinChIcRH+Z4")
	xzText = unbase64("/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQASaHR0cDovL2EvYi9jL2Q7cD9xCgAAsEhj4W/Y7IcAASsTnAlI0h+2830BAAAAAARZWg==")
)

// countedOf returns the reader of a compressed file.
func countedOf(r io.Reader) *counted {
	c := &counted{file: r}
	c.r = bufio.NewReader(c)
	return c
}

func gz(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

func zst(s string) string {
	w, _ := zstd.NewWriter(nil)
	return string(w.EncodeAll([]byte(s), nil))
}

// The dictionary in front of an archive of a crawler, as it is and compressed.
func TestZstdDict(t *testing.T) {
	var samples [][]byte
	for i := range 200 {
		samples = append(samples, fmt.Appendf(nil, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/%d/%x\r\nContent-Length: %d\r\n\r\n", i, i*i*7919, i*31))
	}
	dict, err := zstd.BuildDict(zstd.BuildDictOptions{ID: 7, Contents: samples, History: bytes.Join(samples[:20], nil), Offsets: [3]int{1, 4, 8}})
	if err != nil {
		t.Fatal(err)
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderDict(dict))
	if err != nil {
		t.Fatal(err)
	}
	one := string(samples[50])
	body := string(w.EncodeAll(samples[50], nil))
	frame := func(content string) string {
		return "\x5d\x2a\x4d\x18" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(content)))) + content
	}
	for _, tt := range []struct{ name, data, want, err string }{
		{"plain.zst", frame(string(dict)) + body + body, one + one, ""},
		{"compressed.zst", frame(zst(string(dict))) + body + body, one + one, ""},
		{"with others.zst", frame(string(dict)) + body + zst(text), one + text, ""},
		{"none.zst", body, "", "unknown dictionary"},
		{"something else.zst", frame("xxxxxxxx") + zst(text), text, ""},
		{"cut.zst", frame(string(dict))[:100], "", "unexpected EOF"},
		{"large.zst", "\x5d\x2a\x4d\x18\xff\xff\xff\x7f\x37\xa4\x30\xec", "", "zstd: a dictionary of 2147483647 bytes"},
		{"no dictionary.zst", frame(zst(text)) + zst(text), "", "zstd: the preceding frame contains no dictionary"},
	} {
		path := filepath.Join(t.TempDir(), tt.name)
		if err := os.WriteFile(path, []byte(tt.data), 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := read(path)
		check(t, path, got, err, tt.want, tt.err)
	}
}

func TestOpen(t *testing.T) {
	big := strings.Repeat(text, 20000)
	for _, tt := range []struct{ name, data, want, err string }{
		{"plain", text, text, ""},
		{"empty.gz", "", "", ""},
		{"plain.gz", text, text, ""},
		{"short.gz", "\x1f\x8b", "\x1f\x8b", ""},
		{"plain.bz2", "BZh9 is text", "BZh9 is text", ""},
		{"gz.txt", gz(text), gz(text), ""},
		{"a.gz", gz(text), text, ""},
		{"A.GZ", gz(text), text, ""},
		{"two.gz", gz(text) + gz(text), text + text, ""},
		{"a.bz2", bz, text, ""},
		{"two.bz2", bz + bz, text + text, ""},
		{"a.xz", xzText, text, ""},
		{"two.xz", xzText + xzText, text + text, ""},
		{"a.zst", zst(text), text, ""},
		{"two.zst", zst(text) + zst(text), text + text, ""},
		{"skip.zst", "\x50\x2a\x4d\x18\x02\x00\x00\x00xx" + zst(text), text, ""},
		{"big.zst", zst(big), big, ""},

		{"a.Z", z, text, ""},
		{"a.z", z, text, ""},
		{"plain.Z", "\x1f\x9d is text", "\x1f\x9d is text", ""},
		{"cut.Z", z[:len(z)-3], text[:len(text)-3], ""},
		{"first.Z", "\x1f\x9d\x90\x01\x01", "", "compress: invalid code"},
		{"later.Z", z[:len(z)-6] + "\xff\xff\xff\xff\xff\xff", text[:14], "compress: invalid code"},

		{"c", "#! cunbatch\n" + z, text, ""},
		{"g.bz2", "#! gunbatch\n" + gz(text), text, ""},
		{"z.gz", "#! zunbatch\n" + gz(text) + gz(text), text + text, ""},
		{"b", "#! bunbatch\n" + bz, text, ""},
		{"other", "#! cunbatch\n" + gz(text), text, ""},
		{"once", "#! gunbatch\n" + gz("#! gunbatch\n"+gz(text)), "#! gunbatch\n" + gz(text), ""},
		{"c7", "#! c7unbatch\ntext", "#! c7unbatch\ntext", ""},
		{"plain batch", "#! rnews 19\n" + text, "#! rnews 19\n" + text, ""},
		{"script", "#!/bin/unbatch", "#!/bin/unbatch", ""},
		{"long line", "#! " + strings.Repeat("x", maxBatchLine) + "unbatch\n" + gz(text), "#! " + strings.Repeat("x", maxBatchLine) + "unbatch\n" + gz(text), ""},
		{"cut batch", "#! gunbatch\n" + gz(text)[:len(gz(text))-4], text, "unexpected EOF"},

		{"head.gz", gz(text)[:5], "", "unexpected EOF"},
		{"cut.gz", gz(text)[:len(gz(text))-4], text, "unexpected EOF"},
		{"sum.gz", gz(text)[:len(gz(text))-8] + "\x00\x00\x00\x00\x13\x00\x00\x00", text, "gzip: invalid checksum"},
		{"tail.gz", gz(text) + "tail of no gzip", text, "gzip: invalid header"},
		{"between.gz", gz(text) + "x\x1f\x8b\x08xxx" + gz(text) + gz(text), text + text + text, "gzip: invalid header"},
		{"middle.gz", gz(text) + damaged(text) + gz(text), text + text, "flate: corrupt input before offset 1"},
		{"sum in the middle.gz", gz(text)[:len(gz(text))-8] + "\x00\x00\x00\x00\x13\x00\x00\x00" + gz(big) + gz(text), text + big + text, "gzip: invalid checksum"},
		{"far.gz", gz(text) + strings.Repeat("\x1f\x8b\x08\xff", 50_000) + gz(text) + "\x1f\x8b", text + text, "gzip: invalid header"},
		{"a.gz.open", gz(text), text, ""},
		{"plain.open", text, text, ""},
		{"cut.bz2", bz[:len(bz)-8], text, "unexpected EOF"},
		{"cut.xz", xzText[:len(xzText)-8], text, "xz: data is truncated or corrupt"},
		{"cut.zst", zst(text) + zst(text)[:9], text, "unexpected EOF"},
		{"dict.xz", xzDict(40), "", "xz: LZMA2 dictionary size exceeds max"},
		{"window.zst", "\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00", "", "window size exceeded"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), tt.name)
			if err := os.WriteFile(path, []byte(tt.data), 0o666); err != nil {
				t.Fatal(err)
			}
			got, err := read(path)
			check(t, path, got, err, tt.want, tt.err)
		})
	}
}

// damaged is a member whose deflate is none.
func damaged(s string) string {
	b := []byte(gz(s))
	b[10] = 0xff
	return string(b)
}

func read(path string) (string, error) {
	r, err := Open(path)
	if err != nil {
		return "", err
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	return string(b), err
}

func check(t *testing.T, path, got string, err error, want, wantErr string) {
	t.Helper()
	if got != want {
		t.Errorf("%.80q, want %.80q", got, want)
	}
	switch {
	case err == nil && wantErr == "":
	case err == nil || wantErr == "" || !strings.HasSuffix(err.Error(), wantErr):
		t.Errorf("error %v, want %q", err, wantErr)
	case !strings.HasPrefix(err.Error(), "input: ") || !strings.Contains(err.Error(), filepath.Base(path)):
		t.Errorf("error %v does not name %s", err, path)
	}
}

// xzDict is xzText with the dictionary size of its block replaced: 40 is 4 GiB.
func xzDict(size byte) string {
	b := []byte(xzText)
	h := b[12 : 12+(int(b[12])+1)*4]
	h[4] = size
	binary.LittleEndian.PutUint32(h[len(h)-4:], crc32.ChecksumIEEE(h[:len(h)-4]))
	return string(b)
}

// A header that declares much must not make its reader allocate it.
func TestOpenMemory(t *testing.T) {
	for name, data := range map[string]string{
		"4GiB.xz":    xzDict(40),
		"256MiB.zst": "\x28\xb5\x2f\xfd\x00\x90\x01\x00\x00",
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		read(path)
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
			t.Errorf("%s: %d bytes allocated", name, n)
		}
	}
}

func TestOpenStdin(t *testing.T) {
	old := os.Stdin
	defer func() { os.Stdin = old }()
	for _, tt := range []struct{ data, want string }{
		{"", ""}, {text, text}, {gz(text), text}, {bz, text}, {xzText, text}, {zst(text), text},
		{z, text}, {"#! cunbatch\n" + z, text}, {"#! rnews 19\n" + text, "#! rnews 19\n" + text},
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, tt.data)
		w.Close()
		os.Stdin = r
		got, err := read("-")
		check(t, "-", got, err, tt.want, "")

		// A file, read from where it stands.
		f, err := os.Create(filepath.Join(t.TempDir(), "f"))
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, "head"+tt.data)
		f.Seek(4, io.SeekStart)
		os.Stdin = f
		got, err = read("-")
		check(t, "-", got, err, tt.want, "")
		if _, err := read("-"); err != nil {
			t.Error("closed:", err)
		}
		r.Close()
		f.Close()
	}
}

// Plain files come back as what they are, without a layer.
func TestOpenPlain(t *testing.T) {
	for _, name := range []string{"a", "a.gz"} {
		path := filepath.Join(t.TempDir(), name)
		os.WriteFile(path, []byte(text), 0o666)
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := r.(*os.File); !ok {
			t.Errorf("%s: %T", name, r)
		}
		r.Close()
	}
	_, err := Open("missing.gz")
	check(t, "missing.gz", "", err, "", noSuchFile())
}

func TestInner(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"list.mbox.gz", "list.mbox"}, {"list.mbox.gz.open", "list.mbox"}, {"a.open", "a.open"}, {"d/a.XZ", "d/a"}, {"a.tgz", "a.tar"}, {"d/a.TXZ", "d/a.tar"}, {"a.taz", "a.tar"}, {"a.taZ", "a.tar"}, {".tgz", ".tgz"},
		{"a", "a"}, {".gz", ".gz"}, {"d/.gz", "d/.gz"}, {"a.gz.bz2", "a.gz"}, {"b.Z", "b"},
	} {
		if got := Inner(tt.name); got != tt.want {
			t.Errorf("Inner(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func FuzzOpen(f *testing.F) {
	for _, s := range []string{gz(text), bz, xzText, zst(text), xzDict(20), z, compressed(lines(100), 9, true, 70), compressed(lines(100), 10, false, 0)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, kind := range formats {
			if r, err := kind.open(countedOf(bytes.NewReader(data)), maxWindow); err == nil {
				(&stream{r: io.LimitReader(r, 1<<20), file: io.NopCloser(nil), name: "fuzz"}).Read(make([]byte, 1<<16))
			}
		}
	})
}
