// Package emoji knows the names between colons that stand for images, as pymdownx.emoji reads them:
// ":smile:", ":material-check:". The id of a heading does not contain them.
package emoji

import (
	_ "embed"
	"strings"
	"sync"
)

// A Set says which names are images. Other names between colons are text.
type Set struct {
	Emoji bool // ":smile:", of the indexes of EmojiOne, GitHub and Twemoji
	Icons bool // ":material-check:", of the sets that Material for MkDocs brings along
}

// nameList has the names that one of the three indexes of pymdown-extensions 13.1 contains, without those for the tones
// of skin.
//
//go:embed names.txt
var nameList string

var known = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq(nameList) {
		names[name] = true
	}
	return names
})

// iconSets are the directories of icons of Material for MkDocs 9.
var iconSets = []string{"material-", "octicons-", "simple-", "fontawesome-brands-", "fontawesome-regular-", "fontawesome-solid-"}

// Has reports whether a name, without colons, is one of s. The names of icons are not looked up.
func (s Set) Has(name string) bool {
	if s.Emoji && (known()[name] || known()[withoutTone(name)]) {
		return true
	}
	for _, set := range iconSets {
		if s.Icons && len(name) > len(set) && strings.HasPrefix(name, set) {
			return true
		}
	}
	return false
}

// withoutTone returns the name of an emoji without the tones of skin at its end: "_tone1", "_tone1-2",
// "_medium_light_skin_tone".
func withoutTone(name string) string {
	if i := strings.LastIndex(name, "_tone"); i > 0 && strings.Trim(name[i+len("_tone"):], "-12345") == "" && i+len("_tone") < len(name) {
		return name[:i]
	}
	for range 2 { // of two persons
		rest, ok := strings.CutSuffix(name, "_skin_tone")
		if !ok {
			break
		}
		for _, tone := range []string{"_medium_light", "_medium_dark", "_light", "_dark", "_medium"} {
			if before, ok := strings.CutSuffix(rest, tone); ok {
				name = before
				break
			}
		}
	}
	return name
}

// Next returns the first name between colons in text, as ":name:", with its place. ok is false if there is none.
// pymdownx.emoji goes on behind it, whether it knows the name or not.
func Next(text string) (start, end int, ok bool) {
	for at := 0; ; {
		i := strings.IndexByte(text[at:], ':')
		if i < 0 {
			return 0, 0, false
		}
		start = at + i
		end = start + 1
		for end < len(text) && isNameByte(text[end]) {
			end++
		}
		if end < len(text) && text[end] == ':' && end > start+1 {
			return start, end + 1, true
		}
		at = end
	}
}

// isNameByte reports whether the name of an emoji may contain b. Bytes of other letters than those of ASCII are let in.
func isNameByte(b byte) bool {
	return b >= 0x80 || b == '_' || b == '+' || b == '-' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// Held stands for a colon that begins no name, in code or behind a backslash, in what [Set.Drop] is given.
const Held = "\x00"

// Drop returns text without the names of s, and if hasLists is true, without the attribute lists behind them.
func (s Set) Drop(text string, hasLists bool) string {
	var b strings.Builder
	for {
		start, end, ok := Next(text)
		if !ok {
			b.WriteString(text)
			return strings.ReplaceAll(b.String(), Held, ":")
		}
		if !s.Has(text[start+1 : end-1]) {
			b.WriteString(text[:end])
		} else {
			b.WriteString(text[:start])
			if size := listAt(text[end:]); hasLists {
				end += size
			}
		}
		text = text[end:]
	}
}

// listAt returns the length of the attribute list with which text begins: "{ .class }", "{: #id }". A list
// that contains another brace is taken for none, so that no byte is searched twice.
func listAt(text string) int {
	rest, ok := strings.CutPrefix(text, "{")
	if !ok {
		return 0
	}
	size := strings.IndexAny(rest, "{}\n")
	if size < 0 || rest[size] != '}' || strings.Trim(rest[:size], ": ") == "" {
		return 0
	}
	return size + len("{}")
}
