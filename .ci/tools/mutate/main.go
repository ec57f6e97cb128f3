//go:build unix

// Mutate changes a program at random places, one at a time, and lists the changes that no test notices.
//
//	mutate [-seed N] [-limit DURATION] [-own [-also PACKAGE,…]] [-jobs N] [-v] [N] [PACKAGE|FILE.go[:LINE[:COLUMN]]]...
//	mutate -open TABLE [-limit DURATION] [-own [-also PACKAGE,…]] [-jobs N] [-v] [PACKAGE]...
//
// It draws N places (default 20, 0 means all) from the packages, files or lines: comparisons, conditions, constants, and
// booleans that are returned. By default, these are all packages but the internal ones that only tests import. A change that
// does not compile is replaced by the next one drawn. Changes that no test can notice are not drawn: pointless.go has their
// kinds, and a file single ones, each with its reason. With -open, it tries those again that a table calls open, found by
// the text of their lines.
//
// All changes are compiled at once, each behind a switch (see schema.go). Then each test runs once without a change, which
// tells what it reaches and what it costs. For each change, the tests that reach it run: those of its package, then those
// of all others, until one fails. Tests that use much more processor time than without the change have noticed it: other
// programs on the machine do not matter. Nothing is written into the tree.
//
// The same seed draws the same places from the same files. The exit status is 1 if a change was not noticed, and 2 for
// an error.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() {
	var r run
	flag.Uint64Var(&r.seed, "seed", 1, "what the choice of places follows from")
	flag.DurationVar(&r.limit, "limit", 2*time.Minute, "how much processor time the tests of one package may use")
	flag.StringVar(&r.equivalent, "equivalent", "", "a file of changes that make no difference: file, column in the line's text, change, line, reason")
	flag.StringVar(&r.open, "open", "", "a table of changes, as testdata/mutation.tsv: try again those whose verdict begins with \"open\"")
	flag.BoolVar(&r.own, "own", false, "run only the tests of the package itself, which is much faster")
	flag.StringVar(&r.also, "also", "", "with -own: packages, separated by commas, whose tests run, too")
	flag.IntVar(&r.jobs, "jobs", 2, "how many changes to try at once")
	flag.BoolVar(&r.verbose, "v", false, "list each change that has been tried on standard error")
	flag.Parse()
	args := flag.Args()
	r.n = 20
	if len(args) > 0 {
		if n, err := strconv.Atoi(args[0]); err == nil && n >= 0 {
			r.n, args = n, args[1:]
		}
	}
	if r.open != "" {
		r.n = 0
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
	dir        string
	n          int // changes to try; 0 means all
	seed       uint64
	limit      time.Duration // of the tests of one package, in processor time
	own        bool          // run no tests of users
	also       string        // but of these, separated by commas
	equivalent string        // the name of a file, or ""
	open       string        // the name of a table, or ""
	jobs       int
	verbose    bool

	tmp      string
	switches string // the directory of schema.go
	module   *module
	binaries []*binary // of the schema
}

// packages tries changes in the packages or files that args name, writes those that no test notices, and returns their
// number.
func (r *run) packages(ctx context.Context, w io.Writer, args []string) (missed int, err error) {
	r.tmp, err = os.MkdirTemp("", "mutate")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(r.tmp)
	r.switches = filepath.Join(r.tmp, "switches")
	if err := os.Mkdir(r.switches, 0o700); err != nil {
		return 0, err
	}
	changes, err := r.changes(ctx, args)
	if err != nil {
		return 0, err
	}
	changes, invalid := r.draw(changes)
	if len(changes) > 0 {
		if err := r.prepare(ctx, changes); err != nil {
			return 0, err
		}
	}
	by := make([]string, len(changes))
	err = each(r.jobs, len(changes), func(i int) (err error) {
		by[i], err = r.try(ctx, changes[i])
		switch {
		case err != nil || !r.verbose:
		case by[i] != "":
			fmt.Fprintf(os.Stderr, "%v: noticed by %s\n", changes[i], by[i])
		default:
			fmt.Fprintf(os.Stderr, "%v: not noticed\n", changes[i])
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	for i, c := range changes {
		if by[i] != "" {
			continue
		}
		missed++
		note := ""
		if !r.isReached(c) {
			note = " (no test reaches it)"
		}
		fmt.Fprintf(w, "%v%s\n", c, note)
	}
	fmt.Fprintf(w, "%d of %d changes noticed; %d more did not compile (seed %d)\n", len(changes)-missed, len(changes), invalid, r.seed)
	return missed, nil
}

// each calls do for the numbers below n, and returns the first error.
func each(jobs, n int, do func(int) error) error {
	var wait sync.WaitGroup
	errs := make([]error, n)
	next := make(chan int)
	for range max(1, jobs) {
		wait.Go(func() {
			for i := range next {
				errs[i] = do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
	return errors.Join(errs...)
}

// changes returns all changes of the packages or files, in the order in which they are tried.
func (r *run) changes(ctx context.Context, args []string) ([]*change, error) {
	var err error
	r.module, err = readModule(ctx, r.dir)
	if err != nil {
		return nil, err
	}
	var open openRows
	isPart := len(args) > 0
	if r.open != "" {
		open, err = readOpen(r.open)
		if err != nil {
			return nil, err
		}
		if !isPart {
			args = open.packages()
		}
	}
	patterns, files, lines, err := r.places(args)
	if err != nil {
		return nil, err
	}
	chosen, err := r.module.choose(ctx, patterns)
	if err != nil {
		return nil, err
	}
	equivalent, err := readEquivalent(r.equivalent)
	if err != nil {
		return nil, err
	}
	known := readLimits(r.dir)
	var changes []*change
	for _, p := range chosen {
		if len(args) == 0 && p.Name != "main" && strings.Contains(p.ImportPath, "/internal/") && !r.module.imported[p.ImportPath] {
			continue // a helper of tests
		}
		if err := r.module.parse(p); err != nil {
			return nil, err
		}
		for _, f := range p.sources {
			if len(files) > 0 && !slices.Contains(files, f.name) {
				continue
			}
			all := slices.DeleteFunc(fileChanges(f, known), func(c *change) bool { return equivalent.has(c.key(r.dir)) })
			if at := lines[f.name]; at != nil {
				all = slices.DeleteFunc(all, func(c *change) bool {
					place := strings.TrimPrefix(c.String(), c.name())
					return !slices.ContainsFunc(at, func(line string) bool { return strings.HasPrefix(place, line) })
				})
			}
			if open != nil {
				all = slices.DeleteFunc(all, func(c *change) bool { return !open.has(c, r.dir) })
			}
			changes = append(changes, all...)
		}
	}
	for _, row := range open.gone() {
		if isPart {
			break // of another package, perhaps
		}
		fmt.Fprintf(os.Stderr, "mutate: no such change: %s\n", row)
	}
	if rows := equivalent.wrong(len(args) == 0); len(rows) > 0 {
		return nil, fmt.Errorf("%s: not the key of one change:\n%s", r.equivalent, strings.Join(rows, "\n"))
	}
	slices.SortFunc(changes, func(a, b *change) int {
		return cmp.Or(cmp.Compare(a.file.name, b.file.name), cmp.Compare(a.start, b.start), cmp.Compare(a.text, b.text))
	})
	rand.New(rand.NewPCG(r.seed, 0)).Shuffle(len(changes), func(i, j int) { changes[i], changes[j] = changes[j], changes[i] })
	return changes, nil
}

// places returns the packages that args name, the files, and by file ":LINE:" and ":LINE:COLUMN:".
func (r *run) places(args []string) (patterns, files []string, lines map[string][]string, err error) {
	lines = map[string][]string{}
	for _, arg := range args {
		if name, line, _ := strings.Cut(arg, ".go:"); strings.HasSuffix(arg, ".go") || line != "" {
			name = strings.TrimSuffix(name, ".go") + ".go"
			file, err := filepath.Abs(filepath.Join(r.dir, name))
			if err != nil {
				return nil, nil, nil, err
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
	return patterns, files, lines, nil
}

// draw returns the first n changes that compile, and the number of those before them that do not.
func (r *run) draw(all []*change) (changes []*change, invalid int) {
	for _, c := range all {
		if r.n > 0 && len(changes) == r.n {
			break
		}
		if !r.module.compiles(c.file, c.apply()) {
			invalid++
			continue
		}
		c.number = len(changes) + 1
		changes = append(changes, c)
	}
	return changes, invalid
}

// prepare compiles the schema and measures its tests.
func (r *run) prepare(ctx context.Context, changes []*change) error {
	for _, c := range changes {
		edits := r.module.edits(c, map[*source][]edit{})
		for f, list := range edits {
			c.isAlone = c.isAlone || !r.module.compiles(f, r.module.edited(f, list))
		}
	}
	var packages []string
	for _, p := range r.module.packages {
		if len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 && (!r.own || r.isAlso(p) || slices.ContainsFunc(changes, func(c *change) bool { return c.file.pkg == p })) {
			packages = append(packages, p.ImportPath)
		}
	}
	slices.Sort(packages)
	for {
		files, err := r.module.schema(changes, r.switches)
		if err != nil {
			return err
		}
		r.binaries, err = r.build(ctx, files, packages)
		var failed *buildError
		if err == nil {
			break
		}
		if !errors.As(err, &failed) || !separate(changes, failed.packages()) {
			return err
		}
	}
	return each(r.jobs, len(r.binaries), func(i int) error { return r.measure(ctx, r.binaries[i]) })
}

// isAlso reports whether the tests of a package run for the changes of others.
func (r *run) isAlso(p *packageOf) bool {
	return slices.ContainsFunc(strings.Split(r.also, ","), func(name string) bool { return p.ImportPath == r.module.path+"/"+name })
}

// separate says of the changes of packages that they are compiled alone, and whether this is new for one.
func separate(changes []*change, packages []string) (isNew bool) {
	for _, c := range changes {
		if !c.isAlone && slices.Contains(packages, c.file.pkg.ImportPath) {
			c.isAlone, isNew = true, true
		}
	}
	return isNew
}

// isReached reports whether a test reaches a change, and true if this is not known.
func (r *run) isReached(c *change) bool {
	return !r.isTracked(c) || slices.ContainsFunc(r.binaries, func(b *binary) bool {
		return slices.ContainsFunc(b.tests, func(t *test) bool { return t.reaches[c.number] })
	})
}

// try returns the package and test that notices a change, or "" if none does.
func (r *run) try(ctx context.Context, c *change) (by string, err error) {
	binaries, number := r.binaries, c.number
	users := r.module.users[c.file.pkg.ImportPath]
	if c.isAlone {
		number = 0
	}
	own := func(b *binary) bool { return b.pkg == c.file.pkg.ImportPath }
	others := func(b *binary) bool { return !own(b) }
	reaches := func(t *test) bool { return t.reaches[number] }
	if !r.isTracked(c) {
		others = func(b *binary) bool { return !own(b) && slices.Contains(users, b.pkg) }
		reaches = func(*test) bool { return true }
	}
	of := func(belongs func(*binary) bool) ([]*binary, error) {
		var chosen []*binary
		for _, b := range binaries {
			if belongs(b) {
				chosen = append(chosen, b)
			}
		}
		if c.isAlone {
			return r.alone(ctx, c, chosen)
		}
		return chosen, nil
	}
	for _, belongs := range []func(*binary) bool{own, others} {
		chosen, err := of(belongs)
		if failed := new(buildError); errors.As(err, &failed) {
			return "the compiler, in " + strings.Join(failed.packages(), " "), nil // which compiles without the tests
		}
		if err != nil {
			return "", err
		}
		if by := r.notice(ctx, chosen, number, reaches); by != "" || r.own && r.also == "" {
			return by, ctx.Err()
		}
	}
	return "", ctx.Err()
}

// isTracked reports whether it is known which tests reach a change.
func (r *run) isTracked(c *change) bool {
	if c.isAlone {
		return false
	}
	for _, list := range r.module.edits(c, map[*source][]edit{}) {
		return !list[0].isValue
	}
	return false
}

// alone compiles the tests of binaries with a change.
func (r *run) alone(ctx context.Context, c *change, binaries []*binary) ([]*binary, error) {
	var packages []string
	for _, b := range binaries {
		packages = append(packages, b.pkg)
	}
	if len(packages) == 0 {
		return nil, nil
	}
	built, err := r.build(ctx, map[string][]byte{c.file.name: c.apply()}, packages)
	for i := range built {
		built[i].tests = binaries[slices.IndexFunc(binaries, func(b *binary) bool { return b.pkg == built[i].pkg })].tests
	}
	return built, err
}
