package atomicfile

import (
	"os"
	"path/filepath"
	"testing"
)

// Forget lets this process sweep a directory again, as the next one would.
func Forget(dir string) { swept.Delete(dir) }

// Abandon makes a directory for temporary files in dir, as a killed run leaves it, and returns its name.
func Abandon(t *testing.T, dir string) string {
	t.Helper()
	name := filepath.Join(dir, dirPrefix+newProof())
	err := os.Mkdir(name, 0o700)
	if err == nil {
		err = os.WriteFile(filepath.Join(name, lockName), nil, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return name
}
