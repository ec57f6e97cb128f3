package webjson

import (
	"testing"

	"example.org/refract/extract/scan"
)

// Spans stay in the archive, and each Enter has its Leave.
func FuzzHAR(f *testing.F) {
	f.Add([]byte(`{"log":{"creator":{},"entries":[{"request":{"url":"http://h/"},"response":{"status":301,"headers":[{"name":"Location","value":"\/x"}],"content":{"mimeType":"text/html","text":"<a\n>"}}}]}}`))
	f.Add([]byte(`{"log":{"entries":[{"request":{"url":"http://h/"},"response":{"headers":[{"name":"Link","value":"<x>"}],"content":{"encoding":"base64","text":"PGE+"`))
	f.Fuzz(func(t *testing.T, src []byte) {
		depth := 0
		for it := range new(HAR).Scan(src) {
			if it.Span.Start < 0 || it.Span.End < it.Span.Start || it.Span.End > len(src) {
				t.Fatalf("span %v of %d bytes", it.Span, len(src))
			}
			switch it.Op {
			case scan.Enter:
				depth++
			case scan.Leave:
				depth--
			}
		}
		if depth != 0 {
			t.Fatalf("%d entities are not left", depth)
		}
	})
}
