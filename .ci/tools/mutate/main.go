//go:build unix

// Mutate changes a program at random places, one at a time, and lists the changes that no test notices.
//
//	mutate [-seed N] [-limit DURATION] [-own] [-v] [N] [PACKAGE|FILE.go[:LINE[:COLUMN]]]...
//
// It draws N places (default 20, 0 means all) from the packages, files or lines: comparisons, conditions, constants, and
// booleans that are returned. By default, these are all packages but the internal ones that only tests import. For each
// place, it runs the tests of the package and then, if they pass, those of the packages that import it. The changed file
// is an overlay: nothing is written into the tree. A change that does not compile is replaced by the next one drawn.
// Tests of a package that use more processor time than the limit have noticed the change: other programs on the machine do
// not matter. Those of its users together may take five times as long, and have noticed nothing then.
//
// The same seed draws the same places from the same files. The exit status is 1 if a change was not noticed, and 2 for
// an error.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	var r run
	flag.Uint64Var(&r.seed, "seed", 1, "what the choice of places follows from")
	flag.DurationVar(&r.limit, "limit", 2*time.Minute, "how much processor time the tests of one package may use")
	flag.BoolVar(&r.own, "own", false, "run only the tests of the package itself, which is much faster")
	flag.BoolVar(&r.verbose, "v", false, "list noticed changes, too, on standard error")
	flag.Parse()
	args := flag.Args()
	r.n = 20
	if len(args) > 0 {
		if n, err := strconv.Atoi(args[0]); err == nil && n >= 0 {
			r.n, args = n, args[1:]
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	missed, err := r.packages(ctx, os.Stdout, args)
	stop()
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	case missed > 0:
		os.Exit(1)
	}
}

// A run tries changes in the module of the directory dir ("" means the working directory).
type run struct {
	dir     string
	n       int // changes to try; 0 means all
	seed    uint64
	limit   time.Duration // of the tests of one package, in processor time
	own     bool          // run no tests of users
	verbose bool

	tmp     string
	users   map[string][]string // by import path: the packages that import it, tests included
	passing map[string]bool     // packages whose tests pass without a change
	failing map[string]bool     // and those whose tests do not
}

// A listed is what "go list -json" says of a package.
type listed struct {
	Dir, ImportPath, Name              string
	GoFiles, CgoFiles                  []string
	Imports, TestImports, XTestImports []string
}

// packages tries changes in the packages or files that args name, writes those that no test notices, and returns their
// number.
func (r *run) packages(ctx context.Context, w io.Writer, args []string) (missed int, err error) {
	r.tmp, err = os.MkdirTemp("", "mutate")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(r.tmp)
	r.failing, r.passing = map[string]bool{}, map[string]bool{}
	changes, err := r.changes(ctx, args)
	if err != nil {
		return 0, err
	}
	tried, invalid := 0, 0
	for _, c := range changes {
		if r.n > 0 && tried == r.n {
			break
		}
		by, err := r.try(ctx, c)
		switch {
		case err != nil:
			return missed, err
		case by == notCompiled:
			invalid++
			continue
		case by == "":
			missed++
			fmt.Fprintln(w, c)
		case r.verbose:
			fmt.Fprintf(os.Stderr, "%v: noticed by %s\n", c, by)
		}
		tried++
	}
	fmt.Fprintf(w, "%d of %d changes noticed; %d more did not compile (seed %d)\n", tried-missed, tried, invalid, r.seed)
	return missed, nil
}

// changes returns all changes of the packages or files, in the order in which they are tried.
func (r *run) changes(ctx context.Context, args []string) ([]change, error) {
	var patterns, files []string
	lines := map[string][]string{} // by file: ":LINE" and ":LINE:COLUMN"
	for _, arg := range args {
		if name, line, _ := strings.Cut(arg, ".go:"); strings.HasSuffix(arg, ".go") || line != "" {
			name = strings.TrimSuffix(name, ".go") + ".go"
			file, err := filepath.Abs(filepath.Join(r.dir, name))
			if err != nil {
				return nil, err
			}
			files = append(files, file)
			if line != "" {
				lines[file] = append(lines[file], ":"+line+":")
			}
			arg = filepath.Dir(name)
		}
		if info, err := os.Stat(filepath.Join(r.dir, arg)); err == nil && info.IsDir() { // or it would name a package of Go
			arg = "./" + arg
		}
		patterns = append(patterns, arg)
	}
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	all, err := r.list(ctx, "./...")
	if err != nil {
		return nil, err
	}
	r.users = map[string][]string{}
	imported := map[string]bool{} // not only by tests
	for _, p := range all {
		for _, path := range p.Imports {
			imported[path] = true
		}
		imports := slices.Concat(p.Imports, p.TestImports, p.XTestImports)
		slices.Sort(imports)
		for _, path := range slices.Compact(imports) {
			if path != p.ImportPath {
				r.users[path] = append(r.users[path], p.ImportPath)
			}
		}
	}
	chosen, err := r.list(ctx, patterns...)
	if err != nil {
		return nil, err
	}
	var changes []change
	for _, p := range chosen {
		if len(args) == 0 && p.Name != "main" && strings.Contains(p.ImportPath, "/internal/") && !imported[p.ImportPath] {
			continue // a helper of tests
		}
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
			file := filepath.Join(p.Dir, name)
			if len(files) > 0 && !slices.Contains(files, file) {
				continue
			}
			all, err := fileChanges(p.ImportPath, file)
			if err != nil {
				return nil, err
			}
			if at := lines[file]; at != nil {
				all = slices.DeleteFunc(all, func(c change) bool {
					place := strings.TrimPrefix(c.String(), c.name())
					return !slices.ContainsFunc(at, func(line string) bool { return strings.HasPrefix(place, line) })
				})
			}
			changes = append(changes, all...)
		}
	}
	slices.SortFunc(changes, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.start, b.start), cmp.Compare(a.text, b.text))
	})
	rand.New(rand.NewPCG(r.seed, 0)).Shuffle(len(changes), func(i, j int) { changes[i], changes[j] = changes[j], changes[i] })
	return changes, nil
}

func (r *run) list(ctx context.Context, patterns ...string) (all []listed, err error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-json=Dir,ImportPath,Name,GoFiles,CgoFiles,Imports,TestImports,XTestImports"}, patterns...)...)
	cmd.Dir, cmd.Stderr = r.dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		switch err := d.Decode(&p); {
		case err == io.EOF:
			return all, nil
		case err != nil:
			return nil, err
		}
		all = append(all, p)
	}
}

// notCompiled is what try returns for a change with which the package does not compile.
const notCompiled = "the compiler"

// try returns the package whose tests notice a change, or "" if none does.
func (r *run) try(ctx context.Context, c change) (by string, err error) {
	overlay, err := r.overlay(c)
	if err != nil {
		return "", err
	}
	if _, ok := r.command(ctx, overlay, "build", "-o", os.DevNull, c.pkg); !ok {
		return notCompiled, ctx.Err()
	}
	if by, ok := r.notice(ctx, overlay, []string{c.pkg}); ok || r.own {
		return by, ctx.Err()
	}
	short, stop := context.WithTimeout(ctx, 5*r.limit)
	defer stop()
	by, _ = r.notice(short, overlay, r.users[c.pkg])
	return by, ctx.Err()
}

// notice returns a package whose tests fail with a change, and pass without it.
func (r *run) notice(ctx context.Context, overlay string, packages []string) (by string, ok bool) {
	for ctx.Err() == nil {
		packages = slices.DeleteFunc(slices.Clone(packages), func(p string) bool { return r.failing[p] })
		if len(packages) == 0 {
			break
		}
		by, ok := r.test(ctx, overlay, packages)
		switch {
		case ok || ctx.Err() != nil:
			return "", false
		case !r.passing[by]:
			_, r.passing[by] = r.test(ctx, "", []string{by})
		}
		if r.passing[by] {
			return by, true
		}
		if ctx.Err() == nil {
			r.failing[by] = true
			fmt.Fprintf(os.Stderr, "mutate: the tests of %s fail without a change, or use more than %v: left out\n", by, r.limit)
		}
	}
	return "", false
}

// overlay writes the changed file, and the list for "go build -overlay", whose name it returns.
func (r *run) overlay(c change) (string, error) {
	changed, list := filepath.Join(r.tmp, "changed.go"), filepath.Join(r.tmp, "overlay.json")
	text, err := json.Marshal(map[string]map[string]string{"Replace": {c.file: changed}})
	if err != nil {
		return "", err
	}
	return list, errors.Join(os.WriteFile(changed, c.apply(), 0o600), os.WriteFile(list, text, 0o600))
}

// test runs the tests of packages until the first fails, whose name it returns. The overlay is in the environment, so that
// it applies to what the tests build.
func (r *run) test(ctx context.Context, overlay string, packages []string) (failed string, ok bool) {
	return r.command(ctx, overlay, append([]string{"test", "-vet=off", "-failfast", "-timeout", (10 * r.limit).String()}, packages...)...)
}

// command runs the go command and everything that it starts, until a line of its output begins with FAIL.
func (r *run) command(ctx context.Context, overlay string, args ...string) (failed string, ok bool) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	seconds := strconv.Itoa(int(r.limit/time.Second) + 1)
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", `ulimit -t "$0" && exec go "$@"`, seconds}, args...)...) // of each process
	cmd.Dir = r.dir
	cmd.Env = os.Environ()
	if overlay != "" {
		cmd.Env = append(cmd.Env, "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+overlay)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		return "", false
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) > 1 && fields[0] == "FAIL" {
			failed = fields[1]
			stop()
			break
		}
	}
	_, _ = io.Copy(io.Discard, out)
	return cmp.Or(failed, args[len(args)-1]), cmd.Wait() == nil && failed == ""
}
