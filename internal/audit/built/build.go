// Package built reads the output of a site generator: which URLs it serves, which ids its pages have, and
// what their links point to. It knows no generator and no source; package buildmatch compares a build with
// the sources.
//
//	build.go    directories and their files
//	page.go     what is kept of each page
//	zone.go     the parts of a page: its content, its navigation, its headings
//	link.go     the links of one page, and their targets
//	lookup.go   what is served at a URL
//	prefix.go   below which URL a build is published
//	payload.go  scripts and data beside the pages that name their sources
//	anchor.go   the ids of one page, and its headings
//	copy.go     copies of sources beside the pages
//	whole.go    whether a build is complete
package built

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"example.org/refract/internal/each"
	"example.org/refract/internal/input"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// Bounds of a build. What is beyond them is counted, and nothing is concluded from it.
const (
	maxFiles  = 1 << 20  // files and directories of one build
	maxLinked = 1 << 10  // directories that symbolic links point to: these can make far more than there are
	maxDepth  = 64       // nested directories
	maxPage   = 64 << 20 // bytes of a page: ids and links of a larger one are unknown
	maxIDs    = 16 << 20 // ids of all pages together, at 8 bytes each
)

// A Dir is a directory with the output of a build.
type Dir struct {
	Path  string // absolute
	Shown string // as shown to users
	URL   string // at which it is published; "": its pages may show the path
	// Around are the directories, besides Path, that may hold rules of the host.
	Around []string
}

// A Build is one or several directories that have been read.
type Build struct {
	Sites []*Site
	ids   atomic.Int64 // that may still be kept
}

// A Site is one directory of a Build.
type Site struct {
	Dir
	Origin string // "https://docs.example.org"; "" if it is not known
	Prefix string // path below which the directory is published: "/" or "/docs/"
	Pages  []*Page
	Newest time.Time // of its pages
	// IsPartial says that not all files could be listed, so a file that is not found may still exist.
	IsPartial bool
	// Unserved is the number of URLs in sitemap.xml that the build does not have, if there are so many that a
	// part of it is missing.
	Unserved int

	build  *Build
	files  map[string]int32 // by path below Dir: index in Pages, or -1
	dirs   map[string]bool
	linked int               // directories that symbolic links point to
	lower  map[string]string // a file by its path in lower case
	hosts  *site.HostRules
	// lacksSlash says that links to directories have no slash at their ends, so relative links of their pages
	// may be relative to the parent directories.
	lacksSlash bool
	fs         input.Tree
}

// Read reads the files below dirs, jobs pages at a time.
func Read(ctx context.Context, files input.Tree, jobs int, dirs []Dir) *Build {
	b := &Build{}
	b.ids.Store(maxIDs)
	for _, d := range dirs {
		s := &Site{Dir: d, build: b, files: map[string]int32{}, dirs: map[string]bool{}, lower: map[string]string{}, fs: files}
		s.list("", 0)
		b.Sites = append(b.Sites, s)
	}
	for _, s := range b.Sites {
		votes := newVotes(s)
		each.With(ctx, jobs, s.Pages, func() func(*Page) {
			r := newReader(s, votes)
			return r.read
		})
		s.place(votes)
		s.findCut()
		s.findUnserved()
		s.hosts = site.NewHostRules(files, s.Origin, append([]string{s.Path}, s.Around...))
		for _, p := range s.Pages {
			if p.Time.After(s.Newest) {
				s.Newest = p.Time
			}
		}
	}
	return b
}

// list adds the files of a directory, given its path below s.Path.
func (s *Site) list(rel string, depth int) {
	entries, err := s.fs.ReadDir(path.Join(s.Path, rel) + "/")
	if err != nil || depth > maxDepth {
		s.IsPartial = true
		return
	}
	for _, e := range entries {
		if len(s.files)+len(s.dirs) >= maxFiles {
			s.IsPartial = true
			return
		}
		name := path.Join(rel, e.Name())
		mode := e.Type()
		var info fs.FileInfo
		if mode&fs.ModeSymlink != 0 {
			info, err = s.fs.Stat(s.Path + "/" + name)
			if err != nil {
				s.IsPartial = true
				continue
			}
			mode = info.Mode().Type()
			if mode.IsDir() && s.isCycle(name, rel) {
				continue
			}
			if mode.IsDir() {
				s.linked++
			}
			if s.linked > maxLinked {
				s.IsPartial = true
				return
			}
		}
		switch {
		case mode.IsDir():
			s.dirs[name] = true
			s.list(name, depth+1)
		case mode.IsRegular():
			s.addFile(name, e, info)
		}
	}
}

// isCycle reports whether a symbolic link to a directory points to one that it is in.
func (s *Site) isCycle(name, dir string) bool {
	real, err := s.fs.Real(s.Path + "/" + name)
	if err != nil {
		return true
	}
	here, err := s.fs.Real(path.Join(s.Path, dir) + "/")
	return err != nil || source.Below(strings.TrimSuffix(here, "/"), real)
}

func (s *Site) addFile(name string, e fs.DirEntry, info fs.FileInfo) {
	s.files[name] = -1
	if low := strings.ToLower(name); low != name {
		s.lower[low] = name
	}
	if !isHTML(name) {
		return
	}
	s.files[name] = int32(len(s.Pages))
	p := &Page{Site: s, Name: name}
	if info == nil {
		info, _ = e.Info()
	}
	if info != nil {
		p.Time, p.size = info.ModTime(), info.Size()
	}
	s.Pages = append(s.Pages, p)
}

// isHTML reports whether a file is a page, by its name.
func isHTML(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".html", ".htm", ".xhtml":
		return true
	}
	return false
}

// Pages returns the number of pages.
func (b *Build) Pages() (n int) {
	for _, s := range b.Sites {
		n += len(s.Pages)
	}
	return n
}

// holds reports whether an absolute path is in one of the directories.
func (b *Build) holds(p string) bool {
	return slices.ContainsFunc(b.Sites, func(s *Site) bool { return source.Below(p, s.Path) })
}
