package completeness

import (
	"strings"
	"testing"

	"example.org/refract/base"
	"example.org/refract/extract"
)

// What Chromium 156 requests for these, without scripts, in a window of 1280 by 720 pixels.
func TestChoose(t *testing.T) {
	for src, want := range map[string]string{
		`<img src=a>`: "a", `<img src=a srcset="b 2x">`: "a", `<img src=a srcset="b">`: "b", `<img src=a srcset="b 0.5x, c 3x">`: "a",
		`<img src=a srcset="b 400w, c 1300w, d 2000w">`: "c", `<img src=a srcset="b 400w, c 800w" sizes="(max-width: 600px) 1px, 50vw">`: "c",
		`<img src=a srcset="b 300w, c 600w">`: "c", `<img srcset="b 2x">`: "b", `<img srcset="b -1x, c 5q">`: "", `<img srcset="b 1w" sizes=0>`: "b",
		`<picture><source media="(max-width: 9px)" srcset=a><source srcset="b, c 2x"><img src=d></picture><img src=e>`:                                                                                                   "b e",
		`<picture><source type=image/heic srcset=a><img src=d srcset="e 2x"></picture>`:                                                                                                                                  "d",
		`<video poster=p><source src=a type=video/x-flv><source src=b type=video/webm><source src=c></video><video src=d></video>`:                                                                                       "p b d",
		`<video src=a><source src=b></video><audio><source src=c></audio><audio><source src=d></audio>`:                                                                                                                  "a c d",
		`<link rel=stylesheet media=print href=a><link rel="ALTERNATE stylesheet" href=b><link rel="shortcut icon" href=c>`:                                                                                              "a b c",
		`<link rel=preload as=font href=a><link rel=preload as=script href=b><link rel=preload as=image media=print href=c>`:                                                                                             "a",
		`<link rel=preload as=image href=a imagesrcset="b 1x, c 2x"><link rel=canonical href=d><link rel=manifest href=e>`:                                                                                               "b",
		`<script src=a></script><noscript><img src=b></noscript><template><img src=c></template><img data-src=d>`:                                                                                                        "b",
		`<iframe src=a></iframe><iframe srcdoc="<img src=b>"></iframe><object data=c></object><embed src=d><input type=image src=e>`:                                                                                     "a c d e b", // the image waits for the end of its element
		`<body background=a><table background=b><tr><td background=c></table><a href=d>x</a><svg><image href=e /><use href="f#g"/></svg>`:                                                                                "a b c e f",
		`<style>@import "a" print;p{background:url(b),url(c)}</style><p style="background:url(d)">`:                                                                                                                      "a b c d",
		`<style>@font-face{src:url(a.eot);src:url(a.eot?#x) format("embedded-opentype"),url(b) format('woff2') , url( "c" ) format(woff)}@font-face{src:local(x),url(d) format("truetype"),url(e)format("svg")}</style>`: "b d",
		`<base href=/q/><img src="a#b"><img src=data:,x><img src="">`:                                                                                                                                                    "q/a",
	} {
		got := needed(t, src)
		if strings.Join(got, " ") != want {
			t.Errorf("%s:\n got %q\nwant %q", src, strings.Join(got, " "), want)
		}
	}
}

// needed returns the paths of what a page needs, in the order of their places.
func needed(t *testing.T, src string) (got []string) {
	need := func(_ string, url []byte) {
		if isFetchable(url) {
			path, _, _ := strings.Cut(strings.TrimPrefix(string(url), "http://h/"), "#")
			got = append(got, path)
		}
	}
	c := chooser{viewport: desktop, need: need, needIf: func(in string, url []byte, _ condition) { need(in, url) }, apply: func([]byte, bool) {}}
	cfg := extract.Config{Choices: true, Type: "text/html", Retrieved: base.Source{URI: "http://h/"}}
	for r, err := range cfg.Walk("x", strings.NewReader(src)) {
		if err != nil {
			t.Fatal(err)
		}
		c.add(r)
	}
	c.end()
	return got
}
