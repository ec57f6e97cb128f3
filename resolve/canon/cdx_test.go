package canon

import (
	"bytes"
	"strings"
	"testing"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/testing/scantest"
)

// The keys are those of the package that makes them for the indexes of archives.
func TestCDX(t *testing.T) {
	for _, r := range scantest.Records(t, "../../testdata/resolve/cdx.tsv") {
		url := []byte(r["url"])
		k := Key{Profile: CDX}
		if got := string(k.Append([]byte("x"), url)); got != "x"+r["key"] {
			t.Errorf("%q gives %q, want %q (%s)", url, got[1:], r["key"], r["origin"])
		}
	}
}

// Every URL has a key. Its escapes are decoded to the end in one pass.
func FuzzCDX(f *testing.F) {
	for _, r := range scantest.Records(f, "../../testdata/resolve/cdx.tsv") {
		f.Add(r["url"])
	}
	f.Add("http://x%25252525/%2525%34%31?" + strings.Repeat("%25", 20) + "41")
	f.Fuzz(func(t *testing.T, url string) {
		before := strings.Clone(url)
		key := appendCDX(nil, []byte(url))
		if len(key) == 0 || len(key) > 4*len(url)+8 || url != before {
			t.Fatalf("%q gives %q", before, key)
		}
		whole, more := unescapeRepeatedly([]byte(url)), []byte(url)
		for n := 0; n < 32; n++ {
			more = ascii.UnescapeAll(more)
			if bytes.Equal(more, whole) {
				return
			}
		}
		if next := ascii.UnescapeAll(more); bytes.Equal(next, more) {
			t.Fatalf("%q is decoded to %q, want %q", url, whole, more)
		}
	})
}

func TestCDXIsLinear(t *testing.T) {
	for _, unit := range []string{"%25", "http://", "/..", "../", "cfid=", "sid=", "a&", "(0123456789abcdefghijklmn)/", "www", "9", ".", "。", "?", "@", "["} {
		for _, prefix := range []string{"http://h/", "http://h/?", "http://"} {
			url := []byte(prefix + strings.Repeat(unit, 1<<16/len(unit)) + ".aspx")
			if n := len(appendCDX(nil, url)); n > 4*len(url) {
				t.Errorf("%q, repeated: a key of %d bytes for %d", prefix+unit, n, len(url))
			}
		}
	}
}
