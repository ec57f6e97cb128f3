package texinfo

import (
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/scantest"
)

func TestScan(t *testing.T) {
	s := &Scanner{Anchors: true, Mentions: true}
	scantest.Golden(t, "testdata/scan.txtar", s.Scan)
}

// The text of a macro without parameters is read where it is defined. What has parameters is read nowhere: it is not known what they stand for.
func TestMacros(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"@macro home{}\nhttp://h/home\n@end macro\n@home{}\n", "http://h/home"},
		{"@rmacro home\n@uref{http://h/a, A} and http://h/b\n@end rmacro\n", "http://h/a http://h/b"},
		{"@macro x{u}\n@uref{http://h/\\u\\}\n@end macro\n@x{a}http://h/c\n", "http://h/c"},
		{"@macro x{u}\n\\u\\\n@end macro\n@macro y{}\nhttp://h/d\n@end macro\n@macro z{u}\nhttp://h/\\u\\\n@end macro\nhttp://h/e", "http://h/d http://h/e"},
		{"@macro http://h/f\nx\n@end macro\n", ""},
		{"@macro x{}\nhttp://h/g\n", "http://h/g"}, // nothing ends it
		{"see @macro x{}\nhttp://h/h\n@end macro\n", "http://h/h"},
	} {
		var s Scanner
		var all []string
		for it := range s.Scan([]byte(tt.src)) {
			if it.Op != scan.Ref {
				continue
			}
			ref := string(it.Value)
			if it.Value == nil {
				ref = tt.src[it.Span.Start:it.Span.End]
			}
			all = append(all, ref)
		}
		if got := strings.Join(all, " "); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.src, got, tt.want)
		}
	}
}
