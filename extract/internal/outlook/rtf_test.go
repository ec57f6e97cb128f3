package outlook

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"
)

// The examples of [MS-OXRTFCP] section 3.
func TestDecompress(t *testing.T) {
	tests := []struct{ sec, src, want string }{
		{"3.1.1", "\x2d\x00\x00\x00\x2b\x00\x00\x00\x4c\x5a\x46\x75\xf1\xc5\xc7\xa7\x03\x00\x0a\x00\x72\x63\x70\x67\x31\x32\x35\x42\x32\x0a\xf3\x20\x68\x65\x6c\x09\x00\x20\x62\x77\x05\xb0\x6c\x64\x7d\x0a\x80\x0f\xa0",
			"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"},
		{"3.1.2", "\x1a\x00\x00\x00\x1c\x00\x00\x00\x4c\x5a\x46\x75\xe2\xd4\x4b\x51\x41\x00\x04\x20\x57\x58\x59\x5a\x0d\x6e\x7d\x01\x0e\xb0", "{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}"},
		{"2.1.3.1", string(binary.LittleEndian.AppendUint32(nil, 16)) + "\x04\x00\x00\x00MELA\x00\x00\x00\x00{\\x}", `{\x}`},
	}
	for _, tt := range tests {
		r, err := decompressRTF(strings.NewReader(tt.src))
		if err != nil {
			t.Fatal(tt.sec, err)
		}
		got, err := io.ReadAll(r)
		if string(got) != tt.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", tt.sec, got, err, tt.want)
		}
	}
}

// [MS-OXRTFEX] sections 2.1.3 and 3.
func TestRestoreHTML(t *testing.T) {
	tests := []struct{ what, rtf, want string }{
		{"tags", `{\rtf1\ansi\ansicpg1251\fromhtml1 \deff0{\fonttbl{\f0\fswiss Arial;}}{\colortbl\red0;}{\*\generator x;}{\*\htmltag18 <html>}{\*\htmltag84 <a href="http://h/\{a\}">}\htmlrtf {\field{\*\fldinst{HYPERLINK "http://h/"}}{\fldrslt\htmlrtf0 text\htmlrtf }\htmlrtf0 {\*\htmltag92 </a>}{\*\htmltag27 </html>}}`,
			`<html><a href="http://h/{a}">text</a></html>`},
		{"characters", `{\rtf1\ansi\ansicpg1251\fromhtml1 \uc1\'cf\'f0 \u8364 ?\u-10179 ?\u-8704 ?\par\tab\lquote\~\_}`, "Пр €\U0001F600\r\n\t&lsquo;&nbsp;&shy;"},
		{"fonts", `{\rtf1\ansi\ansicpg1252\fromhtml1 {\fonttbl{\f0 A;}{\f1\fcharset128 B;}}\f1\'83\'65\'83\'58{\f0\'e9}\'83\'67}`, "テスéト"},
		{"groups restore", `{\rtf1\fromhtml1 a{\htmlrtf b}c{\*\mhtmltag64 x}{\*\htmltag64 <p>}\htmlrtf d\htmlrtf0 e}`, "ac<p>e"},
		{"hidden", `{\rtf1\fromhtml1 a{\colortbl b}{\stylesheet c}{\info d}{\pict e}{\object f}{\header g}{\footer h}{\*\other i}{\other j}}`, "aj"},
		{"no character", `{\rtf1\fromhtml1 \'zz\'4@ `, "zz4@ "},
		{"no end", `{\rtf1\fromhtml1 a\par`, "a\r\n"},
		{"no word", `{\rtf1\fromhtml1 a\`, "a"},
		{"data", "{\\rtf1\\fromhtml1 {\\pict\\bin3 }}}x}y}", "y"},
	}
	for _, tt := range tests {
		got, err := restoreHTML([]byte(tt.rtf))
		if string(got) != tt.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", tt.what, got, err, tt.want)
		}
	}
	if _, err := restoreHTML([]byte(`{\rtf1\ansi\fromtext x}`)); err != errPlainText {
		t.Error(err)
	}
	if _, err := restoreHTML([]byte(`{\rtf1\ansi x}`)); err != errNoHTML {
		t.Error(err)
	}
}

// Every input is valid, and the output is bounded.
func FuzzRTF(f *testing.F) {
	f.Add([]byte("\x1a\x00\x00\x00\x1c\x00\x00\x00\x4c\x5a\x46\x75\xe2\xd4\x4b\x51\x41\x00\x04\x20\x57\x58\x59\x5a\x0d\x6e\x7d\x01\x0e\xb0"))
	f.Add([]byte(`{\rtf1\ansi\fromhtml1 {\*\htmltag84 <a>}\'e9\u1 ?\bin3 \htmlrtf x}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		if html, err := restoreHTML(src); err == nil && len(html) > 8*len(src) {
			t.Errorf("%d bytes of %d", len(html), len(src))
		}
		r, err := decompressRTF(bytes.NewReader(src))
		if err != nil {
			return
		}
		n, _ := io.Copy(io.Discard, r)
		if n > 9*int64(len(src)) {
			t.Errorf("%d bytes of %d", n, len(src))
		}
	})
}
