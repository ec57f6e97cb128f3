package project

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// copyOfRepository copies the files under version control, as they are now, to a directory.
func copyOfRepository(t *testing.T) (dir string) {
	t.Helper()
	out, err := exec.Command("git", "-C", "../..", "ls-files", "-z").Output()
	if err != nil {
		t.Skip("git ls-files: ", err)
	}
	dir = t.TempDir()
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			continue // it has been removed since, or is a link to a directory
		}
		to := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(to), 0o777)
		if err := os.WriteFile(to, text, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// .ci/rename changes the module path everywhere. TestInstall builds the result.
func TestRename(t *testing.T) {
	scantest.Long(t, "copies the repository")
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	dir := copyOfRepository(t)
	rename := func(path string) (string, error) {
		cmd := exec.Command(bash, filepath.Join(dir, ".ci", "rename"), path)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, path := range []string{"", "a b", "/x", "../x", "a//b"} {
		if out, err := rename(path); err == nil || !strings.Contains(out, "usage") {
			t.Errorf("%q: %s", path, out)
		}
	}
	const other = "code.example.net/a-b/refract/v2"
	if out, err := rename(other); err != nil {
		t.Fatal(err, out)
	}
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if text, _ := os.ReadFile(path); bytes.Contains(text, []byte(module)) {
			t.Errorf("%s still has %s", path, module)
		}
		return nil
	})
}
