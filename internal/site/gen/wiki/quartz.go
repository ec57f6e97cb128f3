package wiki

import (
	"path"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// A quartz is a site of notes of Quartz 4. Its links name notes, as those of a vault do, and it makes pages of
// directories, tags and aliases.
type quartz struct {
	dir    string
	files  map[string]string // by slugOf their paths
	byName map[string]string // by the last names of the slugs
}

// Quartz finds sites of Quartz.
var Quartz = &site.Generator{Name: "Quartz", Configs: []string{"quartz.config.*"}, Indexes: []string{"index.md", "_index.md"}, Find: findQuartz}

// findQuartz finds a site by quartz.config.*, with its notes in the default directory.
func findQuartz(d *source.Dir) []*site.Site {
	name := d.First("quartz.config.ts", "quartz.config.js")
	content := d.In("content")
	if name == "" || !d.Tree.IsDir(content) {
		return nil
	}
	q := &quartz{dir: content}
	plan := &site.Plan{
		Generator: "Quartz", Config: name, Slug: slug.GitHub, Dialect: markdown.Obsidian, Pages: content,
		Settings: site.Settings{
			Suffixes: []string{".md"}, Copies: site.CopiesAll, FrontMatter: true,
			IsLoose: true, // the fragment of a link is the text of a heading, of which an id is made
			Links:   site.Links{site.Markdown: {q.link}, site.HTML: {site.Never}, site.Component: {site.Never}},
		},
	}
	s := plan.Site(d, q)
	s.Mounts = append(s.Mounts, &site.Mount{Dir: d.In("quartz/static"), URL: "/static/", Kind: site.Static})
	return []*site.Site{s}
}

// Route sets the URL of a note.
func (q *quartz) Route(_ *site.Site, p *site.Page) {
	p.Routes = []string{"/" + strings.TrimSuffix(slugOf(p.Rel), "index")}
}

// slugOf returns the URL of a file or of a link, without the suffix of a note, in the form in which they are
// compared. Obsidian, where the notes are written, ignores case.
func slugOf(p string) string {
	p = strings.TrimPrefix(path.Clean("/"+p), "/")
	if ext := path.Ext(p); ext == ".md" || ext == ".html" {
		p = strings.TrimSuffix(p, ext)
	}
	if path.Base(p) == "_index" {
		p = strings.TrimSuffix(p, "_index") + "index"
	}
	return site.WikiKey(slugReplacer.Replace(p))
}

var slugReplacer = strings.NewReplacer(" ", "-", "\t", "-", "&", "-and-", "%", "-percent", "?", "", "#", "")

// Finish collects the files, and the aliases of notes.
func (q *quartz) Finish(s *site.Site) {
	q.files, q.byName = map[string]string{}, map[string]string{}
	add := func(key, file string) {
		if q.files[key] == "" {
			q.files[key] = file
		}
		if name := path.Base(key); q.byName[name] == "" {
			q.byName[name] = file
		}
	}
	s.Tree.Files(q.dir, s.Skips, func(rel string) {
		file := q.dir + "/" + rel
		add(slugOf(rel), file)
		p := s.ByFile[file]
		if p == nil {
			return
		}
		for _, name := range []string{"aliases", "alias", "permalink"} {
			v := p.Front.Lookup(name)
			for _, alias := range append(v.Texts(), v.Or("")) {
				if alias = strings.TrimSpace(alias); alias != "" {
					add(slugOf(alias), file)
				}
			}
		}
	})
}

// find returns the file that a path in a note points to, or "" and, if the site may make a page there, why
// it is not checked.
func (q *quartz) find(s *site.Site, use site.Use, p string) (file string, why reason.Reason) {
	dir := strings.TrimPrefix(strings.TrimPrefix(path.Dir(use.File), q.dir), "/")
	if rest, has := strings.CutPrefix(p, "content/"); has && q.files[slugOf(rest)] != "" {
		return "", relativeAboveNotes
	}
	keys := []string{slugOf(p)}
	if !strings.HasPrefix(p, "/") {
		keys = append(keys, slugOf(path.Join(dir, p)))
	}
	for _, key := range keys {
		for _, key := range []string{key, path.Join(key, "index"), strings.TrimSuffix(key, "/index")} {
			file = q.files[key]
			if file != "" {
				return file, reason.Reason{}
			}
		}
		switch {
		case key == "" || key == "index" || s.Tree.IsDir(path.Join(q.dir, p)) || s.Tree.IsDir(path.Join(q.dir, dir, p)):
			return "", pageOfDirectory
		case key == "tags" || strings.HasPrefix(key, "tags/"), strings.HasPrefix(key, "static/"):
			return "", madePage
		}
	}
	if !strings.Contains(strings.Trim(p, "/"), "/") {
		file = q.byName[slugOf(p)]
	}
	return file, reason.Reason{}
}

// link resolves a link of Markdown.
func (q *quartz) link(s *site.Site, r *site.Reference) []site.Candidate {
	if r.Path == "" {
		return nil
	}
	file, why := q.find(s, r.Use, r.Path)
	switch {
	case !why.IsZero():
		return []site.Candidate{{Unknown: why}}
	case file == "":
		return []site.Candidate{site.FileCandidate(path.Join(q.dir, r.Path))}
	}
	c := site.FileCandidate(file)
	c.IsAsset = s.ByFile[file] == nil
	return []site.Candidate{c}
}

// Wiki is the rule of [site.Site.Wiki].
func (q *quartz) Wiki(s *site.Site, u site.Use, name string) site.Result {
	if strings.Contains(name, "://") {
		return site.Result{State: site.Unknown, Why: reason.FormUnknown}
	}
	file, why := q.find(s, u, name)
	switch {
	case !why.IsZero():
		return site.Result{State: site.Unknown, Why: why}
	case file == "":
		return site.Result{State: site.Missing, Tried: []site.Candidate{{Name: name}}}
	}
	return site.Result{State: site.Found, File: file, Page: s.ByFile[file]}
}

// Reasons.
var (
	madePage           = reason.New(reason.Build, "made-page", "a page made at build time")
	pageOfDirectory    = reason.New(reason.Unpublished, "page-of-directory", "a page of a directory")
	relativeAboveNotes = reason.New(reason.Base, "relative-above-notes", "relative to the directory above the notes")
)
