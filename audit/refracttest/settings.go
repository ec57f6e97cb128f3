package refracttest

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"example.org/refract/audit"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/config"
	"example.org/refract/internal/site/gen"
	"example.org/refract/resolve"
)

// settings sets options from the configuration.
type settings struct {
	fsys    fs.FS
	options *audit.Options
	strict  bool
}

// maxBaseline limits the size of a baseline in bytes.
const maxBaseline = 64 << 20

// read reads the configuration. It reports each error, and returns false if there was one.
func (s *settings) read(t TB) bool {
	t.Helper()
	values, err := config.ReadFS(s.fsys)
	if err != nil {
		fail(t, 0, "%v", err)
		return false
	}
	ok := true
	for _, key := range slices.Sorted(maps.Keys(values)) {
		v := values[key]
		line, err := s.setValue(key, v)
		if err != nil {
			fail(t, line, "%s: %v", key, err)
			ok = false
		}
	}
	return ok
}

// setValue sets the option called key. On error, it also returns the line.
func (s *settings) setValue(key string, v config.Value) (line int, err error) {
	pairs, isMapping, err := v.Pairs()
	switch {
	case v.IsNull:
		return 0, nil
	case key == "forbid":
		return s.forbid(v)
	case key == "overrides":
		return s.overrides(v)
	case isMapping && slices.Contains([]string{"site", "built", "root"}, key):
		v.List, v.Err = pairs, err
	}
	if v.Err != nil {
		return v.Line, v.Err
	}
	return v.Line, s.set(key, v.List)
}

// forbid sets which references are forbidden.
func (s *settings) forbid(v config.Value) (line int, err error) {
	list, line, err := config.ForbidOf(v)
	if err != nil {
		return line, err
	}
	for _, f := range list {
		e := audit.ForbidEntry{Match: f.Match, Hosts: f.Hosts, Message: f.Message}
		if f.File != "" {
			text, err := s.text(f.File, config.MaxHosts)
			if err == nil {
				e.Hosts, err = config.HostsIn(f.File, text)
			}
			if err != nil {
				return f.Line, err
			}
			e.Message = cmp.Or(e.Message, "a host of "+f.File)
		}
		s.options.Forbid = append(s.options.Forbid, e)
	}
	return 0, nil
}

// overrides sets the levels of rules in some files.
func (s *settings) overrides(v config.Value) (line int, err error) {
	list, line, err := config.OverridesOf(v)
	if err != nil {
		return line, err
	}
	for _, f := range list {
		o := audit.Override{Files: f.Files, Rules: map[audit.Rule]audit.Level{}}
		for name, level := range f.Rules {
			if _, err := rules([]string{name}); err != nil {
				return f.Line, err
			}
			if err := oneOf(level, []string{string(audit.LevelOff), string(audit.LevelNote), string(audit.LevelError)}); err != nil {
				return f.Line, err
			}
			o.Rules[audit.Rule(name)] = audit.Level(level)
		}
		s.options.Overrides = append(s.options.Overrides, o)
	}
	return 0, nil
}

// set sets the option called key.
func (s *settings) set(key string, list []string) (err error) {
	o := s.options
	switch key {
	case "paths":
		o.Paths, err = s.names(list)
		return err
	case "glob":
		o.Globs = list
		return nil
	case "suffixes":
		o.Suffixes = list
		return local(list)
	case "index":
		o.Indexes = list
		return local(list)
	case "ignore":
		o.Ignore = list
		return nil
	case "rule":
		o.Only, err = rules(list)
		o.Orphans = o.Orphans || slices.Contains(o.Only, audit.Orphan)
		o.LinkTexts = o.LinkTexts || slices.Contains(o.Only, audit.VagueText) || slices.Contains(o.Only, audit.SameTarget)
		return err
	case "no-rule":
		o.Without, err = rules(list)
		return err
	case "root":
		return s.roots(list)
	case "site":
		return s.sites(list)
	case "built":
		return s.builds(list)
	}
	isBool := map[string]*bool{"hidden": &o.Hidden, "no-ignore": &o.NoIgnore, "tests": &o.Tests, "strict": &s.strict, "orphans": &o.Orphans, "link-texts": &o.LinkTexts}[key]
	switch {
	case isBool == nil && !slices.Contains([]string{"prefix", "generator", "slugs", "resolution", "baseline"}, key):
		return errors.New("sets nothing in a test: remove it, or give it to the command")
	case len(list) != 1:
		return errors.New("give one value")
	}
	value := list[0]
	switch {
	case isBool != nil:
		*isBool = *isBool || value == "true"
		return oneOf(value, []string{"true", "false"})
	}
	return s.setOne(key, value)
}

// setOne sets an option that has one value.
func (s *settings) setOne(key, value string) (err error) {
	o := s.options
	switch key {
	case "prefix":
		o.Prefix = value
	case "generator":
		o.Generator = value
		if gen.CheckName(value) != nil {
			return oneOf(value, append(gen.Names(), "none"))
		}
	case "slugs":
		if value != "auto" {
			o.Slugs = value
			return oneOf(value, append(slug.Names(), "auto"))
		}
	case "resolution":
		o.Resolve, err = resolve.ParseRules(value)
		if err != nil {
			err = errors.New(strings.TrimPrefix(err.Error(), "resolve: "))
		}
	case "baseline":
		return s.baseline(value)
	}
	return err
}

func (s *settings) sites(list []string) error {
	for _, text := range list {
		i := strings.LastIndexByte(text, '=')
		if i < 0 {
			return fmt.Errorf("%q: give URL=DIR", text)
		}
		dir, err := s.name(text[i+1:])
		if err != nil {
			return err
		}
		s.options.Sites = append(s.options.Sites, audit.Site{URL: text[:i], Dir: dir})
	}
	return nil
}

func (s *settings) builds(list []string) error {
	for _, text := range list {
		url, name := config.CutBuild(text)
		dir, err := s.name(name)
		if err != nil {
			return err
		}
		s.options.Built = append(s.options.Built, audit.Site{URL: url, Dir: dir})
	}
	return nil
}

// roots sets the directories that "/x" points into: one, and those for documents in some directories.
func (s *settings) roots(list []string) error {
	for _, text := range list {
		below, value, isBelow := config.CutRoot(text)
		dir, err := s.name(value)
		if err != nil {
			return err
		}
		if !isBelow {
			if s.options.Root != "" {
				return errors.New("give one value, or BELOW=DIR for the documents in BELOW")
			}
			s.options.Root = dir
			continue
		}
		below, err = s.name(below)
		if err != nil {
			return err
		}
		s.options.Roots = append(s.options.Roots, audit.Root{Below: below, Dir: dir})
	}
	return nil
}

func (s *settings) baseline(name string) error {
	text, err := s.text(name, maxBaseline)
	if err != nil {
		return err
	}
	s.options.Baseline, err = audit.ReadBaseline(strings.NewReader(text), path.Dir("/"+path.Clean(name)))
	return err
}

// text returns the contents of a file.
func (s *settings) text(name string, most int64) (string, error) {
	name, err := s.name(name)
	if err != nil {
		return "", err
	}
	name = strings.TrimPrefix(name, "/")
	info, err := fs.Stat(s.fsys, name)
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular() || info.Size() > most:
		return "", fmt.Errorf("%q is not a regular file of at most %d MiB", name, most>>20)
	}
	text, err := fs.ReadFile(s.fsys, name)
	return string(text), err
}

// name returns the name of a file or directory in the file system, relative to its root.
func (s *settings) name(value string) (string, error) {
	clean := path.Clean(value)
	switch {
	case !fs.ValidPath(clean):
		return "", fmt.Errorf("%q leads out of the file system", value)
	case clean == "-": // which would be standard input
		return "/-", nil
	}
	if _, err := fs.Stat(s.fsys, clean); err != nil {
		return "", fmt.Errorf("no file %q", value)
	}
	return clean, nil
}

func (s *settings) names(list []string) (all []string, err error) {
	for _, value := range list {
		name, err := s.name(value)
		if err != nil {
			return nil, err
		}
		all = append(all, name)
	}
	return all, nil
}

// local reports elements of names that point out of their directory.
func local(list []string) error {
	for _, value := range list {
		if slices.Contains(strings.FieldsFunc(value, func(r rune) bool { return r == '/' || r == '\\' }), "..") {
			return fmt.Errorf("%q leads out of its directory", value)
		}
	}
	return nil
}

func rules(list []string) (all []audit.Rule, err error) {
	for _, name := range list {
		r := audit.Rule(name)
		if !slices.Contains(audit.Rules(), r) {
			return nil, fmt.Errorf("%q is none of %v", name, audit.Rules())
		}
		all = append(all, r)
	}
	return all, nil
}

func oneOf(value string, values []string) error {
	if !slices.Contains(values, value) {
		return fmt.Errorf("%q is none of %s", value, strings.Join(values, ", "))
	}
	return nil
}
