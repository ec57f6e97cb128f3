package auditflags

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"example.org/refract/cmd/refract/internal/git"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/input"
	"example.org/refract/internal/slash"
)

// findings audits the tree of the commit. It returns the findings under the current file names. temp is a
// directory for large files.
func (c *comparison) findings(args []string, temp string) (*audit.Baseline, error) {
	defer c.commit.Close()
	// A picture may be missing: what the commit says and publishes is in its documents and configurations.
	files, err := c.commit.Tree(temp, doc.IsPicture)
	if err != nil {
		return nil, err
	}
	r := revision{top: filepath.Clean(c.commit.Top), files: files}
	known, err := c.audit(&r, args)
	return known, errors.Join(err, r.files.Close())
}

// audit adds the arguments to r, and audits them.
func (c *comparison) audit(r *revision, args []string) (*audit.Baseline, error) {
	for _, arg := range args {
		if err := r.add(arg, c.commit.Renamed); err != nil {
			return nil, err
		}
	}
	if len(r.paths)+len(r.moved) == 0 { // all of what is audited is new
		return new(audit.Baseline), nil
	}
	links := new(audit.IDLinks)
	before := c.before
	before.Contents, before.Doubts = &c.contents, true // as today's audit
	known, report, err := r.audit(before, links)
	c.contents.Finish()
	if err == nil {
		c.inventory = r.published(report, links, c.commit)
	}
	return known, err
}

// A revision is the tree of a commit, with the paths in it to audit.
type revision struct {
	top   string          // top directory of the repository, clean
	files *git.CommitTree // in which it has the files of the commit

	paths, now []string          // paths to audit, below top, and their absolute names as arguments name them
	moved      map[string]string // further files to audit, and their names today
}

// within returns the path of name relative to the repository, after following symbolic links.
func (r *revision) within(name string) (rel string, ok bool) {
	full, err := filepath.Abs(name)
	if err != nil {
		return "", false
	}
	if real, err := filepath.EvalSymlinks(full); err == nil {
		full = real
	}
	rel, err = filepath.Rel(r.top, full)
	return rel, err == nil && filepath.IsLocal(rel)
}

// add adds the contents of arg at the commit, and the files that have moved into arg since then.
// renamed maps the old names of moved files to the new ones.
func (r *revision) add(arg string, renamed map[string]string) error {
	rel, ok := r.within(arg)
	if !ok {
		return fmt.Errorf("%q is not in the repository", arg)
	}
	full, err := filepath.Abs(arg)
	if err != nil {
		return err
	}
	dir := filepath.Join(r.top, rel)
	for from, to := range renamed {
		was, is := filepath.Join(r.top, filepath.FromSlash(from)), filepath.Join(r.top, filepath.FromSlash(to))
		if isIn(is, dir) && doc.IsDocument(from) {
			if r.moved == nil {
				r.moved = map[string]string{}
			}
			r.moved[was] = full + strings.TrimPrefix(is, dir)
		}
	}
	if _, err := r.files.Lstat(slash.Path(dir)); err == nil {
		r.paths, r.now = append(r.paths, dir), append(r.now, full)
	}
	return nil
}

// directory returns the directory in the tree that corresponds to name. If the commit does not have
// it, directory creates it, empty.
func (r *revision) directory(name string) string {
	rel, ok := r.within(name)
	if !ok {
		return name
	}
	r.files.AddDir(slash.Path(rel))
	return filepath.Join(r.top, rel)
}

// audit returns the findings in the tree, under the current file names. links takes what links to ids.
func (r *revision) audit(options audit.Options, links *audit.IDLinks) (*audit.Baseline, *audit.Report, error) {
	if options.Root != "" {
		options.Root = r.directory(options.Root)
	}
	options.Roots, options.Overrides = slices.Clone(options.Roots), slices.Clone(options.Overrides)
	for i := range options.Roots {
		options.Roots[i] = audit.Root{Below: r.directory(options.Roots[i].Below), Dir: r.directory(options.Roots[i].Dir)}
	}
	for i := range options.Overrides {
		options.Overrides[i].Dir = r.directory(options.Overrides[i].Dir)
	}
	var sites []audit.Site
	for _, s := range options.Sites {
		sites = append(sites, audit.Site{URL: s.URL, Dir: r.directory(s.Dir)})
	}
	options.Tree, options.Dir = r.files, input.WorkingDir()
	options.Sites, options.Cache, options.Baseline, options.Progress, options.Followed = sites, nil, nil, nil, links.Take
	options.GlobDir = r.directory(options.GlobDir)
	options.Paths = slices.Concat([]string{}, r.paths, slices.Collect(maps.Keys(r.moved)))
	known := new(audit.Baseline)
	report, err := audit.Run(context.Background(), options, func(f *audit.Finding) {
		known.Add(slash.Path(r.today(f.Path)), f)
	})
	return known, report, err
}

// today returns the name today of a file in the tree.
func (r *revision) today(name string) string {
	if today, ok := r.moved[name]; ok {
		return today
	}
	if i := slices.IndexFunc(r.paths, func(p string) bool { return isIn(name, p) }); i >= 0 {
		return r.now[i] + strings.TrimPrefix(name, r.paths[i])
	}
	return name // of the configuration of a site
}

// isIn reports whether path is dir or is below it.
func isIn(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, dir+string(filepath.Separator))
}
