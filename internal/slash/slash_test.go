package slash

import (
	"net/url"
	"path"
	"runtime"
	"strings"
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

// The volume is what no relative path can leave.
func TestVolume(t *testing.T) {
	for name, want := range map[string]string{
		"C:/docs/a.md": "C:", "C:": "C:", "C:/": "C:", `\\srv\share/a.md`: `\\srv\share`, `\\srv\share`: `\\srv\share`, "docs/a.md": "", "/x": "", "CC:/x": "", "1:/x": "", "C:x/y": "", "": "",
	} {
		if got := Windows.Volume(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if got := Unix.Volume(name); got != "" {
			t.Errorf("%s on Unix: %s", name, got)
		}
	}
}

// A URL without a drive or host names what is below the current drive: the file has its path.
func TestOfURL(t *testing.T) {
	tests := []struct{ host, path, want string }{
		{"", "/c:/a", "C:/a"}, {"LocalHost", "/C:/a", "C:/a"}, {"", "/docs/a", "/docs/a"}, {"", "docs", "docs"},
		{"srv", "/share/a", `\\srv\share/a`}, {"localhost", "/share/a", `\\localhost\share/a`}, {"", `/\\srv\share/a`, `\\srv\share/a`},
	}
	for _, tt := range tests {
		if got := Windows.OfURL(tt.host, tt.path); got != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.host, tt.path, got, tt.want)
		}
	}
}

// The functions are those of the system here.
func TestHere(t *testing.T) {
	if (Here() == Windows) != (runtime.GOOS == "windows") {
		t.Fatal(Here())
	}
	for _, name := range []string{`C:\docs\a.md`, `\\srv\share\a`, "/a b", "a"} {
		if got, want := Path(name), Here().Path(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if got, want := URL(name), Here().URL(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if got, want := OfURL("", name), Here().OfURL("", name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		shown := Shown(Path(name))
		if Here() == Unix && shown != name || Here() == Windows && strings.Contains(shown, `\`) {
			t.Errorf("%s is shown as %s", name, shown)
		}
	}
}
