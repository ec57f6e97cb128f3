package cmdtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// Main runs the tests of a package, some of which run the command refract in processes of their own:
// Scripts, Shell and Measured. These processes run refract, a function that does not return. Their coverage
// counts as coverage of the package.
func Main(m *testing.M, refract func()) {
	testscript.Main(m, map[string]func(){"refract": refract, "measure": measure})
}

// isCaseless reports whether the file system of temporary files ignores case.
func isCaseless(t *testing.T) bool {
	_, err := os.Stat(strings.ToUpper(t.TempDir()))
	return err == nil
}

// Scripts runs the scripts in a directory. The directory that each runs in has copies of the files.
// UPDATE=1 rewrites what scripts compare output with. The condition "caseless" says that the file system
// ignores case.
func Scripts(t *testing.T, dir string, files ...string) {
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			for _, name := range files {
				text, err := os.ReadFile(name)
				if err != nil {
					return err
				}
				err = os.WriteFile(filepath.Join(env.WorkDir, filepath.Base(name)), text, 0o666)
				if err != nil {
					return err
				}
			}
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "caseless" {
				return false, fmt.Errorf("%q: no such condition", name)
			}
			return isCaseless(t), nil
		},
		UpdateScripts: os.Getenv("UPDATE") != "",
	})
}
