package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.org/refract/audit"
)

// The page is one file: what it is made of stands in it, and its policy lets nothing else
// be fetched or run.
var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string
)

// maxPlain is the number of findings that can be read without JavaScript. All are in the
// data of the page; as elements, 10,000 would take a browser seconds.
const maxPlain = 300

// maxFloods is the number of floods that are listed above the findings.
const maxFloods = 50

// A page is what page.html shows.
type page struct {
	*Run
	Policy, Title string
	Style         template.CSS
	Script        template.JS
	Broken        int      // documents with findings
	Floods        []string // at most maxFloods
	ManyFloods    int      // all of them
	Plain         []group
	More          int // findings that Plain has not
	Data          *data
}

// A group is the findings of a document.
type group struct {
	File     string
	Findings []*finding
}

// data is what page.js works on.
type data struct {
	Names    []string   `json:"names"` // of documents and of what they link to, in that order
	Kinds    []kind     `json:"kinds"` // of Names
	Links    []int      `json:"links"` // those that work: from and to, of Names
	Rules    []string   `json:"rules"` // that were broken
	Causes   []string   `json:"causes"`
	Texts    []string   `json:"texts"` // of findings; targetMark stands for the name of the target
	Findings []*finding `json:"findings"`

	index  map[string]int // of Names, by what they are before they are made visible
	causes map[string]int // index in Causes
	texts  map[string]int // index in Texts
}

// targetMark is in no text that shown returns.
const targetMark = "\x01"

// A kind is what a name of data is.
type kind int

const (
	document kind = iota
	otherFile
	missing
)

// A finding is short in JSON: a page of 100,000 findings takes a browser a second otherwise.
type finding struct {
	Doc        int        `json:"d"` // of Names
	Line       int        `json:"l"`
	Column     int        `json:"c"`
	Rule       int        `json:"r"`           // of Rules
	Text       int        `json:"m"`           // of Texts
	Raw        string     `json:"w,omitempty"` // Written, unless Excerpt has it
	Suggestion string     `json:"s,omitempty"`
	Target     int        `json:"t,omitempty"` // 1 + its index in Names
	Cause      int        `json:"u,omitempty"` // 1 + its index in Causes, or causeIsTarget
	Excerpt    *[3]string `json:"e,omitempty"` // of its line: before, the reference, and after

	File, RuleName, Message, Written string `json:"-"`
}

// causeIsTarget is a finding.Cause that has the name of Target.
const causeIsTarget = -1

// Place is where the finding stands: "line:column", or as much of it as is known.
func (f *finding) Place() string {
	switch {
	case f.Line == 0:
		return ""
	case f.Column == 0:
		return strconv.Itoa(f.Line)
	}
	return fmt.Sprintf("%d:%d", f.Line, f.Column)
}

// HTML writes the run as a page for people: the findings, by document and by target, to be
// filtered and searched, and the graph of links if the audit was run with audit.Options.Graph.
// The documents are read once more for the lines that are quoted. The same run over the
// same documents gives the same bytes. An error is of w.
func (r *Run) HTML(w io.Writer) error {
	p := page{Run: r, Title: "Audit of " + titleOf(r.Args), Style: template.CSS(pageCSS), Script: template.JS(pageJS), Data: r.data()}
	p.Policy = "default-src 'none'; img-src data:; style-src " + hash(pageCSS) + "; script-src " + hash(pageJS) + "; base-uri 'none'; form-action 'none'"
	broken := map[int]bool{}
	for i, f := range p.Data.Findings {
		broken[f.Doc] = true
		if i >= maxPlain {
			continue
		}
		if n := len(p.Plain); n == 0 || p.Plain[n-1].File != f.File {
			p.Plain = append(p.Plain, group{File: f.File})
		}
		g := &p.Plain[len(p.Plain)-1]
		g.Findings = append(g.Findings, f)
	}
	p.Broken = len(broken)
	p.More = max(0, len(p.Data.Findings)-maxPlain)
	for _, flood := range Floods(r.Findings) {
		if flood.Text == "" {
			continue
		}
		p.ManyFloods++
		if len(p.Floods) < maxFloods {
			p.Floods = append(p.Floods, shown(flood.Text))
		}
	}
	t := template.Must(template.New("page").Funcs(template.FuncMap{"number": Number, "shown": shown}).Parse(pageHTML))
	return t.Execute(w, &p)
}

// hash is how a policy names an inline style or script (Content Security Policy Level 3,
// section 2.3.1).
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Number is n with commas between thousands.
func Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func (r *Run) data() *data {
	d := &data{Names: []string{}, Kinds: []kind{}, Links: []int{}, Rules: []string{}, Findings: []*finding{}, Causes: []string{}, Texts: []string{}, index: map[string]int{}, causes: map[string]int{}, texts: map[string]int{}}
	for _, name := range r.Names {
		d.node(name, document)
	}
	for _, l := range r.Links {
		d.Links = append(d.Links, d.node(l.From, document), d.node(l.To, otherFile))
	}
	broken := map[audit.Rule]bool{}
	for _, f := range r.Findings {
		broken[f.Rule] = true
	}
	rules := map[audit.Rule]int{}
	for _, rule := range audit.Rules() {
		if broken[rule] {
			rules[rule] = len(d.Rules)
			d.Rules = append(d.Rules, string(rule))
		}
	}
	var lines lines
	for _, f := range r.Findings {
		doc := d.node(f.File, document)
		made := &finding{
			Doc: doc, Line: f.Pos.Line, Column: f.Pos.Column, Rule: rules[f.Rule], Message: shown(f.Message),
			Written: shown(f.Written()), Suggestion: shown(f.Suggestion), Excerpt: lines.excerpt(f),
			File: d.Names[doc], RuleName: string(f.Rule),
		}
		if made.Excerpt == nil || made.Excerpt[1] != made.Written {
			made.Raw = made.Written
		}
		if f.Target != "" {
			k := otherFile
			switch f.Rule {
			case audit.MissingFile, audit.BrokenImage, audit.Symlink, audit.Outside:
				k = missing
			}
			made.Target = 1 + d.node(strings.TrimPrefix(f.Target, "./"), k)
		}
		text := made.Message
		if made.Target > 0 && d.Names[made.Target-1] != "" {
			text = strings.Replace(text, d.Names[made.Target-1], targetMark, 1)
		}
		made.Text = indexOf(text, &d.Texts, d.texts)
		switch {
		case f.Cause == "":
		case made.Target > 0 && shown(f.Cause) == d.Names[made.Target-1]:
			made.Cause = causeIsTarget
		default:
			made.Cause = 1 + indexOf(shown(f.Cause), &d.Causes, d.causes)
		}
		d.Findings = append(d.Findings, made)
	}
	return d
}

// node returns the index of a name, which is of a kind if it is new.
func (d *data) node(name string, k kind) int {
	i, ok := d.index[name]
	if !ok {
		i = len(d.Names)
		d.index[name] = i
		d.Names = append(d.Names, shown(name))
		d.Kinds = append(d.Kinds, k)
	}
	return i
}

// indexOf returns the index of text in list, to which it adds a new one.
func indexOf(text string, list *[]string, known map[string]int) int {
	i, ok := known[text]
	if !ok {
		i = len(*list)
		known[text] = i
		*list = append(*list, text)
	}
	return i
}

// titleOf names what was audited: a directory that is given as "." or ".." by its own name.
func titleOf(args []string) string {
	var names []string
	for _, arg := range args {
		if base := filepath.Base(arg); base == "." || base == ".." {
			if full, err := filepath.Abs(arg); err == nil {
				arg = filepath.Base(full)
			}
		}
		names = append(names, arg)
	}
	return shown(strings.Join(names, ", "))
}

// maxShown is how many bytes are shown of a name, a reference or a message. A reference
// may be an image of a megabyte.
const maxShown = 1000

// shown is s as it stands on a page: controls, marks of direction and bytes that are not
// UTF-8 are written out, as they could turn around or hide what stands beside them.
func shown(s string) string {
	rest := ""
	if len(s) > maxShown {
		s, rest = s[:start(s, maxShown)], "…"
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r < ' ', r >= 0x7f && r < 0xa0, r == 0x61c, r >= 0x200b && r <= 0x200f,
			r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x2069, r == 0xfeff:
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + rest
}

// start returns the start of the character of s at i, or i if there is none.
func start[S string | []byte](s S, i int) int {
	for j := i; j > max(0, i-utf8.UTFMax); j-- {
		if j < len(s) && utf8.RuneStart(s[j]) {
			return j
		}
	}
	return i
}

// lines quotes the lines of documents. It holds the last one.
type lines struct {
	path string
	text []byte
}

const (
	maxQuoted = 8 << 20 // bytes of a document that is quoted
	around    = 80      // bytes that are quoted on each side of a reference
)

// excerpt returns what stands around f in its line, or nil if it cannot be told: the
// document is too large, compressed, or has changed since.
func (l *lines) excerpt(f *audit.Finding) *[3]string {
	if f.Rule == audit.Orphan || f.Pos.Column == 0 || f.Pos.Offset > maxQuoted {
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
		line, before = start(l.text, at-around), "…"
	}
	stop := min(len(l.text), end+around)
	if i := bytes.IndexAny(l.text[end:stop], "\r\n"); i >= 0 {
		stop = end + i
	} else if stop < len(l.text) {
		stop, after = max(end, start(l.text, stop)), "…"
	}
	blank := func(b []byte) string { return shown(blanks.Replace(string(b))) }
	return &[3]string{before + strings.TrimLeft(blank(l.text[line:at]), " "), blank(l.text[at:end]), blank(l.text[end:stop]) + after}
}

// blanks makes one line of what is quoted.
var blanks = strings.NewReplacer("\t", " ", "\r", " ", "\n", " ")
