package scantest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"
)

// An Input makes hostile input of any size.
type Input struct {
	Name string
	Make func(size int) []byte // about size bytes
}

// Inputs returns the inputs of shapes.
func Inputs(shapes ...Shape) (all []Input) {
	for _, s := range shapes {
		name := fmt.Sprintf("%.24q × n", s[1])
		if s[0] != "" {
			name = fmt.Sprintf("%.24q + ", s[0]) + name
		}
		if s[2] != "" {
			name += fmt.Sprintf(" + %.24q", s[2])
		}
		all = append(all, Input{Name: name, Make: s.Text})
	}
	return all
}

// rowVariable is the environment variable that makes Table scan in a separate process. Its value is
// the index of the input, or allRows, and the size.
const rowVariable = "REFRACT_TABLE_ROW"

// allRows is the index that means all inputs, in sequence in one process.
const allRows = -2

// firstPass is the factor by which inputs of the first pass are smaller.
const firstPass = 8

// A row holds the measurements of an input at a size and at four times that size.
type row struct {
	cpu  [2]time.Duration
	peak int // bytes, at the larger size
}

// Table logs, if the long tests run, a table of CPU time and peak memory for each input at size bytes and
// four times that. It fails the test where
//
//   - the time is not linear: four times the size takes more than six times as long, and more than 100 ns a
//     byte;
//   - a byte takes more than a microsecond;
//   - the memory, the input included, is more than 32 MiB and four times the input. For this, a process
//     that scans nothing is subtracted. It is measured on Linux only.
//
// First, Table scans all inputs at an eighth of size in one process. If an input comes near a limit, with
// some tolerance for effects that the smaller size hides, Table scans it again at size in a process of its
// own, which is the test, started again. The second result decides.
func Table(t *testing.T, inputs []Input, size int, scan func(src []byte)) {
	t.Helper()
	if row := os.Getenv(rowVariable); row != "" {
		runRows(row, inputs, scan)
		return
	}
	if !IsLong() {
		for _, in := range inputs {
			scan(in.Make(1 << 10))
		}
		return
	}
	first := startRows(t, allRows, size/firstPass)
	base := -1
	var table strings.Builder
	fmt.Fprintf(&table, "%-72s %9s %9s %9s %6s %9s\n", "shape", "size", "CPU n", "CPU 4n", "ratio", "peak 4n")
	for i, in := range inputs {
		r, ok := first[i]
		n, trouble := size/firstPass, ""
		if !ok || isNear(r, 4*n) {
			if base < 0 {
				base = startRows(t, -1, 0)[-1].peak
			}
			n = size
			r, trouble = decide(t, i, in, size, base)
		}
		fmt.Fprintf(&table, "%-72s %9d %9s %9s %6.1f %6d MB %s\n", in.Name, n,
			r.cpu[0].Round(time.Millisecond/10), r.cpu[1].Round(time.Millisecond/10), float64(r.cpu[1])/float64(max(r.cpu[0], 1)), r.peak>>20, trouble)
		if trouble != "" {
			t.Errorf("%s: %s: %v, then %v and %d MB for four times as much", in.Name, trouble, r.cpu[0], r.cpu[1], r.peak>>20)
		}
	}
	t.Logf("\n%s", table.String())
}

// isNear reports whether r, measured at up to size bytes, might exceed a limit at firstPass times
// that size.
func isNear(r row, size int) bool {
	perByte := r.cpu[1] / time.Duration(max(size, 1))
	return r.peak > 5<<20+3*size || perByte > 600*time.Nanosecond || r.cpu[1] > 5*r.cpu[0] && perByte > 25*time.Nanosecond
}

// decide measures an input at size in a separate process, at most three times, because noise only
// adds.
func decide(t *testing.T, index int, in Input, size, base int) (best row, trouble string) {
	t.Helper()
	for range 3 {
		r, ok := startRows(t, index, size)[index]
		if !ok {
			return best, "did not end"
		}
		best.peak = r.peak - base
		for k, d := range r.cpu {
			if best.cpu[k] == 0 || d < best.cpu[k] {
				best.cpu[k] = d
			}
		}
		if trouble = judge(best.cpu, best.peak, len(in.Make(4*size))); trouble == "" {
			break
		}
	}
	return best, trouble
}

// allowed returns how many bytes of memory an input of size bytes may take.
func allowed(size int) int { return 32<<20 + 4*size }

// tooSlow is the trouble with what takes linear time, but too much of it.
const tooSlow = "too slow"

func judge(cpu [2]time.Duration, peak, size int) string {
	perByte := cpu[1] / time.Duration(max(size, 1))
	switch {
	case peak > allowed(size):
		return "too much memory"
	case cpu[1] > 6*cpu[0] && perByte > 100*time.Nanosecond:
		return "not linear"
	case perByte > time.Microsecond:
		return tooSlow
	}
	return ""
}

// runRows runs scans at size bytes and at four times that, and prints the measurements.
func runRows(row string, inputs []Input, scan func(src []byte)) {
	index, size, _ := strings.Cut(row, ",")
	i, _ := strconv.Atoi(index)
	n, _ := strconv.Atoi(size)
	switch {
	case i >= 0:
		debug.SetGCPercent(100) // as in programs
		took := measure(inputs[i], n, scan)
		fmt.Printf("row %d %d %d %d\n", i, took[0], took[1], memory("VmHWM:"))
	case i == allRows:
		debug.SetGCPercent(25) // so that the peak is mostly live memory, with little garbage
		for i, in := range inputs {
			debug.FreeOSMemory()
			before := memory("VmRSS:")
			_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // reset the peak; if this fails, the peak is too high
			took := measure(in, n, scan)
			fmt.Printf("row %d %d %d %d\n", i, took[0], took[1], memory("VmHWM:")-before)
		}
	default:
		fmt.Printf("row %d 0 0 %d\n", i, memory("VmHWM:"))
	}
}

// measure returns the CPU time of in at size bytes and at four times that.
func measure(in Input, size int, scan func(src []byte)) (took [2]time.Duration) {
	for k := range took {
		src := in.Make(size << (2 * k))
		debug.SetMemoryLimit(int64(allowed(len(src)))) // the command sets the same limit
		start := Clock()
		scan(src)
		took[k] = Clock() - start
	}
	return took
}

// startRows runs scans in a separate process, for at most one minute, or ten minutes for allRows. It
// returns the scans that completed.
func startRows(t *testing.T, index, size int) map[int]row {
	t.Helper()
	limit := time.Minute
	if index == allRows {
		limit = 10 * time.Minute
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run", "^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d,%d", rowVariable, index, size))
	out, _ := cmd.Output() // scans that are missing in out did not complete
	rows := make(map[int]row)
	for line := range strings.Lines(string(out)) {
		var i int
		var r row
		if _, err := fmt.Sscanf(line, "row %d %d %d %d\n", &i, &r.cpu[0], &r.cpu[1], &r.peak); err == nil {
			rows[i] = r
		}
	}
	return rows
}

// memory returns a value in bytes from this process's status in Linux, by name; 0 on other systems.
func memory(name string) int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(status), name)
	var kib int
	fmt.Sscanf(after, "%d", &kib)
	return kib << 10
}
