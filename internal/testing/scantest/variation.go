package scantest

import (
	"hash/fnv"
	"math/rand/v2"
	"path"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

func isBetween(c rune) bool { return strings.ContainsRune(" \t\r\n()[]{}<>\"'`,;:=", c) }

// IsDocument reports whether a file is most probably a page.
func IsDocument(name string) bool {
	return slices.Contains([]string{".md", ".mdx", ".rst", ".adoc", ".html"}, path.Ext(name))
}

// A Variation changes files at random: lines, words, characters and names.
type Variation struct {
	seed                   uint64
	files                  []txtar.File
	random                 *rand.Rand
	names, words, literals []string
}

// NewVariation returns what varies files at random, always in the same way for a name: with words of the
// files, and with literals.
func NewVariation(name string, files []txtar.File, literals []string) *Variation {
	h := fnv.New64()
	h.Write([]byte(name))
	v := &Variation{seed: h.Sum64(), files: files, literals: literals}
	for _, f := range files {
		v.names = append(v.names, f.Name)
		v.words = append(v.words, strings.FieldsFunc(string(f.Data), isBetween)...)
	}
	v.words = append(v.words, "true", "false", "null", "/", "./", "../", "*", "**", "1", "2.0", "index", "README.md")
	return v
}

// Files returns variation n of the files, with one to three changes.
func (v *Variation) Files(n int) []txtar.File {
	v.random = rand.New(rand.NewPCG(uint64(n), v.seed))
	files := slices.Clone(v.files)
	for range 1 + n%3 {
		files = v.change(files)
	}
	return files
}

func (v *Variation) word() string {
	from := v.words
	switch v.random.IntN(8) {
	case 0, 1, 2:
		from = v.literals
	case 3:
		from = v.names
	}
	return Choose(from, v.random.Uint64())
}

// change returns files with one change.
func (v *Variation) change(files []txtar.File) []txtar.File {
	if len(files) == 0 {
		return files
	}
	r := v.random
	i := r.IntN(len(files))
	for range 2 {
		if IsDocument(files[i].Name) { // most of a site; what configures it tells more
			i = r.IntN(len(files))
		}
	}
	f := &files[i]
	text := string(f.Data)
	what := r.IntN(16)
	switch {
	case what == 0:
		return slices.Delete(files, i, i+1)
	case what == 1:
		f.Name = path.Join(path.Dir(files[r.IntN(len(files))].Name), path.Base(f.Name))
		return files
	case what == 2:
		f.Name = path.Join(path.Dir(f.Name), "n"+strings.ReplaceAll(path.Base(v.word()), "\x00", "")+path.Ext(f.Name))
		return files
	case text == "":
		text = v.word() + "\n"
	case what < 6:
		lines := slices.Collect(strings.Lines(text))
		at := r.IntN(len(lines))
		switch what {
		case 3:
			lines = slices.Insert(lines, at, lines[r.IntN(len(lines))])
		case 4:
			lines[at] = "  " + lines[at]
		default:
			lines = slices.Delete(lines, at, at+1)
		}
		text = strings.Join(lines, "")
	case what < 12:
		words := strings.FieldsFunc(text, isBetween)
		if len(words) == 0 {
			break
		}
		was := words[r.IntN(len(words))]
		is := v.word()
		switch what {
		case 6:
			is = was + is
		case 7:
			is = ""
		case 8:
			is = was + "/"
		}
		text = strings.Replace(text, was, is, 1+r.IntN(2))
	default:
		at := r.IntN(len(text))
		switch what {
		case 12:
			text = text[:at] + text[at+1:]
		case 13:
			text = text[:at] + v.word() + text[at:]
		case 14:
			text = strings.NewReplacer("'", `"`, `"`, "'").Replace(text)
		default:
			text = text[:at] + [...]string{"#", "//", " ", "\n", "/", ".", "*", "\"", "'", ",", ":", "-", "{", "}", "[", "]"}[r.IntN(16)] + text[at:]
		}
	}
	f.Data = []byte(text)
	return files
}
