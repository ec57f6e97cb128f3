package message

import (
	"strings"
	"testing"
)

// The inputs are plain mail of a list, which is mostly heading, and a page with a picture.
func BenchmarkScan(b *testing.B) {
	heading := lines("Return-Path: <list-admin@lists.example.org>|Delivered-To: ann@example.org|" +
		strings.Repeat("Received: from mail.example.net (mail.example.net [192.0.2.1])|\tby mx.example.org (Postfix) with ESMTP id 2CC378D014|\tfor <ann@example.org>; Mon, 22 Aug 2016 14:22:58 +0000 (UTC)|", 4) +
		"From: Bob <bob@example.net>|To: list@lists.example.org|Subject: Re: [list] what a subject is|Message-ID: <20160822.1@example.net>|References: <20160821.7@example.org>|" +
		"MIME-Version: 1.0|X-Mailer: a mailer 1.2|Date: Mon, 22 Aug 2016 14:22:50 +0000|Precedence: bulk|List-Id: a list <list.lists.example.org>|" +
		"List-Archive: <http://lists.example.org/list/>|List-Unsubscribe: <http://lists.example.org/list/options>,|\t<mailto:list-request@lists.example.org?subject=unsubscribe>|")
	text := strings.Repeat("> What it is worth: a line of text has about as many bytes\nas this one, more or less, and now and then a link.\n", 20) + "See <http://www.example.org/a/b.html>.\n"
	plain := heading + "Content-Type: text/plain; charset=us-ascii\n\n" + text
	mime := heading + "Content-Type: multipart/related; boundary=\"----=_NextPart_000_0000\"\n\n------=_NextPart_000_0000\nContent-Type: text/html; charset=\"utf-8\"\nContent-Transfer-Encoding: quoted-printable\n\n" +
		strings.Repeat("<p class=3D\"x\">A line of a page that has been written as mailers do=\n.</p>\n", 40) + "------=_NextPart_000_0000\nContent-Type: image/png\nContent-Transfer-Encoding: base64\nContent-ID: <a@b>\n\n" +
		strings.Repeat(strings.Repeat("A", 76)+"\n", 100) + "------=_NextPart_000_0000--\n"
	for _, bb := range []struct{ name, src string }{{"plain", plain}, {"mime", mime}} {
		b.Run(bb.name, func(b *testing.B) {
			s := Scanner{ReadAs: readText}
			src := []byte(bb.src)
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				for range s.Scan(src) {
				}
			}
		})
	}
}
