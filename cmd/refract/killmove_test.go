//go:build unix

package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.org/refract/internal/testing/cmdtest"
	"example.org/refract/internal/testing/scantest"
)

// linkedTree writes documents that refer to one that moves, and returns their contents.
func linkedTree(t *testing.T, documents int) map[string]string {
	t.Helper()
	for _, name := range cmdtest.Entries(t, ".") {
		os.RemoveAll(name)
	}
	tree := map[string]string{".git/HEAD": "ref: refs/heads/main\n", "a/one.md": "# One\n\n[x](two.md)\n", "a/two.md": "# Two\n\n[x](./one.md#one)\n"}
	for i := range documents {
		tree[fmt.Sprintf("d/d%d.md", i)] = fmt.Sprintf("# D%d\n\n[x](../a/one.md) [y](<../a/two.md#two>)\n%s", i, strings.Repeat("text\n", i))
	}
	for name, text := range tree {
		os.MkdirAll(filepath.Dir(name), 0o777)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filesBelow(t)
}

// filesBelow returns the contents of all files below the working directory, except what is remembered of moves.
func filesBelow(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	_, err := os.Lstat(".refract-mv/plan")
	isOver := err != nil // or not begun: the next run removes what is left
	for _, pattern := range []string{"*", "*/*", "*/*/*", ".[a-z]*", ".[a-z]*/*", "*/.[a-z]*"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			info, err := os.Lstat(name)
			if err != nil || strings.Contains(filepath.Base(name), "refract-moves.json") || isOver && strings.HasPrefix(name, ".refract-mv") {
				continue
			}
			if info.IsDir() {
				all[name+"/"] = ""
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all[name] = string(text)
		}
	}
	return all
}

var moveArgs = []string{"mv", "-q", "a", "moved/b"}

// move runs the command to its end.
func runMove(t *testing.T, bin string) {
	t.Helper()
	if out, err := exec.Command(bin, moveArgs...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// isWhole reports whether each file is as before or as after, by its old or its new name.
func isWhole(now, before, after map[string]string) string {
	for name, text := range now {
		from := strings.Replace(name, "moved/b/", "a/", 1)
		to := strings.Replace(name, "a/", "moved/b/", 1)
		if strings.HasPrefix(name, ".refract-mv") || strings.HasSuffix(name, "/") || text == before[from] || text == after[to] {
			continue
		}
		return name
	}
	return ""
}

// A move that is killed at any moment is completed by the next run, or has not begun.
func TestMoveKilled(t *testing.T) {
	scantest.Long(t, "moves that are killed")
	kills := 6 // more with REFRACT_KILLS
	if n, err := strconv.Atoi(os.Getenv("REFRACT_KILLS")); err == nil {
		kills = n
	}
	bin := cmdtest.Binary(t)
	t.Chdir(t.TempDir())
	before := linkedTree(t, 40)
	start := time.Now()
	runMove(t, bin)
	whole, after := time.Since(start), filesBelow(t)
	if maps.Equal(before, after) || after["moved/b/one.md"] == "" {
		t.Fatal("nothing has moved")
	}
	r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 3))
	begun, killed := 0, 0
	for killed < kills {
		linkedTree(t, 40)
		cmd := exec.Command(bin, moveArgs...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if killed%2 == 0 { // once it writes
			for deadline := time.Now().Add(whole); time.Now().Before(deadline); {
				if _, err := os.Lstat(".refract-mv"); err == nil {
					break
				}
			}
			time.Sleep(time.Duration(r.Int64N(int64(8 * time.Millisecond))))
		} else {
			time.Sleep(time.Duration(r.Int64N(int64(whole))))
		}
		cmd.Process.Signal([]syscall.Signal{syscall.SIGKILL, syscall.SIGTERM}[r.IntN(2)])
		if cmd.Wait() != nil {
			killed++
		}
		now := filesBelow(t)
		if name := isWhole(now, before, after); name != "" {
			t.Fatalf("%s is neither as before nor as after: %q", name, now[name])
		}
		if !maps.Equal(now, before) && !maps.Equal(now, after) {
			begun++
		}
		if !maps.Equal(now, after) {
			runMove(t, bin)
		}
		if now := filesBelow(t); !maps.Equal(now, after) {
			t.Fatalf("after another run: %v, want %v", slices.Sorted(maps.Keys(now)), slices.Sorted(maps.Keys(after)))
		}
	}
	t.Logf("%d kills, %d of them while it wrote; a run takes %v", killed, begun, whole)
}

// The same holds at each of the system calls that change a file.
func TestMoveKilledAtWrites(t *testing.T) {
	scantest.Long(t, "moves under strace")
	if err := exec.Command("strace", "-qq", "-o", os.DevNull, "true").Run(); err != nil {
		t.Skip("no strace here: ", err)
	}
	bin := cmdtest.Binary(t)
	t.Chdir(t.TempDir())
	before := linkedTree(t, 3)
	runMove(t, bin)
	after := filesBelow(t)
	killed, begun := 0, 0
	for _, call := range []string{"fsync", "renameat", "unlinkat", "mkdirat"} {
		for n := 1; n <= 40; n++ {
			linkedTree(t, 3)
			cmd := exec.Command("strace", append([]string{"-f", "-qq", "-o", os.DevNull, "-e", fmt.Sprintf("inject=%s:signal=SIGKILL:when=%d", call, n), bin}, moveArgs...)...)
			if cmd.Run(); cmd.ProcessState.ExitCode() >= 0 && cmd.ProcessState.ExitCode() < 128 {
				break // there are no more such calls
			}
			killed++
			now := filesBelow(t)
			if name := isWhole(now, before, after); name != "" {
				t.Fatalf("%s %d: %s is neither as before nor as after: %q", call, n, name, now[name])
			}
			if !maps.Equal(now, before) && !maps.Equal(now, after) {
				begun++
			}
			if !maps.Equal(now, after) {
				runMove(t, bin)
			}
			if now := filesBelow(t); !maps.Equal(now, after) {
				t.Fatalf("%s %d: after another run: %v, want %v", call, n, slices.Sorted(maps.Keys(now)), slices.Sorted(maps.Keys(after)))
			}
		}
	}
	t.Logf("%d kills, %d of them midway", killed, begun)
	if begun == 0 {
		t.Error("none was killed midway")
	}
}
