package source

import (
	"bytes"
	"iter"
	"path"
	"slices"

	"example.org/refract/internal/ascii"
)

// An Import is a statement of JavaScript, in a script or in a page with components.
type Import struct {
	At     int    // offset of the statement
	Clause string // "Name, { A, B as C }"
	Module string // module that exports the names
}

// maxClause is the length in bytes of the longest import.
const maxClause = 2 << 10

// Imports yields the imports of names in a text: not those of a module for its effects.
func Imports(text []byte) iter.Seq[Import] {
	return func(yield func(Import) bool) {
		const word = "import"
		for at := 0; ; {
			i := bytes.Index(text[at:], []byte(word))
			if i < 0 {
				return
			}
			start := at + i
			at = start + len(word)
			if start > 0 && (ascii.IsAlnum(text[start-1]) || text[start-1] == '_') {
				continue
			}
			rest := text[at:min(len(text), at+maxClause)]
			quote := bytes.IndexAny(rest, "'\";=(")
			if quote < 0 || rest[quote] != '\'' && rest[quote] != '"' {
				continue
			}
			clause, isFrom := bytes.CutSuffix(bytes.TrimSpace(rest[:quote]), []byte("from"))
			end := bytes.IndexByte(rest[quote+1:], rest[quote])
			if !isFrom || end < 0 || bytes.Contains(clause, []byte(word)) || bytes.IndexByte(rest[quote+1:quote+1+end], '\n') >= 0 {
				continue
			}
			if !yield(Import{start, string(bytes.TrimSpace(clause)), string(rest[quote+1 : quote+1+end])}) {
				return
			}
			at += quote + 1 + end
		}
	}
}

// documentSuffixes are those of documents that others import as components.
var documentSuffixes = []string{".md", ".mdx", ".markdown", ".mdoc"}

// DocumentsIn yields the names of the documents that statements at the beginning of lines import.
func DocumentsIn(text []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !bytes.Contains(text, []byte(".m")) {
			return
		}
		for i := range Imports(text) {
			isLineStart := i.At == 0 || text[i.At-1] == '\n'
			if isLineStart && slices.Contains(documentSuffixes, path.Ext(i.Module)) && !yield(i.Module) {
				return
			}
		}
	}
}
