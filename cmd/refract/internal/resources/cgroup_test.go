package resources

import (
	"testing"
	"testing/fstest"
)

func TestMemoryLimit(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  int64 // 0: none
	}{
		{"not Linux", nil, 0},
		{"version 2 in a container", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "536870912\n"}, 512 << 20},
		{"version 2 without a limit", map[string]string{"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": "max\n"}, 0},
		{"the limit of a group around", map[string]string{
			"proc/self/cgroup":               "0::/a/b/c\n",
			"sys/fs/cgroup/a/b/c/memory.max": "max\n", "sys/fs/cgroup/a/b/memory.max": "2000\n", "sys/fs/cgroup/a/memory.max": "1000\n",
		}, 1000},
		{"the least is that of the process", map[string]string{
			"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "500\n", "sys/fs/cgroup/a/memory.max": "1000\n",
		}, 500},
		{"another group", map[string]string{"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/b/memory.max": "500\n"}, 0},
		{"outside of the namespace", map[string]string{"proc/self/cgroup": "0::/../../x\n", "sys/fs/cgroup/memory.max": "700\n"}, 700},
		{"version 1", map[string]string{
			"proc/self/cgroup": "9:name=systemd:/\n4:cpu,memory:/docker/1\n", "sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes": "4096\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
		}, 4096},
		{"version 1 without a limit", map[string]string{
			"proc/self/cgroup": "4:memory:/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
		}, 0},
		{"version 1 in a container that sees only its group", map[string]string{
			"proc/self/cgroup": "4:memory:/docker/1\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "8192\n",
		}, 8192},
		{"both versions", map[string]string{
			"proc/self/cgroup": "4:memory:/a\n0::/u\n", "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "8192\n", "sys/fs/cgroup/unified/u/memory.max": "4096\n",
		}, 4096},
		{"damaged", map[string]string{"proc/self/cgroup": "x\n::\n0::\n:memory\n", "sys/fs/cgroup/memory.max": "-1\n"}, 0},
		{"no number", map[string]string{"proc/self/cgroup": "0::/", "sys/fs/cgroup/memory.max": "99999999999999999999\n"}, 0},
	} {
		root := fstest.MapFS{}
		for name, text := range tt.files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		got, ok := memoryLimit(root)
		if ok != (tt.want > 0) || ok && got != tt.want {
			t.Errorf("%s: %d, %v, want %d", tt.name, got, ok, tt.want)
		}
	}
}
