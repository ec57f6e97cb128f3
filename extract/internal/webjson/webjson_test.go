package webjson

import (
	"fmt"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

// show returns what a Scanner yields, and checks where it is.
func show(t *testing.T, kind Kind, src string) string {
	t.Helper()
	var list []string
	for it := range (&Scanner{Kind: kind}).Scan([]byte(src)) {
		if it.Op == scan.Part {
			if span, _ := it.Map.Back(scan.Span{End: len(it.Value)}); span != it.Span {
				t.Errorf("%s: a part at %v, not %v", src, span, it.Span)
			}
			list = append(list, fmt.Sprintf("%s %s %s", it.Type, it.Name, it.Value))
			continue
		}
		if raw := strings.NewReplacer(`\/`, "/", `\u0026`, "&").Replace(src[it.Span.Start:it.Span.End]); !strings.Contains(raw, string(it.Value)) {
			t.Errorf("%s: %q is at %q", src, it.Value, raw)
		}
		list = append(list, strings.TrimSpace(fmt.Sprint(it.Kind, " ", it.In, " ", string(it.Value))))
	}
	return strings.Join(list, "|")
}

func TestScan(t *testing.T) {
	for _, tt := range []struct {
		kind      Kind
		src, want string
	}{
		{Manifest, `{"name":"x","start_url":"..\/?a","scope":"/","icons":[{"src":"i.png","sizes":"1x1"},{"src":" j.png "}],"shortcuts":[{"url":"s","icons":[{"src":"k"}]}]}`,
			"link start_url ../?a|metadata scope /|embed icons.src i.png|embed icons.src j.png|link shortcuts.url s|embed shortcuts.icons.src k"},
		{Manifest, `{"start_url":"","icons":[{"src":""}],"other":{"icons":[{"src":"no"}]},"icons2":"no"}`, "link start_url"},
		{Manifest, `{"description":"see https:\/\/h\/d?a=1\u0026b","developer":{"url":"http://h/dev"}}`, "text  https://h/d?a=1&b|text  http://h/dev"},
		{Manifest, `{"share_target":{"action":"share"},"start_url":"cut`, "form share_target.action share"},
		{Manifest, `["start_url", {"start_url": "no"}]`, ""},
		{Feed, `{"version":"v","home_page_url":"/","authors":[{"url":"u","avatar":"a"}],"items":[{"id":"1","url":"p","content_html":"<a href=\"x\">\u00e4","attachments":[{"url":"m.mp3"}]}]}`,
			"link home_page_url /|link authors.url u|embed authors.avatar a|link items.url p|text/html content_html <a href=\"x\">ä|embed items.attachments.url m.mp3"},
		{Feed, `{"items":[{"content_text":"see http://h/","_other":{"about":"http://h/o"}}]}`, "text/plain content_text see http://h/|text  http://h/o"},
	} {
		if got := show(t, tt.kind, tt.src); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.src, got, tt.want)
		}
	}
}

func TestSniff(t *testing.T) {
	for src, want := range map[string]string{
		`{"version":"https:\/\/jsonfeed.org\/version\/1.1","items":[]}`: Types[Feed],
		"\xef\xbb\xbf {\"start_url\":\"/\",\"icons\":[{\"src\":\"a\"}]": Types[Manifest],
		`{"icons":[{"src":"a"}],"manifest_version":3}`:                  "", // of an extension
		`{"icons":[{"sizes":"9x9","src":"a"}],"display":"standalone"}`:  Types[Manifest],
		`{"theme_color":"#fff","icons":{"16":"a.png"}}`:                 "", // another list of icons
		`{"icons":[{"src":"a"}],"short_name":"b"}`:                      "", // of anything
		`{"a":{"start_url":"/"},"icons":[{"src":"a"}]}`:                 "",
		`{"version":"1.0"}`: "", `["https://jsonfeed.org/version/1"]`: "", "": "", "{": "", "text": "",
	} {
		if got := Sniff([]byte(src)); got != want {
			t.Errorf("%s: %q", src, got)
		}
	}
}
