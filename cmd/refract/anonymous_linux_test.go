package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/testing/scantest"
)

// Running text takes at most 20 MiB of memory that is not a file's, with one job, and a mailbox of
// ordinary messages 25 MiB, at any size. The memory is sampled, so a short peak may be missed.
func TestAnonymousMemory(t *testing.T) {
	scantest.Long(t, "measures memory")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(self, filepath.Join(dir, "refract")); err != nil {
		t.Fatal(err)
	}
	prose := strings.Repeat("It was the best of times, it was the worst of times.\n", 40)
	message := "From a@b Tue Apr  1 09:28:56 1997\nReceived: from h by h;\n\tTue, 1 Apr 1997 09:28:56 +0000\nFrom: Ann <a@b>\nSubject: =?utf-8?q?caf=C3=A9?=\nMessage-ID: <%d@h>\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\ncaf=E9 http://h/%d\n" + prose + "\n"
	for _, c := range []struct {
		name  string
		text  string
		bound int
	}{
		{"a.txt", prose + "See http://h/%d and www.h.example/%d.\n", 20 << 10},
		{"a.mbox", message, 25 << 10},
	} {
		for _, size := range []int{24 << 20, 96 << 20} {
			var src bytes.Buffer
			for i := 0; src.Len() < size; i++ {
				fmt.Fprintf(&src, c.text, i, i)
			}
			name := filepath.Join(dir, c.name)
			if err := os.WriteFile(name, src.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(filepath.Join(dir, "refract"), "-j", "1", "-o", os.DevNull, name)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			peak := 0
			for running := true; running; {
				select {
				case err := <-ended:
					if err != nil {
						t.Fatal(err)
					}
					running = false
				case <-time.After(2 * time.Millisecond):
					peak = max(peak, anonymous(cmd.Process.Pid))
				}
			}
			t.Logf("%s, %d bytes: %d KiB", c.name, size, peak)
			if peak > c.bound || peak == 0 {
				t.Errorf("%s, %d bytes: %d KiB, of %d", c.name, size, peak, c.bound)
			}
		}
	}
}

// anonymous returns how many KiB of memory of a process belong to no file; 0 if it has ended.
func anonymous(pid int) int {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, value, _ := strings.Cut(string(status), "RssAnon:")
	n := 0
	fmt.Sscan(value, &n)
	return n
}
