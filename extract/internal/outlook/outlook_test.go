package outlook

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/testing/mailtest"
)

var le = binary.LittleEndian

// listed returns a line for each member of a file: its name, its type and its content, or an error.
func listed(read func(io.ReaderAt, int64) iter.Seq2[Member, error], src []byte) (all []string) {
	for m, err := range read(bytes.NewReader(src), int64(len(src))) {
		if err != nil {
			all = append(all, "error: "+err.Error())
			continue
		}
		r, err := m.Open()
		var b []byte
		if err == nil {
			b, err = io.ReadAll(r)
		}
		line := fmt.Sprintf("%s %s %q", m.Name, m.Type, b)
		if err != nil {
			line += " error: " + err.Error()
		}
		all = append(all, line)
	}
	return all
}

func check(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got\n\t%s\nwant\n\t%s", what, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// attribute is an attribute of TNEF, with a checksum that is wrong.
func attribute(level byte, id uint32, data string) string {
	b := le.AppendUint32(le.AppendUint32([]byte{level}, id), uint32(len(data)))
	return string(b) + data + "xx"
}

func number(n uint32) string { return string(le.AppendUint32(nil, n)) }

// property is a property with one value of any length, and props an attribute of several.
func property(tag uint32, data string) string {
	head := le.AppendUint16(le.AppendUint16(nil, uint16(tag)), uint16(tag>>16))
	return string(head) + number(1) + number(uint32(len(data))) + data + "\x00\x00\x00"[:(4-len(data)%4)%4]
}

func long(tag, value uint32) string {
	return string(le.AppendUint16(le.AppendUint16(nil, uint16(tag)), uint16(tag>>16))) + number(value)
}

func props(list ...string) string { return number(uint32(len(list))) + strings.Join(list, "") }

const tnefHead = "\x78\x9f\x3e\x22\x01\x00"

func wide(s string) string { return string(mailtest.UTF16(s)) }

func TestTNEF(t *testing.T) {
	begin := attribute(2, 0x00069002, strings.Repeat("\x00", 14))
	message := string(messageID)
	for _, tt := range []struct {
		what, src string
		want      []string
	}{
		{"bodies and attachments", string(mailtest.TNEF("text", "<p>", "", [2]string{"ä.txt", "data"}, [2]string{"m.tnef", "inner"})),
			[]string{`body.txt text/plain; charset=windows-1252 "text\x00"`, `body.html text/html; charset=utf-8 "<p>"`, `ä.txt  "data"`, `m.tnef application/ms-tnef "inner"`}},
		{"RTF", string(mailtest.TNEF("", "", mailtest.Uncompressed(`{\rtf1 x}`))), []string{`body.rtf application/rtf "{\\rtf1 x}"`}},
		{"RTF made from HTML", string(mailtest.TNEF("", "", mailtest.Uncompressed(`{\rtf1\fromhtml1 {\*\htmltag <a>}}`))), []string{`body.html text/html; charset=utf-8 "<a>"`}},
		{"RTF made from text", string(mailtest.TNEF("text", "", mailtest.Uncompressed(`{\rtf1\fromtext text}`), [2]string{"a.txt", "data"})),
			[]string{`body.txt text/plain; charset=windows-1252 "text\x00"`, `a.txt  "data"`}},
		{"RTF of unknown method", string(mailtest.TNEF("", "", strings.Repeat("x", 16))), []string{`body.rtf application/rtf "" error: rtf: damaged: unknown method`}},
		{"short RTF", string(mailtest.TNEF("", "", "x")), []string{`body.rtf application/rtf "" error: rtf: damaged: no header`}},
		{"names", tnefHead + attribute(1, 0x00069007, number(1251)) +
			begin + attribute(2, attrAttachTitle, "C:\\d\\\xef.txt\x00rest") + attribute(2, attrAttachData, "1") +
			begin + attribute(2, attrAttachFile, "short") + attribute(2, attrAttachData, "2") + attribute(2, attrAttachData, "again") +
			begin + attribute(2, attrAttachProps, props(property(propDisplayName<<16|typeString8, "a/display"), property(propAttachData<<16|typeBinary, "3"))) +
			begin + attribute(2, attrAttachProps, props(property(propAttachFilename<<16|typeUnicode, wide("8.3")), property(propAttachData<<16|typeObject, message+"4"))) +
			begin + attribute(2, attrAttachProps, props(property(propAttachData<<16|typeObject, strings.Repeat("o", 16)+"5"))) +
			begin + attribute(2, attrAttachProps, props(property(propAttachData<<16|typeObject, "short"))) +
			begin + attribute(2, attrAttachTitle, "no data"),
			[]string{`п.txt  "1"`, `short  "2"`, `display  "3"`, `8.3 application/ms-tnef "4"`, `attachment  "5"`}},
		{"properties of all types", tnefHead + attribute(1, attrMessageProps, props(
			long(0x1000_0002, 1), long(0x1000_0004, 1), long(0x1000_000A, 1), long(0x1000_000B, 1),
			"\x05\x00\x00\x10"+"12345678", "\x06\x00\x00\x10"+"12345678", "\x07\x00\x00\x10"+"12345678", "\x14\x00\x00\x10"+"12345678", "\x40\x00\x00\x10"+"12345678",
			"\x48\x00\x00\x10"+"1234567812345678", "\x00\x00\x00\x10", "\x01\x00\x00\x10",
			"\x03\x10\x00\x10"+number(2)+number(1)+number(2),
			"\x1e\x10\x00\x10"+number(2)+number(1)+"a\x00\x00\x00"+number(2)+"bc\x00\x00",
			"\x1e\x00\x01\x80"+strings.Repeat("g", 16)+number(0)+number(7)+number(1)+number(1)+"x\x00\x00\x00",
			"\x1e\x00\x01\x80"+strings.Repeat("g", 16)+number(1)+number(4)+wide("n\x00")+number(1)+number(1)+"x\x00\x00\x00",
			long(propMessageCPID<<16|typeLong, 932), long(propInternetCPID<<16|typeLong, 28592),
			property(propBody<<16|typeUnicode, wide("unicode")), property(propHTML<<16|typeBinary, "<p>"), property(propHeaders<<16|typeString8, "A: b\n"))),
			[]string{`headers.txt text/plain "A: b\n"`, fmt.Sprintf("body.txt text/plain; charset=utf-16le %q", wide("unicode")), `body.html text/html; charset=iso-8859-2 "<p>"`}},

		{"no TNEF", "x", []string{"error: tnef: damaged"}},
		{"another file", "another file", []string{"error: tnef: damaged"}},
		{"nothing", tnefHead, nil},
		{"padded", tnefHead + "\r\n\x00\x00", nil},
		{"more behind", tnefHead + attribute(1, attrBody, "a") + "behind", []string{`body.txt text/plain "a"`, "error: tnef: damaged"}},
		{"more behind, as long as an attribute", tnefHead + "base64 follows", []string{"error: tnef: damaged"}},
		{"an attribute that ends early", tnefHead + attribute(1, attrBody, "abc")[:11], []string{`body.txt text/plain "ab"`, "error: tnef: the file ends early"}},
		{"no number of properties", tnefHead + attribute(1, attrMessageProps, "x"), []string{"error: tnef: the file ends early"}},
		{"a count of properties that are not there", tnefHead + attribute(1, attrMessageProps, number(1<<31)), []string{"error: tnef: the file ends early"}},
		{"a count of values that are not there", tnefHead + attribute(1, attrMessageProps, number(1)+"\x1e\x00\x00\x10"), []string{"error: tnef: the file ends early"}},
		{"a value without a length", tnefHead + attribute(1, attrMessageProps, number(1)+"\x1e\x00\x00\x10"+number(1)), []string{"error: tnef: the file ends early"}},
		{"a value that ends early", tnefHead + attribute(1, attrMessageProps, number(1)+"\x1e\x00\x00\x10"+number(1)+number(9)+"x"), []string{"error: tnef: the file ends early"}},
		{"an unknown type", tnefHead + attribute(1, attrMessageProps, number(1)+"\x99\x00\x00\x10"), []string{"error: tnef: damaged"}},
		{"a name that ends early", tnefHead + attribute(1, attrMessageProps, number(1)+"\x1e\x00\x00\x80gggg"), []string{"error: tnef: the file ends early"}},
		{"a name without a length", tnefHead + attribute(1, attrMessageProps, number(1)+"\x1e\x00\x00\x80"+strings.Repeat("g", 16)+number(1)), []string{"error: tnef: the file ends early"}},
		{"a name that is too long", tnefHead + attribute(1, attrMessageProps, number(1)+"\x1e\x00\x00\x80"+strings.Repeat("g", 16)+number(1)+number(9)+"x"), []string{"error: tnef: the file ends early"}},
		{"damaged properties of an attachment", tnefHead + begin + attribute(2, attrAttachData, "1") + attribute(2, attrAttachProps, "x"), []string{`attachment  "1"`, "error: tnef: the file ends early"}},
	} {
		check(t, tt.what, listed(TNEF, []byte(tt.src)), tt.want...)
	}
	if !IsTNEF([]byte(tnefHead)) || IsTNEF([]byte("x")) || !IsCompound(compoundMagic) || IsCompound([]byte(tnefHead)) {
		t.Error("the first bytes")
	}
}

func TestMsg(t *testing.T) {
	headers := fmt.Sprintf("headers.txt text/plain; charset=utf-16le %q", wide("From: a@b\r\nList-Help: <http://header/>\r\n"))
	large := strings.Repeat("large ", 1000)
	object := &mailtest.Node{Children: []*mailtest.Node{{Name: "__substg1.0_3701000D", Children: []*mailtest.Node{{Name: "Workbook", Data: []byte("x")}}}}}
	mime := mailtest.File("signed", []byte("Content-Type: text/plain\n\nx"))
	mime.Children = append(mime.Children, &mailtest.Node{Name: "__substg1.0_370E001E", Data: []byte("multipart/signed")})
	src := mailtest.Compound(mailtest.Msg(32, "text", large, "",
		mailtest.File(`C:\a.txt`, []byte("a")), mailtest.File("b.txt", []byte(large)), mime, object, &mailtest.Node{},
		mailtest.Message("inner", mailtest.Msg(24, "", "", mailtest.Uncompressed(`{\rtf1 x}`), mailtest.File("c.txt", []byte("c"))))))
	check(t, "a message", listed(Msg, src), headers, fmt.Sprintf("body.txt text/plain; charset=utf-16le %q", wide("text")), fmt.Sprintf("body.html text/html; charset=utf-8 %q", large),
		`a.txt  "a"`, fmt.Sprintf("b.txt  %q", large), `signed message/rfc822 "Content-Type: text/plain\n\nx"`,
		strings.Replace(headers, "headers", "inner/headers", 1), `inner/body.rtf application/rtf "{\\rtf1 x}"`, `inner/c.txt  "c"`)

	deep := mailtest.Msg(24, "", "", "", mailtest.File("deepest.txt", []byte("x")))
	for range maxMessages + 1 {
		deep = mailtest.Msg(24, "", "", "", mailtest.Message("m", deep))
	}
	all := listed(Msg, mailtest.Compound(mailtest.Msg(32, "", "", "", mailtest.Message("m", deep))))
	if last := all[len(all)-1]; !strings.HasSuffix(last, errTooDeep.Error()) || strings.Contains(last, "deepest") {
		t.Errorf("the deepest message: %s", last)
	}
	for what, src := range map[string][]byte{
		"no header": []byte("x"), "another header": make([]byte, 2000), "another document": mailtest.Compound([]*mailtest.Node{{Name: "WordDocument", Data: []byte("x")}}),
		"only a header": src[:512], "a quarter": src[:len(src)/4/512*512],
	} {
		check(t, what, listed(Msg, src), "error: "+ErrNoMessage.Error())
	}
	cause := errors.New("cause")
	for _, err := range Msg(failing{bytes.NewReader(nil), 0, cause}, 1<<20) {
		if err != cause {
			t.Error(err)
		}
	}
}

// Names that are not Unicode are in the code page of the outermost message, also after a message that is attached and names another.
func TestCodePageOfMsg(t *testing.T) {
	in := func(page uint32, list []*mailtest.Node) []*mailtest.Node {
		list[0].Data = append(list[0].Data, long(propMessageCPID<<16|typeLong, 6)+number(page)+number(0)...)
		return list
	}
	old := func(name, data string) *mailtest.Node {
		return &mailtest.Node{Children: []*mailtest.Node{{Name: "__substg1.0_3707001E", Data: []byte(name)}, {Name: "__substg1.0_37010102", Data: []byte(data)}}}
	}
	inner := in(1250, mailtest.Msg(24, "", "", "", old("\xef.in", "1")))
	src := mailtest.Compound(in(1251, mailtest.Msg(32, "", "", "", old("\xef.a", "2"), mailtest.Message("m", inner), old("\xef.b", "3"))))
	var files []string
	for _, line := range listed(Msg, src) {
		if !strings.Contains(line, "headers") {
			files = append(files, line)
		}
	}
	check(t, "names", files, `п.a  "2"`, `m/п.in  "1"`, `п.b  "3"`)
}

// Wherever a file is cut off, changed or unreadable, its members are parts of those of the whole file, and errors. A
// loop over them may end anywhere.
func TestDamaged(t *testing.T) {
	for name, tt := range map[string]struct {
		read func(io.ReaderAt, int64) iter.Seq2[Member, error]
		src  []byte
	}{
		"TNEF": {TNEF, mailtest.TNEF("text", "<p>", mailtest.Uncompressed(`{\rtf1\fromhtml1 x}`), [2]string{"a.txt", "data"}, [2]string{"m.tnef", "inner"})},
		"msg": {Msg, mailtest.Compound(mailtest.Msg(32, "text", strings.Repeat("large ", 800), "", mailtest.File("a.txt", []byte("data")),
			mailtest.Message("m", mailtest.Msg(24, "inner", "", mailtest.Uncompressed(`{\rtf1\fromhtml1 x}`)))))},
	} {
		size := 0
		for _, line := range listed(tt.read, tt.src) {
			size += len(line)
		}
		step := 1 + len(tt.src)/500
		for n := 0; n < len(tt.src); n += step {
			listed(tt.read, tt.src[:n])
			src := bytes.Clone(tt.src)
			for _, c := range []byte{0, 1, 0x7f, 0xff} {
				src[n] = c
				got := 0
				for _, line := range listed(tt.read, src) {
					got += len(line)
				}
				if got > 4*(size+len(src)) {
					t.Errorf("%s: byte %d as %x: %d bytes of members", name, n, c, got)
				}
			}
			for m, err := range tt.read(failing{bytes.NewReader(tt.src), int64(n), io.ErrClosedPipe}, int64(len(tt.src))) {
				if err == nil {
					if r, err := m.Open(); err == nil {
						_, _ = io.Copy(io.Discard, r)
					}
				}
			}
		}
		for stop := range listed(tt.read, tt.src) {
			for range tt.read(bytes.NewReader(tt.src), int64(len(tt.src))) {
				if stop--; stop < 0 {
					break
				}
			}
		}
	}
}

// failing fails from an offset on.
type failing struct {
	io.ReaderAt
	from int64
	err  error
}

func (f failing) ReadAt(b []byte, at int64) (int, error) {
	if at+int64(len(b)) <= f.from {
		return f.ReaderAt.ReadAt(b, at)
	}
	n := 0
	if at < f.from {
		n, _ = f.ReaderAt.ReadAt(b[:f.from-at], at)
	}
	return n, f.err
}

// Names of code pages: [MS-UCODEREF] section 2.2.1.
func TestCharsets(t *testing.T) {
	for page, want := range map[int]string{
		0: "", 20127: "", 65001: "utf-8", 1200: "utf-16le", 1201: "utf-16be", 932: "shift_jis", 936: "gbk", 949: "euc-kr", 51949: "euc-kr", 950: "big5",
		20866: "koi8-r", 21866: "koi8-u", 50220: "iso-2022-jp", 50221: "iso-2022-jp", 50222: "iso-2022-jp", 51932: "euc-jp", 54936: "gb18030",
		1250: "windows-1250", 1258: "windows-1258", 1259: "", 874: "windows-874", 28591: "windows-1252", 28605: "iso-8859-15", 28606: "iso-8859-16", 28607: "", 28590: "", 7: "",
	} {
		if got := charsetOf(page); got != want {
			t.Errorf("%d: %q, want %q", page, got, want)
		}
	}
	for _, tt := range []struct {
		page       int
		text, want string
	}{{0, "\xe4\x00x", "ä"}, {1251, "\xe4", "д"}, {932, "\x83\x65", "テ"}, {1200, "a\x00b\x00", ""}} {
		if got := fromCodePage([]byte(tt.text), tt.page); tt.want != "" && got != tt.want {
			t.Errorf("%d %q: %q, want %q", tt.page, tt.text, got, tt.want)
		}
	}
	for want, names := range map[string][]string{"attachment": {"", " \x00", "a/"}, "b": {"", `a\b`, "c"}, "a\uFFFD": {"a\xff"}} {
		if got := fileName(names...); got != want {
			t.Errorf("%q: %q, want %q", names, got, want)
		}
	}
}
