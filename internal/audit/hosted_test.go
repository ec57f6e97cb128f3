package audit

import (
	"strings"
	"testing"
	"testing/fstest"

	"example.org/refract/internal/audit/tree"
)

// What is read in .git names the host of the repository, and no more: a link out of it, a pipe, a large file or a remote
// with a secret changes nothing, and the secret is in no output.
func TestCheckouts(t *testing.T) {
	const document = "[1](https://h.example/o/r/blob/main/none.md)\n"
	for _, tt := range []struct {
		name, config, head string
		want               int
	}{
		{"found", "[remote \"origin\"]\nurl = https://user:s3cret@h.example/o/r.git\n", "ref: refs/heads/main\n", 1},
		{"no branch", "[remote \"origin\"]\nurl = git@h.example:o/r\n", "0123", 0},
		{"no remote", "", "ref: refs/heads/main\n", 0},
		{"large", "[remote \"origin\"]\nurl = git@h.example:o/r\n" + strings.Repeat("#\n", maxGitFile), "ref: refs/heads/main\n", 0},
		{"sparse", "[core]\nsparseCheckout=true\n[remote \"origin\"]\nurl = git@h.example:o/r\n", "ref: refs/heads/main\n", 0},
	} {
		fsys := fstest.MapFS{
			"r/.git/config": {Data: []byte(tt.config)}, "r/.git/HEAD": {Data: []byte(tt.head)}, "r/docs/a.md": {Data: []byte(document)},
		}
		var got []string
		o := Options{Tree: tree.FS(fsys), Paths: []string{"r/docs"}}
		if _, err := Run(t.Context(), o, func(f *Finding) { got = append(got, f.String()) }); err != nil {
			t.Fatal(err)
		}
		if len(got) != tt.want || strings.Contains(strings.Join(got, ""), "s3cret") {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}
