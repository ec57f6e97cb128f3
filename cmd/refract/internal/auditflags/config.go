package auditflags

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/config"
	"example.org/refract/internal/option"
)

// maxBaseline limits the size of a baseline in bytes.
const maxBaseline = 64 << 20

// configure sets the flags that a configuration file sets and the command line does not. File names
// in it are relative to the file. The result is nil if there is no file.
func (v *Repeat) configure(cmd *cobra.Command, options *audit.Options) (*configuration, error) {
	c := &configuration{cmd: cmd, options: options, flags: v, name: v.Config}
	switch {
	case v.noConfig && c.name != "":
		return nil, errors.New("--config and --no-config cannot be used together")
	case v.noConfig:
		return nil, nil
	case c.name == "":
		c.name = v.FindConfig()
	}
	if c.name == "" {
		return nil, nil
	}
	read, text, err := config.Read(v.in(c.name), v.Config != "")
	switch {
	case err != nil && v.Config != "":
		return nil, fmt.Errorf("--config %q: %w", c.name, err)
	case err != nil:
		return nil, c.fail(err)
	}
	c.Settings = read
	if err := c.Parse(text); err != nil {
		return nil, c.fail(err)
	}
	return c, c.apply(c.Values, func(cli.Flag) bool { return true })
}

// apply sets the flags that values has and wanted accepts.
func (c *configuration) apply(values map[string]config.Value, wanted func(cli.Flag) bool) error {
	c.flags.configured.file = c.name
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if !wanted(c.flags.answer(key)) {
			continue
		}
		if err := c.set(key, values[key]); err != nil {
			return err
		}
	}
	return c.flags.Env.ReadRules() // --resolution and the flags that adjust them
}

// blame adds the name of the configuration file to err, if it begins with a flag that the file sets.
func (v *Repeat) blame(err error) error {
	if err == nil {
		return nil
	}
	flag, _, _ := strings.Cut(err.Error(), " ")
	if slices.Contains(v.configured.flags, strings.TrimPrefix(flag, "--")) {
		return fmt.Errorf("%s: %w", cli.OneLine(filepath.ToSlash(v.configured.file)), err)
	}
	return err
}

// A configuration is a file that sets flags of a command.
type configuration struct {
	cmd     *cobra.Command
	options *audit.Options
	flags   *Repeat
	name    string      // relative to flags.dir, or absolute
	of      *comparison // nil: it is that of the work tree
	config.Settings
}

// fail adds the name of the file to err.
func (c *configuration) fail(err error) error {
	return fmt.Errorf("%s: %w", cli.OneLine(filepath.ToSlash(c.name)), err)
}

// set sets the flag called key, unless the command line sets it.
func (c *configuration) set(key string, value config.Value) error {
	at := func(err error) error { return c.fail(fmt.Errorf("line %d: %s: %w", value.Line, key, err)) }
	if err := c.permit(key); err != nil {
		return c.fail(fmt.Errorf("line %d: %w", value.Line, err))
	}
	pairs, isMapping, err := value.Pairs()
	switch {
	case value.IsNull:
		return nil
	case key == "forbid" || key == "overrides":
		return c.setEntries(key, value)
	case isMapping && takesPairs(c.flags.answer(key).Holds):
		value.List, value.Err = pairs, err
	}
	if value.Err != nil {
		return at(value.Err)
	}
	list := slices.Clone(value.List)
	if err := c.confine(key, list); err != nil {
		return at(err)
	}
	dir := filepath.Dir(c.flags.in(c.name))
	if key == "paths" {
		for _, p := range list {
			c.flags.Paths = append(c.flags.Paths, c.flags.below(dir, p))
		}
		return nil
	}
	f := c.cmd.Flags().Lookup(key)
	if f == nil || f.Changed {
		return nil // not applicable to an editor, or set
	}
	c.relocate(key, list, dir)
	c.flags.configured.flags = append(c.flags.configured.flags, key)
	if many, ok := f.Value.(pflag.SliceValue); ok {
		if err := many.Replace(list); err != nil {
			return at(err)
		}
		f.Changed = true
		return nil
	}
	if len(list) != 1 {
		return at(errors.New("give one value"))
	}
	if err := c.cmd.Flags().Set(key, list[0]); err != nil {
		return at(err)
	}
	return nil
}

// permit returns an error if the configuration may not set the flag called key.
func (c *configuration) permit(key string) error {
	switch by := c.flags.answer(key).Config; {
	case by == cli.Unanswered:
		if near := option.Near(key, c.flags.keys()); near != "" {
			return fmt.Errorf("%q is not a flag of %s: did you mean %q?", key, c.cmd.Name(), near)
		}
		fallthrough
	case by == cli.Never:
		return fmt.Errorf("%q is not a flag of %s: see %s --help", key, c.cmd.Name(), c.cmd.CommandPath())
	case by == cli.Named && c.flags.Config == "":
		return fmt.Errorf("%q is only for a configuration that you name: give --%s, or --config %s if you trust the file", key, key, filepath.ToSlash(c.name))
	}
	return nil
}

// confine returns an error if the values of a flag point out of what the configuration may name.
func (c *configuration) confine(key string, list []string) error {
	if c.flags.Config != "" {
		return nil
	}
	instead := "give --" + key
	if key == "paths" {
		instead = "give it as an argument"
	}
	for _, value := range list {
		if err := c.Inside.Check(c.flags.answer(key).Holds, value, c.Dir); err != nil {
			return fmt.Errorf("%w: %s, or --config %s if you trust the file", err, instead, filepath.ToSlash(c.name))
		}
	}
	return nil
}

// keys returns what a configuration that refract finds may set.
func (v *Repeat) keys() []string {
	names := []string{"paths", "overrides"}
	for _, f := range slices.Concat(v.List, v.Env.Root.Sub("audit").List) {
		if f.Config == cli.Found && f.Var != nil {
			names = append(names, f.Name)
		}
	}
	return names
}

// answer returns the flag called name of the command or of "refract audit", whose configuration the other
// commands share. It returns the zero Flag for any other name.
func (v *Repeat) answer(name string) cli.Flag {
	if name == "paths" {
		return cli.Flag{Name: name, Config: cli.Found, Holds: config.AnyFile, OfRevision: true}
	}
	if name == "overrides" {
		return cli.Flag{Name: name, Config: cli.Found, OfRevision: true}
	}
	for _, list := range [][]cli.Flag{v.List, v.Env.Root.List, v.Env.Root.Sub("audit").List} {
		isOwn := &list[0] != &v.Env.Root.List[0]
		for _, f := range list {
			if f.Name == name && f.Var != nil && (isOwn || f.Shared) {
				return f
			}
		}
	}
	return cli.Flag{}
}

// relocate makes the file names in the values of a flag relative to c.flags.dir.
func (c *configuration) relocate(key string, list []string, dir string) {
	if key == "glob" {
		c.options.GlobDir = dir
		return
	}
	for i, value := range list {
		switch c.flags.answer(key).Holds {
		case config.File, config.Directory:
			list[i] = c.flags.below(dir, value)
		case config.BuildDir:
			url, name := config.CutBuild(value)
			list[i] = c.flags.below(dir, name)
			if url != "" {
				list[i] = url + "=" + list[i]
			}
		case config.RootDir:
			below, name, isBelow := config.CutRoot(value)
			list[i] = c.flags.below(dir, name)
			if isBelow {
				list[i] = c.flags.below(dir, below) + "=" + list[i]
			}
		case config.SiteDir:
			if eq := strings.LastIndexByte(value, '='); eq >= 0 {
				list[i] = value[:eq+1] + c.flags.below(dir, value[eq+1:])
			}
		}
	}
}

// in returns a name that is relative to v.dir in a form that can be opened.
func (v *Repeat) in(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(v.Dir, name)
}

// FindConfig returns the nearest configuration file, from v.dir up to the top of the repository. The name
// is relative to v.dir; "" means that there is none, or that none is wanted.
func (v *Repeat) FindConfig() string {
	if v.noConfig {
		return ""
	}
	return config.Find(v.Dir)
}

// below resolves a relative name against dir, and returns it relative to v.dir.
func (v *Repeat) below(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	name = filepath.Join(dir, filepath.FromSlash(name))
	full, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	here, err := filepath.Abs(v.Dir)
	if err != nil {
		return name
	}
	full = filepath.FromSlash(cli.PlacesOf(here, nil).Name(full)) // dir is without symbolic links, and v.Dir need not be
	rel, err := filepath.Rel(here, full)
	switch {
	case rel == "-": // which would be standard input
		return full
	case err == nil:
		return rel
	}
	return name
}
