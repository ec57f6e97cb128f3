// Package unused finds files of a tree that nothing in it refers to: images, fonts, media, PDF files,
// office documents and archives.
//
// A file is used if a reference of a document resolves to it, or if the text of any other file mentions it:
// by its path from that file, by the end of its path, or by its name. Code and configurations also mention
// it by its name without the suffix, which many of them add.
//
// So a name that means something else can hide that a file is unused, but a file that is used is not
// reported, unless a program assembles its name. Where code visibly does that, by a pattern such as "*.png"
// or by adding ".png" to a value, files with that suffix are not reported.
package unused

import (
	"bufio"
	"bytes"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/slash"
)

// suffixes lists the suffixes of files that are used by their names only, as of November 2026.
var suffixes = strings.Fields(`
.png .jpg .jpeg .gif .svg .webp .avif .ico .bmp .tif .tiff
.woff .woff2 .ttf .otf .eot
.mp4 .webm .mov .avi .mkv .ogv .mp3 .ogg .oga .wav .m4a .flac
.pdf .epub .doc .docx .xls .xlsx .ppt .pptx .odt .ods .odp
.zip .tar .gz .tgz .bz2 .xz .7z .rar`)

// asked are the beginnings of names of files that browsers, hosts and frameworks look for without a reference.
var asked = strings.Fields("favicon apple-touch-icon mstile- android-chrome- safari-pinned-tab icon. opengraph-image. twitter-image.")

// IsCandidate reports whether a file is one that is used by its name only, and that nobody asks for without
// a reference.
func IsCandidate(name string) bool {
	base := strings.ToLower(path.Base(name))
	return slices.Contains(suffixes, path.Ext(base)) && !slices.ContainsFunc(asked, func(s string) bool { return strings.HasPrefix(base, s) })
}

// maxSame limits how many files with one name are told apart by their directories; beyond it, a mention counts for all.
const maxSame = 64

// Files are the candidates of a tree. Its methods may be called concurrently.
type Files struct {
	paths  []string
	used   []atomic.Bool
	byPath map[string]int
	byName map[string][]int // by the part of the name behind the last separator
	byStem map[string][]int

	all    sync.Map // words that have been looked up and stand for all files of a name or stem
	lock   sync.Mutex
	formed map[string]bool // suffixes of which code forms names
}

// New returns the candidates among files, given by their absolute paths with forward slashes.
func New(files []string) *Files {
	f := &Files{byPath: map[string]int{}, byName: map[string][]int{}, byStem: map[string][]int{}, formed: map[string]bool{}}
	for _, p := range files {
		if _, isKnown := f.byPath[p]; isKnown || !IsCandidate(p) {
			continue
		}
		i := len(f.paths)
		f.byPath[p] = i
		f.paths = append(f.paths, p)
		name := lastPiece(path.Base(p))
		f.byName[name] = append(f.byName[name], i)
		stem := lastPiece(slash.Stem(path.Base(p)))
		f.byStem[stem] = append(f.byStem[stem], i)
	}
	f.used = make([]atomic.Bool, len(f.paths))
	return f
}

// Use notes that a reference resolves to a file, or to a directory with all files in it.
func (f *Files) Use(p string) {
	if i, ok := f.byPath[p]; ok {
		f.used[i].Store(true)
	}
}

// Len returns the number of candidates.
func (f *Files) Len() int { return len(f.paths) }

// Unused returns the paths of the files that nothing mentions, sorted. For each suffix for which code
// assembles names, unknown has the number of files that may be used.
func (f *Files) Unused() (unused []string, unknown map[string]int) {
	unknown = map[string]int{}
	for i, p := range f.paths {
		ext := strings.ToLower(path.Ext(p))
		switch {
		case f.used[i].Load():
		case f.formed[ext]:
			unknown[ext]++
		default:
			unused = append(unused, p)
		}
	}
	slices.Sort(unused)
	return unused, unknown
}

// Suffixes returns the keys of unknown, in order, for messages.
func Suffixes(unknown map[string]int) []string { return slices.Sorted(maps.Keys(unknown)) }

// maxWord limits the bytes of a word; a longer one is no name.
const maxWord = 4096

// Scan notes the names that the text of a file mentions. isCode says that it is not a document but code, a
// template, a style sheet or a configuration. A binary file is not read. The time is linear in the size.
func (f *Files) Scan(file string, r io.Reader, isCode bool) error {
	in := bufio.NewReaderSize(r, 64<<10)
	head, err := in.Peek(8000)
	if err != nil && err != io.EOF {
		return err
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return nil
	}
	s := scanner{Files: f, file: file, isCode: isCode}
	for {
		c, err := in.ReadByte()
		if err == io.EOF {
			s.end()
			return nil
		}
		if err != nil {
			return err
		}
		s.take(c)
	}
}

// A scanner cuts a text into words.
type scanner struct {
	*Files
	file   string
	isCode bool

	word    []byte
	isLong  bool
	before  [2]byte // the last two bytes before the word that are no spaces
	current [2]byte
}

// isSeparator reports whether a byte ends a word. Names of files may have it, too: of these, the last piece counts.
func isSeparator(c byte) bool { return c <= ' ' || strings.IndexByte("\"'`()<>[]{}|,;:=#?&", c) >= 0 }

func lastPiece(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if isSeparator(name[i]) {
			return name[i+1:]
		}
	}
	return name
}

func (s *scanner) take(c byte) {
	switch {
	case isSeparator(c):
		s.end()
	case len(s.word) == 0:
		s.before = s.current
		fallthrough
	default:
		s.isLong = s.isLong || len(s.word) == maxWord
		if !s.isLong {
			s.word = append(s.word, c)
		}
	}
	if c > ' ' {
		s.current = [2]byte{s.current[1], c}
	}
}

// end looks the word up.
func (s *scanner) end() {
	word := s.word
	s.word = s.word[:0]
	if len(word) == 0 || s.isLong {
		s.isLong = false
		return
	}
	text := string(bytes.ReplaceAll(word, []byte{'\\'}, []byte{'/'}))
	text = strings.TrimRight(ascii.UnescapeAll(text), ".!")
	base := lastPiece(path.Base(text))
	s.form(base)
	if many := s.byName[base]; len(many) > maxSame {
		s.markAll(base, many)
	} else {
		s.markMentioned(many, text)
	}
	stem, isAny := strings.CutSuffix(base, ".*") // of Sphinx
	if s.isCode || isAny || s.before[1] == ':' || s.before[1] == '=' || isQuote(s.before[1]) {
		s.markAll(stem+".*", s.byStem[stem])
	}
}

// markAll notes that all files with a name or stem are used.
func (s *scanner) markAll(word string, all []int) {
	if len(all) == 0 {
		return
	}
	if _, isDone := s.all.Load(word); isDone {
		return
	}
	hasSelf := false
	for _, i := range all {
		hasSelf = hasSelf || s.paths[i] == s.file
		s.mark(i)
	}
	if !hasSelf {
		s.all.Store(word, true)
	}
}

// mark notes that a file is used, unless the file that is scanned is the same.
func (s *scanner) mark(i int) {
	if s.paths[i] != s.file {
		s.used[i].Store(true)
	}
}

// markMentioned notes which of some files with one name the scanned file uses by text, a path: the one at
// that path from there, otherwise those whose paths end in it, otherwise all: variables and the URL of a
// site may be part of it.
func (s *scanner) markMentioned(some []int, text string) {
	if len(some) == 0 {
		return
	}
	if i, ok := s.byPath[path.Join(path.Dir(s.file), text)]; ok {
		s.mark(i)
		return
	}
	for {
		rest, ok := strings.CutPrefix(text, "../")
		if !ok {
			rest, ok = strings.CutPrefix(text, "./")
		}
		if !ok {
			break
		}
		text = rest
	}
	end := path.Join("/", text)
	dir, name := path.Split(end)
	// What precedes the directory may be the root of a site or a variable: two names are enough.
	two := "/" + path.Base(dir) + "/" + name
	isFound := false
	for _, i := range some {
		p := s.paths[i]
		if strings.HasSuffix(p, end) || strings.HasSuffix(p, two) || path.Base(p) != name {
			s.mark(i)
			isFound = true
		}
	}
	for i := 0; i < len(some) && !isFound; i++ {
		s.mark(some[i])
	}
}

// form notes that code forms names with a suffix: a word that is a pattern, or a suffix that is added to a value.
func (s *scanner) form(base string) {
	ext := strings.ToLower(path.Ext(base))
	if ext == "" || !slices.Contains(suffixes, ext) {
		return
	}
	isAdded := strings.EqualFold(base, ext) && (s.before[1] == '}' || isQuote(s.before[1]) && (s.before[0] == '+' || s.before[0] == '~'))
	isPattern := s.isCode && strings.IndexByte(base, '*') >= 0
	if isAdded || isPattern {
		s.lock.Lock()
		s.formed[ext] = true
		s.lock.Unlock()
	}
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }
