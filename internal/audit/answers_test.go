package audit

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
)

// answering holds the sites that the tests below ask about.
var answering = fstest.MapFS{
	"t/.git":                              {},
	"t/hugo/hugo.toml":                    {Data: []byte("baseURL = 'https://h.example/sub/'\n")},
	"t/hugo/content/_index.md":            {Data: []byte("[a](posts/a.md) [label][none]\n")},
	"t/hugo/content/posts/a.md":           {Data: []byte("---\naliases: [/old/]\n---\n# Top\n\n## Two {#second}\n\n[own](#second) [i](/sub/) [none](none.md)\n")},
	"t/hugo/content/posts/draft.md":       {Data: []byte("---\ndraft: true\n---\n# Draft\n")},
	"t/hugo/layouts/_default/single.html": {},
	"t/hugo/static/p.png":                 {},
	"t/mk/mkdocs.yml":                     {Data: []byte("site_name: x\nsite_url: https://m.example/\nmarkdown_extensions: [{pymdownx.snippets: {base_path: docs}}]\n")},
	"t/mk/docs/index.md":                  {Data: []byte("# Home\n\n[a](a.md?q=1#one) [p](p%20q.png) [abs](/a/) [own](#home)\n\n--8<-- \"part.txt\"\n")},
	"t/mk/docs/a.md":                      {Data: []byte("# One\n\n[h](index.md)\n")},
	"t/mk/docs/p q.png":                   {},
	"t/mk/docs/part.txt":                  {},
	"t/sphinx/conf.py":                    {Data: []byte("extensions = []\n")},
	"t/sphinx/index.rst":                  {Data: []byte(".. _start:\n.. _begin:\n\n=====\nStart\n=====\n\n:ref:`start` :ref:`below` :ref:`none`\n\n.. toctree::\n\n   b\n")},
	"t/sphinx/b.rst":                      {Data: []byte("B\n=\n\n.. _below:\n\ntext\n\n.. _under:\n\nUnder\n-----\n")},
	"t/plain/a.md":                        {Data: []byte("# Plain\n\n[b](b.md#x)\n")},
	"t/plain/b.md":                        {Data: []byte("# B\n\n<a id=x></a>\n")},
}

func answeringReport(t *testing.T) *Report {
	t.Helper()
	r, err := Run(t.Context(), Options{Tree: tree.FS(answering), Dir: "/t", Paths: []string{"."}}, nil)
	must(t, err)
	return r
}

// A Page says where a document is published, or why it is not.
func TestPages(t *testing.T) {
	o := Options{Tree: tree.FS(answering), Dir: "/t", Paths: []string{"."}}
	describe := func(p *Page) string {
		s := fmt.Sprintf("%s: %s %s %q", p.File, p.Generator, p.URL, p.Route)
		if len(p.Aliases) > 0 {
			s += fmt.Sprintf(" also %q", p.Aliases)
		}
		if !p.Why.IsZero() {
			s += " why " + p.Why.String()
		}
		for _, a := range p.Anchors {
			s += fmt.Sprintf(" #%s:%d", a.ID, a.Line)
		}
		return s
	}
	for _, anchors := range []bool{false, true} {
		pages, report, err := Pages(t.Context(), o, anchors)
		must(t, err)
		var got []string
		for i := range pages {
			got = append(got, describe(&pages[i]))
		}
		if want := pagesWant[anchors]; strings.Join(got, "\n") != want {
			t.Errorf("anchors %v: got\n%s\nwant\n%s", anchors, strings.Join(got, "\n"), want)
		}
		if len(report.Errors) > 0 || report.Findings > 0 {
			t.Errorf("%+v", report)
		}
	}
	_, _, err := Pages(t.Context(), Options{Tree: o.Tree, Dir: "/t", Paths: []string{"."}, Slugs: "none such"}, false)
	if err == nil {
		t.Error("a algorithm that is unknown")
	}
	o.Paths = []string{"plain"}
	for _, given := range []struct {
		o    func(o *Options)
		want string
	}{
		{func(o *Options) { o.Root = "." }, "plain/a.md:  /plain/a.md \"\", plain/b.md:  /plain/b.md \"\""},
		{func(o *Options) { o.Root, o.Suffixes, o.Prefix = ".", []string{".md"}, "/x/" }, "plain/a.md:  /x/plain/a \"\", plain/b.md:  /x/plain/b \"\""},
		{func(o *Options) { o.Root, o.Indexes = "plain", []string{"b.md"} }, "plain/a.md:  /a.md \"\", plain/b.md:  / \"\""},
		{func(o *Options) { o.Sites = []Site{{"https://p.example/d/", "plain"}} }, "plain/a.md:  https://p.example/d/a.md \"\", plain/b.md:  https://p.example/d/b.md \"\""},
	} {
		o := o
		given.o(&o)
		pages, _, err := Pages(t.Context(), o, false)
		must(t, err)
		var got []string
		for i := range pages {
			got = append(got, describe(&pages[i]))
		}
		if got := strings.Join(got, ", "); got != given.want {
			t.Errorf("got  %s\nwant %s", got, given.want)
		}
	}
}

// pagesWant are the pages of answering, without and with their anchors.
var pagesWant = map[bool]string{
	false: `hugo/content/_index.md: Hugo https://h.example/sub/ "/"
hugo/content/posts/a.md: Hugo https://h.example/sub/posts/a/ "/posts/a/" also ["https://h.example/sub/old/"]
hugo/content/posts/draft.md: Hugo  "" why a draft
hugo/layouts/_default/single.html: Hugo  "" why is in layouts, which holds no pages
mk/docs/a.md: MkDocs https://m.example/a/ "/a/"
mk/docs/index.md: MkDocs https://m.example/ "/"
mk/docs/part.txt: MkDocs https://m.example/part.txt "/part.txt"
plain/a.md:   "" why no generator is known for it
plain/b.md:   "" why no generator is known for it
sphinx/b.rst: Sphinx /b.html "/b.html"
sphinx/index.rst: Sphinx /index.html "/index.html"`,
	true: `hugo/content/_index.md: Hugo https://h.example/sub/ "/"
hugo/content/posts/a.md: Hugo https://h.example/sub/posts/a/ "/posts/a/" also ["https://h.example/sub/old/"] #top:4 #second:6
hugo/content/posts/draft.md: Hugo  "" why a draft #draft:4
hugo/layouts/_default/single.html: Hugo  "" why is in layouts, which holds no pages
mk/docs/a.md: MkDocs https://m.example/a/ "/a/" #one:1
mk/docs/index.md: MkDocs https://m.example/ "/" #home:1
mk/docs/part.txt: MkDocs https://m.example/part.txt "/part.txt"
plain/a.md:   "" why no generator is known for it #plain:1
plain/b.md:   "" why no generator is known for it #b:1 #x:3
sphinx/b.rst: Sphinx /b.html "/b.html" #b:1 #below:4 #under:8
sphinx/index.rst: Sphinx /index.html "/index.html" #start:1 #begin:2`,
}

// A Report answers questions about a document, for those that move it.
func TestAnswers(t *testing.T) {
	r := answeringReport(t)
	const post = "/t/hugo/content/posts/a.md"
	if p := r.Page(post); p.URL != "https://h.example/sub/posts/a/" || p.Route != "/posts/a/" {
		t.Errorf("%+v", p)
	}
	if p := r.Page("/t/plain/new.md"); p.File != "plain/new.md" || p.URL != "" { // it need not exist
		t.Errorf("%+v", p)
	}
	for _, tt := range []struct {
		url, file string
		want      bool
	}{
		{"https://h.example/sub/posts/a/", post, true},
		{"https://h.example/sub/old/", post, true},
		{"https://h.example/sub/other/", post, false},
		{"https://h.example/sub/posts/a/", "/t/hugo/content/_index.md", false},
		{"/plain/a.md", "/t/plain/a.md", false}, // of no site
		{"/x", "/t/none.md", false},
	} {
		if r.LeadsTo(tt.url, tt.file) != tt.want {
			t.Errorf("LeadsTo(%q, %q) is %v", tt.url, tt.file, !tt.want)
		}
	}
	for file, want := range map[string]string{
		post:            "[https://h.example/sub/old/]",
		"/t/plain/a.md": "[]",
	} {
		if got := fmt.Sprint(r.Earlier(file)); got != want {
			t.Errorf("Earlier(%q) = %s, want %s", file, got, want)
		}
	}
	for file, want := range map[string]string{
		post:                  "[/t/hugo/static /t/hugo /t]",
		"/t/mk/docs/a.md":     "[/t/mk /t]",
		"/t/plain/a.md":       "[]",
		"/t/sphinx/index.rst": "[/t/sphinx /t]",
	} {
		if got := fmt.Sprint(r.Publishes(file)); got != want {
			t.Errorf("Publishes(%q) = %s, want %s", file, got, want)
		}
	}
	for file, want := range map[string]string{
		"/t/hugo/hugo.toml": "it is the configuration of a site /t/hugo", "/t/mk/mkdocs.yml": "it is the configuration of a site /t/mk", post: " ",
		"/t/hugo/layouts/_default/single.html": "it is a template or a program of the site, and code may refer to it /t/hugo", "/t/plain/a.md": " ",
	} {
		why, dir := r.Fixed(file)
		if got := why + " " + dir; got != want {
			t.Errorf("Fixed(%q) = %s, want %s", file, got, want)
		}
	}
	if s := r.SiteOf(post); s == nil || s.Generator != "Hugo" || r.SiteOf("/t/hugo/content/new.md") != s || r.SiteOf("/t/plain/a.md") != nil {
		t.Errorf("%+v", s)
	}
	if got := r.Together("/t/plain/a.md"); got != nil {
		t.Errorf("shown together: %q", got)
	}
	for _, tt := range []struct {
		file, fragment string
		line           int
		want           string
	}{
		{post, "second", 6, "Two"}, {post, "top", 4, "Top"}, {post, "none", 5, ""}, {"/t/plain/b.md", "x", 3, ""}, {"/t/plain/none.md", "x", 1, ""},
	} {
		h, ok := r.Heading(tt.file, tt.fragment)
		at, isAt := r.HeadingAt(tt.file, tt.line)
		if ok != (tt.want != "") || h.Text != tt.want || isAt != ok || at.Text != h.Text {
			t.Errorf("%s#%s: %+v, %v; in line %d: %+v, %v", tt.file, tt.fragment, h, ok, tt.line, at, isAt)
		}
	}
	var symbols []string
	for s := range r.Symbols {
		symbols = append(symbols, fmt.Sprintf("%s:%d %s", path.Base(s.Path), s.Line, s.Name))
	}
	if want := []string{"a.md:4 Top", "a.md:6 Two", "draft.md:4 Draft", "a.md:1 One", "index.md:1 Home", "a.md:1 Plain", "b.md:1 B", "b.rst:1 B", "b.rst:10 Under", "index.rst:5 Start"}; !slices.Equal(symbols, want) {
		t.Errorf("symbols %q, want %q", symbols, want)
	}
	for range r.Symbols {
		break
	}
	zero := new(Report)
	_, isHeading := zero.Heading(post, "top")
	_, isLine := zero.HeadingAt(post, 4)
	if zero.Page(post).File != "" || zero.SiteOf(post) != nil || isHeading || isLine {
		t.Error("the zero Report knows something")
	}
	for range zero.Symbols {
		t.Error("the zero Report has a symbol")
	}
}

// The references of a View, one by one and by place, and the sections below labels.
func TestViewLinks(t *testing.T) {
	r := answeringReport(t)
	view := func(file string) *View { return r.View(file, answering[file[1:]].Data) }
	describe := func(l *ViewLink) string {
		return fmt.Sprintf("%s: %s:%d#%s %s", l.Ref, strings.TrimPrefix(l.File, "/t/"), l.Line, l.Fragment, l.URL)
	}
	v := view("/t/hugo/content/posts/a.md")
	var got []string
	links := v.Links()
	for i := range links {
		got = append(got, describe(&links[i]))
	}
	want := []string{
		"#second: hugo/content/posts/a.md:6#second ", "/sub/: hugo/content/_index.md:1# ", "none.md: :0# ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for i, l := range links {
		at, ok := v.LinkAt(l.Pos.Offset + 1)
		if !ok || describe(&at) != want[i] {
			t.Errorf("at %d: %s, %v", l.Pos.Offset+1, describe(&at), ok)
		}
	}
	if _, ok := v.LinkAt(1); ok {
		t.Error("a link in front matter")
	}
	for fragment, line := range map[string]int{"second": 6, "top": 4, "two": 0, "": 0} {
		if got := v.LineOf(fragment); got != line {
			t.Errorf("LineOf(%q) = %d, want %d", fragment, got, line)
		}
	}

	// What points to no file has its URL, if the place of the document is known.
	published, err := Run(t.Context(), Options{Tree: tree.FS(answering), Dir: "/t", Paths: []string{"."}, Sites: []Site{{"https://p.example/d/", "plain"}}}, nil)
	must(t, err)
	l, ok := published.View("/t/plain/a.md", []byte("[x](none.md#y)\n")).LinkAt(5)
	if want := "none.md#y: :0#y https://p.example/d/none.md#y"; !ok || describe(&l) != want {
		t.Errorf("got %s, %v, want %s", describe(&l), ok, want)
	}

	text := string(answering["t/sphinx/index.rst"].Data)
	v = view("/t/sphinx/index.rst")
	for ref, want := range map[string]string{"start`": "start: sphinx/index.rst:1#start ", "below`": "below: sphinx/b.rst:4#below ", "none`": ""} {
		l, ok := v.LinkAt(int64(strings.Index(text, ref)))
		if ok != (want != "") || ok && describe(&l) != want {
			t.Errorf("%s: %s, %v, want %s", ref, describe(&l), ok, want)
		}
	}
	for line, want := range map[int]int{1: 5, 2: 5, 5: 5, 8: 8, 0: 0, 99: 99} {
		if got := v.SectionOf(line); got != want {
			t.Errorf("SectionOf(%d) = %d, want %d", line, got, want)
		}
	}
	v = view("/t/sphinx/b.rst")
	for line, want := range map[int]int{4: 4, 8: 10} { // text is below the first label
		if got := v.SectionOf(line); got != want {
			t.Errorf("SectionOf(%d) = %d, want %d", line, got, want)
		}
	}
}

// A Publisher says at which URLs documents and what they point to are published.
func TestPublisher(t *testing.T) {
	p, err := NewPublisher(Options{Tree: tree.FS(answering), Dir: "/t", Paths: []string{".", "none"}})
	must(t, err)
	for file, want := range map[string]string{
		"mk/docs/a.md": "https://m.example/a/", "mk/docs/index.md": "https://m.example/", "hugo/content/posts/a.md": "https://h.example/sub/posts/a/",
		"hugo/content/posts/draft.md": "", "plain/a.md": "",
	} {
		if got := p.Configure(file, new(extract.Config)); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
	file := "mk/docs/index.md"
	var c extract.Config
	u := p.Configure(file, &c)
	c.Retrieved = base.Source{URI: u}
	targets := map[string]string{}
	for ref, err := range c.Walk(file, strings.NewReader(string(answering["t/"+file].Data))) {
		must(t, err)
		if to, _ := p.Target(file, ref); to != "" {
			targets[string(ref.Ref)] = to
		}
	}
	want := map[string]string{"a.md?q=1#one": "/a/?q=1#one", "p%20q.png": "/p%20q.png", "/a/": "/a/"}
	if fmt.Sprint(targets) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", targets, want)
	}
	_, err = NewPublisher(Options{Slugs: "none such"})
	if err == nil {
		t.Error("a algorithm that is unknown")
	}
}

func TestCheck(t *testing.T) {
	files := tree.FS(answering)
	for _, tt := range []struct {
		o    Options
		want string
	}{
		{Options{Paths: []string{}}, "Paths []: nothing to audit"},
		{Options{Paths: []string{"a", ""}}, `Paths "": name a file or directory`},
		{Options{Dir: "/none"}, `Dir "/none": file does not exist`},
		{Options{Dir: "plain/a.md"}, `Dir "plain/a.md": file does not exist`},
		{Options{Dir: "t/plain/a.md"}, `Dir "t/plain/a.md": not a directory`},
		{Options{Globs: []string{"a", "[b"}}, `Globs "[b": [ is not closed`},
		{Options{Ignore: []string{"{"}}, `Ignore "{": { is not closed`},
		{Options{Jobs: -1}, "Jobs -1: must not be negative"},
		{Options{Slugs: "githup"}, `Slugs "githup": did you mean "github"?`},
		{Options{Generator: "hugoo"}, `Generator "hugoo": did you mean "Hugo"?`},
		{Options{Only: []rule.Rule{"orphn"}}, `Only "orphn": did you mean "orphan"?`},
		{Options{Without: []rule.Rule{"x"}}, `Without "x": give one of `},
		{Options{Suffixes: []string{".md", "md"}}, `Suffixes "md": give suffixes with their dot`},
		{Options{Formats: []extract.Format{{}}}, "Formats[0]: has no Types"},
		{Options{Dir: "/t", Paths: []string{"."}, Generator: "none"}, ""},
	} {
		tt.o.Tree = files
		err := tt.o.Check()
		if (err == nil) != (tt.want == "") || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
}
