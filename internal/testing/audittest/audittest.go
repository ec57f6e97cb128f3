// Package audittest audits small trees in memory, for tests of the packages that make up an audit.
package audittest

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/config"
	"example.org/refract/internal/lazy"
)

// Run audits the trees in an archive, one after another. Each begins with a file "case" and ends with a
// file "want". The first line of "case" is the name of the case, the lines after it are settings:
//
//   - tests, orphans, link-texts, schemes, root DIR, slugs NAME, generator NAME, site URL=DIR, built DIR or
//     URL=DIR, args NAME…;
//   - zip NAME: the files below the directory NAME become a ZIP archive of that name;
//   - bare: the tree is no repository;
//   - targets: see below.
//
// "want" has a line for each finding, for each reference that is not checked and, with the setting
// "targets", for each reference and its target. UPDATE=1 writes it; review the diff.
func Run(t *testing.T, archive string) {
	t.Helper()
	a, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	var settings string
	var files []txtar.File
	isChanged := false
	for i, f := range a.Files {
		switch f.Name {
		case "case":
			settings, files = string(f.Data), nil
		case "want":
			name, rest, _ := strings.Cut(settings, "\n")
			t.Run(name, func(t *testing.T) {
				got := results(t, rest, files)
				if string(f.Data) == got {
					return
				}
				if os.Getenv("UPDATE") == "" {
					t.Errorf("got\n%swant\n%s", got, f.Data)
				}
				a.Files[i].Data, isChanged = []byte(got), true
			})
		default:
			files = append(files, f)
		}
	}
	if isChanged && os.Getenv("UPDATE") != "" {
		err := os.WriteFile(archive, txtar.Format(a), 0o644)
		if err != nil {
			t.Fatal(err)
		}
	}
}

// onDisk matches settings of trees that need a disk.
var onDisk = lazy.New(`(?m)^(symlink|name) `)

// split returns the files of a tree, its settings, and what is wanted.
func split(a *txtar.Archive) (files []txtar.File, settings string, want []byte) {
	isRepository := false
	for line := range strings.Lines(string(a.Comment)) {
		if !strings.HasPrefix(line, "#") {
			settings += line
		}
	}
	files = slices.DeleteFunc(slices.Clone(a.Files), func(f txtar.File) bool {
		isRepository = isRepository || strings.HasPrefix(f.Name, ".git/")
		if f.Name == "want" {
			want = f.Data
		}
		return f.Name == "want"
	})
	if !isRepository {
		settings += "bare\n"
	}
	return files, settings, want
}

// unchecked is in the lines about references that are not checked.
const unchecked = " not checked: "

// results audits files below /t, and returns what is found.
func results(t *testing.T, settings string, files []txtar.File) string {
	t.Helper()
	var lines []string
	add := func(file string, line, column int, format string, args ...any) {
		lines = append(lines, fmt.Sprintf("%s:%d:%d ", file, line, column)+fmt.Sprintf(format, args...))
	}
	o := options(t, settings, files, add)
	o.Unchecked = func(u *audit.Unchecked) {
		add(u.File, u.Pos.Line, u.Pos.Column, "%s", strings.TrimPrefix(unchecked, " ")+u.Why.Name())
	}
	_, err := audit.Run(context.Background(), o, func(f *audit.Finding) {
		text := string(f.Rule) + ": " + f.Message
		if f.Suggestion != "" {
			text += " => " + f.Suggestion
		}
		if f.Certain {
			text += " (certain)"
		}
		add(f.File, f.Pos.Line, f.Pos.Column, "%s", text)
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	var out bytes.Buffer
	for _, line := range lines {
		fmt.Fprintln(&out, line)
	}
	return out.String()
}

// options returns those of an audit of files below /t. add is called with where each reference leads if the
// settings ask for it.
func options(t *testing.T, settings string, files []txtar.File, add func(file string, line, column int, format string, args ...any)) audit.Options {
	t.Helper()
	memory := tree.NewOverlay(tree.NewOverlay(tree.Disk()))
	memory.Remove("/t")
	if !strings.Contains("\n"+settings, "\nbare\n") {
		memory.Write("/t/.git/HEAD", nil)
	}
	for line := range strings.Lines(settings) {
		name, isZip := strings.CutPrefix(strings.TrimSpace(line), "zip ")
		if isZip {
			files = packed(t, name, files)
		}
	}
	for _, f := range files {
		memory.Write("/t/"+f.Name, f.Data)
	}
	o := audit.Options{Tree: memory, Dir: "/t", Paths: []string{"."}}
	for line := range strings.Lines(settings) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "doubts":
			o.Doubts = true
		case "tests":
			o.Tests = true
		case "orphans":
			o.Orphans = true
		case "link-texts":
			o.LinkTexts = true
		case "schemes":
			o.Schemes = true
		case "root":
			o.Root = rest
		case "slugs":
			o.Slugs = rest
		case "site":
			url, dir, _ := strings.Cut(rest, "=")
			o.Sites = append(o.Sites, audit.Site{URL: url, Dir: dir})
		case "built":
			url, dir := config.CutBuild(rest)
			o.Built = append(o.Built, audit.Site{URL: url, Dir: dir})
		case "generator":
			o.Generator = rest
		case "args":
			o.Paths = strings.Fields(rest)
		case "targets":
			o.Followed = func(f *audit.Followed) {
				add(strings.TrimPrefix(f.Path, "/t/"), f.Pos.Line, f.Pos.Column, "leads to %q", strings.TrimPrefix(f.Target, "/t/"))
			}
		case "zip", "bare", "":
		default:
			t.Fatalf("%q is not a setting", line)
		}
	}
	return o
}

// packed returns the files with those below a directory as a ZIP archive. The file mimetype comes
// first in it, and no file has a line break at its end.
func packed(t *testing.T, dir string, files []txtar.File) (rest []txtar.File) {
	t.Helper()
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	add := func(name string, text []byte) {
		m, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = m.Write(bytes.TrimSuffix(text, []byte("\n")))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range files {
		if f.Name == dir+"/mimetype" {
			add("mimetype", f.Data)
		}
	}
	for _, f := range files {
		member, isIn := strings.CutPrefix(f.Name, dir+"/")
		switch {
		case !isIn:
			rest = append(rest, f)
		case member != "mimetype":
			add(member, f.Data)
		}
	}
	err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	return append(rest, txtar.File{Name: dir, Data: archive.Bytes()})
}
