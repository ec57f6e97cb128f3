package auditflags

import (
	"errors"
	"fmt"
	"path/filepath"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/forbid"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/config"
	"example.org/refract/internal/input"
	"example.org/refract/internal/option"
)

// takesPairs reports whether a flag with such values takes KEY=DIR, which a configuration may write as {KEY: DIR}.
func takesPairs(n config.Names) bool {
	return n == config.SiteDir || n == config.BuildDir || n == config.RootDir
}

// setEntries sets the options that "forbid" or "overrides" sets, whose values have a structure.
func (c *configuration) setEntries(key string, value config.Value) error {
	f := c.cmd.Flags().Lookup(key)
	if key == "forbid" && (f == nil || f.Changed) {
		return nil // not of this command, or set
	}
	set := c.setForbid
	if key == "overrides" {
		set = c.setOverrides
	}
	line, err := set(value)
	if err != nil {
		return c.fail(fmt.Errorf("line %d: %s: %w", line, key, err))
	}
	return nil
}

// setForbid adds the entries of value to the options. On error, it also returns the line.
func (c *configuration) setForbid(value config.Value) (line int, err error) {
	list, line, err := config.ForbidOf(value)
	if err != nil {
		return line, err
	}
	for _, f := range list {
		e := forbid.Entry{Match: f.Match, Hosts: f.Hosts, List: f.File, Message: f.Message}
		if f.File != "" {
			e.Hosts, err = c.hosts(f.File)
		}
		if err == nil {
			err = entryError((&audit.Options{Forbid: []forbid.Entry{e}}).Check())
		}
		if err != nil {
			return f.Line, err
		}
		c.options.Forbid = append(c.options.Forbid, e)
	}
	return 0, nil
}

// setOverrides adds the entries of value to the options. On error, it also returns the line.
func (c *configuration) setOverrides(value config.Value) (line int, err error) {
	list, line, err := config.OverridesOf(value)
	if err != nil {
		return line, err
	}
	for _, v := range list {
		o := audit.Override{Files: v.Files, Dir: filepath.Dir(c.flags.in(c.name)), Rules: map[rule.Rule]rule.Level{}}
		for name, level := range v.Rules {
			o.Rules[rule.Rule(name)] = rule.Level(level)
		}
		err := entryError((&audit.Options{Overrides: []audit.Override{o}}).Check())
		if err != nil {
			return v.Line, err
		}
		c.options.Overrides = append(c.options.Overrides, o)
	}
	return 0, nil
}

// entryError returns an error about an option without the name of the option, but with the place where its
// values are listed.
func entryError(err error) error {
	var bad *option.Error
	if !errors.As(cli.Listed(option.Renamed(err, map[string]string{"Overrides": "--rule"})), &bad) {
		return err
	}
	if bad.Value == "" {
		return bad.Cause
	}
	return fmt.Errorf("%s: %w", bad.Value, bad.Cause)
}

// hosts returns the hosts in a file that the configuration names.
func (c *configuration) hosts(name string) (list []string, err error) {
	if c.flags.Config == "" {
		err := c.Inside.Check(config.File, name, c.Dir)
		if err != nil {
			return nil, err
		}
	}
	full := c.flags.in(c.flags.below(filepath.Dir(c.flags.in(c.name)), name))
	text, err := c.contents(full)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", name, input.CauseOf(err))
	}
	return config.HostsIn(name, text)
}

// contents returns the text of a file, at the commit if c is its configuration: a change must not empty the
// list that it breaks.
func (c *configuration) contents(name string) (string, error) {
	err := config.CheckInside(name)
	if err != nil {
		return "", err
	}
	if c.of != nil {
		text, isTracked, err := c.of.tracked(name)
		if err != nil || isTracked {
			return text, err
		}
	}
	text, err := input.ReadRegular(name, config.MaxHosts)
	return string(text), err
}
