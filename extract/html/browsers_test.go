package html

import (
	"slices"
	"strings"
	"testing"
)

// What Chromium 156 makes of rare documents.
func TestBrowsers(t *testing.T) {
	for _, tt := range []struct {
		sec, src string
		xml      bool
		want     string
	}{
		{"8.1.6.1", `<script type=importmap>{"imports":{"a":"/a.js","b/":"/b/"},"scopes":{"/s/":{"x/":"/x/","y":"/y.js"}}}</script>`, false, "/a.js /y.js"},

		// The body that a frameset discards: but its resources have been requested.
		{"13.2.6.4.7", `<head><link rel=icon href=i></head><a href=a></a><link rel=stylesheet href=s><frameset><frame src=f></frameset>`, false, "i s f"},
		{"13.2.6.4.7", `<a href=a></a><FrameSet><frame src=f><frameset><frame src=g>`, false, "f g"},
		{"13.2.6.4.7", `<a href=a>text</a><frameset>`, false, "a"},
		{"13.2.6.4.7", `<body><a href=a></a><frameset>`, false, "a"},
		{"13.2.6.4.7", `<a href=a></a><img><frameset>`, false, "a"},
		{"13.2.6.4.7", `<a href=a></a><!--<frameset>-->`, false, "a"},
		{"13.2.6.4.7", `<base href=b><a href=a></a><frameset>`, false, "b"},
		{"13.2.6.4.7", `<frameset><frame src=f></frameset><noframes><a href=a>x</a></noframes>`, false, "f"},

		{"13.2.6.4.7", `<body background=a><body background=b>`, false, "a"},
		{"13.2.6.4.7", `<body><p>x<body background=b><body background=c>`, false, "b"},
		{"13.2.6.4.7", `<table background=a><body background=b>`, false, "a b"},

		{"XML 1.1", `<html xmlns="http://www.w3.org/1999/xhtml"><A href="a"/><a HREF="b"/><IMG src="c"/><a href="d"/></html>`, true, "d"},
		{"XML 1.1", `<svg xmlns="http://www.w3.org/2000/svg"><linearGradient href="#e"/><Image href="a"/><image href="b"/></svg>`, true, "#e b"},
		{"", `<A HREF=a>`, false, "a"},
	} {
		s := Scanner{XML: tt.xml}
		var got []string
		for it := range s.Scan([]byte(tt.src)) {
			got = append(got, string(it.Value))
		}
		if !slices.Equal(got, strings.Fields(tt.want)) {
			t.Errorf("%s: %s: got %q, want %q", tt.sec, tt.src, got, tt.want)
		}
	}
}
