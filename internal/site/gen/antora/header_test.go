package antora

import (
	"regexp"
	"testing"
)

var attribute = regexp.MustCompile(`(?m)^:a: b`)

// Antora 3.1.15 takes the attribute "a" of these documents as one of the page, or not.
func TestHeader(t *testing.T) {
	for text, want := range map[string]bool{
		"= T\n:a: b\n\ntext\n":          true,
		"= T\n:d: e\n\n:a: b\n\ntext\n": false,
		":a: b\n\n= T\n\ntext\n":        true,
		":d: e\n\n:a: b\n\ntext\n":      true,
		":d: e \\\n\n:a: b\n\ntext\n":   true,
		"text\n\n:a: b\n":               false,
		"////\n:z: b\n\n////\n// c\n\n= T\n// c\n////\n\n////\n:a: b\n": true,
		"////\n:a: b\n////\n\n= T\n:z: b\n":                             false,
		"\ufeff= T\n:a: b\n\ntext\n":                                    true,
		"= T\n:d: e\n  \n:a: b\n\ntext\n":                               false,
		"= T\nMe <m@e.x>\nv1.0, 2020\n:a: b\n\ntext\n":                  true,
		"[role=x]\n= T\n:a: b\n\ntext\n":                                true,
		"= T\r\nifndef::foo[]\r\n:a: b\r\nendif::[]\r\n\r\ntext\r\n":    true,
		"# T\n:a: b\n\ntext\n":                                          true,
		"== S\n:a: b\n\ntext\n":                                         false,
		".Title\n:a: b\n\ntext\n":                                       true,
		"T\n=\n:a: b\n\ntext\n":                                         true,
	} {
		if got := attribute.Match(header([]byte(text))); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
