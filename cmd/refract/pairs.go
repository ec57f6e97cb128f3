package main

import (
	"bytes"
	"strconv"
	"strings"

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
	return []string{what}
}

// appendPair returns the key under which --count counts url by pairs, "source<TAB>target", in memory of
// b; nil if url has no host. The source is empty if the URL of the document is unknown, or without a
// host.
func (r *renderer) appendPair(b *block, ref *extract.Reference, url []byte) []byte {
	target := nameOf(url)
	if target == "" {
		return nil
	}
	document := ref.Document()
	if b.document != document || b.source == nil {
		b.document, b.source = document, ascii.AppendLine(b.source[:0], r.nameIn([]byte(document)))
		b.source = append(b.source, '\t')
	}
	if r.count == "domain-pair" {
		target = domainOf(target)
	}
	b.pair = ascii.AppendLine(append(b.pair[:0], b.source...), target)
	return b.pair
}

// nameIn returns the host or the domain of a document.
func (r *renderer) nameIn(document []byte) string {
	host := nameOf(document)
	if r.count == "domain-pair" && host != "" {
		return domainOf(host)
	}
	return host
}

// pairLine returns the --count line for a pair that occurred n times.
func (r *renderer) pairLine(key []byte, n uint64) []byte {
	source, target, _ := bytes.Cut(key, []byte("\t"))
	names := countColumns(r.count)
	switch r.format {
	case formatJSON:
		return jsontext.AppendLine(nil, map[string]any{"type": "count", names[0]: string(source), names[1]: string(target), "count": n})
	case formatCSV:
		line := append(strconv.AppendUint(nil, n, 10), r.cells.separator())
		line = append(appendCell(line, source, r.cells), r.cells.separator())
		return append(appendCell(line, target, r.cells), '\n')
	}
	line := append(strconv.AppendUint(nil, n, 10), '\t')
	if r.terminal {
		return append(appendVisible(append(appendVisible(line, source), '\t'), target), '\n')
	}
	return append(append(line, key...), r.terminator)
}
