package slash

import (
	"net/url"
	"path"
	"testing"
)

func TestPath(t *testing.T) {
	tests := []struct{ name, want, url string }{
		{`C:\docs\a.md`, "C:/docs/a.md", "file:///C:/docs/a.md"},
		{`c:\x`, "C:/x", "file:///C:/x"},
		{`C:/docs/ä b.md`, "C:/docs/ä b.md", "file:///C:/docs/%C3%A4%20b.md"},
		{`docs\a.md`, "docs/a.md", "file:///docs/a.md"},
		{`\\srv\share\docs\a.md`, `\\srv\share/docs/a.md`, "file://srv/share/docs/a.md"},
		{`//srv/share/docs/a.md`, `\\srv\share/docs/a.md`, "file://srv/share/docs/a.md"},
		{`\\srv\share/docs/a.md`, `\\srv\share/docs/a.md`, "file://srv/share/docs/a.md"},
		{`\\srv\share`, `\\srv\share`, "file://srv/share"},
		{`\\srv\share\`, `\\srv\share/`, "file://srv/share/"},
		{`\\wsl$\Debian\home`, `\\wsl$\Debian/home`, "file://wsl$/Debian/home"},
		{`\\localhost\c$\d`, `\\localhost\c$/d`, "file://localhost/c$/d"},
		{`\\wsl.localhost\Debian\home`, `\\wsl.localhost\Debian/home`, "file://wsl.localhost/Debian/home"},
		{`\\?\C:\docs\a.md`, "C:/docs/a.md", "file:///C:/docs/a.md"},
		{`\\?\UNC\srv\share\a.md`, `\\srv\share/a.md`, "file://srv/share/a.md"},
		{`\\?\unc\srv\share`, `\\srv\share`, "file://srv/share"},
		{`\\?\Volume{1-2}\a.md`, `\\?\Volume{1-2}/a.md`, "file:///%5C%5C%3F%5CVolume%7B1-2%7D/a.md"},
		{`\\.\pipe\a`, `\\.\pipe/a`, "file:///%5C%5C.%5Cpipe/a"},
		{`\\srv`, "//srv", "file:////srv"},
		{`\\`, "//", "file:////"},
		{`\x`, "/x", "file:///x"},
		{"", "", "file:///"},
	}
	for _, tt := range tests {
		got := Windows.Path(tt.name)
		if got != tt.want || Windows.Path(got) != got {
			t.Errorf("%s: %s, then %s, want %s", tt.name, got, Windows.Path(got), tt.want)
		}
		if u := Windows.URL(tt.name); u != tt.url {
			t.Errorf("%s: %s, want %s", tt.name, u, tt.url)
		}
		if clean := path.Clean(got + "/x/.."); len(got) > 2 && got[:2] == `\\` && clean != path.Clean(got) {
			t.Errorf("%s: package path makes %s of it", tt.name, clean)
		}
		u, err := url.Parse(tt.url)
		if err != nil || tt.name == "" || tt.want[0] == 'd' || tt.want[:1] == "/" {
			continue
		}
		if back := Windows.OfURL(u.Host, u.Path); back != tt.want {
			t.Errorf("%s: the file is %s, want %s", tt.url, back, tt.want)
		}
	}
	for _, name := range []string{`a\b`, `\\srv\share\x`, "C:/x", "//srv/share"} {
		if got := Unix.Path(name); got != name {
			t.Errorf("on Unix, %s becomes %s", name, got)
		}
		if got := Unix.OfURL("", name); got != name {
			t.Errorf("on Unix, %s becomes %s", name, got)
		}
	}
	if got, want := Unix.URL("/a b\\c:d"), "file:///a%20b%5Cc:d"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
