package output

import (
	"bytes"
	"strconv"
	"strings"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/filter"
	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/extract"
	"example.org/refract/internal/ascii"
)

// isPair reports whether a value of --count counts by the document, too.
func isPair(what string) bool { return strings.HasSuffix(what, "-pair") }

// countColumns returns the names of the columns of --count besides the number.
func countColumns(what string) []string {
	if of, ok := strings.CutSuffix(what, "-pair"); ok {
		return []string{"source_" + of, "target_" + of}
	}
	return strings.Split(what, ",")
}

// appendPair returns the key under which --count counts url by pairs, "source<TAB>target", in memory of
// b; nil if url has no host. The source is empty if the URL of the document is unknown, or without a
// host.
func (r *Renderer) appendPair(b *Block, ref *extract.Reference, url []byte) []byte {
	target := r.nameIn(url)
	if target == "" {
		return nil
	}
	document := ref.Document()
	if b.document != document || b.source == nil {
		b.document, b.source = document, ascii.AppendLine(b.source[:0], r.nameIn([]byte(document)))
		b.source = append(b.source, '\t')
	}
	b.pair = ascii.AppendLine(append(b.pair[:0], b.source...), target)
	return b.pair
}

// nameIn returns the host or the domain of a URL.
func (r *Renderer) nameIn(url []byte) string {
	if r.Count == "domain-pair" {
		return filter.DomainOfURL(url)
	}
	return filter.NameOf(url)
}

// CountLine returns the --count line for a record that occurred n times, until the next call.
func (r *Renderer) CountLine(rec []byte, n uint64) []byte {
	if r.Format == Text && !r.Terminal { // there may be millions, whose columns are as in the record
		r.countLine = append(strconv.AppendUint(r.countLine[:0], n, 10), '\t')
		r.countLine = append(append(r.countLine, rec[:len(rec)-1]...), r.Terminator)
		return r.countLine
	}
	names := countColumns(r.Count)
	return r.Format.count(r, names, bytes.SplitN(rec[:len(rec)-1], []byte("\t"), len(names)), n)
}

// countObject is count for JSON.
func (r *Renderer) countObject(names []string, keys [][]byte, n uint64) []byte {
	line := map[string]any{"type": "count", "count": n}
	for i, name := range names {
		line[name] = string(keys[i])
	}
	return jsontext.AppendLine(nil, line)
}

// countRow is count for CSV.
func (r *Renderer) countRow(_ []string, keys [][]byte, n uint64) []byte {
	line := strconv.AppendUint(nil, n, 10)
	for _, key := range keys {
		line = appendCell(append(line, r.Cells.separator()), key, r.Cells)
	}
	return r.Cells.endLine(line)
}

// countText is count for text on a terminal.
func (r *Renderer) countText(_ []string, keys [][]byte, n uint64) []byte {
	line := strconv.AppendUint(nil, n, 10)
	for _, key := range keys {
		line = cli.AppendVisible(append(line, '\t'), key)
	}
	return append(line, '\n')
}
