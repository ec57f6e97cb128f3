//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// openRows are the rows of a table of changes (testdata/mutation.tsv) whose verdict begins with "open": the file, the line of
// the change, and the change, or the line with it, separated by tabs. The value is the number of changes that are tried for it. The
// number of the line is not part of it, which later work moves.
type openRows map[string]int

// readOpen reads the open rows of a table whose line is known.
func readOpen(name string) (openRows, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	rows := openRows{}
	for line := range bytes.Lines(text) {
		fields := strings.Split(strings.TrimSuffix(string(line), "\n"), "\t")
		if len(fields) == 4 && strings.HasPrefix(fields[3], "open") && fields[1] != "-" {
			file, _, _ := strings.Cut(fields[0], ":")
			rows[file+"\t"+fields[1]+"\t"+fields[2]] = 0
		}
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: no open rows", name)
	}
	return rows, nil
}

// has reports whether a change is that of a row, and counts it.
func (rows openRows) has(c *change, dir string) bool {
	dir, _ = filepath.Abs(dir)
	name, _ := filepath.Rel(dir, c.file.name)
	line, column := c.line()
	after := line[column-1:]
	changed := line[:column-1] + c.text + after[min(len(after), c.end-c.start):]
	line = filepath.ToSlash(name) + "\t" + strings.TrimSpace(line) + "\t"
	for _, row := range []string{line + fmt.Sprintf("%s -> %s", c.file.text[c.start:c.end], c.text), line + strings.TrimSpace(changed)} {
		if n, ok := rows[row]; ok {
			rows[row] = n + 1
			return true
		}
	}
	return false
}

// packages returns the directories of the files.
func (rows openRows) packages() (all []string) {
	for row := range rows {
		file, _, _ := strings.Cut(row, "\t")
		all = append(all, path.Dir(file))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// gone returns the rows that no change fits: their line is not there any more, or no such change is made.
func (rows openRows) gone() (all []string) {
	for row, n := range rows {
		if n == 0 {
			all = append(all, row)
		}
	}
	slices.Sort(all)
	return all
}
