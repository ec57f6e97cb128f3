package extract

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/testing/scantest"
)

// hostileMail are shapes that make a parser of messages slow that is not careful.
var hostileMail = []scantest.Shape{
	{"Content-Type: multipart/mixed; boundary=b\n\n", "--b\nContent-Type: multipart/mixed; boundary=b\n\n", ""},
	{"Content-Type: multipart/mixed; boundary=b\n\n", "--b\n", "--b--\n"},
	{"Content-Type: multipart/mixed; boundary=b\n\n", "--b--\n", ""},
	{"Content-Type: multipart/mixed; boundary=b\n\n--b\n\n", "--bb\n--bbb\n", ""},
	{"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=bb\n\n", "--b \t\t\t\t\t-\n--bb\n", ""},
	{"Content-Type: multipart/mixed\n\n", "--x\n", ""},
	{"Content-Type: multipart/mixed; boundary=b\n\n", "--b\nContent-Type: multipart/mixed\n\n--c\nx\n", ""},
	{"Content-Type: multipart/mixed; boundary=b\n\n", "--b\nContent-Type: text/html; boundary=c\n\n<a href=x>\n", ""},
	{"", "Content-Type: message/rfc822\n\n", "Content-Type: text/html\n\n<a href=x>"},
	{"Subject: a\n", " =?x?q?http://h/?=\n", "\n"},
	{"Subject: a\n", " http://h/\n", "\nhttp://h/"},
	{"X-A: a\n", " http://h/\n", "\nhttp://h/"},
	{"X-A: a", "<http://h/\n ", "\n\nhttp://h/"},
	{"", "X-A: <http://h/\n", "\nhttp://h/"},
	{"", "X-A: \"http://h/\n", "\nhttp://h/"},
	{"List-Archive: ", "<http://h/>,\n ", "\n\n"},
	{"List-Archive: ", "(((", "\n\n"},
	{"Content-Location: (", "(a", "\n\n"},
	{"Content-Type: text/plain; ", "a=\"", "\n\n"},
	{"Content-Type: text/plain; ", "a=(b;", "\n\n"},
	{"Content-Type: text/plain; boundary=", "=?", "\n\n"},
	{"", "Base: http://h/\n", "\n"},
	{"", "Content-Base: x\nX: y\n", "\n"},
	{"", "x\nSubject: y\n", "\n"},
	{"X: y\n", "j\n", "http://h/"},
	{"X: y\n", "j\nj\nj\nSubject: http://h/\n", "\n"},
	{"X: y\n", "jj;\n", "http://h/"},
	{"Subject: y;\n", "http://h/;\n", ""},
	{"", "=?", "\n\n"},
	{"", "=?a?q?", "\n\n"},
	{"Subject: ", "=?a?q?", "\n\n"},
	{"Content-Type: text/plain\n\n", "\nbegin 644 x\n", ""},
	{"Content-Type: text/plain\n\n", "\nbegin 644 x.html\n#0V%T\n`\nend\n", ""},
	{"Content-Type: text/plain; format=flowed; delsp=yes\n\n", "> http://h/ \n", ""},
	{"Content-Type: text/plain; format=flowed\n\n", "> ", " \nhttp://h/"},
	{"Content-Type: text/calendar\n\n", "http://h/\n ", ""},
	{"Content-Type: text/enriched\n\n", "<param><<", ""},
	{"Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n", "=\n", ""},
	{"Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n", "= \t", ""},
	{"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n", "aHR0\n--\n", ""},
	{"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n", "aHR0cDovL2gv", ""},
	{"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n", "a\n=\n__\n", ""},
	{"Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n", "<img src=cid:a><img src=i.gif>", "\n--b--\n"},
	{"Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<img src=cid:a>\n", "--b\nContent-ID: <a>\nContent-Location: http://h/\n\nhttp://h/\n", "--b--\n"},
	{"Content-Type: multipart/alternative; boundary=b\n\n", "--b\nContent-Type: text/html\n\n<a href=x>\n", "--b--\n"},
	{"Content-Type: multipart/mixed; boundary=b\n\n", "--b\nContent-Location: http://h/\n X: y\nContent-ID: <a>\n\nx\n", "--b--\n"},
	{"\r", "X: y\r", "\r"},
	{"", "\x00", ""},
	{"", ">From a\n", "\n"},
}

func walkAll(t *testing.T, c *Config, name string, src []byte) (n int) {
	t.Helper()
	for _, err := range c.Walk(name, bytes.NewReader(src)) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

func TestMailHostile(t *testing.T) {
	scantest.Shapes(t, hostileMail, 50<<10, func(src []byte) {
		walkAll(t, &Config{Type: messageType, Lines: true, Cite: true, Details: true, ParserDifferences: true}, "x", src)
	})
	archives := []scantest.Shape{
		{"", "From a Tue Apr  1 09:28:56 1997\nX: y\n", ""},
		{"", "From a Tue Apr  1 09:28:56 1997\n", "X: y"},
		{"From a Tue Apr  1 09:28:56 1997\nX: y\n\n", ">From b\n", ""},
		{"", "From a Tue Apr  1 09:28:56 1997\nContent-Length: 90000\n\n", ""},
		{"", "From a Tue Apr  1 09:28:56 1997\nContent-Length: 10\n\nhttp://h/\n", ""},
	}
	scantest.Shapes(t, archives, 1<<20, func(src []byte) {
		walkAll(t, &Config{Type: mboxType, Lines: true, Cite: true}, "x", src)
	})
	batches := []scantest.Shape{
		{"", "#! rnews 1\n", ""},
		{"", "#! rnews 99999\nX: y\n\n", ""},
		{"", "#! rnews 16000000\nX: y\n\n", ""},
	}
	scantest.Shapes(t, batches, 1<<20, func(src []byte) {
		walkAll(t, &Config{Type: newsType, Lines: true, Cite: true}, "x", src)
	})
}

// What issue 6 names, at the size that it names. Times are those of a busy machine, a
// hundred times what they are; what is quadratic takes minutes.
func TestMailHuge(t *testing.T) {
	scantest.Long(t, "timing")
	nested := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
		}
		return b.String() + "Content-Type: text/html\n\nhttp://h/"
	}
	encoded := func(n int) string {
		s := "Content-Type: text/html\n\n<a href=http://h/>"
		for range n {
			s = "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(s))
		}
		return s
	}
	var parts, boundaries strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&parts, "--b\nContent-Type: text/html\nContent-ID: <%d@h>\nContent-Location: p/%d\n\n<img src=cid:%d@h><img src=p/%d><a href=q/%d>\n", i, i, i+1, i+2, i)
		fmt.Fprintf(&boundaries, "--bb%d\n--b\n", i)
	}
	const head = "Content-Type: multipart/"
	tests := []struct {
		name, src, note string
		n               int
	}{
		{"nested multiparts", nested(100_000), "nested more than 64 deep: read as running text", 1},
		{"boundaries", head + "mixed; boundary=b\n\n" + strings.Repeat("--b\n", 1_000_000) + "\nhttp://h/", "more than 10000 parts: the rest is read as running text", 1},
		{"a boundary that is a prefix", head + "mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n" + strings.Repeat("--bb\n-- b\n--b-\n", 300_000) + "http://h/\n--b--\n", "", 1},
		{"other boundaries", head + "mixed; boundary=b\n\n--b\n" + boundaries.String() + "\nhttp://h/\n--b--\n", "more than 10000 parts: the rest is read as running text", 1},
		{"base64 on a line", "Content-Transfer-Encoding: base64\n\n" + strings.Repeat("aHR0cDovL2gv", 64<<20/12), "part 1 of the message has more than 33554432 bytes: read in pieces", 1}, // the last piece is short enough for a URL
		{"folds", "Subject: a\n" + strings.Repeat(" http://h/\n", 1_000_000) + "\n", "a header of more than 1 MiB: its further fields are only scanned for references", 1_000_000},
		{"messages in messages", strings.Repeat("Content-Type: message/rfc822\n\n", 1000) + "Content-Type: text/plain\n\nhttp://h/", "nested more than 64 deep: read as running text", 1},
		{"encoded messages", encoded(15), "", 1},
		{"more encoded messages", encoded(17), "more than 16 layers of encoding: not read", 0},
		{"parts that name each other", head + "related; boundary=b\n\n" + parts.String() + "--b--\n", "more than 10000 parts: the rest is read as running text", -1},
		{"alternatives", head + "alternative; boundary=b\n\n" + strings.Repeat("--b\nContent-Type: text/html\n\n<a href=http://h/>\n", 9_999) + "--b--\n", "", 9_999},
	}
	for _, tt := range tests {
		notes := make(map[string]int)
		c := Config{Type: messageType, Lines: true, Cite: true, Note: func(n *Note) { notes[n.Text]++ }}
		start := scantest.Clock()
		n := walkAll(t, &c, "x", []byte(tt.src))
		took := scantest.Clock() - start
		t.Logf("%s: %d bytes, %v, %d references, %v", tt.name, len(tt.src), took, n, notes)
		if tt.n >= 0 && n != tt.n || tt.note != "" && notes[tt.note] == 0 || took > 20*time.Second {
			t.Errorf("%s: %d references in %v, want %d, and %q among %v", tt.name, n, took, tt.n, tt.note, notes)
		}
	}
}
