//go:build unix

package main

import (
	"bytes"
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

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/testing/cmdtest"
	"example.org/refract/internal/testing/scantest"
)

// A victim is a command that is killed at random moments.
type victim struct {
	name   string
	args   string
	writes []string // files that it writes; "" for the documents themselves
	goesOn bool     // it may be killed several times before it ends
}

var victims = []victim{
	{"output", "--json -q -o out.txt --jobs 2 .", []string{"out.txt"}, false},
	{"checkpoint", "--json -q -o out.txt --checkpoint state --jobs 2 .", []string{"out.txt"}, true},
	{"cache", "audit -q --cache cache .", []string{"cache"}, false},
	{"baseline", "audit -q --write-baseline base .", []string{"base"}, false},
	{"overview", "-q -o out.txt --html page.html --jobs 2 .", []string{"out.txt", "page.html"}, false},
	{"page", "audit -q --html page.html .", []string{"page.html"}, false},
	{"fix", "audit -q --fix .", nil, false},
	{"rewrite", "rewrite -q --map http://example.org=https://example.com .", nil, false},
}

// brokenTree writes documents, each with a link that --fix repairs, and returns their contents.
func brokenTree(t *testing.T, documents int) map[string]string {
	t.Helper()
	tree := map[string]string{"g.md": "# G\n"}
	for i := range documents {
		text := fmt.Sprintf("# D%d\n\n[x](G.md) <http://example.org/%d>\n%s", i, i, strings.Repeat("prose [y](https://example.org/y) and more\n", i%40*20))
		tree[fmt.Sprintf("d%d.md", i)] = text
	}
	for name, text := range tree {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return tree
}

// contents returns all files of the working directory, with names resolved first.
func contents(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range cmdtest.Entries(t, ".") {
		text, err := os.ReadFile(name)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		all[name] = string(text)
		if isWholeCache(text) { // it holds the times of the files
			all[name] = "a cache"
		}
	}
	return all
}

// isWholeCache reports whether text is a complete cache.
func isWholeCache(text []byte) bool {
	var version string
	if _, err := fmt.Sscanf(string(text), "refract cache %q\n", &version); err != nil {
		return false
	}
	return new(doc.Cache).Read(bytes.NewReader(text), version) == nil
}

// Whenever a run is killed, nothing is lost, the next run does everything that the first would have
// done, and no other files remain.
func TestKills(t *testing.T) {
	scantest.Long(t, "runs that are killed")
	kills := 5 // of each kind; more with REFRACT_KILLS
	if n, err := strconv.Atoi(os.Getenv("REFRACT_KILLS")); err == nil {
		kills = n
	}
	bin := cmdtest.Binary(t)
	for _, v := range victims {
		t.Run(v.name, func(t *testing.T) { v.test(t, bin, kills) })
	}
}

func (v *victim) test(t *testing.T, bin string, kills int) {
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 2))
	begin := func() map[string]string {
		for _, name := range cmdtest.Entries(t, ".") {
			os.RemoveAll(name)
		}
		return brokenTree(t, 150)
	}
	begin()
	start := time.Now()
	v.run(t, bin)
	whole, want := time.Since(start), contents(t)
	tree := begin()
	killed, temps := 0, 0
	for round := 0; killed < kills; round++ {
		if round > 20*kills {
			t.Fatalf("%d kills in %d runs", killed, round)
		}
		ended := !v.kill(t, bin, r, whole, round%2 == 1)
		if !ended {
			killed++
		}
		now := contents(t)
		temps += v.check(t, now, tree, want)
		if ended || !v.goesOn || r.IntN(3) == 0 {
			v.run(t, bin)
			if now := contents(t); !maps.Equal(now, want) {
				t.Fatalf("after a kill and another run: %v, want %v", slices.Sorted(maps.Keys(now)), slices.Sorted(maps.Keys(want)))
			}
			if left := cmdtest.Entries(t, os.Getenv("TMPDIR")); len(left) > 0 {
				t.Fatalf("left in the directory for temporary files: %v", left)
			}
			if v.writes == nil || r.IntN(2) == 0 { // otherwise the next run replaces the files that this one has written
				tree = begin()
			}
		}
	}
	t.Logf("%d kills, %d of them left a temporary file; a run takes %v", killed, temps, whole)
}

// The same holds for a run that is killed at each of the system calls that change a file. Random
// moments rarely coincide with them: writing a baseline takes less than a millisecond.
func TestKillsAtWrites(t *testing.T) {
	scantest.Long(t, "runs under strace")
	if err := exec.Command("strace", "-qq", "-o", os.DevNull, "true").Run(); err != nil {
		t.Skip("no strace here: ", err)
	}
	bin := cmdtest.Binary(t)
	for _, v := range victims {
		t.Run(v.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			brokenTree(t, 10)
			v.run(t, bin)
			want := contents(t)
			killed, temps := 0, 0
			for _, call := range []string{"write", "flock", "fsync", "fchmod", "fchown", "ftruncate", "renameat", "unlinkat", "unlink"} {
				for n := 1; n <= 12; n++ {
					for _, name := range cmdtest.Entries(t, ".") {
						os.RemoveAll(name)
					}
					tree := brokenTree(t, 10)
					args := []string{"-f", "-qq", "-o", os.DevNull, "-e", fmt.Sprintf("inject=%s:signal=SIGKILL:when=%d", call, n), bin}
					cmd := exec.Command("strace", append(args, strings.Fields(v.args)...)...)
					if cmd.Run(); cmd.ProcessState.ExitCode() >= 0 && cmd.ProcessState.ExitCode() < 128 {
						break // there are no more such calls
					}
					killed++
					temps += v.check(t, contents(t), tree, want)
					v.run(t, bin)
					if now := contents(t); !maps.Equal(now, want) {
						t.Fatalf("%s %d: %v, want %v", call, n, slices.Sorted(maps.Keys(now)), slices.Sorted(maps.Keys(want)))
					}
				}
			}
			t.Logf("%d kills, %d of them left a temporary file", killed, temps)
			if temps == 0 {
				t.Errorf("%d kills at writes, %d temporary files: too few to say anything", killed, temps)
			}
		})
	}
}

// run runs the command to its end.
func (v *victim) run(t *testing.T, bin string) {
	t.Helper()
	out, err := exec.Command(bin, strings.Fields(v.args)...).CombinedOutput()
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != cli.ExitFindings) {
		t.Fatalf("%s: %v\n%s", v.args, err, out)
	}
}

// kill starts the command and kills it, either at any moment or once it has begun to write. It
// returns false if the command had ended before.
func (v *victim) kill(t *testing.T, bin string, r *rand.Rand, whole time.Duration, writing bool) bool {
	t.Helper()
	cmd := exec.Command(bin, strings.Fields(v.args)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	if writing {
		for deadline := time.Now().Add(2 * whole); time.Now().Before(deadline) && len(done) == 0; {
			if left, _ := filepath.Glob(".*.*"); len(left) > 0 {
				break
			}
		}
		time.Sleep(time.Duration(r.Int64N(int64(2 * time.Millisecond))))
	} else {
		time.Sleep(time.Duration(r.Int64N(int64(whole))))
	}
	signal := []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT}[r.IntN(3)]
	cmd.Process.Signal(signal)
	err := <-done
	state := cmd.ProcessState.Sys().(syscall.WaitStatus)
	switch {
	case state.Signaled(), state.ExitStatus() > cli.ExitInterrupted && errs.Len() == 0:
		return true
	case err == nil, state.ExitStatus() == cli.ExitFindings:
		return false
	}
	t.Fatalf("%s, %v: %v\n%s", v.args, signal, err, errs.String())
	return false
}

// check checks the files after a kill: documents and outputs must be as in before or as in after.
// It returns 1 if there is a temporary file.
func (v *victim) check(t *testing.T, now, before, after map[string]string) (temps int) {
	t.Helper()
	for name, text := range before {
		got, ok := now[name]
		if !ok || got != text && got != after[name] {
			t.Fatalf("%s has become %q", name, got)
		}
	}
	for name, text := range now {
		switch {
		case before[name] != "", text == after[name]:
		case slices.Contains(v.writes, name):
			t.Fatalf("%s is there, and not complete: %d bytes of %d", name, len(text), len(after[name]))
		case strings.HasPrefix(name, "."):
			temps = 1
		case name != "state":
			t.Fatalf("%s is left", name)
		}
	}
	return temps
}

// If the disk fills up at any byte, nothing is lost, the run reports it and fails, and no files
// remain. RLIMIT_FSIZE simulates the disk: no file may become longer.
func TestFullDisk(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	bin := cmdtest.Binary(t)
	for _, v := range victims {
		t.Run(v.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			documents := scantest.Amount(12, 40)
			brokenTree(t, documents)
			v.run(t, bin)
			want := contents(t)
			failed := 0
			for blocks := 0; blocks < scantest.Amount(2, 64); blocks += 1 + blocks/8 { // of 512 bytes
				for _, name := range cmdtest.Entries(t, ".") {
					os.RemoveAll(name)
				}
				tree := brokenTree(t, documents)
				// Ignore the signal, which would end the process, so that write returns the error.
				line := fmt.Sprintf("trap '' XFSZ; ulimit -f %d; exec %s %s", blocks, bin, v.args)
				out, err := exec.Command("sh", "-c", line).CombinedOutput()
				now := contents(t)
				if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == cli.ExitFailed {
					failed++
					if !bytes.Contains(out, []byte("file too large")) {
						t.Fatalf("%d blocks: %s", blocks, out)
					}
					v.check(t, now, tree, want)
				} else if !maps.Equal(now, want) {
					t.Fatalf("%d blocks: %v %s, %v", blocks, err, out, slices.Sorted(maps.Keys(now)))
				}
				v.run(t, bin)
				if now := contents(t); !maps.Equal(now, want) {
					t.Fatalf("%d blocks, and another run: %v, want %v", blocks, slices.Sorted(maps.Keys(now)), slices.Sorted(maps.Keys(want)))
				}
			}
			if failed == 0 {
				t.Error("the disk has never been full")
			}
		})
	}
}
