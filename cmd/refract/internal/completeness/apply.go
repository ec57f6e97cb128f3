package completeness

import (
	"bytes"
	"errors"
	"slices"
)

// A sheet is a style sheet in the archives.
type sheet struct {
	rules   []rowWhen // those whose condition no page has met
	imports []use
	isUsed  bool // by a page, even if it does not apply
}

// A rowWhen is a conditionRow, by its number among the rows of style sheets.
type rowWhen struct {
	number int
	when   condition
}

// A use is that of a style sheet by a page or by another style sheet.
type use struct {
	key     key
	applies bool
	number  int // of its row in a style sheet
}

// An applier finds the rows of style sheets that no page needs.
type applier struct {
	*job
	sheets map[key]*sheet
	sheet  *sheet // whose rows are read; nil: of a page
	number int    // of rows of style sheets
	size   int64  // of sheets
	work   int64

	revisits map[key]bool // of style sheets
	isPart   bool         // pages may be elsewhere

	uses    []use  // of the page
	names   []byte // in the page
	isKnown bool   // names are
	seen    map[use]bool
}

// errUndecided says that style sheets do not fit into the memory, that their conditions take more time than the rest, or that the content of one is
// that of another URL.
var errUndecided = errors.New("conditions of style sheets are not decided")

// findUnused returns the numbers of the rows of style sheets that no page needs. So that no missing resource is lost, there is none after
// errUndecided, and none in style sheets that no page uses if pages may be elsewhere.
func (j *job) findUnused() (map[int]bool, error) {
	a := &applier{job: j, sheets: map[key]*sheet{}, seen: map[use]bool{}, revisits: map[key]bool{}, isPart: len(j.Archived) > 0}
	err := j.eachRow(a.collect)
	if err == nil && a.number > 0 {
		err = j.eachRow(a.apply)
	}
	if err == nil {
		err = a.endPage()
	}
	if err == errUndecided {
		return nil, nil
	}
	unused := map[int]bool{}
	for _, s := range a.sheets {
		if !s.isUsed && a.isPart {
			continue
		}
		for _, rule := range s.rules {
			unused[rule.number] = true
		}
		for _, u := range s.imports {
			if !s.isUsed {
				unused[u.number] = true
			}
		}
	}
	return unused, err
}

// collect takes a row of the first pass: it keeps style sheets.
func (a *applier) collect(kind byte, r *rowReader) error {
	switch kind {
	case pageRow:
		r.number()
		k := a.keys.of(r.bytes())
		a.sheet = nil
		if string(r.bytes()) == "text/css" {
			a.sheet = a.sheets[k]
			if a.sheet == nil {
				a.sheet = new(sheet)
				a.sheets[k] = a.sheet
				a.size += 128
			}
		}
	case importRow:
		a.sheet.imports = append(a.sheet.imports, use{r.key(), true, a.number})
		r.bytes()
		r.bytes()
		r.bytes()
		a.size += 64
		a.number++
	case conditionRow:
		r.key()
		r.bytes()
		r.bytes()
		r.bytes()
		when := bytes.Clone(r.bytes())
		a.sheet.rules = append(a.sheet.rules, rowWhen{a.number, when})
		a.size += int64(len(when)) + 64
		a.number++
	case revisitRow:
		k := r.key()
		if string(r.bytes()) == "text/css" {
			a.revisits[k] = true
			a.size += 16
		} else {
			a.isPart = true
		}
	default:
		r.skip(kind)
	}
	if a.size > a.Memory/4 {
		return errUndecided
	}
	return nil
}

// apply takes a row of the second pass.
func (a *applier) apply(kind byte, r *rowReader) (err error) {
	switch kind {
	case pageRow:
		err = a.endPage()
		r.skip(kind)
	case appliesRow, idleRow:
		a.uses = append(a.uses, use{key: r.key(), applies: kind == appliesRow})
	case namesRow:
		a.names, a.isKnown = append(a.names[:0], r.bytes()...), true
	default:
		r.skip(kind)
	}
	return err
}

// endPage looks at the conditions of the style sheets of a page that ends.
func (a *applier) endPage() error {
	var page names
	for clear(a.seen); len(a.uses) > 0; {
		u := a.uses[len(a.uses)-1]
		a.uses = a.uses[:len(a.uses)-1]
		a.work += 64
		s, err := a.sheetOf(u.key)
		if err != nil {
			return err
		}
		if s == nil || a.seen[u] {
			continue
		}
		a.seen[u], s.isUsed = true, true
		for _, imported := range s.imports {
			a.uses = append(a.uses, use{key: imported.key, applies: u.applies})
			a.work += 64
		}
		if !u.applies || len(s.rules) == 0 {
			continue
		}
		if page == nil && a.isKnown {
			page = namesOf(a.names)
		}
		s.rules = slices.DeleteFunc(s.rules, func(rule rowWhen) bool {
			a.work += int64(len(rule.when)) + 64
			return page.meet(rule.when)
		})
	}
	a.isKnown = false
	if a.work > 64*a.spooled+1<<20 {
		return errUndecided
	}
	return nil
}

// sheetOf returns the style sheet at k, or to which k redirects; nil: there is none.
func (a *applier) sheetOf(k key) (*sheet, error) {
	if s := a.sheets[k]; s != nil {
		return s, nil
	}
	o, err := a.follow(k)
	s := a.sheets[o.key]
	if err == nil && s == nil && a.revisits[o.key] {
		err = errUndecided
	}
	return s, err
}
