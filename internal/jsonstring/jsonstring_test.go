package jsonstring

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"example.org/refract/extract/scan"
)

func TestValue(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a": "a", `a\/b`: "a/b", `\u00e4\ud83d\ude00`: "ä😀", `\"`: `"`, `\q`: `\q`, `a\`: `a\`, `\ud83d`: "\uFFFD", "\xff\\n": "\uFFFD\n",
	} {
		src := []byte(`{"` + text + `"}`)
		if got := Value(src, scan.Span{Start: 2, End: 2 + len(text)}); string(got) != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	src := []byte(`"shared"`)
	if got := Value(src, scan.Span{Start: 1, End: 7}); &got[0] != &src[1] {
		t.Error("a value without escapes has memory of its own")
	}
}

// The appended value is that of encoding/json, and the Map leads from each of its bytes to the text that it was made of.
func TestAppendMapped(t *testing.T) {
	tokens := []string{"a", "ä", "\xff", `\\`, `\/`, `\"`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u0041`, `\u00e4`, `\u20AC`, `\ud83d\ude00`, `\ud83d`, `\ude00`, `\ud83d\u0041`}
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var text string
		for range r.IntN(6) {
			text += tokens[r.IntN(len(tokens))]
		}
		src := []byte(`["` + text + `"]`)
		at := scan.Span{Start: 2, End: 2 + len(text)}
		var want string
		if err := json.Unmarshal(src[1:len(src)-1], &want); err != nil {
			t.Fatal(err)
		}
		var m scan.Map
		m.Add(len("before"), 0, 1, 1)
		got := AppendMapped([]byte("before"), &m, src, at)
		if valid := string([]rune(string(got[len("before"):]))); valid != want || m.Len() != len(got) {
			t.Fatalf("%q: %q, want %q, of which the Map covers %d bytes", text, got, want, m.Len())
		}
		for i := len("before"); i < len(got); i++ {
			from, _ := m.Back(scan.Span{Start: i, End: i + 1})
			if alone := AppendMapped(nil, new(scan.Map), src, from); !bytes.Contains(alone, got[i:i+1]) || len(alone) > utf8.UTFMax {
				t.Fatalf("%q: byte %d of %q comes from %q", text, i, got, src[from.Start:from.End])
			}
		}
	}
}

// What is no escape stands for itself, and what follows is read.
func TestAppendMappedInvalid(t *testing.T) {
	for text, want := range map[string]string{
		`a\`: `a\`, `\qA`: `\qA`, `\u12`: `\u12`, `\u12g4\n`: "\\u12g4\n", `\u+123`: `\u+123`, `\u004`: `\u004`, `\ud83d\u00`: "\uFFFD\\u00", `\ud83d\q`: "\uFFFD\\q", `\ud83dx`: "\uFFFDx",
	} {
		src := []byte(text)
		var m scan.Map
		if got := AppendMapped(nil, &m, src, scan.Span{End: len(src)}); string(got) != want || m.Len() != len(got) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	// An escape that is cut by the end of the string is none, whatever follows.
	src := []byte(`"\u0041"`)
	if got := AppendMapped(nil, new(scan.Map), src, scan.Span{Start: 1, End: 5}); string(got) != `\u00` {
		t.Errorf("%q", got)
	}
}
