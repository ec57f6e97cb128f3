package cdx

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// Indexes have the captures that they had, whichever reader reads them.
func TestPinned(t *testing.T) {
	tokens := scantest.Grammar{Tokens: `\s - 2014 http://h/ { } [ ] " , : \\ \\u0041 \t "url" "status" "mime":"warc/revisit" CDX N b a m s k`}
	mixture := func(string) scantest.Mixture { return scantest.Mixture{Grammar: tokens, Count: 900} }
	scantest.Pinned(t, mixture, func(_ string, _ int, doc []byte) string {
		var b strings.Builder
		fmt.Fprintln(&b, Is(doc), IsIndex(doc), IsTable(doc), rowEnd(doc))
		layout := LayoutOf(doc)
		fmt.Fprintf(&b, "%+v\n", layout)
		for it := range layout.Scan(doc) {
			fmt.Fprintf(&b, "%v %v %s %q %s %v\n", uint8(it.Op), it.Span, it.In, it.Value, it.Text, it.Labels.Names())
		}
		var lines Layout
		var table Table
		for line := range bytes.Lines(doc) {
			line = bytes.TrimRight(line, "\r\n")
			c, ok, isBroken := lines.Next(line)
			fmt.Fprintf(&b, "%q %q %q %d %v %v %v %v\n", c.URL, c.Key, c.Date, c.Status, c.IsRevisit, ok, isBroken, c.IsError())
			c, ok, isBroken = table.Next(line)
			fmt.Fprintf(&b, "%q %q %q %d %v %v %v\n", c.URL, c.Key, c.Date, c.Status, c.IsRevisit, ok, isBroken)
		}
		return b.String()
	})
}
