package report

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"example.org/refract/cmd/refract/internal/webpage"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/order"
)

var (
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string
)

// maxPlain limits the number of findings that can be read without JavaScript. The page's data has
// all findings; 10,000 of them as elements would take a browser seconds.
const maxPlain = 300

// maxFloods limits the number of floods listed above the findings.
const maxFloods = 50

// A content is what the page shows.
type content struct {
	*Run
	Title      string
	Broken     int      // documents with findings
	Floods     []string // at most maxFloods
	ManyFloods int      // number of all floods
	Reported   int      // of the internal links, those that would be reported if they were broken
	Why        []count  // why others would not, the most frequent reasons first
	Partial    []audit.Coverage
	Plain      []group
	Root       string // directory to which names are relative; "" is the working directory
	Total      int    // findings
	More       int    // findings that are not in Plain
}

// A count is how many broken links would not be reported for a reason.
type count struct {
	N    int
	Text string
}

// A group holds the findings in one document.
type group struct {
	File     string
	Findings []*finding
}

// data is the input of page.js.
type data struct {
	Names    []string   `json:"names"` // of documents, then of their link targets
	Kinds    []kind     `json:"kinds"` // of Names
	Links    []int      `json:"links"` // working links: pairs of indexes in Names
	Rules    []string   `json:"rules"` // that have findings
	Causes   []string   `json:"causes"`
	Texts    []string   `json:"texts"`    // of findings; targetMark stands for the target's name
	Findings []*finding `json:"findings"` // which writeData writes one by one

	index  map[string]int // index in Names, by the name before it is made visible
	causes map[string]int // index in Causes
	texts  map[string]int // index in Texts
	rules  map[rule.Rule]int
	root   string // what is cut from the beginnings of names
}

// targetMark occurs in no result of webpage.Shown.
const targetMark = "\x01"

// A kind is the kind of a name in data.
type kind int

const (
	document kind = iota
	otherFile
	missing
)

// A finding has short JSON keys: otherwise, a page of 100,000 findings would take a browser a
// second.
type finding struct {
	Doc        int        `json:"d"` // index in Names
	Line       int        `json:"l"`
	Column     int        `json:"c"`
	Rule       int        `json:"r"`           // index in Rules
	Text       int        `json:"m"`           // index in Texts
	Raw        string     `json:"w,omitempty"` // as written, unless Excerpt contains it
	Suggestion string     `json:"s,omitempty"`
	Target     int        `json:"t,omitempty"` // 1 + its index in Names
	Cause      int        `json:"u,omitempty"` // 1 + its index in Causes, or causeIsTarget
	Excerpt    *[3]string `json:"e,omitempty"` // of its line: the text before the reference, the reference, and the text after it

	File, RuleName, Message, Written string `json:"-"`
}

// causeIsTarget is the value of finding.Cause if the cause is the name of Target.
const causeIsTarget = -1

// Place returns the position of the finding: "line:column", or the part of it that is known.
func (f *finding) Place() string {
	switch {
	case f.Line == 0:
		return ""
	case f.Column == 0:
		return strconv.Itoa(f.Line)
	}
	return fmt.Sprintf("%d:%d", f.Line, f.Column)
}

// HTML writes the run as a web page: the findings by document and by target, with filters and a
// search, and the graph of links if the audit ran with audit.Options.Graph. It reads the documents
// again to quote their lines. The same run over the same documents gives the same bytes. An error
// is an error of w.
func (r *Run) HTML(w io.Writer) error {
	p := content{Run: r, Title: "Audit of " + webpage.Names(r.Args), Reported: r.InternalLinks() - r.Blind()}
	for why, n := range r.BlindReasons() {
		p.Why = append(p.Why, count{n, webpage.Shown(why.String())})
	}
	order.Sort(p.Why, func(x, y count) int { return cmp.Or(cmp.Compare(y.N, x.N), strings.Compare(x.Text, y.Text)) })
	for _, c := range r.Coverage {
		if c.Blind > 0 {
			p.Partial = append(p.Partial, c)
		}
	}
	d := r.newData()
	broken := map[int]bool{}
	var lines lines
	for f := range r.all() {
		made := d.add(f, r.lineOf(f))
		broken[made.Doc] = true
		if p.Total++; p.Total > maxPlain {
			continue
		}
		made.quote(f, &lines)
		if n := len(p.Plain); n == 0 || p.Plain[n-1].File != made.File {
			p.Plain = append(p.Plain, group{File: made.File})
		}
		g := &p.Plain[len(p.Plain)-1]
		g.Findings = append(g.Findings, made)
	}
	p.Broken, p.Root = len(broken), webpage.Shown(strings.TrimSuffix(d.root, "/"))
	for i := range p.Partial {
		dir := strings.TrimPrefix(p.Partial[i].Dir+"/", d.root)
		if dir == "" || dir == "./" {
			dir = webpage.Top
		}
		p.Partial[i].Dir = dir
	}
	p.More = max(0, p.Total-maxPlain)
	for flood := range Floods(r.all()) {
		if flood.Text == "" {
			continue
		}
		p.ManyFloods++
		if len(p.Floods) < maxFloods {
			first := fmt.Sprintf("%s; the first at %s:%d", flood.Text, flood.First.File, r.lineOf(flood.First)) // texts may be equal
			p.Floods = append(p.Floods, webpage.Shown(d.relative(first)))
		}
	}
	file := webpage.Page{Version: r.Version, Title: p.Title, CSS: pageCSS, JS: pageJS, Body: p.body}
	return file.WriteData(w, func(w io.Writer) error { return r.writeData(w, d) })
}

// writeData writes d with the findings, which d does not hold.
func (r *Run) writeData(w io.Writer, d *data) error {
	list := listWriter{w: w, escapesHTML: true}
	if err := list.begin(d, "]}\n"); err != nil {
		return err
	}
	var lines lines
	for f := range r.all() {
		made := d.add(f, r.lineOf(f))
		made.quote(f, &lines)
		if err := list.add(made); err != nil {
			return err
		}
	}
	return list.end()
}

// newData returns the data of r without its findings.
func (r *Run) newData() *data {
	d := &data{Names: []string{}, Kinds: []kind{}, Links: []int{}, Rules: []string{}, Findings: []*finding{}, Causes: []string{}, Texts: []string{}, index: map[string]int{}, causes: map[string]int{}, texts: map[string]int{}, rules: map[rule.Rule]int{}}
	d.root = commonRoot(r.Names)
	for _, name := range r.Names {
		d.node(name, document)
	}
	for _, l := range r.Links {
		d.Links = append(d.Links, d.node(l.From, document), d.node(l.To, otherFile))
	}
	broken := map[rule.Rule]bool{}
	for f := range r.all() {
		broken[f.Rule] = true
	}
	for _, rule := range rule.Rules() {
		if broken[rule] {
			d.rules[rule] = len(d.Rules)
			d.Rules = append(d.Rules, string(rule))
		}
	}
	return d
}

// relative returns a text without the root of names.
func (d *data) relative(text string) string {
	if d.root == "" {
		return text
	}
	return strings.ReplaceAll(text, d.root, "")
}

// commonRoot returns the common directory of all names, with a trailing "/", if they are absolute: then
// nobody has written them that way for the reader of the page. Otherwise it returns "".
func commonRoot(names []string) string {
	if len(names) == 0 || !filepath.IsAbs(names[0]) {
		return ""
	}
	root := names[0][:strings.LastIndexByte(names[0], '/')+1]
	for _, name := range names {
		for !strings.HasPrefix(name, root) {
			root = root[:strings.LastIndexByte(root[:len(root)-1], '/')+1]
			if root == "" {
				return ""
			}
		}
	}
	return root
}

// lineOf returns the number that the page shows after the name of the document: of a record, its offset.
func (r *Run) lineOf(f *audit.Finding) int {
	if r.Pages != nil {
		return int(f.Pos.Offset)
	}
	return f.Pos.Line
}

// add returns f in the form of the page, with the number of its line, and adds its names and texts to d.
func (d *data) add(f *audit.Finding, line int) *finding {
	doc := d.node(f.File, document)
	made := &finding{
		Doc: doc, Line: line, Column: f.Pos.Column, Rule: d.rules[f.Rule], Message: webpage.Shown(f.Message),
		Written: webpage.Shown(f.Written()), Suggestion: webpage.Shown(f.Suggestion), File: d.Names[doc], RuleName: string(f.Rule),
	}
	if f.Target != "" {
		k := otherFile
		switch f.Rule {
		case rule.MissingFile, rule.BrokenImage, rule.Symlink, rule.Outside:
			k = missing
		}
		made.Target = 1 + d.node(strings.TrimPrefix(f.Target, "./"), k)
	}
	text, target := made.Message, webpage.Shown(strings.TrimPrefix(f.Target, "./"))
	if made.Target > 0 && target != "" && d.Names[made.Target-1] != "" {
		text = strings.Replace(text, target, targetMark, 1)
		made.Message = strings.Replace(text, targetMark, d.Names[made.Target-1], 1)
	}
	made.Text = indexOf(text, &d.Texts, d.texts)
	switch {
	case f.Cause == "":
	case made.Target > 0 && webpage.Shown(f.Cause) == target:
		made.Cause = causeIsTarget
	default:
		made.Cause = 1 + indexOf(webpage.Shown(strings.TrimPrefix(f.Cause, d.root)), &d.Causes, d.causes)
	}
	return made
}

// quote quotes the line of f in its form for the page.
func (made *finding) quote(f *audit.Finding, lines *lines) {
	made.Excerpt = lines.excerpt(f)
	if made.Excerpt == nil || made.Excerpt[1] != made.Written {
		made.Raw = made.Written
	}
}

// node returns the index of a name. If the name is new, node adds it with the given kind.
func (d *data) node(name string, k kind) int {
	i, ok := d.index[name]
	if !ok {
		i = len(d.Names)
		d.index[name] = i
		d.Names = append(d.Names, webpage.Shown(strings.TrimPrefix(name, d.root)))
		d.Kinds = append(d.Kinds, k)
	}
	return i
}

// indexOf returns the index of text in list. If text is new, indexOf appends it.
func indexOf(text string, list *[]string, known map[string]int) int {
	i, ok := known[text]
	if !ok {
		i = len(*list)
		known[text] = i
		*list = append(*list, text)
	}
	return i
}

// lines quotes lines of documents. It keeps the last document.
type lines struct {
	path string
	text []byte
}

const (
	maxQuoted = 8 << 20 // maximum size in bytes of a document that is quoted
	around    = 80      // bytes quoted on each side of a reference
)

// excerpt returns the text around f in its line, or nil if that is unknown: the document is too
// large, compressed, or has changed since the audit.
func (l *lines) excerpt(f *audit.Finding) *[3]string {
	if f.Rule == rule.Orphan || f.Pos.Column == 0 || f.Pos.Offset > maxQuoted {
		return nil
	}
	if l.path != f.Path {
		l.path, l.text = f.Path, nil
		if info, err := os.Stat(f.Path); err == nil && info.Mode().IsRegular() && info.Size() <= maxQuoted {
			l.text, _ = os.ReadFile(f.Path)
		}
	}
	at := int(f.Pos.Offset)
	end := at + f.Pos.Length
	line := at - (f.Pos.Column - 1)
	if line < 0 || end > len(l.text) || line > 0 && l.text[line-1] != '\n' && l.text[line-1] != '\r' {
		return nil
	}
	if raw := f.Written(); raw != "" && string(l.text[at:end]) != raw {
		return nil
	}
	before, after := "", ""
	if at-line > around {
		line, before = webpage.Start(l.text, at-around), "…"
	}
	stop := min(len(l.text), end+around)
	if i := bytes.IndexAny(l.text[end:stop], "\r\n"); i >= 0 {
		stop = end + i
	} else if stop < len(l.text) {
		stop, after = max(end, webpage.Start(l.text, stop)), "…"
	}
	blank := func(b []byte) string { return webpage.Shown(blanks.Replace(string(b))) }
	return &[3]string{before + strings.TrimLeft(blank(l.text[line:at]), " "), blank(l.text[at:end]), blank(l.text[end:stop]) + after}
}

// blanks joins quoted text into one line.
var blanks = strings.NewReplacer("\t", " ", "\r", " ", "\n", " ")

// Policy returns the Content-Security-Policy of the pages that HTML writes. A page that shows them in a frame needs it.
func Policy() string { return webpage.Policy(pageCSS, pageJS) }
