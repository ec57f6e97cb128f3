package message

import (
	"bytes"
	stdbase64 "encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"example.org/refract/extract/scan"
)

// condensable returns a message with parts that are not read, whose lines begin with "unread", and parts that are cut in
// all encodings.
func condensable() string {
	var text, unread, qp strings.Builder
	for i := range 150 {
		fmt.Fprintf(&text, "http://h/%d some text\n", i)
		fmt.Fprintf(&unread, "unread %d\n", i)
		fmt.Fprintf(&qp, "http://h/%d some=\n text=20\n", i)
	}
	coded := stdbase64.StdEncoding.EncodeToString([]byte(text.String()))
	for i := 61; i < len(coded); i += 62 { // no multiple of four
		coded = coded[:i] + "\n" + coded[i:]
	}
	drop := "Content-Type: image/png\n\n" + unread.String()
	return "Message-ID: <1@h>\nContent-Type: multipart/mixed; boundary=b\n\n" + text.String() + "--b\n" + drop + "--b\n\n" + text.String() +
		"--b\nContent-Transfer-Encoding: base64\n\n" + coded + "\n--b\nContent-Type: message/rfc822\n\nMessage-ID: <2@h>\nContent-Type: multipart/mixed; boundary=c\n\n" +
		"--c\nContent-Transfer-Encoding: quoted-printable\n\n" + qp.String() + "--c\n" + drop + "--c\nX: y\n\n" + text.String() + "--c--\n" + text.String() +
		"--b\n" + drop + "--b--\n" + strings.Repeat("a long line ", 300) + "\n"
}

// What Excerpts keep are the lines of the message that are read, each once and in order, with their places.
func TestExcerpts(t *testing.T) {
	for _, breaks := range []string{"\n", "\r\n", "\r"} {
		src := strings.ReplaceAll(condensable(), "\n", breaks)
		want := ""
		for line := range strings.SplitAfterSeq(src, breaks) {
			if !strings.HasPrefix(line, "unread") {
				want += line
			}
		}
		for _, limit := range []int{100, 1000, 5000, 1 << 20} {
			c := Condenser{ReadAs: readText, Limit: limit, Start: Mark{Offset: 7, Line: 3, LineStart: 7}}
			kept, size, ended := "", int64(0), false
			for e, err := range c.Excerpts(iotest.HalfReader(strings.NewReader(src))) {
				if err != nil {
					t.Fatal(err)
				}
				if over := len(e.Text) - e.From - max(limit, e.From/4); over > 200 {
					t.Errorf("limit %d: %d bytes too many", limit, over)
				}
				checkMarks(t, src, breaks, e)
				kept += string(e.Text[e.From:])
				size += e.Size
				if ended {
					t.Error("an excerpt behind the last one")
				}
				ended = e.Ends
			}
			if kept != want || size != int64(len(src)) || !ended {
				t.Errorf("%q, limit %d: kept %d bytes, want %d; %d of %d represented", breaks, limit, len(kept), len(want), size, len(src))
			}
		}
	}
}

// checkMarks checks that the text of an Excerpt is that of the input, which begins at offset 7 in line 3.
func checkMarks(t *testing.T, src, breaks string, e *Excerpt) {
	t.Helper()
	for i, m := range e.Marks {
		end := len(e.Text)
		if i+1 < len(e.Marks) {
			end = e.Marks[i+1].At
		}
		text, at := string(e.Text[m.At:end]), int(m.Offset)-7
		if m.At >= e.From && src[at:at+len(text)] != text {
			t.Fatalf("%.40q is not at %d, where there is %.40q", text, m.Offset, src[at:])
		}
		line, start := 3+strings.Count(src[:at], "\n"), 7+strings.LastIndexByte(src[:at], '\n')+1
		if breaks != "\r" && (m.Line != line || m.LineStart != int64(start)) {
			t.Fatalf("%.40q is in line %d from %d, want %d from %d", text, m.Line, m.LineStart, line, start)
		}
	}
}

// Each Excerpt is a message: with the headings around it, each reference has its part, and is found once.
func TestExcerptsAreMessages(t *testing.T) {
	src := condensable()
	refs := func(text []byte, from int) (list []string) {
		var part []string
		s := Scanner{ReadAs: readText}
		for it := range s.Scan(text) {
			switch {
			case it.Op == scan.Enter:
				part = append(part, it.Type)
			case it.Op == scan.Leave:
				part = part[:len(part)-1]
			case it.Op == scan.Ref && it.Span.Start >= from:
				list = append(list, strings.Join(part, "/")+" "+string(it.Value))
			}
		}
		return list
	}
	want := refs([]byte(src), 0)
	var got []string
	cut := map[string]bool{}
	c := Condenser{ReadAs: readText, Limit: 900}
	for e, err := range c.Excerpts(strings.NewReader(src)) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, refs(e.Text, e.From)...)
		cut[e.Part] = true
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%d references, want %d", len(got), len(want))
	}
	for _, part := range []string{"1", "2", "3", "4.1.1", "4.1.3"} {
		if !cut[part] {
			t.Errorf("part %s is not cut: %v", part, cut)
		}
	}
}

// An error of the reader comes after what was read before it. Nothing follows if the caller stops.
func TestExcerptsEnd(t *testing.T) {
	src := condensable()
	fails := errors.New("fails")
	c := Condenser{ReadAs: readText, Limit: 1000}
	var last error
	n, kept := 0, 0
	for e, err := range c.Excerpts(io.MultiReader(strings.NewReader(src[:6000]), iotest.ErrReader(fails))) {
		last = err
		n++
		if err == nil {
			kept += len(e.Text) - e.From
		}
	}
	if last != fails || kept < 4000 {
		t.Errorf("%v after %d bytes", last, kept)
	}
	for stop := range n {
		c, i := Condenser{ReadAs: readText, Limit: 1000}, 0
		for range c.Excerpts(strings.NewReader(src)) {
			if i++; i > stop {
				break
			}
		}
		if i != stop+1 {
			t.Errorf("%d excerpts, stopped after %d", i, stop)
		}
	}
}

// Hostile structures lose nothing that is read: headings without end, too many and too deep parts, boundaries with spaces.
func TestExcerptsHostile(t *testing.T) {
	for name, src := range map[string]string{
		"empty":           "",
		"endless heading": strings.Repeat("X: http://h/\n", 1<<17),
		"endless line":    strings.Repeat("x", 3<<20),
		"no breaks":       "Content-Type: text/plain\n\n" + strings.Repeat("http://h/ ", 3<<17),
		"deep":            strings.Repeat("Content-Type: message/rfc822\n\n", 200) + "http://h/\n",
		"many":            "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n\nhttp://h/\n", 20_000),
		"large headings":  strings.Repeat("Content-Type: message/rfc822\nX: "+strings.Repeat("x", 300<<10)+"\n\n", 8) + strings.Repeat("http://h/\n", 2000),
		"blanks":          "Content-Type: multipart/mixed; boundary=b\n\n--b" + strings.Repeat(" ", 1<<20) + "\n\nhttp://h/\n--b--" + strings.Repeat("\t", 1<<20),
		"mixed breaks":    "Subject: x\r\r" + strings.Repeat("http://h/\r", 300_000) + "http://h/\n\r",
		"same boundaries": strings.Repeat("Content-Type: multipart/mixed; boundary=b\n\n--b\n", 30) + "\nhttp://h/\n--b--\nhttp://h/\n",
	} {
		c := Condenser{ReadAs: readText, Limit: 3000}
		kept := 0
		for e, err := range c.Excerpts(strings.NewReader(src)) {
			if err != nil {
				t.Fatal(err)
			}
			kept += bytes.Count(e.Text[e.From:], []byte("http://h/"))
			if len(e.Text) > e.From+max(3000, e.From/4)+viewSize {
				t.Errorf("%s: an excerpt of %d bytes", name, len(e.Text))
			}
		}
		if want := strings.Count(src, "http://h/"); kept != want && name != "no breaks" {
			t.Errorf("%s: kept %d, want %d", name, kept, want)
		}
	}
}

// RFC 2046 5.2.2.
func TestPartial(t *testing.T) {
	const of = "Content-Type: message/partial; id=\"a@b\"; "
	for _, tt := range []struct {
		src  string
		want string // id number/total at the content, or ""
	}{
		{of + "number=1; total=3\n\nx", "a@b 1/3 at x"},
		{"Subject: y\r\n" + of + "number=2\r\n\r\nx", "a@b 2/0 at x"},
		{"content-type: Message/Partial;\n id=q; NUMBER=3;\n\ttotal=3\n\nx", "q 3/3 at x"},
		{of + "number=4; total=3\n\nx", ""},
		{of + "number=0\n\nx", ""},
		{of + "number=x\n\nx", ""},
		{of + "total=3\n\nx", ""},
		{of + "number=4097\n\nx", ""},
		{"Content-Type: message/partial; number=1\n\nx", ""},
		{"Content-Type: message/partial; number=1; id=" + strings.Repeat("a", 1025) + "\n\nx", ""},
		{"Content-Type: text/plain; id=a; number=1\n\nx", ""},
		{"Subject: y\n\n" + of + "number=1\n\nx", ""},
		{of + "number=1\nno field\n\nx", ""},
		{of + "number=1\n", ""},
		{" folded\n" + of + "number=1\n\nx", ""},
		{"\n", ""},
		{"", ""},
		{strings.Repeat("X: y\n", maxPartialHeading/5+1) + of + "number=1\n\nx", ""},
	} {
		p, ok := ReadPartial([]byte(tt.src))
		got := ""
		if ok {
			got = fmt.Sprintf("%s %d/%d at %s", p.ID, p.Number, p.Total, tt.src[p.Body:])
		}
		if got != tt.want {
			t.Errorf("%.80q: got %q, want %q", tt.src, got, tt.want)
		}
	}
}

// The example of RFC 2046 5.2.2.2: the heading of the larger message takes fields of both.
func TestJoined(t *testing.T) {
	const outer = "X-Weird-Header-1: Foo\nFrom: Bill@host.com\nSubject: Audio mail (part 1 of 2)\nMessage-ID: <id1@host.com>\nMIME-Version: 1.0\n" +
		"Content-type: message/partial; id=\"ABC@host.com\"; number=1; total=2\n"
	for _, tt := range []struct{ content, want string }{
		{
			"X-Weird-Header-1: Bar\nMessage-ID: <anotherid@foo.com>\nSubject: Audio mail\nMIME-Version: 1.0\nContent-type: audio/basic\nContent-transfer-encoding:\n base64\n\nfirst half",
			"X-Weird-Header-1: Foo\nFrom: Bill@host.com\nMessage-ID: <anotherid@foo.com>\nSubject: Audio mail\nMIME-Version: 1.0\nContent-type: audio/basic\nContent-transfer-encoding:\n base64\n\nfirst half",
		},
		{"no heading\n\nx", "X-Weird-Header-1: Foo\nFrom: Bill@host.com\n\nno heading\n\nx"},
		{"", "X-Weird-Header-1: Foo\nFrom: Bill@host.com\n\n"},
		{"Content-: x\nencrypted: y\n\nz", "X-Weird-Header-1: Foo\nFrom: Bill@host.com\nencrypted: y\n\nz"},
	} {
		src := outer + "\n" + tt.content
		p, ok := ReadPartial([]byte(src))
		if !ok {
			t.Fatal("no fragment")
		}
		got := ""
		for _, s := range p.Joined([]byte(src)) {
			got += src[s.Start:s.End]
		}
		if got != tt.want {
			t.Errorf("got\n%s\nwant\n%s", got, tt.want)
		}
	}
}

// What is known of a message from its heading.
func TestMessageFields(t *testing.T) {
	for _, tt := range []struct{ heading, want string }{
		{"Message-ID: <1@h>\nIn-Reply-To: your mail <2@h> of today <3@h>\nReferences: <4@h> <5@h>\n <6@h> <> <open", "1@h, reply to 2@h, references [4@h 5@h 6@h]"},
		{"In-Reply-To: none\nIn-Reply-To: <2@h>\nReferences: none", ", reply to 2@h, references []"},
		{"References: <a@h <b@h>", ", reply to , references [b@h]"},
		{"List-Id: \"A list\" <list.example.org>\nNewsgroups: comp.a, comp.b\nNewsgroups: other", ", reply to , references [], list list.example.org, groups comp.a,comp.b"},
		{"From: \"Doe, (John)\" <john@h>", ", reply to , references [], from john@h"},
		{"From: john@h (John \\) Doe <no@h>)", ", reply to , references [], from john@h"},
		{"From: John <no address> jo@h, x@h", ", reply to , references [], from jo@h"},
	} {
		var m *scan.Message
		s := Scanner{ReadAs: readText, Cite: true}
		for it := range s.Scan([]byte(tt.heading + "\n\ntext\n")) {
			if it.Op == scan.Enter && m == nil {
				m = it.Extra().Message
			}
		}
		if m == nil {
			t.Fatalf("%q: no message", tt.heading)
		}
		got := fmt.Sprintf("%s, reply to %s, references %v", m.ID, m.InReplyTo, m.References)
		if m.ListID != "" || m.Newsgroups != "" {
			got += fmt.Sprintf(", list %s, groups %s", m.ListID, m.Newsgroups)
		}
		if m.From != "" {
			got += ", from " + m.From
		}
		if got != tt.want {
			t.Errorf("%q: got  %s\nwant %s", tt.heading, got, tt.want)
		}
	}
}
