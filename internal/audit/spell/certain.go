package spell

import (
	"io/fs"
	"path"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/lazy"
	"example.org/refract/resolve"
)

// IsEditCertain reports whether it is known where the text of ref is published, so that text in place of ref has
// the same target there as here. All findings take their Certain from it, so --fix and the preferred quick
// fixes of editors edit nothing else. A document that is published elsewhere may be right as it is.
func (a *Speller) IsEditCertain(d *doc.Document, ref *doc.Reference, text string) bool {
	switch {
	case ref.Member != "": // members are not edited
		return false
	case d.MayMoveReference(ref):
		return false
	case a.Files.List(d.Dir()).Names[d.Base()]&fs.ModeSymlink != 0: // whether it is right depends on the real place
		return false
	case isAbsolute(text), d.Layout.Generated != nil:
		return true
	case !d.Layout.IsHost() && d.IsMarkdown() && ref.How == scan.Attribute:
		return false // the generator leaves it as it is, and may serve the page elsewhere
	}
	s := a.ServingOf(d)
	switch {
	case strings.HasPrefix(text, "/") && s.IsLearnt(): // where that leads is only learnt
		return false
	case strings.HasSuffix(text[:lead.PathLength(text)], ".mdx"): // no host and no server shows one at the path of its source
		return false
	}
	return a.isPlaceKnown(d)
}

// isPlaceKnown reports whether it is known where a document without a known generator is read. A code host
// shows Markdown where it is, especially at the top of a repository. But if an unknown program publishes
// it, by a configuration, a package of the program or the evidence of references in the tree, that program
// decides its place.
func (a *Speller) isPlaceKnown(d *doc.Document) bool {
	switch {
	case strings.HasPrefix(path.Ext(d.Path), ".htm"):
		return !d.IsPieceOfHTML()
	case path.Ext(d.Path) == ".mdx":
		return false
	case !d.IsMarkdown() || doc.IsReadme(d.Base()) || d.Dir() == a.Boundary(d):
		return true
	}
	s := a.ServingOf(d)
	isLearnt := s != nil && (s.IsNested || s.IsUnsuffixed || s.IsFlat || a.IsMadeByUnknown(d))
	return !isLearnt && !a.IsDoubtful(d) && a.ProgramOf(d) == "" && !a.hasProgramPackage(d)
}

// programPackage matches the name of a program that publishes pages by its code, as a key of a package.json.
var programPackage = lazy.New(`"(?:next|gatsby|nuxt|nuxt3|@sveltejs/kit|gridsome|@remix-run/[a-z]+|@react-router/dev|@tanstack/(?:react|solid)-start|contentlayer2?|next-mdx-remote|@nuxt/content|metalsmith|vike|waku)"\s*:`)

// hasProgramPackage reports whether the nearest package that holds d, and is not in the same directory, uses
// a program whose pages and URLs are defined in code.
func (a *Speller) hasProgramPackage(d *doc.Document) bool {
	return a.Packaged.Get(d.Dir(), func(dir string) bool {
		for top := a.Boundary(d); dir != top && tree.Below(dir, top) && dir != path.Dir(dir); {
			dir = path.Dir(dir)
			if a.Files.Has(dir, "package.json") {
				return programPackage.Match(a.TextOf(dir + "/package.json"))
			}
		}
		return false
	})
}

// isAbsolute reports whether a reference names a scheme or a host, so that its place does not matter.
func isAbsolute(ref string) bool {
	c := resolve.Parse([]byte(ref))
	return c.HasScheme || c.HasAuthority
}
