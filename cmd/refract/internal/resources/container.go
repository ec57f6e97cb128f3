// Package resources decides how many jobs a run has, by the memory that a container leaves it, and when its
// garbage is collected.
package resources

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/extract"
)

// Machine has the files of the machine in which the limit of a container is looked up. Tests replace it.
var Machine fs.FS = os.DirFS("/")

// jobsThatFit returns how many of jobs fit into the memory of the container, at least 1. Each job needs the
// memory that docs/limits.md promises for documents of up to maxEntity bytes, and all jobs together need
// more bytes in addition. The note says why there are fewer than jobs, or is "".
func jobsThatFit(jobs int, maxEntity, more int64) (fit int, note string) {
	limit, ok := memoryLimit(Machine)
	if !ok {
		return jobs, ""
	}
	each := MemoryOfJob + MemoryOfBytes*cmp.Or(max(maxEntity, 0), extract.MaxEntity)
	fit = int(max(1, min((limit-more)/each, int64(jobs))))
	if fit >= jobs {
		return jobs, ""
	}
	return fit, fmt.Sprintf("%s in place of %d: the container has %d MiB of memory (--jobs sets the number, --max-entity what each needs)",
		cli.Count(fit, "job"), jobs, limit>>20)
}

// FitJobs lowers *jobs, the default, to what fits into the memory of the container, with a note.
func FitJobs(stderr io.Writer, quiet bool, jobs *int, maxEntity, more int64) {
	fit, note := jobsThatFit(*jobs, maxEntity, more)
	if note != "" && !quiet {
		fmt.Fprintf(stderr, "refract: %s\n", note)
	}
	*jobs = fit
}

// The memory of a search is bounded: MemoryOfJob and MemoryOfBytes times the largest entity for each job,
// plus --memory.
const (
	MemoryOfJob   = 32 << 20
	MemoryOfBytes = 4
)
