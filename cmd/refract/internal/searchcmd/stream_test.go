package searchcmd

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

// Each reference in a pipe is printed before more is written to it.
func TestStream(t *testing.T) {
	for _, args := range [][]string{nil, {"--jobs", "1"}, {"--unique"}, {"--json"}, {"-n"}, {"--line-buffered", "--jobs", "4"}, {"-t", "text", "-"}} {
		t.Run("", func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // not to wait for a line that never comes
			defer cancel()
			cmd := exec.CommandContext(ctx, "refract", args...)
			cmd.Stderr = os.Stderr
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			stdout, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			out := bufio.NewReader(stdout)
			for _, text := range []string{"http://a.example/1\n", "no reference\nhttp://b.", "example/2 and\n", "http://c.example/3\nhttp://d."} {
				if _, err := io.WriteString(in, text); err != nil {
					t.Fatal(err)
				}
				if text == "no reference\nhttp://b." {
					continue
				}
				if line, err := out.ReadString('\n'); err != nil {
					t.Fatalf("%q after %q: %v", line, text, err)
				}
			}
			in.Close()
			if rest, err := io.ReadAll(out); err != nil || len(rest) == 0 {
				t.Errorf("%q, %v after the end", rest, err)
			}
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
}
