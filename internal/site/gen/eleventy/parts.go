package eleventy

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// setFormats finds which templates of HTML make pages: all, unless the configuration lists formats.
func (g *model) setFormats(conf source.Value, calls []literal.Value) {
	formats := conf.Lookup("templateFormats")
	for _, c := range calls {
		if call := (source.Value{Value: c}); call.Function() == "setTemplateFormats" {
			formats = call.Item(0)
		}
	}
	names := formats.Texts()
	if text := formats.Or(""); text != "" {
		names = strings.Split(strings.ReplaceAll(text, " ", ""), ",")
	}
	for _, name := range []string{"njk", "liquid"} {
		if len(names) == 0 || formats.IsUnknown() || slices.Contains(names, name) {
			g.templates = append(g.templates, "."+name)
		}
	}
}

// fromCascade returns a value from the front matter of a page, or from the data of the directories
// that it is in.
func (g *model) fromCascade(p *site.Page, key string) source.Value {
	v, _ := g.cascade(p, key)
	return v
}

// cascade returns a value as fromCascade does, and the file that has it.
func (g *model) cascade(p *site.Page, key string) (v source.Value, file string) {
	v = p.Front.Lookup(key)
	if v.IsGiven() {
		return v, p.File
	}
	stems := []string{slash.Stem(p.File)}
	for dir := path.Dir(p.File); source.Below(dir, g.input); dir = path.Dir(dir) {
		stems = append(stems, dir+"/"+path.Base(dir))
		if dir == g.input {
			break
		}
	}
	for _, stem := range stems {
		v = g.dataFor(stem, key)
		if v.IsGiven() {
			return v, g.dataFile(stem)
		}
	}
	for _, suffix := range append([]string{".json", ".js", ".cjs", ".mjs"}, g.dataSuffixes...) {
		file = g.dataDir + "/" + key + suffix
		if !strings.HasPrefix(suffix, ".11ty") && g.tree.IsFile(file) {
			return g.readData(file), file
		}
	}
	return source.Value{}, ""
}

// dataFor returns a value from the data files beside a page. If a script computes the data, but
// neither names the key nor spreads other data, there is no such value.
func (g *model) dataFor(stem, key string) source.Value {
	v := g.dataOf(stem).Lookup(key)
	if !v.IsUnknown() {
		return v
	}
	text := g.tree.Text(g.dataFile(stem), source.MaxPage)
	if len(text) > 0 && !bytes.Contains(text, []byte(key)) && !bytes.Contains(text, []byte("...")) {
		return source.Value{}
	}
	return v
}

var dataSuffixes = []string{".11tydata.js", ".11tydata.mjs", ".11tydata.cjs", ".11tydata.json", ".json"}

// addDataExtension adds the suffixes of data files of the project's own: "yml, yaml".
func (g *model) addDataExtension(names string) {
	for name := range strings.FieldsFuncSeq(names, func(r rune) bool { return r == ',' || r == ' ' }) {
		g.dataSuffixes = append(g.dataSuffixes, ".11tydata."+name, "."+name)
	}
}

// dataFile returns the file of data beside a page, or of a directory, by its name without suffixes; "" if
// there is none.
func (g *model) dataFile(stem string) string {
	for _, suffixes := range [][]string{dataSuffixes, g.dataSuffixes} {
		for _, suffix := range suffixes {
			if g.tree.IsFile(stem + suffix) {
				return stem + suffix
			}
		}
	}
	return ""
}

// readSuffixes are those of formats that the tool reads if the configuration adds them.
var readSuffixes = []string{".yml", ".yaml", ".toml", ".json5", ".jsonc", ".ts", ".mts", ".cts"}

// dataOf returns the data in that file.
func (g *model) dataOf(stem string) source.Value {
	return g.data.Get(stem, func(stem string) source.Value {
		if file := g.dataFile(stem); file != "" {
			return g.readData(file)
		}
		return source.Value{}
	})
}

// readData reads a file of data. One in another format is unknown.
func (g *model) readData(file string) source.Value {
	suffix := path.Ext(file)
	if slices.Contains(g.dataSuffixes, suffix) && !slices.Contains(readSuffixes, suffix) {
		return source.Value{Value: literal.Value{Kind: literal.Unknown}}
	}
	return g.tree.Read(file)
}

// byImage resolves an image as eleventy-img does: relative to the source file, or below the directory
// of sources.
func (g *model) byImage(s *site.Site, r *site.Reference) []site.Candidate {
	if r.Path == "" {
		return nil
	}
	if r.IsRooted() {
		return []site.Candidate{site.AssetCandidate(path.Join(g.input, r.Path))}
	}
	return []site.Candidate{site.AssetCandidate(path.Join(r.Dir(), r.Path))}
}

var (
	templateInclude = lazy.New(`^\{%-?\s*(include|render|import|from|extends|renderFile|embed)\s+(?:["']([^"']+)["'])?`)
	rawBlock        = lazy.New(`(?s)\{%-?\s*raw\s*-?%\}.*?\{%-?\s*endraw\s*-?%\}`)
	templateID      = lazy.New(`\bid=(?:"([^"]+)"|'([^']+)')|(?:^|[\s<])(:id)=`)
)

// Parts returns the files that a page or a part includes.
func (g *model) Parts(_ *site.Site, _ *site.Page, file string, text []byte) (parts site.Parts) {
	for m := range source.MatchesAt(text, "{%", templateInclude) {
		if part := g.part(file, string(m[2])); part != "" {
			parts.Files = append(parts.Files, part)
		}
	}
	return parts
}

// part returns the file that an include in a file names, or "".
func (g *model) part(from, name string) string {
	if name == "" {
		return ""
	}
	dirs := g.partDirs
	if strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		dirs = append([]string{path.Dir(from)}, dirs...)
	}
	for _, dir := range dirs {
		for _, suffix := range []string{"", ".njk", ".liquid", ".html", ".webc", ".md"} {
			if file := path.Join(dir, name+suffix); source.Below(file, g.tree.Root) && g.tree.IsFile(file) {
				return file
			}
		}
	}
	return ""
}

// KnowsTags reports whether everything that the templates in a page include is known.
func (g *model) KnowsTags(s *site.Site, text []byte) bool {
	text = rawBlock.ReplaceAll(text, nil)
	for m := range source.MatchesAt(text, "{%", templateInclude) {
		if g.part("", string(m[2])) == "" {
			return false
		}
	}
	return true
}

// idsOfPart holds the ids in the text of a template.
type idsOfPart struct {
	showsPages bool // other ones, with their ids
	plain      map[string]bool
	loose      map[string]bool  // the letters of those of headings
	patterns   []*regexp.Regexp // with templates in them
	isOpen     bool             // others may be there
	vars       []string         // variables whose values are ids
}

func (all *idsOfPart) add(part idsOfPart) {
	for id := range part.plain {
		if all.plain == nil {
			all.plain = map[string]bool{}
		}
		all.plain[id] = true
	}
	for id := range part.loose {
		if all.loose == nil {
			all.loose = map[string]bool{}
		}
		all.loose[id] = true
	}
	all.patterns = append(all.patterns, part.patterns...)
	all.vars = append(all.vars, part.vars...)
	all.isOpen = all.isOpen || part.isOpen
}

func (all *idsOfPart) addPlain(id string) {
	if all.plain == nil {
		all.plain = map[string]bool{}
	}
	all.plain[id] = true
}

// prefixed returns what matches the ids that begin with a text, or nil if it has no letters.
func prefixed(text string) *regexp.Regexp {
	if strings.IndexFunc(text, func(r rune) bool { return !isNoLetter(r) }) < 0 {
		return nil
	}
	return regexp.MustCompile("^" + lazy.Quote(text) + ".*$")
}

// layoutHeading matches a heading in a layout without markup or templates in it.
var layoutHeading = lazy.New(`<h[1-6][^<>]*>([^<>{}]+)</h[1-6]>`)

// headingIDs returns the ids that a transform most likely gives to the headings of a layout.
func headingIDs(text []byte) map[string]bool {
	ids := map[string]bool{}
	for _, m := range layoutHeading.FindAllSubmatch(text, -1) {
		ids[slug.GitHub.Slug(slug.Heading{Text: strings.TrimSpace(string(m[1]))})] = true
	}
	return ids
}

// MakesID reports whether a file that a page includes, or a layout around it, may have an id.
func (g *model) MakesID(s *site.Site, file, id string) bool {
	all := g.idsOfPages.Get(file, func(file string) idsOfPart { return g.idsOfPage(s, file) })
	return all.isOpen || all.plain[id] || all.hasLoose(id) || slices.ContainsFunc(all.patterns, func(re *regexp.Regexp) bool { return re.MatchString(id) })
}

// idsOfPage returns the ids in the layouts of a page, and in the files that these and the page include.
// Others are unknown if a template shows other pages.
func (g *model) idsOfPage(s *site.Site, file string) (all idsOfPart) {
	const (
		maxLayouts = 8
		maxParts   = 200
	)
	queue := []string{file}
	parts, _ := s.Parts(file)
	queue = append(queue, parts...)
	if path.Ext(file) == ".md" {
		for _, part := range queue[1:] {
			if path.Ext(part) != ".md" {
				all.markdownHeadings(s.Tree.Text(part, source.MaxPage))
			}
		}
	}
	if p := s.ByFile[file]; p != nil {
		layout, from := g.fromCascade(p, "layout"), file
		for range maxLayouts {
			in := g.part(from, layout.Or(""))
			if in == "" {
				all.isOpen = all.isOpen || layout.IsUnknown()
				break
			}
			queue = append(queue, in)
			layout, from = source.FrontMatter(s.Tree.Text(in, source.MaxPage)).Lookup("layout"), in
		}
	}
	seen := map[string]bool{}
	var texts [][]byte
	for i := 0; i < len(queue) && i < maxParts; i++ {
		part := queue[i]
		if part == "" || seen[part] {
			continue
		}
		seen[part] = true
		ids := g.idsIn(s, part)
		all.add(ids)
		text := s.Tree.Text(part, source.MaxPage)
		texts = append(texts, text)
		all.isOpen = all.isOpen || g.usesMaker(s, text)
		if path.Ext(part) == ".md" {
			continue
		}
		for m := range source.MatchesAt(text, "{%", templateInclude) {
			queue = append(queue, g.part(part, string(m[2])))
		}
		all.isOpen = all.isOpen || i > 0 && ids.showsPages
	}
	slices.Sort(all.vars)
	for _, name := range slices.Compact(all.vars) {
		all.add(g.valuesOf(s.ByFile[file], name, texts))
	}
	return all
}

// otherContent matches the content of other pages in a template, with the name of the filter that is applied to it.
var otherContent = lazy.New(`\b(?:templateContent|\w+\.content)\b(?:\s*\|\s*(\w+))?`)

// textFilter matches the names of filters that make a text without elements.
var textFilter = lazy.New(`(?i)title|excerpt|summary|strip|trunc|escape|size|length|count|words|reading`)

// showsContent reports whether a template shows other pages, with their ids.
func showsContent(text []byte) bool {
	for _, m := range otherContent.FindAllSubmatch(text, -1) {
		if !textFilter.Match(m[1]) {
			return true
		}
	}
	return false
}

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// idsIn returns the ids in the text of a template. An id that consists of a template is unknown.
func (g *model) idsIn(s *site.Site, file string) idsOfPart {
	return g.ids.Get(file, func(file string) idsOfPart { return g.readIDs(s, file) })
}

func (g *model) readIDs(s *site.Site, file string) (ids idsOfPart) {
	text := s.Tree.Text(file, source.MaxPage)
	ids.showsPages = bytes.Contains(text, []byte("ontent")) && showsContent(text)
	if g.transforms && !strings.HasSuffix(file, ".md") {
		ids.plain = headingIDs(text)
	}
	for m := range source.MatchesIn(text, templateID, "id=") {
		id := string(m[1]) + string(m[2])
		switch {
		case len(m[3]) > 0:
			ids.isOpen = ids.isOpen || path.Ext(file) != ".md" // in Markdown, it is an example of WebC
		case !strings.Contains(id, "{{") && !strings.Contains(id, "{%"):
			ids.addPlain(id)
		case plainVariable.MatchString(id):
			ids.vars = append(ids.vars, plainVariable.FindStringSubmatch(id)[1])
		default:
			re := site.TemplatedID(id)
			if re == nil {
				ids.isOpen = true
				continue
			}
			ids.patterns = append(ids.patterns, re)
		}
	}
	return ids
}
