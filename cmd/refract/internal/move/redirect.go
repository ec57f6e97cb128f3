package move

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/audit"
	"example.org/refract/internal/lazy"
)

// A URL is the URL of a page that changes.
type URL struct {
	Path      string // of the document, absolute, before the move
	From, To  string // absolute, or paths
	Generator string
	Redirect  string // what makes a redirect: "aliases in docs/a.md"; "" means that nothing does
	Can       string // what could; "" means nothing that is known
	Why       string // why there is no redirect although the request asks for them
}

// existing stands for a redirect that the move need not write.
const existing = "one that exists"

// redirect finds the URLs that change, and adds redirects if the request says so.
func (p *planner) redirect(plan *Plan) error {
	moved := p.movedDocuments()
	for _, name := range moved {
		now := p.target(name)
		was, is := p.before.report.Page(name), p.after.report.Page(now)
		if was.URL == "" || was.URL == is.URL {
			continue
		}
		u := URL{Path: name, From: was.URL, To: is.URL, Generator: was.Generator}
		if is.URL == "" || was.Generator == "" || was.Route == "" || is.Route == "" || was.Config != is.Config {
			plan.URLs = append(plan.URLs, u)
			continue
		}
		p.retarget(name, now, &was, &is)
		if p.after.report.LeadsTo(u.From, now) {
			u.Redirect = existing
			plan.URLs = append(plan.URLs, u)
			continue
		}
		before := map[string][]byte{}
		for file, text := range p.texts {
			before[file] = text
		}
		what := p.addRedirect(name, now, &was, &is)
		switch {
		case !p.request.Redirects:
			u.Can, p.texts = what, before
		case what == "":
			u.Why = "none is known for " + was.Generator + " in this tree: add it by hand"
		default:
			u.Redirect = what
		}
		plan.URLs = append(plan.URLs, u)
	}
	return p.checkRedirects(plan)
}

// movedDocuments returns the documents that move.
func (p *planner) movedDocuments() []string {
	return slices.DeleteFunc(p.movedFiles(), func(name string) bool { return !audit.IsDocument(name) })
}

// checkRedirects audits the tree with the redirects, and drops all of them if one does not work, or
// if anything else has changed.
func (p *planner) checkRedirects(plan *Plan) error {
	has := slices.ContainsFunc(plan.URLs, func(u URL) bool { return u.Redirect != "" && u.Redirect != existing })
	if !has && len(p.earlier) == 0 {
		return nil
	}
	with, err := p.audit(p.tree())
	if err != nil {
		return err
	}
	why := ""
	for _, u := range plan.URLs {
		if u.Redirect != "" && !with.report.LeadsTo(u.From, p.target(u.Path)) {
			why = "the site would not make it from " + u.Redirect
		}
	}
	for _, e := range p.earlier {
		if !with.report.LeadsTo(e.from, e.page) {
			plan.Problems = append(plan.Problems, Problem{Path: p.origin(e.page), Why: "the redirect from " + e.from + " would no longer lead to it"})
		}
	}
	for _, name := range p.after.order {
		olds, news := p.after.refs[name], with.refs[name]
		isSame := slices.EqualFunc(olds, news, func(a, b *audit.Followed) bool { return a.Target == b.Target })
		if !isSame && len(olds) <= len(news) {
			isSame = slices.EqualFunc(olds, news[len(news)-len(olds):], func(a, b *audit.Followed) bool { return a.Target == b.Target })
		}
		if !isSame {
			why = "references in " + name + " would lead elsewhere"
		}
	}
	if len(with.findings) > len(p.after.findings) {
		why = "the audit would have a new finding"
	}
	if why != "" {
		plan.Problems = append(plan.Problems, Problem{Why: "redirects cannot be written: " + why + "; move without --redirects"})
	}
	return nil
}

// An earlierURL redirects to a page that moves.
type earlierURL struct{ from, page string }

// retarget lets redirects in the configuration that lead to a page lead to its new place.
func (p *planner) retarget(name, now string, was, is *audit.Page) {
	var lost []string
	for _, u := range p.before.report.Earlier(name) {
		if !p.after.report.LeadsTo(u, now) {
			lost = append(lost, u)
			p.earlier = append(p.earlier, earlierURL{u, now})
		}
	}
	if len(lost) == 0 {
		return
	}
	replace := func(file, pattern, old, made string) {
		text, err := p.text(file)
		if err != nil {
			return
		}
		re := regexp.MustCompile(fmt.Sprintf(pattern, regexp.QuoteMeta(old)))
		if to := re.ReplaceAll(text, []byte("${1}"+strings.ReplaceAll(made, "$", "$$")+"${2}")); !bytes.Equal(to, text) {
			p.texts[file] = to
		}
	}
	config := p.target(p.absolute(was.Config))
	switch was.Generator {
	case "MkDocs":
		dir := p.docsDir(config)
		replace(config, `(?m)(:[ \t]+['"]?)%s(['"]?[ \t]*\r?)$`, strings.TrimPrefix(name, dir+"/"), strings.TrimPrefix(now, dir+"/"))
	case "Docusaurus":
		replace(config, `(to:\s*['"])%s(['"])`, was.Route, is.Route)
	case "mdBook":
		replace(config, `(?m)(=[ \t]*["']/?)%s(["'])`, strings.TrimPrefix(was.Route, "/"), strings.TrimPrefix(is.Route, "/"))
	}
}

// docsDir returns the directory of the sources of a site of MkDocs.
func (p *planner) docsDir(config string) string {
	conf, _ := p.text(config)
	if m := docsDir.Compiled().FindSubmatch(conf); m != nil {
		return path.Join(path.Dir(config), string(m[1]))
	}
	return path.Dir(config) + "/docs"
}

// addRedirect adds a redirect from the URL of a page that has moved. It returns what it has changed, or
// "" if it knows no way.
func (p *planner) addRedirect(name, now string, was, is *audit.Page) string {
	if file := p.hostFile(now); file != "" {
		text, err := p.text(file)
		if err == nil {
			if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
				text = append(slices.Clone(text), '\n')
			}
			p.texts[file] = slices.Concat(text, fmt.Appendf(nil, "%s %s 301\n", pathOf(was.URL), pathOf(is.URL)))
			return file
		}
	}
	config := p.absolute(was.Config)
	conf, err := p.text(p.target(config))
	if err != nil {
		return ""
	}
	switch {
	case was.Generator == "Hugo":
		return p.addToFront(now, "aliases", was.Route)
	case was.Generator == "Jekyll" && bytes.Contains(conf, []byte("jekyll-redirect-from")):
		return p.addToFront(now, "redirect_from", was.Route)
	case was.Generator == "MkDocs":
		return p.addToMap(p.target(config), conf, name, now)
	case was.Generator == "Docusaurus":
		return p.addToScript(p.target(config), conf, was.Route, is.Route)
	}
	return ""
}

// hostFile returns the file with the redirects of the host, if there is one.
func (p *planner) hostFile(now string) string {
	for _, dir := range p.after.report.Publishes(now) {
		if info, err := p.tree().Lstat(dir + "/_redirects"); dir != "" && err == nil && info.Mode().IsRegular() {
			return dir + "/_redirects"
		}
	}
	return ""
}

// pathOf returns the path of a URL.
func pathOf(u string) string {
	if _, rest, ok := strings.Cut(u, "://"); ok {
		_, rest, _ = strings.Cut(rest, "/")
		return "/" + rest
	}
	return u
}

// addToFront adds a value to a list in the front matter of a page.
func (p *planner) addToFront(file, key, value string) string {
	text, err := p.text(file)
	if err != nil {
		return ""
	}
	end := "\n"
	if bytes.HasPrefix(text, []byte("---\r\n")) || bytes.HasPrefix(text, []byte("+++\r\n")) {
		end = "\r\n"
	}
	quoted := strconv.Quote(value)
	if !strings.HasPrefix(value, "/") || quoted != `"`+value+`"` {
		return ""
	}
	mark, assign := "", ""
	switch {
	case bytes.HasPrefix(text, []byte("---"+end)):
		mark, assign = "---", ": "
	case bytes.HasPrefix(text, []byte("+++"+end)):
		mark, assign = "+++", " = "
	default:
		return ""
	}
	close := bytes.Index(text, []byte(end+mark+end))
	if close < 0 {
		return ""
	}
	front := string(text[:close+len(end)])
	if at := regexp.MustCompile(`(?m)^` + key + `\s*[:=]`).FindStringIndex(front); at != nil {
		rest := front[at[1]:]
		switch m := listStart.Compiled().FindStringSubmatchIndex(rest); {
		case m == nil:
			return ""
		case m[2] >= 0: // [a, b]
			i := at[1] + m[3]
			comma := ", "
			if strings.HasPrefix(strings.TrimSpace(front[i:]), "]") {
				comma = ""
			}
			front = front[:i] + quoted + comma + front[i:]
		default: // a line for each
			i := at[1] + m[4]
			front = front[:i] + front[at[1]+m[4]:at[1]+m[5]] + quoted + end + front[i:]
		}
	} else if assign == " = " && strings.Contains(front, "\n[") {
		front = mark + end + key + assign + "[" + quoted + "]" + end + front[len(mark)+len(end):] // before the tables of TOML
	} else {
		front += key + assign + "[" + quoted + "]" + end
	}
	p.texts[file] = append([]byte(front), text[close+len(end):]...)
	return key + " in " + file
}

// listStart matches what follows the key of a list: a bracket, or a line break and the first item.
var listStart = lazy.New(`^[ \t]*(?:(\[)|\r?\n([ \t]*- ?))`)

// redirectMaps matches the key of the redirects of MkDocs, and the indentation of the first of them.
var redirectMaps = lazy.New(`(?m)^[ \t]+redirect_maps:[ \t]*\r?\n([ \t]+)`)

// addToMap adds a redirect for the plugin redirects of MkDocs.
func (p *planner) addToMap(config string, conf []byte, name, now string) string {
	m := redirectMaps.Compiled().FindSubmatchIndex(conf)
	if m == nil || !bytes.Contains(conf, []byte("redirects:")) {
		return ""
	}
	dir := p.docsDir(config)
	from, isIn := strings.CutPrefix(name, dir+"/")
	to, isIn2 := strings.CutPrefix(now, dir+"/")
	if !isIn || !isIn2 || strings.ContainsAny(from+to, "'\n\\") {
		return ""
	}
	p.texts[config] = slices.Concat(conf[:m[2]], conf[m[2]:m[3]], fmt.Appendf(nil, "'%s': '%s'\n", from, to), conf[m[2]:])
	return "redirect_maps in " + config
}

var docsDir = lazy.New(`(?m)^docs_dir:[ \t]*["']?([^"'\s#]+)`)

// clientRedirects matches the beginning of the redirects of the Docusaurus plugin.
var clientRedirects = lazy.New(`client-redirects['"][\s\S]*?redirects:\s*\[`)

// addToScript adds a redirect for the Docusaurus plugin client-redirects.
func (p *planner) addToScript(config string, conf []byte, from, to string) string {
	m := clientRedirects.Compiled().FindIndex(conf)
	if m == nil || strings.ContainsAny(from+to, "'\n\\") {
		return ""
	}
	p.texts[config] = slices.Concat(conf[:m[1]], fmt.Appendf(nil, "{from: '%s', to: '%s'}, ", from, to), conf[m[1]:])
	return "client-redirects in " + config
}
