package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Help is at most helpWidth columns wide, and -h is one screen.
func TestHelpWidth(t *testing.T) {
	root := newRoot(&bytes.Buffer{}, &bytes.Buffer{})
	for _, c := range append(root.Commands(), root) {
		var all, short bytes.Buffer
		writeHelp(&all, c)
		writeBrief(&short, c)
		for line := range strings.Lines(all.String() + short.String()) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > helpWidth {
				t.Errorf("%s: %d columns: %s", c.Name(), n, line)
			}
		}
		if n := strings.Count(short.String(), "\n"); commonFlags[c.Name()] != "" && n > 32 {
			t.Errorf("%s -h has %d lines", c.Name(), n)
		}
	}
}

// On a narrow terminal, help has the same words and empty lines, and almost no line is too long: only commands, and texts
// beside a name that fills its column.
func TestNarrow(t *testing.T) {
	root := newRoot(&bytes.Buffer{}, &bytes.Buffer{})
	for _, c := range append(root.Commands(), root) {
		var all bytes.Buffer
		writeHelp(&all, c)
		got := narrow(all.String(), 80)
		if a, b := strings.Fields(got), strings.Fields(all.String()); !slices.Equal(a, b) {
			t.Errorf("%s: other words: %d, want %d", c.Name(), len(a), len(b))
		}
		if a, b := strings.Count(got, "\n\n"), strings.Count(all.String(), "\n\n"); a != b {
			t.Errorf("%s: %d empty lines, want %d", c.Name(), a, b)
		}
		long := 0
		for line := range strings.Lines(got) {
			if len([]rune(line)) > 81 && !strings.HasPrefix(line, "  refract ") {
				long++
			}
		}
		if long > 1 {
			t.Errorf("%s: %d lines of more than 80 columns:\n%s", c.Name(), long, got)
		}
	}
	help := "  -n, --name      a name of some length\n\nSome prose that is too wide for the screen,\nhere.\n"
	want := "  -n, --name      a name of some\n                  length\n\nSome prose that is too wide for the\nscreen, here.\n"
	if got := narrow(help, 38); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Each flag is in exactly one group, each group has only flags that are there, and each value has
// a name in capitals.
func TestFlagGroups(t *testing.T) {
	root := newRoot(&bytes.Buffer{}, &bytes.Buffer{})
	known := map[string]bool{}
	for _, c := range append(root.Commands(), root) {
		count := map[string]int{}
		_, groups := flagGroups(c)
		for _, f := range slices.Concat(groups...) {
			count[f.Name]++
		}
		check := func(f *pflag.Flag) {
			known[f.Name] = true
			if f.Hidden || slices.Contains(strings.Fields(withoutUse[c.Name()]), f.Name) {
				return
			}
			if groupsOf[c.Name()] != nil && count[f.Name] != 1 {
				t.Errorf("--%s of %s is in %d groups", f.Name, c.Name(), count[f.Name])
			}
			if _, value := flagName(f); strings.ToUpper(value) != value {
				t.Errorf("--%s of %s takes %q", f.Name, c.Name(), value)
			}
		}
		c.Flags().VisitAll(check)
		c.InheritedFlags().VisitAll(check)
		for name := range strings.FieldsSeq(commonFlags[c.Name()]) {
			if findFlag(c, name) == nil {
				t.Errorf("%s -h names --%s", c.Name(), name)
			}
		}
	}
	for name, groups := range groupsOf {
		for _, g := range groups {
			for flag := range strings.FieldsSeq(g.flags) {
				if !known[flag] {
					t.Errorf("%s: no command has --%s", name, flag)
				}
			}
		}
	}
}

// Shells offer no value that the flag refuses, and every flag with a list in flagValues is there.
func TestCompletions(t *testing.T) {
	root := newRoot(&bytes.Buffer{}, &bytes.Buffer{})
	for key := range flagValues() {
		command, name, ok := strings.Cut(key, " ")
		if !ok {
			command, name = "", key
		}
		found := slices.ContainsFunc(append(root.Commands(), root), func(c *cobra.Command) bool {
			return (command == "" || command == c.Name()) && c.Flag(name) != nil
		})
		if !found {
			t.Errorf("there is no flag %q", key)
		}
	}
	if got := completions([]string{"link", "embed"}, "link,!", true); !slices.Equal(got, []string{"link,!link", "link,!embed"}) {
		t.Error(got)
	}
}

func TestByteSize(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "4096": 4096, "-1": -1, "1K": 1024, "1k": 1024, "32M": 32 << 20, "32MiB": 32 << 20, "1G": 1 << 30,
		"1.5G": 3 << 29, "2T": 2 << 40, "1kB": 1000, "1GB": 1e9, "10B": 10, "9223372036854775807": 1<<63 - 1,
	} {
		var b byteSize
		if err := b.Set(text); err != nil || int64(b) != want {
			t.Errorf("%s: %d, %v", text, b, err)
		}
		var again byteSize
		if err := again.Set(b.String()); err != nil || again != b {
			t.Errorf("%s: %s is read as %d, %v", text, &b, again, err)
		}
	}
	for _, text := range []string{"", "x", "1X", "1.5", "1e9", "K", "99999999999999999999", "9999999T", "1 M B"} {
		var b byteSize
		if err := b.Set(text); err == nil {
			t.Errorf("%q: %d", text, b)
		}
	}
}

func TestNear(t *testing.T) {
	words := []string{"audit", "resolve", "normalize", "json", "rules"}
	for word, want := range map[string]string{
		"adit": "audit", "Audit": "audit", "aduit": "audit", "jsno": "json", "normalise": "normalize", "norm": "normalize",
		"letter": "", "x": "", "": "", "rule": "rules", strings.Repeat("a", 1000): "",
	} {
		if got := near(word, words); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

func TestHostName(t *testing.T) {
	for text, want := range map[string]string{
		"example.org": "example.org", "http://www.w3.org/": "www.w3.org", "https://u@h:80/x?y": "h", "//h/x": "h", "h:8080": "h",
		".example.org": ".example.org", "*.example.org": ".example.org", "!http://h/": "!h", "[::1]:80": "[::1]", "http://[::1]/": "[::1]",
		"h/": "h",
	} {
		if got, err := hostName(text); err != nil || got != want {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "http://", "a*b", "/"} {
		if got, err := hostName(text); err == nil {
			t.Errorf("%q: %q", text, got)
		}
	}
}
