package main

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/internal/testing/cmdtest"
	"example.org/refract/internal/testing/scantest"
)

// The same on a full disk: a file system in memory with n free pages.
// It is skipped if this process may not mount one; then see TestFullDisk.
func TestFullFileSystem(t *testing.T) {
	scantest.Long(t, "fills a disk a few hundred times")
	bin := cmdtest.Binary(t)
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=4m,mode=0777"); err != nil {
		t.Skip("mount: ", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	for _, v := range victims {
		t.Run(v.name, func(t *testing.T) {
			t.Chdir(dir)
			t.Setenv("TMPDIR", dir)
			v.fill(t, bin)
		})
	}
}

// fill runs the command on a disk with n free pages, for each n until it succeeds.
func (v *victim) fill(t *testing.T, bin string) {
	const page = 4096
	const documents = 12
	begin := func() map[string]string {
		for _, name := range cmdtest.Entries(t, ".") {
			os.RemoveAll(name)
		}
		return brokenTree(t, documents)
	}
	begin()
	v.run(t, bin)
	want := contents(t)
	failed := 0
	for pages := 0; ; pages++ {
		tree := begin()
		var space syscall.Statfs_t
		if err := syscall.Statfs(".", &space); err != nil {
			t.Fatal(err)
		}
		tree[".filler"] = strings.Repeat("x", (int(space.Bavail)-pages)*page)
		if err := os.WriteFile(".filler", []byte(tree[".filler"]), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(bin, strings.Fields(v.args)...).CombinedOutput()
		now := contents(t)
		isFailed := err != nil && err.(*exec.ExitError).ExitCode() == cli.ExitFailed
		if isFailed {
			failed++
			if !bytes.Contains(out, []byte("no space left on device")) {
				t.Fatalf("%d pages: %s", pages, out)
			}
			if left := v.check(t, now, tree, want); left > 0 && !v.goesOn {
				t.Fatalf("%d pages: left are %v", pages, slices.Sorted(maps.Keys(now)))
			}
		}
		os.Remove(".filler")
		v.run(t, bin)
		if now := contents(t); !maps.Equal(now, want) {
			t.Fatalf("%d pages, and another run: %v, want %v", pages, slices.Sorted(maps.Keys(now)), slices.Sorted(maps.Keys(want)))
		}
		if !isFailed {
			break
		}
	}
	if failed == 0 {
		t.Error("the disk has never been full")
	}
	t.Logf("full %d times", failed)
}
