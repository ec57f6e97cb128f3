package web

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site/source"
)

const (
	maxCode  = 40 // files of code that are read for one configuration
	maxAdded = 200
)

var (
	// importedCode matches the import of a file of the project.
	importedCode = lazy.New(`(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*['"](\.{1,2}/[^'"\n]+)['"]`)
	// addedHeading matches a heading of Markdown in a string of code: at its start, or after a line break.
	addedHeading = lazy.New("(?m)(?:^|\\\\n|[`'\"])#{1,6} ([^\\n`'\"\\\\]+)")
)

// Code returns the texts of a configuration script and of the files of the project that it imports.
func Code(d *source.Dir, config string) (texts [][]byte) {
	files := []string{config}
	for i := 0; i < len(files) && i < maxCode; i++ {
		text := d.Tree.Config(files[i])
		texts = append(texts, text)
		for _, m := range importedCode.FindAllSubmatch(text, maxCode) {
			file := d.Tree.ModuleFile(path.Join(path.Dir(files[i]), string(m[1])))
			if file != "" && path.Ext(file) != ".json" && !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	return texts
}

// AddedIDs returns the ids of headings that code adds to pages: of those that its strings contain.
func AddedIDs(texts [][]byte, flavour slug.Flavour) (ids map[string]bool) {
	ids = map[string]bool{}
	for _, text := range texts {
		for _, m := range addedHeading.FindAllSubmatch(text, maxAdded) {
			heading := strings.TrimSpace(string(m[1]))
			if strings.Contains(heading, "${") {
				continue
			}
			ids[new(slug.Slugger{Flavour: flavour}).Slug(slug.Heading{Text: heading, Alt: heading, Source: heading})] = true
		}
	}
	return ids
}
