package scantest

import (
	"bytes"
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

// An Input is hostile input of any size.
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

// rowVariable is the environment variable that makes Table run one scan, in a process of its
// own: the index of its input, and its size.
const rowVariable = "REFRACT_TABLE_ROW"

// Table logs, if the long tests run, a table of processor time and peak memory for each input
// at size bytes and four times that. It fails the test where
//
//   - the time is not linear: four times the size takes more than six times as long, and more
//     than 100 ns a byte;
//   - a byte takes more than a microsecond;
//   - the memory, the input included, is more than 32 MiB and four times the input. For this, a
//     process that scans nothing is subtracted. It is measured on Linux only.
//
// Each scan runs in a process of its own: the test, started again.
func Table(t *testing.T, inputs []Input, size int, scan func(src []byte)) {
	t.Helper()
	if row := os.Getenv(rowVariable); row != "" {
		runRow(row, inputs, scan)
		return
	}
	if !IsLong() {
		for _, in := range inputs {
			scan(in.Make(1 << 10))
		}
		return
	}
	_, base, _ := startRow(t, -1, 0)
	var table strings.Builder
	fmt.Fprintf(&table, "%-72s %9s %9s %9s %6s %9s\n", "shape", "size", "CPU n", "CPU 4n", "ratio", "peak 4n")
	for i, in := range inputs {
		var cpu [2]time.Duration
		var peak int
		var trouble string
		for range 3 {
			took, p, ok := startRow(t, i, size)
			peak = p
			if !ok {
				trouble = "did not end"
				break
			}
			for k, d := range took {
				if cpu[k] == 0 || d < cpu[k] {
					cpu[k] = d
				}
			}
			if trouble = judge(cpu, peak-base, len(in.Make(4*size))); trouble == "" {
				break
			}
		}
		fmt.Fprintf(&table, "%-72s %9d %9s %9s %6.1f %6d MB %s\n", in.Name, size,
			cpu[0].Round(time.Millisecond/10), cpu[1].Round(time.Millisecond/10), float64(cpu[1])/float64(max(cpu[0], 1)), (peak-base)>>20, trouble)
		if trouble != "" {
			t.Errorf("%s: %s: %v, then %v and %d MB for four times as much", in.Name, trouble, cpu[0], cpu[1], (peak-base)>>20)
		}
	}
	t.Logf("\n%s", table.String())
}

// allowed returns how many bytes of memory an input of size bytes may take.
func allowed(size int) int { return 32<<20 + 4*size }

func judge(cpu [2]time.Duration, peak, size int) string {
	perByte := cpu[1] / time.Duration(max(size, 1))
	switch {
	case peak > allowed(size):
		return "too much memory"
	case perByte > time.Microsecond:
		return "too slow"
	case cpu[1] > 6*cpu[0] && perByte > 100*time.Nanosecond:
		return "not linear"
	}
	return ""
}

// runRow runs one scan at size bytes and at four times that, and prints what they took.
func runRow(row string, inputs []Input, scan func(src []byte)) {
	index, size, _ := strings.Cut(row, ",")
	i, _ := strconv.Atoi(index)
	n, _ := strconv.Atoi(size)
	var took [2]time.Duration
	for k := range took {
		if i < 0 {
			break
		}
		src := inputs[i].Make(n << (2 * k))
		debug.SetMemoryLimit(int64(allowed(len(src)))) // the command sets it likewise
		start := clock()
		scan(src)
		took[k] = clock() - start
	}
	fmt.Printf("row %d %d %d\n", took[0], took[1], peakMemory())
}

// startRow runs one scan in a process of its own, at most for a minute.
func startRow(t *testing.T, index, size int) (cpu [2]time.Duration, peak int, ok bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run", "^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d,%d", rowVariable, index, size))
	out, err := cmd.Output()
	if err == nil {
		if i := bytes.Index(out, []byte("row ")); i >= 0 {
			_, err = fmt.Sscanf(string(out[i:]), "row %d %d %d", &cpu[0], &cpu[1], &peak)
		}
	}
	return cpu, peak, err == nil && ctx.Err() == nil
}

// peakMemory returns the most memory that this process has had, in bytes, as Linux counts it; 0
// on other systems.
func peakMemory() int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	var kib int
	fmt.Sscanf(after, "%d", &kib)
	return kib << 10
}
