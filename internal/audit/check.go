package audit

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/extract"
	"example.org/refract/internal/audit/forbid"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/input"
	"example.org/refract/internal/option"
	"example.org/refract/internal/site/gen"
	"example.org/refract/internal/slash"
)

// Check returns an [option.Error] about the first invalid option: a name that does not exist, a malformed
// pattern, a Dir that is no directory, or nothing to audit. Run checks by itself whether Root and Sites
// name directories; without Check, empty Paths and unknown rules give an audit without findings.
func (o *Options) Check() error {
	if err := o.checkPlaces(); err != nil {
		return err
	}
	for _, globs := range []struct {
		option string
		list   []string
	}{{"Globs", o.Globs}, {"Ignore", o.Ignore}} {
		for _, glob := range globs.list {
			if err := input.CheckGlob(glob); err != nil {
				return option.Bad(globs.option, glob, "%w", err)
			}
		}
	}
	if o.Jobs < 0 {
		return &option.Error{Name: "Jobs", Value: strconv.Itoa(o.Jobs), Cause: errors.New("must not be negative")}
	}
	if err := publish.CheckSlugs(o.Slugs); err != nil {
		return err
	}
	if err := gen.CheckName(o.Generator); err != nil {
		return err
	}
	if err := checkRules("Only", o.Only); err != nil {
		return err
	}
	if err := checkRules("Without", o.Without); err != nil {
		return err
	}
	if i := slices.IndexFunc(o.Suffixes, func(s string) bool { return !strings.Contains(s, ".") }); i >= 0 {
		return option.Bad("Suffixes", o.Suffixes[i], "give suffixes with their dot, such as .md,.html")
	}
	if err := checkOverrides(o.Overrides); err != nil {
		return err
	}
	if _, err := forbid.New(o.Forbid); err != nil {
		return err
	}
	formats := extract.Config{Formats: o.Formats, Containers: o.Containers}
	var bad *option.Error
	if errors.As(formats.Validate(), &bad) {
		return bad
	}
	return nil
}

// checkPlaces checks Dir and Paths.
func (o *Options) checkPlaces() error {
	if o.Paths != nil && len(o.Paths) == 0 {
		return &option.Error{Name: "Paths", Value: "[]", Cause: errors.New("nothing to audit: name files or directories, or leave it nil for Dir")}
	}
	if slices.Contains(o.Paths, "") {
		return option.Bad("Paths", "", `name a file or directory: "." is Dir`)
	}
	if o.Dir == "" {
		return nil
	}
	t := o.Tree
	if t == nil {
		t = tree.Disk()
	}
	info, err := t.Stat(input.Join(tree.WorkingDir(t), o.Dir))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return option.Bad("Dir", o.Dir, "%w: name the directory of the documents", tree.Cause(err))
	case err != nil:
		return option.Bad("Dir", o.Dir, "%w", tree.Cause(err))
	case !info.IsDir():
		return option.Bad("Dir", o.Dir, "not a directory: to audit one file, name it in Paths")
	}
	return nil
}

func checkRules(name string, rules []rule.Rule) error {
	var all []string
	for _, r := range rule.Rules() {
		all = append(all, string(r))
	}
	for _, r := range rules {
		if !slices.Contains(all, string(r)) {
			return option.NotOneOf(name, string(r), all)
		}
	}
	return nil
}

// rename replaces the names of files and directories in o but Dir. It changes no slice of the caller.
func (o *Options) rename(name func(string) string) {
	for _, dir := range []*string{&o.Root, &o.GlobDir} {
		if *dir != "" {
			*dir = name(*dir)
		}
	}
	o.Roots, o.Overrides = slices.Clone(o.Roots), slices.Clone(o.Overrides)
	for i := range o.Roots {
		r := &o.Roots[i]
		r.Below, r.Dir = name(r.Below), name(r.Dir)
	}
	for i := range o.Overrides {
		if o.Overrides[i].Dir != "" {
			o.Overrides[i].Dir = name(o.Overrides[i].Dir)
		}
	}
	o.Paths, o.Outputs, o.Sites, o.Built = slices.Clone(o.Paths), slices.Clone(o.Outputs), slices.Clone(o.Sites), slices.Clone(o.Built)
	for _, list := range [][]string{o.Paths, o.Outputs} {
		for i, p := range list {
			if p != "" && p != "-" {
				list[i] = name(p)
			}
		}
	}
	for _, sites := range [][]Site{o.Sites, o.Built} {
		for i := range sites {
			if sites[i].Dir != "" {
				sites[i].Dir = name(sites[i].Dir)
			}
		}
	}
}

// Spell replaces the names of directories and files in o by their spelling on disk: see [tree.Spelled].
// Without it, where the file system ignores case, "docs" is not the directory "Docs" that links point to. A
// directory that has two paths, because a parent directory is a symlink, gets one: see [tree.Places].
func (o *Options) Spell() {
	t := o.Tree
	if t == nil {
		t = tree.Disk()
	}
	dir := tree.Absolute(cmp.Or(tree.WorkingDir(t), "/"), o.Dir)
	if is := tree.Spelled(t, "", dir); is != dir {
		o.Dir, dir = is, is
	}
	o.rename(func(name string) string { return tree.Spelled(t, dir, name) })
	places := tree.NewPlaces(t, dir)
	for i, name := range o.Paths {
		o.Paths[i] = places.Argument(name)
	}
	paths := o.Paths
	o.rename(places.Name)
	o.Paths = paths
}

// useSlashes replaces backslashes of Windows in the names of o, which package path does not understand.
func (o *Options) useSlashes() {
	o.Dir = slash.Path(o.Dir)
	o.rename(slash.Path)
}
