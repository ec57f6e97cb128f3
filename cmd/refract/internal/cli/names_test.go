package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/input"
	"example.org/refract/resolve/canon"
)

// Each form of --canonical sets one field of the key; keys of other programs stand alone.
func TestParseCanonical(t *testing.T) {
	for names, want := range map[string]canon.Key{
		"normal": {}, "no-fragment": {NoFragment: true}, "no-index": {NoIndex: true}, "no-tracking": {NoTracking: true}, "no-session": {NoSession: true},
		"sort-query": {SortQuery: true}, "no-trailing-dot": {NoTrailingDot: true}, "short-ipv6": {ShortIPv6: true}, "ascii": {IDN: canon.IDNASCII},
		"unicode": {IDN: canon.IDNUnicode}, "surt": {SURT: canon.SURTKey}, "surt-full": {SURT: canon.SURTFull}, "ascii no-index surt": {IDN: canon.IDNASCII, NoIndex: true, SURT: canon.SURTKey},
	} {
		if k, err := ParseCanonical(strings.Fields(names)); err != nil || *k != want {
			t.Errorf("%s: %+v, %v", names, k, err)
		}
	}
	for _, p := range canon.Profiles() {
		name := p.String()
		if k, err := ParseCanonical([]string{name}); err != nil || *k != (canon.Key{Profile: p}) {
			t.Errorf("%s: %+v, %v", name, k, err)
		}
		for _, names := range [][]string{{name, "surt"}, {"surt", name}} {
			if _, err := ParseCanonical(names); err == nil || err.Error() != "--canonical "+name+" has rules of its own: give no other form" {
				t.Errorf("%q: %v", names, err)
			}
		}
		if !slices.Contains(CanonicalNames(), name) {
			t.Errorf("%s is not among the names", name)
		}
	}
	if k, err := ParseCanonical(nil); k != nil || err != nil {
		t.Errorf("nothing: %+v, %v", k, err)
	}
	if _, err := ParseCanonical([]string{"surt", "x"}); err == nil || !strings.HasPrefix(err.Error(), `--canonical "x": `) {
		t.Error(err)
	}
}

// Two flags that name one file are reported, unless none of them writes it, or it is a device.
func TestDistinctPlaces(t *testing.T) {
	t.Chdir(t.TempDir())
	err := os.WriteFile("a", nil, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	full, err := filepath.Abs("new")
	if err != nil {
		t.Fatal(err)
	}
	place := func(flag, name string) Place { return Place{flag, name} }
	for _, tt := range []struct {
		outputs, inputs []Place
		want            string
	}{
		{nil, nil, ""},
		{[]Place{place("-o", "a"), place("--html", "b")}, []Place{place("-c", "c")}, ""},
		{[]Place{place("-o", "a"), place("--html", "./a")}, nil, "-o and --html name the same file: give two"},
		{[]Place{place("-o", ""), place("--html", "new")}, []Place{place("-c", full)}, "--html and -c name the same file: give two"},
		{[]Place{place("-o", "x")}, ArgumentPlaces([]string{"-", "x"}), `-o and the input "x" name the same file: give two`},
		{[]Place{place("-o", ""), place("--html", "")}, nil, ""},
		{nil, []Place{place("-c", "a"), place("-d", "a")}, ""},
		{[]Place{place("-o", os.DevNull), place("--html", os.DevNull)}, nil, ""},
	} {
		text := ""
		err := DistinctPlaces(tt.outputs, tt.inputs)
		if err != nil {
			text = err.Error()
		}
		if text != tt.want {
			t.Errorf("%v, %v: %q, want %q", tt.outputs, tt.inputs, text, tt.want)
		}
	}
	if os.Link("a", "other") == nil && !IsSameFile("a", "other") {
		t.Error("two names of one file differ")
	}
}

// An error names its file once.
func TestWithName(t *testing.T) {
	for _, tt := range []struct {
		file input.File
		err  error
		want string
	}{
		{input.File{Name: "a", Path: "a"}, errors.New("open a: no"), "open a: no"},
		{input.File{Name: "a", Path: "a"}, errors.New(`"a": no`), `"a": no`},
		{input.File{Name: "a", Path: "/tmp/x"}, errors.New("open /tmp/x: no"), `"a": open /tmp/x: no`},
		{input.File{Name: "a", Path: "a", Range: "1-2"}, errors.New("open a: no"), `"a": open a: no`},
	} {
		if got := WithName(tt.file, tt.err); got.Error() != tt.want || !errors.Is(got, tt.err) {
			t.Errorf("%+v: %v, want %s", tt.file, got, tt.want)
		}
	}
	if err := WithName(input.File{Name: "a"}, nil); err != nil {
		t.Error(err)
	}
}

// Messages keep their lines, and nothing hides in them.
func TestVisibleLines(t *testing.T) {
	for text, want := range map[string]string{"": "", "a\tb\nc": "a\tb\nc", "a\tb\x1b[31m\nc\u202e": `a b\u{1b}[31m` + "\n" + `c\u{202e}`} {
		if got := VisibleLines(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for name, want := range map[string]string{"ü b": "ü b", "a\nb\x7f": `a\u{a}b\u{7f}`} {
		if got := OneLine(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// A media type that holds no text is refused, and so is an unknown name.
func TestParseType(t *testing.T) {
	for text, want := range map[string]string{"": "", "html": "text/html", "text/plain; charset=latin1": "text/plain; charset=latin1", "image/svg+xml": "image/svg+xml"} {
		if got, err := ParseType(text); got != want || err != nil {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"image/png": "holds no text", "font/woff": "holds no text", "htm1": "--type", "text/plain; charset=none": "charset", "a/b/c": "--type",
	} {
		if _, err := ParseType(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// --version says what was built; two builds of a checkout have different names.
func TestVersion(t *testing.T) {
	b := buildOf{Version: "v1", Commit: "0123456789abcdef", Modified: true, Go: "go1", Platform: "p/q"}
	if got := b.String(); got != "refract v1, commit 0123456789ab with changes, go1, p/q" {
		t.Error(got)
	}
	b = buildOf{Version: "v1", Go: "go1", Platform: "p/q"}
	if got := b.String(); got != "refract v1, go1, p/q" {
		t.Error(got)
	}
	if got := Build(); got == Version() || !strings.HasPrefix(got, Version()+" ") {
		t.Errorf("a build of a checkout is %q", got)
	}
	defer func() { release = "" }()
	release = "v1.2.3"
	if got := Build(); !strings.HasPrefix(got, "v1.2.3 go") || got != Version() {
		t.Errorf("a release is %q", got)
	}
}
