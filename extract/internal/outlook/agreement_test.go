package outlook

import (
	"fmt"
	"io"
	"iter"
	"os"
	"regexp"
	"strings"
	"testing"

	"example.org/refract/internal/testing/mailtest"
	"example.org/refract/internal/testing/scantest"
)

// agreementSamples are files of our own, by the beginning of a class of differences from other programs, and what is in
// them here.
var agreementSamples = map[string]struct {
	read func(io.ReaderAt, int64) iter.Seq2[Member, error]
	src  []byte
	want []string
}{
	"RTF that was made from HTML":   {TNEF, mailtest.TNEF("", "", mailtest.Uncompressed(`{\rtf1\fromhtml1 {\*\htmltag <a>}}`)), []string{`body.html text/html; charset=utf-8 "<a>"`}},
	"tnefparse takes property":      {TNEF, []byte(tnefHead + attribute(1, attrMessageProps, props(property(0x3FD9<<16|typeString8, "first"), property(propBody<<16|typeString8, "whole text")))), []string{`body.txt text/plain "whole text"`}},
	"an attachment in PidTagAttach": {TNEF, mailtest.TNEF("", "", "", [2]string{"m.tnef", strings.Repeat("x", 512)}), []string{fmt.Sprintf("m.tnef application/ms-tnef %q", strings.Repeat("x", 512))}},
	"HTML in another encoding":      {TNEF, []byte(tnefHead + attribute(1, attrMessageProps, props(long(propInternetCPID<<16|typeLong, 1251), property(propHTML<<16|typeBinary, "\xe4")))), []string{`body.html text/html; charset=windows-1251 "\xe4"`}},
	"oom.tnef":                      {TNEF, []byte(tnefHead + attribute(1, attrMessageProps, number(1)+"\x1e\x10\x00\x10"+number(1<<31))), []string{"error: tnef: the file ends early"}},
	"panic.tnef":                    {TNEF, []byte(tnefHead + attribute(1, attrBody, "a") + "YmFzZTY0"), []string{`body.txt text/plain "a"`, "error: tnef: damaged"}},
	"RTF is not a member":           {Msg, message(mailtest.Msg(32, "", "<p>", mailtest.Uncompressed(`{\rtf1 x}`))), []string{sampleHeaders, `body.html text/html; charset=utf-8 "<p>"`}},
	"HTML that extract_msg changes": {Msg, message(mailtest.Msg(32, "", "<A HREF=x>", "")), []string{sampleHeaders, `body.html text/html; charset=utf-8 "<A HREF=x>"`}},
	"HTML that extract_msg makes":   {Msg, message(mailtest.Msg(32, "", "", mailtest.Uncompressed(`{\rtf1 x}`))), []string{sampleHeaders, `body.rtf application/rtf "{\\rtf1 x}"`}},
	"text in a code page":           {Msg, message(append(mailtest.Msg(32, "", "", ""), &mailtest.Node{Name: "__substg1.0_1000001E", Data: []byte("\xe4")})), []string{sampleHeaders, `body.txt text/plain "\xe4"`}},
	"PidTagTransportMessageHeaders": {Msg, message(mailtest.Msg(32, "", "", "")), []string{sampleHeaders}},
	"S/MIME in an attachment":       {Msg, message(mailtest.Msg(32, "", "", "", mailtest.File("smime.p7m", []byte("CMS")))), []string{sampleHeaders, `smime.p7m  "CMS"`}},
	"two fuzzed files":              {Msg, message(mailtest.Msg(32, "", strings.Repeat("x", 5000), ""))[:3<<9], []string{"error: " + ErrNoMessage.Error()}},
	"unknown_properties.msg":        {Msg, message(mailtest.Msg(32, "text", "", "")), []string{sampleHeaders, fmt.Sprintf("body.txt text/plain; charset=utf-16le %q", wide("text"))}},
}

var sampleHeaders = fmt.Sprintf("headers.txt text/plain; charset=utf-16le %q", wide("From: a@b\r\nList-Help: <http://header/>\r\n"))

func message(list []*mailtest.Node) []byte { return mailtest.Compound(list) }

// Each class of differences from other programs has a number and says who is right; no class has more files than there
// are. A file of our own in each class has the members that the table says.
func TestAgreement(t *testing.T) {
	data, err := os.ReadFile("testdata/oracles.md")
	if err != nil {
		t.Fatal(err)
	}
	heading, verdict := regexp.MustCompile(`^## .*: (\d+) files`), regexp.MustCompile(`^(both|we|they|neither|a choice)\b`)
	files, rows, inFiles := 0, 0, false
	for line := range strings.Lines(string(data)) {
		if m := heading.FindStringSubmatch(line); m != nil {
			files = scantest.Number(t, m[1])
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if line[0] != '|' || strings.HasPrefix(line, "|---") {
			continue
		}
		if len(cells) != 3 {
			t.Fatalf("%d cells: %s", len(cells), line)
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if cells[0] == "difference" {
			inFiles = cells[1] == "files"
			continue
		}
		rows++
		n := scantest.Number(t, cells[1])
		hasSample := false
		for class := range agreementSamples {
			hasSample = hasSample || strings.HasPrefix(cells[0], class)
		}
		if !hasSample {
			t.Errorf("no file of our own: %s", line)
		}
		if n == 0 || inFiles && n > files || !verdict.MatchString(cells[2]) {
			t.Errorf("no number or no verdict: %s", line)
		}
	}
	for class, s := range agreementSamples {
		check(t, class, listed(s.read, s.src), s.want...)
	}
	if rows != len(agreementSamples) {
		t.Errorf("%d classes, and %d files of our own", rows, len(agreementSamples))
	}
}
