package resources

import (
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
)

// unlimited is the least value that is taken for no limit: version 1 writes the largest multiple of a page.
const unlimited = 1 << 60

// maxDepth is how many groups around that of the process are looked at.
const maxDepth = 64

// memoryLimit returns the least limit in bytes of the groups that this process is in, including the groups
// around them, for both versions of cgroups. root has the files of the machine, from "proc" and "sys" on.
// It returns false if there is no limit, or if it is not known: on systems other than Linux, for instance.
func memoryLimit(root fs.FS) (limit int64, ok bool) {
	groups, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0, false
	}
	limit = math.MaxInt64
	for line := range strings.Lines(string(groups)) {
		// "0::/path" is version 2, and "4:cpu,memory:/path" version 1.
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		switch {
		case len(fields) < 3:
		case fields[1] == "":
			limit = min(limit, least(root, "sys/fs/cgroup", fields[2], "memory.max"), least(root, "sys/fs/cgroup/unified", fields[2], "memory.max"))
		case slices.Contains(strings.Split(fields[1], ","), "memory"):
			limit = min(limit, least(root, "sys/fs/cgroup/memory", fields[2], "memory.limit_in_bytes"))
		}
	}
	return limit, limit < unlimited
}

// least returns the least limit in the file called name of a group and of the groups around it, up to where
// they are mounted. A container may see only its own group there, under another path than the process has:
// then that is the limit.
func least(root fs.FS, mount, group, name string) int64 {
	limit := int64(math.MaxInt64)
	for range maxDepth {
		group = path.Clean("/" + group)
		text, err := fs.ReadFile(root, path.Join(mount, group, name))
		if n, parseErr := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && parseErr == nil && n > 0 {
			limit = min(limit, n)
		}
		if group == "/" {
			break
		}
		group = path.Dir(group)
	}
	return limit
}
