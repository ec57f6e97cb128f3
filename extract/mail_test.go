package extract

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/resolve"
)

// vectors are messages with base headers, and the resolved URLs of their references: examples of the
// specifications and from practice.
const vectors = "../testdata/message"

type expectation struct {
	Name   string
	Expect []struct {
		Ref, Part string
		Base, Abs *string
	}
}

func TestVectors(t *testing.T) {
	list, err := os.Open(filepath.Join(vectors, "expected.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	checked := 0
	for s := bufio.NewScanner(list); s.Scan(); {
		var want expectation
		if err := json.Unmarshal(s.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		src, err := os.ReadFile(filepath.Join(vectors, want.Name+".eml"))
		if err != nil {
			t.Fatal(err)
		}
		checked += want.check(t, src)
	}
	if checked != 61 {
		t.Errorf("%d expectations, want 61", checked)
	}
}

// check walks src and looks for each expected reference in its part. It returns the number of
// references.
func (e *expectation) check(t *testing.T, src []byte) int {
	t.Helper()
	var c Config
	if e.Name == "rfc2557-9.6" { // http:images/… is relative there
		if err := c.Rules.Set("same-scheme", "relative"); err != nil {
			t.Fatal(err)
		}
	}
	var found []*Reference
	for r, err := range c.Walk(e.Name+".eml", bytes.NewReader(src)) {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, r.Clone())
	}
	for _, want := range e.Expect {
		part, header := strings.CutSuffix(want.Part, "header")
		part = strings.TrimSuffix(part, ".")
		ok := false
		var seen []string
		for _, r := range found {
			if string(r.Ref) != want.Ref || r.Entity.Path() != part || (r.Kind.String() == "header") != header {
				continue
			}
			base := r.Base.URI
			if r.Result.Step == resolve.Absolute {
				base = ""
			}
			if want.Abs == nil {
				ok = ok || r.URL == nil && base == "" && *want.Base == "thismessage:/"
			} else {
				ok = ok || string(r.URL) == *want.Abs && (want.Base == nil && base == "" || want.Base != nil && base == *want.Base)
			}
			seen = append(seen, base+" -> "+string(r.URL))
		}
		if !ok {
			t.Errorf("%s: %q in part %s: got %q", e.Name, want.Ref, want.Part, seen)
		}
	}
	return len(e.Expect)
}

// told walks src and returns a line for each reference: its part, "header" for one in a heading, the
// layer and the source of the base, and its URL.
func told(c *Config, name, src string) string {
	var all []string
	for r, err := range c.Walk(name, strings.NewReader(src)) {
		if err != nil {
			all = append(all, err.Error())
			continue
		}
		s := r.Entity.Path()
		if r.Kind == scan.Header {
			s += " " + r.In
		}
		if r.Result.Step == resolve.Absolute {
			s += " " + string(r.URL)
		} else if r.Err != nil {
			s += " " + string(r.Ref) + ": " + r.Err.Error()
		} else {
			s += " " + r.Base.Layer.String() + " " + r.Base.From + " " + string(r.URL)
		}
		if r.TargetPart != "" {
			s += " = " + r.TargetPart
		}
		all = append(all, strings.TrimPrefix(s, " "))
	}
	return strings.Join(all, "\n")
}

// mail makes a message of lines that end in "|".
func mail(s string) string { return strings.ReplaceAll(s, "|", "\n") }

func TestMailBases(t *testing.T) {
	const two = "Content-Type: multipart/related; boundary=b||"
	tests := []struct{ sec, src, want string }{
		{"1808 3.1", "Base: <URL:http://h/a/b/c>|X-URL: ../d|Content-Type: text/html||<a href=g><a href=../g>",
			"Base http://h/a/b/c|X-URL embedded Base http://h/a/d|1 embedded Base http://h/a/b/g|1 embedded Base http://h/a/g"},
		{"1808 3.1", "BASE: <URL:http://h/| a/|\tb>|Content-Type: text/html||<a href=g>", "Base http://h/a/b|1 embedded Base http://h/a/g"},
		{"1808 3.2", "Base: http://a/a/|Content-Type: multipart/mixed; boundary=b||--b|Content-Type: text/html||<a href=x>|--b|Content-Type: multipart/mixed; boundary=c|Base: http://b/b/||--c|Content-Type: text/html||<a href=x>|--c|Content-Type: text/html|Base: http://c/c/||<a href=x>|--c--|--b--",
			"Base http://a/a/|1 encapsulating Base http://a/a/x|2 Base http://b/b/|2.1 encapsulating Base http://b/b/x|2.2 Base http://c/c/|2.2 embedded Base http://c/c/x"},
		{"2068 14.11", "Content-Location: http://l/|Base: http://b/|Content-Base: http://c/|Content-Type: text/html||<a href=x>",
			"Content-Location http://l/|Base http://b/|Content-Base http://c/|1 embedded Content-Base http://c/x"},
		{"a base that is none", "Base: 16|Content-Location: http://l/|Content-Type: text/html||<a href=x>", "Content-Location http://l/|1 embedded Content-Location http://l/x"},
		{"2110 4.2", two + "--b|Content-Type: text/html|Content-Base: http://h/i/|Content-Location: f||<a href=x>|--b--",
			"1 Content-Base http://h/i/|1 Content-Location embedded Content-Base http://h/i/f|1 embedded Content-Base http://h/i/x"},
		{"2557 5a", two + "--b|Content-Type: text/html|Content-Location: http://i/p/||<base href=q/><a href=x>|--b--", "1 Content-Location http://i/p/|1 embedded base/href http://i/p/q/x"},
		{"2557 5b", "Content-Location: http://o/m/|" + two + "--b|Content-Type: text/html|Content-Location: sub/r||<a href=x>|--b--",
			"Content-Location http://o/m/|1 Content-Location encapsulating Content-Location http://o/m/sub/r|1 encapsulating Content-Location http://o/m/x"},
		{"2557 5c", "Content-Location: http://o/a/|" + two + "--b|Content-Type: message/rfc822||Content-Type: text/html||<a href=x>|--b|Content-Type: message/rfc822|Content-Location: http://m/b/||Content-Location: http://d/c/|Content-Type: multipart/mixed; boundary=c||--c|Content-Type: text/html||<a href=x>|--c--|--b--",
			"Content-Location http://o/a/|1.1 encapsulating Content-Location http://o/a/x|2 Content-Location http://m/b/|2.1 Content-Location http://d/c/|2.1.1 encapsulating Content-Location http://d/c/x"},
		{"2557 5c", "Base: http://o/|Content-Type: message/rfc822|Content-Transfer-Encoding: base64||Q29udGVudC1UeXBlOiB0ZXh0L2h0bWwKCjxhIGhyZWY9eD4=", "Base http://o/|1.1 encapsulating Base http://o/x"},
		{"2557 5e", two + "--b|Content-Type: text/html||<img src=i.gif>|--b|Content-Type: image/gif|Content-Location: i.gif||x|--b--", "1 i.gif: no base = 2|2 Content-Location i.gif: no base"},
		{"2557 5, 9.4", "Content-Location: ThisMessage:/|" + two + "--b|Content-Type: text/html||<a href=x><base href=d/><img src=../i.gif><a href=http://h/><a href=#a>|--b|Content-Type: image/gif|Content-Location: i.gif||x|--b--",
			"1 x: no base|1 ../i.gif: no base = 2|1 http://h/|1 #a: no base|2 Content-Location i.gif: no base"},
		{"2557 5b", "Content-Location: http://o/|" + two + "--b|Content-Type: text/html|Content-Location: thismessage:/a/||<a href=x>|--b|Content-Type: text/html||<a href=x>|--b--",
			"Content-Location http://o/|1 x: no base|2 encapsulating Content-Location http://o/x"},
		{"2557 8.3", two + "--b|Content-Type: text/html||<img src=cid:a%40h><img src=cid:c><a href=x>|--b|Content-Type: image/gif|Content-ID: <a@h>|Content-Location: CID:b||x|--b--", "1 cid:a%40h = 2|1 cid:c|1 x: no base"},
		{"2557 9.2", two + "--b|Content-Type: text/html||<img src=http://h/i/l.gif>|--b|Content-Type: image/gif|Content-Location:| http://h/i/l.gif||x|--b--", "1 http://h/i/l.gif = 2|2 Content-Location http://h/i/l.gif"},
		{"2557 9.3", "Content-Location: http://h/|" + two + "--b|Content-Type: text/html|Content-Transfer-Encoding: quoted-printable||<img src=3Di/=|l.gif>|--b|Content-Type: image/gif|Content-Location: i/l.gif||x|--b--",
			"Content-Location http://h/|1 encapsulating Content-Location http://h/i/l.gif = 2|2 Content-Location encapsulating Content-Location http://h/i/l.gif"},
		{"2557 9.6", two + "--b|Content-Type: text/html||<img src=l.gif>|--b|Content-Type: multipart/related; boundary=c|Content-Location: http://h/m||--c|Content-Type: text/html||<img src=l.gif>|--c|Content-Type: image/gif|Content-Location: l.gif||x|--c--|--b--",
			"1 l.gif: no base|2 Content-Location http://h/m|2.1 encapsulating Content-Location http://h/l.gif = 2.2|2.2 Content-Location encapsulating Content-Location http://h/l.gif"},
		{"2557 4.4.1", "Content-Location: =?us-ascii?Q?http=3A//h/a_b/?=| =?us-ascii?Q?c?=|Content-Type: text/html||<a href=x>", "Content-Location http://h/a%20b/c|1 embedded Content-Location http://h/a%20b/x"},
		{"3986 5.1", "Content-Location: http://h/a?q#f|Content-Type: text/html||<a href=#s><a href=?y>", "Content-Location http://h/a?q#f|1 embedded Content-Location http://h/a?q#s|1 embedded Content-Location http://h/a?y"},
		{"a browser's", "Snapshot-Content-Location: http://h/d/p|" + two + "--b|Content-Type: text/html|Content-Location: cid:f||<a href=x>|--b|Content-Type: text/css|Content-Location: http://c/s.css||a{b:url(x)}|--b--",
			"Snapshot-Content-Location http://h/d/p|1 encapsulating Snapshot-Content-Location http://h/d/x|2 Content-Location http://c/s.css|2 embedded Content-Location http://c/x"},
		{"3676 4", "Content-Type: text/plain; format=flowed; delsp=yes||http://h/a/ |b.html", "1 http://h/a/b.html"},
		{"3676 4", "Content-Type: text/plain; format=flowed||http://h/a/ |b.html", "1 http://h/a/"},
		{"visible text", "Content-Type: text/html||http://h/?a&amp;b <a href=http://i/>http://j/</a> www.k.org<textarea>http://l/</textarea>", "1 http://h/?a&b|1 http://i/|1 http://www.k.org|1 http://l/"},
	}
	for _, tt := range tests {
		c := Config{Cite: true}
		if got, want := told(&c, "m.eml", mail(tt.src)), mail(tt.want); got != want {
			t.Errorf("%s: %s\n got %s\nwant %s", tt.sec, tt.src, got, want)
		}
	}
}

func TestMailTemplate(t *testing.T) {
	src := mail("From a@b Tue Apr  1 09:28:56 1997|Message-ID: <a/1@h>||<URL:x>||From a@b Tue Apr  1 09:28:56 1997|Subject: s||<URL:x>|")
	var notes []string
	c := Config{Cite: true, Note: func(n *Note) { notes = append(notes, n.Text) }}
	c.Retrieved.URI, c.Retrieved.From = "https://l/{message-id}/", "--url"
	want := "1 retrieval --url https://l/a%2F1@h/x\n1 x: no base"
	if got := told(&c, "x.mbox", src); got != want || len(notes) != 1 {
		t.Errorf("got %s, %q", got, notes)
	}
}

// Every reference leads back to the smallest range of the file, and its line is that of the decoded
// part.
func TestMailPlaces(t *testing.T) {
	tests := []struct{ sec, src, raw, want string }{
		{"2045 6.7", "Content-Transfer-Encoding: quoted-printable||a=20=|=20http://h/=|=C3=A9 b", "http://h/=|=C3=A9", "http://h/%C3%A9 true 1:4"},
		{"2045 6.8", "Content-Transfer-Encoding: base64||YWJjaHR0cDov|L2gvIGFi", "aHR0cDov|L2gv", "http://h/ true 1:4"},
		{"2045 6.8", "Content-Transfer-Encoding: base64||YSBodHRwOi8v|aC8gYWI=", "YSBodHRwOi8v|aC8g", "http://h/ false 1:3"},
		{"a charset", "Content-Type: text/plain; charset=iso-8859-1||x|http://h/\xe9", "http://h/\xe9", "http://h/%C3%A9 true 2:1"},
		{"no ASCII", "Content-Type: text/plain; charset=us-ascii||x|http://h/\xec\x99\x84", "http://h/\xec\x99\x84", "http://h/%EC%99%84 true 2:1"},
		{"neither ASCII nor UTF-8", "Content-Type: text/plain; charset=us-ascii||x|http://h/\xe9", "http://h/\xe9", "http://h/%C3%A9 true 2:1"},
		{"UTF-8 with another label", "Content-Type: text/plain; charset=iso-8859-1||x|http://h/\xc3\xa9", "http://h/\xc3\xa9", "http://h/%C3%83%C2%A9 true 2:1"},
		{"HTML that is no ASCII", "Content-Type: text/html; charset=us-ascii||<meta charset=koi8-r><a href=http://h/\xc1>", "http://h/\xc1", "http://h/%D0%B0 true 1:30"},
		{"a charset with states", "Content-Type: text/plain; charset=iso-2022-jp||\x1b$B4A\x1b(B http://h/ \x1b$B4A\x1b(B", "http://h/", "http://h/ true 1:10"},
		{"UTF-7", "Content-Type: text/plain; charset=utf-7||http://h/+AOk- x", "http://h/+AOk", "http://h/%C3%A9 false 1:1"},
		{"3676 4.1", "Content-Type: text/plain; format=flowed; delsp=yes||> http://h/ |> a b", "http://h/ |> a", "http://h/a true 1:3"},
		{"2047", "Subject: =?utf-8?Q?http=3A//h/=20x?=||", "=?utf-8?Q?http=3A//h/=20x?=", "http://h/ false 0:0"},
		{"Shift_JIS", "Content-Type: text/plain; charset=Shift_JIS||http://h/\x95\x5c x", "http://h/\x95\x5c", "http://h/%E8%A1%A8 true 1:1"},
		{"GB18030", "Content-Type: text/plain; charset=\"gb18030\"||\xd6\xd0 http://h/\xd6\xd0 x", "http://h/\xd6\xd0", "http://h/%E4%B8%AD true 1:4"},
		{"KOI8-R", "Content-Type: text/plain; charset=koi8-r||<http://h/\xc1> x", "http://h/\xc1", "http://h/%D0%B0 true 1:2"},
		{"UTF-16", "Content-Type: text/plain; charset=utf-16|Content-Transfer-Encoding: base64||aAB0AHQAcAA6AC8ALwBoAC8A", "aAB0AHQAcAA6AC8ALwBoAC8A", "http://h/ true 1:1"},
		{"5545 3.1", "Content-Type: text/calendar||URL:http://h/a| b|", "http://h/a| b", "http://h/ab true 1:5"},
		{"1896", "Content-Type: text/enriched||<bold>http://h/</bold>", "http://h/", "http://h/ true 1:7"},
		{"markdown", "Content-Type: text/markdown||[a](http://h/ \"t\")", "http://h/", "http://h/ true 1:5"},
		{"HTML", "Content-Type: text/html; charset=koi8-r|Content-Transfer-Encoding: quoted-printable||=|<a href=3Dhttp://h/=C1&amp;>", "http://h/=C1&amp;", "http://h/%D0%B0& true 1:9"},
	}
	for _, tt := range tests {
		c := Config{Lines: true}
		src := mail(tt.src)
		n := 0
		for r, err := range c.Walk("m.eml", strings.NewReader(src)) {
			if err != nil {
				t.Fatal(err)
			}
			n++
			got := fmt.Sprintf("%s %t %d:%d", r.URL, r.Pos.Exact, r.PartLine, r.PartColumn)
			at := src[r.Pos.Offset:][:r.Pos.Length]
			if got != tt.want || at != mail(tt.raw) || string(r.Raw) != at {
				t.Errorf("%s: %s\n got %s %q %q\nwant %s %q", tt.sec, tt.src, got, at, r.Raw, tt.want, mail(tt.raw))
			}
			before := src[:r.Pos.Offset]
			if line, column := 1+strings.Count(before, "\n"), len(before)-strings.LastIndex(before, "\n"); r.Pos.Line != line || r.Pos.Column != column {
				t.Errorf("%s: at %d:%d, want %d:%d", tt.sec, r.Pos.Line, r.Pos.Column, line, column)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d references", tt.sec, n)
		}
	}
}
