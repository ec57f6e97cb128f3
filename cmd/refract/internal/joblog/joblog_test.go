package joblog

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// hostile has lines with commands, and none that a runner must not see.
var hostile = []string{
	"##[add-mask]e.md:1:5: no such file",
	`a.md:1:7: no such image: "no-##vso[task.prependpath]evil"`,
	"refract: ##teamcity[setParameter name='env.PATH' value='x']",
	"###[group]x",
	"####vso[task.debug]x",
	"##a#b##vso[task.debug]x",
	"::set-output name=x::0.md:1:5: no such file",
	" \t::add-mask::x",
	"\u00a0\u3000\u2028::add-mask::x",
	"\ufeff::add-mask::x",
	"\r::add-mask::x",
	"a\r\v::add-mask::x",
	"x\n\n::add-mask::x\n::debug::y",
	"::::add-mask::x",
}

// harmless has lines that stay as they are.
var harmless = []string{
	"a.md:1:5: std::vector", "## [a](b)", "# [x]", "##", "#[a]", "[##]", "##a b[c]", "x ::add-mask::y", ": a", "\u00e9::a::", "#\n#[a]",
	"a.md##name", "[::1]:80", "##vso(a)[b]",
}

// obeyed returns the commands in a stream, by the rules of the runners.
func obeyed(stream string) (commands []string) {
	stream = strings.TrimPrefix(stream, "\ufeff")
	inside := regexp.MustCompile(`##[A-Za-z0-9_.-]*\[[^\]]*\]`)
	for _, line := range regexp.MustCompile(`\r\n|\r|\n`).Split(stream, -1) {
		commands = append(commands, inside.FindAllString(line, -1)...)
		start := strings.TrimLeftFunc(line, unicode.IsSpace)
		if name, ok := strings.CutPrefix(start, "::"); ok && strings.Contains(name, "::") {
			commands = append(commands, start)
		}
	}
	return commands
}

// through returns what a log writes in pieces of n bytes.
func through(t *testing.T, form Form, isRunner bool, text string, n int) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	l := open(w, isRunner)
	SetForm(l, form)
	go func() {
		defer w.Close()
		for piece := range slices.Chunk([]byte(text), n) {
			l.Write(piece)
		}
	}()
	got, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}

func TestCommandsAreBroken(t *testing.T) {
	for _, text := range hostile {
		if obeyed(text) == nil {
			t.Errorf("%q is no command", text)
		}
		for _, n := range []int{1, 2, 3, len(text)} {
			for _, form := range []Form{Text, XML} {
				got := through(t, form, false, text, n)
				if commands := obeyed(got); commands != nil {
					t.Errorf("in pieces of %d: %q has become %q, with the commands %q", n, text, got, commands)
				}
			}
			if got := through(t, Patch, true, text, n); obeyed(got) != nil {
				t.Errorf("patch: %q has become %q", text, got)
			}
		}
		if got := through(t, Patch, false, text, len(text)); got != text {
			t.Errorf("patch: %q has become %q", text, got)
		}
		if got := through(t, Data, true, text, len(text)); got != text {
			t.Errorf("data: %q has become %q", text, got)
		}
	}
	for _, text := range harmless {
		for _, form := range []Form{Text, Patch, JSON, XML, Commands} {
			if got := through(t, form, true, text, len(text)); got != text {
				t.Errorf("form %d: %q has become %q", form, text, got)
			}
		}
	}
}

func TestSpellings(t *testing.T) {
	tests := []struct {
		form       Form
		text, want string
	}{
		{Text, "##[a]x\n::b::c", "##\\[a]x\n./::b::c"},
		{XML, "##[a]x\n::b::c", "##&#91;a]x\n&#58;:b::c"},
		{JSON, `{"a":"##vso[b]"}`, `{"a":"##vso\u005bb]"}`},
		{Commands, "::error file=##[a]::##vso[b]\n::error::c", "::error file=##\\[a]::##vso\\[b]\n::error::c"},
	}
	for _, tt := range tests {
		if got := through(t, tt.form, false, tt.text, len(tt.text)); got != tt.want {
			t.Errorf("form %d: %q has become %q, want %q", tt.form, tt.text, got, tt.want)
		}
	}
}

// JSON and XML mean the same as before.
func TestSameValue(t *testing.T) {
	want := strings.Join(hostile, `\"#`)
	want = strings.Map(func(r rune) rune {
		if r < ' ' || r == '\ufeff' {
			return ' '
		}
		return r
	}, want)
	text, _ := json.Marshal([]string{want, `##`, `[x]`, `\##`, `#\`})
	var list []string
	got := through(t, JSON, false, string(text), 3)
	if err := json.Unmarshal([]byte(got), &list); err != nil || list[0] != want || list[2] != "[x]" || list[3] != `\##` || obeyed(got) != nil {
		t.Errorf("%s has become %s: %v", text, got, err)
	}
	type element struct {
		A string `xml:"a,attr"`
		B string `xml:"b"`
		C string `xml:",chardata"`
	}
	text, _ = xml.Marshal(element{want, want, "\n::a::" + want})
	var e element
	got = through(t, XML, false, string(text), 5)
	if err := xml.Unmarshal([]byte(got), &e); err != nil || e != (element{want, want, "\n::a::" + want}) || obeyed(got) != nil {
		t.Errorf("%s has become %s: %v", text, got, err)
	}
}

// If both streams are one file, a line can begin with any write.
func TestTwoStreams(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, errs := open(w, false), open(w, false)
	io.WriteString(out, "a.md: x")
	io.WriteString(errs, "refract: note\n")
	io.WriteString(out, "::add-mask::y\n")
	w.Close()
	got, _ := io.ReadAll(r)
	if commands := obeyed(string(got)); commands != nil {
		t.Errorf("%q has the commands %q", got, commands)
	}
}

func TestOpen(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "a"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if got := open(file, true); got != io.Writer(file) {
		t.Errorf("a regular file is a %T", got)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if got := open(w, false); File(got) != w || got == io.Writer(w) {
		t.Errorf("a pipe is a %T", got)
	}
	for _, name := range []string{"CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"} {
		if !isRunner(func(key string) string { return map[string]string{name: "true"}[key] }) {
			t.Errorf("%s is of no runner", name)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer null.Close()
	for name, line := range map[string]string{"plain": "a/b.md:12:5:http://example.org/a/b#c\n", "colons": "a/b.md:12:5:http://example.org/std::vector#c\n"} {
		b.Run(name, func(b *testing.B) {
			text := []byte(strings.Repeat(line, 1700))
			l := open(null, true)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				l.Write(text)
			}
		})
	}
}

// Passing over what has no command changes nothing.
func TestQuiet(t *testing.T) {
	pieces := []string{"#", "##", "[", "[a]", "x", ":", "::", ": :", "\n", "\r", " ", "\u3000", "\xff", "http://h/a\n", "a::b\n", "name", "\ufeff"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		var l, byByte Log
		for range 1 + random.IntN(4) {
			var p []byte
			for range random.IntN(8) {
				p = append(p, pieces[random.IntN(len(pieces))]...)
			}
			got := string(l.escaped(p))
			want := ""
			for i := 0; i < len(p); {
				with := ""
				switch {
				case p[i] == '[' && byByte.marks >= 2:
					with = `\[`
				case p[i] == ':' && byByte.isStart && (i+1 == len(p) || p[i+1] == ':'):
					with = "./:"
				}
				n := byByte.step(p[i:])
				want += cmp.Or(with, string(p[i:i+n]))
				i += n
			}
			if got != want || l.marks != byByte.marks || l.isStart != byByte.isStart {
				t.Fatalf("%q: %q, want %q", p, got, want)
			}
		}
	}
}
