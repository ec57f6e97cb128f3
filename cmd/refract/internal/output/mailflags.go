package output

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

const (
	maxSequences = 1 << 20 // bytes of a .mh_sequences file that are read
	maxRanges    = 10_000  // ranges of messages in it: each reference is looked up in all of them
)

// A FlagReader reports the flags of messages in files of their own. Goroutines may share it.
type FlagReader struct {
	folders sync.Map // of MH: from directories to sequences
}

// sequences lists, for each sequence of an MH folder, the ranges of messages in it.
type sequences []sequence

type sequence struct {
	name   string
	ranges [][2]int
}

// FlagsOf returns the flags of the message in a file: for a file of a Maildir, the letters behind ":2,"
// in its name (maildir(5)), such as "FS"; for one of an MH folder, the names of the sequences that
// contain it (mh-sequence(5)), separated by spaces; otherwise "".
func (r *FlagReader) flagsOf(name string) string {
	dir, file := filepath.Split(name)
	if file == "" {
		return ""
	}
	switch filepath.Base(dir) {
	case "cur", "new":
		for _, mark := range []string{":2,", "!2,", ";2,"} { // ":" is not possible on Windows
			if i := strings.LastIndex(file, mark); i >= 0 && isLetters(file[i+len(mark):]) {
				return file[i+len(mark):]
			}
		}
	}
	if file[0] < '1' || file[0] > '9' {
		return ""
	}
	number, err := strconv.Atoi(file)
	if err != nil {
		return ""
	}
	found, ok := r.folders.Load(dir)
	if !ok {
		found, _ = r.folders.LoadOrStore(dir, readSequences(filepath.Join(dir, ".mh_sequences")))
	}
	var names []string
	for _, s := range found.(sequences) {
		if slices.ContainsFunc(s.ranges, func(part [2]int) bool { return part[0] <= number && number <= part[1] }) {
			names = append(names, s.name)
		}
	}
	return strings.Join(names, " ")
}

func isLetters(s string) bool {
	return len(s) <= 64 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") == ""
}

// readSequences reads a .mh_sequences file: lines such as "unseen: 1 3-5". It leaves out what it cannot
// read.
func readSequences(file string) (all sequences) {
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	lines := bufio.NewScanner(io.LimitReader(f, maxSequences))
	lines.Buffer(nil, maxSequences+1)
	n := 0
	for lines.Scan() {
		name, list, ok := strings.Cut(lines.Text(), ":")
		if !ok || name == "" || strings.ContainsAny(name, " \t") {
			continue
		}
		s := sequence{name: name}
		for part := range strings.FieldsSeq(list) {
			first, last, isRange := strings.Cut(part, "-")
			if !isRange {
				last = first
			}
			from, err := strconv.Atoi(first)
			to, err2 := strconv.Atoi(last)
			n++
			if err == nil && err2 == nil && from <= to && n <= maxRanges {
				s.ranges = append(s.ranges, [2]int{from, to})
			}
		}
		all = append(all, s)
	}
	return all
}
