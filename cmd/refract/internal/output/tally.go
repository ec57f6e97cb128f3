package output

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.org/refract/cmd/refract/internal/filter"
	"example.org/refract/extract"
	"example.org/refract/internal/ascii"
)

// SimpleCounts are the values of --count that stand alone.
var SimpleCounts = []string{"url", "host", "domain", "host-pair", "domain-pair"}

// countedFields are what --count takes besides fields, with what a reference has of it.
var countedFields = map[string]func(r *row) string{
	"host":   func(r *row) string { return filter.NameOf(r.url) },
	"domain": func(r *row) string { return filter.DomainOfURL(r.url) },
	"year":   func(r *row) string { return dateText(r.ref, "2006") },
	"month":  func(r *row) string { return dateText(r.ref, "2006-01") },
	"sender": func(r *row) string { return senderOf(r.ref) },
	"list":   func(r *row) string { return listOf(r.name, r.ref) },
}

// Countable returns the names that --count takes in a list.
func Countable() []string {
	names := []string{"month", "year", "domain", "host", "sender", "list"}
	for _, name := range Selectable() {
		if countedFields[name] == nil && name != "canonical" {
			names = append(names, name)
		}
	}
	return names
}

// CountsMessages reports whether --count NAME needs the fields of messages.
func CountsMessages(name string) bool {
	return slices.Contains([]string{"year", "month", "sender", "list"}, name) || countedFields[name] == nil && Fields[FieldIndex(name)].Scope == ofMessage
}

// dateText returns the date of ref in a layout, in UTC; "" if it has none.
func dateText(ref *extract.Reference, layout string) string {
	if t := ref.Date(); !t.IsZero() {
		return t.UTC().Format(layout)
	}
	return ""
}

// senderOf returns the address, else the name, of the sender of the message that contains ref.
func senderOf(ref *extract.Reference) string {
	if m := ref.Message(); m != nil {
		return cmp.Or(strings.ToLower(m.From), m.FromName)
	}
	return ""
}

// listOf returns the mailing list or newsgroup of the message that contains ref, in an input called name:
// its List-Id, its first newsgroup, else the name of the archive. It is "" outside of messages.
func listOf(name string, ref *extract.Reference) string {
	m := ref.Message()
	if m == nil {
		return ""
	}
	group, _, _ := strings.Cut(m.Newsgroups, ",")
	return cmp.Or(m.ListID, group, archiveName(name))
}

// archiveName returns the name of an archive of mail: that of the file without its suffixes, or of the
// directory if the file has the name of a month, a number, or that of a message in a Maildir.
func archiveName(name string) string {
	name = strings.ReplaceAll(name, "\\", "/")
	dir := path.Dir(name)
	if base := path.Base(dir); base == "cur" || base == "new" {
		return path.Base(path.Dir(dir))
	}
	for {
		base := path.Base(name)
		stem := base
		for ext := path.Ext(stem); slices.Contains([]string{".gz", ".bz2", ".xz", ".zst", ".txt", ".mbox", ".mbx", ".html", ".eml"}, ext); ext = path.Ext(stem) {
			stem = strings.TrimSuffix(stem, ext)
		}
		if !isPeriod(stem) || dir == "." || dir == "/" {
			return stem
		}
		name, dir = dir, path.Dir(dir)
	}
}

// isPeriod reports whether name is that of a year, a month, a day or a week, or a number: "2005-March", "200503".
func isPeriod(name string) bool {
	hasNumber := false
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' || r == '.' || r == ' ' }) {
		_, err := strconv.Atoi(word)
		_, notFull := time.Parse("January", word)
		_, notShort := time.Parse("Jan", word)
		switch {
		case err == nil:
			hasNumber = true
		case notFull != nil && notShort != nil && !slices.Contains([]string{"Week", "q1", "q2", "q3", "q4"}, word):
			return false
		}
	}
	return hasNumber
}

// setCounters prepares --count of a list of fields.
func (r *Renderer) setCounters() {
	if r.Count == "" || slices.Contains(SimpleCounts, r.Count) {
		return
	}
	r.cells = new(Renderer)
	*r.cells = *r
	r.cells.Cells = tabs
	for _, name := range strings.Split(r.Count, ",") {
		if countedFields[name] == nil {
			r.counted = append(r.counted, LayoutOf(FieldsNamed(name))[0])
			continue
		}
		c := column{}
		c.name = name
		r.counted = append(r.counted, c)
	}
}

// tallyFields appends a record with the values by which ref is counted, separated by tabs.
func (r *Renderer) tallyFields(b *Block, name string, ref *extract.Reference, url, canonical []byte) {
	line := r.cells.row(&b.row, "reference", name, ref, url, canonical)
	line.isTable = true
	_, line.member = b.MemberOf(name, ref.Entity)
	key := b.pair[:0]
	for i := range r.counted {
		c := &r.counted[i]
		if i > 0 {
			key = append(key, '\t')
		}
		line.column = c
		switch get := countedFields[c.name]; {
		case get != nil:
			key = ascii.AppendLine(key, get(line)) // "" for the host of mailto
		case c.name == "url" && canonical != nil:
			key = ascii.AppendLine(key, canonical)
		case c.number != nil:
			if n := c.number(line); n != none {
				key = strconv.AppendInt(key, n, 10)
			}
		default:
			key = c.append(line, key)
		}
	}
	b.pair = key
	b.Out = append(append(b.Out, key...), '\n')
	b.Keys = append(b.Keys, key...)
	b.endRecord()
}
