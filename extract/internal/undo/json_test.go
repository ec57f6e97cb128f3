package undo

import (
	"encoding/json"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// isJSON reports whether text is a sequence of arrays and objects, as encoding/json reads it.
func isJSON(text string) bool {
	d := json.NewDecoder(strings.NewReader(text))
	for {
		var v json.RawMessage
		switch err := d.Decode(&v); {
		case err == io.EOF:
			return true
		case err != nil || v[0] != '{' && v[0] != '[':
			return false
		}
	}
}

// check compares what a Guess says about text with encoding/json.
func check(t *testing.T, text string) {
	g := new(Guess)
	g.Follow([]byte(text))
	got := g.state == between && !g.failed // it may have begun again
	for i := range len(text) {
		switch text[i] {
		case 0x1e, 0xef, 0xbb, 0xbf:
			return // the separators of RFC 7464, and bytes of a byte order mark, which may be between values
		}
	}
	if want := isJSON(text); got != want {
		t.Errorf("%q: JSON %v, encoding/json says %v", text, got, want)
	}
}

var jsonTexts = []string{
	"{}", "[]", "[{}]", `{"a":1}`, `{"a":[1,2,{"b":null}],"c":"x\u0026\/"}`, "[-0.5e+10,0,1E5]", "[true,false,null]", `[""]`, "[1,]", "{,}", `{"a"}`,
	`{"a":}`, "[01]", "[-]", "[.5]", "[1.]", "[1e]", `["\x"]`, `["\u12g4"]`, "[tru]", "[truee]", "{]", "[}", "]", `{1:2}`, "[1 2]", "{}{}", "[] []", "x", "1", `"x"`,
	"[\"\t\"]", "", " ", "{", "[\"", "[nul", "{}x",
}

// RFC 8259, checked with encoding/json, also on random changes.
func TestGuess(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, text := range jsonTexts {
		check(t, text)
		for range 200 {
			changed := []byte(text)
			for n := random.IntN(3); n >= 0 && len(changed) > 0; n-- {
				const chars = "{}[]:,\"\\u0123456789eE+-.truefalsn x/"
				changed[random.IntN(len(changed))] = chars[random.IntN(len(chars))]
			}
			check(t, string(changed))
		}
	}
}

func FuzzGuess(f *testing.F) {
	for _, text := range jsonTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		check(t, text)
		for n := range 3 { // whatever the sizes of reads
			g := NewGuess()
			got := undoneFollowed(g, text, n+1)
			if whole := undoneFollowed(NewGuess(), text, 1<<10); got != whole {
				t.Fatalf("%q: %q in reads of %d bytes, %q in one", text, got, n+1, whole)
			}
		}
	})
}

// What is no JSON is left as it is; a line that begins like JSON may be JSON again.
func TestGuessLeaves(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`{"a":"\u0026"}`, `{"a":"&"}`},
		{`{"a\/":"\/"}`, `{"a/":"/"}`},
		{"[x \\u0026]", "[x \\u0026]"},
		{`{a:"\u0026"}`, `{a:"\u0026"}`},
		{"[\"\\/\", x] \"\\/\"", "[\"/\", x] \"\\/\""},
		{"{\"a\":\"\\/\"}\nINFO \"\\/\"\n{\"a\":\"\\/\"}", "{\"a\":\"/\"}\nINFO \"\\/\"\n{\"a\":\"/\"}"},
		{"[\"a\n[\"\\/\"]", "[\"a\n[\"/\"]"},
		{"\x1e{\"a\":\"\\/\"}\n", "\x1e{\"a\":\"/\"}\n"},
	} {
		for _, n := range []int{1, 3, 1000} {
			if got := undoneFollowed(NewGuess(), tt.text, n); got != tt.want {
				t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
			}
		}
	}
	for head, want := range map[string]bool{
		`{"a":`: true, "[": true, "\xef\xbb\xbf [1": true, "[2026-11-26 10:00:00] GET": false, "{{ x }}": false, "[a](b)": false, "": false, "  ": false, "{}\nx": false,
	} {
		if got := BeginsJSON([]byte(head)); got != want {
			t.Errorf("%q begins JSON: %v", head, got)
		}
	}
}
