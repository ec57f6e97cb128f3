package lead

import (
	"bytes"
	"io"
	"strings"
	"sync"

	"example.org/refract/extract/rst"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/reason"
)

// rstNames holds the names that reStructuredText documents define, for documents that include others.
type rstNames struct {
	mu   sync.Mutex
	of   map[string]definedNames
	size int // total size of these documents, in bytes
}

type definedNames struct {
	has   func(name []byte) bool
	isAll bool
}

// maxNamed limits the total size in bytes of the documents whose names are kept.
const maxNamed = 1 << 26

// in returns the names that a file defines. read returns its text. An unreadable file defines none.
func (n *rstNames) in(file string, read func() []byte) definedNames {
	n.mu.Lock()
	k, ok := n.of[file]
	n.mu.Unlock()
	if ok {
		return k
	}
	text := read()
	k.has, k.isAll = rst.Names(text)
	k.isAll = k.isAll && text != nil
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.size += len(text); n.of == nil || n.size > maxNamed {
		n.of, n.size = make(map[string]definedNames), len(text)
	}
	n.of[file] = k
	return k
}

// IsDefinedAround reports whether a name that d uses but does not define is defined by a document that
// d includes, by one that includes d, or by the text that the site adds to each document. If that is
// unknown, why is the reason.
func (a *World) IsDefinedAround(d *doc.Document, name []byte) (found bool, why reason.Reason) {
	files, isAll := a.Included.around(d, true)
	for _, file := range files {
		to := a.ByPath[file]
		isAll = isAll && to != nil && !to.IsPartial
		if to != nil && to != d {
			k := a.rstNames.in(file, to.Head)
			if k.has(name) {
				return true, reason.Reason{}
			}
			isAll = isAll && k.isAll
		}
		for _, text := range a.Included.Texts[file] {
			k := a.rstNames.in(text, func() []byte { return a.TextOf(text) })
			if k.has(name) {
				return true, reason.Reason{}
			}
			isAll = isAll && k.isAll
		}
	}
	if !isAll {
		return false, includedName
	}
	isSubstitution := len(name) > 0 && name[0] == '|'
	if isSubstitution && ofSphinx[strings.ToLower(strings.Trim(string(name), "|"))] {
		if d.Layout.Generated == nil {
			return false, sphinxSubstitution
		}
		return true, reason.Reason{}
	}
	if s := d.Layout.Generated; s != nil {
		if isSubstitution && s.RST.MaySubstitute {
			return false, extensionSubstitution
		}
		if has, _ := rst.Names([]byte(s.RST.Prolog)); has(name) {
			return true, reason.Reason{}
		}
		if s.RST.HasMoreProlog {
			return false, configDefinesName
		}
	}
	return false, reason.Reason{}
}

// ofSphinx are the substitutions that Sphinx defines.
var ofSphinx = map[string]bool{"release": true, "version": true, "today": true, "translation progress": true}

// TextOf returns the text of an included file that is not a document. It returns nil if the file cannot
// be read, or includes others itself.
func (a *Library) TextOf(file string) []byte {
	text := a.textOf(file)
	if bytes.Contains(text, []byte(".. include::")) {
		return nil
	}
	return text
}

// textOf is TextOf for a file that may include others.
func (a *Library) textOf(file string) []byte {
	if info, err := a.Shared.Tree.Stat(file); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := a.Shared.Tree.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, doc.MaxHead))
	if err != nil {
		return nil
	}
	return text
}

// maxComment limits how far from an offset the start of a tag or comment of a template is looked for.
const maxComment = 1 << 12

// IsInTag reports whether an offset is in {{ … }} or {% … %} on its line, or in {# … #}.
func IsInTag(source []byte, at int) bool {
	before := source[max(0, min(at, len(source))-maxComment):min(at, len(source))]
	if comment := bytes.LastIndex(before, []byte("{#")); comment >= 0 && comment > bytes.LastIndex(before, []byte("#}")) {
		return true
	}
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	open := max(bytes.LastIndex(line, []byte("{{")), bytes.LastIndex(line, []byte("{%")))
	return open >= 0 && open > max(bytes.LastIndex(line, []byte("}}")), bytes.LastIndex(line, []byte("%}")))
}

// Reasons.
var (
	configDefinesName     = reason.New(reason.Code, "config-defines-name", "the configuration may define the name")
	extensionSubstitution = reason.New(reason.Code, "extension-substitution", "an extension may define the substitution")
	includedName          = reason.New(reason.OtherPage, "included-name", "an included file may define the name")
	sphinxSubstitution    = reason.New(reason.Code, "sphinx-substitution", "Sphinx defines the substitution, of which there is no configuration")
)
