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

	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/spell"
	"example.org/refract/internal/input"
)

// A Baseline holds known findings, which are not reported again. A finding is identified by its document,
// its rule and the reference as written, not by its line, so the text around it may change. Identical
// findings are counted: one more than the Baseline holds is reported. The zero Baseline is empty.
type Baseline struct {
	counts map[string]map[string]int // of findings, by absolute path with forward slashes, then by key
}

// key returns the string that identifies a finding in its document.
func (f *Finding) key() string {
	what := f.Message
	if f.Ref != nil {
		what = string(f.Ref.Raw)
	}
	return string(f.Rule) + "\t" + unbroken.Replace(what)
}

// Control characters would end lines and fields, so they are escaped as in Go.
var unbroken = strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

var broken = strings.NewReplacer(`\\`, "\\", `\t`, "\t", `\n`, "\n", `\r`, "\r")

// Add adds f, a finding in the document at path, which is absolute and has forward slashes.
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

// Join adds the findings of other. A finding in both counts once.
func (b *Baseline) Join(other *Baseline) {
	for path, keys := range other.counts {
		for key, n := range keys {
			b.add(path, key, max(0, n-b.counts[path][key]))
		}
	}
}

// More returns the number of findings that b holds and than does not.
func (b *Baseline) More(than *Baseline) (n int) {
	for path, keys := range b.counts {
		for key, k := range keys {
			n += max(0, k-than.counts[path][key])
		}
	}
	return n
}

// copy returns a copy of b, from which take does not change b.
func (b *Baseline) copy() *Baseline {
	c := new(Baseline)
	if b != nil {
		c.Join(b)
	}
	return c
}

// left counts the findings of wanted rules in a document that have not been taken.
func (b *Baseline) left(path string, wanted func(rule.Rule) bool) (n int) {
	for key, k := range b.counts[path] {
		if broken, _, _ := strings.Cut(key, "\t"); wanted(rule.Rule(broken)) {
			n += k
		}
	}
	return n
}

// take reports whether b holds f, and removes one occurrence of it.
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
		name := unbroken.Replace(spell.Relative(dir, p))
		if strings.HasPrefix(name, "#") {
			name = "./" + name // otherwise the line would be a comment
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

// ReadBaseline reads a baseline in the format of Write. Document names are relative to dir. The error names
// the first malformed line by its number, or says that the text has neither findings nor the first line of
// a baseline. It does not quote the text: that may be any file, and an attacker who chooses its name must
// not learn its contents.
func ReadBaseline(r io.Reader, dir string) (*Baseline, error) {
	b := new(Baseline)
	in := bufio.NewReader(input.UTF8(r))
	isEmpty, isBaseline := true, false
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		isEmpty = isEmpty && len(line) == 0
		isBaseline = isBaseline || string(line) == baselineHead
		if line := string(bytes.TrimRight(line, "\r\n")); line != "" && line[0] != '#' {
			fields := strings.SplitN(line, "\t", 3)
			if len(fields) < 3 || !slices.Contains(rule.Rules(), rule.Rule(fields[1])) {
				return nil, fmt.Errorf("line %d: want document, rule and reference, separated by tabs", n)
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
			return nil, errors.New("not a baseline")
		case err == io.EOF:
			return b, nil
		case err != nil:
			return nil, err
		}
	}
}
