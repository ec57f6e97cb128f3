package main

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"example.org/refract/audit/site"
	"example.org/refract/extract"
	"example.org/refract/extract/markdown"
	"example.org/refract/internal/input"
)

// dialects know how the Markdown of directories is read: as the generator of the site does
// that it is a source of. What is named is read by itself. The methods may be called by
// several goroutines at once.
type dialects struct {
	mu     sync.Mutex
	finder *site.Finder      // nil: all is read in the same way
	tops   []string          // absolute, in which a project is complete outside of repositories
	roots  map[string]string // of projects, by directory; "" is none
}

// given notes the arguments of a run. Of "docs", the project is what holds docs. Without
// arguments there is a list of files, as a rule of the working directory.
func (d *dialects) given(args []string) {
	if len(args) == 0 {
		args = []string{"."}
	}
	for _, arg := range args {
		if abs, err := filepath.Abs(arg); err == nil {
			if info, err := os.Stat(abs); err == nil && info.IsDir() {
				d.tops = append(d.tops, path.Dir(filepath.ToSlash(abs)))
			}
		}
	}
}

// set sets how a file is read. Links that stand bare in text are found in all dialects:
// also those that the generator leaves as text are references.
func (d *dialects) set(cfg *extract.Config, file input.File) {
	if d.finder == nil || file.Named || cfg.Type != "" {
		return
	}
	f := cfg.FormatOfName(file.Path)
	if f == nil || f.Fragments != extract.GeneratedFragments {
		return
	}
	abs, err := filepath.Abs(file.Path)
	if err != nil {
		return
	}
	abs = filepath.ToSlash(abs)
	d.mu.Lock()
	defer d.mu.Unlock()
	root, ok := d.root(path.Dir(abs))
	if !ok {
		return
	}
	cfg.Markdown = d.finder.DialectOf(abs, root)
	cfg.Markdown.Bare = markdown.BareGitHub
	cfg.MDX = cfg.MDX || cfg.Markdown.MDX
}

// root returns the directory of the project that a directory is in: its repository, or
// what holds the argument.
func (d *dialects) root(dir string) (root string, ok bool) {
	if root, ok = d.roots[dir]; ok {
		return root, root != ""
	}
	if _, err := os.Lstat(filepath.FromSlash(dir + "/.git")); err == nil {
		root = dir
	} else if up := path.Dir(dir); up != dir {
		if root, ok = d.root(up); !ok {
			for _, top := range d.tops {
				if (dir == top || strings.HasPrefix(dir, strings.TrimSuffix(top, "/")+"/")) && len(top) > len(root) {
					root = top
				}
			}
		}
	}
	if d.roots == nil {
		d.roots = map[string]string{}
	}
	d.roots[dir] = root
	return root, root != ""
}
