package extract

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// Repeated texts in which much may be continued, with all ways to join: four times the text has four times the references, and
// asks four times as often for known URLs. A text whose whole URLs are in it is joined in each of its repetitions.
func TestJoinShapes(t *testing.T) {
	for _, shape := range []string{
		"http://h.example/a/\n", "http://h.example/a-\n", "urn:a:b\n", "mailto:a@b.c\n", "www.h.example/a/\n",
		"http://h.example/a/\nb/\nc/\nd/\ne/\nf/\ng/\nh/\ni/\n\n",
		"> > http://h.example/a/\n> > b/\n> > c/\n\n",
		"http://h.example/" + strings.Repeat("x", 1500) + "\n" + strings.Repeat("y/", 700) + "\n\n",
		"http://h.example/" + strings.Repeat(")", 1500) + "\nx/y" + strings.Repeat(")", 400) + "\n\n",
		"http://h.example/a/b.html x http://h.example/a/\nb.html\n\n",
		"It is in http://h.example/a/long/path/with/many/segments/and/so/on/\nindex.html x\n\n",
	} {
		for _, mode := range []string{"never", "proven", "archive", "likely"} {
			n, asked := joinAll(t, shape, mode, 8<<10)
			n4, asked4 := joinAll(t, shape, mode, 32<<10)
			units, units4 := 8<<10/len(shape), 32<<10/len(shape)
			for kind, count := range n {
				if each := count / units; count%units == 0 && n4[kind] != each*units4 {
					t.Errorf("%.40q, %s: %d references %q of %d times, then %d of %d", shape, mode, count, kind, units, n4[kind], units4)
				}
			}
			if len(n4) > len(n) {
				t.Errorf("%.40q, %s: %v, then %v", shape, mode, n, n4)
			}
			if float64(asked4) > 1.05*float64(units4)/float64(units)*float64(asked)+1000 {
				t.Errorf("%.40q, %s: asked for %d known URLs of %d times, then for %d of %d", shape, mode, asked, units, asked4, units4)
			}
		}
	}
}

// joinAll returns how often each reference occurs in a text in which shape is repeated, with what joined it, and how many URLs are asked for.
func joinAll(t *testing.T, shape, mode string, size int) (n map[string]int, asked int) {
	t.Helper()
	text := bytes.Repeat([]byte(shape), size/len(shape))
	c := &Config{Type: "text/plain", Known: func([]byte) bool { asked++; return false }}
	switch mode {
	case "archive":
		urls := new(URLs)
		walkAll(t, &Config{Type: "text/plain", Gather: urls}, "x", text)
		c.Join, c.Gathered = JoinProven, urls
	case "proven":
		c.Join = JoinProven
	case "likely":
		c.Join = JoinLikely
	}
	n = map[string]int{}
	for ref, err := range c.Walk("x", bytes.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		n[fmt.Sprintf("%.60s %s", ref.URL, ref.JoinedBy)]++
	}
	return n, asked
}
