package auditflags

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/git"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/config"
	"example.org/refract/internal/input"
	"example.org/refract/internal/slash"
)

// A comparison is the revision of --changed-since. A change must not turn off the rules that it breaks, so
// rules, ignored patterns and the baseline are those of the commit. How the tree is published may be part
// of the change: each tree is checked with its own settings.
type comparison struct {
	commit    *git.Commit
	before    audit.Options    // for the tree of the commit
	changes   []string         // what the change does to rules, ignored patterns and the baseline
	inventory *audit.Inventory // what the commit publishes
	contents  doc.Handover     // what was read of its documents
}

// comparing sets v.since, and options and the flags that they come from: rules from the revision, the
// rest from the work tree. now is the configuration of the work tree, or nil; its settings are in
// force. given are the flags of the command line, and check sets options from flags.
func (v *Repeat) comparing(now *configuration, given *givenFlags, check func() error, options *audit.Options) error {
	commit, err := git.CommitOf(v.ChangedSince)
	if err != nil {
		return fmt.Errorf("--changed-since %q: %w", v.ChangedSince, err)
	}
	since := &comparison{commit: commit}
	v.Since = since
	changed, current, currentBaseline, currentPaths := v.ChangedSince, *options, v.Baseline, v.Paths
	set := func(parts ...func() error) error {
		given.Restore()
		*options, v.Paths = audit.Options{MaxEntity: options.MaxEntity, Jobs: options.Jobs}, nil
		given.Restore()
		for _, part := range append(parts, check) {
			if err := part(); err != nil {
				return err
			}
		}
		return nil
	}
	var valuesNow map[string]config.Value
	if now == nil {
		now = &configuration{cmd: given.cmd, options: options, flags: v, name: config.Name}
	} else {
		valuesNow = now.Values
	}
	then, err := since.configuration(now, given.cmd.Flags().Changed("config"))
	if err != nil {
		since.changes = append(since.changes, fmt.Sprintf("the configuration of %s cannot be used, and its rules are the defaults: %v", v.ChangedSince, err))
		then = &configuration{cmd: now.cmd, options: options, flags: v, name: now.name}
	}
	ours := func() error { return now.apply(valuesNow, func(f cli.Flag) bool { return f.Config == cli.Named }) }
	theirs := func() error { return then.apply(then.Values, func(f cli.Flag) bool { return f.Config == cli.Found }) }
	if err := set(ours, theirs); err != nil {
		since.changes = append(since.changes, fmt.Sprintf("the configuration of %s cannot be used, and its rules are the defaults: %v", v.ChangedSince, err))
		then.Values = nil
		if err := v.blame(set(ours, theirs)); err != nil {
			return err
		}
	}
	since.before = *options
	err = set(
		func() error { return now.apply(valuesNow, func(f cli.Flag) bool { return !f.OfRevision }) },
		func() error { return then.apply(then.Values, func(f cli.Flag) bool { return f.OfRevision }) })
	if err != nil {
		return v.blame(err)
	}
	v.ChangedSince = changed
	if v.Paths != nil {
		v.Paths = slices.DeleteFunc(v.Paths, func(p string) bool { return !input.Exists(v.in(p)) })
		for _, p := range currentPaths {
			if !slices.Contains(v.Paths, p) {
				v.Paths = append(v.Paths, p)
			}
		}
	}
	since.compareRules(&current, options)
	return v.baselineOf(since, currentBaseline, options)
}

// configuration returns the configuration of the commit: the file that the user names, or the nearest one
// upwards. Its values are nil if there is none. now is that of the work tree. A file that the user names
// and that is not in the repository is the same for both trees.
func (c *comparison) configuration(now *configuration, isNamed bool) (*configuration, error) {
	then := &configuration{cmd: now.cmd, options: now.options, flags: now.flags, name: now.name, of: c}
	if now.flags.noConfig {
		return then, nil
	}
	if isNamed {
		text, isTracked, err := c.tracked(now.flags.in(now.name))
		switch {
		case err != nil:
			return nil, err
		case !isTracked:
			then.Values = now.Values
			return then, nil
		}
		return then, then.parse(text)
	}
	for at := "."; ; at = filepath.Join(at, "..") {
		rel, ok := c.within(now.flags.in(at))
		if !ok {
			return then, nil
		}
		if text, ok := c.blob(path.Join(rel, config.Name)); ok {
			then.name = filepath.Join(at, config.Name)
			return then, then.parse(text)
		}
	}
}

// parse sets the directory and values of c.
func (c *configuration) parse(text string) (err error) {
	c.Settings, err = config.Locate(c.flags.in(c.name))
	if err == nil {
		err = c.Parse([]byte(text))
	}
	// What was not allowed then, or unknown, was an error then.
	maps.DeleteFunc(c.Values, func(key string, _ config.Value) bool { return c.flags.answer(key).Config != cli.Found })
	return err
}

// within returns the path of a file or directory relative to the repository, with forward slashes.
func (c *comparison) within(name string) (rel string, ok bool) {
	r := revision{top: filepath.Clean(c.commit.Top)}
	rel, ok = r.within(name)
	return slash.Path(rel), ok
}

// blob returns the contents of a file of the commit.
func (c *comparison) blob(rel string) (text string, ok bool) {
	if strings.Contains(rel, "\n") {
		return "", false // a name for which git cannot be asked in this way
	}
	err := c.commit.Blob(rel, func(size int64, content io.Reader) error {
		if size > maxBaseline {
			return errors.New("too large")
		}
		all, err := io.ReadAll(content)
		text = string(all)
		return err
	})
	return text, err == nil
}

// tracked returns the contents that a file which git tracks has in the commit, or nothing if it is new.
func (c *comparison) tracked(name string) (text string, ok bool, err error) {
	rel, ok := c.within(name)
	if !ok {
		return "", false, nil
	}
	if text, ok := c.blob(rel); ok {
		return text, true, nil
	}
	names, err := git.Output(c.commit.Top, nil, "ls-files", "-z", "--", ":(top,literal)"+rel)
	return "", names != "", err
}

// baselineOf reads the baseline of the commit into options. now names that of the work tree. A file that
// git does not track is not part of the change, and is read where it is.
func (v *Repeat) baselineOf(c *comparison, now string, options *audit.Options) error {
	current := new(audit.Baseline)
	if now != "" {
		was := v.Baseline
		v.Baseline = now
		err := v.readBaseline(options)
		v.Baseline = was
		if err != nil {
			return v.blame(err)
		}
		if options.Baseline != nil {
			current, options.Baseline = options.Baseline, nil
		}
	}
	if v.Baseline == "" || v.WriteBaseline != "" {
		c.count(current.More(new(audit.Baseline)), 0, "finding", "to the baseline", "from the baseline")
		return nil
	}
	text, isTracked, err := c.tracked(v.in(v.Baseline))
	if err != nil {
		return fmt.Errorf("--baseline %q: %w", v.Baseline, err)
	}
	if !isTracked {
		return v.blame(v.readBaseline(options))
	}
	options.Baseline, err = audit.ReadBaseline(strings.NewReader(text), v.baselineDir(v.in(v.Baseline)))
	if err != nil {
		return fmt.Errorf("--baseline %q of %s: %w", v.Baseline, v.ChangedSince, err)
	}
	c.count(current.More(options.Baseline), options.Baseline.More(current), "finding", "to the baseline", "from the baseline")
	return nil
}

// compareRules notes how the change alters rules and ignored patterns.
func (c *comparison) compareRules(now, then *audit.Options) {
	ignored := func(o *audit.Options) []string { return slices.Concat(o.Ignore, o.Globs) }
	c.count(extra(ignored(now), ignored(then)), extra(ignored(then), ignored(now)), "ignored pattern", "", "")
	forbidden := func(o *audit.Options) (all []string) {
		for _, e := range o.Forbid {
			all = append(all, fmt.Sprintf("%q", e))
		}
		return all
	}
	c.count(extra(forbidden(now), forbidden(then)), extra(forbidden(then), forbidden(now)), "forbidden pattern", "", "")
	overrides := func(o *audit.Options) (all []string) {
		for _, v := range o.Overrides {
			all = append(all, fmt.Sprintf("%q %q", v.Files, v.Rules)) // maps print in key order
		}
		return all
	}
	c.count(extra(overrides(now), overrides(then)), extra(overrides(then), overrides(now)), "override", "", "")
	off := func(o *audit.Options) (names []string) {
		for _, r := range rule.Rules() {
			isOn := (o.Only == nil || slices.Contains(o.Only, r)) && !slices.Contains(o.Without, r)
			if r == rule.Orphan && !o.Orphans || slices.Contains(rule.OfTexts, r) && !o.LinkTexts || !isOn {
				names = append(names, string(r))
			}
		}
		return names
	}
	if n := extra(off(now), off(then)); n > 0 {
		c.changes = append(c.changes, "turns off "+cli.Count(n, "rule"))
	}
	if n := extra(off(then), off(now)); n > 0 {
		c.changes = append(c.changes, "turns on "+cli.Count(n, "rule"))
	}
	for _, flag := range []struct {
		name      string
		now, then bool
	}{{"tests", now.Tests, then.Tests}, {"hidden", now.Hidden, then.Hidden}, {"no-ignore", now.NoIgnore, then.NoIgnore}} {
		if flag.now != flag.then {
			c.changes = append(c.changes, fmt.Sprintf("sets %s to %v", flag.name, flag.now))
		}
	}
	if now.Resolve != then.Resolve {
		c.changes = append(c.changes, "changes the rules of resolution")
	}
	c.compareIgnoreFiles()
}

// ignoreFiles are the names of ignore files.
var ignoreFiles = []string{".gitignore", ".ignore", ".rgignore"}

// compareIgnoreFiles notes how the change alters ignore files. Those of the work tree are in force.
func (c *comparison) compareIgnoreFiles() {
	added, removed := 0, 0
	for name := range c.commit.Changed {
		if !slices.Contains(ignoreFiles, path.Base(name)) {
			continue
		}
		then, _ := c.blob(name)
		now, _ := input.ReadRegular(filepath.Join(c.commit.Top, filepath.FromSlash(name)), maxBaseline)
		added += extra(patterns(string(now)), patterns(then))
		removed += extra(patterns(then), patterns(string(now)))
	}
	c.count(added, removed, "pattern", "to ignore files", "from ignore files")
}

// patterns returns the lines of an ignore file that are neither empty nor comments.
func patterns(text string) (lines []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	return lines
}

// extra returns the number of elements of list that than does not have.
func extra(list, than []string) (n int) {
	has := map[string]int{}
	for _, s := range than {
		has[s]++
	}
	for _, s := range list {
		if has[s]--; has[s] < 0 {
			n++
		}
	}
	return n
}

// count notes how many of something the change adds and removes.
func (c *comparison) count(added, removed int, what, to, from string) {
	if added > 0 {
		c.changes = append(c.changes, strings.TrimSpace("adds "+cli.Count(added, what)+" "+to))
	}
	if removed > 0 {
		c.changes = append(c.changes, strings.TrimSpace("removes "+cli.Count(removed, what)+" "+from))
	}
}

// Report says how the change alters the rules by which it is checked.
func (c *comparison) Report(w io.Writer, rev string) {
	if c == nil || len(c.changes) == 0 {
		return
	}
	for _, change := range c.changes {
		if strings.HasPrefix(change, "the ") {
			fmt.Fprintf(w, "refract: %s\n", cli.OneLine(change))
		} else {
			in := ""
			if !strings.HasSuffix(change, "ignore files") {
				in = "; the audit uses those of " + rev
			}
			fmt.Fprintf(w, "refract: this change %s%s\n", change, cli.OneLine(in))
		}
	}
}

// published returns what the commit publishes of the paths that are audited, by the names of today's tree.
func (r *revision) published(report *audit.Report, links *audit.IDLinks, commit *git.Commit) *audit.Inventory {
	absolute := func(rel string) string { return slash.Path(filepath.Join(r.top, filepath.FromSlash(rel))) }
	all := report.Inventory(links, func(p string) (string, bool) { return p, r.compares(p) })
	report.Release()
	all.Renamed, all.Changed = map[string]string{}, map[string]bool{}
	for from, to := range commit.Renamed {
		all.Renamed[absolute(from)] = absolute(to)
	}
	for name := range commit.Changed {
		all.Changed[absolute(name)] = true
	}
	return all
}

// compares reports whether a file of the tree is in one of the paths that are audited.
func (r *revision) compares(p string) bool {
	if _, isMoved := r.moved[filepath.FromSlash(p)]; isMoved {
		return true
	}
	for _, at := range r.paths {
		if isIn(filepath.FromSlash(p), at) {
			return true
		}
	}
	return false
}
