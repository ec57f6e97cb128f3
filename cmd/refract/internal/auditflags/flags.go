// Package auditflags has the flags and the configuration shared by the commands that audit a tree.
package auditflags

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/resources"
	"example.org/refract/extract"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/forbid"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/config"
	"example.org/refract/internal/option"
)

// Shared are the flags that "refract audit", "refract mv" and "refract lsp" share.
type Shared struct {
	Start, Limits []cli.Flag // the flags of a command are between these

	sites, roots, only, without, forbid []string

	env     *cli.Env
	options *audit.Options
	repeat  *Repeat
}

// NewShared returns flags that set o and v.
func NewShared(env *cli.Env, o *audit.Options, v *Repeat) *Shared {
	s := &Shared{env: env, options: o, repeat: v}
	o.Slugs, o.MaxEntity, o.Jobs = "auto", extract.MaxEntity, runtime.NumCPU()
	s.Start = slices.Concat(
		cli.InGroup("Input", []cli.Flag{
			{Name: "glob", Short: "g", Var: &o.Globs, Config: cli.Found, OfRevision: true, Help: "read only files that match `GLOB`; !GLOB excludes files"},
			{Name: "hidden", Var: &o.Hidden, Config: cli.Found, OfRevision: true, Help: "also read hidden files and directories"},
			{Name: "no-ignore", Var: &o.NoIgnore, Config: cli.Found, OfRevision: true, Help: "do not read .gitignore, .ignore and .rgignore"},
			{Name: "config", Var: &v.Config, Config: cli.Never,
				Help: "read flags from `FILE` (default: the nearest .refract.yaml upwards in the repository,\nwhich may set only some)"},
			{Name: "no-config", Var: &v.noConfig, Config: cli.Never, Help: "read no .refract.yaml"},
		}),
		cli.InGroup("Link targets", []cli.Flag{
			{Name: "site", Var: &s.sites, Each: true, Config: cli.Found, Holds: config.SiteDir, Help: "`URL=DIR`: DIR is published at URL; check links to it"},
			{Name: "root", Var: &s.roots, Each: true, Config: cli.Found, Holds: config.RootDir,
				Brief: "look up links that begin with \"/\" in `DIR`",
				Help:  "look up links that begin with \"/\" in `DIR`; BELOW=DIR: those of documents in BELOW"},
			{Name: "suffixes", Var: &o.Suffixes, Config: cli.Found, Holds: config.Elements,
				Help: "without a generator: suffixes that links leave out, a `LIST` such as .md,.html"},
			{Name: "index", Var: &o.Indexes, Config: cli.Found, Holds: config.Elements,
				Help: "without a generator: files that stand for their directory, a `LIST` such as README.md"},
			{Name: "prefix", Var: &o.Prefix, Config: cli.Found,
				Help: "--root is published below `PATH`, such as /docs/; other links that begin with \"/\" are not checked"},
			{Name: "generator", Var: &o.Generator, Values: cli.GeneratorNames, Config: cli.Found,
				Help: "look only for site generator `NAME`, or for none: see \"refract help generators\""},
			{Name: "slugs", Var: &o.Slugs, Values: slugNames, Config: cli.Found,
				Brief: "make ids of headings as `ALGORITHM` does, such as github or mkdocs (default auto)",
				Help:  "make ids of headings as `ALGORITHM` does: auto, " + strings.Join(slug.Names(), ", ")},
			{Name: "resolution"},
		}),
		cli.InGroup("What is reported", []cli.Flag{
			{Name: "rule", Var: &s.only, Values: ruleValues, Config: cli.Found, OfRevision: true, Help: "report only these `RULE`s: see \"refract help rules\""},
			{Name: "no-rule", Var: &s.without, Values: ruleValues, Config: cli.Found, OfRevision: true, Help: "do not report these `RULE`s"},
			{Name: "ignore", Var: &o.Ignore, Each: true, Config: cli.Found, OfRevision: true,
				Brief: "do not report references that match `GLOB`",
				Help:  "do not report references that match `GLOB` as written; \"*\" also matches \"/\""},
			{Name: "orphans", Var: &orphansFlag{o}, Values: cli.Fixed("all"), None: "true", NextWord: cli.Fixed("all", "true", "false"), Config: cli.Found, OfRevision: true,
				Help: "also report documents without incoming links; --orphans=all: also images, PDF files and other\nmedia that the repository does not mention"},
			{Name: "link-texts", Var: &o.LinkTexts, Config: cli.Found, OfRevision: true,
				Help: "also report links whose text is vague (\"here\") or the title of another page"},
			{Name: "tests", Var: &o.Tests, Config: cli.Found, OfRevision: true,
				Help: "also report findings in test inputs, such as testdata and fixtures"},
			{Name: "baseline", Var: &v.Baseline, Config: cli.Found, Holds: config.File, OfRevision: true,
				Help: "do not report the findings in `FILE`, written by --write-baseline"},
		}))
	s.Limits = cli.InGroup("Limits", []cli.Flag{
		{Name: "jobs", Short: "j", Var: &o.Jobs, Config: cli.Named,
			Help: "process `N` inputs at a time (default: the number of processors)"},
		{Name: "max-entity", Var: (*cli.ByteSize)(&o.MaxEntity), Config: cli.Named,
			Help: "read documents larger than `SIZE` as running text, and messages in pieces"},
	})
	return s
}

// Builds are the directories with builds whose ids a command uses.
type Builds struct{ values []string }

// Flag returns the flag that names them.
func (b *Builds) Flag() cli.Flag {
	return cli.Flag{Name: "built", Var: &b.values, Each: true, Config: cli.Found, Holds: config.BuildDir,
		Help: "take the ids of unchanged documents from a build in `DIR`, or URL=DIR"}
}

// Set makes an audit use the ids, which known keeps.
func (b *Builds) Set(o *audit.Options, known *audit.BuiltIDs) {
	o.Built, o.BuiltIDs = nil, nil
	for _, value := range b.values {
		url, dir := config.CutBuild(value)
		o.Built = append(o.Built, audit.Site{URL: url, Dir: dir})
	}
	if len(o.Built) > 0 {
		o.BuiltIDs = known
	}
}

// Read sets the variables from the flags of cmd, which runs, from the configuration file and from the
// shared options, and reports invalid values.
func (s *Shared) Read(cmd *cobra.Command) error {
	var given *givenFlags
	if cmd.Flags().Lookup("changed-since") != nil {
		given = FlagsOf(cmd)
	}
	s.repeat.args = cmd.Flags().Args()
	c, err := s.repeat.configure(cmd, s.options)
	if err != nil {
		return err
	}
	check := func() error { return s.check(cmd) }
	if err := s.repeat.blame(check()); err != nil {
		return err
	}
	if s.repeat.ChangedSince != "" {
		return s.repeat.comparing(c, given, check, s.options)
	}
	return s.repeat.blame(s.repeat.readBaseline(s.options))
}

// check sets the options that flags set indirectly, and reports invalid values.
func (s *Shared) check(cmd *cobra.Command) error {
	cfg, o := s.env.Config, s.options
	if cfg.Default.URI != "" {
		return errors.New(cmd.Name() + ": the base of a document is its file: leave out --base, or give --site")
	}
	if cfg.ParserDifferences {
		return fmt.Errorf("%[1]s: --parser-differences is not for %[1]s", cmd.Name())
	}
	if o.Jobs < 1 {
		return fmt.Errorf("--jobs %d: must be at least 1", o.Jobs)
	}
	for _, text := range s.sites {
		i := strings.LastIndexByte(text, '=')
		if i < 0 {
			return fmt.Errorf("--site %q: give URL=DIR", text)
		}
		o.Sites = append(o.Sites, audit.Site{URL: text[:i], Dir: text[i+1:]})
	}
	if err := s.setRoots(); err != nil {
		return err
	}
	for _, expr := range s.forbid {
		o.Forbid = append(o.Forbid, forbid.Entry{Match: expr})
	}
	o.Only, o.Without = rulesOf(s.only), rulesOf(s.without)
	if err := o.Check(); err != nil {
		return Named(err)
	}
	if slices.Contains(o.Only, rule.Orphan) {
		o.Orphans = true
	}
	if slices.ContainsFunc(o.Only, func(r rule.Rule) bool { return slices.Contains(rule.OfTexts, r) }) {
		o.LinkTexts = true
	}
	o.Resolve = cfg.Rules
	if l := cmd.Flags(); !l.Changed("jobs") {
		quiet, _ := l.GetBool("quiet") // lsp has no such flag
		resources.FitJobs(cmd.ErrOrStderr(), quiet, &o.Jobs, o.MaxEntity, 0)
	}
	return nil
}

// setRoots sets the options that --root sets.
func (s *Shared) setRoots() error {
	for _, text := range s.roots {
		below, dir, isBelow := config.CutRoot(text)
		switch {
		case dir == "" || isBelow && below == "":
			return fmt.Errorf("--root %q: give DIR, or BELOW=DIR", text)
		case isBelow:
			s.options.Roots = append(s.options.Roots, audit.Root{Below: below, Dir: dir})
		case s.options.Root != "":
			return fmt.Errorf("--root %q: only one directory is for all documents, and %q is given: give BELOW=DIR for those in BELOW", text, s.options.Root)
		default:
			s.options.Root = dir
		}
	}
	return nil
}

// Forbid returns the flag that forbids references.
func (s *Shared) Forbid() cli.Flag {
	return cli.Flag{Name: "forbid", Var: &s.forbid, Each: true, Config: cli.Found, OfRevision: true,
		Brief: "also report references that match `PATTERN`, such as ^http: (RE2)",
		Help: "also report references that match `PATTERN` (RE2), such as ^http:, even external URLs.\n" +
			"In .refract.yaml: with a message, or hosts"}
}

// slugNames returns the values of --slugs.
func slugNames() []string { return append([]string{"auto"}, slug.Names()...) }

// ruleValues returns the values of --rule with their descriptions.
func ruleValues() (values []string) {
	for _, r := range rule.Rules() {
		values = append(values, string(r)+"\t"+r.About())
	}
	return values
}

func rulesOf(names []string) (rules []rule.Rule) {
	for _, name := range names {
		rules = append(rules, rule.Rule(name))
	}
	return rules
}

// Named returns err, about an option of an audit, with the name of the flag that sets the option.
func Named(err error) error {
	return cli.Listed(option.Renamed(err, map[string]string{
		"Globs": "--glob", "Ignore": "--ignore", "Slugs": "--slugs", "Generator": "--generator", "Only": "--rule", "Without": "--no-rule",
		"Suffixes": "--suffixes", "Sites": "--site", "Root": "--root", "Roots": "--root", "Forbid": "--forbid", "Overrides": "overrides", "Built": "--built",
	}))
}

// An orphansFlag is the value of --orphans: nothing or "true", "false", or "all".
type orphansFlag struct{ o *audit.Options }

func (f *orphansFlag) String() string {
	switch {
	case f.o == nil || !f.o.Orphans:
		return "false"
	case f.o.OrphanFiles:
		return "all"
	}
	return "true"
}

// Type returns "bool", so that help shows a flag that needs no value.
func (f *orphansFlag) Type() string { return "bool" }

func (f *orphansFlag) Set(s string) error {
	if s != "true" && s != "false" && s != "all" {
		return errors.New("give all, or nothing")
	}
	f.o.Orphans, f.o.OrphanFiles = s != "false", s == "all"
	return nil
}
