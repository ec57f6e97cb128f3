package extract

import (
	"bytes"
	"path"
	"strings"

	"example.org/refract/extract/internal/undo"
	"example.org/refract/internal/decode"
)

// Undo is a set of notations in running text to decode before searching for references. They are decoded in
// this order.
type Undo uint16

const (
	UndoQP       Undo = 1 << iota // quoted-printable that no header declares (RFC 2045 section 6.7)
	UndoANSI                      // colours and other control sequences of a terminal (ECMA-48 section 5.4)
	UndoJSON                      // escapes of JSON strings (RFC 8259 section 7)
	UndoEntities                  // character references of HTML that end with a semicolon
	UndoDefang                    // hxxp, [.] and the like, which keep a URL from being clicked
	UndoRoff                      // \-, \: and other escapes of manual pages
	UndoLaTeX                     // \_, \%, \~{} and the like
	UndoCSV                       // commas between fields, and quotes around them (RFC 4180)
	UndoGettext                   // escapes of PO files, and strings that continue on the next line

	// UndoNone turns off the decoding that is on by default: of JSON, by name, media type or first bytes; of
	// CSV and PO in files with such names; of escapes in strings of source code, YAML and TOML; and of LaTeX in
	// classes and bibliographies, recognised by name and first bytes.
	UndoNone

	// UndoAuto decodes quoted-printable in parts of messages without such a header, if the whole part is
	// encoded.
	UndoAuto
)

// UndoNames returns the names of the members of Undo, in order.
func UndoNames() []string {
	return []string{"qp", "ansi", "json", "entities", "defang", "roff", "latex", "csv", "gettext", "none", "auto"}
}

var undoSteps = [...]func() decode.Step{
	undo.QP,
	func() decode.Step { return undo.ANSI },
	undo.JSON,
	func() decode.Step { return undo.Entities },
	func() decode.Step { return undo.Defang },
	func() decode.Step { return undo.Roff },
	func() decode.Step { return undo.LaTeX },
	undo.CSV,
	func() decode.Step { return undo.Gettext },
}

// undoByName returns the notations of a text with this name that begins with head: JSON, CSV and PO by the
// name alone, LaTeX by both.
func undoByName(name string, head []byte) Undo {
	ext := path.Ext(unpackedName(name))
	switch ext {
	case ".json", ".ndjson", ".jsonl", ".jsonld", ".geojson", ".geojsonl", ".topojson", ".har", ".webmanifest":
		return UndoJSON // .json5 and .jsonc have comments: see undo.Language
	case ".map": // of a source map, not of a linker
		if bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{")) {
			return UndoJSON
		}
	case ".csv":
		return UndoCSV
	case ".po", ".pot":
		return UndoGettext
	case ".cls", ".dtx", ".bib":
		if bytes.ContainsAny(head, `\%@`) {
			return UndoLaTeX
		}
		return 0
	}
	return 0
}

// unpackedName returns the name of a file in lower case, without its directories and the suffix of its compression.
func unpackedName(name string) string {
	name = strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	for _, packed := range []string{".gz", ".xz", ".bz2", ".zst", ".lz4"} {
		name = strings.TrimSuffix(name, packed)
	}
	return name
}

// pushUndo pushes the decoders of notations to s.
func pushUndo(s *decode.Stream, notations Undo) {
	s.Undo = len(s.Layers)
	for i, step := range undoSteps {
		if notations>>i&1 != 0 {
			s.Push(step(), false)
		}
	}
}
