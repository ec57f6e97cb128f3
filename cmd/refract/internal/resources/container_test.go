package resources

import (
	"strings"
	"testing"
	"testing/fstest"
)

// As many jobs run as fit into the memory of a container.
func TestJobsThatFit(t *testing.T) {
	for _, tt := range []struct {
		memory          string
		jobs            int
		maxEntity, more int64
		want            int
		note            string
	}{
		{"max", 64, 32 << 20, 0, 64, ""},
		{"17179869184", 64, 32 << 20, 0, 64, ""},
		{"1073741824", 8, 32 << 20, 0, 6, "6 jobs in place of 8: the container has 1024 MiB of memory (--jobs sets the number, --max-entity what each needs)"},
		{"1073741824", 8, 0, 0, 6, "6 jobs in place of 8: the container has 1024 MiB"},
		{"1073741824", 6, 32 << 20, 0, 6, ""},
		{"1073741824", 8, 1 << 20, 0, 8, ""},
		{"1073741824", 8, 32 << 20, 512 << 20, 3, "3 jobs in place of 8"},
		{"67108864", 8, 32 << 20, 512 << 20, 1, "1 job in place of 8: the container has 64 MiB"},
		{"67108864", 1, 32 << 20, 0, 1, ""},
	} {
		inContainer(t, tt.memory)
		fit, note := jobsThatFit(tt.jobs, tt.maxEntity, tt.more)
		if fit != tt.want || !strings.HasPrefix(note, tt.note) || (note == "") != (tt.note == "") {
			t.Errorf("%s, %d: %d %q, want %d %q", tt.memory, tt.jobs, fit, note, tt.want, tt.note)
		}
	}
}

// inContainer makes this machine a container with so much memory, during a test.
func inContainer(t *testing.T, memory string) {
	t.Helper()
	before := Machine
	t.Cleanup(func() { Machine = before })
	Machine = fstest.MapFS{
		"proc/self/cgroup":         {Data: []byte("0::/\n")},
		"sys/fs/cgroup/memory.max": {Data: []byte(memory + "\n")},
	}
}
