package audit

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/resolve"
)

// judge finds what is wrong with the references of d, in source order.
func (a *auditor) judge(d *document) {
	notes := d.notes
	before := func(offset int64) {
		for ; len(notes) > 0 && notes[0].pos.Offset < offset; notes = notes[1:] {
			if !isIndexed(d.source(), notes[0].pos.Offset) {
				a.undefined(d, &notes[0])
			}
		}
	}
	for i := range d.refs {
		before(d.refs[i].pos.Offset)
		a.reference(d, &d.refs[i])
	}
	before(1 << 62)
	d.refs, d.notes, d.bytes = nil, nil, nil
}

// isIndexed reports whether nobody wants a definition of the label at an offset: it is an
// index as of programs, "a[i][j]", with a letter, digit or bracket in front; of a formula,
// or escaped; or one of several notes, "[1][2]".
func isIndexed(source []byte, at int64) bool {
	if at > int64(len(source)) {
		return false
	}
	const longest = 1000
	depth := 0
	for i := int(at) - 2; i > max(0, int(at)-longest); i-- { // at the "]" of "]["
		switch source[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth == 0 {
				c := source[i-1]
				return c == '\\' || c == '$' || isNumbers(source[i:], int(at)-i) || c == ']' || c == ')' || c == '_' || ascii.IsAlnum(c)
			}
		}
	}
	return false
}

// isNumbers reports whether s begins with "[1][2]", whose second number is at an offset.
func isNumbers(s []byte, at int) bool {
	end := bytes.IndexByte(s[at:], ']')
	return end > 0 && at > 3 && len(bytes.Trim(s[1:at-2], "0123456789")) == 0 && len(bytes.Trim(s[at:at+end], "0123456789")) == 0
}

func (a *auditor) undefined(d *document, n *note) {
	if label := strings.TrimSuffix(strings.TrimPrefix(n.text, nothingDefines), "]"); d.layout.objects && strings.IndexByte(label, '.') > 0 {
		a.report.Skipped++
		return
	}
	a.found(d, Finding{
		File: d.name, Path: d.file.Path, Rule: Undefined, Message: n.text,
		Ref: &extract.Reference{Pos: n.pos, Kind: scan.Link, How: scan.Reference, In: "link"},
	})
}

// say makes a finding about k.
func (a *auditor) say(d *document, k *reference, rule Rule, suggestion, target, format string, args ...any) {
	a.offer(d, k, rule, suggestion, false, target, format, args...)
}

// offer is say with a suggestion that may be certain.
func (a *auditor) offer(d *document, k *reference, rule Rule, suggestion string, certain bool, target, format string, args ...any) {
	if to := a.byPath[target]; to != nil {
		target = to.name // as where it is the File
	} else if target != "" {
		target = a.shown(target)
	}
	a.found(d, Finding{
		File: d.name, Path: d.file.Path, Ref: k.reference(), Rule: rule,
		Message: fmt.Sprintf(format, args...), Suggestion: suggestion, Certain: certain, Target: target,
	})
}

// reference judges k. A definition that nothing refers to is judged as others are, and
// is a finding for itself only where it leads somewhere: there is one thing to mend.
func (a *auditor) reference(d *document, k *reference) {
	// "[//]: # (…)" is how people write comments that are not shown.
	comment := k.how == scan.Reference && slices.Contains([]string{"#", "", "<>", "/"}, k.raw)
	if unused := k.labels&scan.Unused != 0; unused && comment {
		return
	} else if !a.lead(d, k) && unused && !strings.HasPrefix(k.ref, "#") {
		// "[summary]: #summary" below a heading is there for whoever wants to refer to it:
		// the template of Rust's RFCs begins each section so.
		a.say(d, k, Unused, "", "", "nothing refers to this definition")
	}
}

// lead judges where k leads, and reports whether anything was found.
func (a *auditor) lead(d *document, k *reference) bool {
	before := a.all
	a.where(d, k)
	return a.all > before
}

func (a *auditor) where(d *document, k *reference) {
	if k.ref == "" && d.layout.name == "book.toml" && d.base() == "SUMMARY.md" {
		return // mdBook: a chapter that is still to be written
	}
	if k.ref == "" {
		a.say(d, k, EmptyLink, "", "", "the reference is empty: it leads to the document itself")
		return
	}
	if a.invalid(d, k) || a.local(d, k) || k.err != nil {
		return
	}
	from := a.from(d, k)
	if p := a.led[from]; p != "" {
		_, fragment, hash := strings.Cut(k.url, "#")
		a.fragment(d, k, &target{fragment: fragment, hash: hash}, p)
		return
	}
	t := a.locate(d, k)
	switch {
	case t.outside && a.isHosted(d, k, &t):
		a.report.Skipped++
		return
	case t.outside:
		where := "where there is nothing, either"
		if p := t.path; !strings.Contains(p, "://") && exists(p) {
			where = "what is there will not be published with it"
		} else if strings.Contains(p, "://") {
			where = "to " + p
		}
		suggestion, _ := a.moved(d, k, &t, nil)
		a.say(d, k, Outside, suggestion, t.path, "leads out of the tree: %s", where)
		return
	case !t.inside:
		return
	}
	p := a.follow(d, k, &t)
	switch {
	case t.encoded:
		a.say(d, k, a.missing(k), a.recoded(d, k, &t), p.path, "an encoded slash or NUL is part of a name, and no file has one in its name")
	case p.what == dangling:
		a.say(d, k, Symlink, "", p.path, "%q is a symbolic link that leads nowhere", a.shown(p.path))
	case p.what == circle:
		a.say(d, k, Symlink, "", p.path, "%q is a symbolic link that leads in a circle", a.shown(p.path))
	case p.what == nothing:
		if a.localPath(d, k, &t) {
			return
		}
		if d.layout.routes && t.rooted && isPage(t.components) { // its address may be given in front matter
			a.report.Skipped++
			return
		}
		// Where a directory is called like a page of the host, a file in it is meant.
		if page := p.in == nil || slices.Contains(hostedPages, path.Base(p.path)); page && a.repository(d.dir()) == "" && a.isHosted(d, k, &t) {
			a.report.Skipped++
			return
		}
		if d.layout.name == "book.toml" && path.Base(p.path) == "print.html" {
			return // all chapters on one page
		}
		if d.layout.labels && isLabel(k.ref) {
			a.report.Skipped++
			return
		}
		what := "file"
		if a.missing(k) == BrokenImage {
			what = "image"
		} else if t.slash {
			what = "directory"
		}
		once := ""
		if strings.IndexByte(p.path, '%') >= 0 {
			once = ", the path decoded once"
		}
		suggestion, certain := a.nearest(d, k, &t, &p)
		a.offer(d, k, a.missing(k), suggestion, certain, p.path, "no such %s: %s%s", what, a.quoted(p.path), once)
	case p.what == aDirectory:
		if k.kind == scan.Embed {
			a.say(d, k, a.missing(k), "", p.path, "a directory cannot be shown here: %s", a.quoted(p.path))
		} else if len(t.components) == 0 && t.rooted && a.root == "" && d.layout.name == "" {
			a.report.Skipped++ // the home page of a site that nobody has named
		} else if d.layout.lists && d.kind() == markdown {
			a.report.Skipped++
		} else if !d.layout.isHost() || d.kind() == html {
			a.say(d, k, MissingFile, "", p.path, "a directory without an index page: %s", a.quoted(p.path))
		} else if p.respel {
			a.respelled(d, k, &t, &p)
		}
	case p.respel:
		a.respelled(d, k, &t, &p)
	default:
		if p.linked {
			p.path = a.behind(p.path)
		}
		if from.ref != "" {
			a.led[from] = p.path
		}
		a.fragment(d, k, &t, p.path)
	}
}

// A from is what the file that a reference leads to depends on. Pages of a manual refer to
// the same ones over and over: to find them once takes a third of the time of judging.
type from struct {
	dir, top, ref string
	layout        *layout
	html          bool
}

// from returns that of k. Its ref is "" where more matters: another base, or the name of
// the page itself.
func (a *auditor) from(d *document, k *reference) (f from) {
	if k.base.URI == d.retr.URI && k.url != "" && !d.layout.pretty {
		f = from{d.dir(), d.top, k.ref, d.layout, d.kind() == html}
		f.ref, _, _ = strings.Cut(k.ref, "#")
	}
	return f
}

// behind returns the path of the input that symbolic links lead to, or path if it is none.
func (a *auditor) behind(path string) string {
	if real, err := filepath.EvalSymlinks(filepath.FromSlash(path)); err == nil && a.byPath[filepath.ToSlash(real)] != nil {
		return filepath.ToSlash(real)
	}
	return path
}

// isHosted reports whether a document of a repository refers to another page about it, as
// GitHub has them: the file is shown below /owner/name/blob/branch/, so that
// "../../issues" of a README is /owner/name/issues.
//
// A package that has been unpacked is in no repository, and nobody knows how deep it is
// in its own: two directories up from its README is taken for /owner/name.
func (a *auditor) isHosted(d *document, k *reference, t *target) bool {
	if !d.layout.isHost() {
		return false
	}
	top := a.repository(d.dir())
	if top == "" {
		rest, ok := strings.CutPrefix(strings.TrimPrefix(k.ref, "./"), "../../")
		page := rest
		if i := strings.IndexAny(rest, "/?#"); i >= 0 {
			page = rest[:i]
		}
		return ok && isReadme(d.base()) && slices.Contains(hostedPages, page)
	}
	rest, ok := strings.CutPrefix(t.path, strings.TrimSuffix(path.Dir(path.Dir(top)), "/")+"/")
	page, _, _ := strings.Cut(rest, "/")
	return ok && slices.Contains(hostedPages, page)
}

func isReadme(name string) bool { return strings.HasPrefix(strings.ToLower(name), "readme.") }

var hostedPages = []string{
	"actions", "blob", "branches", "commit", "commits", "compare", "contributors", "discussions", "edit", "fork", "graphs", "issues",
	"labels", "milestones", "network", "new", "packages", "projects", "pull", "pulls", "raw", "releases", "security", "settings",
	"stargazers", "tags", "tree", "watchers", "wiki",
}

// isLabel reports whether a reference may name a label of Sphinx, which is unique in all
// of the project.
func isLabel(ref string) bool { return !strings.ContainsAny(ref, "./#?") }

// isPage reports whether a path may be the address of a page.
func isPage(components []string) bool {
	ext := path.Ext(strings.Join(components, "/"))
	return ext == "" || ext == ".html" || ext == ".xml" // also feeds
}

func (a *auditor) quoted(p string) string { return strconv.Quote(a.shown(p)) }

func (a *auditor) respelled(d *document, k *reference, t *target, p *place) {
	how := "with other letters in upper or lower case"
	if p.norm {
		how = "with letters composed in another way (Unicode normalisation)"
	}
	if to := a.document(p.path); to != nil && to != d {
		a.link(d, to)
	}
	suggestion := a.spelledRight(d, k, t, p)
	certain := a.isOnlySpelling(d, t, p) && a.mends(d, k, suggestion, p.path)
	a.offer(d, k, Case, suggestion, certain, p.path, "on disk it is %s, %s", a.quoted(p.path), how)
}

// missing is the rule that a reference breaks when nothing is there.
func (a *auditor) missing(k *reference) Rule {
	if k.kind != scan.Embed {
		return MissingFile
	}
	element, _, _ := strings.Cut(k.in, "/")
	switch element {
	case "image", "img", "source", "input", "feimage":
		return BrokenImage
	}
	c := resolve.Parse([]byte(k.ref))
	if IsPicture(string(c.Path)) {
		return BrokenImage
	}
	return MissingFile
}

// invalid reports references that are no URLs. Much that RFC 3986 does not allow works
// everywhere, as what reads it escapes it (spaces, letters beyond ASCII): that is not
// reported. What remains means something else to each reader, or nothing.
func (a *auditor) invalid(d *document, k *reference) bool {
	if k.how == scan.Bare { // a piece of running text, which nobody has written as a link
		return k.invalid
	}
	c := resolve.Parse([]byte(k.ref))
	switch {
	case k.err != nil:
		a.say(d, k, BadURL, "", "", "%s", strings.TrimPrefix(k.err.Error(), "base: "))
	case k.invalid:
		a.say(d, k, BadURL, "", "", "not a URL: %s", offence(k, "its authority is not valid"))
	case badPort(&c):
		a.say(d, k, BadURL, "", "", "not a URL: %s", offence(k, "its port is no number"))
	case isHostless(&c):
		suggestion := ""
		if rest := strings.TrimLeft(string(c.Path), "/"); strings.IndexByte(rest, '.') > 0 {
			suggestion = string(c.Scheme) + "://" + k.ref[len(c.Scheme)+1+len(c.Path)-len(rest):]
		}
		a.say(d, k, BadURL, suggestion, "", "a URL of %s has to have a host, behind //", strings.ToLower(string(c.Scheme)))
	case badPercent(c.Path):
		a.say(d, k, BadURL, "", "", "not a URL: %s", offence(k, `"%" without two hexadecimal digits behind it`))
	default:
		return false
	}
	return true
}

// offence is what is wrong with k by the grammar of RFC 3986, otherwise words.
func offence(k *reference, words string) string {
	if o, ok := resolve.RFC3986.Check([]byte(k.ref)); !ok {
		return o.String()
	}
	return words
}

func badPercent(p []byte) bool {
	for i := range p {
		if _, ok := ascii.Unescape(p[i:]); p[i] == '%' && !ok {
			return true
		}
	}
	return false
}

// local reports references that lead to the computer of whoever follows them.
func (a *auditor) local(d *document, k *reference) bool {
	switch k.how {
	case scan.Bare, scan.Angle, scan.Quoted, scan.Prefixed: // of running text: shown, not linked
		return false
	}
	if k.result.Step != resolve.Absolute {
		return false
	}
	c := resolve.Parse([]byte(k.url))
	if !isLocal([]byte(k.url), &c) {
		return false
	}
	if _, inSite := a.inSite(&c); inSite {
		return false
	}
	if d.shows(k, &c) {
		a.report.Skipped++
		return true
	}
	if len(c.Scheme) == 1 {
		a.say(d, k, LocalURL, "", "", "%s: is a drive of one computer", c.Scheme)
	} else {
		a.say(d, k, LocalURL, "", "", "leads to the computer of whoever follows it")
	}
	return true
}

// shows reports whether the text of a link is where it leads: readers of a tutorial are to
// open http://localhost:8000 on their own computer, and see that it is there.
func (d *document) shows(k *reference, c *resolve.Components) bool {
	if k.how == scan.Autolink {
		return true
	}
	const longest = 1000
	what := string(c.Authority)
	if what == "" {
		what = string(c.Path)
	}
	if k.kind == scan.Embed || what == "" {
		return false
	}
	source := d.source()
	at, end := int(k.pos.Offset), int(k.pos.Offset)+k.pos.Length
	if at > len(source) || end > len(source) { // it has changed
		return false
	}
	if k.how == scan.Attribute {
		rest := source[end:min(len(source), end+longest)]
		_, rest, _ = bytes.Cut(rest, []byte(">"))
		text, _, closed := bytes.Cut(rest, []byte("</a"))
		return closed && bytes.Contains(text, []byte(what))
	}
	front := bytes.TrimRight(source[max(0, at-longest):at], " \t\r\n<(:")
	if !bytes.HasSuffix(front, []byte("]")) {
		return false
	}
	depth := 0
	for i := len(front) - 1; i >= 0; i-- {
		switch front[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth == 0 {
				return bytes.Contains(front[i:], []byte(what))
			}
		}
	}
	return false
}

func (a *auditor) inSite(c *resolve.Components) (*site, bool) {
	for i := range a.sites {
		if _, ok := a.sites[i].rest(c); ok {
			return &a.sites[i], true
		}
	}
	return nil, false
}

// localPath reports paths into somebody's home directory.
func (a *auditor) localPath(d *document, k *reference, t *target) bool {
	if !t.rooted || len(t.components) < 2 {
		return false
	}
	switch t.components[0] {
	case "home", "Users":
		a.say(d, k, LocalURL, "", "", "leads into a home directory")
		return true
	}
	return false
}

// follow returns what is where k leads: the file, the index page of a directory, or what
// the generator of the site makes of the path.
func (a *auditor) follow(d *document, k *reference, t *target) (p place) {
	for i, root := range t.roots {
		q := a.resolved(d, root, t)
		if i == 0 || better(&q, &p) {
			p = q
		}
		if p.what != nothing && !p.respel {
			return p
		}
	}
	// A page x.md is served as x/, and what is relative in its HTML is so to that.
	if d.layout.pretty && k.base.Layer == base.Retrieval && !t.rooted && !isIndex(d.base()) {
		source := d.retr
		source.URI = strings.TrimSuffix(source.URI, path.Ext(source.URI)) + "/"
		if b, err := base.Root(a.URLs, source, base.Source{}); err == nil {
			if u, res, err := b.Append(nil, []byte(k.ref)); err == nil && !res.InError {
				other := *k
				other.url = string(u)
				if t := a.locate(d, &other); t.inside {
					if q := a.resolved(d, t.roots[0], &t); better(&q, &p) {
						return q
					}
				}
			}
		}
	}
	return p
}

// better reports whether q is there as asked for, and p is not; or its directory.
func better(q, p *place) bool {
	if q.what == nothing {
		return p.what == nothing && p.in == nil && q.in != nil
	}
	return p.what == nothing || p.respel && !q.respel
}

// resolved returns what is where t leads from a root.
func (a *auditor) resolved(d *document, root string, t *target) place {
	if len(t.components) == 0 && root == d.path || root+"/"+strings.Join(t.components, "/") == d.path && !t.slash {
		return place{what: aFile, path: d.path}
	}
	p := a.tree.at(root, t.components)
	switch {
	case p.what == aDirectory:
		return a.index(d, p)
	case p.what == aFile && !t.slash:
		if !p.respel {
			return p
		}
	case p.what == dangling, p.what == circle:
		return p
	}
	if len(t.components) == 0 {
		return p
	}
	last := len(t.components) - 1
	name := t.components[last]
	try := func(name string) (place, bool) {
		q := a.tree.at(root, append(slices.Clone(t.components[:last]), name))
		return q, q.what == aFile && !q.respel
	}
	if d.layout.pretty {
		for _, ext := range []string{".md", ".html", ".mdx", ".markdown", ".rst"} {
			if q, ok := try(name + ext); ok {
				return q
			}
		}
	}
	if ext := path.Ext(name); d.layout.sources && (ext == ".html" || ext == ".htm") && !t.slash {
		for _, to := range []string{".md", ".markdown"} {
			if q, ok := try(name[:len(name)-len(ext)] + to); ok {
				return q
			}
		}
		if name == "index.html" {
			for _, to := range []string{"README.md", "_index.md"} {
				if q, ok := try(to); ok {
					return q
				}
			}
		}
	}
	if p.what == aFile && t.slash {
		p.what = nothing
	}
	return p
}

// index returns the page that stands for a directory, or the directory.
func (a *auditor) index(d *document, p place) place {
	names := siteIndexes
	if d.kind() == html {
		names = htmlIndexes
	} else if d.layout.isHost() {
		names = hostIndexes
	}
	l := a.tree.list(p.path)
	for _, name := range names {
		if typ, ok := l.entry(name); ok && !typ.IsDir() {
			p.what, p.path, p.in = aFile, p.path+"/"+name, l
			return p
		}
	}
	return p
}

// document returns that at a path: an input, or one that is read for its anchors. nil is
// none that has any.
func (a *auditor) document(p string) *document {
	if d := a.byPath[p]; d != nil {
		return d
	}
	if k := kindOf(p); k != markdown && k != html {
		return nil
	}
	d := &document{name: a.shown(p), path: p, top: path.Dir(p), content: content{memo: new(memo)}}
	d.file.Path = p
	d.file.Name = d.name
	d.text = a.Edited[p]
	a.byPath[p] = d
	d.layout = a.layout(d)
	if info, err := os.Stat(filepath.FromSlash(p)); err == nil && info.Mode().IsRegular() {
		d.read(a)
		d.refs, d.notes = nil, nil
	} else {
		d.unsure = true
	}
	return d
}

// fragment judges the fragment of k, which leads to the file at p.
func (a *auditor) fragment(d *document, k *reference, t *target, p string) {
	to := a.document(p)
	if to != nil && to != d {
		a.link(d, to)
	}
	fragment, _, _ := strings.Cut(t.fragment, ":~:") // what follows is text to be searched for
	if fragment == "" || !t.hash {
		return
	}
	if strings.HasPrefix(fragment, "/") || strings.HasPrefix(fragment, "!") {
		a.report.Skipped++ // a route of a script: no id is meant
		return
	}
	if m := lineFragment.FindStringSubmatch(fragment); m != nil && d.kind() == markdown && d.layout.isHost() {
		a.line(d, k, p, to, fragment, m)
		return
	}
	if to == nil || to.unsure || to.kind() != markdown && to.kind() != html {
		return
	}
	// A picture is shown whole, whatever its fragment says to the page that shows it; of
	// SVG, (…) and =… say which part is shown, and #gh-dark-mode-only, in which theme.
	if k.kind == scan.Embed && !strings.HasPrefix(k.in, "use/") || k.how == scan.CSS ||
		strings.HasSuffix(p, ".svg") && (strings.ContainsAny(fragment, "(=") || strings.HasPrefix(fragment, "gh-")) {
		return
	}
	id, live := to.hit(fragment, to.layout.slug)
	if live {
		if line := to.idsOf(to.layout.slug).second[id]; line > 0 && id != "" {
			a.say(d, k, DuplicateID, "", p, "%q is there more than once, in lines %d and %d: the first is shown",
				id, to.idsOf(to.layout.slug).first[id], line)
		}
		return
	}
	if to.layout.loose && (to.similar(fragment) || to.attributes()[ascii.UnescapeAll(fragment)]) {
		return
	}
	if to.includes() || to.layout.labels && to == d {
		a.report.Skipped++ // the id may be in another file
		return
	}
	name := strconv.Quote(ascii.UnescapeAll(fragment))
	where := a.quoted(p)
	if to == d {
		where = "this document"
	}
	meant := to.closest(ascii.UnescapeAll(fragment), to.layout.slug)
	certain := meant != "" && to.isSameHeading(ascii.UnescapeAll(fragment), meant)
	also := ""
	if to.kind() == markdown {
		if names := to.flavoursOf(fragment); len(names) > 0 {
			also = fmt.Sprintf(" under the rules of %s; it has under those of %s", to.layout.slug, several(names))
			best := to.same(ascii.UnescapeAll(fragment), to.layout.slug, names[0])
			if best != "" && (best == meant || !certain) { // two answers are none
				certain = certain || to.isOnlyHeading(ascii.UnescapeAll(fragment), names)
			} else if best != "" {
				certain = false
			}
			if certain = certain && a.isKnown(to); best != "" {
				meant = best
			}
		}
	}
	suggestion := ""
	if meant != "" {
		suggestion = a.rewritten(d, k, "", &meant)
		certain = certain && fragment == t.fragment && a.mends(d, k, suggestion, p)
	}
	a.offer(d, k, MissingFragment, suggestion, certain, p, "%s has no id %s%s", where, name, also)
}

// several joins names, or the first of many.
func several(names []string) string {
	const most = 4
	if len(names) > most+1 {
		return fmt.Sprintf("%s and %d others", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// line judges "#L10" and "#L10-L20", the lines of a file as code hosts show them.
func (a *auditor) line(d *document, k *reference, p string, to *document, fragment string, m []string) {
	if to != nil && !to.unsure {
		if _, live := to.hit(fragment, to.layout.slug); live {
			return
		}
	}
	lines, counted := a.lines[p]
	if !counted {
		lines = countLines(p)
		a.lines[p] = lines
	}
	if lines < 0 {
		return
	}
	for _, s := range m[1:] {
		if n, _ := strconv.Atoi(s); s != "" && (n > lines || n == 0) {
			a.say(d, k, MissingFragment, "", p, "%s has %d lines, and no line %s", a.quoted(p), lines, s)
			return
		}
	}
}
