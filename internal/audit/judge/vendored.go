package judge

import (
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/reason"
)

// Documents of other projects, of which a repository has a copy, are not its maintainer's to repair. What
// points nowhere in them is not checked, but counted.

// vendorDirs are the names of directories that hold copies of other projects, if programs are in them.
var vendorDirs = []string{"vendor", "vendored", "third_party", "third-party", "thirdparty", "3rdparty", "godeps"}

// packageDirs are those into which package managers install packages.
var packageDirs = []string{"node_modules", "bower_components", "jspm_packages"}

var inVendored = reason.New(reason.OtherSite, "vendored", "in a copy of another project")

// isVendored reports whether d belongs to another project: by the names of its directories below the
// audited directory, or by linguist-vendored in the .gitattributes of its repository. A page that a site
// publishes does not, unless the whole site does.
func (a *Judge) isVendored(d *doc.Document) bool {
	dir, file := d.Dir(), d.Path
	if s := d.Layout.Generated; s != nil {
		dir, file = s.Dir, s.Dir+"/x"
	}
	rest, ok := strings.CutPrefix(dir, d.Top+"/")
	if ok && a.Vendored.Get(dir, func(string) bool { return a.isInVendored(d.Top, strings.Split(rest, "/")) }) {
		return true
	}
	return a.Layouts.Finder.IsVendored(file, a.Boundary(d))
}

// isInVendored reports whether one of the directories of a path below top holds copies of other projects.
func (a *Judge) isInVendored(top string, names []string) bool {
	isDocs := false
	dir := top
	for _, name := range names {
		dir += "/" + name
		lower := strings.ToLower(name)
		if slices.Contains(packageDirs, lower) || !isDocs && slices.Contains(vendorDirs, lower) && a.holdsProgram(dir, isProgram) {
			return true
		}
		isDocs = isDocs || slices.Contains(docDirs, lower)
	}
	return false
}
