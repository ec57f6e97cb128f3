package sitetest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/internal/site"
	"example.org/refract/internal/testing/scantest"
)

// variations is how many variations of each site are pinned.
const variations = 60

// pinned fails the test if variations of a site no longer have the pages, and the answers to the questions
// of the archive, that they had. testdata/pinned.tsv has a digest for each. A variation lacks lines, words,
// characters or files, or has others: those of the site, and those that the program of the package looks
// for.
func pinned(t *testing.T, g *site.Generator, archive string, a *txtar.Archive) {
	t.Helper()
	pins := scantest.ReadPins(t, "testdata/pinned.tsv")
	name := filepath.Base(archive)
	v := scantest.NewVariation(name, a.Files, scantest.Literals(t, "."))
	for n := range scantest.PinCount(8, variations) {
		pins.Check(t, name, describe(g, string(a.Comment), v.Files(n)))
	}
	pins.Keep(func(name string) bool { _, err := os.Stat(filepath.Join("testdata", name)); return err == nil })
	pins.Write(t)
}

// describe returns the files of a site, their routes, what is at these and the answers to the questions of an archive.
func describe(g *site.Generator, questions string, files []txtar.File) string {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "-- %s --\n%s", f.Name, f.Data)
	}
	b.WriteString("\n== answers\n")
	tree := Tree(files)
	finder := site.NewFinder(tree, []*site.Generator{g}, "")
	ask := func(question ...string) {
		fmt.Fprintf(&b, "%s = %s\n", strings.Join(question, " "), answer(finder, tree, question))
	}
	for line := range strings.Lines(questions) {
		question, _, isQuestion := strings.Cut(strings.TrimSuffix(line, "\n"), " = ")
		if words := strings.Fields(question); isQuestion && words[0] != "at" {
			ask(words...)
		}
	}
	last := ""
	for _, f := range files {
		name := strings.ReplaceAll(f.Name, " ", "%20")
		ask("route", name)
		s := finder.Of(Root+f.Name, strings.TrimSuffix(Root, "/"))
		if s == nil || target(s, Root+f.Name).Route == "" || !scantest.IsDocument(name) {
			continue
		}
		if last != "" {
			ask("redirect", last, name)
		}
		last = name
	}
	for _, s := range finder.Sites() {
		fmt.Fprintf(&b, "site %s %s %v %s %s\n", s.Dir, s.Base, s.IsBaseKnown, s.Origin, s.Config)
		var page *site.Page
		for _, f := range files {
			name := Root + f.Name
			parts, isComplete := s.Parts(name)
			fmt.Fprintf(&b, "%s: parts %v %v, %v %v %q\n", f.Name, parts, isComplete, s.IsPublished(name), s.IsCode(name), s.MarkupType(name))
			p := s.Page(name)
			if p == nil {
				continue
			}
			fmt.Fprintf(&b, "%v; %v %v %v, %s, %q, %v, %v %v %v; %v\n", p.Routes, p.Also, p.Moved, p.Names, p.Why, p.Lang, p.IDs, p.IsPart, p.IsCopy, p.IsData, s.Translations(name))
			for _, route := range p.Routes {
				fmt.Fprintf(&b, "at %s = %s\n", route, result(s.At(s.Base+strings.TrimPrefix(route, "/"))))
			}
			if page != nil {
				fmt.Fprintln(&b, s.Spellings(site.Use{Page: page, File: page.File}, site.Markdown, name, ""))
			}
			page = p
		}
		for _, r := range s.Redirects() {
			fmt.Fprintf(&b, "redirect in %s %s %v: %q %q = %s %s %s %s\n", r.File, r.In, r.FromSpan, r.From, r.To, r.URL, r.Goal, r.Below, r.Why)
		}
		for _, n := range s.Navigation() {
			fmt.Fprintf(&b, "%s %v: %q %s = %s in %s\n", n.File, n.Span, n.Ref, n.In, result(n.Result), n.Dir)
		}
	}
	return b.String()
}
