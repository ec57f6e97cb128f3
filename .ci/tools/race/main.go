//go:build unix

// Race runs commands in turn, many times each, and prints the medians of their times and memory.
//
//	race [-runs N] [-warm N] [-exit N] [-in FILE] [-out DIR] -- NAME COMMAND [ARG]... [';' NAME COMMAND [ARG]...]...
//
// After a first run of each command (-warm) that does not count, it runs them all once, then all again, so
// that other load on the machine affects them alike. For each, it prints a line with these fields,
// separated by tabs: its name, the median of its wall time and of its CPU time in nanoseconds, the median
// of its peak memory in KiB (resident pages, including those of mapped files), and the size of its output
// in bytes.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

type runner struct {
	name            string
	args            []string
	wall, cpu, peak []int64
	size            int64
}

func main() {
	runs := flag.Int("runs", 9, "runs of each command that count")
	warm := flag.Int("warm", 1, "runs of each command before those that count")
	exit := flag.Int("exit", 0, "the highest exit status that is no failure")
	in := flag.String("in", os.DevNull, "file for standard input")
	out := flag.String("out", os.TempDir(), "directory for the output, which the next run overwrites")
	flag.Parse()
	var runners []*runner
	for args := flag.Args(); len(args) > 0; {
		n := slices.Index(args, ";")
		if n < 0 {
			n = len(args)
		}
		if n < 2 {
			fail("a command needs a name and a program")
		}
		runners = append(runners, &runner{name: args[0], args: args[1:n]})
		args = args[min(n+1, len(args)):]
	}
	for i := range *warm + *runs {
		for _, r := range runners {
			r.run(i >= *warm, *exit, *in, filepath.Join(*out, "output"))
		}
	}
	for _, r := range runners {
		fmt.Printf("%s\t%d\t%d\t%d\t%d\n", r.name, median(r.wall), median(r.cpu), median(r.peak), r.size)
	}
}

// run runs the command once. If counts, it records what the run took.
func (r *runner) run(counts bool, exit int, in, out string) {
	stdin, err := os.Open(in)
	if err != nil {
		fail("%v", err)
	}
	defer stdin.Close()
	stdout, err := os.Create(out)
	if err != nil {
		fail("%v", err)
	}
	defer stdout.Close()
	errors, err := os.Create(out + ".errors")
	if err != nil {
		fail("%v", err)
	}
	defer errors.Close()
	c := exec.Command(r.args[0], r.args[1:]...)
	c.Stdin, c.Stdout, c.Stderr = stdin, stdout, errors
	start := time.Now()
	err = c.Run()
	wall := time.Since(start)
	if c.ProcessState == nil {
		fail("%s: %v", r.name, err)
	}
	if status := c.ProcessState.ExitCode(); status < 0 || status > exit {
		text, _ := os.ReadFile(out + ".errors")
		fail("%s: %v: %q\n%s", r.name, err, r.args, text[:min(len(text), 2000)])
	}
	if !counts {
		return
	}
	info, err := stdout.Stat()
	if err != nil {
		fail("%v", err)
	}
	r.size = info.Size()
	r.wall = append(r.wall, wall.Nanoseconds())
	r.cpu = append(r.cpu, (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Nanoseconds())
	r.peak = append(r.peak, c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
}

func median(values []int64) int64 {
	slices.Sort(values)
	return values[len(values)/2]
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "race: "+format+"\n", args...)
	os.Exit(1)
}
