package web

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// NextRoutes adds the routes of an application of Next.js, which are directories of app with a page or a
// route. Code makes the pages below a name in brackets.
func NextRoutes(s *site.Site, d *source.Dir) {
	s.AddRoute("/")
	for _, app := range []string{"app", "src/app"} {
		dir := d.In(app)
		if !d.Tree.IsDir(dir) {
			continue
		}
		d.Tree.Files(dir, func(name string) bool { return s.Skips(name) || name[0] == '_' }, func(rel string) {
			stem := slash.Stem(path.Base(rel))
			if stem != "page" && stem != "route" {
				return
			}
			addNextRoute(s, path.Dir(rel))
		})
	}
}

// addNextRoute adds the route of a directory of app. Names in parentheses and those with "@" are not part
// of it. Where a name in brackets stands for any page of a collection, the pages of the collection are
// known.
func addNextRoute(s *site.Site, dir string) {
	u := ""
	for name := range strings.SplitSeq(dir, "/") {
		switch {
		case name == ".", name[0] == '(', name[0] == '@':
		case name[0] == '[':
			if strings.HasPrefix(name, "[[") && u != "" { // the parameter is optional
				s.AddRoute(u)
			}
			if !isCollection(s, u+"/") {
				s.Made = append(s.Made, u+"/")
			}
			return
		default:
			u += "/" + name
		}
	}
	if u != "" {
		s.AddRoute(u)
	}
}

// isCollection reports whether documents are published below a URL, so that a page with parameters there shows them.
func isCollection(s *site.Site, u string) bool {
	for _, m := range s.Mounts {
		if m.Kind == site.Pages && m.URL == u && m.Name == "" {
			return true
		}
	}
	return false
}

// NextRules are the redirects and rewrites of an application of Next.js.
type NextRules struct {
	Written  []site.Redirect // those with a destination that is a literal
	Exact    []string        // sources of others, without parameters
	Patterns Patterns        // sources with parameters
	IsOpen   bool            // there are others, or code decides
}

var (
	ruleSource  = lazy.New(`\bsource['"]?\s*:\s*['"\x60](/[^'"\x60]*)['"\x60]`)
	headerRule  = lazy.New(`\bheaders['"]?\s*:\s*\[`)
	rulesModule = lazy.New(`(?:\bfrom\s*|\b(?:require|import)\s*\(\s*)['"](\.[^'"\n]+)['"]`)
	ruleInCode  = lazy.New(`\.(?:rewrite|redirect)\s*\(`)
	expression  = lazy.New(`\.?\$\{[^{}]*\}`)
)

// maxRules is the number of redirects that are read, and maxModules of files that have some.
const (
	maxRules   = 1000
	maxModules = 8
)

// ReadNextRules reads the redirects and rewrites that are literals, also in files that the configuration
// imports. config is its name, conf its value, and text its text.
func ReadNextRules(d *source.Dir, config string, conf source.Value, text string) *NextRules {
	rules := &NextRules{}
	n := rules.add(d.In(config), text)
	for _, m := range rulesModule.FindAllStringSubmatch(text, maxModules) {
		if file := d.Tree.ModuleFile(path.Join(d.Path, m[1])); file != "" {
			n += rules.add(file, string(d.Tree.Config(file)))
		}
	}
	hasRules := conf.Lookup("redirects").IsGiven() || conf.Lookup("rewrites").IsGiven() || conf.IsUnknown() && strings.Contains(text, "redirects")
	isInCode := slices.ContainsFunc(MiddlewareFiles, func(name string) bool { return ruleInCode.Match(d.Tree.Config(d.In(name))) })
	rules.IsOpen = hasRules && n == 0 || isInCode
	return rules
}

// add adds the rules in a script, and returns their number. Those of headers are none.
func (r *NextRules) add(file, text string) (n int) {
	isWritten := map[string]bool{}
	for _, written := range ScriptRedirects(file, text) {
		isWritten[written.From] = true
		r.Written = append(r.Written, written)
	}
	all := ruleSource.FindAllStringSubmatchIndex(text, maxRules)
	for i, m := range all {
		end := len(text)
		if i+1 < len(all) {
			end = all[i+1][0]
		}
		if headerRule.MatchString(text[m[1]:end]) {
			continue
		}
		n++
		expressions := 0
		from := expression.ReplaceAllStringFunc(text[m[2]:m[3]], func(e string) string {
			expressions++
			if e[0] == '.' { // a suffix, of text that code writes
				return ".:" + strconv.Itoa(expressions) + "(mdx?|txt|json|xml|html)"
			}
			return ":" + strconv.Itoa(expressions)
		})
		switch {
		case strings.ContainsAny(from, ":(*"):
			r.Patterns.AddPath(from)
		case !isWritten[from]:
			r.Exact = append(r.Exact, from)
		}
	}
	return n
}

// IsLeftNext reports whether a configuration of Next.js in a directory is a remainder: its package.json
// names no Next.js, and another program publishes the documents.
func IsLeftNext(d *source.Dir) bool {
	if d.First("package.json") == "" || d.DependsOn("next") {
		return false
	}
	for _, script := range d.Tree.Read(d.In("package.json")).Lookup("scripts").All() {
		if strings.Contains(" "+script.Text+" ", " mint ") || strings.Contains(script.Text, "mintlify ") {
			return true
		}
	}
	return strings.Contains(d.Tree.Read(d.In("docs.json")).Lookup("$schema").Or(""), "mintlify")
}

// scriptRedirects matches the beginning of the redirects of a configuration of Next.js: what a function
// returns, or a list.
var scriptRedirects = lazy.New(`\bredirects\b(?:\s*:\s*\[|[^\[\]]{0,200}?(?:return\s*\(?|=>\s*\(?)\s*\[)`)

// A NextConfig is the part of a model that adds redirects to the configuration of Next.js.
type NextConfig struct{}

// Redirect adds a redirect to next.config in the directory of the configuration of a site.
func (NextConfig) Redirect(e *site.Edits, was, is site.Target) (where string) {
	for _, ext := range []string{".js", ".mjs", ".ts", ".mts", ".cjs"} {
		file := path.Join(path.Dir(e.Config), "next.config"+ext)
		item := fmt.Sprintf("{ source: '%s', destination: '%s', permanent: true }", was.Route, is.Route)
		if e.AddItem(file, scriptRedirects, item, was.Route, is.Route) {
			return "redirects in " + file
		}
	}
	return ""
}
