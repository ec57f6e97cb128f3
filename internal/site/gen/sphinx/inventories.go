package sphinx

import (
	"bytes"
	"compress/zlib"
	_ "embed"
	"encoding/base64"
	"io"
	"path"
	"slices"
	"sort"
	"strings"
	"sync"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// Labels and terms of other projects, which the build gets from their inventories (intersphinx).

// inventoryList has the names of projects that others refer to. Its first lines describe its format and
// date.
//
//go:embed inventories.tsv
var inventoryList string

// An inventory holds the labels and terms of a project: hashes of 24 bits in the list, or the names of a
// file in the tree. Of names that are not in the list, it has at most one in a thousand by chance (pandas,
// 11,450 names; 1 in 8,000 for Python).
type inventory struct {
	about  string // "Python 3.11.2"
	urls   []string
	kinds  string // letters of kinds of names that it has: "l" labels, "t" terms
	hashes []byte // sorted, of three bytes each; nil if names has them
	names  map[string]bool
}

// inventories are those of the list.
var inventories = sync.OnceValue(func() (all []*inventory) {
	for line := range strings.Lines(inventoryList) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if line[0] == '#' || len(fields) != 6 {
			continue
		}
		hashes, _ := base64.StdEncoding.DecodeString(fields[5]) // a test reads all
		all = append(all, &inventory{about: fields[0] + " " + fields[1], kinds: fields[2], urls: strings.Fields(fields[4]), hashes: hashes})
	}
	return all
})

// knownInventory returns the inventory that the list has of the documentation at a URL, or nil.
func knownInventory(url string) *inventory {
	_, at, ok := strings.Cut(url, "://")
	if !ok {
		return nil
	}
	for _, v := range inventories() {
		if slices.ContainsFunc(v.urls, func(start string) bool { return strings.HasPrefix(at+"/", start) }) {
			return v
		}
	}
	return nil
}

// has reports whether the inventory may have a name of a kind.
func (v *inventory) has(kind byte, name string) bool {
	if strings.IndexByte(v.kinds, kind) < 0 {
		return true
	}
	key := string(kind) + site.LabelName(name)
	if v.hashes == nil {
		return v.names[key]
	}
	h := nameHash(key)
	i := sort.Search(len(v.hashes)/3, func(i int) bool { return bytes.Compare(v.hashes[3*i:3*i+3], h[:]) >= 0 })
	return 3*i < len(v.hashes) && [3]byte(v.hashes[3*i:]) == h
}

func nameHash(key string) [3]byte {
	h := uint32(2166136261)
	for i := range len(key) {
		h = (h ^ uint32(key[i])) * 16777619
	}
	h ^= h >> 24
	return [3]byte{byte(h >> 16), byte(h >> 8), byte(h)}
}

// Limits for inventories in the tree.
const (
	maxInventory  = 1 << 24 // bytes, inflated
	maxOfProjects = 100     // inventories of a project
)

// parseInventory reads an objects.inv of version 2, as Sphinx writes it. It returns nil for anything else.
func parseInventory(data []byte) *inventory {
	header, rest, ok := bytes.Cut(data, []byte("# The remainder of this file is compressed using zlib.\n"))
	if !ok || !bytes.HasPrefix(header, []byte("# Sphinx inventory version 2\n")) {
		return nil
	}
	r, err := zlib.NewReader(bytes.NewReader(rest))
	if err != nil {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(r, maxInventory))
	if err != nil || len(text) == maxInventory {
		return nil
	}
	v := &inventory{kinds: "lt", names: map[string]bool{}}
	for line := range bytes.Lines(text) {
		for kind, mark := range map[byte]string{'l': " std:label ", 't': " std:term "} {
			if i := bytes.Index(line, []byte(mark)); i > 0 {
				v.names[string(kind)+site.LabelName(string(line[:i]))] = true
			}
		}
	}
	return v
}

// otherProjects holds the inventories that a build reads.
type otherProjects struct {
	all   []*inventory
	isAll bool // the names in all of them are known
}

var (
	mappingUse   = lazy.New(`\bintersphinx_mapping\b`)
	mappingStart = lazy.New(`^\s*(?:=\s*\{|\|=\s*\{|\.update\(|\[\s*["'][^"'\n]*["']\s*\]\s*=\s*\()`)
	// mappingEntry matches an entry: the place of a documentation, and that of its inventory.
	mappingEntry = lazy.New(`\(\s*["']([^"'\n]+)["']\s*,\s*(None|["'][^"'\n]*["']|\([^()\n]*\))\s*,?\s*\)`)
	// mappingRest matches what is left of a mapping whose entries are all literal.
	mappingRest = lazy.New(`^(?:["'][^"'\n]+["']\s*:|\w+\s*=|[\s,{}()])*$`)
	comment     = lazy.New(`(?m)(?:^|\s)#[^\n]*`)
)

// readOthers finds the inventories that conf.py names.
func (g *model) readOthers(s *site.Site) *otherProjects {
	return g.projects.Get(func() *otherProjects {
		o := &otherProjects{isAll: g.hasIntersphinx && !g.mayHaveMore() && !strings.Contains(g.text, "import *")}
		text := comment.ReplaceAllString(g.text, "")
		n := 0
		for _, m := range mappingUse.FindAllStringIndex(text, maxOfProjects) {
			rest := text[m[1]:]
			start := mappingStart.FindString(rest)
			if start == "" {
				o.isAll = false
				continue
			}
			n++
			o.addEntries(s, balanced(rest[len(start)-1:]))
		}
		o.isAll = o.isAll && n > 0 && len(o.all) > 0
		return o
	})
}

// balanced returns the beginning of a text of Python up to the bracket that closes its first one, or all of it.
func balanced(text string) string {
	depth, quote := 0, byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote || c == '\n' {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '{' || c == '[':
			depth++
		case c == ')' || c == '}' || c == ']':
			if depth--; depth == 0 {
				return text[:i+1]
			}
		}
	}
	return text
}

// addEntries adds the inventories of a literal mapping.
func (o *otherProjects) addEntries(s *site.Site, text string) {
	entries := mappingEntry.FindAllStringSubmatch(text, maxOfProjects)
	for _, m := range entries {
		v := inventoryInTree(s, m[2])
		if v == nil {
			v = knownInventory(m[1])
		}
		if v == nil {
			o.isAll = false
			continue
		}
		o.all = append(o.all, v)
	}
	if len(entries) == maxOfProjects || !mappingRest.MatchString(mappingEntry.ReplaceAllString(text, "")) {
		o.isAll = false
	}
}

// inventoryInTree returns the inventory whose file, in the tree, is the first that the second part of an
// entry names, or nil.
func inventoryInTree(s *site.Site, names string) *inventory {
	for name := range strings.SplitSeq(names, ",") {
		name = strings.Trim(name, "()'\" \t")
		file := path.Join(s.Dir, name)
		if path.Ext(name) != ".inv" || strings.Contains(name, "://") || !source.Below(file, s.Tree.Root) || !s.Tree.IsFile(file) {
			continue
		}
		if v := parseInventory(s.Tree.ReadPage(file)); v != nil {
			v.about = name
			return v
		}
	}
	return nil
}

// has reports whether one of the inventories has a name of a kind, or may have it: not all are known.
func (o *otherProjects) has(kind byte, name string) bool {
	return !o.isAll || o.lists(kind, name)
}

// lists reports whether one of the known inventories has a name of a kind.
func (o *otherProjects) lists(kind byte, name string) bool {
	return slices.ContainsFunc(o.all, func(v *inventory) bool { return v.has(kind, name) })
}

// elsewhere says why a label is unlikely to be one of another project.
func (o *otherProjects) elsewhere() string {
	if o.isAll {
		return o.about()
	}
	return site.OwnNamesOnly
}

// about says what is known of other projects, for messages.
func (o *otherProjects) about() string {
	const most = 3
	var names []string
	for _, v := range o.all {
		if !slices.Contains(names, v.about) {
			names = append(names, v.about)
		}
	}
	switch {
	case len(names) == 0:
		return ""
	case len(names) > most:
		names = append(names[:most-1], "others")
	}
	last := len(names) - 1
	if last == 0 {
		return "what is known of " + names[0]
	}
	return "what is known of " + strings.Join(names[:last], ", ") + " and " + names[last]
}
