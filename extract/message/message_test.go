package message

import (
	"fmt"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// readText reads what the tests have as it says to be.
func readText(mediaType, name string) string {
	if strings.HasPrefix(mediaType, "image/") {
		return ""
	}
	if strings.HasSuffix(name, ".html") {
		return "text/html"
	}
	return mediaType
}

// said returns the Items of a Scanner for src, one per line.
func said(s *Scanner, src string) string {
	if s.ReadAs == nil {
		s.ReadAs = readText
	}
	var b strings.Builder
	depth := 0
	for it := range s.Scan([]byte(src)) {
		if it.Op == scan.Leave {
			depth--
			continue
		}
		b.WriteString(strings.Repeat(" ", depth))
		switch it.Op {
		case scan.Enter:
			fmt.Fprintf(&b, "(%s %s", it.Name, it.Type)
			if len(it.Value) > 0 {
				fmt.Fprintf(&b, " %s", it.Value)
			}
			for _, l := range it.Labels.Names() {
				b.WriteString(" " + l)
			}
			if m := it.Extra().Message; m != nil {
				fmt.Fprintf(&b, " %q %q %q", m.ID, m.Subject, m.Date)
			}
			depth++
		case scan.Base:
			fmt.Fprintf(&b, "base %s %s", it.In, it.Value)
		case scan.Ref:
			fmt.Fprintf(&b, "%s: %s", it.In, it.Value)
			for _, l := range it.Labels.Names() {
				b.WriteString(" " + l)
			}
			if it.Loose {
				b.WriteString(" loose")
			}
		case scan.Note:
			fmt.Fprintf(&b, "note: %s", it.Text)
			if it.Code == "" {
				b.WriteString(", without a code")
			}
		case scan.Body:
			fmt.Fprintf(&b, "%s%s%s%s %q", it.Name, []string{"", " "}[min(1, len(it.Name))], it.Type, []string{"", " flowed", " delsp"}[it.Flow], it.Value)
			if charset := it.Extra().Charset; charset != "" {
				b.WriteString(" " + charset)
			}
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// lines makes a message of lines that end in "|".
func lines(s string) string { return strings.NewReplacer("|\n", "\r\n", "|", "\n").Replace(s) }

func TestStructure(t *testing.T) {
	tests := []struct{ sec, src, want string }{
		{"5322 2.1", "Subject: a||text|", "( text/plain\n 1 text/plain \"text\\n\""},
		{"two CR", "Subject: a;\r\r|\r\r|text", "( text/plain\n 1 text/plain \"text\""},
		{"5322 2.1", "Subject: a|\n|\ntext|\n", "( text/plain\n 1 text/plain \"text\\r\\n\""},
		{"", "", "( text/plain"},
		{"", "||", "( text/plain\n 1 text/plain \"\\n\""},
		{"", "no heading|at all|", "( text/plain\n note: no blank line after the header\n 1 text/plain \"no heading\\nat all\\n\""},
		{"", "Subject: a|text|", "( text/plain\n note: no blank line after the header\n 1 text/plain \"text\\n\""},
		{"", "From a@b Tue Apr  1 09:28:56 1997|>From c Tue|Subject: a||text", "( text/plain\n 1 text/plain \"text\""},
		{"", "From a@b Tue Apr  1 09:28:56 1997|Subject: a||text", "( text/plain\n 1 text/plain \"text\""},
		{"lines that are no fields", "Subject: a|b|x-y z||text|Content-Type: text/html||text", "( text/plain\n note: no blank line after the header\n 1 text/plain \"b\\nx-y z\\n\\ntext\\nContent-Type: text/html\\n\\ntext\""},
		{"a line that lost its indentation, before a field of a program", "Subject: a|b|X-Y: z|Content-Type: text/html||text", "( text/html\n 1 text/html \"text\""},
		{"a line that lost its indentation", "Subject: a|b|Content-Type: text/html||text", "( text/html\n 1 text/html \"text\""},
		{"CR only", "Subject: a\r\rone\rtwo", "( text/plain\n 1 text/plain \"one\\ntwo\""},

		{"2046 5.1.1", "Content-Type: multipart/mixed; boundary=b||pre|--b||one|--b |Content-Type: text/html||two|--b--|post|",
			"( multipart/mixed\n text/plain \"pre\"\n (1 text/plain\n  text/plain \"one\"\n (2 text/html\n  text/html \"two\"\n text/plain \"post\\n\""},
		{"2046 5.1.1", "Content-Type: multipart/mixed; boundary=\"b c\"||--b|--b c||one|\n--b c--|\n", "( multipart/mixed\n text/plain \"--b\"\n (1 text/plain\n  text/plain \"one\""},
		{"a prefix", "Content-Type: multipart/mixed; boundary=b||--b|Content-Type: multipart/mixed; boundary=b2||--b2||one|--b2--|--b||two|--b--",
			"( multipart/mixed\n (1 multipart/mixed\n  (1 text/plain\n   text/plain \"one\"\n (2 text/plain\n  text/plain \"two\""},
		{"empty parts", "Content-Type: multipart/mixed; boundary=b||--b||--b|||--b||-|--b---|--b--", "( multipart/mixed\n (1 text/plain\n (2 text/plain\n (3 text/plain\n  text/plain \"-\\n--b---\""},
		{"a prefix with hyphens", "Content-Type: multipart/mixed; boundary=b--||--b--||one|--b----", "( multipart/mixed\n (1 text/plain\n  text/plain \"one\""},
		{"not closed", "Content-Type: multipart/mixed; boundary=b||--b|Content-Type: multipart/mixed; boundary=c||--c||one|--b||two|",
			"( multipart/mixed\n note: an unclosed multipart\n (1 multipart/mixed\n  note: an unclosed multipart\n  (1 text/plain\n   text/plain \"one\"\n (2 text/plain\n  text/plain \"two\\n\""},
		{"no boundary", "Content-Type: multipart/mixed||--x|Content-Type: text/html||one|--x--", "( multipart/mixed\n note: a multipart without a boundary: taken from the first delimiter\n (1 text/html\n  text/html \"one\""},
		{"another boundary", "Content-Type: multipart/mixed; boundary=y||--x|Content-Type: text/html||one|--x--", "( multipart/mixed\n note: the boundary does not occur: taken from the first delimiter\n (1 text/html\n  text/html \"one\""},
		{"no boundary", "Content-Type: multipart/mixed||text", "( multipart/mixed\n note: a multipart without a boundary: read as running text\n text/plain \"text\""},
		{"no delimiter", "Content-Type: multipart/mixed; boundary=y|||Content-Type: text/html||one", "( multipart/mixed\n note: the boundary does not occur: read as one part\n (1 text/html\n  text/html \"one\""},
		{"no heading", "Content-Type: multipart/mixed; boundary=b||--b|text|--b--", "( multipart/mixed\n (1 text/plain\n  text/plain \"text\""},
		{"no indentation", "Content-Type: multipart/mixed; x=y;|boundary=b||--b||text|--b--", "( multipart/mixed\n (1 text/plain\n  text/plain \"text\""},
		{"no indentation", "Received: from a|by b|for c|X-A: d|Content-Type: text/html||text", "( text/html\n 1 text/html \"text\""},
		{"no indentation", "Content-Type: text/html|X-A: b|c d|X-E: f||text", "( text/html\n 1 text/html \"text\""},
		{"no indentation", "Content-Type: multipart/mixed; boundary=b||--b|one|two|Date: x|--b--", "( multipart/mixed\n (1 text/plain\n  text/plain \"one\\ntwo\\nDate: x\""},
		{"no blank line", "Content-Type: text/html|<html>|Date: x||text", "( text/html\n note: no blank line after the header\n 1 text/html \"<html>\\nDate: x\\n\\ntext\""},
		{"no blank line before a delimiter", "Content-Type: multipart/mixed; boundary=b|--b|Content-Type: text/html||x|--b--", "( multipart/mixed\n note: no blank line after the header\n (1 text/html\n  text/html \"x\""},
		{"hyphens that are no delimiter", "Content-Type: multipart/mixed; boundary=b|--c|Date: x||--b||x|--b--", "( multipart/mixed\n (1 text/plain\n  text/plain \"x\""},
		{"heading only", "Content-Type: multipart/mixed; boundary=b||--b|Content-Type: text/html|--b--", "( multipart/mixed\n (1 text/html\n  note: no blank line after the header"},
		{"text with parts", "Content-Type: text/html; boundary=b||--b|Content-Type: text/plain||one|--b--", "( text/html\n note: text/html that contains the parts of a multipart\n (1 text/plain\n  text/plain \"one\""},
		{"text with a boundary", "Content-Type: text/html; boundary=b||one", "( text/html\n 1 text/html \"one\""},

		{"2046 5.2.1", "Content-Type: message/rfc822||Subject: b||text", "( message/rfc822\n (1 text/plain\n  text/plain \"text\""},
		{"2046 5.2.1", "Content-Type: multipart/digest; boundary=b||--b||Subject: x||one|--b--", "( multipart/digest\n (1 message/rfc822\n  (1 text/plain\n   text/plain \"one\""},
		{"encoded", "Content-Type: message/rfc822|Content-Transfer-Encoding: base64||U3ViamVjdDogYgoKdGV4dA==", "( message/rfc822\n 1 message/rfc822 \"Subject: b\\n\\ntext\""},
		{"3462 2", "Content-Type: text/rfc822-headers||Archived-At: <http://h/>|", "( text/rfc822-headers\n (1 text/plain\n  Archived-At: http://h/"},
		{"3462 2", "Content-Type: text/rfc822-headers||Content-Type: multipart/mixed; boundary=b|", "( text/rfc822-headers\n (1 multipart/mixed"},
		{"3462 2", "Content-Type: multipart/report; boundary=b||--b|Content-Type: text/rfc822-headers||Content-Type: multipart/mixed|--b--", "( multipart/report\n (1 text/rfc822-headers\n  (1 multipart/mixed"},
		{"2046 5.2.2", "Content-Type: message/partial; number=1; total=2||Subject: b||text", "( text/plain\n note: one part of a message/partial: read by itself\n (1 text/plain\n  text/plain \"text\""},
		{"2046 5.2.2", "Content-Type: message/partial; number=2||Subject: b||text", "( text/plain\n note: one part of a message/partial: read by itself\n 1 text/plain \"Subject: b\\n\\ntext\""},
		{"2017 3.1", "Content-Type: message/external-body; access-type=URL; URL=\"ftp://h/\n a\"||Content-Type: text/html||http://no/", "( message/external-body\n Content-Type/url: ftp://h/a"},

		{"2045 6.7", "Content-Transfer-Encoding: Quoted-Printable||a=|b", "( text/plain\n 1 text/plain \"ab\""},
		{"2045 6.4", "Content-Transfer-Encoding: 8bith||a=", "( text/plain\n 1 text/plain \"a=\""},
		{"2045 6.4", "Content-Transfer-Encoding: =?utf-8?Q?8bit?=||a=", "( text/plain\n 1 text/plain \"a=\""},
		{"2045 6.4", "Content-Transfer-Encoding: base9||a=", "( text/plain\n note: unknown Content-Transfer-Encoding \"base9\": read as it is\n 1 text/plain \"a=\""},
		{"", "Content-Type: image/png|Content-Transfer-Encoding: base64||a=", "( image/png\n note: "},
		{"", "Content-Type: application/octet-stream; name=a.html||a=", "( application/octet-stream\n 1 text/html \"a=\""},
		{"2183 2.3", "Content-Type: image/png|Content-Disposition: inline; filename=\"a.html\"||a=", "( image/png\n note: "},

		{"2045 5.1", "Content-Type: TEXT/html (c) ; charset=\"a\\b\"(d); x=y||t", "( text/html\n 1 text/html \"t\" ab"},
		{"2045 5.1", "Content-Type: text/html charset=a||t", "( text/html\n 1 text/html \"t\" a"},
		{"2045 5.1", "Content-Type: text/html; charset=\"a; b=c||t", "( text/html\n 1 text/html \"t\" a"},
		{"2045 5.1", "Content-Type: text/html; (charset=a||t", "( text/html\n 1 text/html \"t\" a"},
		{"2045 5.2", "Content-Type: text||t", "( text/plain\n 1 text/plain \"t\""},
		{"2231 3", "Content-Type: multipart/mixed; boundary*0=\"a\"; boundary*1=b||--ab||t|--ab--", "( multipart/mixed\n (1 text/plain\n  text/plain \"t\""},
		{"2231 4", "Content-Type: text/html; charset*=us-ascii'en'koi8%2Dr||t", "( text/html\n 1 text/html \"t\" koi8-r"},
		{"2231 4", "Content-Type: multipart/mixed; boundary*0*=us-ascii''a%20; boundary*1*=b||--a b||t|--a b--", "( multipart/mixed\n (1 text/plain\n  text/plain \"t\""},
		{"2231 4", "Content-Type: application/x; name*=utf-8'en'a%2ehtml||t", "( application/x\n 1 text/html \"t\""},
		{"3676 4", "Content-Type: text/plain; format=flowed; delsp=yes||t", "( text/plain\n 1 text/plain delsp \"t\""},
		{"3676 4", "Content-Type: text/plain; Format=Flowed||t", "( text/plain\n 1 text/plain flowed \"t\""},
	}
	for _, tt := range tests {
		if got := said(new(Scanner), lines(tt.src)); got != tt.want {
			t.Errorf("%s: %q\n got %s\nwant %s", tt.sec, tt.src, got, tt.want)
		}
	}
}

func TestHeading(t *testing.T) {
	tests := []struct{ sec, src, want string }{
		{"1808 3.1", "Base: <URL:http://h/a/|  b>||", "base Base http://h/a/b|Base: http://h/a/b"},
		{"1808 3.1", "bAsE : http://h/a ||", "base Base http://h/a|Base: http://h/a"},
		{"1808 3.1", "Base: a/b||", "note: Base is not absolute: it gives no base"},
		{"2110 4.2", "Content-Location: x|Base: http://b/|Content-Base: http://c/||", "base Content-Base http://c/|Content-Location: x|Base: http://b/|Content-Base: http://c/"},
		{"2557 5", "Content-Location: x||", "Content-Location: x"},
		{"2557 8.3", "Content-Location: CID:x ; y|Content-ID: <a@b>||", ""},
		{"2557 4.4", "Content-Location: http://h/a| b|\tc (d)||", "base Content-Location http://h/abc|Content-Location: http://h/abc"},
		{"2557 4.4", "Content-Location: \"http://h/a b| c\"||", "base Content-Location http://h/a bc|Content-Location: http://h/a bc"},
		{"2557 4.4.1", "Content-Location: =?us-ascii?Q?http=3A//h/a_b/?=| =?us-ascii?Q?c?=||", "base Content-Location http://h/a b/c|Content-Location: http://h/a b/c"},
		{"the first counts", "Base: http://a/|Base: http://b/||", "base Base http://a/|Base: http://a/|Base: http://b/"},
		{"quoted", "Content-Base: \"http://h/a b\" (c)||", "base Content-Base http://h/a b|Content-Base: http://h/a b"},
		{"a browser", "Snapshot-Content-Location: http://h/||", "base Snapshot-Content-Location http://h/|Snapshot-Content-Location: http://h/"},

		{"2369 2", "List-Help: <http://h/>, (c) <mailto:a@h> (d)||", "List-Help: http://h/|List-Help: mailto:a@h"},
		{"2369 2", "List-Help: <http://h/> x, <http://i/>||", "List-Help: http://h/"},
		{"2369 2", "List-Help: <http://h/a|\t b>||", "List-Help: http://h/ab"},
		{"2369 2", "List-Help: http://h/ x||", "List-Help: http://h/ speculative"},
		{"2369 2", "List-Help: <http://h/>, <http://i/ j||", "List-Help: http://h/|List-Help: http://i/ speculative"},
		{"2369 2", "List-Post: NO (no <http://h/>)||", "List-Post: http://h/ speculative"},
		{"2369 2", "List-Help: (c <http://h/>||", "List-Help: http://h/ speculative"},
		{"5064 2.1", "Archived-At: <http://h/| a@b>||", "Archived-At: http://h/a@b"},
		{"", "X-URL: ../d||", "X-URL: ../d"},
		{"", "X-URL: see <http://h/> and http://i/||", "X-URL: http://h/|X-URL: http://i/"},
		{"running text", "Subject: see http://h/.|X-Mailer: m (http://i/)||", "Subject: http://h/|X-Mailer: http://i/"},
		{"running text", "X: <http://h/a| b>|Y: <http://h/a|Z: b>||", "X: http://h/ab|Y: http://h/a"},
		{"a comment", "Received: from a (b [192.0.2.1])| (ftp://h/rfc1894.txt) by c; Sat, 11 Dec 2010 12:19:59 +0900||", "Received: ftp://h/rfc1894.txt"},
		{"no abbreviations", "Organization: www.example.org||", ""},
		{"2047", "Subject: =?utf-8?B?aHR0cDovL2gvw6k=?=||", "Subject: http://h/é"},
		{"2047", "Subject: =?utf-8?Q?http=3A?= =?utf-8?Q?//h/=20x?=||", "Subject: http://h/ loose"},
		{"2047", "Subject: =?utf-8?Q?a?_http=3A//h/?=||", "Subject: http://h/ loose"},
		{"2047", "Subject: =?utf-8?Q?what?=", ""},
		{"2047", "Subject: =?utf-8?X?y?= =?nope?Q?z?= http://h/||", "Subject: http://h/"},
		{"2047", "Subject: =?utf-8?Q?a? =?utf-8?Q?http=3A//h/?b?=||", "Subject: http://h/?b"},
		{"2047", "List-Help: <=?utf-8?Q?http=3A//h/a?=>||", "List-Help: http://h/a"},
		{"2047", "List-Help: <=?utf-8?Q?=77ww.h/=ff?=>||", "List-Help: www.h/\xff"},
		{"2047", "Subject: =?utf-8?Q?=68ttp:=2f/h/a?=||", "Subject: http://h/a"},
	}
	for _, tt := range tests {
		got := strings.TrimPrefix(strings.ReplaceAll(said(new(Scanner), lines(tt.src)), "\n ", "|"), "( text/plain")
		if got = strings.TrimPrefix(strings.TrimPrefix(got, " a@b"), "|"); got != tt.want {
			t.Errorf("%s: %q\n got %s\nwant %s", tt.sec, tt.src, got, tt.want)
		}
	}
}

func TestPrefer(t *testing.T) {
	const both = "Content-Type: multipart/alternative; boundary=b||--b||http://t/|--b|Content-Type: multipart/related; boundary=c||--c|Content-Type: text/html||<a>|--c--|--b--"
	for prefer, want := range map[Prefer]string{
		PreferNone: "( multipart/alternative\n (1 text/plain alternative\n  text/plain \"http://t/\"\n (2 multipart/related alternative\n  (1 text/html\n   text/html \"<a>\"",
		PreferHTML: "( multipart/alternative\n (2 multipart/related alternative\n  (1 text/html\n   text/html \"<a>\"",
		PreferText: "( multipart/alternative\n (1 text/plain alternative\n  text/plain \"http://t/\"",
	} {
		if got := said(&Scanner{Prefer: prefer}, lines(both)); got != want {
			t.Errorf("%d:\n got %s\nwant %s", prefer, got, want)
		}
	}
	only := lines("Content-Type: multipart/alternative; boundary=b||--b||t|--b|Content-Type: text/calendar||u|--b--")
	if got := said(&Scanner{Prefer: PreferHTML}, only); !strings.Contains(got, `"t"`) || !strings.Contains(got, `"u"`) {
		t.Error("nothing is of the form that is preferred, but:", got)
	}
}

func TestCite(t *testing.T) {
	src := lines("Message-ID: <a@b>|Subject: =?utf-8?Q?caf=C3=A9?= " + strings.Repeat("x", 100) + "|Date: Mon,| 1 Jan||")
	want := "( text/plain \"a@b\" \"café " + strings.Repeat("x", 75) + "\" \"Mon,\\n 1 Jan\""
	if got := said(&Scanner{Cite: true}, src); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestUU(t *testing.T) {
	const src = "Subject: a||see http://h/|begin 644 a.html|#86)C|`|end|after|"
	want := "( text/plain\n 1 text/plain \"see http://h/\\nafter\\n\"\n 1.1 text/html \"abc\""
	if got := said(new(Scanner), lines(src)); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// Stopping at any Item ends the scan.
func TestBreak(t *testing.T) {
	src := []byte(lines("Base: x|Subject: http://h/|Content-Type: multipart/mixed; boundary=b||pre|--b|Content-Type: message/rfc822||List-Help: <http://h/>||t|begin 644 a.html|#86)C|`|end|--b--|post"))
	s := Scanner{ReadAs: readText}
	n := 0
	for range s.Scan(src) {
		n++
	}
	if n < 10 {
		t.Fatal(n)
	}
	for k := range n {
		i := 0
		for range s.Scan(src) {
			if i++; i > k {
				break
			}
		}
	}
}

func TestLimits(t *testing.T) {
	deep := strings.Repeat("Content-Type: message/rfc822\n\n", 100) + "\nhttp://h/\n"
	if got := said(new(Scanner), deep); !strings.Contains(got, "more than 64 deep") || !strings.Contains(got, "http://h/") {
		t.Error(got)
	}
	many := "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n\nx\n", maxParts+10) + "--b\n\nlast\n"
	if got := said(new(Scanner), many); !strings.Contains(got, "more than 10000 parts") || !strings.Contains(got, "last") {
		t.Error("parts: ", len(got))
	}
	long := "X: " + strings.Repeat("x", maxHeading) + "\nBase: http://h/\nSubject: http://i/\n\nt"
	if got := said(new(Scanner), long); !strings.Contains(got, "more than 1 MiB") || strings.Contains(got, "base Base") || !strings.Contains(got, "http://i/") {
		t.Error(got[:min(len(got), 300)])
	}
}

// The end of a heading of more than 1 MiB may begin before or after that limit, inside or outside of
// a field.
func TestLongHeading(t *testing.T) {
	const word, tail = " =?utf-8?q?x?=\n", "\nhttp://h/\n"
	fill := func(s string, size int) string { return strings.Repeat(s, size/len(s)+1) }
	for _, tt := range []struct{ name, src string }{
		{"encoded words across the limit", "From: a@b\nSubject:" + fill(word, maxHeading+1000) + tail},
		{"encoded words to the end", "From: a@b\nSubject:" + fill(word, maxHeading+1000)},
		{"a field that means nothing", "From: a@b\nX-A:" + fill(word, maxHeading+1000) + tail},
		{"a field that was kept", "From: a@b\nList-Post:" + fill(word, maxHeading+1000) + tail},
		{"one word, then blanks", "Subject: =?utf-8?q?x?=\n" + fill(" y\n", maxHeading+1000) + tail},
		{"an ordinary field", "From:" + fill(word, maxHeading+1000) + tail},
		{"many fields", "From: a@b\n" + fill("X: =?utf-8?q?x?=\n", maxHeading+1000) + tail},
		{"in a part", "Content-Type: message/rfc822\n\nSubject:" + fill(word, maxHeading+1000) + tail},
	} {
		// In the long tests the limit falls at every offset of a word.
		for cut := range scantest.Amount(1, len(word)) {
			got := said(&Scanner{Cite: true}, "A:"+strings.Repeat("b", cut)+"\n"+tt.src)
			if strings.HasSuffix(tt.src, tail) && !strings.Contains(got, "http://h/") {
				t.Errorf("%s, %d: the content is not read", tt.name, cut)
			}
			if !strings.Contains(got, "more than 1 MiB") {
				t.Errorf("%s, %d: no note", tt.name, cut)
			}
		}
	}
}

// The URL of external content is that of the first Content-Type.
func TestSecondContentType(t *testing.T) {
	for _, second := range []string{"", " x", " message/external-body; url=z"} {
		got := said(new(Scanner), "Content-Type: message/external-body; url=abcdef\nContent-Type:"+second)
		if strings.Count(got, "Content-Type/url") != 1 || !strings.Contains(got, "abcdef") {
			t.Errorf("%q: %s", second, got)
		}
	}
}

// A value of many lines is not a reference if it is too long for one, and gives one note.
func TestLongReference(t *testing.T) {
	for _, name := range []string{"Content-Location", "Content-Base", "Base", "X-URL"} {
		got := said(new(Scanner), name+": http://h/"+strings.Repeat("x\n ", 30_000)+"\n\nt")
		if strings.Count(got, "not a reference") != 1 || strings.Contains(got, "http://h/") {
			t.Errorf("%s: %.300s", name, got)
		}
	}
	got := said(new(Scanner), "List-Help: <http://h/"+strings.Repeat("x\n ", 30_000)+">,\n <http://i/>\n\nt")
	if strings.Count(got, "not a reference") != 1 || !strings.Contains(got, "http://i/") {
		t.Errorf("a list: %.300s", got)
	}
}

func TestLinear(t *testing.T) {
	const multipart = "Content-Type: multipart/mixed; boundary=b\n\n"
	shapes := []scantest.Shape{
		{"", "Content-Type: multipart/mixed; boundary=b\n\n--b\n", ""},
		{"", "Content-Type: multipart/mixed; boundary=\"b\n\n--b\n", ""},
		{"", "Content-Type: multipart/mixed\n\n--b\nContent-", ""},
		{"", "Content-Type: message/rfc822\n\n", ""},
		{multipart, "--b\n", ""},
		{multipart, "--b--\n", ""},
		{multipart, "\n--", ""},
		{multipart, "\n--c\nContent-X:", ""},
		{multipart, "--b                                                    x\n", ""},
		{multipart, "--b\nContent-Type: multipart/mixed\n\n", ""},
		{multipart, "--b\nContent-Type: multipart/mixed; boundary=zz\n\nx\n", ""},
		{"Content-Type: multipart/mixed; boundary=" + strings.Repeat("b", 60) + "\n\n", "--" + strings.Repeat("b", 59) + "\n", ""},
		{"A: b\n", " c\n", "\n"},
		{"", "A: b\n", "\n"},
		{"", "x\n", "\n"},
		{"", "x\nTo: y\n", "\n"},
		{"", "Subject: =?\n", "\n"},
		{"A: b;\n", "\r\r\n", ""},
		{"A: b,\n", "<\n", ""},
		{"Subject: ", "=?a", "\n\n"},
		{"Subject: ", "=?a?q?", "\n\n"},
		{"", "A: =?a\n", "\n"},
		{"", "A: =?utf-8?Q?x?=\n", "Subject: x\n\n"},
		{"Subject: ", "=?utf-8?Q?http=3A//h/?= ", "\n\n"},
		{"Subject: ", "=?utf-8?Q?", "\n\n"},
		{"Subject: ", "=?", "\n\n"},
		{"Content-Type: text/plain; x=", "(", "\n\n"},
		{"Content-Type: text/plain; x=", "()", "\n\n"},
		{"Content-Type: text/plain", ";x=\"", "\n\n"},
		{"Content-Type: text/plain", ";name*=%%", "\n\n"},
		{"List-Help: ", "<http://h/>,", "\n\n"},
		{"List-Help: ", "(", "\n\n"},
		{"List-Help: ", "<", "\n\n"},
		{"", "List-Help: (<\n", "\n"},
		{"", "List-Help: <http://h/\n", "\n"},
		{"", "X: <http://h/a\n", ">\n\n"},
		{"", "X: \"http://h/a\n", "\n"},
		{"Base: ", "http://h/\n ", "\n\n"},
		{"Base: <", "\n ", ">\n\n"},
		{"", "Base: x\n", "\n"},
		{"\n", "begin 644 a\n", ""},
		{"\n", "begin 644 a\n#86)C\n", ""},
		{"\n", "\n>From ", ""},
		{"", "\r", ""},
		{"", "\x00", ""},
	}
	for _, outline := range []bool{false, true} {
		s := Scanner{ReadAs: readText, Quoted: true, Cite: true, Outline: outline, Prefer: PreferHTML}
		scantest.Shapes(t, shapes, 64<<10, func(src []byte) {
			for range s.Scan(src) {
			}
		})
	}
}

func FuzzMessage(f *testing.F) {
	f.Add([]byte(lines("Base: x|Subject: =?utf-8?Q?http=3A//h/?=|Content-Type: multipart/mixed; boundary=b||pre|--b|Content-Type: message/rfc822||List-Help: <http://h/>||t|begin 644 a.html|#86)C|`|end|--b--|post")))
	f.Add([]byte(lines("Content-Type: multipart/alternative; boundary=b||--b|Content-Transfer-Encoding: base64||aHR0cDovL2gv|--b|Content-Type: text/html|Content-Transfer-Encoding: quoted-printable||=3D|--b--")))
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, s := range []*Scanner{{ReadAs: readText, Quoted: true, Cite: true}, {ReadAs: readText, Nested: true, Prefer: PreferText}, {ReadAs: readText, Outline: true}} {
			depth, at := 0, 0
			for it := range s.Scan(src) {
				if it.Span.Start < 0 || it.Span.End < it.Span.Start || it.Span.End > len(src) {
					t.Fatalf("%v in %d bytes: %+v", it.Span, len(src), it)
				}
				switch it.Op {
				case scan.Enter:
					depth++
					if it.Span.Start < at {
						t.Fatalf("an entity at %d behind one at %d", it.Span.Start, at)
					}
					at = it.Span.Start
				case scan.Leave:
					depth--
				case scan.Body:
					if it.Map != nil && it.Map.Len() != len(it.Value) {
						t.Fatalf("a Map of %d bytes for %d", it.Map.Len(), len(it.Value))
					}
				case scan.Ref:
					if it.Span.End == it.Span.Start && len(it.Value) > 0 {
						t.Fatalf("%q stands nowhere", it.Value)
					}
				}
			}
			if depth != 0 {
				t.Fatal("not left: ", depth)
			}
		}
	})
}
