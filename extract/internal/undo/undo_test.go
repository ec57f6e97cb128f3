package undo

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/decode"
	"example.org/refract/internal/testing/scantest"
)

// A slowReader returns at most n bytes at a time.
type slowReader struct {
	r io.Reader
	n int
}

func (s *slowReader) Read(p []byte) (int, error) { return s.r.Read(p[:min(len(p), s.n)]) }

// undone reads all of text through one step, n bytes at a time.
func undone(st decode.Step, text string, n int) string {
	s := &decode.Stream{Reader: &slowReader{strings.NewReader(text), n}}
	s.Push(st, false)
	return whole(s, n)
}

// undoneFollowed is undone with a step that follows the text.
func undoneFollowed(g decode.Follower, text string, n int) string {
	s := &decode.Stream{Reader: &slowReader{strings.NewReader(text), n}}
	s.PushFollower(g)
	return whole(s, n)
}

func whole(s *decode.Stream, n int) string {
	var out bytes.Buffer
	buf := make([]byte, max(n, 8))
	for {
		k, err := s.Fill(buf)
		out.Write(buf[:k])
		if err != nil {
			return out.String()
		}
	}
}

func TestSteps(t *testing.T) {
	for _, tt := range []struct {
		step       func() decode.Step
		text, want string
	}{
		{QP, "http://h/?a=3D1&b=\n=3D2=20\nx=E9=C3=A9=09=0A", "http://h/?a=1&b=2 \nx\xe9é\t\n"},
		{QP, "> http://h/?a=3D=  \r\n> > b/c=\n>d=\n", "> http://h/?a=b/cd"},
		{QP, "http://h/?id=20&a=41 http://h/?x=12\n=\r", "http://h/?id=20&a=41 http://h/?x=12\n=\r"}, // no sign
		{QP, "?id=3D20\nif (a == 3D20) b=3d c=3Dx\n=3D", "?id=20\nif (a == 3D20) b=3d c=3Dx\n="},     // a line that is not encoded
		{QP, "x=20y\nb=01=7F=3D=", "x=20y\nb=01=7F=3D="},
		{stateless(ANSI), "\x1b[36mhttps://h/\x1b[0m \x1b[1;31;4mx\x1b[K", "https://h/ x"},
		{stateless(ANSI), "\x1b \x1b]8;;http://h/\x07 \x1b[ \x1b[\n \x1b[1", "\x1b \x1b]8;;http://h/\x07 \x1b[ \x1b[\n \x1b[1"},
		{JSON, `"http:\/\/h\/a\u0026b\u00e9\ud83d\ude00\"\\\n\t`, "\"http://h/a&bé😀\"\\\n\t"},
		{JSON, `\x \u12 \u12g4 \ud83d \ud83dx \ude00 \`, `\x \u12 \u12g4 \ud83d \ud83dx \ude00 \`},
		{stateless(Entities), "a&amp;b&#x2f;&#47;&eacute;&lt;&CounterClockwiseContourIntegral;", "a&b//é<∳"},
		{stateless(Entities), "a&b; &; & &nope; &copy=1 &amp", "a&b; &; & &nope; &copy=1 &amp"},
		{stateless(Defang), "hxxp://a[.]b hXXps[:]//a(dot)b(.)c{.}d fxp://x[at]y[@]z[/]", "http://a.b https://a.b.c.d ftp://x@y@z/"},
		{stateless(Roff), `http://h/a\-b\:c\&d\%e\(tif \fBx\fR\f(CWy\f[]z\*(lqq\*(rq\e\(xx\`, "http://h/a-bcde~f xyz\"q\"\\\\(xx\\"},
		{stateless(Gettext), "msgid \"\"\r\n\"http://\"\n  \"h/a\\n\"\n\"b\\\"c\\\\d\\q\"\nmsgstr \"e\"\n#~ \"f\"\n\ng \\", "msgid \"http://h/a\nb\"c\\d\\q\"\nmsgstr \"ef\"\n\ng \\"},
		{stateless(Roff), "x\n.MT ann@x.org\n.ME\n.Mt b@x.org .\n.UR http://h/\n.MTx\n", "x\nmailto:ann@x.org\n.ME\nmailto:b@x.org .\n.UR http://h/\n.MTx\n"},
		{stateless(LaTeX), `http://h/a\c_hash_str} http://h/\c_hash_str b\c_underscore_str c \c_other_str`, `http://h/a#} http://h/#b_c \c_other_str`},
		{stateless(LaTeX), `\url{http://h/\~{}a\_b\%20c\#d\&e} $\sim$x \textasciitilde y \\% \x {a}`, `\url{http://h/~a_b%20c#d&e} ~x ~y \\% \x {a}`},
		{stateless(Defang), "hxxp hxxpx ftp [ ] [x] (dot [..] f(x)", "hxxp hxxpx ftp [ ] [x] (dot [..] f(x)"},
		{CSV, "1,http://h/a\n\"x,\"\"y\"\"\",z", "1\thttp://h/a\n\"x,\"y\"\"\tz"},
	} {
		for _, n := range []int{1, 3, 4096} {
			if got := undone(tt.step(), tt.text, n); got != tt.want {
				t.Errorf("%d bytes at a time: %q gives %q, want %q", n, tt.text, got, tt.want)
			}
		}
	}
}

func stateless(st decode.Step) func() decode.Step { return func() decode.Step { return st } }

// Undoing takes time linear in the text.
// What is at the end of the text so far waits for the rest if that may change it, and only then.
func TestJSONWaits(t *testing.T) {
	for text, want := range map[string]int{`a\`: 1, `ab\n`: 2, `a\u00`: 1, `a\ud83d\u`: 1} {
		literal, skip, out := JSON()([]byte(text), false)
		isWhole := text == `ab\n`
		if literal != want || (skip > 0) != isWhole || (out != nil) != isWhole {
			t.Errorf("%s: %d bytes as they are, %d undone: %q", text, literal, skip, out)
		}
	}
}

func TestQPHostile(t *testing.T) {
	for _, unit := range []string{"=", "=3D", "=\n", "=x\n", "=20\n", "=3", "a=41\n", "x=1\n" + strings.Repeat("y", 200) + "\n", "=\n> > > "} {
		run := func(n int) func() {
			text := strings.Repeat(unit, n/len(unit))
			return func() { undone(QP(), text, 64<<10) }
		}
		scantest.Linear(t, unit, 200*time.Millisecond, run(1<<18), run(1<<20))
	}
}

// Text is taken for quoted-printable only as a whole.
func TestIsUndeclaredQP(t *testing.T) {
	broken := strings.Repeat("x", 70) + "=\ny"
	for _, tt := range []struct {
		text string
		want bool
	}{
		{broken + " http://h.example/?id=3D1\n", true},
		{"> " + broken + " caf=E9\n>=20\n", true},
		{strings.Repeat(broken, 3), true},
		{"=46rom here\n" + broken, true},
		{broken, false},
		{"http://h.example/?a=3D\n", false},                      // a URL that ends so
		{"http://h.example/?a=3D http://h.example/=20\n", false}, // no line is broken
		{broken + " http://h.example/?id=1\n" + "caf=E9", false}, // "=1" is no octet
		{broken + " http://h.example/?id=727\n", false},          // no encoder encodes "r"
		{broken + " http://h.example/?id=20\n=C3=A9", false},     // a value
		{broken + " http://h.example/?a=2012\n=C3=A9", false},
		{broken + " year =2012\n=C3=A9", false}, // no encoder encodes a space before a digit
		{broken + "caf=E9 x <- 1; y = 2\n", false},
		{"=====\n" + broken + "caf=E9", false},
		{strings.Repeat("QUJD", 18) + "QUI=\n\n=E9", false}, // base64 ends so
		{"short=\nline =E9=E9\n", false},
		{"", false}, {"=", false}, {"=\n=\n=", false},
	} {
		if got := IsUndeclaredQP([]byte(tt.text)); got != tt.want {
			t.Errorf("%q: %v", tt.text, got)
		}
	}
}
