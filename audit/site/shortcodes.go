package site

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
)

// A shortcode describes how a template of a project changes the page that uses it.
type shortcode struct {
	shows bool     // shows another file, whose name is an argument
	opens bool     // may make unknown ids
	ids   []string // ids that it always makes
}

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
func (g *hugo) readShortcodes(d *directory) {
	g.codes, g.partials = map[string]shortcode{}, map[string]shortcode{}
	for _, name := range shortcodes {
		g.codes[name] = shortcode{}
	}
	left := maxShortcodes
	for _, layouts := range slices.Backward(g.layouts) {
		for _, sub := range []string{"shortcodes", "_shortcodes"} {
			dir := d.in(layouts + "/" + sub)
			if !d.tree.isDir(dir) {
				continue
			}
			d.tree.files(dir, func(name string) bool { return name[0] == '.' }, func(rel string) {
				if left--; left < 0 {
					return
				}
				name := path.Base(rel)
				name, _, _ = strings.Cut(name, ".")
				if layouts != "layouts" && slices.Contains(shortcodes, path.Join(path.Dir(rel), name)) {
					return // what is known of it is known of themes
				}
				g.codes[path.Join(path.Dir(rel), name)] = g.shortcodeOf(d, d.tree.text(dir+"/"+rel, maxTemplate))
			})
		}
	}
}

// shortcodeOf returns a description of a template.
func (g *hugo) shortcodeOf(d *directory, text []byte) shortcode {
	text = templateComment.ReplaceAll(text, nil)
	c := shortcode{}
	c.opens = g.makes(d, text, 0, &c.ids)
	if templateShows.Match(text) {
		c.shows = templateGets.Match(text)
		c.opens = c.opens || !c.shows
	}
	return c
}

// makes reports whether a template, or one that it runs, may make unknown ids. It adds to ids those that
// the template always makes: from attributes and headings without templates in them.
func (g *hugo) makes(d *directory, text []byte, depth int, ids *[]string) bool {
	const maxDepth, maxIDs = 4, 100
	if depth == maxDepth {
		return true
	}
	for _, m := range templateMakes.FindAllSubmatch(text, maxIDs) {
		id, heading := string(slices.Concat(m[1:4]...)), strings.TrimSpace(string(m[4]))
		switch {
		case strings.Contains(id, "{{"), strings.ContainsAny(heading, "{<`*_[&"):
			return true
		case heading != "":
			*ids = append(*ids, new(slug.Slugger{Flavour: g.slug}).Slug(slug.Heading{Text: heading, Alt: heading, Source: heading}))
		case id != "":
			*ids = append(*ids, id)
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
		c, isKnown := g.partials[name]
		if !isKnown {
			g.partials[name] = c // templates may run each other
			c.opens = true
			if file := g.partial(d, name); file != "" {
				c.opens = g.makes(d, templateComment.ReplaceAll(d.tree.text(file, maxTemplate), nil), depth+1, &c.ids)
			}
			g.partials[name] = c
		}
		if c.opens {
			return true
		}
		*ids = append(*ids, c.ids[:min(len(c.ids), maxIDs)]...)
	}
	return false
}

// partial returns the file of a partial template, "" if it is not in the tree.
func (g *hugo) partial(d *directory, name string) string {
	for _, layouts := range g.layouts {
		for _, sub := range []string{"partials", "_partials"} {
			for _, suffix := range []string{"", ".html"} {
				if file := d.in(path.Join(layouts, sub, name) + suffix); d.tree.isFile(file) {
					return file
				}
			}
		}
	}
	return ""
}

// makesID reports whether a shortcode in a page, or in a part of it, always makes an id.
func (g *hugo) makesID(s *Site, file, id string) (makes bool) {
	for _, part := range append([]string{file}, s.shows[file]...) {
		eachShortcode(s.tree.text(part, maxPage), func(name string, _ []byte) {
			makes = makes || slices.Contains(g.codes[name].ids, id)
		})
	}
	return makes
}

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

// fileArgument matches an argument that names a file.
var fileArgument = lazy.New("^\\s*(?:[\\w-]+\\s*=\\s*)?(?:\"([^\"\n]+)\"|`([^`\n]+)`|([^\\s\"`=/>%][^\\s\"`=>%]*))|" +
	"\\b(?:file|path|page|src|name|source)\\s*=\\s*[\"`]([^\"`\n]+)[\"`]")

// parts returns the files that a page includes by shortcodes.
func (g *hugo) parts(s *Site, p *Page, text []byte) (files []string) {
	eachShortcode(text, func(name string, arguments []byte) {
		c, isKnown := g.codes[name]
		if isKnown && !c.shows || !isKnown && !slices.Contains(includers, name) {
			return
		}
		for _, m := range fileArgument.FindAllSubmatch(arguments, 4) {
			if file := g.part(s, p, string(slices.Concat(m[1:]...))); file != "" {
				files = append(files, file)
				return
			}
		}
	})
	return files
}

// includers lists shortcodes of themes that include files.
var includers = []string{"include", "readfile", "content", "md", "partial", "snippet", "include-md"}

// part returns the file that a name in a shortcode means, or "" if there is none.
func (g *hugo) part(s *Site, p *Page, name string) string {
	dirs := []string{path.Dir(p.File), p.Mount.Dir, s.Dir}
	for _, m := range s.Mounts {
		if m.Kind == Pages && m != p.Mount {
			dirs = append(dirs, m.Dir)
		}
	}
	if strings.HasPrefix(name, "/") {
		dirs = dirs[1:]
	}
	for _, dir := range dirs {
		stem := path.Join(dir, name)
		if !below(stem, s.tree.root) {
			continue
		}
		for _, file := range []string{stem, stem + ".md", stem + "/index.md", stem + "/_index.md", stem + ".html"} {
			if file != p.File && s.tree.isFile(file) {
				return file
			}
		}
	}
	return ""
}

// opens reports whether shortcodes in a text may make unknown ids, or include unknown files.
func (g *hugo) opens(s *Site, text []byte) (opens bool) {
	eachShortcode(text, func(name string, arguments []byte) {
		c, isKnown := g.codes[name]
		switch {
		case isKnown && c.shows:
			opens = opens || c.opens || !fileArgument.Match(arguments)
		case isKnown:
			opens = opens || c.opens
		case strings.HasPrefix(name, "blocks/"):
			opens = true
		default:
			opens = opens || !slices.Contains(includers, name)
		}
	})
	return opens
}
