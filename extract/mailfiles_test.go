package extract

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/mailtest"
	"example.org/refract/internal/testing/scantest"
)

// A mailFile is a file in a mailFiles case: a message with these members.
type mailFile struct {
	name  string
	bytes []byte
	// members are those expected, by MemberPath within the file.
	members map[string]string
}

const (
	mailText = "text http://h/text\r\n"
	mailHTML = "<a href=http://h/html>h</a> <img src=i.gif> é\r\n"
)

// mailFiles returns a file of each format. Their members have the texts text and html.
func mailFiles(t testing.TB, text, html string) []mailFile {
	entity := "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n" + text + "\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + html + "\r\n--b--\r\n"
	packed := string(zipOf(t, zip.Deflate, namedText{"in.html", html}))
	inner := mailtest.TNEF(text, "", "")
	body := string(mailtest.UTF16(text))
	return []mailFile{
		{"winmail.dat", mailtest.TNEF(text, html, "", [2]string{"ä.html", html}, [2]string{"in.zip", packed}, [2]string{"m.tnef", string(inner)}),
			map[string]string{"body.txt": text + "\x00", "body.html": html, "ä.html": html, "in.zip!/in.html": html, "m.tnef!/body.txt": text + "\x00"}},
		{"a.msg", mailtest.Compound(mailtest.Msg(32, text, html, "", mailtest.File("ä.html", []byte(html)), mailtest.File("in.zip", []byte(packed)),
			mailtest.Message("m", mailtest.Msg(24, text, "", "", mailtest.File("b.html", []byte(html)))))),
			map[string]string{"headers.txt": string(mailtest.UTF16("From: a@b\r\nList-Help: <http://header/>\r\n")), "body.txt": body, "body.html": html, "ä.html": html, "in.zip!/in.html": html,
				"m/headers.txt": string(mailtest.UTF16("From: a@b\r\nList-Help: <http://header/>\r\n")), "m/body.txt": body, "m/b.html": html}},
		{"der.p7m", mailtest.Signed(entity, 0), map[string]string{"content": entity}},
		{"ber.p7m", mailtest.Signed(entity, 17), map[string]string{"content": entity}},
		{"compressed.p7z", mailtest.Compressed(entity, 0), map[string]string{"content": entity}},
		{"pieces.p7z", mailtest.Compressed(entity, 17), map[string]string{"content": entity}},
	}
}

// membersOf returns the positions of all references of a file by member, and checks that they lead back to the bytes.
func membersOf(t *testing.T, name string, src []byte, texts map[string]string) map[string]int {
	t.Helper()
	found := map[string]int{}
	c := Config{Lines: true}
	for r, err := range c.Walk(name, bytes.NewReader(src)) {
		if err != nil {
			t.Fatal(name, err)
		}
		path := r.Entity.MemberPath()
		if _, inner, ok := strings.Cut(path, name+memberMark); ok {
			path = inner
		}
		text, ok := texts[path]
		if !ok {
			t.Errorf("%s: %s in an unexpected member %q", name, r.Raw, path)
			continue
		}
		found[path]++
		at := text[r.Pos.Offset : r.Pos.Offset+int64(r.Pos.Length)]
		if strings.ReplaceAll(at, "\x00", "") != string(r.Raw) || !r.Pos.Exact {
			t.Errorf("%s: %s: %q is at %q", name, path, r.Raw, at)
		}
	}
	return found
}

func TestMailFiles(t *testing.T) {
	for _, f := range mailFiles(t, mailText, mailHTML) {
		found := membersOf(t, f.name, f.bytes, f.members)
		attached := "Subject: s\nContent-Type: application/octet-stream; name=" + f.name + "\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString(f.bytes)
		for path := range f.members {
			if found[path] == 0 {
				t.Errorf("%s: no references in %s", f.name, path)
			}
		}
		inMessage := membersOf(t, f.name, []byte(attached), f.members)
		if fmt.Sprint(inMessage) != fmt.Sprint(found) {
			t.Errorf("%s: attached: %v, want %v", f.name, inMessage, found)
		}
	}
}

// 2,000 random references of each format lead back to the bytes of their member.
func TestMailFilePositions(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	var text, html strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "%s http://h/%d/%x é\r\n", strings.Repeat("x ", rnd.Intn(20)), i, rnd.Int63())
		fmt.Fprintf(&html, "<p>%s<a href='http://h/%d/%x'>é</a>\r\n", strings.Repeat("x ", rnd.Intn(20)), i, rnd.Int63())
	}
	for _, f := range mailFiles(t, text.String(), html.String()) {
		total := 0
		for _, n := range membersOf(t, f.name, f.bytes, f.members) {
			total += n
		}
		if total < 2000 {
			t.Errorf("%s: only %d references", f.name, total)
		}
	}
}

// Damaged files take bounded memory and time, and what is beside them is read. What two walks of a file of up to 100 KB
// allocate in all, once in a message, bounds their peak.
func TestMailFilesMutated(t *testing.T) {
	scantest.Long(t, "6,000 files")
	const bound = 24 << 20
	rnd := rand.New(rand.NewSource(2))
	var before, after runtime.MemStats
	for _, f := range mailFiles(t, strings.Repeat(mailText, 50), strings.Repeat(mailHTML, 200)) {
		most := uint64(0)
		for range 1000 {
			src := bytes.Clone(f.bytes)
			for range 1 + rnd.Intn(8) {
				switch i := rnd.Intn(len(src)); rnd.Intn(4) {
				case 0:
					src[i] = byte(rnd.Int())
				case 1:
					src = slices.Delete(src, i, min(len(src), i+rnd.Intn(600)))
				case 2:
					src = slices.Insert(src, i, src[i:min(len(src), i+rnd.Intn(600))]...)
				case 3:
					copy(src[i:], []byte{0xFF, 0xFF, 0xFF, byte(rnd.Int())}[rnd.Intn(4):])
				}
				if len(src) == 0 {
					src = []byte{0}
				}
			}
			runtime.ReadMemStats(&before)
			checkDamaged(t, f.name, src)
			runtime.ReadMemStats(&after)
			most = max(most, after.TotalAlloc-before.TotalAlloc)
		}
		t.Logf("%s of %d bytes: at most %d KiB allocated", f.name, len(f.bytes), most>>10)
		if most > bound {
			t.Errorf("%s: %d KiB allocated", f.name, most>>10)
		}
	}
}

// checkDamaged reads a damaged file within a message.
func checkDamaged(t *testing.T, name string, src []byte) {
	t.Helper()
	msg := "Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: application/octet-stream; name=" + name + "\nContent-Transfer-Encoding: base64\n\n" +
		base64.StdEncoding.EncodeToString(src) + "\n--b\n\nhttp://beside/\n--b--\n"
	c := Config{Note: func(n *Note) {
		if n.Code == scan.CodeInternal {
			t.Error(n.Text)
		}
	}}
	n, beside := 0, false
	for r, err := range c.Walk("m.eml", strings.NewReader(msg)) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		beside = string(r.URL) == "http://beside/"
	}
	most := len(src) + 1
	if suffix(name) == ".p7z" {
		most *= 1032 / 10 // the highest ratio of deflate, and ten bytes or more for each
	}
	if !beside || n > most {
		t.Errorf("%s: %d references, beside: %v", name, n, beside)
	}
	for _, err := range c.Walk(name, bytes.NewReader(src)) {
		_ = err // it may be damaged
	}
}

func FuzzMailFiles(f *testing.F) {
	for _, file := range mailFiles(f, mailText, mailHTML) {
		f.Add(file.name, file.bytes)
	}
	f.Add("a.tnef", mailtest.TNEF("", "", mailtest.Uncompressed(`{\rtf1\ansi\fromhtml1 {\*\htmltag84 <a href="http://h/">}x\u233 ?}`)))
	f.Fuzz(func(t *testing.T, name string, src []byte) {
		if len(src) < 1<<16 {
			checkDamaged(t, "f"+suffix(name), src)
		}
	})
}

// Files that would have their reader do the same again and again.
func TestMailFilesHostile(t *testing.T) {
	le := binary.LittleEndian
	entry := func(src []byte, name string) int { return bytes.Index(src, mailtest.UTF16(name)) }
	base := mailtest.Compound(mailtest.Msg(32, "", "", "", mailtest.File("a.txt", bytes.Repeat([]byte("http://h/ "), 1000)), mailtest.File("b.txt", bytes.Repeat([]byte("http://h/ "), 1000))))
	cases := map[string]func([]byte){
		"a chain that leads to itself": func(b []byte) {
			table := 512 * (1 + int(le.Uint32(b[76:])))
			start := le.Uint32(b[entry(b, "__substg1.0_37010102")+116:])
			le.PutUint32(b[table+4*int(start):], start)
		},
		"two streams in the same place": func(b []byte) {
			i := entry(b, "__substg1.0_37010102")
			j := i + 128 + entry(b[i+128:], "__substg1.0_37010102")
			copy(b[j+116:j+120], b[i+116:i+120])
		},
		"a storage that contains itself": func(b []byte) {
			i := entry(b, "__attach_version1.0_#00000000")
			le.PutUint32(b[i+76:], 0)
		},
		"siblings in a circle":   func(b []byte) { le.PutUint32(b[entry(b, "__nameid_version1.0")+72:], 1) },
		"a table of the table":   func(b []byte) { copy(b[80:84], b[76:80]) },
		"a sector beyond":        func(b []byte) { le.PutUint32(b[48:], 0x7FFFFFFF) },
		"a chain of table parts": func(b []byte) { le.PutUint32(b[68:], le.Uint32(b[76:])) },
	}
	for what, change := range cases {
		src := bytes.Clone(base)
		change(src)
		c := Config{}
		n := 0
		damaged := false
		c.Note = func(note *Note) { damaged = damaged || note.Code == scan.CodeDamaged || note.Unread != "" }
		for _, err := range c.Walk("x.msg", bytes.NewReader(src)) {
			if err != nil {
				damaged = true
			} else {
				n++
			}
		}
		if n > 2001 || n < 2001 && !damaged { // the whole file has 2,001
			t.Errorf("%s: %d references; noted: %v", what, n, damaged)
		}
	}
	deep := mailtest.Msg(24, "http://deep/", "", "")
	for range 40 {
		deep = mailtest.Msg(24, "", "", "", mailtest.Message("m", deep))
	}
	for _, err := range new(Config).Walk("x.msg", bytes.NewReader(mailtest.Compound(mailtest.Msg(32, "", "", "", mailtest.Message("m", deep))))) {
		if err != nil && err != io.EOF {
			t.Error(err)
		}
	}
}
