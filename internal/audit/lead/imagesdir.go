package lead

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/lazy"
)

// imagesDirs holds the values of imagesdir that hold somewhere on a page of AsciiDoc.
type imagesDirs struct {
	values    []string
	isUnknown bool // an attribute makes one of them, or one is no relative path
	isFirst   bool // the page sets it before it includes anything
}

// imagesDirSet matches a line that sets imagesdir.
var imagesDirSet = lazy.New(`(?m)^:imagesdir:[ \t]+(\S+)[ \t\r]*$`)

// maxImagesDirs bounds the values on one page. A page with more is unknown.
const maxImagesDirs = 8

// imagesDirsOf reads the values that a page and the documents that it includes set: a value set in a part
// holds for the rest of the page. It does not determine which of them holds for an image: any may find it.
func (a *World) imagesDirsOf(page string) *imagesDirs {
	found := *a.imagesDirsIn.Get(page, a.readImagesDirs)
	files, _ := reachable([]string{page}, a.Included.Of)
	for _, file := range files[1:] {
		part := a.imagesDirsIn.Get(file, a.readImagesDirs)
		found.isUnknown = found.isUnknown || part.isUnknown
		for _, dir := range part.values {
			if slices.Contains(found.values, dir) {
				continue
			}
			if len(found.values) == maxImagesDirs {
				return &imagesDirs{isUnknown: true}
			}
			found.values = append(slices.Clip(found.values), dir)
		}
	}
	return &found
}

// readImagesDirs reads the values that one document sets.
func (a *World) readImagesDirs(file string) *imagesDirs {
	found := &imagesDirs{}
	d := a.ByPath[file]
	if d == nil || d.Skipped[doc.IsMetadata]+d.Skipped[doc.IsAttribute] == 0 {
		return found
	}
	text := d.Head()
	for _, m := range imagesDirSet.FindAllSubmatchIndex(text, maxImagesDirs) {
		dir := strings.TrimSuffix(string(text[m[2]:m[3]]), "/")
		if strings.ContainsAny(dir, "{:") || strings.HasPrefix(dir, "/") {
			found.isUnknown = true
		} else if !slices.Contains(found.values, dir) {
			found.values = append(found.values, dir)
		}
		found.isFirst = found.isFirst || !bytes.Contains(text[:m[0]], []byte("\ninclude::"))
	}
	return found
}

// BaseDirs returns the directories that ref, in d, may be relative to on a page that shows d: that of the
// page or, for an image in AsciiDoc, those that imagesdir of the page names.
func (a *World) BaseDirs(d *doc.Document, ref *doc.Reference, page string) []string {
	dir := path.Dir(page)
	if !IsImageInAsciiDoc(d, ref) {
		return []string{dir}
	}
	images := a.imagesDirs.Get(page, a.imagesDirsOf)
	var dirs []string
	if !images.isFirst {
		dirs = append(dirs, dir)
	}
	for _, value := range images.values {
		dirs = append(dirs, path.Join(dir, value))
	}
	return dirs
}

// onPage returns the path of ref as it stands on a page that shows d: without the imagesdir that d itself sets.
func (a *World) onPage(d *doc.Document, ref *doc.Reference, page string) string {
	text, _, _ := strings.Cut(ref.Ref, "#")
	if IsImageInAsciiDoc(d, ref) && slices.ContainsFunc(a.imagesDirs.Get(page, a.imagesDirsOf).values, func(dir string) bool { return text == dir+"/"+ref.Raw }) {
		return ref.Raw
	}
	return text
}

// mayBeInImagesDir reports whether a page that shows d sets imagesdir to something unknown.
func (a *World) mayBeInImagesDir(d *doc.Document) bool {
	pages, _ := reachable([]string{d.Path}, a.Included.By)
	return slices.ContainsFunc(pages, func(page string) bool { return a.imagesDirs.Get(page, a.imagesDirsOf).isUnknown })
}
