package smime

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"example.org/refract/internal/testing/mailtest"
)

const entity = "Content-Type: text/plain\r\n\r\nhttp://a.example/\r\n"

// read returns the content of a CMS file.
func read(src []byte) (content string, isThere bool, err error) {
	r, err := Content(bytes.NewReader(src), int64(len(src)))
	if r == nil || err != nil {
		return "", false, err
	}
	b, err := io.ReadAll(r)
	return string(b), true, err
}

// value is a value in DER of fewer than 128 bytes, or of indefinite length.
func value(tag byte, parts ...string) string {
	body := strings.Join(parts, "")
	return string([]byte{tag, byte(len(body))}) + body
}

func open(tag byte, parts ...string) string {
	return string([]byte{tag, 0x80}) + strings.Join(parts, "") + "\x00\x00"
}

func pkcs7(last string) string { return value(tagOID, string(oidPKCS7)+last) }

var (
	version = "\x02\x01\x01"
	noHash  = value(tagSet)
)

// signed is signed data whose encapsulated content has this form.
func signed(content string) string {
	return value(tagSequence, pkcs7("\x02"), value(tagExplicit, value(tagSequence, version, noHash, content)))
}

func TestContent(t *testing.T) {
	for n := range 40 {
		for what, src := range map[string][]byte{"signed": mailtest.Signed(entity, n), "compressed": mailtest.Compressed(entity, n)} {
			if got, _, err := read(src); got != entity || err != nil || !Is(src) {
				t.Errorf("%s in pieces of %d: %q, %v", what, n, got, err)
			}
		}
	}
	data := pkcs7("\x01")
	octets := func(s string) string { return value(tagOctets, s) }
	long := "\x04\x88\x00\x00\x00\x00\x00\x00\x00\x01a"
	for _, tt := range []struct {
		what, src, want string
		isThere         bool
		err             error
	}{
		{"detached", signed(value(tagSequence, data)), "", false, nil},
		{"detached, indefinite", signed(open(tagSequence, data)), "", false, nil},
		{"an empty string", signed(value(tagSequence, data, value(tagExplicit, octets("")))), "", true, nil},
		{"pieces", signed(value(tagSequence, data, value(tagExplicit, value(0x24, octets("a"), octets(""), value(0x24, octets("b")), octets("c"))))), "abc", true, nil},
		{"PKCS #7 before CMS", signed(value(tagSequence, data, value(tagExplicit, value(tagSequence, "abc")))), "abc", true, nil},
		{"a long length", signed(value(tagSequence, data, value(tagExplicit, long))), "a", true, nil},
		{"algorithms that are skipped", value(tagSequence, pkcs7("\x02"), value(tagExplicit, value(tagSequence, version, open(tagSet, open(tagSequence, "\x05\x00"), "\x05\x00"), value(tagSequence, data, value(tagExplicit, octets("a")))))), "a", true, nil},
		{"enveloped", value(tagSequence, pkcs7("\x03"), value(tagExplicit)), "", false, ErrEncrypted},
		{"signed and enveloped", value(tagSequence, pkcs7("\x04"), value(tagExplicit)), "", false, ErrEncrypted},
		{"encrypted", value(tagSequence, pkcs7("\x06"), value(tagExplicit)), "", false, ErrEncrypted},
		{"authenticated and enveloped", value(tagSequence, value(tagOID, string(oidSMIMEType)+"\x17"), value(tagExplicit)), "", false, ErrEncrypted},
		{"digested", value(tagSequence, pkcs7("\x05"), value(tagExplicit)), "", false, nil},

		{"an unknown type", value(tagSequence, value(tagOID, string(oidSMIMEType)+"\x01"), value(tagExplicit)), "", false, errDamaged},
		{"another identifier", value(tagSequence, value(tagOID, "\x2a\x03"), value(tagExplicit)), "", false, errDamaged},
		{"a long identifier", value(tagSequence, value(tagOID, strings.Repeat("x", maxHeader+1))), "", false, errDamaged},
		{"no identifier", value(tagSequence, version), "", false, errDamaged},
		{"no content info", value(tagSequence, pkcs7("\x02")), "", false, errEnds},
		{"not explicit", value(tagSequence, pkcs7("\x02"), noHash), "", false, errDamaged},
		{"no sequence", value(tagSet, pkcs7("\x02")), "", false, errDamaged},
		{"nothing", "", "", false, errEnds},
		{"no version", value(tagSequence, pkcs7("\x02"), value(tagExplicit, value(tagSequence, noHash, noHash))), "", false, errDamaged},
		{"no algorithms", value(tagSequence, pkcs7("\x02"), value(tagExplicit, value(tagSequence, version, version))), "", false, errDamaged},
		{"version that does not end", value(tagSequence, pkcs7("\x02"), value(tagExplicit, value(tagSequence, "\x02\x7f"))), "", false, errEnds},
		{"no signed data", value(tagSequence, pkcs7("\x02"), value(tagExplicit, noHash)), "", false, errDamaged},
		{"no encapsulated content", signed(noHash), "", false, errDamaged},
		{"no type of the content", signed(value(tagSequence, version)), "", false, errDamaged},
		{"content that is not explicit", signed(value(tagSequence, data, noHash)), "", false, errDamaged},
		{"content that ends", signed("\x30\x0f" + data + "\xa0\x02"), "", false, errEnds},
		{"content that is a number", signed(value(tagSequence, data, value(tagExplicit, version))), "", false, errDamaged},
		{"no string in pieces", signed(value(tagSequence, data, value(tagExplicit, value(0x24, version)))), "", true, errDamaged},
		{"pieces that end", signed("\x30\x13" + data + "\xa0\x06\x24\x04"), "", true, errEnds},
		{"a string that ends", signed("\x30\x1f" + data + "\xa0\x12\x04\x10ab"), "ab", true, errEnds},
		{"pieces that nest too deep", signed(open(tagSequence, data, open(tagExplicit, strings.Repeat("\x24\x80", maxNesting+1)))), "", true, errDamaged},
		{"an indefinite string", "\x04\x80", "", false, errDamaged},
		{"a length of nine bytes", "\x30\x89\x01\x01\x01\x01\x01\x01\x01\x01\x01", "", false, errDamaged},
		{"a length that is too large", "\x30\x88\x7f\xff\xff\xff\xff\xff\xff\xff", "", false, errDamaged},
		{"a length that is cut off", "\x30\x84\x01", "", false, errDamaged},
		{"a tag of many bytes", "\x3f\x81\x81\x01\x00", "", false, errDamaged},
		{"a tag that does not end", "\x3f\x81\x81", "", false, errDamaged},
		{"a set that does not end", value(tagSequence, pkcs7("\x02"), value(tagExplicit, value(tagSequence, version, "\x31\x80"))), "", false, errEnds},
		{"a set in a set that does not end", value(tagSequence, pkcs7("\x02"), value(tagExplicit, value(tagSequence, version, "\x31\x80\x31"))), "", false, errEnds},
	} {
		got, isThere, err := read([]byte(tt.src))
		if got != tt.want || isThere != tt.isThere || !errors.Is(err, tt.err) {
			t.Errorf("%s: %q, %v, %v; want %q, %v, %v", tt.what, got, isThere, err, tt.want, tt.isThere, tt.err)
		}
	}
}

// A file that is cut off or changed anywhere gives its beginning or an error, and nothing that is not in it.
func TestDamaged(t *testing.T) {
	for _, src := range [][]byte{mailtest.Signed(entity, 0), mailtest.Signed(entity, 7), mailtest.Compressed(entity, 0), mailtest.Compressed(entity, 7)} {
		for n := range src {
			if got, _, err := read(src[:n]); !strings.HasPrefix(entity, got) || got == entity && err == nil && n < len(src)/2 {
				t.Errorf("%d of %d bytes: %q, %v", n, len(src), got, err)
			}
			for _, c := range []byte{0, 0x7f, 0x80, 0xff} {
				changed := bytes.Clone(src)
				changed[n] = c
				if got, _, _ := read(changed); len(got) > len(src) {
					t.Errorf("byte %d as %x: %d bytes of %d", n, c, len(got), len(src))
				}
			}
		}
	}
}

// An error of the file is not taken for its end.
func TestReadError(t *testing.T) {
	src := mailtest.Signed(entity, 0)
	cause := errors.New("cause")
	at := bytes.Index(src, []byte("Content"))
	r, err := Content(failing{bytes.NewReader(src), int64(at) + 5, cause}, int64(len(src)))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(r); err != cause || string(b) != "Conte" {
		t.Errorf("%q, %v", b, err)
	}
	if b, err := io.ReadAll(iotest.OneByteReader(mustContent(t, src))); string(b) != entity || err != nil {
		t.Errorf("%q, %v", b, err)
	}
}

func mustContent(t *testing.T, src []byte) io.Reader {
	t.Helper()
	r, err := Content(bytes.NewReader(src), int64(len(src)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// failing fails from an offset on.
type failing struct {
	io.ReaderAt
	from int64
	err  error
}

func (f failing) ReadAt(b []byte, at int64) (int, error) {
	if at >= f.from {
		return 0, f.err
	}
	if n := f.from - at; int64(len(b)) > n {
		n, _ := f.ReaderAt.ReadAt(b[:n], at)
		return n, f.err
	}
	return f.ReaderAt.ReadAt(b, at)
}
