package source

import (
	"fmt"
	"strings"
	"testing"
)

// Rules of Apache: which are redirects, for whom, and by what.
func TestApacheRules(t *testing.T) {
	for text, want := range map[string]string{
		"Redirect /a /b":                                      "/a /b prefix",
		"redirect 301 /a /b":                                  "/a /b prefix",
		"Redirect permanent /a /b":                            "/a /b prefix",
		"Redirect SeeOther /a /b":                             "/a /b prefix",
		"Redirect gone /a":                                    "/a  prefix error",
		"Redirect 410 /a":                                     "/a  prefix error",
		"Redirect other /a /b":                                "other /a prefix",
		"RedirectPermanent /a \"/b c\"":                       "/a /b c prefix",
		`Redirect 301 "/a b" "/c  d e"`:                       "/a b /c  d e prefix",
		`Redirect "/a" "/b"`:                                  "/a /b prefix",
		`Redirect "/a" "/b c"`:                                "/a /b c prefix",
		`Redirect "/a b /c`:                                   "\"/a b prefix",
		`Redirect " /a" /b`:                                   " /a /b prefix",
		`Redirect "/a	b" /c`:                                  "/a\tb /c prefix",
		`RewriteRule "^a b$" "/c d" [R]`:                      "^a b$ /c d regexp some",
		`Redirect "/a b" "/c`:                                 "/a b \"/c prefix",
		"RedirectTemp \"/a\" /b":                              "/a /b prefix",
		"RedirectMatch ^/a$ /b":                               "^/a$ /b regexp",
		"RewriteRule ^a$ /b [R=301,L]":                        "^a$ /b regexp some",
		"RewriteRule ^a$ /b [L,R]":                            "^a$ /b regexp some",
		"RewriteRule ^a$ /b [redirect=302]":                   "^a$ /b regexp some",
		"RewriteRule ^a$ /b [NR,L]":                           "^a$ /b regexp some rewrite",
		"RewriteRule ^a$ /b [L]":                              "^a$ /b regexp some rewrite",
		"RewriteRule ^a$ /b":                                  "^a$ /b regexp some rewrite",
		"RewriteRule ^a$":                                     "",
		"Redirect /a":                                         "",
		"# Redirect /a /b":                                    "",
		"<Directory /x>\nRedirect /a /b\n</Directory>":        "/a /b prefix some",
		"<IfModule mod_alias.c>\nRedirect /a /b\n</IfModule>": "/a /b prefix",
		"Redirectx /a /b":                                     "",
	} {
		var got []string
		for _, r := range apacheRules(".htaccess", []byte(text)) {
			s := r.From + " " + r.To
			for name, is := range map[string]bool{"prefix": r.IsPrefix, "regexp": r.IsRegexp} {
				if is {
					s += " " + name
				}
			}
			if r.IsForSome {
				s += " some"
			}
			if r.IsRewrite {
				s += " rewrite"
			}
			if r.IsError {
				s += " error"
			}
			got = append(got, s)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %q", text, fmt.Sprint(got), want)
		}
	}
}

// Quotes without an end take as long as words.
func TestOpenQuotes(t *testing.T) {
	line := `Redirect ` + strings.Repeat(`"a `, 200_000)
	if rules := apacheRules(".htaccess", []byte(line)); len(rules) != 1 || rules[0].From != `"a` {
		t.Errorf("%d rules", len(rules))
	}
}
