package searchcmd

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/extract"
)

// Values and flags that do not fit together are named before anything is read.
func TestFlagErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	err := os.WriteFile("a.txt", []byte("http://h/\n"), 0o666)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ args, want string }{
		{"--color pink", `--color "pink": give one of auto, always, never`},
		{"--format x", `--format "x": give one of text, json, `},
		{"--csv=x", "give excel, raw, or nothing; --fields chooses columns"},
		{"--memory 0", "--memory 0: must be at least 1"},
		{"--glob [a", `--glob "[a": `},
		{"--generator x", `--generator "x": `},
		{"--resolution whatwg --parser-differences", "--parser-differences compares RFC 3986 with browsers: leave out --resolution whatwg"},
		{"--json --fields url", "--fields requires --csv, --parquet, or --format tsv or arrow"},
		{"--csv --fields none", `--fields "none": give one of input, `},
		{"--csv --fields canonical", "--fields canonical requires --canonical"},
		{"--csv --fields browser_url", "--fields browser_url requires --parser-differences"},
		{"--format csv -n", "--line-number cannot be used with --format csv"},
		{"--thread x -o out --checkpoint state", "--checkpoint cannot be used with --thread"},
		{"--format arrow --json", "--format and --json cannot be used together"},
		{"--parquet x -o y", "--output cannot be used with --parquet"},
		{"--parquet= ", "--parquet requires a name"},
		{"--file-size 1M", "--file-size requires --parquet and a directory"},
		{"--parquet x --file-size 0", "--file-size 0: must be at least 1"},
		{"--split 1M -", "standard input cannot be divided: give a file"},
	} {
		var out, errs bytes.Buffer
		code := runSearch(append(strings.Fields(tt.args), "a.txt"), &out, &errs)
		if code != cli.ExitFailed || !strings.Contains(errs.String(), tt.want) {
			t.Errorf("%s: status %d, %q, want %q", tt.args, code, errs.String(), tt.want)
		}
	}
	entries, err := os.ReadDir(".")
	if err != nil || len(entries) != 1 {
		t.Errorf("left: %v, %v", entries, err)
	}
}

// The topic about --undo names all its values.
func TestUndone(t *testing.T) {
	var names []string
	for _, u := range undone {
		names = append(names, u[0])
	}
	if want := extract.UndoNames(); !slices.Equal(slices.Sorted(slices.Values(names)), slices.Sorted(slices.Values(want))) {
		t.Errorf("%q, want %q", names, want)
	}
}
