package message

import (
	"strings"
	"testing"
)

// Each value of a From field gives one address and one name. The forms are those of RFC 5322 sections 3.4, 4.4 and A.6,
// of RFC 2047 and 2231, and of archives that hide addresses; the addresses and people are made up.
func TestSender(t *testing.T) {
	s := new(Scanner)
	for _, tt := range []struct{ value, address, name string }{
		{"ann@example.org", "ann@example.org", ""},
		{`"Ann" <ann@example.org (Ann Smith)>`, "ann@example.org", "Ann"},
		{"<ann@example.org (Ann Smith)>", "ann@example.org", "Ann Smith"},
		{"Ann <(at work) ann@example.org(x (y))>", "ann@example.org", "Ann"},
		{`Ann <"a(b"@example.org>`, `"a(b"@example.org`, "Ann"},
		{"Ann Smith <ann@example.org>", "ann@example.org", "Ann Smith"},
		{`"Smith, Ann" <ann@example.org>`, "ann@example.org", "Smith, Ann"},
		{"Smith, Ann <ann@example.org>", "ann@example.org", "Smith, Ann"},
		{`"Ann \"A\" Smith" <ann@example.org>`, "ann@example.org", `Ann "A" Smith`},
		{"ann@example.org (Ann Smith)", "ann@example.org", "Ann Smith"},
		{"ann@example.org (Ann (A) Smith)", "ann@example.org", "Ann (A) Smith"},
		{"<ann@example.org> (Ann Smith)", "ann@example.org", "Ann Smith"},
		{"<ann@example.org>", "ann@example.org", ""},
		{"ann@example.org <ann@example.org>", "ann@example.org", ""},
		{`"ann@example.org" <ann@example.org>`, "ann@example.org", ""},
		{`"'Ann Smith'" <ann@example.org>`, "ann@example.org", "Ann Smith"},
		{"Ann Smith <ann@example.org> (Ann Smith)", "ann@example.org", "Ann Smith"},
		{"Ann <ann@example.org>, Bob <bob@example.org>", "ann@example.org", "Ann"},
		{"ann@example.org, Bob <bob@example.org>", "ann@example.org", ""},
		{"The group: Ann <ann@example.org>, bob@example.org;", "ann@example.org", "Ann"},

		// RFC 5322 section 4.4 and appendix A.6.
		{`"ann smith"@example.org`, `"ann smith"@example.org`, ""},
		{`Ann <"ann smith"@example.org>`, `"ann smith"@example.org`, "Ann"},
		{"Joe Q. Public <john . q . public @ example . com>", "john.q.public@example.com", "Joe Q. Public"},
		{"Mary Smith <@node.test,@other.test:mary@example.net>", "mary@example.net", "Mary Smith"},
		{"Pete(A nice \\) chap) <pete@silly.test>", "pete@silly.test", "Pete"},
		{"ann@[192.0.2.1]", "ann@[192.0.2.1]", ""},
		{"root@localhost (Cron)", "root@localhost", "Cron"},
		{"relay!ann%host@gateway.example (Ann)", "relay!ann%host@gateway.example", "Ann"},
		{"Jörg <jörg@bücher.example>", "jörg@bücher.example", "Jörg"},

		// Encoded words.
		{"=?iso-8859-1?Q?G=F6ran?= <g@example.org>", "g@example.org", "Göran"},
		{"g@example.org (=?iso-8859-1?Q?G=F6ran?=)", "g@example.org", "Göran"},
		{"=?utf-8?Q?Smith=2C_Ann?= <ann@example.org>", "ann@example.org", "Smith, Ann"},
		{`"=?utf-8?B?R8O8bnRoZXI=?=" <g@example.org>`, "g@example.org", "Günther"},
		{"=?utf-8?B?R8O8bg?= <g@example.org>", "g@example.org", "Gün"},
		{"=?utf-8*en?Q?Ann?= <ann@example.org>", "ann@example.org", "Ann"},
		{"=?utf-8?Q?Ann_=3Cann=40example.org=3E?=", "ann@example.org", "Ann"},

		// Archives.
		{"ann at example.org (Ann Smith)", "ann@example.org", "Ann Smith"},
		{"ann at example.org (ann at example.org)", "ann@example.org", ""},
		{"Ann Smith <ann at example.org>", "ann@example.org", "Ann Smith"},
		{"Ann Smith <ann <at> example.org>", "ann@example.org", "Ann Smith"},
		{"ann(a)example.org", "ann@example.org", ""},
		{"Ann Smith <ann(a)example.org>", "ann@example.org", "Ann Smith"},
		{"Ann (a) Smith", "", "a"},
		{"ann [at] example [dot] org (Ann)", "ann@example.org", "Ann"},
		{"Ann <ann at example dot org>", "ann@example.org", "Ann"},
		{"ann at localhost", "", "ann at localhost"},
		{"ann at work (Ann Smith)", "ann@work", "Ann Smith"},
		{"ann at example.org (Ann))", "ann@example.org", "Ann"},
		{`Ann Smith" <ann@example.org (Ann Smith)`, "ann@example.org", "Ann Smith"},
		{`ann at example.org (Ann \"A\" Smith)`, "ann@example.org", `Ann "A" Smith`},
		{"ann at example.org (=?koi8-r?Q?=22?=Ann Smith=?koi8-r?Q?=22?=)", "ann@example.org", "Ann Smith"},
		{"@nn m@iii@g oii oib@@et (@nn m@iii@g oii oib@@et)", "", ""},
		{"m@rc_@chw@rtz @ending from me@com (Marc Someone)", "", "Marc Someone"},
		{"murdoch@dunc@n @end|ng |rom gm@||@com (Duncan Someone)", "", "Duncan Someone"},
		{"bob@x @end|ng |rom gmx@de (Bob)", "", "Bob"},
		{"|@n@x @end|ng |rom gmx@de", "", ""},
		{"Ann,(<ann@example.org>)", "ann@example.org", "Ann"},
		{"Ann [mailto:ann@example.org]", "ann@example.org", ""},
		{"Smith, Ann", "", "Smith, Ann"},
		{"Ann Smith", "", "Ann Smith"},
		{"Ann <ann>", "", "Ann"},
		{"bogus@does.not.exist.com ()", "bogus@does.not.exist.com", ""},
		{"", "", ""}, {"<", "", ""}, {">", "", ">"}, {"<>", "", ""}, {"()", "", ""}, {`"`, "", ""}, {"@", "", ""}, {"a@", "", ""}, {"@b", "", ""}, {",", "", ""}, {"=??=", "", "=??="},
	} {
		if address, name := s.sender([]byte(tt.value)); address != tt.address || name != tt.name {
			t.Errorf("%q: %q, %q; want %q, %q", tt.value, address, name, tt.address, tt.name)
		}
	}
}

// A phrase loses the marks of its quoted strings, wherever they are.
func TestUnquoted(t *testing.T) {
	for phrase, want := range map[string]string{
		"Ann": "Ann", `Ann "B" C`: "Ann B C", `"Ann"`: "Ann", `A\"n`: `A"n`, `\Ann`: "Ann", `A\`: `A\`, `"'Ann' "`: "Ann",
	} {
		if got := string(unquoted([]byte(phrase))); got != want {
			t.Errorf("%s: %q, want %q", phrase, got, want)
		}
	}
}

// A field of n bytes takes time linear in n, and gives no more than an address and a name of limited length.
func TestSenderHostile(t *testing.T) {
	s := new(Scanner)
	for _, piece := range []string{"(", ")", "<", ">", `"`, ",", "<at>", "<a<at>", " at ", "@", "a@b ", "a@b,", "(a)", "=?utf-8?q?a?= ", "\\", "a. ", "dot "} {
		value := []byte(strings.Repeat(piece, 200_000/len(piece)))
		if address, name := s.sender(value); len(address) > maxAddress || len(name) > 4*maxSubject {
			t.Errorf("%q: an address of %d bytes, a name of %d", piece, len(address), len(name))
		}
	}
}
