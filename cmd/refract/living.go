package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"example.org/refract/audit"
)

// living is what those set who audit the same tree every day.
type living struct {
	config        string
	baseline      string
	writeBaseline string
	changedSince  string
	cache         string
	paths         []string // of the configuration, in place of arguments
	dir           string   // absolute, that names are relative to; "" is the working directory
}

// flags adds those that a run of audit has, and no editor.
func (v *living) flags(l *pflag.FlagSet) {
	l.StringVar(&v.writeBaseline, "write-baseline", "", "write what is found to `FILE`, and report nothing")
	l.StringVar(&v.changedSince, "changed-since", "", "only what changes since `REVISION` of git have caused, in any document")
	l.StringVar(&v.cache, "cache", "", "keep in `FILE` what was read, so that the next run is faster")
}

const configName = ".refract.yaml"

// configure sets the flags that a configuration file gives and the command line does not.
// Names of files in it are relative to it.
func (v *living) configure(cmd *cobra.Command, options *audit.Options) error {
	name := v.config
	if name == "" {
		if name = v.findConfig(); name == "" {
			return nil
		}
	}
	text, err := os.ReadFile(v.in(name))
	if err != nil {
		return fmt.Errorf("--config %q: %w", name, causeOf(err))
	}
	fail := func(err error) error {
		return fmt.Errorf("%s: %w", oneLine(filepath.ToSlash(name)), err)
	}
	var values map[string]yaml.Node
	if err := yaml.Unmarshal(text, &values); err != nil {
		return fail(errors.New(strings.TrimPrefix(strings.Join(strings.Fields(err.Error()), " "), "yaml: ")))
	}
	dir := filepath.Dir(v.in(name))
	for _, key := range slices.Sorted(maps.Keys(values)) {
		node := values[key]
		at := func(err error) error { return fail(fmt.Errorf("line %d: %s: %w", node.Line, key, err)) }
		list, err := valuesOf(&node)
		if err != nil {
			return at(err)
		}
		if node.ShortTag() == "!!null" {
			continue // all of its list is commented out
		}
		if key == "paths" {
			for _, p := range list {
				v.paths = append(v.paths, v.below(dir, p))
			}
			continue
		}
		f := cmd.Flags().Lookup(key)
		if audit, _, err := cmd.Root().Find([]string{"audit"}); f == nil && err == nil && audit.Flags().Lookup(key) != nil {
			continue // which an editor has no use for
		}
		if f == nil || key == "config" || key == "help" || key == "version" {
			return fail(fmt.Errorf("line %d: %q is no flag of %s: see %s --help", node.Line, key, cmd.Name(), cmd.CommandPath()))
		}
		if f.Changed {
			continue
		}
		for i := range list {
			switch key {
			case "baseline", "write-baseline", "cache", "output", "html", "root":
				list[i] = v.below(dir, list[i])
			case "site":
				if eq := strings.LastIndexByte(list[i], '='); eq >= 0 {
					list[i] = list[i][:eq+1] + v.below(dir, list[i][eq+1:])
				}
			case "glob":
				options.GlobDir = dir
			}
		}
		if many, ok := f.Value.(pflag.SliceValue); ok {
			if err := many.Replace(list); err != nil {
				return at(err)
			}
			f.Changed = true
		} else if len(list) != 1 {
			return at(errors.New("give one value"))
		} else if err := cmd.Flags().Set(key, list[0]); err != nil {
			return at(err)
		}
	}
	return cmd.Root().PersistentPreRunE(cmd, nil) // --rules and its knobs
}

// valuesOf returns a value of YAML, or those of a list, as they are written.
func valuesOf(n *yaml.Node) (list []string, err error) {
	switch n.Kind {
	case yaml.ScalarNode:
		return []string{n.Value}, nil
	case yaml.SequenceNode:
		for _, item := range n.Content {
			if item.Kind != yaml.ScalarNode {
				return nil, errors.New("give a list of words")
			}
			list = append(list, item.Value)
		}
		return list, nil
	case yaml.AliasNode:
		return valuesOf(n.Alias)
	}
	return nil, errors.New("give a word, or a list of words")
}

// in returns a name relative to v.dir as one that can be opened.
func (v *living) in(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(v.dir, name)
}

// findConfig returns the nearest configuration file from v.dir upwards, to the top of the
// repository, relative to v.dir; "" is none.
func (v *living) findConfig() string {
	for dir := "."; ; dir = filepath.Join(dir, "..") {
		name := filepath.Join(dir, configName)
		if info, err := os.Stat(v.in(name)); err == nil && info.Mode().IsRegular() {
			return name
		}
		_, err := os.Stat(v.in(filepath.Join(dir, ".git")))
		full, absErr := filepath.Abs(v.in(dir))
		if err == nil || absErr != nil || filepath.Dir(full) == full {
			return ""
		}
	}
}

// below returns name, if it is relative, as one in dir; relative to v.dir.
func (v *living) below(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	name = filepath.Join(dir, filepath.FromSlash(name))
	full, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	here, err := filepath.Abs(v.dir)
	if err != nil {
		return name
	}
	if rel, err := filepath.Rel(here, full); err == nil {
		return rel
	}
	return name
}

func causeOf(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

func (v *living) readBaseline(options *audit.Options) error {
	if v.baseline == "" || v.writeBaseline != "" { // which has all that is found
		return nil
	}
	f, err := os.Open(v.in(v.baseline))
	if err != nil {
		return fmt.Errorf("--baseline %q: %w", v.baseline, causeOf(err))
	}
	defer f.Close()
	if options.Baseline, err = audit.ReadBaseline(f, directoryOf(v.in(v.baseline))); err != nil {
		return fmt.Errorf("--baseline %q: %w", v.baseline, err)
	}
	return nil
}

// prepare reads the cache, and finds what there was before, in an empty directory.
func (v *living) prepare(options *audit.Options, args []string, temp string) error {
	if v.cache != "" {
		options.Cache = new(audit.Cache)
		readCache(options.Cache, v.cache)
	}
	if v.changedSince == "" {
		return nil
	}
	before, err := foundSince(v.changedSince, *options, args, temp)
	if err != nil {
		return fmt.Errorf("--changed-since %q: %w", v.changedSince, err)
	}
	if options.Baseline != nil {
		before.Join(options.Baseline)
	}
	options.Baseline = before
	return nil
}

// readCache reads a cache from a file. It stays empty if that cannot be used.
func readCache(c *audit.Cache, name string) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return // a device might never end
	}
	if f, err := os.Open(name); err == nil {
		c.Read(f, build())
		f.Close()
	}
}

// keep writes what the next run will want: the cache, and the baseline.
func (v *living) keep(options *audit.Options, known *audit.Baseline) error {
	if v.writeBaseline != "" {
		if err := writeFile(v.writeBaseline, func(w io.Writer) error {
			return known.Write(w, directoryOf(v.writeBaseline))
		}); err != nil {
			return fmt.Errorf("--write-baseline %w", err)
		}
	}
	if v.cache != "" && options.Cache.Changed() {
		if err := writeFile(v.cache, func(w io.Writer) error { return options.Cache.Write(w, build()) }); err != nil {
			return fmt.Errorf("--cache %w", err)
		}
	}
	return nil
}

// writeFile writes a file that appears when it is complete.
func writeFile(name string, write func(io.Writer) error) error {
	f := finder{output: name}
	out, commit, err := f.open()
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(out, 64<<10)
	err = write(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = commit()
	}
	f.discard()
	return err
}

// directoryOf returns the directory of a file, absolute and with forward slashes.
func directoryOf(name string) string {
	dir, err := filepath.Abs(filepath.Dir(name))
	if err != nil {
		dir = filepath.Dir(name)
	}
	return filepath.ToSlash(dir)
}

// build names this build of refract, for what only it can read.
func build() string {
	v := version()
	if !strings.Contains(v, "(devel)") && !strings.Contains(v, "+dirty") {
		return v
	}
	if self, err := os.Executable(); err == nil {
		if info, err := os.Stat(self); err == nil {
			v += fmt.Sprintf(" %d %d", info.Size(), info.ModTime().UnixNano())
		}
	}
	return v
}

// foundSince audits the tree of a revision, from which the history of HEAD has gone on, in
// temp, an empty directory, and returns what is found there by the names of today.
func foundSince(rev string, options audit.Options, args []string, temp string) (*audit.Baseline, error) {
	top, err := git("", nil, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	commit, err := git(top, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return nil, errors.New("no such revision (a clone of CI may be shallow: fetch its history)")
	}
	if fork, err := git(top, nil, "merge-base", commit, "HEAD"); err == nil {
		commit = fork
	}
	if temp, err = filepath.EvalSymlinks(temp); err != nil {
		return nil, err
	}
	tree := filepath.Join(temp, "tree")
	if err := export(top, nil, commit, tree, filepath.Join(temp, "index")); err != nil {
		return nil, err
	}
	renamed, err := renames(top, commit)
	if err != nil {
		return nil, err
	}
	// within returns where name is in the repository, symbolic links followed.
	within := func(name string) (rel string, ok bool) {
		full, err := filepath.Abs(name)
		if err != nil {
			return "", false
		}
		if real, err := filepath.EvalSymlinks(full); err == nil {
			full = real
		}
		rel, err = filepath.Rel(filepath.FromSlash(top), full)
		return rel, err == nil && filepath.IsLocal(rel)
	}
	known := new(audit.Baseline)
	var paths, more, now []string // what is audited there, and its name of today
	moved := map[string]string{}  // names of today
	isIn := func(path, dir string) bool {
		return path == dir || strings.HasPrefix(path, dir+string(filepath.Separator))
	}
	for _, arg := range args {
		rel, ok := within(arg)
		if !ok {
			return nil, fmt.Errorf("%q is not in the repository", arg)
		}
		full, err := filepath.Abs(arg)
		if err != nil {
			return nil, err
		}
		dir := filepath.Join(tree, rel)
		for from, to := range renamed { // into what is audited
			was, is := filepath.Join(tree, filepath.FromSlash(from)), filepath.Join(tree, filepath.FromSlash(to))
			if isIn(is, dir) && audit.IsDocument(from) {
				moved[was] = full + strings.TrimPrefix(is, dir)
				more = append(more, was)
			}
		}
		if _, err := os.Lstat(dir); err == nil {
			paths, now = append(paths, dir), append(now, full)
		}
	}
	made := func(name string) string { // the same of a directory, which is empty if it was not there
		rel, ok := within(name)
		if !ok {
			return name
		}
		dir := filepath.Join(tree, rel)
		os.MkdirAll(dir, 0o777)
		return dir
	}
	if options.Root != "" {
		options.Root = made(options.Root)
	}
	var sites []audit.Site
	for _, s := range options.Sites {
		sites = append(sites, audit.Site{URL: s.URL, Dir: made(s.Dir)})
	}
	options.Sites, options.Cache, options.Baseline, options.Progress = sites, nil, nil, nil
	options.GlobDir = made(options.GlobDir)
	options.Paths = slices.Concat([]string{}, paths, more)
	_, err = audit.Run(context.Background(), options, func(f *audit.Finding) {
		today, ok := moved[f.Path]
		if !ok {
			i := slices.IndexFunc(paths, func(p string) bool { return isIn(f.Path, p) })
			today = now[i] + strings.TrimPrefix(f.Path, paths[i])
		}
		known.Add(filepath.ToSlash(today), f)
	})
	return known, err
}

// export writes the tree of a commit of the repository at top into dir, and those of its
// submodules as far as they are there. index is the name of a file for git.
func export(top string, env []string, commit, dir, index string) error {
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o777); err != nil {
		return err
	}
	env = append(env, "GIT_INDEX_FILE="+index)
	if _, err := git(top, env, "read-tree", commit); err != nil {
		return err
	}
	if _, err := git(top, env, "checkout-index", "--all", "--prefix="+filepath.ToSlash(dir)+"/"); err != nil {
		return err
	}
	if _, err := os.Lstat(filepath.Join(dir, ".gitmodules")); err != nil {
		return nil
	}
	files, err := git(top, env, "ls-files", "--stage", "-z")
	for entry := range strings.SplitSeq(files, "\x00") {
		about, name, _ := strings.Cut(entry, "\t") // "160000 <commit> 0"
		if fields := strings.Fields(about); len(fields) == 3 && fields[0] == "160000" {
			sub := filepath.Join(top, filepath.FromSlash(name))
			own := []string{"GIT_DIR=" + filepath.Join(sub, ".git"), "GIT_WORK_TREE=" + sub}
			if _, err := os.Lstat(filepath.Join(sub, ".git")); err == nil {
				// That commit may not have been fetched: then all in it is new.
				export(sub, own, fields[1], filepath.Join(dir, filepath.FromSlash(name)), index+"x")
			}
		}
	}
	return err
}

// renames returns the names of today of files that have another since a commit.
func renames(top, commit string) (map[string]string, error) {
	out, err := git(top, nil, "diff", "--name-status", "-z", "--find-renames", "--diff-filter=R", commit, "--")
	if err != nil {
		return nil, err
	}
	to := map[string]string{}
	for fields := strings.Split(out, "\x00"); len(fields) >= 3; fields = fields[3:] {
		to[fields[1]] = fields[2]
	}
	return to, nil
}

// git runs git in dir, and returns what it says without the last line break. Nothing is
// fetched.
func git(dir string, env []string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GIT_LFS_SKIP_SMUDGE=1", "GIT_NO_LAZY_FETCH=1", "LC_ALL=C"), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		if said := strings.Join(strings.Fields(errs.String()), " "); said != "" {
			err = fmt.Errorf("git: %s", said)
		}
		return "", err
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}
