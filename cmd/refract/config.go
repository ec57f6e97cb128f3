package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"example.org/refract/audit"
)

const configName = ".refract.yaml"

// configure sets the flags that a configuration file sets and the command line does not. File names
// in it are relative to the file.
func (v *repeatFlags) configure(cmd *cobra.Command, options *audit.Options) error {
	c := configuration{cmd: cmd, options: options, flags: v, name: v.config}
	if c.name == "" {
		c.name = v.findConfig()
		if c.name == "" {
			return nil
		}
	}
	text, err := os.ReadFile(v.in(c.name))
	if err != nil {
		return fmt.Errorf("--config %q: %w", c.name, causeOf(err))
	}
	var values map[string]yaml.Node
	err = yaml.Unmarshal(text, &values)
	var notMap *yaml.TypeError
	switch {
	case errors.As(err, &notMap):
		return c.fail(errors.New("give flags and their values, such as root: docs"))
	case err != nil:
		return c.fail(errors.New("not valid YAML: " + strings.TrimPrefix(strings.Join(strings.Fields(err.Error()), " "), "yaml: ")))
	}
	v.configured.file = c.name
	for _, key := range slices.Sorted(maps.Keys(values)) {
		node := values[key]
		if err := c.set(key, &node); err != nil {
			return err
		}
	}
	return v.readRules() // --rules and the flags that adjust them
}

// blame adds the name of the configuration file to err, if it begins with a flag that the file sets.
func (v *repeatFlags) blame(err error) error {
	if err == nil {
		return nil
	}
	flag, _, _ := strings.Cut(err.Error(), " ")
	if slices.Contains(v.configured.flags, strings.TrimPrefix(flag, "--")) {
		return fmt.Errorf("%s: %w", oneLine(filepath.ToSlash(v.configured.file)), err)
	}
	return err
}

// A configuration is a file that sets flags of a command.
type configuration struct {
	cmd     *cobra.Command
	options *audit.Options
	flags   *repeatFlags
	name    string
}

// fail adds the name of the file to err.
func (c *configuration) fail(err error) error {
	return fmt.Errorf("%s: %w", oneLine(filepath.ToSlash(c.name)), err)
}

// set sets the flag called key, unless the command line sets it.
func (c *configuration) set(key string, node *yaml.Node) error {
	at := func(err error) error { return c.fail(fmt.Errorf("line %d: %s: %w", node.Line, key, err)) }
	list, err := valuesOf(node)
	if err != nil {
		return at(err)
	}
	if node.ShortTag() == "!!null" {
		return nil // every item of the list is commented out
	}
	dir := filepath.Dir(c.flags.in(c.name))
	if key == "paths" {
		for _, p := range list {
			c.flags.paths = append(c.flags.paths, c.flags.below(dir, p))
		}
		return nil
	}
	f := c.cmd.Flags().Lookup(key)
	if f == nil && c.isAuditFlag(key) {
		return nil // not applicable to an editor
	}
	if f == nil || key == "config" || key == "help" || key == "version" {
		return c.fail(fmt.Errorf("line %d: %q is not a flag of %s: see %s --help", node.Line, key, c.cmd.Name(), c.cmd.CommandPath()))
	}
	if f.Changed {
		return nil
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

// isAuditFlag reports whether "refract audit" has a flag called key.
func (c *configuration) isAuditFlag(key string) bool {
	audit, _, err := c.cmd.Root().Find([]string{"audit"})
	return err == nil && audit.Flags().Lookup(key) != nil
}

// relocate makes the file names in the values of a flag relative to c.flags.dir.
func (c *configuration) relocate(key string, list []string, dir string) {
	if key == "glob" {
		c.options.GlobDir = dir
		return
	}
	for i, value := range list {
		switch key {
		case "baseline", "write-baseline", "cache", "output", "html", "root":
			list[i] = c.flags.below(dir, value)
		case "site":
			if eq := strings.LastIndexByte(value, '='); eq >= 0 {
				list[i] = value[:eq+1] + c.flags.below(dir, value[eq+1:])
			}
		}
	}
}

// valuesOf returns the value of a YAML scalar, or the values of a YAML list, as written.
func valuesOf(n *yaml.Node) (list []string, err error) {
	switch n.Kind {
	case yaml.ScalarNode:
		return []string{n.Value}, nil
	case yaml.SequenceNode:
		for _, item := range n.Content {
			if item.Kind != yaml.ScalarNode {
				return nil, errors.New("give a list of strings")
			}
			list = append(list, item.Value)
		}
		return list, nil
	case yaml.AliasNode:
		return valuesOf(n.Alias)
	}
	return nil, errors.New("give a string, or a list of strings")
}

// in returns a name that is relative to v.dir in a form that can be opened.
func (v *repeatFlags) in(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(v.dir, name)
}

// findConfig returns the nearest configuration file, from v.dir up to the top of the repository.
// The name is relative to v.dir; "" means that there is none.
func (v *repeatFlags) findConfig() string {
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

// below resolves a relative name against dir, and returns it relative to v.dir.
func (v *repeatFlags) below(dir, name string) string {
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
