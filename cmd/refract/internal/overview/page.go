package overview

import (
	_ "embed"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"example.org/refract/cmd/refract/internal/webpage"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/order"
)

var (
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string
)

const (
	shortRows = 8   // of a card, at first
	longRows  = 100 // of a card, when it is opened
	plainURLs = 25  // URLs that can be read without JavaScript
)

// A Run is the information about the run that the page shows besides its references.
type Run struct {
	Version    string   // of refract
	Args       []string // the inputs, as given
	Inputs     int
	Unresolved int // references without an absolute URL
	Errors     int // inputs that could not be read completely
	Skipped    int // records whose type is not read

	NotRead, AsText map[string]int    // what was not read, or read as running text, by kind
	Meaning         map[string]string // of labels
	Notable         int               // the first labels of the Collector are security risks: how many
}

// content is what the page shows.
type content struct {
	*Run
	Title      string
	References int
	Listed     int    // references to the URLs in the table
	URLs       int    // in the table
	Distinct   string // URLs: a number, or "about" one
	Sites      string // domains, likewise
	Senders    string
	Documents  int
	Time       *timeline
	Cards      []*card
	Risks      *card
	Unread     []*card
	Top        []plainURL
	MaxPlaces  int
	IsCut      bool // URLs are missing from the table
}

// A card shows the most frequent values of a property.
type card struct {
	ID     string // the name of the property in page.js; "": values select nothing
	Title  string
	Rows   []row
	More   []row // shown on request
	Others int   // further values that are not shown
	About  string
}

// A row is one value.
type row struct {
	Name  string
	Value string // in the data
	About string
	N     int
	Least bool   // there may be more than N
	Width string // of its bar
}

// A plainURL is a row of the table for readers without JavaScript.
type plainURL struct {
	URL, Place string
	N          int
	Documents  int
}

// HTML writes the page. Nothing must be added to c afterwards. An error is an error of w.
func (c *Collector) HTML(w io.Writer, run *Run) error {
	p := content{Run: run, Title: "Links in " + webpage.Names(run.Args), References: c.references, Documents: c.sources, MaxPlaces: maxPlaces}
	p.Distinct = about(c.urls.distinct())
	p.Sites = about(c.groups[byDomain].distinct())
	p.Senders = about(c.groups[byFrom].distinct())
	c.urls.finish()
	for i := range c.groups {
		c.groups[i].finish()
	}
	p.IsCut = c.urls.isFull
	p.URLs = len(c.urls.items)
	for i := range c.urls.items {
		p.Listed += c.urls.items[i].n
	}
	p.Time = c.timeline()
	p.Cards, p.Risks = c.cards(), c.risks(run)
	p.Unread = c.unread(run)
	for i := range c.urls.items[:min(plainURLs, len(c.urls.items))] {
		it := &c.urls.items[i]
		p.Top = append(p.Top, plainURL{it.shown(), it.value.places[0].String(), it.n, int(it.value.documents)})
	}
	file := webpage.Page{Version: run.Version, Title: p.Title, CSS: pageCSS, JS: pageJS, Body: p.body, Data: c.data(run, p.Time)}
	return file.Write(w)
}

// about returns a number, rounded if it is an estimate.
func about(n int, isExact bool) string {
	if isExact {
		return webpage.Number(n)
	}
	unit := 1
	for n/unit >= 1000 {
		unit *= 10
	}
	return "about " + webpage.Number((n+unit/2)/unit*unit)
}

// shown returns the URL of an item in a form for the page.
func (it *item[T]) shown() string {
	if a, ok := any(&it.value).(*address); ok && a.text != "" {
		return shownURL(a.text)
	}
	return shownURL(it.name)
}

// String returns a place as the command prints it: "a.mbox:12:7".
func (p place) String() string {
	if p.source == nil {
		return ""
	}
	name := p.source.Name
	if p.source.Member != "" {
		name = p.source.Member
	}
	if p.line == 0 {
		return webpage.Shown(name)
	}
	return fmt.Sprintf("%s:%d:%d", webpage.Shown(name), p.line, p.column)
}

// cards returns the cards of all properties that references have.
func (c *Collector) cards() (cards []*card) {
	for _, x := range []struct {
		group
		id, title string
	}{
		{byDomain, "domain", "Domains"}, {byScheme, "scheme", "Schemes"}, {byList, "list", "Lists and newsgroups"},
		{byFolder, "folder", "Folders and archives"}, {byFrom, "from", "Senders"},
	} {
		all := &c.groups[x.group]
		rows := make([]row, 0, len(all.items))
		for i := range all.items {
			it := &all.items[i]
			name := webpage.Shown(it.name)
			rows = append(rows, row{Name: name, Value: name, N: it.n, Least: it.atMost})
		}
		if x.group == byFolder && len(rows) == 1 {
			continue // it says nothing
		}
		below := ""
		if x.group == byFolder {
			below = shorten(rows)
		}
		if made := newCard(x.id, x.title, rows); made != nil {
			if below != "" {
				made.About = "below " + below
			}
			if all.isFull {
				made.About += fmt.Sprintf(" Beyond %s names, the rarest are dropped; a count with ≥ may be too low.", webpage.Number(maxNames))
			}
			cards = append(cards, made)
		}
		if x.group == byScheme {
			var kinds []row
			for k, name := range scan.Kinds() {
				kinds = append(kinds, row{Name: name, Value: name, N: c.kinds[k]})
			}
			if made := newCard("kind", "Kinds", kinds); made != nil {
				cards = append(cards, made)
			}
		}
	}
	return cards
}

// shorten removes the directories that all rows have in common from their names, and returns them.
func shorten(rows []row) (common string) {
	for i := range rows {
		if rows[i].Value == "." {
			rows[i].Name = webpage.Top
		}
		dir := rows[i].Value + "/" // it may itself be what the others are in
		if i == 0 {
			common = dir
		}
		for !strings.HasPrefix(dir, common) {
			common = common[:strings.LastIndexByte(common[:len(common)-1], '/')+1]
		}
	}
	if common == "" || common == "/" {
		return ""
	}
	for i := range rows {
		rows[i].Name = strings.TrimPrefix(rows[i].Value, common)
		if len(rows[i].Value) < len(common) {
			rows[i].Name = webpage.Top
		}
	}
	return common
}

// newCard returns a card of the rows that are not 0, largest first; nil if there are none.
func newCard(id, title string, rows []row) *card {
	rows = slices.DeleteFunc(rows, func(r row) bool { return r.N == 0 })
	if len(rows) == 0 {
		return nil
	}
	order.Sort(rows, func(a, b row) int { return b.N - a.N })
	for i := range rows {
		rows[i].Width = fmt.Sprintf("%.1f%%", max(.5, 100*float64(rows[i].N)/float64(rows[0].N)))
	}
	made := &card{ID: id, Title: title, Rows: rows}
	if len(rows) > shortRows+2 {
		made.Rows, made.More = rows[:shortRows], rows[shortRows:min(len(rows), longRows)]
		made.Others = len(rows) - shortRows - len(made.More)
	}
	return made
}

// risks returns the labels that need attention; nil if no reference has one.
func (c *Collector) risks(run *Run) *card {
	var rows []row
	for i, name := range c.labels[:run.Notable] {
		rows = append(rows, row{Name: name, Value: name, N: c.flagged[i], About: run.Meaning[name]})
	}
	return newCard("label", "Labels that need attention", rows)
}

// unread returns what was not read, and why.
func (c *Collector) unread(run *Run) (cards []*card) {
	list := func(title string, counts map[string]int) {
		var rows []row
		for _, name := range slices.Sorted(maps.Keys(counts)) {
			rows = append(rows, row{Name: webpage.Shown(name), N: counts[name]})
		}
		if made := newCard("", title, rows); made != nil {
			cards = append(cards, made)
		}
	}
	list("Not read, by type", run.NotRead)
	list("Binary, but read as text", run.AsText)
	codes := map[string]int{}
	for code, n := range c.codes {
		name := strings.ReplaceAll(string(code), "-", " ")
		if code == "" {
			name = "other"
		}
		codes[name] += n
	}
	list("Notes about documents", codes)
	return cards
}
