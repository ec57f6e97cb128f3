package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/internal/testing/cmdtest"
	"example.org/refract/internal/testing/scantest"
)

// A killed run of --fix leaves each file as it was, or fixed, and no file that
// another run would read.
func TestKilled(t *testing.T) {
	scantest.Long(t, "kills twenty runs at random moments")
	const files, kills = 100, 20
	bin := cmdtest.Binary(t)
	dir := t.TempDir()
	text := func(i int, link string) string {
		return strings.Repeat(fmt.Sprintf("# %d\n\ntext\n", i), 200) + "[x](" + link + ")\n"
	}
	name := func(i int) string { return filepath.Join(dir, fmt.Sprintf("%03d.md", i)) }
	unpack := func() {
		for i := range files {
			if err := os.WriteFile(name(i), []byte(text(i, "Guide.md")), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "guide.md"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	check := func() (mended int) {
		for i := range files {
			got, err := os.ReadFile(name(i))
			switch {
			case err != nil:
				t.Fatal(err)
			case string(got) == text(i, "guide.md"):
				mended++
			case string(got) != text(i, "Guide.md"):
				t.Fatalf("%s is neither: %d bytes", name(i), len(got))
			}
		}
		return mended
	}
	command := func() *exec.Cmd { return exec.Command(bin, "audit", "--fix", dir) }

	unpack()
	start := time.Now()
	if out, err := command().CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	whole := time.Since(start)
	if n := check(); n != files {
		t.Fatalf("%d mended", n)
	}
	r := rand.New(rand.NewPCG(1, 2))
	midway := 0
	for n := 0; n < kills || midway == 0 && n < 10*kills; n++ {
		unpack()
		cmd := command()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(r.Int64N(int64(whole))))
		cmd.Process.Kill()
		cmd.Wait()
		if n := check(); n > 0 && n < files {
			midway++
		}
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".refract-*"))
	t.Logf("%d of %d killed midway, %d files left behind", midway, kills, len(left))
	if midway == 0 {
		t.Error("none was killed midway")
	}
	out, err := command().CombinedOutput()
	if want := fmt.Sprintf("%d documents", files+1); err != nil || !strings.Contains(string(out), want) {
		t.Errorf("%v, not %s:\n%s", err, want, out)
	}
	if n := check(); n != files {
		t.Errorf("%d mended", n)
	}
}

// A run that is interrupted leaves nothing behind.
func TestInterrupted(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin, dir := filepath.Join(t.TempDir(), "refract"), t.TempDir()
	if err := os.Symlink(self, bin); err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(bin, "audit", "-o", filepath.Join(dir, "out"), "--html", filepath.Join(dir, "page"), "-")
	in, err := cmd.StdinPipe() // which does not end
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	names := func() []string {
		found, _ := filepath.Glob(filepath.Join(dir, "*"))
		return found
	}
	for range 1000 {
		if len(names()) == 2 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		cmd.Process.Kill()
		t.Skip(err)
	}
	cmd.Wait()
	if left := names(); len(left) > 0 || cmd.ProcessState.ExitCode() != cli.ExitInterrupted+2 {
		t.Errorf("%v, status %d", left, cmd.ProcessState.ExitCode())
	}
}
