package built

import (
	"bytes"
	"cmp"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// Bounds of what is read of scripts and data.
const (
	maxPayload  = 1 << 20   // bytes of one file; larger ones are programs
	maxPayloads = 256 << 20 // bytes of all files
	maxNear     = 2048      // bytes between the name of a source and its URL
	maxNamed    = 64        // sources in one file
)

// payloadKeys are the names of members that name the source of a page, in the data that a generator leaves
// beside it. The names of VitePress and Docusaurus have been seen; if there are two, the first says where
// the file is.
var payloadKeys = []string{"filePath", "source", "relativePath"}

// sourceSuffixes are those of documents that become pages.
var sourceSuffixes = []string{".md", ".mdx", ".markdown", ".rst", ".adoc", ".ipynb", ".org"}

// Payloads returns the sources that scripts and data beside the pages name, for the wanted pages. It looks
// in objects with the URL of the page, in a file that only this page loads, or in a script of the page
// itself.
func (s *Site) Payloads(isWanted func(p *Page) bool) map[*Page][]string {
	found, inFile := map[*Page][]string{}, map[string]string{}
	left := maxPayloads
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		switch path.Ext(name) {
		case ".js", ".mjs", ".json":
		default:
			continue
		}
		text := s.payload(name)
		left -= len(text)
		if left < 0 {
			break
		}
		named := namedIn(text)
		for i := range named {
			if p := s.At(strings.TrimPrefix(ascii.UnescapeAll(named[i].url), s.Prefix)); named[i].url != "" && p != nil && isWanted(p) {
				found[p] = append(found[p], named[i].source)
			}
		}
		if only := onlySource(named); only != "" {
			inFile[name] = only
		}
	}
	s.loaded(isWanted, inFile, found)
	return found
}

// payload returns the text of a file, or nil if it is too large or cannot be read.
func (s *Site) payload(name string) []byte {
	f, err := s.fs.Open(s.Path + "/" + name)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxPayload+1))
	if err != nil || len(text) > maxPayload {
		return nil
	}
	return text
}

// loaded adds to found the sources that the pages name themselves, or that files do which only one of them loads.
func (s *Site) loaded(isWanted func(p *Page) bool, inFile map[string]string, found map[*Page][]string) {
	by := map[string][]*Page{} // by the file
	r := newReader(s, nil)
	for _, p := range s.Pages {
		if p.IsUnread || !isWanted(p) {
			continue
		}
		text := p.Text()
		if only := onlySource(namedIn(text)); only != "" {
			found[p] = append(found[p], only)
		}
		if len(inFile) == 0 {
			continue
		}
		to := newResolver(p)
		for it := range r.scanner.Scan(text) {
			isLoaded := it.Op == scan.Ref && (it.In == "script/src" || it.In == "link/href" && (isRel(it, "modulepreload") || isRel(it, "preload")))
			if !isLoaded {
				continue
			}
			if file := to.lead(it.Value).File; inFile[file] != "" && !slices.Contains(by[file], p) && len(by[file]) < 2 {
				by[file] = append(by[file], p)
			}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(by)) {
		if pages := by[file]; len(pages) == 1 {
			found[pages[0]] = append(found[pages[0]], inFile[file])
		}
	}
}

// A namedSource is a source that a text names.
type namedSource struct {
	rank     int // of its key
	source   string
	url      string // beside it; "" if there is none
	from, to int
}

// namedIn returns the sources that the objects of a script name. It is linear: it looks for suffixes, and
// from there back to the nearest quote.
func namedIn(text []byte) (all []namedSource) {
	for p := 0; len(all) < maxNamed; {
		i := bytes.IndexByte(text[p:], '"')
		if i < 0 {
			break
		}
		end := p + i
		value := bytes.TrimRight(text[p:end], `\`)
		if slices.Contains(sourceSuffixes, path.Ext(string(value[max(0, len(value)-len(".markdown")):]))) && bytes.IndexByte(value, '\n') < 0 {
			if rank := keyBefore(text[:p]); rank >= 0 {
				all = append(all, namedSource{rank: rank, source: string(value), from: p, to: end})
			}
		}
		p = end + 1
	}
	for i := range all {
		before, after := text[max(0, all[i].from-maxNear):all[i].from], text[all[i].to:min(len(text), all[i].to+maxNear)]
		if k := bytes.LastIndexAny(before, "{}"); k >= 0 {
			before = before[k:]
		}
		if k := bytes.IndexAny(after, "{}"); k >= 0 {
			after = after[:k]
		}
		all[i].url = cmp.Or(permalinkIn(before), permalinkIn(after))
	}
	return all
}

// keyBefore returns the rank of the key whose value begins after a quote at the end of text, or -1.
func keyBefore(text []byte) int {
	text = text[max(0, len(text)-32):]
	text = bytes.TrimRight(text, `"\`)
	text = bytes.TrimRight(text, " ")
	text, ok := bytes.CutSuffix(text, []byte(":"))
	if !ok {
		return -1
	}
	text = bytes.TrimRight(text, ` "\`)
	n := len(text)
	for n > 0 && ascii.IsAlnum(text[n-1]) {
		n--
	}
	return slices.Index(payloadKeys, string(text[n:]))
}

// permalinkIn returns the URL of a page that a piece of an object names, or "".
func permalinkIn(text []byte) string {
	_, rest, ok := bytes.Cut(text, []byte(`"permalink":"`))
	if !ok {
		return ""
	}
	u, _, ok := bytes.Cut(rest, []byte(`"`))
	if !ok || bytes.IndexByte(u, '\\') >= 0 {
		return ""
	}
	return string(u)
}

// onlySource returns the source that a text names, if it is only one.
func onlySource(named []namedSource) (source string) {
	for rank := range payloadKeys {
		for i := range named {
			switch {
			case named[i].rank != rank || named[i].source == source:
			case source != "":
				return ""
			default:
				source = named[i].source
			}
		}
		if source != "" {
			return source
		}
	}
	return ""
}
