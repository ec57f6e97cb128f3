// Package dialect decides which site generator's Markdown dialect to use for a document.
package dialect

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"example.org/refract/extract"
	"example.org/refract/extract/markdown"
	"example.org/refract/internal/input"
	"example.org/refract/internal/site"
	"example.org/refract/internal/slash"
)

// Set selects how to read the Markdown in directories: a source of a site is read as the
// site's generator reads it. A file that is named on the command line is read on its own. Methods
// may be called concurrently.
type Set struct {
	mu     sync.Mutex
	Finder *site.Finder      // nil: read all files in the same way
	tops   []string          // absolute paths; outside of repositories, a project does not extend above them
	roots  map[string]string // project roots by directory; "" means none
}

// Given notes the arguments of a run. The project of an argument "docs" is the directory that
// contains docs. Without arguments, the run reads a list of files, which are usually in the working
// directory.
func (d *Set) Given(args []string) {
	if len(args) == 0 {
		args = []string{"."}
	}
	for _, arg := range args {
		if abs, err := filepath.Abs(arg); err == nil {
			if info, err := os.Stat(abs); err == nil && info.IsDir() {
				d.tops = append(d.tops, path.Dir(slash.Path(abs)))
			}
		}
	}
}

// Set configures how a file is read. It finds bare links in all dialects, because even those that
// the generator leaves as text are references.
func (d *Set) Set(cfg *extract.Config, file input.File) {
	if d.Finder == nil || file.Named || cfg.Type != "" {
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
	abs = slash.Path(abs)
	d.mu.Lock()
	defer d.mu.Unlock()
	root, ok := d.root(path.Dir(abs))
	if !ok {
		return
	}
	cfg.Markdown = d.Finder.DialectOf(abs, root)
	cfg.Markdown.Bare = markdown.BareGitHub
	cfg.MDX = cfg.MDX || cfg.Markdown.MDX
}

// root returns the root of the project that dir belongs to: its repository, or the directory that
// contains the argument.
func (d *Set) root(dir string) (root string, ok bool) {
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
