package config

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/testing/scantest"
)

// valueOf returns the value of the key x.
func valueOf(t *testing.T, text string) Value {
	t.Helper()
	var s Settings
	err := s.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s.Values["x"]
}

func TestEntries(t *testing.T) {
	forbid := func(v Value) string {
		list, line, err := ForbidOf(v)
		if err != nil {
			return fmt.Sprintf("%d: %v", line, err)
		}
		var b strings.Builder
		for _, f := range list {
			fmt.Fprintf(&b, "%d %q %q %q %q;", f.Line, f.Match, f.Message, f.File, f.Hosts)
		}
		return b.String()
	}
	overrides := func(v Value) string {
		list, line, err := OverridesOf(v)
		if err != nil {
			return fmt.Sprintf("%d: %v", line, err)
		}
		var b strings.Builder
		for _, o := range list {
			fmt.Fprintf(&b, "%d %q %q;", o.Line, o.Files, o.Rules)
		}
		return b.String()
	}
	pairs := func(v Value) string {
		list, ok, err := v.Pairs()
		return fmt.Sprintf("%q %v %v", list, ok, err)
	}
	for _, tt := range []struct {
		read       func(Value) string
		text, want string
	}{
		{forbid, "x: a", `1 "a" "" "" [];`},
		{forbid, "x: [a, 1]", `1 "a" "" "" [];1 "1" "" "" [];`},
		{forbid, "x: {match: a, message: b}", `1 "a" "b" "" [];`},
		{forbid, "x:\n- a\n- hosts: f\n- hosts: [g, h]\n", `2 "a" "" "" [];3 "" "" "f" [];4 "" "" "" ["g" "h"];`},
		{forbid, "y: &y [a]\nx: *y\n", `1 "a" "" "" [];`},
		{forbid, "x: []", ``},
		{forbid, "x: ['']", `1: give match, a pattern, or hosts, a list or the name of a file with one on each line`},
		{forbid, "x: {}", `1: give match, a pattern, or hosts, a list or the name of a file with one on each line`},
		{forbid, "x:\n- a\n- [b]\n", `3: give a list of strings, or of mappings such as {match: '^http:', message: use https}`},
		{forbid, "y: &y {match: a}\nx: [*y]\n", `2: give a list of strings, or of mappings such as {match: '^http:', message: use https}`},
		{forbid, "x: {match: [a]}", `1: match: give a string`},
		{forbid, "x: {match: ~}", `1: match: give a string`},
		{forbid, "x: {match: a, hosts: {b: c}}", `1: hosts: give a string, or a list of strings`},
		{forbid, "x: {match: a, match: b}", `1: "match" is set twice`},
		{forbid, "x: {[a]: b}", `1: a key is no string`},
		{forbid, "x: {<<: a, match: b}", `1: key "<<": give one of hosts, match, message`},
		{overrides, "x: [{files: a, rules: {b: off, c: error}}]", `1 ["a"] map["b":"off" "c":"error"];`},
		{overrides, "x:\n  files: [a, b]\n  rules:\n    c: note\n", `2 ["a" "b"] map["c":"note"];`},
		{overrides, "x: a", `1: give files and rules, such as {files: 'drafts/**', rules: {missing-file: off}}`},
		{overrides, "x: {files: a, rules: b}", `1: rules: give a mapping`},
		{overrides, "x: {files: a, rules: {b: [off]}}", `1: rules: "b": give a string`},
		{overrides, "x: {files: a, rule: {b: off}}", `1: key "rule": did you mean "rules"? Give one of files, rules`},
		{pairs, "x: {b: c, a: d}", `["a=d" "b=c"] true <nil>`},
		{pairs, "x: a", `[] false <nil>`},
		{pairs, "x: {a: [b]}", `[] true "a": give a string`},
		{pairs, "z: a", `[] false <nil>`},
	} {
		if got := tt.read(valueOf(t, tt.text)); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestHostsIn(t *testing.T) {
	got, err := HostsIn("f", "\ufeffa.example\r\n\n # all\n.b.example # and below\n")
	if fmt.Sprintf("%q", got) != `["a.example" ".b.example"]` || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for _, text := range []string{"", "#\n", "a\nsecret text\n", "https://secret/", "*.secret", ".", "secret\x00\t.."} {
		if _, err := HostsIn("f", text); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Aliases do not multiply what is read.
func TestHostileEntries(t *testing.T) {
	for name, shape := range map[string]struct{ head, each, end string }{
		"entries":   {"x:\n", "- {match: 'a%d', message: b}\n", ""},
		"aliases":   {"a: &a [" + strings.Repeat("b,", 4<<10) + "b]\nx:\n", "- {files: *a, rules: {c: off}}\n", ""},
		"rules":     {"x: {files: a, rules: {", "r%d: off, ", "}}"},
		"same keys": {"x: {", "a: b, ", "}"},
		"nesting":   {"x: ", "[{a: ", ""},
	} {
		run := func(size int) func() {
			var b strings.Builder
			b.WriteString(shape.head)
			for i := 0; b.Len() < size; i++ {
				b.WriteString(strings.ReplaceAll(shape.each, "%d", fmt.Sprint(i)))
			}
			text := []byte(b.String() + shape.end)
			return func() {
				var s Settings
				if s.Parse(text) == nil {
					v := s.Values["x"]
					ForbidOf(v)
					OverridesOf(v)
					v.Pairs()
				}
			}
		}
		scantest.Linear(t, name, 30*time.Millisecond, run(32<<10), run(128<<10))
	}
}
