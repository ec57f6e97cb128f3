package extract

import (
	"fmt"
	"strings"
	"testing"

	"example.org/refract/base"
)

// With Config.Exhaustive, the paths of robots.txt are found, and all that running text has.
func TestRobotsText(t *testing.T) {
	const src = "# http://h.example/doc\nUser-agent: *\r\nDisallow: /a # /no\r\nDISALLOW:/b?c\nAllow : /d\nDisallow:\nDisallow: /*.x$\nDisallow: e\nSitemap: http://h.example/s.xml\nsitemap:/t.xml\nHost: www.h.example\nDisallow: /f"
	for name, want := range map[string]string{
		"d/robots.txt": "1:3 text http://h.example/doc, 3:11 metadata http://h/a, 4:10 metadata http://h/b?c, 5:9 metadata http://h/d, 9:10 link http://h.example/s.xml, 10:9 link http://h/t.xml, 11:7 text http://www.h.example, 12:11 metadata http://h/f",
		"d/robot.txt":  "1:3 text http://h.example/doc, 9:10 text http://h.example/s.xml, 11:7 text http://www.h.example",
	} {
		cfg := Config{Exhaustive: true, Lines: true, Retrieved: base.Source{URI: "http://h/x"}}
		var got []string
		for ref, err := range cfg.Walk(name, strings.NewReader(src)) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%d:%d %v %s", ref.Pos.Line, ref.Pos.Column, ref.Kind, ref.URL))
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%s:\n got %s\nwant %s", name, s, want)
		}
	}
}
