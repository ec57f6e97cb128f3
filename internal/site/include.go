package site

import (
	"bytes"
	"context"
	"slices"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/each"
	"example.org/refract/internal/site/source"
)

// Add adds a file, unless it is outside of the repository.
func (p *Parts) Add(s *Site, file string) {
	if source.Below(file, s.Tree.Root) {
		p.Files = append(p.Files, file)
	}
}

// A Cut says which piece of a file an include shows. Lines are counted first; After and Before are looked
// for within them.
type Cut struct {
	From, To int    // lines, counted from 0; To is not shown itself, and 0 stands for the end of the file
	After    string // the piece begins after its first occurrence
	Before   string // the piece ends before its first occurrence
	Nothing  bool   // it is shown as code, which has no references
}

// A cutKey is a file and the page that shows a piece of it.
type cutKey struct{ file, page string }

// A Piece is a range of bytes of a file.
type Piece struct{ Start, End int }

// AddCut adds a file that is shown only in part.
func (p *Parts) AddCut(s *Site, file string, cut Cut) {
	p.Add(s, file)
	if p.Cuts == nil {
		p.Cuts = map[string][]Cut{}
	}
	if cuts := p.Cuts[file]; len(cuts) < maxCuts && !slices.Contains(cuts, Cut{}) {
		p.Cuts[file] = append(cuts, cut)
		return
	}
	p.Cuts[file] = []Cut{{}}
}

// addCuts records which pieces of a file a page shows. isFirst says that no include of the file was found
// before on the page.
func (s loader) addCuts(page, file string, cuts []Cut, isFirst bool) {
	key := cutKey{file, page}
	known, isCut := s.cuts[key]
	isWhole := len(cuts) == 0 || slices.Contains(cuts, Cut{}) || len(known)+len(cuts) > maxCuts
	switch {
	case isWhole && isCut:
		delete(s.cuts, key)
	case !isWhole && (isFirst || isCut):
		s.cuts[key] = append(known, cuts...)
	}
}

// maxCuts limits the pieces of a file that a page shows. Beyond it, the whole file counts as shown.
const maxCuts = 16

// pieces returns the pieces of a text that cuts select, or nil if one of them is not found.
func pieces(cuts []Cut, text []byte) []Piece {
	all := []Piece{}
	for _, c := range cuts {
		if c.Nothing {
			continue
		}
		p, ok := c.piece(text)
		if !ok {
			return nil
		}
		all = append(all, p)
	}
	return all
}

func (c Cut) piece(text []byte) (p Piece, ok bool) {
	p.End = len(text)
	if c.To > 0 {
		p.End = offsetOf(text, c.To)
	}
	if c.From > 0 {
		p.Start = min(offsetOf(text, c.From), p.End)
	}
	if c.After != "" {
		i := bytes.Index(text[p.Start:p.End], []byte(c.After))
		if i < 0 {
			return p, false
		}
		p.Start += i + len(c.After)
	}
	if c.Before != "" {
		i := bytes.Index(text[p.Start:p.End], []byte(c.Before))
		if i < 0 {
			return p, false
		}
		p.End = p.Start + i
	}
	return p, true
}

// offsetOf returns where a line of a text begins, counted from 0, or the length of the text.
func offsetOf(text []byte, line int) (at int) {
	for ; line > 0 && at < len(text); line-- {
		at = ascii.NextLine(text, at)
	}
	return at
}

// ShowsAt reports whether the page of a use shows the place of its file at an offset.
func (u *Use) ShowsAt(at int) bool {
	return u.Pieces == nil || slices.ContainsFunc(u.Pieces, func(p Piece) bool { return p.Start <= at && at < p.End })
}

// findIncludes finds which pages include which files.
func (s loader) findIncludes(all []*Page) {
	if s.includer == nil {
		return
	}
	type work struct {
		page  *Page
		file  string
		depth int
	}
	const maxIncludes = 8
	parts := s.ownParts(all) // by file
	left := maxIncluded
	for _, p := range all {
		if !p.Why.IsZero() || p.IsPart {
			continue
		}
		seen := map[string]bool{p.File: true}
		queue := []work{{p, p.File, 0}}
		for len(queue) > 0 {
			w := queue[0]
			queue = queue[1:]
			found, ok := parts[w.file]
			if !ok {
				found = s.partsOf(p, w.file)
				parts[w.file] = found
			}
			if found.IsOpen {
				s.SetOpen(p.File)
			}
			for _, file := range found.Files {
				if left--; left < 0 {
					return
				}
				s.addCuts(p.File, file, found.Cuts[file], !seen[file])
				if seen[file] || !s.Tree.IsFile(file) {
					continue
				}
				seen[file] = true
				if !found.Guessed[file] {
					s.IncludedBy[file] = append(s.IncludedBy[file], p)
				}
				s.Shows[p.File] = append(s.Shows[p.File], file)
				if w.depth < maxIncludes {
					queue = append(queue, work{p, file, w.depth + 1})
				}
			}
		}
	}
}

// partsOf returns what a file includes that is, or is a part of, a page.
func (s loader) partsOf(p *Page, file string) Parts {
	return s.includer.Parts(s.Site, p, file, s.Tree.Text(file, source.MaxPage))
}

// ownParts returns what the files of pages include, by file, if that does not depend on other pages.
func (s loader) ownParts(all []*Page) map[string]Parts {
	parts := map[string]Parts{}
	if s.PartsInOrder {
		return parts
	}
	type including struct {
		page  *Page
		parts Parts
	}
	var own []*including
	for _, p := range all {
		if p.Why.IsZero() && !p.IsPart {
			own = append(own, &including{page: p})
		}
	}
	each.Do(context.Background(), s.Tree.Jobs, own, func(i *including) { i.parts = s.partsOf(i.page, i.page.File) })
	for _, i := range own {
		parts[i.page.File] = i.parts
	}
	return parts
}

// maxIncluded is how many includes are followed for all pages of a site.
const maxIncluded = 2_000_000
