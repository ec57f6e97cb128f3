package move

import (
	"path"
	"slices"
	"strings"
)

// images returns the images in AsciiDoc that would not be found after the move, if imagesdir of a book is
// needed to find them. An audit of the documents by themselves does not see the difference.
func (p *planner) images() (problems []Problem) {
	if len(p.request.Renames) == 0 {
		return nil
	}
	moved := map[string][]string{}
	for _, file := range p.movedFiles() {
		moved[path.Base(file)] = append(moved[path.Base(file)], file)
	}
	for _, name := range p.before.order {
		for _, f := range p.before.refs[name] {
			if f.Image == "" {
				continue
			}
			i := slices.IndexFunc(moved[path.Base(f.Image)], func(file string) bool {
				return strings.HasSuffix(file, "/"+f.Image) && !p.isTogether(file, f.Pages())
			})
			if i >= 0 {
				file := moved[path.Base(f.Image)][i]
				problems = append(problems, p.problem(f, "may be "+p.shown(file)+", by imagesdir of a book or of the build, and would not be found: edit it by hand"))
			}
		}
	}
	return problems
}

// isTogether reports whether one rename moves a file and documents.
func (p *planner) isTogether(file string, documents []string) bool {
	return slices.ContainsFunc(p.request.Renames, func(r Rename) bool {
		return below(file, r.From) && !slices.ContainsFunc(documents, func(name string) bool { return !below(name, r.From) })
	})
}
