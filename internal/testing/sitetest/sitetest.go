// Package sitetest tests the support for a generator by a small site.
package sitetest

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/internal/input"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// Root is the directory that the files of a site are in.
const Root = "/site/"

// Memory is a tree of files in memory, which names them without the leading slash.
type Memory struct{ fstest.MapFS }

// Tree returns the files of an archive, below Root.
func Tree(files []txtar.File) Memory {
	m := fstest.MapFS{}
	for _, f := range files {
		m[inner(Root+f.Name)] = &fstest.MapFile{Data: f.Data}
	}
	return Memory{m}
}

func inner(name string) string {
	if name = strings.Trim(path.Clean(name), "/"); name == "" {
		return "."
	}
	return name
}

func (m Memory) Open(name string) (fs.File, error) { return m.MapFS.Open(inner(name)) }

func (m Memory) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(m.MapFS, inner(name)) }

func (m Memory) Stat(name string) (fs.FileInfo, error) { return fs.Stat(m.MapFS, inner(name)) }

// Real returns a name without dot segments: there are no links.
func (m Memory) Real(name string) (string, error) { return path.Clean(name), nil }

// Run asks a generator the questions in the comment of an archive, whose files are a site:
//
//	route docs/a.md = /a/                  the URLs of a page below the base, those that redirect to it behind a semicolon
//	link docs/a.md Markdown b.md = docs/b.md
//	link docs/a.md Macro relref x = missing
//	role docs/a.rst ref x = found          what a name in a space resolves to
//	expand docs/a.md {{ x }}/a = ?         the value of a reference with templates, if that is known
//	id docs/a.md x = true                  whether the generator, code or components may make the id
//	at /old/ = docs/a.md                   what is published at a URL with the base
//	redirect docs/a.md docs/b.md = what    what a move of a page writes, with the lines that it adds
//
// It also asks about variations of the site: see pinned. A space in the name of a file, or of a role, is
// "%20". UPDATE=1 writes the answers into the archive.
func Run(t *testing.T, g *site.Generator, archive string) {
	t.Helper()
	a, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	tree := Tree(a.Files)
	finder := site.NewFinder(tree, []*site.Generator{g}, "")
	var out bytes.Buffer
	for line := range strings.Lines(string(a.Comment)) {
		question, _, isQuestion := strings.Cut(strings.TrimSuffix(line, "\n"), " = ")
		if !isQuestion {
			out.WriteString(line)
			continue
		}
		fmt.Fprintf(&out, "%s = %s\n", question, answer(finder, tree, strings.Fields(question)))
	}
	pinned(t, g, archive, a)
	if bytes.Equal(out.Bytes(), a.Comment) {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Errorf("%s: answers:\n%s", archive, out.Bytes())
		return
	}
	a.Comment = out.Bytes()
	if err := os.WriteFile(archive, txtar.Format(a), 0o666); err != nil {
		t.Fatal(err)
	}
}

func answer(finder *site.Finder, tree input.Tree, words []string) string {
	file := Root + strings.ReplaceAll(words[1], "%20", " ")
	if words[0] == "at" { // of the first site
		finder.IsConfigured(strings.TrimSuffix(Root, "/"))
		return result(finder.Sites()[0].At(words[1]))
	}
	s := finder.Of(file, strings.TrimSuffix(Root, "/"))
	if s == nil {
		return "of no site"
	}
	switch words[0] {
	case "route":
		p := s.Page(file)
		switch {
		case p == nil:
			return "no page"
		case !p.Why.IsZero():
			return p.Why.String()
		case p.IsPart:
			return "only included"
		case len(p.Routes) == 0:
			return "none"
		case len(p.Also) > 0:
			return strings.Join(p.Routes, " ") + "; " + strings.Join(p.Also, " ")
		}
		return strings.Join(p.Routes, " ")
	case "link":
		uses, why := s.Uses(file)
		if len(uses) == 0 {
			return "not checked: " + why.String()
		}
		form, in := forms[words[2]], strings.Join(words[3:len(words)-1], " ")
		return result(s.Resolve(uses[0], form, in, words[len(words)-1]))
	case "role":
		uses, why := s.Uses(file)
		if len(uses) == 0 {
			return "not checked: " + why.String()
		}
		answer := s.Names().Role(uses[0], words[2], strings.ReplaceAll(words[3], "%20", " "))
		return result(site.Result{State: answer.State, Why: answer.Why})
	case "expand":
		if uses, _ := s.Uses(file); len(uses) > 0 {
			if made, ok := s.Expand(uses[0], strings.Join(words[2:], " ")); ok {
				return made
			}
		}
		return "?"
	case "id":
		return fmt.Sprint(s.ID(file, words[2]).State != site.Missing)
	case "redirect":
		return redirect(s, tree, file, Root+words[2])
	}
	return "no such question"
}

var forms = map[string]site.Form{
	"Markdown": site.Markdown, "Image": site.Image, "HTML": site.HTML, "HTMLSource": site.HTMLSource, "Component": site.Component, "Macro": site.Macro,
}

// result describes where a reference leads.
func result(res site.Result) string {
	to := res.State.String()
	switch {
	case res.State == site.Found && res.File != "":
		to = strings.TrimPrefix(res.File, Root)
	case !res.Why.IsZero():
		to += ": " + strings.ReplaceAll(res.Why.String(), Root, "")
	}
	return to
}

// redirect describes what a move of a page to another name writes. Both exist, so that their URLs are known.
func redirect(s *site.Site, tree input.Tree, from, to string) string {
	texts := map[string][]byte{}
	read := func(file string) ([]byte, error) {
		if text, ok := texts[file]; ok {
			return text, nil
		}
		return fs.ReadFile(tree.(Memory).MapFS, inner(file))
	}
	e := &site.Edits{Config: s.Config, Text: read, Set: func(file string, text []byte) { texts[file] = text }}
	was, is := target(s, from), target(s, to)
	where := ""
	if r := s.Retargeter(); r != nil {
		r.Retarget(e, was, is)
	}
	if r := s.Redirecter(); r != nil {
		where = r.Redirect(e, was, is)
	}
	if where == "" {
		where = "nothing is added"
	}
	var added []string
	for _, file := range source.SortedKeys(texts) {
		old, _ := fs.ReadFile(tree.(Memory).MapFS, inner(file))
		for line := range strings.Lines(string(texts[file])) {
			if !bytes.Contains(old, []byte(line)) {
				added = append(added, strings.TrimSpace(line))
			}
		}
	}
	return strings.ReplaceAll(where, Root, "") + strings.Join(append([]string{""}, added...), " | ")
}

func target(s *site.Site, file string) site.Target {
	t := site.Target{File: file}
	if p := s.Page(file); p != nil && len(p.Routes) > 0 {
		t.Route = p.Routes[0]
	}
	return t
}
