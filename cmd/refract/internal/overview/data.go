package overview

import (
	"strings"

	"example.org/refract/cmd/refract/internal/webpage"
	"example.org/refract/extract/scan"
)

// data is the input of page.js. It has columns instead of objects: a browser reads them several times
// faster. Columns of URLs are in the order of the table.
type data struct {
	URLs      string `json:"urls"` // one per line
	Counts    []int  `json:"counts"`
	Least     []int  `json:"least"`     // URLs that may have been seen more often
	Documents []int  `json:"documents"` // in how many documents each URL is
	First     []int  `json:"first"`     // days since 1970-01-01, from 1; 0: no date
	Last      []int  `json:"last"`
	Kinds     []int  `json:"kinds"`  // bits: indexes in KindNames
	Labels    []int  `json:"labels"` // indexes in Sets
	Domains   []int  `json:"domains"`
	Places    []int  `json:"places"` // of each URL, for each document that is named: index in the columns of documents, line, column

	Files    []int `json:"files"` // columns of documents: indexes in Texts
	Members  []int `json:"members"`
	Pages    []int `json:"pages"` // the URL of the document
	Subjects []int `json:"subjects"`
	From     []int `json:"from"`
	IDs      []int `json:"ids"`
	Lists    []int `json:"lists"`
	Folders  []int `json:"folders"`
	Days     []int `json:"days"`

	Texts      []string `json:"texts"` // in a form for the page; the first is ""
	Sets       [][]int  `json:"sets"`  // of labels: indexes in LabelNames
	KindNames  []string `json:"kindNames"`
	LabelNames []string `json:"labelNames"`
	Meanings   []string `json:"meanings"` // of the labels
	Risks      int      `json:"risks"`    // the first labels are security risks: how many
	MaxPlaces  int      `json:"maxPlaces"`
	Bars       [][]any  `json:"bars"` // of the timeline: name, first day, first day that is later, as in First

	texts map[string]int
	sets  map[uint64]int
}

// data returns the data of the page.
func (c *Collector) data(run *Run, t *timeline) *data {
	d := &data{
		Least: []int{}, Texts: []string{""}, texts: map[string]int{"": 0}, sets: map[uint64]int{}, KindNames: scan.Kinds(), LabelNames: c.labels,
		Risks: run.Notable, MaxPlaces: maxPlaces, Bars: [][]any{},
	}
	for _, column := range []*[]int{
		&d.Counts, &d.Documents, &d.First, &d.Last, &d.Kinds, &d.Labels, &d.Domains, &d.Places,
		&d.Files, &d.Members, &d.Pages, &d.Subjects, &d.From, &d.IDs, &d.Lists, &d.Folders, &d.Days,
	} {
		*column = make([]int, 0, len(c.urls.items)) // not nil: that would be null in JSON
	}
	for _, name := range c.labels {
		d.Meanings = append(d.Meanings, run.Meaning[name])
	}
	if t != nil {
		for _, b := range t.Bars {
			d.Bars = append(d.Bars, []any{b.Name, b.Start + 1, b.End + 1})
		}
	}
	var urls strings.Builder
	for i := range c.urls.items {
		if i > 0 {
			urls.WriteByte('\n')
		}
		urls.WriteString(c.urls.items[i].shown())
		d.add(i, &c.urls.items[i])
	}
	d.URLs = urls.String()
	return d
}

// add adds the row of a URL.
func (d *data) add(i int, it *item[address]) {
	a := &it.value
	d.Counts = append(d.Counts, it.n)
	if it.atMost {
		d.Least = append(d.Least, i)
	}
	d.Documents = append(d.Documents, int(a.documents))
	d.First, d.Last = append(d.First, int(a.first)), append(d.Last, int(a.last))
	d.Kinds = append(d.Kinds, int(a.kinds))
	set, isKnown := d.sets[a.labels]
	if !isKnown {
		set = len(d.Sets)
		d.sets[a.labels] = set
		labels := []int{}
		for l := range d.LabelNames {
			if a.labels>>l&1 != 0 {
				labels = append(labels, l)
			}
		}
		d.Sets = append(d.Sets, labels)
	}
	d.Labels = append(d.Labels, set)
	d.Domains = append(d.Domains, d.text(a.domain))
	for _, p := range a.places[:min(a.documents, maxPlaces)] {
		d.Places = append(d.Places, d.source(p.source), int(p.line), int(p.column))
	}
}

// text returns the index of a text.
func (d *data) text(s string) int {
	i, isKnown := d.texts[s]
	if !isKnown {
		i = len(d.Texts)
		d.texts[s] = i
		d.Texts = append(d.Texts, webpage.Shown(s))
	}
	return i
}

// source returns the index of a document.
func (d *data) source(s *source) int {
	if s.index == 0 {
		d.Files = append(d.Files, d.text(s.Name))
		d.Members = append(d.Members, d.text(s.Member))
		d.Pages = append(d.Pages, d.text(s.Document))
		d.Subjects = append(d.Subjects, d.text(s.Subject))
		d.From = append(d.From, d.text(s.From))
		d.IDs = append(d.IDs, d.text(s.ID))
		d.Lists = append(d.Lists, d.text(s.List))
		d.Folders = append(d.Folders, d.text(s.Folder))
		d.Days = append(d.Days, int(s.day))
		s.index = int32(len(d.Files))
	}
	return int(s.index) - 1
}
