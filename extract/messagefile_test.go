package extract

import (
	"fmt"
	"strings"
	"testing"
)

// A message in a file with a suffix of plain text is read as one; a text that begins with other fields is not.
func TestMessageInTextFile(t *testing.T) {
	const body = "Content-Transfer-Encoding: quoted-printable\n\nhttp://h.example/a=\nb\n"
	for _, tt := range []struct {
		what, heading string
		isMessage     bool
	}{
		{"a message", "Return-Path: <a@b.example>\nFrom: a@b.example\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nSubject: s\n", true},
		{"CRLF", "From: a@b.example\r\nDate: Mon, 1 Jan 2024 00:00:00 +0000\r\nSubject: s\r\n", true},
		{"other cases", "FROM: a@b.example\nX-Y: z\ndate: 1 Jan 2024 00:00:00\n", true},
		{"of a server", "Received: from x\n\tby y; Mon, 1 Jan 2024 00:00:00 +0000\nMIME-Version: 1.0\n", true},
		{"news", "Path: x!y\nMessage-ID: <1@x>\nDate: 1 Jan 90 00:00:00 GMT\n", true},
		{"a heading of more than 4,096 bytes", "Delivered-To: a@b.example\nReceived: from x\n" + strings.Repeat("ARC-Seal: i=1; a=rsa-sha256;\n        b="+strings.Repeat("x", 60)+"\n", 60), true},
		{"an archive", "From a@b.example  Mon Jan  1 00:00:00 2024\nFrom: a@b.example\nDate: x\n", true},

		{"a text", "Title: t\nAuthor: a\nDate: 2024-01-01\n", false},
		{"a draft", "Title: t\nFrom: x\nStatus: s\n", false},
		{"no sender", "Date: 2024-01-01\nSubject: s\nTo: all\n", false},
		{"prose first", "Received today:\nFrom: a@b.example\nDate: x\n", false},
		{"prose in it", "From: a@b.example\nSo it was\nDate: x\n", false},
		{"a blank line before the date", "From: a@b.example\n\nDate: x\n", false},
		{"a log", "commit 0123\nAuthor: a <a@b.example>\nDate:   Mon Jan 1 00:00:00 2024\n", false},
		{"a patch", "diff --git a/m b/m\n--- a/m\n+++ b/m\nFrom: a@b.example\nDate: x\n", false},
		{"added lines", "+From: a@b.example\n+Date: x\n", false},
		{"an answer of HTTP", "HTTP/1.1 200 OK\nDate: x\nFrom: y\n", false},
		{"times", "12:00: From: a\n12:01: Date: b\n", false},
		{"binary", "\x00From: a\nDate: x\n", false},
		{"PGP", "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\nFrom: a@b.example\nDate: x\n", false},
	} {
		for _, name := range []string{"m.txt", "M.TEXT", "m.log", "m.asc"} {
			var got []string
			for ref, err := range new(Config).Walk(name, strings.NewReader(tt.heading+body)) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, string(ref.Ref))
			}
			if is := fmt.Sprint(got) == "[http://h.example/ab]"; is != tt.isMessage {
				t.Errorf("%s in %s: got %q", tt.what, name, got)
			}
		}
	}
}
