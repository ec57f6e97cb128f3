package cmdtest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// Main runs the tests of a package, of which some run the command refract in processes of their own: Scripts, Shell and
// Measured. These processes run refract, a function that does not return. What they cover counts as covered by the package.
func Main(m *testing.M, refract func()) {
	testscript.Main(m, map[string]func(){"refract": refract, "measure": measure})
}

// Scripts runs the scripts in testdata/script. The directory of each has copies of the files. UPDATE=1 rewrites what
// scripts compare output with.
func Scripts(t *testing.T, files ...string) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
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
		UpdateScripts: os.Getenv("UPDATE") != "",
	})
}
