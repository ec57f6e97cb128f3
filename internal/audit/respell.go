package audit

import (
	"maps"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/audit/spell"
	"example.org/refract/internal/site"
	"example.org/refract/internal/slash"
	"example.org/refract/resolve"
)

// A Goal is the required target of a reference. The fields mean the same as those of Followed.
type Goal struct {
	Target   string
	Line     int
	Anchored string
	Place    string
	Uses     map[string]string
	// IDs holds ids of the document Anchored that have been renamed, by their former names.
	IDs map[string]string
}

// Reaches reports whether f resolves to g. A reference that was broken may point anywhere.
func (f *Followed) Reaches(g Goal) bool {
	switch {
	case g.Target == "":
		return g.Place == "" || f.Target != "" || f.Place == g.Place
	case f.Target != g.Target:
		return false
	}
	for page, target := range g.Uses {
		if target != "" && f.Uses[page] != target {
			return false
		}
	}
	return g.Line == 0 || f.Line == g.Line && f.Anchored == g.Anchored
}

// IsShownIn reports whether all of the given pages, which are keys as in Uses, show the document of f.
func (f *Followed) IsShownIn(pages map[string]string) bool {
	if len(pages) == 0 {
		return true
	}
	shown := f.a.PagesOf(f.d, f.ref)
	for page := range pages {
		if !shown[page] {
			return false
		}
	}
	return true
}

// IsLonger reports whether f, in a document that has moved, has a path to its Target that is longer than
// necessary, while that of was was as short as possible. f may even leave the tree, and reach its Target
// because the root of a site has no parent.
func (f *Followed) IsLonger(was *Followed) bool {
	if f.Target == "" || f.d.Dir() == was.d.Dir() || f.ref.Ref != was.ref.Ref || !was.isShortest() || f.isShortest() {
		return false
	}
	c := resolve.Parse([]byte(f.ref.Ref))
	return len(ascii.UnescapeAll(string(c.Path))) > len(spell.Relative(f.d.Dir(), f.Target))
}

// isFilePath reports whether f is a path of its Target, relative to its document.
func (f *Followed) isFilePath() bool {
	c := resolve.Parse([]byte(f.ref.Ref))
	return path.Join(f.d.Dir(), ascii.UnescapeAll(string(c.Path))) == f.Target
}

// isShortest reports whether f is the shortest path of its Target, relative to its document.
func (f *Followed) isShortest() bool {
	c := resolve.Parse([]byte(f.ref.Ref))
	p, short := strings.TrimPrefix(ascii.UnescapeAll(string(c.Path)), "./"), spell.Relative(f.d.Dir(), f.Target)
	return p == short || p == slash.Stem(short)
}

// Rewrite returns a replacement for f that reaches g, in the style of was: the same reference in an earlier
// state of the tree, in which it resolved to what g stands for. Rewrite follows each spelling before it
// returns it, unless the next audit has to do that. ok is false if none reaches g.
func (f *Followed) Rewrite(was *Followed, g Goal) (text string, ok bool) {
	a, ref := f.a, f.ref
	var fragment *string
	if g.Line != 0 && (f.Line != g.Line || f.Anchored != g.Anchored || was.how == lead.ByWiki && f.Target != g.Target) {
		id, ok := a.idAt(&g, was)
		if !ok {
			return "", false
		}
		if id != was.id {
			fragment = &id
		}
	}
	if was.how == lead.BySection {
		if fragment == nil {
			return "", false
		}
		return *fragment, true
	}
	ways := f.ways(was, g, fragment)
	if strings.Contains(ref.Ref, " ") && !strings.Contains(ref.Ref, "%20") {
		for i, text := range slices.Clone(ways) {
			ways = slices.Insert(ways, 2*i, strings.ReplaceAll(text, "%20", " "))
		}
	}
	for _, text := range ways {
		if text == "" || text == ref.Ref {
			continue
		}
		if was.how == lead.ByFile {
			return text, true // the next audit follows it
		}
		if other := f.as(was, text); other != nil && other.Reaches(g) && !other.IsMisspelled {
			return text, true
		}
	}
	if len(ways) > 0 && was.how == lead.BySite && was.isFilePath() && f.Target != g.Target {
		// The target may become a page by another edit: that of the summary of a book.
		text = ways[len(ways)-1]
		if text != ref.Ref {
			return text, true
		}
	}
	return "", false
}

// as returns f with ref written in its place, followed; or nil if ref is invalid.
func (f *Followed) as(was *Followed, text string) *Followed {
	if was.how == lead.ByEntry {
		if f.nav == nil { // what was an entry is none now
			return nil
		}
		e := *f.nav
		e.Ref, e.Result = text, f.nav.Resolve(text)
		other := follower{f.a}.entry(f.d, &e)
		return &other
	}
	ref := f.a.Respelt(f.ref, text, was.isOpaque())
	if ref == nil {
		return nil
	}
	other := f.a.follow(f.d, ref)
	return &other
}

// isOpaque reports whether the reference is not a URL: a resource id, or the name of a note.
func (f *Followed) isOpaque() bool { return f.how == lead.ByWiki || f.d.IsResourceID(f.ref) }

// ways returns spellings that may reach g, the one most like f first.
func (f *Followed) ways(was *Followed, g Goal, fragment *string) (ways []string) {
	a, d, ref := f.a, f.d, f.ref
	if f.Target == g.Target && g.Target != "" && fragment != nil {
		if was.how == lead.ByWiki {
			name, _, _ := strings.Cut(ref.Ref, "#")
			return []string{name + "#" + *fragment}
		}
		return []string{a.Rewritten(d, ref, "", fragment)}
	}
	if g.Target == "" {
		return f.rebased(g)
	}
	switch was.how {
	case lead.ByHost:
		return f.hostWays(g.Target, fragment)
	case lead.ByEntry:
		ways = f.entryWays(was, g.Target)
	case lead.ByWiki:
		return f.wikiWays(g.Target, fragment)
	case lead.ByFile:
		ways = []string{f.fileWay(was, g.Target)}
	case lead.BySite:
		if d.Layout.Generated != nil {
			ways = f.siteWays(g.Target)
		}
		if len(ways) == 0 {
			ways = f.pathWays(was, g.Target, "")
		}
	case lead.ByPath, lead.ByInclusion:
		for _, dir := range f.dirs(was) {
			ways = append(ways, f.pathWays(was, g.Target, dir)...)
		}
	case lead.ByProgram:
		ways = f.programWays(g.Target)
	}
	for i, p := range ways {
		c := resolve.Parse([]byte(ref.Ref))
		c.Path, c.HasScheme, c.HasAuthority = []byte(p), false, false
		if fragment != nil {
			spell.SetFragment(&c, d.Layout.Generated, *fragment)
		}
		ways[i] = string(c.Append(nil))
	}
	return ways
}

// hostWays returns the URL by which the host of the repository shows a file.
func (f *Followed) hostWays(target string, fragment *string) []string {
	c := resolve.Parse([]byte(f.ref.URL))
	h := f.a.Published.Hosted(&c)
	if h == nil {
		return nil
	}
	rest, ok := strings.CutPrefix(target, h.Top+"/")
	if !ok || h.Path == "" {
		return nil
	}
	c = resolve.Parse([]byte(f.ref.Ref))
	c.Path = []byte(strings.TrimSuffix(string(c.Path), h.Path) + f.kept(spell.Spelled(rest)))
	if fragment != nil {
		spell.SetFragment(&c, nil, *fragment)
	}
	return []string{string(c.Append(nil))}
}

// siteWays returns references by the rules of the generator that may point to a file.
func (f *Followed) siteWays(target string) []string {
	s, uses, _ := f.d.SiteUse()
	if len(uses) == 0 {
		return nil
	}
	c := resolve.Parse([]byte(f.ref.Ref))
	written := string(c.Path)
	var ways []string
	if form := lead.FormOf(f.d, f.ref); form == site.Macro && !strings.Contains(written, "/") {
		name := path.Base(target) // a name that occurs once
		if path.Ext(written) == "" {
			name = slash.Stem(name)
		}
		ways = append(ways, name)
	}
	for _, uses := range [][]site.Use{s.AllUses(f.d.Path), uses[:1]} {
		if made, ok := s.Spell(uses, lead.FormOf(f.d, f.ref), f.ref.In, target, f.ref.Ref); ok {
			ways = append(ways, f.suffixed(written, made)...)
		}
	}
	return ways
}

// suffixed returns a path, before it in the style of a written one with or without ".html".
func (f *Followed) suffixed(written, made string) (ways []string) {
	const html = ".html"
	switch {
	case strings.HasSuffix(written, html) && path.Ext(made) == "" && !strings.HasSuffix(made, "/"):
		ways = append(ways, f.styled(made+html)...)
	case path.Ext(written) == "" && strings.HasSuffix(made, html):
		ways = append(ways, f.styled(strings.TrimSuffix(made, html))...)
	}
	return append(ways, f.styled(made)...)
}

// styled returns a path, before it with "./" in front of it if the document writes relative paths in
// that way.
func (f *Followed) styled(made string) []string {
	made = f.kept(made)
	written := f.ref.Ref
	isLocal := made != "" && made[0] != '/' && made[0] != '.' && made[0] != '@' && made[0] != '#'
	if isLocal && strings.HasPrefix(written, "../") && f.a.dotted(f.d) {
		return []string{"./" + made, made}
	}
	return []string{made}
}

// kept returns a path in which names that the reference had before are spelled as there: a name may
// be percent-encoded or not.
func (f *Followed) kept(made string) string {
	c := resolve.Parse([]byte(f.ref.Ref))
	before := map[string]string{}
	for name := range strings.SplitSeq(string(c.Path), "/") {
		before[ascii.UnescapeAll(name)] = name
	}
	names := strings.Split(made, "/")
	for i, name := range names {
		if written, ok := before[ascii.UnescapeAll(name)]; ok {
			names[i] = written
		}
	}
	return strings.Join(names, "/")
}

// dirs returns the directories that a path is relative to, "" for that of the document. If it works only
// from the documents that include its own, theirs come first.
func (f *Followed) dirs(was *Followed) (dirs []string) {
	for _, page := range slices.Sorted(maps.Keys(f.a.PagesOf(f.d, f.ref))) {
		for _, dir := range f.a.BaseDirs(f.d, f.ref, page) {
			if dir != f.d.Dir() && !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	if was.how == lead.ByInclusion {
		return append(dirs, "")
	}
	return append([]string{""}, dirs...)
}

// programWays returns paths of URLs that may point to a file on the site whose code may publish the document.
func (f *Followed) programWays(target string) (ways []string) {
	s := f.a.ProgramSite(f.d)
	page := s.Page(target)
	if page == nil {
		return nil
	}
	for _, route := range page.Routes {
		ways = append(ways, f.styled(spell.Spelled(strings.TrimSuffix(s.Base, "/")+route))...)
	}
	return ways
}

// pathWays returns paths of URLs, relative to a directory, that may point to a file or directory.
func (f *Followed) pathWays(was *Followed, target, dir string) (ways []string) {
	a, d, ref := f.a, f.d, f.ref
	c := resolve.Parse([]byte(ref.Ref))
	written := string(c.Path)
	add := func(p string) {
		if made, ok := a.PathTo(d, ref, &c, p, dir); ok {
			ways = append(ways, f.styled(made)...)
		}
	}
	name := path.Base(target)
	if last := path.Base(written); publish.IsIndex(name) && ascii.UnescapeAll(last) != path.Base(was.Target) {
		// The reference names the directory of the page.
		const inside = "x"
		if made, ok := a.PathTo(d, ref, &c, path.Dir(target)+"/"+inside, dir); ok {
			made = strings.TrimSuffix(made, inside)
			if short := strings.TrimSuffix(made, "/"); !strings.HasSuffix(written, "/") && short != "" {
				made = short
			}
			if made == "" {
				made = "./"
			}
			ways = append(ways, f.styled(made)...)
		}
	}
	if was.Target != "" && path.Ext(written) == "" && path.Ext(was.Target) != "" && !publish.IsIndex(path.Base(was.Target)) {
		add(slash.Stem(target))
	}
	if strings.HasSuffix(written, ".html") && path.Ext(was.Target) != ".html" {
		add(slash.Stem(target) + ".html")
	}
	add(target)
	if strings.HasSuffix(written, "/") {
		for i, p := range ways {
			if !strings.HasSuffix(p, "/") && path.Ext(p) != path.Ext(target) || path.Ext(target) == "" && !strings.HasSuffix(p, "/") {
				ways[i] = p + "/"
			}
		}
	}
	return ways
}

// fileWay returns a path that points to a file, relative to the document.
func (f *Followed) fileWay(was *Followed, target string) string {
	c := resolve.Parse([]byte(f.ref.Ref))
	written := string(c.Path)
	if s := f.d.Layout.Generated; strings.HasPrefix(written, "@site/") && s != nil {
		rest, ok := strings.CutPrefix(target, s.Dir+"/")
		if !ok {
			return ""
		}
		return "@site/" + f.trimmed(was, rest, written)
	}
	if was.root != "" {
		rest, ok := strings.CutPrefix(target, was.root+"/")
		if !ok {
			return ""
		}
		return rest
	}
	p := spell.Relative(f.d.Dir(), target)
	if was.ref.How == scan.Directive {
		if strings.HasPrefix(written, "./") && !strings.HasPrefix(p, "../") {
			p = "./" + p
		}
		return p
	}
	if f.ref.Reason != doc.IsModule {
		p = spell.Spelled(p)
	}
	p = f.trimmed(was, p, written)
	isDotted := strings.HasPrefix(written, "./") || f.ref.Reason == doc.IsModule || strings.HasPrefix(written, "../") && f.a.dotted(f.d)
	if isDotted && !strings.HasPrefix(p, "../") {
		p = "./" + p
	}
	return p
}

// trimmed returns p without the suffix that written leaves out of the target that it had.
func (f *Followed) trimmed(was *Followed, p, written string) string {
	if ext := path.Ext(was.Target); path.Ext(written) != ext {
		return strings.TrimSuffix(p, ext)
	}
	return p
}

// entryWays returns possible values of a navigation for a file: its path below the directory of the
// navigation, with and without suffix; its URL.
func (f *Followed) entryWays(was *Followed, target string) (ways []string) {
	written, _, _ := strings.Cut(was.nav.Ref, "#")
	s := f.d.Layout.Generated
	ext, oldExt := path.Ext(target), path.Ext(was.Target)
	cut := func(p string) string {
		if oldExt != "" && !strings.HasSuffix(written, oldExt) {
			return strings.TrimSuffix(p, ext)
		}
		return p
	}
	dir := ""
	if f.nav != nil { // otherwise what was an entry is none now
		dir = f.nav.Dir
	}
	if dir == "" { // that of the path with which written ends
		if below, ok := strings.CutSuffix(was.Target, strings.TrimPrefix(written, "/")); ok && written != "" {
			dir = strings.TrimSuffix(below, "/")
		} else if below, ok := strings.CutSuffix(strings.TrimSuffix(was.Target, oldExt), strings.TrimPrefix(written, "/")); ok && written != "" {
			dir = strings.TrimSuffix(below, "/")
		}
	}
	slash := ""
	if strings.HasPrefix(written, "/") {
		slash = "/"
	}
	if rest, ok := strings.CutPrefix(target, dir+"/"); ok && dir != "" {
		ways = append(ways, slash+cut(rest))
	}
	if s == nil {
		return ways
	}
	for _, m := range s.Mounts {
		if rest, ok := strings.CutPrefix(target, m.Dir+"/"); ok && m.Kind == site.Pages {
			ways = append(ways, slash+cut(rest), "/"+cut(rest))
		}
	}
	for _, m := range s.Mounts { // an id that front matter sets, below the directory of the page
		from, isIn := strings.CutPrefix(was.Target, m.Dir+"/")
		to, isIn2 := strings.CutPrefix(target, m.Dir+"/")
		if !isIn || !isIn2 || m.Kind != site.Pages {
			continue
		}
		before, id := path.Split(written)
		if before, ok := strings.CutSuffix(strings.TrimSuffix(before, "/"), strings.TrimPrefix(path.Dir(from), ".")); ok {
			ways = append(ways, path.Join(before, path.Dir(to), id))
		}
	}
	if p := s.Page(target); p != nil {
		for _, u := range p.Routes {
			u = spell.Spelled(u)
			if strings.HasSuffix(written, "/") || !strings.HasSuffix(u, "/") {
				ways = append(ways, u, strings.TrimPrefix(u, "/"))
			} else {
				ways = append(ways, strings.TrimSuffix(u, "/"), strings.Trim(u, "/"))
			}
		}
	}
	return ways
}

// Foreseen returns the value that an entry of a navigation needs once its file is at target, if the value
// is a path that follows from that of the file. The next audit has to follow it: front matter may give a
// document another name.
func (f *Followed) Foreseen(target string) (ref string, ok bool) {
	if f.how != lead.ByEntry || f.Target == "" || f.IsMisspelled || strings.ContainsAny(f.ref.Ref, "#?:%") {
		return "", false
	}
	before, after := f.entryWays(f, f.Target), f.entryWays(f, target)
	if len(before) == 0 || len(after) == 0 || before[0] != f.ref.Ref || after[0] == f.ref.Ref {
		return "", false
	}
	return after[0], true
}

// wikiWays returns names that may point to a note, the shortest first.
func (f *Followed) wikiWays(target string, fragment *string) (ways []string) {
	written, heading, hash := strings.Cut(f.ref.Ref, "#")
	if fragment != nil {
		heading, hash = *fragment, true
	}
	end := ""
	if hash {
		end = "#" + heading
	}
	s := f.d.Layout.Generated
	if s == nil {
		return nil
	}
	name := target
	if !strings.HasSuffix(written, ".md") {
		name = strings.TrimSuffix(name, ".md")
	}
	if strings.HasPrefix(written, "./") || strings.HasPrefix(written, "../") {
		p := spell.Relative(f.d.Dir(), name)
		if !strings.HasPrefix(p, "../") {
			p = "./" + p
		}
		ways = append(ways, p+end)
	}
	for _, m := range s.Mounts {
		rest, ok := strings.CutPrefix(name, m.Dir+"/")
		if !ok || m.Kind != site.Pages {
			continue
		}
		if !strings.Contains(written, "/") {
			ways = append(ways, path.Base(rest)+end)
		}
		ways = append(ways, rest+end, "/"+rest+end)
	}
	return ways
}

// rebased returns spellings of a relative reference that points nowhere which keep its place.
func (f *Followed) rebased(g Goal) (ways []string) {
	c := resolve.Parse([]byte(f.ref.Ref))
	if c.HasScheme || c.HasAuthority || strings.HasPrefix(f.ref.Ref, "/") || len(c.Path) == 0 || strings.Contains(g.Place, "://") {
		return nil
	}
	slash := ""
	if strings.HasSuffix(string(c.Path), "/") {
		slash = "/"
	}
	dirs := []string{f.d.Dir()}
	place, isURL := strings.CutPrefix(g.Place, onURL)
	if isURL {
		dirs = nil
		for _, u := range f.d.Uses {
			for _, route := range u.Page.Routes {
				dirs = append(dirs, strings.TrimSuffix(path.Dir(route+"x"), "/"), strings.TrimSuffix(f.d.Layout.Generated.Base, "/")+strings.TrimSuffix(path.Dir(route+"x"), "/"))
			}
		}
	}
	for _, dir := range dirs {
		for _, p := range f.styled(spell.Spelled(spell.Relative(dir, strings.TrimSuffix(place, "/")))) {
			if strings.HasPrefix(f.ref.Ref, "./") && !strings.HasPrefix(p, "../") && !strings.HasPrefix(p, "./") {
				p = "./" + p
			}
			c.Path = []byte(strings.TrimSuffix(p, "/") + slash)
			ways = append(ways, string(c.Append(nil)))
		}
	}
	return ways
}

// idAt returns the id of the anchor that g is, in place of the one that was names. For a wiki link, that is the
// text of the heading.
func (a *auditor) idAt(g *Goal, was *Followed) (id string, ok bool) {
	to, line := a.Document(g.Anchored), g.Line
	if to == nil {
		return "", false
	}
	if was.how == lead.ByWiki {
		for _, k := range to.AnchorList() {
			if k.Line == line && k.Heading != nil {
				if doc.LettersOf(k.Heading.Text) == doc.LettersOf(was.id) {
					return was.id, true
				}
				return k.Heading.Text, !strings.ContainsAny(k.Heading.Text, "#|[]^")
			}
		}
		return "", false
	}
	s := to.IDs()
	if id, isRenamed := g.IDs[was.id]; isRenamed {
		return id, s.Line(id) == line
	}
	if s.Line(was.id) == line {
		return was.id, true
	}
	written := map[string]bool{} // ids that no heading makes
	for _, k := range to.AnchorList() {
		if k.Heading == nil && k.In != "section" {
			written[k.Name] = true
		}
	}
	var ids []string
	for i := range s.Len() {
		if int(s.Entries[i].Line) == line && !written[s.At(i)] {
			ids = append(ids, s.At(i))
		}
	}
	if len(ids) != 1 || s.Second[ids[0]] != 0 {
		return "", false
	}
	return ids[0], true
}

// dotted reports whether d writes "./" in front of most such paths or, if it has none, whether the
// documents with the same suffix do.
func (a *auditor) dotted(d *doc.Document) bool {
	n := d.Dots
	if n == (doc.Dots{}) {
		n = a.dots[path.Ext(d.Path)]
	}
	return n.With > n.Without
}
