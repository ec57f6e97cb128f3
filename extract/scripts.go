package extract

import (
	"slices"

	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/script"
)

// scanCode returns the Scan of JavaScript, or of JSON.
func scanCode(isJSON bool) scanFunc {
	return pooled(func(s *script.Scanner, c *Config, _ Context) { s.JSON, s.Text.Finder.Rules = isJSON, c.Text })
}

const scriptType = "text/javascript"

// codeFormats are the formats that Config.Scripts puts in place of running text.
var codeFormats = []Format{
	{Types: []string{scriptType, "application/javascript", "application/x-javascript", "text/ecmascript", "application/ecmascript"},
		Suffixes: []string{".js", ".mjs", ".cjs"}, UTF8Queries: true, Scan: scanCode(false)},
	{Types: []string{"application/json", "text/json"}, Suffixes: []string{".json", ".map", ".webmanifest", ".geojson", ".jsonld"}, UTF8Queries: true, Scan: scanCode(true)},
}

// codeOfType returns the Format of a media type with Config.Scripts; nil if it is neither JavaScript nor JSON.
func codeOfType(mediaType string) *Format {
	switch {
	case mediatype.IsScript(mediaType):
		return &codeFormats[0]
	case mediatype.IsJSON(mediaType):
		return &codeFormats[1]
	}
	return nil
}

// codeOfName is codeOfType for the name of a file.
func codeOfName(name string) *Format {
	ext := suffix(name)
	for i := range codeFormats {
		if slices.Contains(codeFormats[i].Suffixes, ext) {
			return &codeFormats[i]
		}
	}
	return nil
}
