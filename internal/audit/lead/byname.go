package lead

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/slash"
)

// Unsupported generators that find files by their names alone, and directories that other repositories fill.

// WritersideDir returns the directory with the configuration of Writerside for d, or "".
func (a *Library) WritersideDir(d *doc.Document) string {
	isIts := func(dir string) bool { return a.Files.Has(dir, "writerside.cfg") || a.Files.Has(dir, "project.ihp") }
	return a.writerside.Get(d.Dir(), func(string) string { return a.above(d, isIts) })
}

// above returns the nearest directory around d, up to its boundary, for which is holds, or "".
func (a *Library) above(d *doc.Document, is func(dir string) bool) string {
	top := a.Boundary(d)
	for dir := d.Dir(); tree.Below(dir, top); dir = path.Dir(dir) {
		switch {
		case is(dir):
			return dir
		case dir == top || path.Dir(dir) == dir:
			return ""
		}
	}
	return ""
}

// FoundByName returns the reason if a program finds the target of a reference anywhere below a directory by
// the name of the file: Writerside, and DocC, which leaves out suffixes, scales and appearances
// ("chart~dark@2x.png" is chart).
func (a *World) FoundByName(d *doc.Document, ref *doc.Reference) reason.Reason {
	name, _, _ := strings.Cut(ref.Ref, "#")
	if name == "" || strings.Contains(name, "/") || !d.IsMarkdown() {
		return reason.Reason{}
	}
	if dir := a.WritersideDir(d); dir != "" {
		for _, file := range a.ByName[name] {
			if tree.Below(file, dir) {
				return foundByName.With("Writerside")
			}
		}
		if path.Ext(name) == ".md" || path.Ext(name) == ".topic" {
			return otherModule.If(a.hasModules.Get(dir, a.includesModules))
		}
	}
	if dir := a.above(d, func(dir string) bool { return path.Ext(dir) == ".docc" }); dir != "" {
		return foundByName.With("DocC").If(a.resources.Get(dir, a.resourcesOf)[slash.Stem(name)])
	}
	return reason.Reason{}
}

// includesModules reports whether a tree of Writerside includes those of other modules, whose topics a build adds.
func (a *Library) includesModules(dir string) bool {
	for name := range a.Files.List(dir).Names {
		if path.Ext(name) == ".tree" && bytes.Contains(a.TextOf(dir+"/"+name), []byte(` origin="`)) {
			return true
		}
	}
	return false
}

// maxResources bounds the files of a catalogue of DocC whose names are known.
const maxResources = 100_000

// resourcesOf returns the names of the files in a catalogue of DocC without suffixes, scales and appearances.
func (a *Library) resourcesOf(catalogue string) map[string]bool {
	names := map[string]bool{}
	for dirs := []string{catalogue}; len(dirs) > 0; dirs = dirs[1:] {
		entries := a.Files.List(dirs[0]).Names
		for _, name := range slices.Sorted(maps.Keys(entries)) {
			switch {
			case entries[name].IsDir():
				dirs = append(dirs, dirs[0]+"/"+name)
			case len(names) < maxResources:
				stem := slash.Stem(name)
				stem, _, _ = strings.Cut(stem, "@")
				names[strings.TrimSuffix(stem, "~dark")] = true
			}
		}
	}
	return names
}

// submodulesOf returns the directories that .gitmodules says other repositories fill, but which are empty
// or missing here.
func (a *Library) submodulesOf(top string) []string {
	if !a.Files.Has(top, ".gitmodules") {
		return nil
	}
	var dirs []string
	for line := range bytes.Lines(a.TextOf(top + "/.gitmodules")) {
		key, value, _ := bytes.Cut(line, []byte("="))
		if string(bytes.TrimSpace(key)) != "path" || len(dirs) == maxSubmodules {
			continue
		}
		dir := path.Join(top, string(bytes.TrimSpace(value)))
		if tree.Below(dir, top) && (!a.Files.Exists(dir) || len(a.Files.List(dir).Names) == 0) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

const maxSubmodules = 1_000

// missingSubmodule returns the reason if a missing file is below a submodule that is not checked out.
func (a *Library) missingSubmodule(d *doc.Document, file string) reason.Reason {
	top := a.Boundary(d)
	for _, dir := range a.submodules.Get(top, a.submodulesOf) {
		if tree.Below(file, dir) {
			return inSubmodule.With(strings.TrimPrefix(dir, top+"/"))
		}
	}
	return reason.Reason{}
}

// Reasons.
var (
	foundByName = reason.New(reason.Base, "found-by-name", "%s finds files by their names")
	otherModule = reason.New(reason.OtherSite, "other-module", "it may be a topic of another module of Writerside")
	inSubmodule = reason.New(reason.OtherSite, "in-submodule", "the submodule %s is not checked out")
)
