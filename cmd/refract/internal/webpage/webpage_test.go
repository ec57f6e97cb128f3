package webpage

import (
	"bytes"
	"errors"
	"html"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The policy allows only the page's own style and script.
func TestPolicy(t *testing.T) {
	const empty = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='" // of no bytes
	want := "default-src 'none'; img-src data:; style-src " + empty + "; script-src " + empty + "; base-uri 'none'; form-action 'none'"
	if got := policyOf("", ""); got != want {
		t.Errorf("policy %s", got)
	}
}

func TestShown(t *testing.T) {
	long := strings.Repeat("ü", MaxShown)
	for _, x := range []struct{ in, want string }{
		{"", ""},
		{"ü/日本.md", "ü/日本.md"},
		{"a\xffb\uFFFDc", "a\\xffb\uFFFDc"},
		{"\x7f\u0085\u200f\ufeff", `\u{7f}\u{85}\u{200f}\u{feff}`},
		{long, long[:MaxShown] + "…"},
		{"a" + long, "a" + long[:MaxShown-2] + "…"},
	} {
		if got := Shown(x.in); got != x.want {
			t.Errorf("Shown(%.20q) = %q, want %q", x.in, got, x.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := Number(n); got != want {
			t.Errorf("Number(%d) = %s", n, got)
		}
	}
}

// A page is whole, its policy names the style and the script that are in it, and no value ends or begins an element.
func TestWrite(t *testing.T) {
	const evil = `</script><script>alert(1)</script><style>&`
	var out bytes.Buffer
	p := Page{
		Version: "v1", Title: evil, CSS: "p { color: red }\n", JS: "go();\n", Data: map[string]string{"a": evil},
		Body: func(h *HTML) {
			h.Addf(`<button id="theme"></button><p title="%[1]v" lang='%[1]v'>%[1]v %[2]v</p>`, evil+`"'`, 1234)
		},
	}
	err := p.Write(&out)
	if err != nil {
		t.Fatal(err)
	}
	page := out.String()
	if n := strings.Count(page, "<script"); n != 2 || strings.Contains(page, "alert(1)</script>") || strings.Contains(page, `&"`) {
		t.Errorf("%d scripts in\n%s", n, page)
	}
	_, data, _ := strings.Cut(page, dataTag)
	data, _, _ = strings.Cut(data, "</script>")
	if want := `{"a":"\u003c/script\u003e\u003cscript\u003ealert(1)\u003c/script\u003e\u003cstyle\u003e\u0026"}`; strings.TrimSpace(data) != want {
		t.Errorf("data %s, want %s", data, want)
	}
	for _, want := range []string{policyOf(styleOf(p.CSS), scriptOf(p.JS)), " 1,234</p>", "color: red", "go();", "v1"} {
		if !strings.Contains(html.UnescapeString(page), want) {
			t.Errorf("the page does not contain %q", want)
		}
	}
}

// A writer that fails and data that cannot be encoded are errors.
func TestWriteErrors(t *testing.T) {
	full := errors.New("the disk is full")
	for _, tt := range []struct {
		p     Page
		after int // bytes that can be written
		want  string
	}{
		{Page{Data: 1}, 0, full.Error()},
		{Page{Data: 1}, 1 << 20, ""},
		{Page{Data: func() {}}, 1 << 20, "unsupported type"},
	} {
		tt.p.Body = func(*HTML) {}
		err := tt.p.Write(&limited{tt.after, full})
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%+v: %v, want %q", tt.p, err, tt.want)
		}
	}
	err := (&Page{Body: func(*HTML) {}}).WriteData(io.Discard, func(io.Writer) error { return full })
	if err != full {
		t.Error(err)
	}
}

// A limited writer fails after some bytes.
type limited struct {
	room int
	err  error
}

func (w *limited) Write(p []byte) (int, error) {
	w.room -= len(p)
	if w.room < 0 {
		return 0, w.err
	}
	return len(p), nil
}

// A title names directories by their own names.
func TestNames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tree", "sub")
	err := os.MkdirAll(dir, 0o777)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for args, want := range map[string]string{"": "", "a.md docs/": "a.md, docs/", ".": "sub", "..": "tree", "./. a/..": "sub, sub", "a\u202e": `a\u{202e}`} {
		if got := Names(strings.Fields(args)); got != want {
			t.Errorf("%q: %q, want %q", args, got, want)
		}
	}
}
