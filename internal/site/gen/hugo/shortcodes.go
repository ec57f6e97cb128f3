package hugo

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// A shortcode describes how a template of a project changes the page that uses it.
type shortcode struct {
	shows  bool     // shows another file, whose name is an argument
	opens  bool     // may make unknown ids
	ids    []string // ids that it always makes
	files  []string // files that it always shows, relative to the site
	copies []affix  // of ids that otherwise consist of an argument, or of a value in front of the page
	texts  []string // strings of the template, which may replace such a value
}

// An affix is what a template puts around a value.
type affix struct{ prefix, suffix string }

const (
	maxShortcodes = 2000     // templates that are read
	maxTemplate   = 64 << 10 // bytes of each
)

var (
	// templateShows matches code that shows a file whose name is an argument of the shortcode.
	templateShows = lazy.New(`\.(?:RenderShortcodes|Content|RawContent|Plain)\b|\breadFile\b|\bos\.ReadFile\b`)
	templateGets  = lazy.New(`\.(?:Get|Params|Named)\b|\bindex\s+\.`)
	// templateMakes matches code that makes an element with an id, or Markdown with headings.
	templateMakes = lazy.New(`(?i)\bid\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]*))|(?m:^[ \t]*#{1,6}[ \t]+([^\n]*))`)
	// templateCalls matches code that runs other templates.
	templateCalls = lazy.New("\\b(?:partial(?:Cached)?|template)\\s+(?:\"([^\"\n]+)\"|`([^`\n]+)`|[($.])")
)

// shortcodes lists the shortcodes of Hugo, and those that have the same name in nearly all themes.
// None makes an id that a link could mean.
var shortcodes = []string{
	"comment", "details", "figure", "gist", "highlight", "instagram", "instagram_simple", "param", "qr", "ref", "relref", "tweet", "twitter",
	"twitter_simple", "vimeo", "vimeo_simple", "x", "x_simple", "youtube",
	"admonition", "alert", "badge", "block", "button", "callout", "card", "cardpane", "cards", "center", "code", "code-toggle", "codeblock", "codefromfile", "columns", "danger",
	"expand", "filetree", "hint", "icon", "iframe", "image", "imgproc", "img", "important", "info", "katex", "kbd", "latest", "link", "math",
	"mermaid", "note", "notice", "pageinfo", "siteparam", "steps", "step", "tab", "tabpane", "tabs", "td/site-build-info", "tip", "video", "warning",
}

// readShortcodes reads the shortcodes of the project and its themes.
func (g *model) readShortcodes(d *source.Dir) {
	g.codes, g.partials = map[string]shortcode{}, map[string]shortcode{}
	for _, name := range shortcodes {
		g.codes[name] = shortcode{}
	}
	left := maxShortcodes
	for _, layouts := range slices.Backward(g.layouts) {
		dir, own := d.In(layouts), map[string]shortcode{}
		d.Tree.Files(dir, func(name string) bool { return name[0] == '.' }, func(rel string) {
			name, ok := shortcodeName(rel)
			if !ok || layouts != "layouts" && slices.Contains(shortcodes, name) {
				return // what is known of it is known of themes
			}
			if left--; left < 0 {
				return
			}
			c := g.shortcodeOf(d, d.Tree.Text(dir+"/"+rel, maxTemplate))
			if other, again := own[name]; again { // the directory of the page says which
				c.opens, c.shows, c.files = c.opens || other.opens, c.shows || other.shows, append(c.files, other.files...)
				c.add(&other, maxShortcodes)
			}
			own[name] = c
		})
		maps.Copy(g.codes, own)
	}
}

// shortcodeName returns the name of the shortcode that a file of layouts is the template of. Since Hugo 0.146, any
// directory may hold templates of shortcodes, for the pages below it.
func shortcodeName(rel string) (name string, ok bool) {
	rel, ok = strings.CutPrefix(rel, "shortcodes/")
	if !ok {
		_, rel, ok = strings.Cut("/"+rel, "/_shortcodes/")
	}
	base, _, _ := strings.Cut(path.Base(rel), ".")
	return path.Join(path.Dir(rel), base), ok
}

// shortcodeOf returns a description of a template.
func (g *model) shortcodeOf(d *source.Dir, text []byte) shortcode {
	text = templateComment.ReplaceAll(text, nil)
	c := shortcode{}
	c.opens = g.makes(d, text, 0, &c)
	g.readsFiles = g.readsFiles || readArgument.Match(text)
	files := shownFile.FindAllSubmatch(text, maxShown)
	if len(files) > 0 && len(templateShows.FindAllSubmatch(text, maxShown+1)) == len(files) {
		for _, m := range files {
			c.files = append(c.files, string(m[1]))
		}
		return c
	}
	if templateShows.Match(text) {
		c.shows = templateGets.Match(text)
		c.opens = c.opens || !c.shows
	}
	return c
}

// maxShown limits how many files a template may show.
const maxShown = 20

// readArgument matches code that reads a file whose name is computed: from the directory of the project.
var readArgument = lazy.New(`(?:\breadFile|\bos\.ReadFile)\s+[^"\s]`)

// shownFile matches code that shows one file.
var shownFile = lazy.New("(?:\\breadFile|\\bos\\.ReadFile)\\s+\"([^\"\n]+)\"")

// add adds what a template that c runs makes.
func (c *shortcode) add(other *shortcode, most int) {
	c.ids = append(c.ids, other.ids[:min(len(other.ids), most)]...)
	c.copies = append(c.copies, other.copies[:min(len(other.copies), most)]...)
	c.texts = append(c.texts, other.texts[:min(len(other.texts), most)]...)
}

// makes reports whether a template, or one that it runs, may make unknown ids. It adds the other ids to c: from
// attributes and headings.
func (g *model) makes(d *source.Dir, text []byte, depth int, c *shortcode) bool {
	const maxDepth, maxIDs = 4, 100
	if depth == maxDepth {
		return true
	}
	code := readTemplate(text)
	for _, m := range templateMakes.FindAllSubmatch(text, maxIDs) {
		id, heading := string(slices.Concat(m[1:4]...)), strings.TrimSpace(string(m[4]))
		switch {
		case strings.Contains(id, "{{"), strings.Contains(heading, "{{"):
			around, ok := code.copied(id + heading)
			if !ok {
				return true
			}
			c.copies = append(c.copies, around)
		case strings.ContainsAny(heading, "{<`*_[&"):
			return true
		case heading != "":
			c.ids = append(c.ids, new(slug.Slugger{Algorithm: g.slug}).Slug(slug.Heading{Text: heading, Alt: heading, Source: heading}))
		case id != "":
			c.ids = append(c.ids, id)
		}
	}
	if len(c.copies) > 0 {
		for _, m := range templateString.FindAllSubmatch(text, maxIDs) {
			c.texts = append(c.texts, string(slices.Concat(m[1:]...)))
		}
	}
	const maxCalls = 200
	for _, m := range templateCalls.FindAllSubmatch(text, maxCalls) {
		name := string(m[1]) + string(m[2])
		if name == "" {
			return true
		}
		if bytes.Contains(text, []byte("define \""+name+"\"")) || bytes.Contains(text, []byte("partials/"+name+"\"")) {
			continue
		}
		part, isKnown := g.partials[name]
		if !isKnown {
			g.partials[name] = part // templates may run each other
			part.opens = true
			if file := g.partial(d, name); file != "" {
				text := templateComment.ReplaceAll(d.Tree.Text(file, maxTemplate), nil)
				part.opens = templateShows.Match(text) || g.makes(d, text, depth+1, &part)
			}
			g.partials[name] = part
		}
		if part.opens {
			return true
		}
		c.add(&part, maxIDs)
	}
	return false
}

var (
	// templateExpr matches an expression that yields a field, a variable or an argument, perhaps changed in
	// punctuation and case.
	templateExpr = lazy.New(`^\{\{-?\s*(?:\(?\s*(\$?\.?[\w.]+|\$?\.Get\s+[\w"]+)\s*\)?)(?:\s*\|\s*(?:anchorize|urlize|lower|safeHTML|safeHTMLAttr|markdownify|plainify|string|htmlEscape))*\s*-?\}\}$`)
	// templateComputes matches code whose values are neither in the page that uses the template nor in the template.
	templateComputes = lazy.New("(?i)\\b(?:ordinal|inner|md5|sha\\w*|fnv32a|crypto|hash|printf|now|time|math|add|sub|mul|seq|rand|uniqueid|i18n|T|lang|site|sites|resources?|" +
		"getpage|pages?|getjson|getremote|transform|len|substr|replacere|findre|slicestr|split|delimit|humanize|title|dict|emojify|cond|path|file|urlquery|base64\\w*|position|index)\\b|range\\s+\\$\\w+\\s*,")
	hugoAssignment = lazy.New(`\{\{-?\s*(?:(?:with|if|else if|range)\s+)?(\$\w+)\s*:?=\s*([^}\n]*)\}\}`)
)

// siteData matches the data of the site, whose fields look like those of a page.
var siteData = lazy.New(`\b(?:[sS]ite|hugo)\.Data\b`)

// A templateCode is what ids and headings of a template depend on. It is found out once, if they do.
type templateCode struct {
	usesData    func() bool       // of the site
	readsOthers func() bool       // pages, data or texts
	assigned    func() [][][]byte // matches of hugoAssignment, at most 200
}

func readTemplate(text []byte) templateCode {
	return templateCode{
		sync.OnceValue(func() bool { return siteData.Match(text) }),
		sync.OnceValue(func() bool { return templateOthers.Match(templateDict.ReplaceAll(text, nil)) }),
		sync.OnceValue(func() [][][]byte { return hugoAssignment.FindAllSubmatch(text, 200) }),
	}
}

// copied returns the text around the only expression in an id or heading, if its value can only be an
// argument, or a value in the front matter of the page.
func (c *templateCode) copied(id string) (around affix, ok bool) {
	start, end := strings.Index(id, "{{"), strings.LastIndex(id, "}}")
	if end < start || strings.Count(id, "{{") != 1 || c.usesData() {
		return around, false
	}
	m := templateExpr.FindStringSubmatch(id[start : end+2])
	if m == nil || templateComputes.MatchString(m[1]) {
		return around, false
	}
	switch {
	case strings.HasPrefix(m[1], "$") && !strings.Contains(m[1], "."): // a variable: look at all that is assigned to it
		for _, a := range c.assigned() {
			if string(a[1]) == m[1] {
				if templateComputes.Match(a[2]) {
					return around, false
				}
				ok = true
			}
		}
	case strings.Contains(m[1], ".Get"):
		ok = true
	default: // a field of something: of what is not known
		ok = !c.readsOthers()
	}
	return affix{bareOf(id[:start]), bareOf(id[end+2:])}, ok
}

// templateOthers matches code that reads data, other pages or texts.
var templateOthers = lazy.New(`(?i)\b(?:site|sites|hugo|resources?|getpage|pages|getjson|getremote|transform|i18n|inner|dict|split)\b`)

// templateDict matches maps that hold only strings of the template, and those that a template hands to another one.
var templateDict = lazy.New(`\bdict(?:\s+"[^"\n]*")+\s*[-})]|\bpartial(?:Cached)?\s+"[^"\n]+"\s+\(dict\b[^()]*\)`)

// bareOf returns the letters and digits of an id.
func bareOf(id string) string { return strings.TrimPrefix(site.BareName(id), "\x00") }

// partial returns the file of a partial template, "" if it is not in the tree.
func (g *model) partial(d *source.Dir, name string) string {
	for _, layouts := range g.layouts {
		for _, sub := range []string{"partials", "_partials"} {
			for _, suffix := range []string{"", ".html"} {
				if file := d.In(path.Join(layouts, sub, name) + suffix); d.Tree.IsFile(file) {
					return file
				}
			}
		}
	}
	return ""
}

// MakesID reports whether the layout of a page may make an id of data, or a shortcode in the page, or in a part of it,
// makes it: always, or from a value of the page.
func (g *model) MakesID(s *site.Site, file, id string) bool {
	if g.laidOut.Get(file, func(file string) bool { return g.isLaidOut(s, file) }) {
		return true
	}
	made := g.made.Get(file, func(file string) *madeIDs { return g.readMade(s, file) })
	if made.ids[id] || made.hasBlocks && strings.HasPrefix(id, "td-") {
		return true
	}
	bare := bareOf(id)
	for _, around := range made.copies {
		rest, begins := strings.CutPrefix(bare, around.prefix)
		rest, ends := strings.CutSuffix(rest, around.suffix)
		if begins && ends && made.values[rest] {
			return true
		}
	}
	return false
}

// commonTypes are types whose layouts show only the text of a page, in nearly all themes.
var commonTypes = []string{"default", "docs", "doc", "blog", "page", "post", "posts"}

// isLaidOut reports whether the layout of a page may make ids: the layout of its type, by default its section, makes
// them of data or reads files, or the page has no heading, and names a layout, or a type that has none in the tree.
func (g *model) isLaidOut(s *site.Site, file string) bool {
	p := s.Page(file)
	if p == nil {
		return false
	}
	section, _, _ := strings.Cut(p.Rel, "/")
	named := p.Front.Lookup("type")
	kind := named.Or(section)
	isTyped := path.Base(kind) == kind && !slices.Contains(commonTypes, kind)
	var own layout
	if isTyped {
		own = g.layoutIn(s, kind)
	}
	if own.makesIDs || heading.Match(s.Tree.Text(file, source.MaxPage)) {
		return own.makesIDs
	}
	return p.Front.Lookup("layout").IsGiven() || isTyped && named.IsGiven() && !own.exists
}

// A layout is what is known of the templates in a directory of layouts.
type layout struct {
	exists   bool
	makesIDs bool // of data of the site, or of files that it reads
}

// layoutIn looks at the templates in a directory of layouts.
func (g *model) layoutIn(s *site.Site, dir string) layout {
	return g.layoutOf.Get(dir, func(string) (l layout) {
		left := maxShortcodes
		for _, layouts := range g.layouts {
			top := path.Join(s.Dir, layouts, dir)
			s.Tree.Files(top, func(name string) bool { return name[0] == '.' }, func(rel string) {
				l.exists = true
				if left--; left < 0 || l.makesIDs {
					return
				}
				text := s.Tree.Text(top+"/"+rel, maxTemplate)
				l.makesIDs = fileReader.Match(text) || siteData.Match(text) && idOfValue.Match(text)
			})
		}
		return l
	})
}

// fileReader matches code that shows the text of a file as Markdown.
var fileReader = lazy.New(`\b[rR]eadFile\b[^{}]*\b(?:markdownify|RenderString)\b`)

// idOfValue matches an id that a template makes of a value.
var idOfValue = lazy.New(`(?i)\bid\s*=\s*["']?[^"'<>\s]*\{\{`)

// heading matches the heading of a page, but for those underlined by hyphens, as the front matter is.
var heading = lazy.New(`(?m)^ {0,3}#{1,6}[ \t]|^ {0,3}=+[ \t]*$|<h[1-6][\s>]`)

// madeIDs are the ids that the shortcodes of a page make.
type madeIDs struct {
	ids       map[string]bool // always
	copies    []affix         // from values; each once, at most maxShortcodes
	hasBlocks bool            // also those of the blocks of Docsy

	// The letters and digits of the values that a template may find in the page: arguments of shortcodes, front matter,
	// and strings of templates.
	values map[string]bool
}

func (g *model) readMade(s *site.Site, file string) *madeIDs {
	made := &madeIDs{ids: map[string]bool{}, values: map[string]bool{}}
	copied, used := map[affix]bool{}, map[string]bool{}
	for _, part := range append([]string{file}, s.Shows[file]...) {
		text := s.Tree.Text(part, source.MaxPage)
		eachShortcode(text, func(name string, arguments []byte) {
			for _, m := range hugoArgument.FindAllSubmatch(arguments, 100) {
				made.values[bareOf(string(slices.Concat(m[1:]...)))] = true
			}
			if used[name] {
				return
			}
			used[name] = true
			c, isKnown := g.codes[name]
			for _, text := range c.texts {
				made.values[bareOf(text)] = true
			}
			for _, id := range c.ids {
				made.ids[id] = true
			}
			made.hasBlocks = made.hasBlocks || !isKnown && strings.HasPrefix(name, "blocks/")
			for _, around := range c.copies {
				if !copied[around] && len(made.copies) < maxShortcodes {
					copied[around] = true
					made.copies = append(made.copies, around)
				}
			}
		})
		addFront(text, made.values)
	}
	return made
}

// addFront adds the values and keys in front of a page.
func addFront(text []byte, values map[string]bool) {
	if !bytes.HasPrefix(text, []byte("---")) && !bytes.HasPrefix(text, []byte("+++")) {
		return
	}
	mark := text[:3]
	front, _, _ := bytes.Cut(text[3:], append([]byte("\n"), mark...))
	for value := range bytes.FieldsFuncSeq(front, func(r rune) bool { return strings.ContainsRune(":=\n,[]{}", r) }) {
		values[bareOf(string(value))] = true
	}
	for line := range bytes.Lines(front) {
		if i := bytes.IndexAny(line, ":="); i >= 0 {
			values[bareOf(string(line[i:]))] = true
		}
	}
}

// hugoArgument matches an argument of a shortcode, without its name.
var hugoArgument = lazy.New("\"([^\"\n]*)\"|`([^`]*)`|([^\\s\"`=]+)")

var templateComment = lazy.New(`(?s)\{\{-?\s*/\*.*?\*/\s*-?\}\}`)

// eachShortcode calls yield with the name and the arguments of each shortcode of a page.
func eachShortcode(text []byte, yield func(name string, arguments []byte)) {
	for {
		i := bytes.Index(text, []byte("{{"))
		if i < 0 || i+3 > len(text) {
			return
		}
		text = text[i+2:]
		end := ""
		switch text[0] {
		case '<':
			end = ">}}"
		case '%':
			end = "%}}"
		default:
			continue
		}
		rest := bytes.TrimLeft(text[1:], "- \t\r\n")
		n := 0
		for n < len(rest) && strings.IndexByte(" \t\r\n\"`=<>%{}", rest[n]) < 0 {
			n++
		}
		name := rest[:n]
		if n == 0 || name[0] == '/' { // the end of one, or a comment
			continue
		}
		arguments := rest[n:]
		arguments = arguments[:min(len(arguments), 2000)]
		if e := bytes.Index(arguments, []byte(end)); e >= 0 {
			yield(string(name), arguments[:e])
		}
	}
}

// An argument that names a file: the first one, or one whose name says so.
var (
	firstArgument = lazy.New("^\\s*(?:[\\w-]+\\s*=\\s*)?(?:\"([^\"\n]+)\"|`([^`\n]+)`|([^\\s\"`=/>%][^\\s\"`=>%]*))")
	fileArgument  = lazy.New("\\b(?:file|path|page|src|name|source)\\s*=\\s*[\"`]([^\"`\n]+)[\"`]")
)

// Parts returns the files that a page includes by shortcodes. A page without a text of its own shows the documents that
// its front matter names.
func (g *model) Parts(s *site.Site, p *site.Page, file string, text []byte) site.Parts {
	parts := site.Parts{IsOpen: g.opens(text)}
	if file == p.File && len(bytes.TrimSpace(comment.ReplaceAll(source.Body(text), nil))) == 0 {
		for _, e := range p.Front.Entries {
			if source.IsMarkdown(e.Value.Text) {
				if file := g.part(s, p, e.Value.Text); file != "" {
					parts.Files = append(parts.Files, file)
				}
			}
		}
	}
	eachShortcode(text, func(name string, arguments []byte) {
		c, isKnown := g.codes[name]
		for _, file := range c.files {
			if file = path.Join(s.Dir, file); s.Tree.IsFile(file) {
				parts.Add(s, file)
			}
		}
		if isKnown && !c.shows || !isKnown && !slices.Contains(includers, name) {
			return
		}
		for _, m := range append(firstArgument.FindAllSubmatch(arguments, 1), fileArgument.FindAllSubmatch(arguments, 4)...) {
			if file := g.part(s, p, string(slices.Concat(m[1:]...))); file != "" {
				parts.Files = append(parts.Files, file)
				return
			}
		}
		parts.IsOpen = true // the file is not in the tree
	})
	return parts
}

var comment = lazy.New(`(?s)<!--.*?-->`)

// includers lists shortcodes of themes that include files.
var includers = []string{"include", "readfile", "content", "md", "partial", "snippet", "include-md"}

// part returns the file that a name in a shortcode means, or "" if there is none.
func (g *model) part(s *site.Site, p *site.Page, name string) string {
	dirs := []string{path.Dir(p.File), p.Mount.Dir, s.Dir}
	for _, m := range s.Mounts {
		if m.Kind == site.Pages && m != p.Mount {
			dirs = append(dirs, m.Dir)
		}
	}
	if strings.HasPrefix(name, "/") {
		dirs = dirs[1:]
	}
	for _, dir := range dirs {
		stem := path.Join(dir, name)
		if !source.Below(stem, s.Tree.Root) {
			continue
		}
		for _, file := range []string{stem, stem + ".md", stem + "/index.md", stem + "/_index.md", stem + ".html"} {
			if file != p.File && s.Tree.IsFile(file) {
				return file
			}
		}
	}
	return ""
}

// opens reports whether shortcodes in a text may make unknown ids, or include unknown files.
func (g *model) opens(text []byte) (opens bool) {
	eachShortcode(text, func(name string, arguments []byte) {
		c, isKnown := g.codes[name]
		switch {
		case isKnown && c.shows:
			opens = opens || c.opens || !firstArgument.Match(arguments) && !fileArgument.Match(arguments)
		case isKnown:
			opens = opens || c.opens
		case strings.HasPrefix(name, "blocks/"):
			opens = opens || !g.hasDocsy // whose blocks make ids that begin with "td-"
		default:
			opens = opens || !slices.Contains(includers, name)
		}
	})
	return opens
}
