package vue

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// knownSuffixes are those that VitePress takes for files, not pages, in links (treatAsHtml in
// shared/shared.ts of 1.6.4).
var knownSuffixes = strings.Fields(`3g2 3gp aac ai apng au avif bin bmp cer class conf crl css csv dll doc eps epub exe gif gz ics ief
	jar jpe jpeg jpg js json jsonld m4a man mid midi mjs mov mp2 mp3 mp4 mpe mpeg mpg mpp oga ogg ogv ogx opus otf p10 p7c p7m p7s
	pdf png ps qt roff rtf rtx ser svg t tif tiff tr ts tsv ttf txt vtt wav weba webm webp woff woff2 xhtml xml yaml yml zip`)

// suffixes are the further suffixes that a site takes for files.
type suffixes struct {
	more   []string
	isAll  bool // all but those of pages are, as before 1.0.0-rc.40
	isOpen bool // there may be others
}

const extraVariable = "VITE_EXTRA_EXTENSIONS"

// extraSuffixes matches where a variable of the environment is set to suffixes, separated by commas: in
// code, the command of a script, or YAML.
var extraSuffixes = lazy.New(extraVariable + `["']?\]?\s*(?:\?\?|\|\|)?[:=]\s*(?:["']([\w,]+)["']|([\w,]+)(?:[\s"'&;]|$))`)

// beforeSuffixes matches the versions, or ranges without newer versions, for which each link with a suffix
// resolves to a file.
var beforeSuffixes = lazy.New(`^(?:[~^]?0\.|[=v]?1\.0\.0-(?:alpha|beta|rc\.(?:[0-9]|[12][0-9]|3[0-3])$))`)

// fileSuffixes reads the suffixes from an environment variable that the configuration, package.json there
// or above, or a workflow sets. If one of these names it in another way, its value is not known.
func fileSuffixes(d *source.Dir, config string) (x suffixes) {
	version := vitepressVersionOf(d)
	x.isAll = beforeSuffixes.MatchString(version)
	x.isOpen = strings.Contains(version, "1.0.0-")
	for _, file := range d.Tree.CodeFiles(d.In(config)) {
		x.read(d.Tree.Config(file))
	}
	for at := d.Path; source.Below(at, d.Tree.Root); at = path.Dir(at) {
		x.read(d.Tree.Config(at + "/package.json"))
		if at == d.Tree.Root || path.Dir(at) == at {
			break
		}
	}
	w := source.Memo(d.Tree, workflowSuffixes{}, func() (w suffixes) {
		dir := d.Tree.Root + "/.github/workflows"
		for name := range d.Tree.List(dir) {
			w.read(d.Tree.Config(dir + "/" + name))
		}
		return w
	})
	x.more, x.isOpen = append(x.more, w.more...), x.isOpen || w.isOpen
	return x
}

// workflowSuffixes is the key of the suffixes that the workflows of a repository set.
type workflowSuffixes struct{}

// read adds the suffixes that a text sets.
func (x *suffixes) read(text []byte) {
	if !bytes.Contains(text, []byte(extraVariable)) {
		return
	}
	found := extraSuffixes.FindAllStringSubmatch(string(text), -1)
	for _, m := range found {
		x.more = append(x.more, strings.Split(strings.ToLower(m[1]+m[2]), ",")...)
	}
	x.isOpen = x.isOpen || len(found) == 0
}

// has reports whether a suffix with its dot is that of files.
func (x *suffixes) has(suffix string) bool {
	suffix = strings.TrimPrefix(suffix, ".")
	if x.isAll && suffix != "" && suffix != "md" && suffix != "html" {
		return true
	}
	return slices.Contains(knownSuffixes, suffix) || slices.Contains(x.more, suffix)
}

// refuse returns the candidates for a link to a page without those at which only a file is published. With
// another suffix, VitePress adds ".html" unless URLs are clean, and a build that checks links fails in any
// case.
func (v *vitepress) refuse(s *site.Site, r *site.Reference, all []site.Candidate) []site.Candidate {
	why, suffix := addsHTML, r.Suffix()
	if v.isClean {
		why = takenForPage
	}
	if v.isClean && !v.isChecked || suffix == "" || suffix == ".md" || suffix == ".html" {
		return all
	}
	for i, c := range site.ByURLWithBase(s, r) {
		u, isBelow := s.CutBase(c.URL)
		if i >= len(all) || !isBelow || slices.Contains(s.Made, u) || isPageAt(s, all[i].URL) {
			continue
		}
		file := s.StaticFile(u)
		switch {
		case file == "":
		case v.files.isOpen:
			return []site.Candidate{{Unknown: extraExtensions}}
		default:
			all[i] = site.Candidate{Why: why.With(suffix), Other: file}
		}
	}
	return all
}

// isPageAt reports whether there is a page at a URL, of Markdown or of HTML.
func isPageAt(s *site.Site, full string) bool {
	u, _ := s.CutBase(full)
	page := strings.TrimSuffix(u, ".html") + ".html"
	return s.ByURL[u] != nil || s.ByURL[page] != nil || s.StaticFile(page) != ""
}

// Reasons.
var (
	addsHTML        = reason.New(reason.Unpublished, "vitepress-adds-html", "VitePress adds .html to a link with the suffix %s")
	takenForPage    = reason.New(reason.Unpublished, "vitepress-takes-for-page", "VitePress takes a link with the suffix %s for one to a page, so the build fails")
	extraExtensions = reason.New(reason.Build, "extra-extensions", "which suffixes are those of files depends on the version of VitePress, or on VITE_EXTRA_EXTENSIONS")
)
