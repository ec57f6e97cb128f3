package audit

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// A Baseline holds findings that are not reported again. A finding is identified by its
// document, its rule and the reference as written, not by its line, so that text around it may
// change. It counts: one more of the same is reported. The zero Baseline is empty.
type Baseline struct {
	counts map[string]map[string]int // of findings, by path, absolute with forward slashes; by key
}

// key is what a finding is known by, in its document.
func (f *Finding) key() string {
	what := f.Message
	if f.Ref != nil {
		what = string(f.Ref.Raw)
	}
	return string(f.Rule) + "\t" + unbroken.Replace(what)
}

// Control characters, by which lines and fields would end, are written as in Go.
var (
	unbroken = strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)
	broken   = strings.NewReplacer(`\\`, "\\", `\t`, "\t", `\n`, "\n", `\r`, "\r")
)

// Add adds f, in the document at path, which is absolute and has forward slashes.
func (b *Baseline) Add(path string, f *Finding) { b.add(path, f.key(), 1) }

func (b *Baseline) add(path, key string, n int) {
	if b.counts == nil {
		b.counts = map[string]map[string]int{}
	}
	if b.counts[path] == nil {
		b.counts[path] = map[string]int{}
	}
	b.counts[path][key] += n
}

// Join adds the findings of other. Findings in both count once.
func (b *Baseline) Join(other *Baseline) {
	for path, keys := range other.counts {
		for key, n := range keys {
			b.add(path, key, max(0, n-b.counts[path][key]))
		}
	}
}

// copy returns what can be taken from without changing b.
func (b *Baseline) copy() *Baseline {
	c := new(Baseline)
	if b != nil {
		c.Join(b)
	}
	return c
}

// left counts what has not been taken, in a document, of the rules that are wanted.
func (b *Baseline) left(path string, wanted func(Rule) bool) (n int) {
	for key, k := range b.counts[path] {
		if rule, _, _ := strings.Cut(key, "\t"); wanted(Rule(rule)) {
			n += k
		}
	}
	return n
}

// take reports whether f is known, once for each time that it was found.
func (b *Baseline) take(path string, f *Finding) bool {
	keys := b.counts[path]
	if len(keys) == 0 {
		return false
	}
	key := f.key()
	if keys[key] == 0 {
		return false
	}
	keys[key]--
	return true
}

const baselineHead = "# What refract audit --baseline does not report: document, rule, reference.\n"

// Write writes b, one finding per line, with documents relative to dir.
func (b *Baseline) Write(w io.Writer, dir string) error {
	var lines []string
	for p, keys := range b.counts {
		name := unbroken.Replace(relative(dir, p))
		if name[0] == '#' {
			name = "./" + name // or it would be a comment
		}
		for key, n := range keys {
			for range n {
				lines = append(lines, name+"\t"+key+"\n")
			}
		}
	}
	slices.Sort(lines)
	_, err := io.WriteString(w, baselineHead+strings.Join(lines, ""))
	return err
}

// ReadBaseline reads what Write wrote, or a list in its form: documents are relative to dir. An
// error names the first line that is malformed, or says that a text has neither findings nor the
// first line of a baseline.
func ReadBaseline(r io.Reader, dir string) (*Baseline, error) {
	b := new(Baseline)
	in := bufio.NewReader(r)
	isEmpty, isBaseline := true, false
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		isEmpty = isEmpty && len(line) == 0
		isBaseline = isBaseline || string(line) == baselineHead
		if line := string(bytes.TrimRight(line, "\r\n")); line != "" && line[0] != '#' {
			fields := strings.SplitN(line, "\t", 3)
			if len(fields) < 3 || !slices.Contains(Rules(), Rule(fields[1])) {
				return nil, fmt.Errorf("line %d: %q is not document, rule and reference with tabs between", n, line)
			}
			p := broken.Replace(fields[0])
			if !path.IsAbs(p) {
				p = path.Join(dir, p)
			}
			b.add(p, fields[1]+"\t"+fields[2], 1)
			isBaseline = true
		}
		switch {
		case err == io.EOF && !isBaseline && !isEmpty:
			return nil, errors.New("this is no baseline")
		case err == io.EOF:
			return b, nil
		case err != nil:
			return nil, err
		}
	}
}
