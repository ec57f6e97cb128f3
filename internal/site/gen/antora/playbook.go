package antora

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/literal"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// A playbook holds the settings for a component from the Antora playbooks beside it or above it. A setting on
// which they disagree is unknown.
type playbook struct {
	attributes map[string]string
	style      string // html_extension_style: default, drop or indexify
	url        string // of the site; "" is unknown
	// hasSymbolicVersions says that the latest versions have another name in URLs.
	hasSymbolicVersions bool
}

// findPlaybooks reads the playbooks in a directory and in those above it.
func findPlaybooks(d *source.Dir) (p playbook) {
	const levels = 4
	p.attributes = map[string]string{}
	disagree := map[string]bool{}
	found := 0
	for dir, n := d.Path, 0; n < levels && source.Below(dir, d.Tree.Root); dir, n = path.Dir(dir), n+1 {
		for _, conf := range playbooksIn(d.Tree, dir) {
			style := conf.Lookup("urls", "html_extension_style").Or("default")
			site := conf.Lookup("site", "url").Or("")
			if found++; found == 1 {
				p.style, p.url = style, site
			}
			if site != p.url {
				p.url = ""
			}
			for _, key := range []string{"latest_version_segment", "latest_prerelease_version_segment"} {
				p.hasSymbolicVersions = p.hasSymbolicVersions || conf.Lookup("urls", key).IsGiven()
			}
			if style != p.style {
				p.style = "default"
			}
			for attribute, given := range conf.Lookup("asciidoc", "attributes").Members() {
				value := given.Or("")
				if was, ok := p.attributes[attribute]; ok && was != value {
					disagree[attribute] = true
				}
				p.attributes[attribute] = value
			}
		}
		if dir == path.Dir(dir) {
			break
		}
	}
	for attribute := range disagree {
		delete(p.attributes, attribute)
	}
	return p
}

// playbooksIn returns the playbooks in a directory, in the order of their names. They are read once: many
// components may be below.
func playbooksIn(t *source.Tree, dir string) []source.Value {
	return source.Memo(t, playbooksKey(dir), func() (all []source.Value) {
		var names []string
		for name := range t.List(dir) {
			if isPlaybookName(name) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			if conf := t.Read(path.Join(dir, name)); conf.Lookup("content", "sources").Kind == literal.List {
				all = append(all, conf)
			}
		}
		return all
	})
}

// playbooksKey is the key under which a tree keeps the playbooks in a directory.
type playbooksKey string

// isPlaybookName reports whether a file may be a playbook, by its name.
func isPlaybookName(name string) bool {
	stem, ok := strings.CutSuffix(name, ".yml")
	if !ok {
		stem, ok = strings.CutSuffix(name, ".yaml")
	}
	if !ok {
		return false
	}
	switch stem {
	case "site", "preview", "publish", "local", "antora":
		return true
	}
	return strings.Contains(stem, "playbook")
}

// pageURL returns the URL of a page relative to that of its module.
func (p *playbook) pageURL(rel string) string {
	stem := slash.Stem(rel)
	isIndex := path.Base(stem) == "index"
	switch {
	case p.style == "indexify" && isIndex:
		return strings.TrimSuffix(stem, "index")
	case p.style == "indexify":
		return stem + "/"
	case p.style == "drop" && isIndex:
		return strings.TrimSuffix(stem, "index")
	case p.style == "drop":
		return stem
	}
	return stem + ".html"
}
