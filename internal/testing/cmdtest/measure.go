package cmdtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// measure runs its arguments as a command, and prints the status, the peak memory in bytes, and the CPU
// time. It runs in a separate process, because a process counts the memory of its parent.
func measure() {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	_ = cmd.Run() // the status reports the error
	fmt.Println(cmd.ProcessState.ExitCode(), peakMemory(cmd.ProcessState), cmd.ProcessState.UserTime().Seconds())
}

// Measured returns a function that runs the command. It returns the status, the peak memory in bytes and
// the CPU time in seconds. Where memory cannot be measured, it skips the test.
func Measured(t *testing.T) func(args ...string) (code int, peak int64, seconds float64) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("memory is measured on Linux")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"refract", "measure"} {
		if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return func(args ...string) (code int, peak int64, seconds float64) {
		t.Helper()
		out, err := exec.Command(filepath.Join(dir, "measure"), append([]string{filepath.Join(dir, "refract")}, args...)...).Output()
		if _, scanErr := fmt.Sscan(string(out), &code, &peak, &seconds); scanErr != nil {
			t.Fatalf("%q: %v, %v", args, err, scanErr)
		}
		return code, peak, seconds
	}
}
