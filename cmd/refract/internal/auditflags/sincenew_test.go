package auditflags_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/program"
)

// What is audited may be new since the revision, and the configuration of its site may be outside of it.
func TestChangedSincePlaces(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	t.Chdir(t.TempDir())
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	write := func(name, text string) {
		t.Helper()
		err := os.MkdirAll(filepath.Dir(name), 0o777)
		if err == nil {
			err = os.WriteFile(name, []byte(text), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write("mkdocs.yml", "site_name: x\nnav: [index.md, gone.md]\n")
	write("docs/index.md", "[old](none.md)\n")
	for _, args := range []string{"init -q", "add -A", "-c user.name=a -c user.email=a@example.org commit -q -m v1"} {
		if out, err := exec.Command("git", strings.Fields(args)...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	write("new/a.md", "[new](none.md)\n")
	write("docs/b.md", "[new](none.md)\n")
	for _, test := range []struct{ path, want string }{
		{"new", "new/a.md:1:7: no such file: \"new/none.md\" [missing-file]\n"},
		{"docs", "docs/b.md:1:7: no such file: \"docs/none.md\" [missing-file]\n"},
	} {
		var out, errs bytes.Buffer
		code := program.Run([]string{"audit", "-q", "--changed-since", "HEAD", test.path}, &out, &errs)
		if out.String() != test.want || code != 1 {
			t.Errorf("%s, with status %d:\n%s%swant\n%s", test.path, code, out.String(), errs.String(), test.want)
		}
	}
}
