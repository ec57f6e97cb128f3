package auditflags

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"

	"example.org/refract/cmd/refract/internal/git"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/slash"
)

// findings audits the tree of the commit in temp, an empty directory. It returns the findings under
// the current file names.
func (c *comparison) findings(args []string, temp string) (*audit.Baseline, error) {
	temp, err := filepath.EvalSymlinks(temp)
	if err != nil {
		return nil, err
	}
	r := revision{top: c.top, tree: filepath.Join(temp, "tree")}
	if err := export(c.top, nil, c.commit, r.tree, filepath.Join(temp, "index")); err != nil {
		return nil, err
	}
	renamed, err := renames(c.top, c.commit)
	if err != nil {
		return nil, err
	}
	for _, arg := range args {
		if err := r.add(arg, renamed); err != nil {
			return nil, err
		}
	}
	if len(r.paths)+len(r.moved) == 0 { // all of what is audited is new
		return new(audit.Baseline), nil
	}
	links := new(audit.IDLinks)
	known, report, err := r.audit(c.before, links)
	if err == nil {
		c.inventory, err = c.published(&r, report, links, renamed)
	}
	return known, err
}

// A revision is the tree of a commit, with the paths in it to audit.
type revision struct {
	top  string // top directory of the repository
	tree string // directory with the files of the commit

	paths, now []string          // paths to audit in tree, and their absolute names today
	moved      map[string]string // further files in tree to audit, and their names today
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
	rel, err = filepath.Rel(filepath.FromSlash(r.top), full)
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
	dir := filepath.Join(r.tree, rel)
	for from, to := range renamed {
		was, is := filepath.Join(r.tree, filepath.FromSlash(from)), filepath.Join(r.tree, filepath.FromSlash(to))
		if isIn(is, dir) && doc.IsDocument(from) {
			if r.moved == nil {
				r.moved = map[string]string{}
			}
			r.moved[was] = full + strings.TrimPrefix(is, dir)
		}
	}
	if _, err := os.Lstat(dir); err == nil {
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
	dir := filepath.Join(r.tree, rel)
	os.MkdirAll(dir, 0o777)
	return dir
}

// audit returns the findings in the tree, under the current file names. links takes what links to ids.
func (r *revision) audit(options audit.Options, links *audit.IDLinks) (*audit.Baseline, *audit.Report, error) {
	if options.Root != "" {
		options.Root = r.directory(options.Root)
	}
	var sites []audit.Site
	for _, s := range options.Sites {
		sites = append(sites, audit.Site{URL: s.URL, Dir: r.directory(s.Dir)})
	}
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
	return filepath.FromSlash(r.top) + strings.TrimPrefix(name, r.tree) // of the configuration of a site
}

// isIn reports whether path is dir or is below it.
func isIn(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, dir+string(filepath.Separator))
}

// export writes the tree of a commit of the repository at top into dir, and the trees of those
// submodules that are checked out. index names a temporary index file for git.
func export(top string, env []string, commit, dir, index string) error {
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o777); err != nil {
		return err
	}
	env = append(append(env, git.NoFilters(top, env)...), "GIT_INDEX_FILE="+index)
	if _, err := git.Output(top, env, "read-tree", commit); err != nil {
		return err
	}
	if _, err := git.Output(top, env, "checkout-index", "--all", "--prefix="+filepath.ToSlash(dir)+"/"); err != nil {
		return err
	}
	if _, err := os.Lstat(filepath.Join(dir, ".gitmodules")); err != nil {
		return nil
	}
	files, err := git.Output(top, env, "ls-files", "--stage", "-z")
	for entry := range strings.SplitSeq(files, "\x00") {
		about, name, _ := strings.Cut(entry, "\t") // "160000 <commit> 0"
		if fields := strings.Fields(about); len(fields) == 3 && fields[0] == "160000" {
			sub := filepath.Join(top, filepath.FromSlash(name))
			own := []string{"GIT_DIR=" + filepath.Join(sub, ".git"), "GIT_WORK_TREE=" + sub}
			if _, err := os.Lstat(filepath.Join(sub, ".git")); err == nil {
				// That commit may not have been fetched; then everything in it counts as new.
				export(sub, own, fields[1], filepath.Join(dir, filepath.FromSlash(name)), index+"x")
			}
		}
	}
	return err
}

// renames returns the files that have been renamed since commit, as a map from old to current
// names.
func renames(top, commit string) (map[string]string, error) {
	// Git would look into submodules with their own configuration, and without the settings of package git.
	out, err := git.Output(top, git.NoFilters(top, nil), "diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all",
		"--name-status", "-z", "--find-renames", "--diff-filter=R", commit, "--")
	if err != nil {
		return nil, err
	}
	to := map[string]string{}
	for fields := strings.Split(out, "\x00"); len(fields) >= 3; fields = fields[3:] {
		to[fields[1]] = fields[2]
	}
	return to, nil
}
