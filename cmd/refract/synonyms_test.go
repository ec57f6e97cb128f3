package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/cli"
)

// No synonym is a command or a flag, and the commands and flags that their texts name exist.
func TestSynonyms(t *testing.T) {
	t.Chdir(t.TempDir())
	root := newCommand(&bytes.Buffer{}, &bytes.Buffer{})
	hasFlag := func(name string) bool {
		for _, c := range append(root.Subs, root) {
			if c.Flags().Lookup(name) != nil || len(name) == 1 && c.Flags().ShorthandLookup(name) != nil {
				return true
			}
		}
		return false
	}
	command, flag := regexp.MustCompile(`"refract ([a-z]+) `), regexp.MustCompile(`--([a-z-]+)`)
	check := func(name, text string, args ...string) {
		t.Helper()
		for _, m := range command.FindAllStringSubmatch(text, -1) {
			if m[1] != "help" && root.Sub(m[1]) == nil {
				t.Errorf("%s: there is no command %s", name, m[1])
			}
		}
		for _, m := range flag.FindAllStringSubmatch(text, -1) {
			if !hasFlag(m[1]) {
				t.Errorf("%s: there is no flag --%s", name, m[1])
			}
		}
		var errs bytes.Buffer
		if code := run(args, &bytes.Buffer{}, &errs); code != cli.ExitFailed || !strings.HasSuffix(errs.String(), ": "+text+"\n") {
			t.Errorf("%q: %d %s", args, code, errs.String())
		}
	}
	for name, text := range cli.Synonyms() {
		words := strings.Fields(name)
		flag := strings.TrimLeft(words[len(words)-1], "-")
		switch isFlag := strings.HasPrefix(words[len(words)-1], "-"); {
		case len(words) == 2 && isFlag:
			flags := root.Sub(words[0]).Flags()
			if len(flag) == 1 && flags.ShorthandLookup(flag) != nil || flags.Lookup(flag) != nil {
				t.Errorf("%s is a flag", name)
			}
			check(name, text, words...)
		case len(words) == 2:
			check(name, text, words...)
		case isFlag:
			if hasFlag(flag) {
				t.Errorf("%s is a flag", name)
			}
			check(name, text, "audit", name)
			check(name, text, name, "x")
		default:
			if root.Sub(name) != nil {
				t.Errorf("%s is a command", name)
			}
			check(name, text, name, "x")
			check(name, text, name)
		}
	}
}
