package sqlite

import (
	"slices"
	"strconv"
	"strings"
)

// A table is one of the tables of a database.
type table struct {
	name    string
	root    uint32
	columns []string // in the order in which they are stored
	blobs   []int    // by column, how many values are not read
	rows    int64    // of a table without row ids: how many have been read
}

// maxName is the number of bytes of a name that is kept.
const maxName = 100

// column returns the name of a column.
func (t *table) column(i int) string {
	if i < len(t.columns) {
		return t.columns[i]
	}
	return strconv.Itoa(i + 1)
}

func (t *table) countBlob(i int) {
	const maxColumns = 2000 // SQLITE_MAX_COLUMN
	if i >= maxColumns {
		i = maxColumns
	}
	for len(t.blobs) <= i {
		t.blobs = append(t.blobs, 0)
	}
	t.blobs[i]++
}

// tableOf returns the table that a row of sqlite_schema describes (2.6); nil if it describes something
// else, or a table without pages of its own.
func (r *reader) tableOf(record []value) *table {
	if len(record) < 5 || r.plain(record[0].data) != "table" {
		return nil
	}
	root := record[3].number
	if root <= 1 || root > 1<<32-2 {
		return nil
	}
	name := r.plain(record[1].data)
	return &table{name: name[:min(len(name), maxName)], root: uint32(root), columns: columnsOf(r.plain(record[4].data))}
}

// plain returns the ASCII of a text of sqlite_schema; names in other scripts lose their letters in UTF-16.
func (r *reader) plain(text []byte) string {
	if r.charset == "" {
		return string(text)
	}
	return strings.ReplaceAll(string(text), "\x00", "")
}

// columnsOf returns the names of the columns that CREATE TABLE defines, in the order in which they are
// stored; nil if that is not certain.
func columnsOf(sql string) (names []string) {
	_, body, ok := strings.Cut(sql, "(")
	if !ok {
		return nil
	}
	items, rest := split(body)
	var key []string
	for _, item := range items {
		tokens := tokensOf(item)
		if len(tokens) == 0 {
			return nil
		}
		switch strings.ToUpper(tokens[0]) {
		case "CONSTRAINT", "UNIQUE", "CHECK", "FOREIGN":
			if i := indexOf(tokens, "PRIMARY"); i >= 0 {
				key = keyOf(item)
			}
			continue
		case "PRIMARY":
			key = keyOf(item)
			continue
		}
		if indexOf(tokens, "AS") > 0 && indexOf(tokens, "STORED") < 0 {
			continue // a virtual column is not stored
		}
		name := unquoted(tokens[0])
		if i := indexOf(tokens, "PRIMARY"); i > 0 {
			key = []string{name}
		}
		names = append(names, name)
	}
	if indexOf(tokensOf(rest), "WITHOUT") < 0 {
		return names
	}
	// 2.4: the columns of the primary key come first.
	rows := slices.Clone(key)
	for _, n := range names {
		if !slices.ContainsFunc(key, func(k string) bool { return strings.EqualFold(k, n) }) {
			rows = append(rows, n)
		}
	}
	if len(rows) != len(names) {
		return nil
	}
	return rows
}

// keyOf returns the columns of PRIMARY KEY (a, b).
func keyOf(item string) (names []string) {
	_, list, _ := strings.Cut(item, "(")
	items, _ := split(list)
	for _, k := range items {
		if tokens := tokensOf(k); len(tokens) > 0 {
			names = append(names, unquoted(tokens[0]))
		}
	}
	return names
}

// indexOf returns the index of a keyword, or -1.
func indexOf(tokens []string, word string) int {
	return slices.IndexFunc(tokens, func(t string) bool { return strings.EqualFold(t, word) })
}

// split cuts a list at its commas, up to the parenthesis that ends it, and returns what follows. It knows
// quotes and comments.
func split(list string) (items []string, rest string) {
	from, depth := 0, 0
	for i := 0; i < len(list); {
		n := tokenLength(list[i:])
		switch c := list[i]; {
		case c == '(':
			depth++
		case c == ')' && depth == 0:
			return append(items, list[from:i]), list[i+1:]
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			items = append(items, list[from:i])
			from = i + 1
		}
		i += n
	}
	return append(items, list[from:]), ""
}

// tokensOf returns the words and quoted names of SQL outside of parentheses.
func tokensOf(sql string) (tokens []string) {
	depth := 0
	for i := 0; i < len(sql); {
		n := tokenLength(sql[i:])
		token := sql[i : i+n]
		switch c := sql[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0 && (isWord(c) || strings.IndexByte("\"`['", c) >= 0):
			tokens = append(tokens, token)
		}
		i += n
	}
	return tokens
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// tokenLength returns the length of the token at the beginning of sql, which is not empty.
func tokenLength(sql string) int {
	end := func(at int, mark string) int {
		i := strings.Index(sql[at:], mark)
		if i < 0 {
			return len(sql)
		}
		return at + i + len(mark)
	}
	switch c := sql[0]; {
	case c == '[':
		return end(1, "]")
	case c == '"' || c == '`' || c == '\'':
		return end(1, sql[:1])
	case strings.HasPrefix(sql, "--"):
		return end(2, "\n")
	case strings.HasPrefix(sql, "/*"):
		return end(2, "*/")
	case !isWord(c):
		return 1
	}
	n := 1
	for n < len(sql) && isWord(sql[n]) {
		n++
	}
	return n
}

// unquoted returns a name without its quotes.
func unquoted(name string) string {
	if len(name) > 1 && !isWord(name[0]) {
		name = name[1 : len(name)-1]
	}
	return name[:min(len(name), maxName)]
}
