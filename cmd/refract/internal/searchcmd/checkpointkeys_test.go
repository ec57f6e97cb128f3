package searchcmd

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/distinct"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/internal/testing/cmdtest"
)

// A run with --unique continues with the keys of the run before, unless their file is damaged or gone.
func TestCheckpointKeys(t *testing.T) {
	t.Chdir(t.TempDir())
	for i := range 5 {
		os.WriteFile(fmt.Sprint(i, ".txt"), fmt.Appendf(nil, "http://h/%d http://h/0\n", i), 0o666)
	}
	args := []string{"--unique", "-o", "out", "--checkpoint", "state", "."}
	interrupt := func() (keys string) {
		t.Helper()
		for _, name := range cmdtest.Entries(t, ".") {
			if !strings.HasSuffix(name, ".txt") {
				os.Remove(name)
			}
		}
		root, _ := Command(nil, nil)
		root.ParseFlags(args)
		c, _, err := openCheckpoint("state", "out", runOf(root.Command, []string{"."}), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Discard()
		set := new(distinct.Set)
		if err := c.openKeys(set); err != nil {
			t.Fatal(err)
		}
		var at mark
		for file, err := range new(inputs).files([]string{"."}) {
			if at.Inputs < 2 && !c.isOwn(file) {
				at = at.next(file, err)
			}
		}
		for _, line := range []string{"http://h/0\n", "http://h/1\n"} {
			set.Add([]byte(line[:len(line)-1]), []byte(line))
			c.Write([]byte(line))
		}
		c.state.Mark = at
		if err := c.save(&output.Counts{Inputs: 2, References: 4}); err != nil {
			t.Fatal(err)
		}
		set.Add([]byte("http://h/2"), []byte("http://h/2\n")) // not saved
		c.keys.w.Flush()
		return c.keysPath()
	}
	try := func() (code int, errs bytes.Buffer) {
		return runSearch(args, &bytes.Buffer{}, &errs), errs
	}
	keys := interrupt()
	if code, errs := try(); code != cli.ExitOK {
		t.Errorf("%d %s", code, errs.String())
	}
	if got, _ := os.ReadFile("out"); string(got) != "http://h/0\nhttp://h/1\nhttp://h/2\nhttp://h/3\nhttp://h/4\n" {
		t.Errorf("%q", got)
	}
	if _, err := os.Stat(keys); err == nil {
		t.Error("the keys are left")
	}
	size := 0
	for i := 0; i == 0 || i < 8*size; i += 5 {
		interrupt()
		text, _ := os.ReadFile(keys)
		size = len(text) - len(text)/3 // what was saved: two of three keys
		text[i/8] ^= 1 << (i % 8)
		os.WriteFile(keys, text, 0o666)
		if code, errs := try(); code != cli.ExitFailed || !strings.Contains(errs.String(), "remove it to start over") {
			t.Errorf("bit %d: %d %s", i, code, errs.String())
		}
	}
	interrupt()
	os.Remove(keys)
	if code, errs := try(); code != cli.ExitFailed {
		t.Errorf("%d %s", code, errs.String())
	}
}
