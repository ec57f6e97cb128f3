package conf

import (
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"example.org/refract/extract/scan"
)

// A table is a TOML Map that later lines may extend.
type table struct {
	keys  map[string]int
	cells []cell
}

// A cell is an entry of a table: a value, a table, or a list of tables.
type cell struct {
	key    string
	at     scan.Span
	value  Value
	tables []*table
	isList bool
}

type tomlReader struct {
	parser unstable.Parser
	base   int
}

// readTOML parses src, which starts at offset base of a file. If the text is malformed, it returns
// the values before the error.
func readTOML(src []byte, base int) File {
	var notes []Note
	r := tomlReader{base: base}
	r.parser.Reset(src)
	root := &table{}
	current := root
	open := false
	for r.parser.NextExpression() {
		e := r.parser.Expression()
		at := root
		if e.Kind == unstable.KeyValue {
			at = current
		}
		at, last := r.descend(at, e.Key())
		if at == nil {
			notes = append(notes, Note{Offset: base, Text: "a key is too long, or is defined twice"})
			open = true
			if e.Kind != unstable.KeyValue {
				current = &table{} // ignore the entries that follow
			}
			continue
		}
		switch e.Kind {
		case unstable.KeyValue:
			at.cell(last).value = r.value(e.Value(), 0)
		case unstable.Table:
			current = at.cell(last).table()
		case unstable.ArrayTable:
			c := at.cell(last)
			c.isList = true
			c.tables = append(c.tables, &table{})
			current = c.table()
		}
	}
	if err := r.parser.Error(); err != nil {
		notes = append(notes, Note{Offset: base, Text: strings.Join(strings.Fields(err.Error()), " ")})
		open = true
	}
	v := root.value()
	v.Open = open
	if open && len(v.Entries) == 0 {
		v = Value{Kind: Unknown}
	}
	return File{Value: v, Notes: notes}
}

// A part is a single name in a dotted key.
type part struct {
	name string
	at   scan.Span
}

// descend returns the table of the last part of a key, or nil.
func (r *tomlReader) descend(t *table, key unstable.Iterator) (*table, part) {
	var last part
	for depth := 0; key.Next(); depth++ {
		if depth > maxDepth {
			return nil, last
		}
		if depth > 0 {
			c := t.cell(last)
			if c.value.Kind != Missing {
				return nil, last
			}
			t = c.table()
		}
		n := key.Node()
		last = part{name: string(n.Data), at: r.span(n)}
	}
	return t, last
}

// cell returns the cell of a key, and creates it if necessary.
func (t *table) cell(p part) *cell {
	if i, ok := t.keys[p.name]; ok {
		return &t.cells[i]
	}
	if t.keys == nil {
		t.keys = map[string]int{}
	}
	t.keys[p.name] = len(t.cells)
	t.cells = append(t.cells, cell{key: p.name, at: p.at})
	return &t.cells[len(t.cells)-1]
}

// table returns the table that lines for the key of c extend.
func (c *cell) table() *table {
	if len(c.tables) == 0 {
		c.tables = append(c.tables, &table{})
	}
	return c.tables[len(c.tables)-1]
}

func (t *table) value() Value {
	v := Value{Kind: Map}
	for _, c := range t.cells {
		if c.isList {
			c.value = Value{Kind: List}
			for _, t := range c.tables {
				c.value.Items = append(c.value.Items, t.value())
			}
		} else if len(c.tables) > 0 {
			c.value = c.tables[0].value()
		}
		v.Entries = append(v.Entries, Entry{Key: c.key, At: c.at, Value: c.value})
	}
	return v
}

// span returns the range of a key or value, without quotes; zero if unknown.
func (r *tomlReader) span(n *unstable.Node) scan.Span {
	if n.Raw.Length == 0 {
		return scan.Span{}
	}
	raw := r.parser.Raw(n.Raw)
	start, end := 0, len(raw)
	for _, quote := range []string{`"""`, `'''`, `"`, `'`} {
		if len(raw) >= 2*len(quote) && strings.HasPrefix(string(raw[:len(quote)]), quote) {
			start, end = len(quote), end-len(quote)
			break
		}
	}
	return scan.Span{Start: r.base + int(n.Raw.Offset) + start, End: r.base + int(n.Raw.Offset) + end}
}

func (r *tomlReader) value(n *unstable.Node, depth int) Value {
	v := Value{Kind: String, Text: string(n.Data), Span: r.span(n)}
	switch n.Kind {
	case unstable.Bool:
		v.Kind = Bool
	case unstable.Integer, unstable.Float:
		v.Kind = Number
	case unstable.Array:
		v = Value{Kind: List}
		for i := n.Children(); i.Next(); {
			if i.Node().Kind != unstable.Comment {
				v.Items = append(v.Items, r.value(i.Node(), depth+1))
			}
		}
	case unstable.InlineTable:
		t := &table{}
		for i := n.Children(); i.Next(); {
			if i.Node().Kind != unstable.KeyValue {
				continue
			}
			if at, last := r.descend(t, i.Node().Key()); at != nil {
				at.cell(last).value = r.value(i.Node().Value(), depth+1)
			}
		}
		return t.value()
	}
	return v
}
