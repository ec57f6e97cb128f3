package extract

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// findings are the results for a message: references, and notes.
func findings(t *testing.T, c Config, name string, r io.Reader) (list []string) {
	t.Helper()
	c.Lines, c.Cite = true, true
	c.Note = func(n *Note) {
		list = append(list, fmt.Sprintf("%d:%d:%d %s %s", n.Pos.Offset, n.Pos.Line, n.Pos.Column, n.Entity.Path(), n.Text))
	}
	for ref, err := range c.Walk(name, r) {
		if err != nil {
			t.Fatal(err)
		}
		m := ref.Message()
		list = append(list, fmt.Sprintf("%d+%d:%d:%d %d:%d %s %s %s %s %s %q", ref.Pos.Offset, ref.Pos.Length, ref.Pos.Line, ref.Pos.Column,
			ref.PartLine, ref.PartColumn, ref.Entity.Path(), ref.TargetPart, ref.In, ref.Base.URI, m.ID, ref.Ref))
	}
	return list
}

// A message from which parts are left out gives the same results as the whole message.
func TestCondensedIsWhole(t *testing.T) {
	names, _ := filepath.Glob(filepath.Join(vectors, "*.eml"))
	more, _ := filepath.Glob("../testdata/*.eml")
	sources := map[string][]byte{}
	for _, name := range append(names, more...) {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sources[name] = src
	}
	if len(sources) < 5 {
		t.Fatalf("%d messages", len(sources))
	}
	for i, s := range hostileMail {
		sources[fmt.Sprint("hostile ", i)] = s.Text(3000)
	}
	for name, src := range condensable {
		sources[name] = []byte(src)
	}
	for name, src := range sources {
		for _, breaks := range []string{"\n", "\r\n", "\r"} {
			src := bytes.ReplaceAll(bytes.ReplaceAll(src, []byte("\r\n"), newline), newline, []byte(breaks))
			want := findings(t, Config{Type: messageType}, "x", bytes.NewReader(src))
			got := findings(t, Config{Type: messageType, window: 1}, "x", bytes.NewReader(src))
			if !slices.Equal(got, want) {
				t.Errorf("%s with %q: got\n%s\nwant\n%s", name, breaks, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

const unreadPart = "Content-Type: application/x-unread\nContent-Transfer-Encoding: base64\n\nJVBERi0xLjQK\nJVBERi0xLjQK\n"

var condensable = map[string]string{
	"attachments": "Message-ID: <1@h>\nBase: http://b/\nContent-Type: multipart/mixed; boundary=b\n\n<URL:p>\n--b\n\n<URL:1>\n--b\n" + unreadPart +
		"--b\nContent-Type: text/html\n\n<a href=cid:4>\n--b\nContent-ID: <4>\n" + unreadPart + "--b\nContent-Type: message/rfc822\n\nMessage-ID: <2@h>\nContent-Type: multipart/mixed; boundary=c\n\n--c\n" +
		unreadPart + "--c\n\n<URL:5>\n--c--\n\n--b\n" + unreadPart + "--b--\n<URL:e>\n",
	"same boundary":      "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=b\n\n--b\n" + unreadPart + "--b\n\nhttp://h/1\n--b--\nhttp://h/2\n--b\n" + unreadPart + "--b--\n",
	"no boundary":        "Content-Type: multipart/mixed\n\n--x\n" + unreadPart + "--x\nContent-Type: text/plain\n\nhttp://h/1\n--x--\n",
	"wrong boundary":     "Content-Type: multipart/mixed; boundary=y\n\n--x\n" + unreadPart + "--x\nContent-Type: text/plain\n\nhttp://h/1\n--x--\n",
	"no delimiter":       "Content-Type: multipart/mixed; boundary=y\n\nhttp://h/1\n",
	"one part":           "Content-Type: multipart/mixed; boundary=y\n\n" + unreadPart,
	"not closed":         "Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n" + unreadPart + "--a\n\nhttp://h/1\n--a\n" + unreadPart,
	"prefixes":           "Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: multipart/mixed; boundary=aa\n\n--aa\n" + unreadPart + "--aab\nhttp://h/0\n--aa--\n--a  \n" + unreadPart + "--a--\t\nhttp://h/1\n",
	"no blank line":      "Subject: x\nhttp://h/0 and text\n",
	"only a heading":     "Message-ID: <1@h>\nSubject: http://h/1\nList-Help: <http://h/2>",
	"only PDF":           "Message-ID: <1@h>\n" + unreadPart,
	"no blank lines":     "Content-Type: multipart/mixed; boundary=b\n--b\nContent-Type: application/x-unread\n--b\nContent-Type: text/plain\n\nhttp://h/1\n--b--",
	"headers":            "Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: text/rfc822-headers\n\nSubject: http://h/\n--b\n" + unreadPart + "--b--\n",
	"digest":             "Content-Type: multipart/digest; boundary=b\n\n--b\n\nMessage-ID: <1@h>\n" + unreadPart + "--b\n\nMessage-ID: <2@h>\n\nhttp://h/1\n--b--\n",
	"text with parts":    "Content-Type: text/plain; boundary=b\n\n--b\n" + unreadPart + "--b\nContent-Type: text/html\n\n<a href=http://h/1>\n--b--\n",
	"external":           "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/external-body; access-type=url; url=\"http://h/1\"\n\nContent-Type: text/html\n\nhttp://h/0\n--b\n\nhttp://h/2\n--b--\n",
	"alternatives":       "Content-Type: multipart/alternative; boundary=b\n\n--b\n\nhttp://h/1\n--b\nContent-Type: text/html\n\n<a href=http://h/2>\n--b\n" + unreadPart + "--b--\n",
	"endless base64":     "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\naHR0cDovL2gv\naHR0cDovL2gv",
	"blanks after":       "Content-Type: multipart/mixed; boundary=b\n\n--b\n" + unreadPart + "--b" + strings.Repeat(" ", 500) + "\n\nhttp://h/1\n--b--" + strings.Repeat("\t", 500),
	"10,000 attachments": "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n"+unreadPart, 9_998) + strings.Repeat("--b\n\nhttp://h/1\n", 4) + "--b\n" + unreadPart,
}

// Wherever a message is cut, each of its references is found once, at its place, with the path of
// its part, its base and the id of its message.
func TestExcerpts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var texts strings.Builder
	for i := range 200 {
		fmt.Fprintf(&texts, "http://h/%d some text, ending=\n at <URL:rel/%d>\n", i, i)
	}
	text := texts.String()
	encoded := base64.StdEncoding.EncodeToString([]byte(text))
	for i := 61; i < len(encoded); i += 62 { // no multiple of four
		encoded = encoded[:i] + "\n" + encoded[i:]
	}
	src := "Message-ID: <1@h>\nBase: http://b/\nContent-Type: multipart/mixed; boundary=b\n\n" + text + "--b\n\n" + text +
		"--b\nContent-Type: application/x-unread\n\n" + text + "--b\nContent-Base: http://c/\nContent-Transfer-Encoding: base64\n\n" + encoded +
		"\n--b\nContent-Type: message/rfc822\n\nMessage-ID: <2@h>\nContent-Type: multipart/mixed; boundary=c\n\n--c\nContent-Transfer-Encoding: quoted-printable\n\n" + text +
		"--c\n\n" + text + "--c--\n" + text + "--b\n\n" + text + "--b--\n" + text
	for _, breaks := range []string{"\n", "\r\n", "\r"} {
		src := strings.ReplaceAll(src, "\n", breaks)
		lines := func(list []string) (found []string) {
			for _, line := range list {
				if !strings.Contains(line, "read in pieces") {
					_, rest, _ := strings.Cut(line, " ") // Position
					_, rest, _ = strings.Cut(rest, " ")  // lines in the piece of the part
					at, _, _ := strings.Cut(line, " ")
					found = append(found, at+" "+rest)
				}
			}
			return found
		}
		want := lines(findings(t, Config{Type: messageType}, "x", strings.NewReader(src)))
		if len(want) < 2400 {
			t.Fatalf("%d references", len(want))
		}
		for range scantest.Amount(8, 40) {
			limit := 800 + random.Int64N(int64(len(src)))
			list := findings(t, Config{Type: messageType, MaxEntity: limit}, "x", strings.NewReader(src))
			if got := lines(list); !slices.Equal(got, want) {
				i := 0
				for i < min(len(got), len(want)) && got[i] == want[i] {
					i++
				}
				t.Fatalf("%q, limit %d: %d references, want %d: after %q got %q, want %q", breaks, limit, len(got), len(want),
					want[max(0, i-1)], got[i:min(i+3, len(got))], want[i:min(i+3, len(want))])
			}
		}
	}
}

// condensing walks messages in the way in which messages are walked that are too large.
func condensing(limit int64) *Config {
	return &Config{Type: messageType, Lines: true, Cite: true, window: 1, MaxEntity: limit}
}

// Condensing takes time proportional to the message, wherever it is cut.
func TestCondenseHostile(t *testing.T) {
	shapes := append([]scantest.Shape{
		{"Content-Type: multipart/mixed; boundary=never\n\n", "--b\n" + unreadPart, ""},
		{"Content-Type: multipart/mixed; boundary=b\n\n", "--b\nContent-Type: multipart/mixed; boundary=b\n\n", ""},
		{"", "Content-Type: message/rfc822\n\n", ""},
		{"Content-Type: multipart/mixed; boundary=b\n\n", "--b\n" + unreadPart, "--b--\n"},
		{"Content-Type: multipart/mixed; boundary=b\n\n", "--b", ""},
		{"Content-Type: multipart/mixed; boundary=b\n\n--b", " ", ""},
		{"Content-Type: multipart/mixed; boundary=b\n\n", "--b \n", ""},
		{"Content-Type: application/x-unread\n\n", "-", ""},
		{"Content-Type: application/x-unread; boundary=b\n\n", "\n--", ""},
		{"Content-Type: text/plain; boundary=b\n\n", "--b\nContent-Type: text/plain; boundary=b\n\n", ""},
		{"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n", "a", ""},
		{"Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n", "http://h/=\n", ""},
		{"", "List-Help: <http://h/>\n", ""},
		{"", "X: y\r\n", ""},
		{"X", "\r", "\n"},
		{"Content-Type: multipart/mixed; boundary=b\n" + strings.Repeat("X: y\n", 1000) + "\n", "--b\n\nhttp://h/\n", ""},
	}, hostileMail...)
	scantest.Shapes(t, shapes, scantest.Amount(20<<10, 100<<10), func(src []byte) {
		walkAll(t, condensing(0), "x", src)
		walkAll(t, condensing(1000), "x", src)
	})
}

// A message of ten attachments takes no more memory than a small one; all its text is read.
func TestCondenseMemory(t *testing.T) {
	scantest.CollectAsUsual(t)
	size := int64(scantest.Amount(20<<20, 100<<20)) // of an attachment
	var readers []io.Reader
	add := func(s string) { readers = append(readers, strings.NewReader(s)) }
	add("Message-ID: <big@h>\nContent-Type: multipart/mixed; boundary=b\n\n")
	line := []byte(base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("PDF"), 19)) + "\n")
	for i := range 10 {
		add(fmt.Sprintf("--b\nContent-Type: text/html\n\n<a href=http://h/%d>\n--b\nContent-Type: application/x-unread\nContent-Transfer-Encoding: base64\n\n", i))
		readers = append(readers, io.LimitReader(&cycle{block: line}, size))
		add("\n")
	}
	add("--b\n\nhttp://h/end\n--b--\n")
	runtime.GC()
	var before, m runtime.MemStats
	runtime.ReadMemStats(&before)
	var peak uint64
	n := 0
	notes := 0
	c := Config{Type: messageType, Lines: true, Cite: true, Note: func(n *Note) { notes++ }}
	for ref, err := range c.Walk("x", io.MultiReader(readers...)) {
		if err != nil || ref.Message().ID != "big@h" {
			t.Fatal(err, ref)
		}
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapInuse)
		n++
		if last := n == 11; last && (ref.Pos.Offset < 10*size || ref.Entity.Path() != "21") {
			t.Errorf("the last reference is at %+v in part %s", ref.Pos, ref.Entity.Path())
		}
	}
	t.Logf("%d MiB of heap, %d MiB before", peak>>20, before.HeapInuse>>20)
	if n != 11 || notes != 10 || peak > before.HeapInuse+16<<20 {
		t.Errorf("%d references, %d notes, %d MiB of heap, %d MiB before", n, notes, peak>>20, before.HeapInuse>>20)
	}
}

// The base that a page sets is in force in all of its pieces, and in no other part.
func TestCarriedBase(t *testing.T) {
	page := "<base href=http://right.example/>" + strings.Repeat("<a href=x>link</a>\n", 2000)
	other := strings.Repeat("<a href=y>link</a>\n", 2000)
	for _, coding := range []string{"7bit", "base64"} {
		text := page
		if coding == "base64" {
			text = string(bytes.Join(slices.Collect(slices.Chunk([]byte(base64.StdEncoding.EncodeToString([]byte(page))), 76)), []byte("\n")))
		}
		src := "Content-Location: http://wrong.example/\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\nContent-Transfer-Encoding: " + coding +
			"\n\n" + text + "\n--b\nContent-Type: text/html\n\n" + other + "--b--\n"
		found := map[string]int{}
		for _, url := range urls(&Config{MaxEntity: 10000, Type: messageType}, "x", src) {
			found[url]++
		}
		if found["embedded http://right.example/x"] != 2000 || found["encapsulating http://wrong.example/y"] != 2000 || len(found) != 3 {
			t.Errorf("%s: %v", coding, found)
		}
	}
}
