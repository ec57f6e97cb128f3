package move

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"example.org/refract/cmd/refract/internal/atomicfile"
)

// A Memory records an earlier move. With it, moving back restores the spelling of each reference: several
// spellings may resolve to the same file, and the new one does not tell which it was.
type Memory struct {
	Renames []Rename // relative to the root of the tree, if it was read from there
	Heading *heading
	Files   []memoryFile
}

// A heading is a change of a heading.
type heading struct {
	Path    string
	Line    int
	Was, Is string
}

// A memoryFile is the difference between two texts of a document.
type memoryFile struct {
	Path       string // after the move
	New        []byte // SHA-256 of the text
	Start, End int    // range in the new text
	Old        []byte // that was there
}

// Memory returns the record that undoing the plan needs.
func (p *Plan) Memory() Memory {
	m := Memory{Renames: p.Renames, Heading: p.heading}
	for i := range p.Files {
		f := &p.Files[i]
		start := 0
		for start < min(len(f.Old), len(f.New)) && f.Old[start] == f.New[start] {
			start++
		}
		end, oldEnd := len(f.New), len(f.Old)
		for end > start && oldEnd > start && f.Old[oldEnd-1] == f.New[end-1] {
			end, oldEnd = end-1, oldEnd-1
		}
		m.Files = append(m.Files, memoryFile{f.To, sumOf(f.New), start, end, f.Old[start:oldEnd]})
	}
	return m
}

// recall starts from the former texts that a move had changed, if the request undoes that move and no one
// has edited them since. They are checked like any others.
func (p *planner) recall() {
	r := p.request
	i := slices.IndexFunc(r.Memory, func(m Memory) bool { return m.isUndoneBy(r, p.headingWas) })
	if i < 0 {
		return
	}
	for _, f := range r.Memory[i].Files {
		now, err := p.read(f.Path)
		if err == nil && bytes.Equal(sumOf(now), f.New) && f.Start >= 0 && f.Start <= f.End && f.End <= len(now) {
			p.isRecalled = true
			p.texts[p.target(f.Path)] = slices.Concat(now[:f.Start], f.Old, now[f.End:])
		}
	}
}

// isUndoneBy reports whether a request is the inverse of the recorded move. was is the heading that the
// request replaces.
func (m *Memory) isUndoneBy(r *Request, was string) bool {
	if len(m.Renames) != len(r.Renames) || (m.Heading == nil) != (r.Heading == nil) {
		return false
	}
	if h := m.Heading; h != nil && (h.Path != r.Heading.Path || h.Is != was || h.Was != r.Heading.Text) {
		return false
	}
	for _, rename := range r.Renames {
		if !slices.Contains(m.Renames, Rename{rename.To, rename.From}) {
			return false
		}
	}
	return true
}

// memories are what a file of a repository remembers.
type memories struct {
	Root  []byte // of the tree; the memories of another place are of no use
	Moves []Memory
}

const (
	maxMemories    = 50
	maxMemoryBytes = 1 << 20
)

// memoryName returns the file that remembers moves; ok is false if the tree has no place for it.
func (t *diskTree) memoryName() (name string, ok bool) {
	dir := filepath.Join(t.Root, ".git")
	if info, err := os.Lstat(dir); !t.Git || err != nil || !info.IsDir() {
		return "", false
	}
	return filepath.Join(dir, "refract-moves.json"), true
}

// memories returns the moves in the tree that are remembered, the last first.
func (t *diskTree) memories() []Memory {
	name, ok := t.memoryName()
	if !ok {
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	var all memories
	if json.Unmarshal(text, &all) != nil || !bytes.Equal(all.Root, []byte(t.Root)) {
		return nil
	}
	return all.Moves
}

// remember remembers a completed move within a repository. If it fails, the only consequence is that moving
// back may spell references in another way.
func (t *diskTree) remember(p *Plan) {
	name, ok := t.memoryName()
	if !ok {
		return
	}
	all := memories{[]byte(t.Root), append([]Memory{p.Memory()}, t.memories()...)}
	all.Moves = all.Moves[:min(len(all.Moves), maxMemories)]
	text, err := json.Marshal(all)
	for err == nil && len(text) > maxMemoryBytes {
		all.Moves = all.Moves[:len(all.Moves)-1]
		text, err = json.Marshal(all)
	}
	if err == nil {
		atomicfile.Save(name, text, nil)
	}
}
