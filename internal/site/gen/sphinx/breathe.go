package sphinx

import (
	"bytes"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

// Breathe shows what Doxygen has read in programs. It makes labels of the ids of Doxygen, and those that
// reStructuredText in comments of the programs defines. Compared with Breathe 5.1.0 and Sphinx 8.2.3: an id
// with a capital letter is no label.

var (
	// doxygenPart matches what is in an id of a file, or of a part of anything.
	doxygenPart = lazy.New(`_8[a-z]|_1`)
	// doxygenClass matches an id of a class and the like, with its name.
	doxygenClass = lazy.New(`^(?:class|struct|union|namespace|interface|concept|protocol|category|exception)([a-z0-9_]+)$`)
)

// isDoxygenID reports whether a label may be an id of Doxygen. An underscore in the id of a class may stand
// for a capital letter or another character, so the name of the class is not known.
func isDoxygenID(g *model, s *site.Site, label string) bool {
	if !g.hasBreathe {
		return false
	}
	if strings.HasPrefix(label, "group__") || strings.HasPrefix(label, "dir_") || doxygenPart.MatchString(label) {
		return true
	}
	m := doxygenClass.FindStringSubmatch(label)
	return m != nil && (strings.Contains(m[1], "_") || !g.readPrograms(s).lacksWord(m[1]))
}

// showsDoxygenPages reports whether a document has a directive that shows pages of Doxygen, whose ids are any names.
func showsDoxygenPages(text []byte) bool {
	return bytes.Contains(text, []byte("doxygenpage")) || bytes.Contains(text, []byte("doxygenindex"))
}
