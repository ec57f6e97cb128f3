package site

import (
	"path"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
)

// A quartz is a site of notes of Quartz 4. Its links name notes, as those of a vault do, and it makes pages of
// directories, tags and aliases.
type quartz struct {
	dir    string
	files  map[string]string // by slugOf their paths
	byName map[string]string // by the last names of the slugs
}

// findQuartz finds a site by quartz.config.*, with its notes in the default directory.
func findQuartz(d *directory) []*Site {
	name := d.first("quartz.config.ts", "quartz.config.js")
	content := d.in("content")
	if name == "" || !d.tree.isDir(content) {
		return nil
	}
	s := d.newSite("Quartz", name)
	q := &quartz{dir: content}
	s.Slug, s.Dialect = slug.GitHub, markdown.Obsidian
	s.isLoose = true // the fragment of a link is the text of a heading, of which an id is made
	s.Mounts = []*Mount{{Dir: content, URL: "/", Kind: Pages}, {Dir: d.in("quartz/static"), URL: "/static/", Kind: Static}}
	s.suffixes = []string{".md"}
	s.copies = copyAll
	s.readsFront = true
	s.route = func(_ *Site, p *Page) { p.Routes = []string{"/" + strings.TrimSuffix(slugOf(p.Rel), "index")} }
	s.finish = q.index
	s.table[Markdown] = []step{q.link}
	s.table[HTML] = []step{never}
	s.table[Component] = []step{never}
	s.wiki = q.resolve
	return []*Site{s}
}

// slugOf returns the URL of a file or of a link, without the suffix of a note, in the form in which they are
// compared: Obsidian, where the notes are written, ignores case.
func slugOf(p string) string {
	p = strings.TrimPrefix(path.Clean("/"+p), "/")
	if ext := path.Ext(p); ext == ".md" || ext == ".html" {
		p = strings.TrimSuffix(p, ext)
	}
	if path.Base(p) == "_index" {
		p = strings.TrimSuffix(p, "_index") + "index"
	}
	return wikiKey(slugReplacer.Replace(p))
}

var slugReplacer = strings.NewReplacer(" ", "-", "\t", "-", "&", "-and-", "%", "-percent", "?", "", "#", "")

// index collects the files, and the aliases of notes.
func (q *quartz) index(s *Site) {
	q.files, q.byName = map[string]string{}, map[string]string{}
	add := func(key, file string) {
		if q.files[key] == "" {
			q.files[key] = file
		}
		if name := path.Base(key); q.byName[name] == "" {
			q.byName[name] = file
		}
	}
	s.tree.files(q.dir, s.skips, func(rel string) {
		file := q.dir + "/" + rel
		add(slugOf(rel), file)
		p := s.pages[file]
		if p == nil {
			return
		}
		for _, name := range []string{"aliases", "alias", "permalink"} {
			v := p.front.get(name)
			for _, alias := range append(v.texts(), v.text("")) {
				if alias = strings.TrimSpace(alias); alias != "" {
					add(slugOf(alias), file)
				}
			}
		}
	})
}

// find returns the file that a path in a note leads to, or "" and, if the site may make a page there, why it is
// not judged.
func (q *quartz) find(s *Site, use Use, p string) (file, why string) {
	dir := strings.TrimPrefix(strings.TrimPrefix(path.Dir(use.File), q.dir), "/")
	if rest, has := strings.CutPrefix(p, "content/"); has && q.files[slugOf(rest)] != "" {
		return "", "relative to the directory above the notes"
	}
	keys := []string{slugOf(p)}
	if !strings.HasPrefix(p, "/") {
		keys = append(keys, slugOf(path.Join(dir, p)))
	}
	for _, key := range keys {
		for _, key := range []string{key, path.Join(key, "index"), strings.TrimSuffix(key, "/index")} {
			file = q.files[key]
			if file != "" {
				return file, ""
			}
		}
		switch {
		case key == "" || key == "index" || s.tree.isDir(path.Join(q.dir, p)) || s.tree.isDir(path.Join(q.dir, dir, p)):
			return "", "a page of a directory"
		case key == "tags" || strings.HasPrefix(key, "tags/"), strings.HasPrefix(key, "static/"):
			return "", "a page made at build time"
		}
	}
	if !strings.Contains(strings.Trim(p, "/"), "/") {
		file = q.byName[slugOf(p)]
	}
	return file, ""
}

// link resolves a link of Markdown.
func (q *quartz) link(s *Site, r *reference) []candidate {
	if r.path == "" {
		return nil
	}
	file, why := q.find(s, r.use, r.path)
	switch {
	case why != "":
		return []candidate{{unknown: why}}
	case file == "":
		return []candidate{fileCandidate(path.Join(q.dir, r.path))}
	}
	c := fileCandidate(file)
	c.isAsset = s.pages[file] == nil
	return []candidate{c}
}

// resolve is the rule of [Site.Wiki].
func (q *quartz) resolve(s *Site, u Use, name string) Result {
	if strings.Contains(name, "://") {
		return Result{State: Unknown, Why: "the form of the reference is unknown"}
	}
	file, why := q.find(s, u, name)
	switch {
	case why != "":
		return Result{State: Unknown, Why: why}
	case file == "":
		return Result{State: Missing, Tried: []Candidate{{Name: name}}}
	}
	return Result{State: Found, File: file, Page: s.pages[file]}
}
