package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The settings of the user in the environment stay, and filters of any name are turned off.
func TestNoFilters(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	dir := t.TempDir()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "user.name")
	t.Setenv("GIT_CONFIG_VALUE_0", "me")
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	const name = "a=b\".c d"
	for _, of := range []string{"clean", "smudge", "process", "required"} {
		if out, err := exec.Command("git", "-C", dir, "config", "filter."+name+"."+of, "true").CombinedOutput(); err != nil {
			t.Fatalf("%v %s", err, out)
		}
	}
	env := NoFilters(dir, nil)
	for key, want := range map[string]string{"clean": "", "smudge": "", "process": "", "required": "false"} {
		out, err := Output(dir, env, "config", "filter."+name+"."+key)
		if err != nil || strings.TrimSuffix(out, "\n") != want {
			t.Errorf("%s: %q %v", key, out, err)
		}
	}
	if out, err := Output(dir, env, "config", "user.name"); err != nil || out != "me\n" {
		t.Errorf("%q %v", out, err)
	}
	if _, err := Output(filepath.Join(dir, ".git"), nil, "no-such-command"); err == nil || !strings.HasPrefix(err.Error(), "git: ") {
		t.Errorf("%v", err)
	}
}
