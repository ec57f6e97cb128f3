package urlcmd

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"example.org/refract/resolve"
	"example.org/refract/resolve/canon"
)

// However lines are cut up, and however long they are, each gives one.
func TestNormalizeLines(t *testing.T) {
	long := strings.Repeat("x", 600<<10)
	list := "HTTP://H/%7e\r\n\n \xff\nHTTP://H/\x00" + "HTTP://" + long + "\nHTTP://L"
	for _, tt := range []struct {
		n    normalizer
		want string
	}{
		{normalizer{terminator: '\n'}, "http://h/~\n\n \xff\nhttp://h/%00HTTP://" + long + "\nhttp://l/\n"},
		{normalizer{terminator: 0}, "http://h/~\x00\x00 \xff\x00http://h/\x00http://" + long + "/\x00http://l/\x00"},
	} {
		for _, r := range []io.Reader{
			strings.NewReader(list),
			iotest.HalfReader(strings.NewReader(list)),
			iotest.DataErrReader(strings.NewReader(list)),
			iotest.OneByteReader(strings.NewReader(list)),
		} {
			var out bytes.Buffer
			n := tt.n
			n.form, n.w = resolve.AllForms, &out
			if err := n.lines(r); err != nil || out.String() != tt.want {
				t.Errorf("%T: %v, %d bytes, want %d", r, err, out.Len(), len(tt.want))
			}
		}
	}
	n := normalizer{w: io.Discard, terminator: '\n'}
	if err := n.lines(iotest.TimeoutReader(strings.NewReader(long))); err == nil || !strings.Contains(err.Error(), "standard input") {
		t.Errorf("unreadable: %v", err)
	}
}

// What is not UTF-8 is base64 in JSON; on a terminal it is visible.
func TestNormalizeBytes(t *testing.T) {
	var out bytes.Buffer
	n := normalizer{w: &out, form: resolve.AllForms, json: true}
	n.line([]byte("http://H/\xff"))
	n.json, n.terminal, n.terminator = false, true, '\n'
	n.line([]byte("http://H/\xff\x1b"))
	n.flush()
	want := `{"type":"reference","raw_b64":"aHR0cDovL0gv/w==","url_b64":"aHR0cDovL2gv/w==","canonical_b64":"aHR0cDovL2gv/w=="}
http://h/\xff\u{1b}
`
	if out.String() != want {
		t.Errorf("%s", out.String())
	}
}

func BenchmarkNormalize(b *testing.B) {
	list := []byte(strings.Repeat("https://www.example.com/docs/v2/guide.html?lang=en#top\nhttp://Example.org:80\nhttp://example.org/%7euser/\n", 10_000))
	for _, tt := range []struct {
		name string
		n    normalizer
	}{
		{"text", normalizer{}},
		{"surt", normalizer{key: canon.Key{SURT: canon.SURTKey}}},
		{"json", normalizer{json: true}},
	} {
		b.Run(tt.name, func(b *testing.B) {
			n := tt.n
			n.form, n.w, n.terminator = resolve.AllForms, io.Discard, '\n'
			b.SetBytes(int64(len(list)))
			b.ReportAllocs()
			for b.Loop() {
				n.lines(bytes.NewReader(list))
			}
		})
	}
}
