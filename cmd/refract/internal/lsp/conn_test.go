package lsp

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestReadMessage(t *testing.T) {
	tests := []struct{ in, want, err string }{
		{"Content-Length: 2\r\n\r\n{}", "{}", ""},
		{"content-length:2\n\n{}rest", "{}", ""},
		{"Content-Type: application/vscode-jsonrpc; charset=utf8\r\nContent-Length: 0\r\n\r\n", "", ""},
		{"", "", "EOF"},
		{"Content-Length: 2\r\n\r\n{", "", "unexpected EOF"},
		{"Content-Length: 2\r\n", "", "unexpected EOF"},
		{"Content-Le", "", "unexpected EOF"},
		{"\r\n", "", "a message without Content-Length"},
		{"{}\r\n\r\n", "", `"{}" is not a header`},
		{"Content-Length: -1\r\n\r\n", "", "from 0 to"},
		{"Content-Length: 9223372036854775807\r\n\r\n", "", "from 0 to"},
		{"Content-Length: 99999999999999999999\r\n\r\n", "", "from 0 to"},
		{"Content-Length: x\r\n\r\n", "", "from 0 to"},
		{strings.Repeat("x", 1<<20), "", "too long"},
	}
	for _, test := range tests {
		m, err := readMessage(bufio.NewReader(strings.NewReader(test.in)))
		if string(m) != test.want || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%.40q: %q, %v, want %q, %q", test.in, m, err, test.want, test.err)
		}
		if (test.in == "") != errors.Is(err, io.EOF) {
			t.Errorf("%.40q: %v", test.in, err)
		}
	}
}
