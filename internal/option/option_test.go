package option

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
)

func TestNear(t *testing.T) {
	words := []string{"audit", "resolve", "normalize", "json", "rules"}
	for word, want := range map[string]string{
		"adit": "audit", "Audit": "audit", "aduit": "audit", "jsno": "json", "normalise": "normalize", "norm": "normalize",
		"letter": "", "x": "", "": "", "rule": "rules", strings.Repeat("a", 1000): "",
	} {
		if got := Near(word, words); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

func TestError(t *testing.T) {
	many := strings.Fields("alpha beta gamma delta epsilon zeta theta iota kappa lambda omicron missing-file no-file file-name old-file gamba")
	place := func(name string) string { return fmt.Sprintf("%q", name+" --help") }
	for _, tt := range []struct {
		err  error
		want string
	}{
		{NotOneOf("Only", "b", []string{"a", "c"}), `Only "b": give one of a, c`},
		{NotOneOf("Only", "mising", []string{"missing", "case"}), `Only "mising": did you mean "missing"? Give one of missing, case`},
		{NotOneOf("Only", "x", many), `Only "x": give one of alpha, beta, gamma, …`},
		{NotOneOf("Only", "gama", many), `Only "gama": did you mean "gamma" or "gamba"?`},
		{NotOneOf("Only", "gamb", many), `Only "gamb": did you mean "gamba"?`},
		{NotOneOf("Only", "file", many), `Only "file": did you mean "missing-file", "no-file" or "file-name"?`},
		{Listed(NotOneOf("Only", "x", many), place), `Only "x": give one of alpha, beta, gamma, … All are listed by "Only --help"`},
		{Listed(NotOneOf("Only", "epsilo", many), place), `Only "epsilo": did you mean "epsilon"? All are listed by "Only --help"`},
		{Listed(NotOneOf("Only", "x", []string{"a"}), place), `Only "x": give one of a`},
		{Listed(fs.ErrExist, place), "file already exists"},
		{NotSomeOf("Form", "pats", []string{"path"}), `Form "pats": did you mean "path"? Give some of path`},
		{&Error{"Jobs", "-1", errors.New("must not be negative")}, "Jobs -1: must not be negative"},
		{Bad("Dir", "x\n", "%w", fs.ErrNotExist), `Dir "x\n": file does not exist`},
		{Renamed(fmt.Errorf("audit: %w", Bad("Dir", "x", "none")), map[string]string{"Dir": "--dir"}), `--dir "x": none`},
		{Renamed(Bad("Dir", "x", "none"), map[string]string{"Root": "--root"}), `Dir "x": none`},
		{Renamed(fs.ErrExist, nil), "file already exists"},
	} {
		if tt.err.Error() != tt.want {
			t.Errorf("got  %v\nwant %s", tt.err, tt.want)
		}
	}
	if !errors.Is(Bad("Dir", "x", "%w", fs.ErrNotExist), fs.ErrNotExist) {
		t.Error("the cause is lost")
	}
}
