package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"example.org/refract/cmd/refract/internal/cli"
)

// Help is at most helpWidth columns wide, and -h is one screen.
func TestHelpWidth(t *testing.T) {
	root := newCommand(&bytes.Buffer{}, &bytes.Buffer{})
	for _, c := range append(root.Subs, root) {
		var short bytes.Buffer
		cli.WriteBrief(&short, c)
		for line := range strings.Lines(helpOf(t, root, c) + short.String()) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > cli.HelpWidth {
				t.Errorf("%s: %d columns: %s", c.Name(), n, line)
			}
		}
		if n := strings.Count(short.String(), "\n"); c.Common != "" && n > 34 {
			t.Errorf("%s -h has %d lines", c.Name(), n)
		}
	}
}

// helpOf returns the --help text of a command.
func helpOf(t *testing.T, root, c *cli.Command) string {
	t.Helper()
	args := []string{"--help"}
	if c != root {
		args = []string{"help", c.Name()}
	}
	var out, errs bytes.Buffer
	if code := run(args, &out, &errs); code != cli.ExitOK {
		t.Fatalf("%q: status %d: %s", args, code, errs.String())
	}
	return out.String()
}

// On a narrow terminal, help has the same words and empty lines, and almost no line is too long: only commands, and texts
// beside a name that fills its column.
func TestNarrow(t *testing.T) {
	root := newCommand(&bytes.Buffer{}, &bytes.Buffer{})
	for _, c := range append(root.Subs, root) {
		all := helpOf(t, root, c)
		got := cli.Narrow(all, 80)
		if a, b := strings.Fields(got), strings.Fields(all); !slices.Equal(a, b) {
			t.Errorf("%s: other words: %d, want %d", c.Name(), len(a), len(b))
		}
		if a, b := strings.Count(got, "\n\n"), strings.Count(all, "\n\n"); a != b {
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
	if got := cli.Narrow(help, 38); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Each flag of a command has a value or is one of the main command, is declared once, has a group unless it is
// hidden, and excludes only flags that there are; each value has a name in capitals.
func TestFlags(t *testing.T) {
	root := newCommand(&bytes.Buffer{}, &bytes.Buffer{})
	for _, c := range append(root.Subs, root) {
		seen := map[string]bool{}
		for _, f := range c.List {
			if seen[f.Name] {
				t.Errorf("%s: --%s is twice in the list", c.Name(), f.Name)
			}
			seen[f.Name] = true
			if flagOf(root, c, f.Name) == nil {
				t.Errorf("%s: --%s is not a flag", c.Name(), f.Name)
			}
			if value, _ := pflag.UnquoteUsage(c.Flag(f.Name)); f.Group != "" && strings.ToUpper(value) != value {
				t.Errorf("--%s of %s takes %q", f.Name, c.Name(), value)
			}
			for other := range strings.FieldsSeq(f.Not) {
				if flagOf(root, c, other) == nil || other == f.Name {
					t.Errorf("%s: --%s excludes --%s", c.Name(), f.Name, other)
				}
			}
			if f.NextWord != nil && f.None == "" {
				t.Errorf("%s: the value of --%s is not optional", c.Name(), f.Name)
			}
		}
		for name := range strings.FieldsSeq(c.Common) {
			if !slices.ContainsFunc(c.List, func(f cli.Flag) bool { return f.Name == name && f.Group != "" }) {
				t.Errorf("%s -h names --%s", c.Name(), name)
			}
		}
	}
}

// Flags that exclude each other are named together, in any order of the list.
func TestCheckTogether(t *testing.T) {
	for args, want := range map[string]string{
		"--json --csv": "--csv and --json", "--explain --count host": "--count and --explain", "rewrite --relative --root-relative --absolute http://h/": "--absolute and --relative and --root-relative",
		"audit --write-baseline x --fix": "--fix and --write-baseline", "--json -n": "",
	} {
		var out, messages bytes.Buffer
		run(append(strings.Fields(args), "usage_test.go"), &out, &messages)
		got, _ := strings.CutSuffix(strings.TrimPrefix(messages.String(), "refract: "), " cannot be used together\n")
		if want == "" && strings.Contains(got, "together") || want != "" && got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}
