package fix

import (
	"errors"
	"os"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/atomicfile/faulttest"
	"example.org/refract/internal/audit"
)

// Whichever call fails, a document has its old text or its new one, an error names it, and what is left, if it cannot be removed.
func TestWriteFaults(t *testing.T) {
	for _, killed := range []bool{false, true} {
		faulttest.Each(t, killed, func(fault *faulttest.Fault) string {
			t.Chdir(t.TempDir())
			write(t, "g.md", "")
			write(t, "a.md", "[x](G.md)")
			err := fault.Do(func() error {
				for _, f := range files(t, audit.Options{}, "a.md") {
					if err := f.Write(); err != nil {
						return err
					}
				}
				return nil
			})
			text, _ := os.ReadFile("a.md")
			switch {
			case string(text) == "[x](g.md)":
			case string(text) != "[x](G.md)" || err == nil:
				t.Errorf("%q, %v", text, err)
			case !strings.HasPrefix(err.Error(), "fix: ") || !strings.Contains(err.Error(), "a.md"):
				t.Error(err)
			case !errors.Is(err, faulttest.Err) && !strings.Contains(err.Error(), "no temporary file could be made"):
				t.Error(err)
			}
			entries, _ := os.ReadDir(".")
			for _, e := range entries {
				if e.Name() != "a.md" && e.Name() != "g.md" && !killed && (err == nil || !strings.Contains(err.Error(), e.Name())) {
					t.Errorf("%s is left; %v", e.Name(), err)
				}
			}
			return ""
		})
	}
}
