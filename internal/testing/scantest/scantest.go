// Package scantest provides helpers for the tests of scanners.
package scantest

import (
	"archive/tar"
	"fmt"
	"io"
	"iter"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mikelolasagasti/xz"
)

// Switch is the environment variable that enables the long tests: those that measure time, read the
// corpora beside the repository, stop processes at random moments, or take more than a second.
// Without it, tests are deterministic.
const Switch = "REFRACT_LONG"

// list is the environment variable with the name of a file, to which IsLong adds the tests that ask: those
// that do more if the long tests run. .ci/run runs no others again.
const list = "REFRACT_LONG_LIST"

// Tests scan many small things in one process: fewer collections save a seventh of their time. The program of a test may
// also run as the command, which collects as usual.
func init() {
	isTest := strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")
	if isTest && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// CollectAsUsual lets garbage grow as it does in programs until the test ends, for tests of how much memory is in use.
func CollectAsUsual(t *testing.T) {
	before := debug.SetGCPercent(100)
	t.Cleanup(func() { debug.SetGCPercent(before) })
}

// IsLong reports whether the long tests run.
func IsLong() bool {
	if name := os.Getenv(list); name != "" {
		noteAsked(name)
	}
	return os.Getenv(Switch) != ""
}

// IsShort reports whether tests leave out variations: for emulators of other systems, see .ci/wine.
func IsShort() bool { return testing.Short() }

// packageDir is the directory of the package whose tests run. They may leave it.
var packageDir, _ = os.Getwd()

// asked holds the tests that noteAsked has written.
var asked sync.Map

// noteAsked appends the name of the running test to a file, once: that of the outermost function of the
// stack which is a test, or contains the function that is. Where there is none, such as in a goroutine of a
// helper, it is ".", which stands for all tests of the package.
func noteAsked(file string) {
	pcs := make([]uintptr, 256)
	stack := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	test := "."
	for more := true; more; {
		var f runtime.Frame
		f, more = stack.Next()
		if name := testName(f.Function); name != "" {
			test = name
		}
	}
	if _, again := asked.LoadOrStore(test, true); again {
		return
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	fmt.Fprintf(f, "%s\t%s\n", packageDir, test) // one write: packages append at the same time
}

// testName returns the name of the test that a function is, or is within: "TestX" of "h/m/p.TestX.func1";
// "" if it is in none.
func testName(function string) string {
	_, name, _ := strings.Cut(function[strings.LastIndexByte(function, '/')+1:], ".")
	name, _, _ = strings.Cut(name, ".")
	for _, prefix := range []string{"Test", "Fuzz", "Example"} {
		if strings.HasPrefix(name, prefix) {
			return name
		}
	}
	return ""
}

// Amount returns plain, or long if the long tests run.
func Amount(plain, long int) int {
	if IsLong() {
		return long
	}
	return plain
}

// Long skips the test unless the long tests run. reason says why the test is long.
func Long(tb testing.TB, reason string) {
	tb.Helper()
	if !IsLong() {
		tb.Skipf("%s; set %s=1", reason, Switch)
	}
}

// Shared returns the path of a file or directory that is kept beside the repository, not in it,
// because it belongs to others. It skips the test if the file is missing, or if the long tests do
// not run.
func Shared(tb testing.TB, name string) string {
	tb.Helper()
	Long(tb, "reads "+name+" beside the repository")
	path := beside(name)
	if _, err := os.Stat(path); err != nil {
		tb.Skip("not beside the repository: ", err)
	}
	return path
}

// beside returns the path of a file or directory beside the repository, whose root has a go.mod. The path of this file,
// which the compiler records, would not do: with -trimpath it is none.
func beside(name string) string {
	root := packageDir
	for filepath.Dir(root) != root {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		root = filepath.Dir(root)
	}
	return filepath.Join(root, "../shared", filepath.FromSlash(name))
}

// Corpus returns the files of a corpus beside the repository whose names end in one of suffixes,
// and their total size in bytes. It skips the test as [Shared] does.
func Corpus(tb testing.TB, name string, suffixes ...string) (files [][]byte, size int64) {
	tb.Helper()
	for file, src := range Files(tb, name) {
		if slices.Contains(suffixes, path.Ext(file)) {
			files = append(files, src)
			size += int64(len(src))
		}
	}
	return files, size
}

// Files yields the files of a corpus beside the repository with their names, in the order of the
// archive. It skips the test as [Shared] does.
func Files(tb testing.TB, name string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		tb.Helper()
		f, err := os.Open(Shared(tb, "corpus/"+name))
		if err != nil {
			tb.Fatal(err)
		}
		defer f.Close()
		x, err := xz.NewReader(f, 0)
		if err != nil {
			tb.Fatal(err)
		}
		for r := tar.NewReader(x); ; {
			h, err := r.Next()
			if err == io.EOF {
				return
			}
			if err != nil {
				tb.Fatal(err)
			}
			if h.Typeflag != tar.TypeReg {
				continue
			}
			src, err := io.ReadAll(r)
			if err != nil {
				tb.Fatal(err)
			}
			if !yield(h.Name, src) {
				return
			}
		}
	}
}

// A Shape is hostile input: a prefix, a part that is repeated as often as necessary, and a suffix.
type Shape [3]string

// Text returns an input of about size bytes.
func (s Shape) Text(size int) []byte {
	return []byte(s[0] + strings.Repeat(s[1], size/len(s[1])) + s[2])
}

// Shapes runs scan on each shape. If the long tests run, it fails the test if scan is not linear
// for one of them, from size bytes on. Otherwise the inputs are small, and nothing is timed.
func Shapes(t *testing.T, shapes []Shape, size int, scan func(src []byte)) {
	t.Helper()
	for _, s := range shapes {
		if !IsLong() {
			scan(s.Text(min(size, 1<<10)))
			continue
		}
		small, large := s.Text(size), s.Text(4*size)
		// Below 100 ns per byte, noise of the machine dominates, and limits that only one of the sizes reaches;
		// quadratic code takes thousands.
		Linear(t, fmt.Sprintf("%q + %q × n + %q", s[0], s[1], s[2]), time.Duration(100*4*size), func() { scan(small) }, func() { scan(large) })
	}
}

// Linear fails the test if long, which does four times the work of short, takes more than twice the CPU
// time of four runs of short, and also more than floor. Quadratic work takes four times as much; work that
// no longer fits into the caches of a busy machine, up to 1.6 times. Load can only make a run slower, so
// the best of several runs counts. Both measurements take about the same time, so that interruptions affect
// them alike. Unless the long tests run, Linear only runs short, once.
func Linear(t *testing.T, what string, floor time.Duration, short, long func()) {
	t.Helper()
	if !IsLong() {
		short()
		return
	}
	// The collector runs concurrently, and takes more time when the machine is busy.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	stopwatch := func(times int, run func()) time.Duration {
		start := Clock()
		for range times {
			run()
		}
		return Clock() - start
	}
	const patience = 20 * time.Second
	fast, slow := time.Hour, time.Hour
	for start := time.Now(); ; {
		runtime.GC()
		// long comes first: most scanners are so far below the floor that short need not run.
		slow = min(slow, stopwatch(1, long))
		if slow <= floor {
			return
		}
		fast = min(fast, stopwatch(4, short))
		if slow <= 2*fast {
			return
		}
		if time.Since(start) >= patience {
			t.Errorf("%s: %v four times, %v for four times as much", what, fast, slow)
			return
		}
	}
}
