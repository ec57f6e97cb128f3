package slug

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// testdata/sites.tsv was made by the programs themselves: pymdown-extensions 10,
// @mdit-vue/shared 3 and docutils 0.22.
func TestSites(t *testing.T) {
	data, err := os.ReadFile("testdata/sites.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for _, row := range rows[1:] {
		fields := strings.Split(row, "\t")
		var text string
		if err := json.Unmarshal([]byte(fields[0]), &text); err != nil {
			t.Fatal(err)
		}
		for i, f := range []Algorithm{Pymdownx, VitePress, Docutils} {
			s := Slugger{Algorithm: f}
			got := s.Slug(Heading{Text: text})
			if f == Docutils && f.Slug(Heading{Text: text}) == "" {
				got = ""
			}
			if got != fields[i+1] {
				t.Errorf("%s: %q = %q, want %q", f, text, got, fields[i+1])
			}
		}
	}
}

// Cases by hand, of programs that were not at hand.
func TestOtherSites(t *testing.T) {
	tests := []struct {
		algorithm Algorithm
		texts     []string
		want      string
	}{
		{MdBook, []string{"Install It!", "Install It!", "", "Über_Straße -- 3.1"}, "install-it install-it-1 section über_straße----31"},
		{Eleventy, []string{"Install it", "Install it", "Install it", "Über & more", "it's"}, "install-it install-it-2 install-it-3 ueber-and-more its"},
		// @sindresorhus/slugify 2.2.1
		{Sindresorhus, []string{"Why WireGuard?", "Why WireGuard?", "Keys & APIs", "getHTTPServer2 for MFA2", "It's Über-groß, ISN'T it", "v0.65.0", "HTML5Parser IDs", "iOS/macOS™"},
			"why-wire-guard why-wire-guard-2 keys-and-apis get-http-server2-for-mfa-2 its-ueber-gross-isnt-it v0-65-0 html-5-parser-ids i-os-mac-os"},
		{Zola, []string{"Install it", "Install it", "Über straße & more", "v1.2 — “x”", "Ærø"}, "install-it install-it-1 uber-strasse-more v1-2-x aero"},
		{Docsify, []string{"A & B", "A & B", "3. It's – x", "Über {docsify-ignore}"}, "a-amp-b a-amp-b-1 _3-it39s-x Über"},
		{Docsify5, []string{"A & B", "A & B", "3. It's – x", "🎉 [t](x.md) <b>"}, "a--b a--b-1 _3-its--x -txmd-"},
		{HonKit, []string{"A", "A", "3. It's – x_y", "& Über"}, "a a 3-its-–-xy über"},
		{GitBook, []string{"A & b", "A & b", "A | b's", "Über (1.2)", "5. X", "a(b[, c]) → d", "A/b", "VIA|WITH x_y", "C++", "`<buffer>` Section"}, "a-and-b a-and-b-1 a-or-bs uber-1.2 id-5.-x a-b-c-d a-b via-or-with-x_y c less-than-buffer-greater-than-section"},
		// @mintlify/common 1.0.1211
		{Mintlify, []string{"A", "A", "Keys & values", "On-chain — vanity", "v4.0.0", "What's new?", "What's", "A (b)?", "a_b/c", "🎉 Party 🎉 time"},
			"a a-2 keys-&-values on-chain-—-vanity v4-0-0 whats-new whats a-b- a_b/c -party--time"},
		{Mintlify, []string{"100% sure", "C++", "über Straße", "getX()", "-x-", "日本 語", "it's, ok", "Don't", "👍🏽 ok", "a & ", "a.b.c d", "1. First"},
			"100%-sure c++ über-straße getx x 日本-語 it-s-ok dont -ok a-& a-b-c-d 1-first"},
		{Nuxt, []string{"A -- B & C", "A -- B & C", "2.0 Release", "What's :tada: new?", "-x-", "Über_x"}, "a-b-c a-b-c-1 _20-release whats-new x über_x"},
		{VitePress, []string{"3. A", "3. A", "_3-a"}, "_3-a _3-a-1 _3-a-2"},
		{Doxia, []string{"A: b; c, d. e-f_g", "9", "Double", "Double", "Double", "_lead", ".dot", "Ünder", "A+B=C~d!e?f@g/h\\i|j"},
			"A.3A_b.3B_c.2C_d._e-f_g a9 Double Double_1 Double_2 _lead a.dot a.C3.9Cnder A.2BB.3DC.7Ed.21e.3Ff.40g.2Fh.5Ci.7Cj"},
		{Doxia, []string{"a--b --- c x...y", "multiple   spaces\ttab", "'single' \"double\" don't", "中文"},
			"a.E2.80.93b_.E2.80.94_c_x.E2.80.A6y multiple___spaces.09tab a.E2.80.98single.E2.80.99_.E2.80.9Cdouble.E2.80.9D_don.27t a.E4.B8.AD.E6.96.87"},
		{VitePress, []string{":tada: New :+1: a", "std::vec: b", "a:b: c"}, "new-a std-vec-b a-b-c"},
		{Rspress, []string{"Flat ", "flat", "Über & more"}, "flat flat-1 über--more"},
		{VuePress1, []string{"3. A – b", "A", "A", "A"}, "_3-a-b a a-2 a-3"},
		{Docutils, []string{"A", "A", "中文"}, "a id1 id2"},
		{DocFX, []string{"Install It!", "Install It!", "$", "Über_Straße -- 3.1"}, "install-it install-it-1 section über_straße----31"},
	}
	for _, tt := range tests {
		s := Slugger{Algorithm: tt.algorithm}
		var got []string
		for _, text := range tt.texts {
			got = append(got, s.Slug(Heading{Text: text}))
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.algorithm, got, tt.want)
		}
	}
}

// Ids that Pandoc 2.17.1 has made.
func TestPandoc(t *testing.T) {
	tests := []struct{ text, source, want string }{
		{"Install It!", "", "install-it"},
		{"Install It!", "", "install-it-1"},
		{"3.1 Numbers & co.", "", "numbers-co."},
		{"中文 标题", "", "中文-标题"},
		{"a -- b --- c", "", "a-b-c"},
		{"--flag x -- y", "`--flag` x -- y", "flag-x-y"},
		{"What's ... new?", "", "whats-new"},
		{"2024", "", "section"},
		{"हिन्दी भाषा", "", "हनद-भष"},
		{"² x²", "", "x²"},
		{"A_b. c", "", "a_b.-c"},
		{"Straße İ ΑΣ", "", "straße-i-ασ"},
	}
	s := Slugger{Algorithm: Pandoc}
	for _, tt := range tests {
		if got := s.Slug(Heading{Text: tt.text, Source: tt.source}); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.text, got, tt.want)
		}
	}
}
