package texinfo_test

import (
	"strings"
	"testing"

	"example.org/refract/extract/internal/texinfo"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

func TestScan(t *testing.T) {
	s := &texinfo.Scanner{Anchors: true, Mentions: true}
	scantest.Golden(t, "testdata/scan.txtar", s.Scan)
}

// The place of a reference that is all of an argument, or the end of one, is in the argument.
func TestPlaceInArgument(t *testing.T) {
	for _, tt := range []struct{ call, want string }{
		{"@to{http://h/b}", "http://h/b"}, {"@to{see http://h/b}", "http://h/b"}, {"@to{http://h/b now}", "http://h/b"}, {"@to{a\\,http://h/b}", "@to{a\\,http://h/b} loose"},
	} {
		src := "@macro to{u}\n@strong{\\u\\}\n@end macro\n" + tt.call + "\n"
		got := ""
		for it := range new(texinfo.Scanner).Scan([]byte(src)) {
			if it.Op == scan.Ref {
				got += src[it.Span.Start:it.Span.End]
				if it.Loose {
					got += " loose"
				}
			}
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.call, got, tt.want)
		}
	}
}

// References in the text of a macro that have no parameter are read where it is defined, the others in each call.
func TestMacros(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"@macro home{}\nhttp://h/home\n@end macro\n@home{}\n", "http://h/home"},
		{"@rmacro home\n@uref{http://h/a, A} and http://h/b\n@end rmacro\n", "http://h/a http://h/b"},
		{"@macro x{u}\n@uref{http://h/\\u\\}\n@end macro\n@x{a}http://h/c\n", "http://h/a http://h/c"},
		{"@macro x{u}\n\\u\\\n@end macro\n@macro y{}\nhttp://h/d\n@end macro\n@macro z{u}\nhttp://h/\\u\\\n@end macro\nhttp://h/e", "http://h/d http://h/e"},
		{"@macro http://h/f\nx\n@end macro\n", ""},
		{"@macro x{}\nhttp://h/g\n", "http://h/g"}, // nothing ends it
		{"@macro bug{n}\nsee @uref{http://h/\\n\\, bug \\n\\} or http://h/list\n@end macro\n@bug{1} @bug{2}", "http://h/list http://h/1 http://h/2"},
		{"@macro bug{n}\n@uref{http://h/\\n\\}\n@end macro\n@bug 1\n@bug\n@bug{}\n@bug{3", "http://h/1 http://h/"},
		{"@macro at{host, path}\nhttp://\\host\\/\\path\\!\n@end macro\n@at{a.example, x}\n@at{b.example}\n@at{c.example, x, y}\n", "http://a.example/x http://b.example/ http://c.example/x"},
		{"@macro to{u}\n@strong{\\u\\}\n@end macro\n@to{@uref{http://h/a}} @to{http://h/b} @to{c}\n", "http://h/a http://h/b"},
		{"@macro to{u}\n@uref{\\u\\}\n@end macro\n@to{http://h/a\\,b\\{c\\}}\n", "http://h/a"},
		{"@macro x{u}\n@uref{http://h/\\u\\}\n@end macro\n@macro y{v}\n@x{\\v\\}\n@end macro\n@y{1}\n", ""}, // a macro in a macro
		{"@macro x{u}\n@uref{http://h/1/\\u\\}\n@end macro\n@macro x{u}\n@uref{http://h/2/\\u\\}\n@end macro\n@x{a}\n", "http://h/2/a"},
		{"@x{a}\n@macro x{u}\n@uref{http://h/\\u\\}\n@end macro\n", ""}, // not yet defined
		{"see @macro x{}\nhttp://h/h\n@end macro\n", "http://h/h"},
	} {
		var s texinfo.Scanner
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
