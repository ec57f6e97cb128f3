package tree

import (
	"bytes"
	"encoding/binary"
	"io"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
)

// maxIndex limits how many bytes of the index of a repository are read. What a larger one lists counts as
// not committed.
const maxIndex = 64 << 20

// A committed is a [Tree] some files of which are those of a commit, with no index.
type committed interface {
	// IsCommitted reports whether an absolute path is that of a file or directory of the commit.
	IsCommitted(name string) bool
}

// A gitIndex knows which files git has: those of a commit, and by the index of each repository
// (gitformat-index(5), versions 2 to 4 with SHA-1).
type gitIndex struct {
	tree     Tree
	projects *Projects
	names    lazy.Map[string, []string] // sorted, by repository
}

func NewGitIndex(t Tree, p *Projects) *gitIndex { return &gitIndex{tree: t, projects: p} }

// Has reports whether git has a file at an absolute path, or files in a directory.
func (x *gitIndex) Has(file string, isDir bool) bool {
	if t, ok := beneath(x.tree).(committed); ok && t.IsCommitted(file) {
		return true
	}
	top := strings.TrimSuffix(x.projects.Repository(path.Dir(file)), "/")
	rel, ok := strings.CutPrefix(file, top+"/")
	if !ok {
		return false
	}
	if isDir {
		rel += "/"
	}
	names := x.names.Get(top, x.read)
	i, isThere := slices.BinarySearch(names, rel)
	return isThere || isDir && i < len(names) && strings.HasPrefix(names[i], rel)
}

// read returns the names in the index of the repository in a directory; nil if there is none that it can read.
func (x *gitIndex) read(top string) []string {
	name := top + "/.git/index"
	info, err := x.tree.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := x.tree.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxIndex+1))
	if err != nil || len(text) > maxIndex {
		return nil
	}
	return indexNames(text)
}

// indexNames returns the names in an index, sorted. What follows a damaged entry is left out.
func indexNames(text []byte) (names []string) {
	const header, stat, extended = 12, 60, 0x4000
	if len(text) < header || string(text[:4]) != "DIRC" {
		return nil
	}
	version, n := binary.BigEndian.Uint32(text[4:]), binary.BigEndian.Uint32(text[8:])
	if version < 2 || version > 4 {
		return nil
	}
	rest, last := text[header:], ""
	for ; n > 0 && len(rest) > stat+2; n-- {
		flags, size := binary.BigEndian.Uint16(rest[stat:]), stat+2
		if flags&extended != 0 {
			size += 2
		}
		if len(rest) < size {
			break
		}
		name, kept, used := rest[size:], 0, 0
		if version == 4 {
			strip, bytesUsed := offset(name)
			if bytesUsed == 0 || strip > len(last) {
				break
			}
			name, used, kept = name[bytesUsed:], bytesUsed, len(last)-strip
		}
		end := bytes.IndexByte(name, 0)
		if end < 0 {
			break
		}
		last = last[:kept] + string(name[:end])
		names = append(names, last)
		size += used + end + 1
		if version < 4 {
			size = (size + 7) &^ 7 // NULs up to a multiple of eight
		}
		rest = rest[min(size, len(rest)):]
	}
	slices.Sort(names)
	return names
}

// offset reads a number as git encodes the offsets of deltas. used is 0 if it is damaged.
func offset(text []byte) (n, used int) {
	const most = 4 // bytes; names are shorter than 2^28
	for i, c := range text {
		n = n<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return n, i + 1
		}
		if i+1 == most {
			break
		}
		n++
	}
	return 0, 0
}
