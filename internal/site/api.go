package site

import (
	"slices"
	"strings"

	"example.org/refract/internal/reason"
)

// apiDirectories are the names of directories into which builds put the pages that programs make from comments of code.
var apiDirectories = strings.Fields("javadoc javadocs javadoc-api apidocs apidoc testapidocs scaladoc kdoc kdoc-api dokka groovydoc doxygen rustdoc godoc jsdoc typedoc")

// APIDirectory returns the part of a path up to such a directory, or "". The path must continue below it,
// or have a slash at its end.
func APIDirectory(p string) string {
	for i := strings.IndexByte(p, '/'); i >= 0 && i < len(p); {
		next := strings.IndexByte(p[i+1:], '/')
		if next < 0 {
			return ""
		}
		name := p[i+1 : i+1+next]
		i += 1 + next
		if slices.Contains(apiDirectories, name) {
			return p[:i]
		}
	}
	return ""
}

// APIPages is the reason why paths below such a directory are not checked.
var APIPages = reason.New(reason.Build, "api-pages", "a build puts pages of an API into %s")
