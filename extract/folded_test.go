package extract

import (
	"bytes"
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// Calendars and cards, as files and as members of archives. 2,000 references of each, folded at random, lead
// back to their bytes.
func TestFoldedFiles(t *testing.T) {
	rnd := rand.New(rand.NewSource(3))
	for _, name := range []string{"a.ics", "a.vcf"} {
		var src strings.Builder
		src.WriteString("BEGIN:VCALENDAR\r\n")
		for i := range 2000 {
			line := fmt.Sprintf("URL:http://h/%d/%x?é\\;x", i, rnd.Int63())
			for len(line) > 0 {
				n := min(len(line), 5+rnd.Intn(40))
				for n < len(line) && line[n]&0xC0 == 0x80 {
					n++
				}
				src.WriteString(line[:n])
				line = line[n:]
				if line != "" {
					src.WriteString("\r\n ")
				}
			}
			src.WriteString("\r\n")
		}
		inZip := zipOf(t, 0, namedText{name, src.String()})
		for file, text := range map[string][]byte{name: []byte(src.String()), "x.zip": []byte(inZip)} {
			n := 0
			for r, err := range new(Config).Walk(file, bytes.NewReader(text)) {
				if err != nil {
					t.Fatal(err)
				}
				at := src.String()[r.Pos.Offset : r.Pos.Offset+int64(r.Pos.Length)]
				plain := strings.ReplaceAll(strings.ReplaceAll(at, "\r\n ", ""), `\;`, ";")
				if at != string(r.Raw) || plain != string(r.Ref) || !strings.HasPrefix(plain, fmt.Sprintf("http://h/%d/", n)) || !strings.HasSuffix(plain, "?é;x") {
					t.Fatalf("%s: %q is at %q", file, r.Ref, at)
				}
				n++
			}
			if n != 2000 {
				t.Errorf("%s: %d references", file, n)
			}
		}
	}
}

// The notations of a member are those of its suffix, as of a file.
func TestMemberNotation(t *testing.T) {
	src := zipOf(t, 0, namedText{"d/a.json", `{"a": "http:\/\/h\/a"}`})
	for r, err := range new(Config).Walk("x.zip", strings.NewReader(src)) {
		if err != nil || string(r.URL) != "http://h/a" {
			t.Error(string(r.URL), err)
		}
	}
}
