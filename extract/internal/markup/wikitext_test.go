package markup

import (
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// The URLs of external links that mwparserfromhell 0.7.2 finds, but in the last two rows: "|" is a character of no URL (RFC 3986 appendix A), and
// the braces of a template behind a space open nothing in the text.
func TestWikitextOracle(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"[http://h/a b]", "http://h/a"},
		{"[//h/x y]", "//h/x"},
		{"[http://h/a]", "http://h/a"},
		{"{{cite|url=http://h/a|t=x}}", "http://h/a"},
		{"<nowiki>http://h/a</nowiki>", ""},
		{"<!-- http://h/a -->", ""},
		{"''http://h/a''", "http://h/a"},
		{"[http://h/a ''b'']", "http://h/a"},
		{"[[http://h/a]]", "http://h/a"},
		{"[[Page]]", ""},
		{"[[Page|see http://h/b]]", "http://h/b"},
		{"http://h/a(b).", "http://h/a(b)"},
		{"http://h/a.", "http://h/a"},
		{"mailto:a@b.org", "mailto:a@b.org"},
		{"[mailto:a@b.org x]", "mailto:a@b.org"},
		{"[news:a.b c]", "news:a.b"},
		{"<ref>http://h/a</ref>", "http://h/a"},
		{"<pre>http://h/a</pre>", ""},
		{"<syntaxhighlight>[http://h/a]</syntaxhighlight>", ""},
		{"* [http://h/a x] and [https://h/b y]", "http://h/a https://h/b"},
		{"|-\n| [http://h/a x] || http://h/b", "http://h/a http://h/b"},
		{"[http://h/{{a}} x]", ""},
		{"[ftp://h/a x]", "ftp://h/a"},
		{"[irc://h/a x]", "irc://h/a"},
		{"[http://h/a\nx]", "http://h/a"},
		{"[foo http://h/a]", "http://h/a"},
		{"[[File:a.png|link=http://h/a]]", "http://h/a"},
		{"http://h/a<br>", "http://h/a"},
		{"http://h/a]", "http://h/a"},
		{"[http://[::1]/a x]", "http://"},
		{"{{a|[http://h/a x]}}", "http://h/a"},
		{"[HTTP://h/a x]", "HTTP://h/a"},
		{"http://h/a|b", "http://h/a"},
		{"( {{=http://h/a{(==", "http://h/a"},
	} {
		if got := strings.Join(scantest.References(tt.src, new(Wikitext).Scan([]byte(tt.src))), " "); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.src, got, tt.want)
		}
	}
}

// Names of pages and files, as references with --also wiki-links, and as names without.
func TestWikitextPages(t *testing.T) {
	for _, tt := range []struct{ src, links, names string }{
		{"[[Page]]", "Page", "Page"},
		{"[[Main page#Some part|label]]", "Main_page#Some_part", "Main page#Some part"},
		{"[[#part]]", "", ""}, // of this page, whose ids are not read
		{"[[File:a b.png|thumb|[[Other]] http://h/a]]", "./File:a_b.png Other http://h/a", "File:a b.png Other http://h/a"},
		{"[[:Category:X]] [[Category:Y]]", "./Category:X ./Category:Y", "Category:X Category:Y"},
		{"[[a\nb]]", "", ""},
		{"[[]] [[|x]] [[a", "", ""},
		{"<nowiki>[[a]]</nowiki><!-- [[b]] -->[[c]]s", "c", "c"},
	} {
		for i, want := range []string{tt.links, tt.names} {
			s := Wikitext{WikiLinks: i == 0, Names: i == 1}
			all := []string{}
			for it := range s.Scan([]byte(tt.src)) {
				ref := string(it.Value)
				if it.Value == nil {
					ref = tt.src[it.Span.Start:it.Span.End]
				}
				all = append(all, ref)
			}
			if got := strings.Join(all, " "); got != want {
				t.Errorf("%q, %d: %s, want %s", tt.src, i, got, want)
			}
		}
	}
}
