package output

import (
	"unsafe"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
)

// sharedCells keeps the cells that lines about references have in common. It remembers the row before, and
// the text of each group of columns that references share.
type sharedCells struct {
	// What the texts depend on.
	name, member        string
	entity              *extract.Entity
	mediaType, document string
	charset             string
	message             *scan.Message
	base                cellBase
	constructs          [constructs]construct

	last  int             // the last turn
	turns [ofBase + 1]int // by scope: the turn at which the values became those of the current row
	index [ofBase + 1]int // by scope: of the current texts, in group.texts
	plans []plan
	plan  *plan // of the row before
}

// A plan lists the groups of columns of rows with the same scopes.
type plan struct {
	has    uint
	groups []group
}

// A group is a sequence of columns of one scope.
type group struct {
	scope   scope
	columns []column
	texts   []sharedText // nil: references do not share the values
}

// A sharedText is the text of a group of columns.
type sharedText struct {
	turn int // sharedCells.turns when it was written; 0: not yet
	text []byte
	cut  []string // names of the fields that are cut in it
}

// A construct is what fields of the scope ofConstruct depend on.
type construct struct {
	exact, abbreviated bool
	kind               scan.Kind
	how                scan.How
	in                 string
	turn               int
}

const (
	// constructs is how many constructs are kept: references in HTML alternate between some.
	constructs = 16

	// maxPlans limits the number of plans that are kept.
	maxPlans = 64
)

// A cellBase is what fields of the scope ofBase depend on.
type cellBase struct {
	is        bool // the reference uses the base
	layer     base.Layer
	uri, from string
}

// append appends the columns of l that are in one of the scopes in has.
func (c *sharedCells) append(dst []byte, r *row, l layout, has uint) []byte {
	c.update(r)
	if c.plan == nil || c.plan.has != has {
		c.plan = c.planFor(l, has)
	}
	groups := c.plan.groups
	for i := range groups {
		g := &groups[i]
		if g.texts == nil {
			if g.scope != withCuts || len(r.cut) > 0 || r.isTable {
				dst = r.appendColumns(dst, g.columns)
			}
			continue
		}
		t := &g.texts[c.index[g.scope]]
		if t.turn == c.turns[g.scope] {
			if len(t.text) > 0 {
				dst = append(dst, t.text...)
			}
			if len(t.cut) > 0 {
				r.cut = append(r.cut, t.cut...)
			}
			continue
		}
		from, cut := len(dst), len(r.cut)
		dst = r.appendColumns(dst, g.columns)
		t.turn, t.text, t.cut = c.turns[g.scope], append(t.text[:0], dst[from:]...), append(t.cut[:0], r.cut[cut:]...)
	}
	return dst
}

// planFor returns the plan for rows with the scopes in has.
func (c *sharedCells) planFor(l layout, has uint) *plan {
	for i := range c.plans {
		if c.plans[i].has == has {
			return &c.plans[i]
		}
	}
	if len(c.plans) == maxPlans {
		c.plans = nil
	}
	p := plan{has: has}
	for i := range l {
		s := l[i].Scope
		if has>>s&1 == 0 {
			continue
		}
		if n := len(p.groups); n == 0 || p.groups[n-1].scope != s {
			g := group{scope: s}
			switch {
			case s == ofConstruct:
				g.texts = make([]sharedText, constructs)
			case s.isShared():
				g.texts = make([]sharedText, 1)
			}
			p.groups = append(p.groups, g)
		}
		g := &p.groups[len(p.groups)-1]
		g.columns = append(g.columns, l[i])
	}
	c.plans = append(c.plans, p)
	return &c.plans[len(c.plans)-1]
}

// update notes which values differ from those of the row before.
func (c *sharedCells) update(r *row) {
	ref := r.ref
	if c.last == 0 || !isSame(c.name, r.name) || !isSame(c.member, r.member) {
		c.name, c.member = r.name, r.member
		c.last++
		c.turns[ofInput], c.turns[ofEntity], c.turns[OfRecord], c.turns[ofMessage] = c.last, c.last, c.last, c.last
		if c.turns[ofBase] == 0 {
			c.turns[ofBase] = c.last
		}
	}
	e, document := ref.Entity, ref.Document()
	if c.entity != e || !isSame(c.mediaType, e.Type) || !isSame(c.document, document) || !isSame(c.charset, e.Charset) {
		c.entity, c.mediaType, c.document, c.charset = e, e.Type, document, e.Charset
		c.last++
		c.turns[ofEntity], c.turns[OfRecord] = c.last, c.last
	}
	if c.message != r.message {
		c.message = r.message
		c.last++
		c.turns[ofMessage] = c.last
	}
	b := &ref.Base
	if is := r.hasBase(); is != c.base.is || is && (b.Layer != c.base.layer || !isSame(b.URI, c.base.uri) || !isSame(b.From, c.base.from)) {
		c.base = cellBase{is, b.Layer, b.URI, b.From}
		c.last++
		c.turns[ofBase] = c.last
	}
	i := (int(ref.Kind) + int(ref.How)*4 + len(ref.In)) % constructs
	t := &c.constructs[i]
	if t.turn == 0 || t.exact != r.pos.Exact || t.kind != ref.Kind || t.how != ref.How || t.abbreviated != (ref.Meant != "") || t.in != ref.In {
		c.last++
		*t = construct{r.pos.Exact, ref.Meant != "", ref.Kind, ref.How, ref.In, c.last}
	}
	c.index[ofConstruct], c.turns[ofConstruct] = i, t.turn
}

// isSame reports whether a and b are one text. Copies of a text are different: then cells are written
// again, which takes less time than to compare the texts for each row.
func isSame(a, b string) bool {
	return len(a) == len(b) && unsafe.StringData(a) == unsafe.StringData(b)
}
