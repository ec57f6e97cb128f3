package gatsby

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// importedData matches the import of a file of the project: of JSON, YAML or a script.
var importedData = lazy.New(`\b(?:require\(\s*|from\s+)['"](\.{1,2}/[\w./-]+)['"]`)

// maxTables is the number of imported files that are looked at.
const maxTables = 50

// readTables returns the redirects of the tables that a script imports: of files with "redirect" in their names. ok is false if there is none,
// or if one has an entry that it does not understand.
func readTables(d *source.Dir, script string) (all []site.Redirect, ok bool) {
	text := string(d.Tree.Config(script))
	var files []string
	for _, m := range importedData.FindAllStringSubmatch(text, maxTables) {
		if !strings.Contains(strings.ToLower(m[1]), "redirect") {
			continue
		}
		file := tableFile(d, path.Join(path.Dir(script), m[1]))
		if file == "" {
			return nil, false
		}
		if slices.Contains(files, file) {
			continue
		}
		files = append(files, file)
		_, table := d.Tree.ReadScript(file)
		entries, ok := entriesOf(file, "createRedirect", table.Value)
		if !ok {
			return nil, false
		}
		all = append(all, entries...)
	}
	return all, len(all) > 0
}

// tableFile returns the file that is imported by a path, which may leave out its suffix; "" if it is not of the repository.
func tableFile(d *source.Dir, name string) string {
	if !source.Below(name, d.Tree.Root) {
		return ""
	}
	for _, ext := range []string{"", ".js", ".json", ".ts", ".mjs"} {
		if d.Tree.IsFile(name + ext) {
			return name + ext
		}
	}
	return ""
}

// sides are the pairs of keys that tables use.
var sides = [][2]string{{"fromPath", "toPath"}, {"from", "to"}, {"source", "destination"}, {"old", "new"}}

// entriesOf returns the redirects of a table: a list of maps, or a map of paths. ok is false if one is computed, or a pattern.
func entriesOf(file, in string, table literal.Value) (all []site.Redirect, ok bool) {
	add := func(from, to literal.Value) bool {
		if from.Kind != literal.String || to.Kind != literal.String || !strings.HasPrefix(from.Text, "/") || strings.ContainsAny(from.Text, "*:") {
			return false
		}
		all = append(all, site.Entry(file, in, from, to))
		return true
	}
	switch {
	case table.Open:
		return nil, false
	case table.Kind == literal.Map:
		for _, e := range table.Entries {
			if !add(site.Key(e), e.Value) {
				return nil, false
			}
		}
		return all, true
	case table.Kind != literal.List:
		return nil, false
	}
	for _, item := range table.Items {
		i := slices.IndexFunc(sides, func(keys [2]string) bool { return item.Get(keys[0]).IsKnown() && item.Get(keys[1]).IsKnown() })
		if item.Kind != literal.Map || i < 0 || !add(item.Get(sides[i][0]), item.Get(sides[i][1])) {
			return nil, false
		}
	}
	return all, true
}

// redirectPlugin matches the names of plugins that take redirects as an option.
var redirectPlugin = lazy.New(`^gatsby-[\w-]*redirects?$`)

// readPlugins reads the redirects in the options of plugins. ok is false if it does not understand those of one.
func (g *model) readPlugins(d *source.Dir, config string) (all []site.Redirect, ok bool) {
	_, conf := d.Tree.ReadScript(config)
	for _, plugin := range conf.Lookup("plugins").List() {
		name := plugin.Lookup("resolve").Or(plugin.Or(""))
		if name == "gatsby-redirect-from" {
			g.redirectFrom = true
			continue
		}
		table := plugin.Lookup("options", "redirects")
		if !redirectPlugin.MatchString(name) || !table.IsGiven() {
			continue
		}
		entries, ok := entriesOf(config, name, table.Value)
		if !ok {
			return nil, false
		}
		all = append(all, entries...)
	}
	return all, true
}
