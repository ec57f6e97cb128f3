package main

import (
	"bytes"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"example.org/refract/cmd/refract/internal/resources"
)

// All commands with jobs say when they run fewer. A number that is given, and silence that is asked for, stay.
func TestFewerJobsInContainer(t *testing.T) {
	if runtime.NumCPU() == 1 {
		t.Skip("one processor, one job")
	}
	before := resources.Machine
	t.Cleanup(func() { resources.Machine = before })
	resources.Machine = fstest.MapFS{
		"proc/self/cgroup":         {Data: []byte("0::/\n")},
		"sys/fs/cgroup/memory.max": {Data: []byte("104857600\n")},
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.md", []byte("[a](a.md) <http://h/>\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args string
		note bool
	}{
		{"a.md", true}, {"-j 2 a.md", false}, {"-q a.md", false},
		{"audit", true}, {"audit -j 2", false}, {"audit -q", false},
		{"rewrite --map http://h/=http://i/ --dry-run a.md", true}, {"rewrite -j 2 --map http://h/=http://i/ --dry-run a.md", false},
		{"mv --dry-run a.md b.md", true}, {"mv -q --dry-run a.md b.md", false},
	} {
		var out, errs bytes.Buffer
		if code := run(strings.Fields(tt.args), &out, &errs); code != 0 {
			t.Errorf("%s: status %d: %s", tt.args, code, errs.String())
		}
		if n := strings.Count(errs.String(), "refract: 1 job in place of "); n > 1 || (n == 1) != tt.note {
			t.Errorf("%s: %s", tt.args, errs.String())
		}
	}
}
