// Package jsonstring decodes strings of JSON whose place in a document is known. Packages cdx and warc
// share it.
package jsonstring

import (
	"bytes"
	"encoding/json"

	"example.org/refract/extract/scan"
)

// Value returns the value of a string. src[s.Start:s.End] is the text between its quotation marks, and
// the value shares its memory if it has no escapes. The value of a string that is not valid is its text.
func Value(src []byte, s scan.Span) []byte {
	raw := src[s.Start:s.End]
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw
	}
	var value string
	if json.Unmarshal(src[s.Start-1:s.End+1], &value) != nil {
		return raw
	}
	return []byte(value)
}
