package audit

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/input"
	"example.org/refract/internal/option"
)

// overrides are Options.Overrides. nil has none.
type overrides struct {
	list []override

	mu    sync.Mutex
	files map[string][]int // indexes in list of those that match a file, the last one first
}

type override struct {
	input.Globs
	rules map[rule.Rule]rule.Level
}

// newOverrides returns the overrides of o.
func newOverrides(o *Options) (*overrides, error) {
	if len(o.Overrides) == 0 {
		return nil, nil
	}
	t := o.Tree
	if t == nil {
		t = tree.Disk()
	}
	dir := tree.Absolute(cmp.Or(o.Dir, tree.WorkingDir(t)), ".")
	all := &overrides{files: map[string][]int{}}
	for _, v := range o.Overrides {
		globs, err := input.NewGlobs(v.Files, tree.Absolute(dir, cmp.Or(v.Dir, ".")))
		if err != nil {
			return nil, option.Bad("Overrides", strings.Join(v.Files, " "), "%w", err)
		}
		all.list = append(all.list, override{globs, v.Rules})
	}
	return all, nil
}

// of returns the level of a rule in the file at an absolute path, "" if the rule has its own.
func (o *overrides) of(p string, broken rule.Rule) rule.Level {
	if o == nil {
		return ""
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	matching, isKnown := o.files[p]
	if !isKnown {
		for i := len(o.list) - 1; i >= 0; i-- {
			if o.list[i].Match(p) {
				matching = append(matching, i)
			}
		}
		o.files[p] = matching
	}
	for _, i := range matching {
		if level := o.list[i].rules[broken]; level != "" {
			return level
		}
	}
	return ""
}

// levels are the values of Override.Rules.
var levels = []string{string(rule.LevelOff), string(rule.LevelNote), string(rule.LevelError)}

// checkOverrides returns an error about the first override that cannot be meant.
func checkOverrides(all []Override) error {
	for _, v := range all {
		if len(v.Files) == 0 {
			return &option.Error{Name: "Overrides", Cause: errors.New("files is missing: give a glob, such as drafts/**")}
		}
		for _, glob := range v.Files {
			if err := input.CheckGlob(glob); err != nil {
				return option.Bad("Overrides", glob, "%w", err)
			}
		}
		if len(v.Rules) == 0 {
			return option.Bad("Overrides", strings.Join(v.Files, " "), "rules is missing: give rules and their levels, such as missing-file: off")
		}
		names := slices.Sorted(maps.Keys(v.Rules))
		if err := checkRules("Overrides", names); err != nil {
			return err
		}
		for _, name := range names {
			if level := string(v.Rules[name]); !slices.Contains(levels, level) {
				return option.NotOneOf("Overrides", level, levels)
			}
		}
	}
	return nil
}
