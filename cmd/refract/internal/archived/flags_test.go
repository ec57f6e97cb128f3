package archived

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/resolve"
)

// Dates are those of RFC 3339, with less after the year, or the digits of an index.
func TestCheckAt(t *testing.T) {
	for at, want := range map[string]Date{
		"": undated, "2019": 20190101000000, "2019-05": 20190501000000, "2019-05-31": 20190531000000, "20190531010203": 20190531010203, "2019-05-31T01:02:03+02:00": 20190530230203,
	} {
		f := Flags{At: at}
		if err := f.Check(resolve.Rules{}); err != nil || f.Date != want {
			t.Errorf("%q: %d, %v", at, f.Date, err)
		}
	}
	for _, at := range []string{"someday", "2019-13", "201905310102033", "-1"} {
		if err := (&Flags{At: at}).Check(resolve.Rules{}); err == nil || !strings.Contains(err.Error(), `--at "`+at+`"`) {
			t.Errorf("%q: %v", at, err)
		}
	}
}

// A capture is shown as its date, or at its address in the archive; no capture as nothing.
func TestShown(t *testing.T) {
	url := []byte("http://h.example/?a#b")
	for _, tt := range []struct {
		replay string
		date   Date
		want   string
	}{
		{"", 20190531010203, "20190531010203"}, {"", 0, ""}, {"", undated, ""}, {"https://a.example/web", 0, ""},
		{"https://a.example/web", 20190531010203, "https://a.example/web/20190531010203/http://h.example/?a#b"}, {"https://a.example/web/", 20190531010203, "https://a.example/web/20190531010203/http://h.example/?a#b"},
	} {
		f := Flags{Replay: tt.replay}
		if err := f.Check(resolve.Rules{}); err != nil {
			t.Fatal(err)
		}
		if got := f.Shown(tt.date, url); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
	if err := (&Flags{Replay: "web/"}).Check(resolve.Rules{}); err == nil {
		t.Error("an address of an archive without a scheme")
	}
}

func TestList(t *testing.T) {
	var f Flags
	names := ""
	for _, flag := range f.List("--captures") {
		names += flag.Name + " "
		if !strings.Contains(flag.Help, "with --captures: ") || flag.Var != any(&f.At) && flag.Var != any(&f.Replay) {
			t.Errorf("%+v", flag)
		}
	}
	if names != "at replay " {
		t.Error(names)
	}
}

func TestSummary(t *testing.T) {
	for want, s := range map[string]Stats{
		"1 capture in 1 file": {Files: 1, Captures: 1},
		"2,000 captures in 3 files; 1 line not read, the first is a\\u{a}b:7": {Files: 3, Captures: 2000, Broken: 1, FirstBroken: "a\nb:7"},
	} {
		if got := s.Summary(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestIsCapturable(t *testing.T) {
	for url, want := range map[string]bool{"http://h/": true, "HTTPS://h": true, "ftp://h/": true, "http://": false, "mailto:a@h": false, "//h/": false, "": false, "data:,x": false} {
		if got := IsCapturable([]byte(url)); got != want {
			t.Errorf("%q: %v", url, got)
		}
	}
}

// What is no index is an error that names it: a file without captures, none, standard input.
func TestReadErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	text := write("notes.txt", "notes\n")
	cut := write("x.cdx.gz", "\x1f\x8b\x08")
	for name, want := range map[string]string{
		"-": "an index must be a file", filepath.Join(dir, "none.cdx"): "none.cdx", text: "no captures found", cut: "x.cdx.gz",
	} {
		var table Table
		if _, err := table.Read([]string{name}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// In a directory, files without captures are passed over.
	os.Remove(cut)
	write("a.cdxj", "example,h)/ 20200102030405 {\"url\": \"http://h.example/\", \"status\": \"404\"}\nexample,h)/ 2020 {\"url\": \"mailto:a@h.example\"}\n"+strings.Repeat("x", maxLine+1)+"\n")
	var table Table
	if err := table.Add([]byte("http://h.example/"), undated); err != nil {
		t.Fatal(err)
	}
	if f := table.Find([]byte("http://h.example/"), undated); f != (Found{}) {
		t.Errorf("before Read: %+v", f)
	}
	stats, err := table.Read([]string{dir})
	if err != nil || stats.Files != 1 || stats.Captures != 2 || stats.Broken != 1 || !strings.HasSuffix(stats.FirstBroken, "a.cdxj:3") {
		t.Errorf("%+v %v", stats, err)
	}
	// It may be read again, and then has the captures of both.
	again := write("b.cdx", "- 20210102030405 http://h.example/ text/html 200\n")
	if _, err := table.Read([]string{again}); err != nil {
		t.Fatal(err)
	}
	if f := table.Find([]byte("http://h.example/"), undated); f != (Found{Before: 20210102030405}) {
		t.Errorf("%+v", f)
	}
}
