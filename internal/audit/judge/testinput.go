package judge

import (
	"maps"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/slash"
)

// Documents that tests read are broken on purpose, or are right where a test copies them to.
// A reference in one that points nowhere is not checked, but counted; one that points somewhere is
// checked as anywhere, since documents may refer to it in turn.

// inputDirs are the names of directories that hold what tests read, and nothing else.
var inputDirs = []string{
	"testdata", "test-data", "test_data", "testfiles", "test-files", "test_files", "fixture", "fixtures", "test-fixtures", "test_fixtures",
	"testfixtures", "__fixtures__", "__testfixtures__", "__snapshots__", "__mocks__", "expected",
}

// testDirs are the names of directories of tests and benchmarks, if programs are in them.
// Documents for readers may be among these: README.md.
var testDirs = []string{
	"test", "tests", "__tests__", "e2e", "bench", "benches", "benchmark", "benchmarks", "benchmarking", "playground", "playgrounds",
}

// specDirs are directories of tests if files of tests are in them: a specification may be there as well.
var specDirs = []string{"spec", "specs"}

// docDirs are directories of documentation, in which "test" is a subject.
var docDirs = []string{"doc", "docs", "documentation"}

var inTestInput = reason.New(reason.Templated, "test-input", "in an input of tests: --tests checks it")

// NotReported returns why findings in d are counted but not reported; the zero value if they are reported.
// Findings in documents given on the command line are always reported.
func (a *Judge) NotReported(d *doc.Document) reason.Reason {
	switch {
	case d.File.Named || d.Top == "":
	case !a.WithTests && a.isTestInput(d):
		return inTestInput
	case a.isVendored(d):
		return inVendored
	}
	return reason.Reason{}
}

// isTestInput reports whether d is read by tests, by the names of its directories below the audited
// directory. A page that a site publishes is not, unless the whole site is in such a directory.
func (a *Judge) isTestInput(d *doc.Document) bool {
	dir := d.Dir()
	if s := d.Layout.Generated; s != nil {
		dir = s.Dir
	}
	return a.IsInTests(d.Top, dir+"/x") && !a.isForReaders(d, dir)
}

// IsInTests reports whether a file below top, a directory, is in one of tests, by the names of the
// directories that it is in.
func (a *Judge) IsInTests(top, file string) bool {
	dir := path.Dir(file)
	rest, ok := strings.CutPrefix(dir, strings.TrimSuffix(top, "/")+"/")
	return ok && a.TestInput.Get([2]string{top, dir}, func([2]string) bool { return a.isInTests(top, strings.Split(rest, "/")) })
}

// isForReaders reports whether d, in a directory of tests, is documentation of them: README.md, but not one
// deep in a directory of inputs.
func (a *Judge) isForReaders(d *doc.Document, dir string) bool {
	if d.Dir() != dir || !doc.IsReadme(d.Base()) && !strings.HasPrefix(strings.ToLower(d.Base()), "contributing.") {
		return false
	}
	above := strings.Split(strings.TrimPrefix(path.Dir(dir), d.Top), "/")
	return !slices.ContainsFunc(above, func(name string) bool { return slices.Contains(inputDirs, strings.ToLower(name)) })
}

// isInTests reports whether one of the directories of a path below top is one of tests.
func (a *Judge) isInTests(top string, names []string) bool {
	isDocs := false
	dir := top
	for i, name := range names {
		dir += "/" + name
		lower := strings.ToLower(name)
		switch {
		case slices.Contains(inputDirs, lower):
			return true
		case lower == "resources" && i > 0 && names[i-1] == "test": // src/test/resources of Maven and Gradle
			return true
		case isDocs:
		case slices.Contains(testDirs, lower) && a.holdsProgram(dir, isProgram):
			return true
		case slices.Contains(specDirs, lower) && a.holdsProgram(dir, isSpec):
			return true
		}
		isDocs = isDocs || slices.Contains(docDirs, lower)
	}
	return false
}

// holdsProgram reports whether a file that is one by its name is in a directory, or not deep below it.
func (a *Judge) holdsProgram(dir string, is func(name string) bool) bool {
	const most, deepest = 200, 3 // directories, levels
	type entry struct {
		dir   string
		depth int
	}
	queue := []entry{{dir, 0}}
	for i := 0; i < len(queue) && i < most; i++ {
		l := a.Files.List(queue[i].dir)
		for _, name := range slices.Sorted(maps.Keys(l.Names)) {
			switch mode := l.Names[name]; {
			case !mode.IsDir() && is(name):
				return true
			case mode.IsDir() && queue[i].depth < deepest && len(queue) < most:
				queue = append(queue, entry{queue[i].dir + "/" + name, queue[i].depth + 1})
			}
		}
	}
	return false
}

// programSuffixes are those of source files of programs.
var programSuffixes = []string{
	".bash", ".bats", ".c", ".cc", ".cjs", ".clj", ".cpp", ".cs", ".cts", ".cxx", ".d", ".dart", ".el", ".erl", ".ex", ".exs", ".f90", ".fs",
	".go", ".groovy", ".hs", ".java", ".jl", ".js", ".jsx", ".kt", ".lua", ".m", ".mjs", ".ml", ".mts", ".nim", ".php", ".pl", ".pm", ".py",
	".r", ".rb", ".rs", ".scala", ".sh", ".sql", ".svelte", ".swift", ".t", ".tcl", ".ts", ".tsx", ".vala", ".vim", ".vue", ".zig",
}

func isProgram(name string) bool {
	return slices.Contains(programSuffixes, strings.ToLower(path.Ext(name)))
}

// isSpec reports whether a program is a specification as RSpec and others mean it: x_spec.rb, x.spec.ts.
func isSpec(name string) bool {
	stem := slash.Stem(name)
	return isProgram(name) && (strings.HasSuffix(stem, "_spec") || strings.HasSuffix(stem, ".spec") || strings.HasSuffix(stem, "-spec") || stem == "spec_helper")
}
