package markup

import (
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// The destinations that @djot/djot 0.3.2 finds, but in the last four rows: white space before a line break is no part of a
// destination (syntax.md), the marks of emphasis are not read, a space in angle brackets follows RFC 3986 appendix C, and what is empty is none.
func TestDjotOracle(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"> [x](http://h/a\n> b)\n", "http://h/ab"},
		{"- [x](http://h/a\n  b)\n", "http://h/ab"},
		{"[a]: http://h/long\n  and/more\n\n[x][a]\n", "http://h/longand/more"},
		{"![p](a\\_b.png)\n", "a_b.png"},
		{"[x](a\\\n b)\n", "ab"},
		{"`[x](y)`\n", ""},
		{"[x](<u>)\n", "<u>"},
		{"<http://h/a>{.c}\n", "http://h/a"},
		{"[x](a(b)c)\n", "a(b)c"},
		{"[x](a\n\nb)\n", ""},
		{"[x]\n[y]\n\n[y]: z\n", "z"},
		{"``` =html\n<a href=\"u\">x</a>\n```\n", ""},
		{"`<a href=\"u\">`{=html}\n", ""},
		{"[a](b){href=c}\n", "b"},
		{"{href=\"c\"}\n[a](b)\n", "b"},
		{"[^f]\n\n[^f]: see [n](m)\n", "m"},
		{"| [a](b) | <http://h/> |\n", "b http://h/"},
		{"$`[a](b)`\n", ""},
		{"{% [a](b) %}\n", ""},
		{"{-[a](b)-}\n", "b"},
		{"[a][]\n\n[a]: u\n", "u"},
		{"[a](u \"t\")\n", "u \"t\""},
		{"[*a*](u)\n", "u"},
		{"[a](u){#i}\n", "u"},
		{"<me@example.org>\n", "me@example.org"},
		{"\"[a](b)\"\n", "b"},
		{"# [h](u)\n", "u"},
		{": t\n\n  [a](b)\n", "b"},
		{"[a](  b )\n", "  b "},
		{"[a](b c\n   d  \n  e)\n", "b cde"},
		{"*Emphasis [*](url)\n", "url"},
		{"<http://h/a b>\n", "http://h/ab"},
		{"[a]()\n", ""},
	} {
		if got := strings.Join(scantest.References(tt.src, new(Djot).Scan([]byte(tt.src))), " "); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.src, got, tt.want)
		}
	}
}
