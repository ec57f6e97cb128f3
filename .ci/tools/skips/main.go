// Skips reads the output of "go test -json", prints the results of packages and the output of failing
// tests, and fails if a test was skipped that a list does not name.
//
//	go test -json ./... | skips [-plain] LIST MODULE
//
// With -plain, the list need not name tests that are skipped because they are long: REFRACT_LONG=1 runs
// these.
//
// Each line of LIST has a package, relative to the path of the module, the name of a test, and what the
// test needs, separated by tabs. The name of a test also stands for its subtests; a subtest may be named by
// itself. Lines that begin with "#" are comments.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	isPlain := flag.Bool("plain", false, "long tests are skipped")
	flag.Parse()
	if flag.NArg() != 2 {
		fail("usage: skips [-plain] LIST MODULE <EVENTS")
	}
	list, err := os.ReadFile(flag.Arg(0))
	if err != nil {
		fail(err)
	}
	unnamed, err := report(os.Stdout, os.Stdin, string(list), flag.Arg(1), *isPlain)
	if err != nil {
		fail(err)
	}
	if unnamed > 0 {
		fail(unnamed, " tests were skipped that ", flag.Arg(0), " does not name")
	}
}

func fail(what ...any) {
	fmt.Fprintln(os.Stderr, "skips:", fmt.Sprint(what...))
	os.Exit(1)
}

// An event is a line that "go test -json" writes. See "go doc test2json".
type event struct{ Action, Package, Test, Output string }

// report prints the results of packages, what failed, and the skipped tests that the list does not name. It returns the
// number of the latter. If isPlain, long tests are not among them.
func report(w io.Writer, r io.Reader, list, module string, isPlain bool) (unnamed int, err error) {
	named := map[[2]string]bool{}
	for line := range strings.Lines(list) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 3 || f[2] == "" {
			return 0, fmt.Errorf("the list has no package, test and need, separated by tabs: %q", line)
		}
		named[[2]string{f[0], f[1]}] = true
	}
	output := map[[2]string]string{} // of tests that run
	for lines := bufio.NewReader(r); ; {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 && line[0] == '{' {
			var e event
			if err := json.Unmarshal(line, &e); err != nil {
				return unnamed, err
			}
			test := [2]string{e.Package, e.Test}
			switch {
			case e.Action == "output" && e.Test != "":
				output[test] += e.Output
			case e.Action == "output" && e.Output != "PASS\n", e.Action == "build-output":
				fmt.Fprint(w, e.Output)
			case e.Test == "":
			case e.Action == "fail":
				fmt.Fprint(w, output[test])
			case e.Action == "skip":
				_, pkg, _ := strings.Cut(e.Package, "/") // behind the path of the module
				_, pkg, _ = strings.Cut(pkg, "/")
				name, _, _ := strings.Cut(e.Test, "/")
				isLong := isPlain && strings.Contains(output[test], "set REFRACT_LONG=1")
				if !isLong && !named[[2]string{pkg, name}] && !named[[2]string{pkg, e.Test}] {
					unnamed++
					fmt.Fprintf(w, "skipped, but not named: %s %s\n%s", pkg, e.Test, output[test])
				}
			}
			if e.Action == "pass" || e.Action == "fail" || e.Action == "skip" {
				delete(output, test)
			}
		} else {
			fmt.Fprintf(w, "%s", line)
		}
		switch {
		case err == io.EOF:
			return unnamed, nil
		case err != nil:
			return unnamed, err
		}
	}
}
