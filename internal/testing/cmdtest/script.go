package cmdtest

import (
	"fmt"
	"io"
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

// serial is a test whose scripts run one after another, since a process has one working directory, one environment and
// one standard input.
type serial struct{ *testing.T }

func (serial) Parallel()     {}
func (serial) Verbose() bool { return testing.Verbose() }
func (t serial) Run(name string, f func(testscript.T)) {
	t.T.Run(name, func(t *testing.T) { f(serial{t}) })
}

// caller implements the line "call refract ...", which calls run in this process.
func caller(run func(args []string, stdout, stderr io.Writer) int) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if len(args) == 0 || args[0] != "refract" {
			ts.Fatalf("usage: call refract [args...]")
		}
		wd, err := os.Getwd()
		ts.Check(err)
		ts.Check(os.Chdir(ts.MkAbs(".")))
		stdin := os.Stdin
		os.Stdin, err = os.Open(os.DevNull)
		ts.Check(err)
		code := run(args[1:], ts.Stdout(), ts.Stderr())
		os.Stdin.Close()
		os.Stdin = stdin
		ts.Check(os.Chdir(wd))
		if (code != 0) != neg {
			ts.Fatalf("exit status %d", code)
		}
	}
}

// setEnv sets the environment of this process, and returns a function that restores it.
func setEnv(vars []string) (restore func()) {
	before := os.Environ()
	os.Clearenv()
	for _, v := range vars {
		name, value, _ := strings.Cut(v, "=")
		os.Setenv(name, value)
	}
	return func() { setEnv(before) }
}

// Scripts runs the scripts in a directory. The directory that each runs in has copies of the files.
//
// A line "call refract ..." calls run, the main function of refract, which returns the exit status. It does what
// "exec refract ..." does in a tenth of the time, but does not see what the lines "stdin" and "env" set.
//
// UPDATE=1 rewrites what scripts compare output with. The condition "caseless" says that the file system
// ignores case.
func Scripts(t *testing.T, dir string, run func(args []string, stdout, stderr io.Writer) int, files ...string) {
	testscript.RunT(serial{t}, testscript.Params{
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"call": caller(run)},
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
			env.Defer(setEnv(env.Vars))
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
