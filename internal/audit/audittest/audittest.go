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
)

// Run audits the trees in an archive, one after another. Each begins with a file "case" and ends with
// a file "want". The first line of "case" is the name of the case, those behind it are settings:
// tests, orphans, schemes, root DIR, slugs NAME, site URL=DIR, args NAME…, zip NAME (the files below the
// directory NAME become a ZIP archive of that name). "want" has a line for each
// finding, for each reference that is not judged and, with the setting "targets", for each reference
// and the file that it leads to. UPDATE=1 writes it; review the diff.
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

// results audits files below /t, and returns what is found.
func results(t *testing.T, settings string, files []txtar.File) string {
	t.Helper()
	memory := tree.NewOverlay(tree.NewOverlay(tree.Disk()))
	memory.Remove("/t")
	memory.Write("/t/.git/HEAD", nil)
	archives := map[string]*bytes.Buffer{}
	writers := map[string]*zip.Writer{}
	for line := range strings.Lines(settings) {
		name, isZip := strings.CutPrefix(strings.TrimSpace(line), "zip ")
		if isZip {
			archives[name] = new(bytes.Buffer)
			writers[name] = zip.NewWriter(archives[name])
		}
	}
	for _, f := range files {
		dir, member, _ := strings.Cut(f.Name, "/")
		if writers[dir] == nil {
			memory.Write("/t/"+f.Name, f.Data)
			continue
		}
		w, err := writers[dir].Create(member)
		if err == nil {
			_, err = w.Write(bytes.TrimSuffix(f.Data, []byte("\n")))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, w := range writers {
		err := w.Close()
		if err != nil {
			t.Fatal(err)
		}
		memory.Write("/t/"+name, archives[name].Bytes())
	}
	var lines []string
	add := func(file string, line, column int, format string, args ...any) {
		lines = append(lines, fmt.Sprintf("%s:%d:%d ", file, line, column)+fmt.Sprintf(format, args...))
	}
	o := audit.Options{Tree: memory, Dir: "/t", Paths: []string{"."}}
	o.Unjudged = func(u *audit.Unjudged) {
		add(u.File, u.Pos.Line, u.Pos.Column, "not judged: %s", u.Why.String())
	}
	for line := range strings.Lines(settings) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "tests":
			o.Tests = true
		case "orphans":
			o.Orphans = true
		case "schemes":
			o.Schemes = true
		case "root":
			o.Root = rest
		case "slugs":
			o.Slugs = rest
		case "site":
			url, dir, _ := strings.Cut(rest, "=")
			o.Sites = append(o.Sites, audit.Site{URL: url, Dir: dir})
		case "args":
			o.Paths = strings.Fields(rest)
		case "targets":
			o.Followed = func(f *audit.Followed) {
				add(strings.TrimPrefix(f.Path, "/t/"), f.Pos.Line, f.Pos.Column, "leads to %q", strings.TrimPrefix(f.Target, "/t/"))
			}
		case "zip", "":
		default:
			t.Fatalf("%q is not a setting", line)
		}
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
