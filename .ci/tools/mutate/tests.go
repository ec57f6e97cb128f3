//go:build unix

package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A binary is the compiled test of a package.
type binary struct {
	pkg, dir, file string
	tests          []*test
}

// A test is a function of a binary.
type test struct {
	name    string
	cpu     time.Duration // that it uses without a change
	reaches map[int]bool  // numbers of changes
}

// build compiles the tests of packages with changed files. If a package does not compile, its error lines are the error.
func (r *run) build(ctx context.Context, files map[string][]byte, packages []string) (all []*binary, err error) {
	dir, err := os.MkdirTemp(r.tmp, "build")
	if err != nil {
		return nil, err
	}
	overlay, err := writeOverlay(dir, files)
	if err != nil {
		return nil, err
	}
	// go test -c does not take two packages whose last elements are equal. The program of -exec keeps each instead.
	keep := filepath.Join(dir, "keep")
	script := "#!/bin/sh\nmkdir -p '" + dir + "/bin'\"$PWD\" && ln \"$1\" '" + dir + "/bin'\"$PWD\"/tests\n"
	if err := os.WriteFile(keep, []byte(script), 0o700); err != nil {
		return nil, err
	}
	args := append([]string{"test", "-vet=off", "-count=1", "-ldflags=-s -w", "-overlay=" + overlay, "-exec=" + keep}, packages...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = r.module.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, &buildError{string(out)}
	}
	for _, path := range packages {
		p := r.module.packages[path]
		b := &binary{pkg: path, dir: p.Dir, file: filepath.Join(dir, "bin", p.Dir, "tests")}
		if _, err := os.Stat(b.file); err != nil {
			continue // no tests
		}
		all = append(all, b)
	}
	return all, nil
}

type buildError struct{ output string }

func (e *buildError) Error() string { return "build: " + e.output }

// packages returns those that the error names.
func (e *buildError) packages() (all []string) {
	for line := range strings.Lines(e.output) {
		if path, ok := strings.CutPrefix(line, "# "); ok {
			path, _, _ = strings.Cut(strings.TrimSpace(path), " ")
			all = append(all, path)
		}
	}
	return all
}

// measure lists the tests of a binary and runs each without a change. Those that fail are left out.
func (r *run) measure(ctx context.Context, b *binary) error {
	cmd := exec.CommandContext(ctx, b.file, "-test.list=^(Test|Example|Fuzz)")
	cmd.Dir = b.dir
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", b.pkg, err)
	}
	for _, name := range strings.Fields(string(out)) {
		res := r.exec(ctx, b, []string{name}, "track", r.limit)
		if !res.ok {
			if ctx.Err() == nil {
				fmt.Fprintf(os.Stderr, "mutate: %s of %s fails without a change, or uses more than %v: left out\n", name, b.pkg, r.limit)
			}
			continue
		}
		b.tests = append(b.tests, &test{name: name, cpu: res.cpu, reaches: res.reached})
	}
	return ctx.Err()
}

type result struct {
	ok      bool
	failed  string // the first test that did, "" if unknown
	cpu     time.Duration
	reached map[int]bool
}

// mostMemory is how much address space a process may use, in KiB: a change may ask for memory without end.
const mostMemory = 12 << 20

// exec runs tests of a binary until the first one fails. Mode is the number of a change, or "track".
func (r *run) exec(ctx context.Context, b *binary, names []string, mode string, limit time.Duration) (res result) {
	seconds := int(limit/time.Second) + 1
	script := fmt.Sprintf(`printf %%s %s > '%s'/$$; ulimit -t %d; ulimit -v %d; exec "$@"`, mode, r.switches, seconds, mostMemory)
	ctx, stop := context.WithTimeout(ctx, 5*limit+time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, "sh", "-c", script, "sh", b.file,
		"-test.run=^("+strings.Join(names, "|")+")$", "-test.failfast", "-test.paniconexit0", "-test.timeout="+(5*limit+time.Minute).String())
	cmd.Dir = b.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	out := &head{}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		return res
	}
	res.ok = cmd.Wait() == nil
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it started and left
	res.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	res.failed = failedTest(out.String())
	name := filepath.Join(r.switches, strconv.Itoa(cmd.Process.Pid))
	res.reached = map[int]bool{}
	if text, err := os.ReadFile(name + ".reached"); err == nil {
		for _, field := range strings.Fields(string(text)) {
			if n, err := strconv.Atoi(field); err == nil {
				res.reached[n] = true
			}
		}
	}
	os.Remove(name)
	os.Remove(name + ".reached")
	return res
}

// failedTest returns the first test that an output says has failed.
func failedTest(out string) string {
	for line := range strings.Lines(out) {
		if text, ok := strings.CutPrefix(line, "--- FAIL: "); ok {
			name, _, _ := strings.Cut(text, " ")
			return name
		}
	}
	return ""
}

// head keeps the first part of an output.
type head struct{ bytes.Buffer }

func (h *head) Write(p []byte) (int, error) {
	if room := 1<<20 - h.Len(); room > 0 {
		h.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// notice runs the tests of binaries that choose accepts, the cheapest first, and returns the one that fails because of a
// change: "package: test".
func (r *run) notice(ctx context.Context, binaries []*binary, number int, choose func(*test) bool) string {
	type job struct {
		binary *binary
		tests  []*test
		cpu    time.Duration
	}
	var jobs []job
	for _, b := range binaries {
		var cheap, others job
		for _, t := range b.tests {
			if !choose(t) {
				continue
			}
			j := &others
			if t.cpu < cheapTest {
				j = &cheap
			}
			j.tests = append(j.tests, t)
			j.cpu += t.cpu
		}
		for _, j := range []job{cheap, others} {
			if len(j.tests) > 0 {
				j.binary = b
				jobs = append(jobs, j)
			}
		}
	}
	slices.SortFunc(jobs, func(a, b job) int { return cmp.Compare(a.cpu, b.cpu) })
	for _, j := range jobs {
		if by := r.fails(ctx, j.binary, j.tests, number); by != "" {
			return by
		}
	}
	return ""
}

// cheapTest is the processor time of a test below which it runs before others of its package.
const cheapTest = 150 * time.Millisecond

// fails returns the first of tests that fails with a change and passes without it. The number is 0 if the change is part of
// the binary.
func (r *run) fails(ctx context.Context, b *binary, tests []*test, number int) string {
	tests = slices.Clone(tests)
	for len(tests) > 0 && ctx.Err() == nil {
		var names []string
		limit := 5 * time.Second
		for _, t := range tests {
			names = append(names, t.name)
			limit += 10 * t.cpu
		}
		limit = min(limit, r.limit)
		res := r.exec(ctx, b, names, strconv.Itoa(number), limit)
		if res.ok || ctx.Err() != nil {
			return ""
		}
		if res.failed == "" {
			return b.pkg // it crashed, or used too much
		}
		if number == 0 || r.exec(ctx, b, []string{res.failed}, "0", r.limit).ok {
			return b.pkg + ": " + res.failed
		}
		fmt.Fprintf(os.Stderr, "mutate: %s of %s fails sometimes without a change\n", res.failed, b.pkg)
		tests = slices.DeleteFunc(tests, func(t *test) bool { return t.name == res.failed })
	}
	return ""
}
