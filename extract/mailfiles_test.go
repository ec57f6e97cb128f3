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
	"unicode/utf16"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/scantest"
)

// A mailFile is a file in a mailFiles case: a message with these members.
type mailFile struct {
	name  string
	bytes []byte
	// members are those expected, by MemberPath within the file.
	members map[string]string
}

func utf16le(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}

// makeTNEF makes a TNEF stream with a text, HTML or RTF body and attachments; those whose name ends in .tnef
// are messages.
func makeTNEF(text, html, rtf string, attachments ...[2]string) []byte {
	le := binary.LittleEndian
	b := []byte("\x78\x9f\x3e\x22\x01\x00")
	attribute := func(level byte, id uint32, data []byte) {
		b = le.AppendUint32(append(b, level), id)
		b = append(le.AppendUint32(b, uint32(len(data))), data...)
		sum := uint16(0)
		for _, c := range data {
			sum += uint16(c)
		}
		b = le.AppendUint16(b, sum)
	}
	property := func(p []byte, tag uint32, data string) []byte {
		p = le.AppendUint16(le.AppendUint16(p, uint16(tag)), uint16(tag>>16))
		p = le.AppendUint32(le.AppendUint32(p, 1), uint32(len(data)))
		return append(append(p, data...), "\x00\x00\x00"[:(4-len(data)%4)%4]...)
	}
	attribute(1, 0x00089006, []byte{0, 0, 1, 0})
	attribute(1, 0x00069007, []byte{0xE4, 4, 0, 0, 0, 0, 0, 0})
	if text != "" {
		attribute(1, 0x0002800C, []byte(text+"\x00"))
	}
	props := []byte{3, 0, 0, 0}
	props = append(props, 0x03, 0x00, 0xDE, 0x3F, 0xE9, 0xFD, 0, 0) // UTF-8
	props = property(props, 0x10130102, html)
	if html == "" {
		props = slices.Clone(props[:len(props)-12])
		props[0]--
	}
	if rtf != "" {
		props = property(props, 0x10090102, rtf)
	} else {
		props[0]--
	}
	attribute(1, 0x00069003, props)
	for _, a := range attachments {
		attribute(2, 0x00069002, make([]byte, 14))
		props := property([]byte{1, 0, 0, 0}, 0x3707001F, string(utf16le(a[0])))
		if strings.HasSuffix(a[0], ".tnef") {
			props[0]++
			props = property(props, 0x3701000D, "\x07\x03\x02\x00\x00\x00\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x46"+a[1])
		} else {
			attribute(2, 0x00018010, []byte("SHORT~1\x00"))
			attribute(2, 0x0006800F, []byte(a[1]))
		}
		attribute(2, 0x00069005, props)
	}
	return b
}

// uncompressed is RTF in the form of PidTagRtfCompressed, without compression.
func uncompressed(rtf string) string {
	le := binary.LittleEndian
	b := le.AppendUint32(le.AppendUint32(nil, uint32(len(rtf)+12)), uint32(len(rtf)))
	return string(append(append(b, "MELA\x00\x00\x00\x00"...), rtf...))
}

// A node is an entry of a compound file.
type node struct {
	name     string
	data     []byte
	children []*node // of a storage
}

// makeCompound makes a compound file of version 3 with sectors of 512 bytes, of which every second one is
// used backwards, so that chains have to be followed.
func makeCompound(root []*node) []byte {
	le := binary.LittleEndian
	var sectors [][]byte
	var table []uint32
	add := func(data []byte) uint32 { // appends a stream in reverse order of sectors
		n := (len(data) + 511) / 512
		if n == 0 {
			return 0xFFFFFFFE
		}
		first := len(sectors)
		for i := n - 1; i >= 0; i-- {
			s := make([]byte, 512)
			copy(s, data[i*512:])
			sectors = append(sectors, s)
			if next := uint32(len(sectors) - 2); i == n-1 {
				table = append(table, 0xFFFFFFFE)
			} else {
				table = append(table, next)
			}
		}
		return uint32(first + n - 1)
	}
	var mini []byte
	var miniTable []uint32
	var entries [][]byte
	var write func(name string, kind byte, n *node) int
	write = func(name string, kind byte, n *node) int {
		e := make([]byte, 128)
		i := len(entries)
		entries = append(entries, e)
		w := utf16le(name)
		copy(e, w)
		le.PutUint16(e[64:], uint16(len(w)+2))
		e[66] = kind
		for _, at := range []int{68, 72, 76} {
			le.PutUint32(e[at:], 0xFFFFFFFF)
		}
		switch {
		case kind != 2:
			last := -1
			for _, c := range n.children {
				k := byte(2)
				if c.data == nil {
					k = 1
				}
				j := write(c.name, k, c)
				if last < 0 {
					le.PutUint32(e[76:], uint32(j))
				} else {
					le.PutUint32(entries[last][72:], uint32(j))
				}
				last = j
			}
		case len(n.data) < 4096:
			le.PutUint32(e[116:], uint32(len(mini)/64))
			for at := 0; at < len(n.data); at += 64 {
				s := make([]byte, 64)
				copy(s, n.data[at:])
				mini = append(mini, s...)
				miniTable = append(miniTable, uint32(len(mini)/64))
			}
			if len(n.data) > 0 {
				miniTable[len(miniTable)-1] = 0xFFFFFFFE
			}
			le.PutUint32(e[120:], uint32(len(n.data)))
		default:
			le.PutUint32(e[116:], add(n.data))
			le.PutUint32(e[120:], uint32(len(n.data)))
		}
		return i
	}
	write("Root Entry", 5, &node{children: root})
	le.PutUint32(entries[0][116:], add(mini))
	le.PutUint32(entries[0][120:], uint32(len(mini)))
	directory := add(bytes.Join(entries, nil))
	var numbers []byte
	for _, n := range miniTable {
		numbers = le.AppendUint32(numbers, n)
	}
	for len(numbers)%512 != 0 {
		numbers = append(numbers, 0xFF)
	}
	minis := add(numbers)
	h := make([]byte, 512)
	copy(h, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	le.PutUint16(h[26:], 3)
	le.PutUint16(h[30:], 9)
	le.PutUint16(h[32:], 6)
	le.PutUint32(h[48:], directory)
	le.PutUint32(h[56:], 4096)
	le.PutUint32(h[60:], minis)
	le.PutUint32(h[68:], 0xFFFFFFFE)
	for i := 76; i < 512; i++ {
		h[i] = 0xFF
	}
	tables := 1
	for tables*128 < len(sectors)+tables {
		tables++
	}
	for i := range tables {
		le.PutUint32(h[76+4*i:], uint32(len(sectors)+i))
		table = append(table, 0xFFFFFFFD)
	}
	numbers = nil
	for _, n := range table {
		numbers = le.AppendUint32(numbers, n)
	}
	for len(numbers)%512 != 0 {
		numbers = append(numbers, 0xFF)
	}
	return append(append(h, bytes.Join(sectors, nil)...), numbers...)
}

// makeMsg returns the entries of a message in a .msg file. header is as in [MS-OXMSG] 2.4.1.
func makeMsg(header int, text, html, rtf string, attachments ...*node) []*node {
	props := append(make([]byte, header), 0x03, 0x00, 0xDE, 0x3F, 6, 0, 0, 0, 0xE9, 0xFD, 0, 0, 0, 0, 0, 0)
	list := []*node{{name: "__properties_version1.0", data: props}, {name: "__nameid_version1.0"}}
	if text != "" {
		list = append(list, &node{name: "__substg1.0_1000001F", data: utf16le(text)})
	}
	if html != "" {
		list = append(list, &node{name: "__substg1.0_10130102", data: []byte(html)})
	}
	if rtf != "" {
		list = append(list, &node{name: "__substg1.0_10090102", data: []byte(rtf)})
	}
	list = append(list, &node{name: "__substg1.0_007D001F", data: utf16le("From: a@b\r\nList-Help: <http://header/>\r\n")})
	for i, a := range attachments {
		list = append(list, &node{name: fmt.Sprintf("__attach_version1.0_#%08X", i), children: a.children})
	}
	return list
}

func attachedNode(name string, data []byte) *node {
	return &node{children: []*node{{name: "__substg1.0_3707001F", data: utf16le(name)}, {name: "__substg1.0_37010102", data: data}, {name: "__properties_version1.0", data: []byte{0}}}}
}

func attachedMsg(name string, list []*node) *node {
	return &node{children: []*node{{name: "__substg1.0_3707001F", data: utf16le(name)}, {name: "__substg1.0_3701000D", children: list}}}
}

// makeSMIME makes signed data, without signers, of a MIME entity: in BER with pieces of n bytes, or in DER if n
// is 0.
func makeSMIME(entity string, n int) []byte {
	der := func(tag byte, parts ...[]byte) []byte {
		body := bytes.Join(parts, nil)
		b := append([]byte{tag, 0x84}, binary.BigEndian.AppendUint32(nil, uint32(len(body)))...)
		return append(b, body...)
	}
	ber := func(tag byte, parts ...[]byte) []byte {
		return append(append([]byte{tag, 0x80}, bytes.Join(parts, nil)...), 0, 0)
	}
	value, content := der, der(0x04, []byte(entity))
	if n > 0 {
		value = ber
		var pieces []byte
		for at := 0; at < len(entity); at += n {
			pieces = append(pieces, der(0x04, []byte(entity[at:min(len(entity), at+n)]))...)
		}
		content = ber(0x24, pieces[:len(pieces)/2/(n+6)*(n+6)], ber(0x24, pieces[len(pieces)/2/(n+6)*(n+6):]))
	}
	oid := func(last byte) []byte { return append([]byte("\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07"), last) }
	algorithms := value(0x31, value(0x30, []byte("\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01")))
	return value(0x30, oid(2), value(0xA0, value(0x30, []byte{2, 1, 1}, algorithms, value(0x30, oid(1), value(0xA0, content)), []byte{0x31, 0x00})))
}

// makeCompressed makes compressed data of a MIME entity (RFC 3274): in BER with pieces of n bytes, or in DER if n is 0.
func makeCompressed(entity string, n int) []byte {
	value := func(tag byte, parts ...[]byte) []byte {
		body := bytes.Join(parts, nil)
		if n == 0 || tag&0x20 == 0 {
			b := append([]byte{tag, 0x84}, binary.BigEndian.AppendUint32(nil, uint32(len(body)))...)
			return append(b, body...)
		}
		return append(append([]byte{tag, 0x80}, body...), 0, 0)
	}
	packed := deflated(entity)
	content := value(0x04, packed)
	if n > 0 {
		var pieces [][]byte
		for piece := range slices.Chunk(packed, n) {
			pieces = append(pieces, value(0x04, piece))
		}
		content = value(0x24, pieces...)
	}
	smime := func(last ...byte) []byte {
		oid := append([]byte("\x2a\x86\x48\x86\xf7\x0d\x01\x09\x10"), last...)
		return append([]byte{0x06, byte(len(oid))}, oid...)
	}
	data := []byte("\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01")
	return value(0x30, smime(1, 9), value(0xA0, value(0x30, []byte{2, 1, 0}, value(0x30, smime(3, 8)), value(0x30, data, value(0xA0, content)))))
}

const (
	mailText = "text http://h/text\r\n"
	mailHTML = "<a href=http://h/html>h</a> <img src=i.gif> é\r\n"
)

// mailFiles returns a file of each format. Their members have the texts text and html.
func mailFiles(t testing.TB, text, html string) []mailFile {
	entity := "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n" + text + "\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + html + "\r\n--b--\r\n"
	packed := string(zipOf(t, zip.Deflate, namedText{"in.html", html}))
	inner := makeTNEF(text, "", "")
	body := string(utf16le(text))
	return []mailFile{
		{"winmail.dat", makeTNEF(text, html, "", [2]string{"ä.html", html}, [2]string{"in.zip", packed}, [2]string{"m.tnef", string(inner)}),
			map[string]string{"body.txt": text + "\x00", "body.html": html, "ä.html": html, "in.zip!/in.html": html, "m.tnef!/body.txt": text + "\x00"}},
		{"a.msg", makeCompound(makeMsg(32, text, html, "", attachedNode("ä.html", []byte(html)), attachedNode("in.zip", []byte(packed)),
			attachedMsg("m", makeMsg(24, text, "", "", attachedNode("b.html", []byte(html)))))),
			map[string]string{"headers.txt": string(utf16le("From: a@b\r\nList-Help: <http://header/>\r\n")), "body.txt": body, "body.html": html, "ä.html": html, "in.zip!/in.html": html,
				"m/headers.txt": string(utf16le("From: a@b\r\nList-Help: <http://header/>\r\n")), "m/body.txt": body, "m/b.html": html}},
		{"der.p7m", makeSMIME(entity, 0), map[string]string{"content": entity}},
		{"ber.p7m", makeSMIME(entity, 17), map[string]string{"content": entity}},
		{"compressed.p7z", makeCompressed(entity, 0), map[string]string{"content": entity}},
		{"pieces.p7z", makeCompressed(entity, 17), map[string]string{"content": entity}},
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
	f.Add("a.tnef", makeTNEF("", "", uncompressed(`{\rtf1\ansi\fromhtml1 {\*\htmltag84 <a href="http://h/">}x\u233 ?}`)))
	f.Fuzz(func(t *testing.T, name string, src []byte) {
		if len(src) < 1<<16 {
			checkDamaged(t, "f"+suffix(name), src)
		}
	})
}

// Files that would have their reader do the same again and again.
func TestMailFilesHostile(t *testing.T) {
	le := binary.LittleEndian
	entry := func(src []byte, name string) int { return bytes.Index(src, utf16le(name)) }
	base := makeCompound(makeMsg(32, "", "", "", attachedNode("a.txt", bytes.Repeat([]byte("http://h/ "), 1000)), attachedNode("b.txt", bytes.Repeat([]byte("http://h/ "), 1000))))
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
	deep := makeMsg(24, "http://deep/", "", "")
	for range 40 {
		deep = makeMsg(24, "", "", "", attachedMsg("m", deep))
	}
	for _, err := range new(Config).Walk("x.msg", bytes.NewReader(makeCompound(makeMsg(32, "", "", "", attachedMsg("m", deep))))) {
		if err != nil && err != io.EOF {
			t.Error(err)
		}
	}
}
