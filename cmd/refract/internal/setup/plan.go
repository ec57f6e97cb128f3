package setup

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/config"
	"example.org/refract/internal/forge"
	"example.org/refract/internal/input"
	"example.org/refract/internal/site/gen"
	"example.org/refract/internal/slash"
)

// A file is a proposal: a file, or a part of one. Its name is relative to the top, with slashes.
type file struct{ name, text string }

// A plan is what a repository lacks.
type plan struct {
	top      string // absolute, without symbolic links
	inside   config.Boundary
	below    string   // the directory of the documents, relative to top; "." is top
	kinds    []string // of CI
	files    []file   // to write
	snippets []file   // to add to files that exist
	there    []string // names of files that are not proposed, since they exist or do the same
}

const (
	workflow        = ".github/workflows/links.yml"
	gitlabJob       = ".gitlab/links.yml"
	gitlabMain      = ".gitlab-ci.yml"
	preCommitConfig = ".pre-commit-config.yaml"
)

// newPlan returns the plan for the documents in dir, and for kinds of CI; none: those that the repository shows.
func newPlan(dir string, kinds []string) (*plan, error) {
	if info, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("init %q: %w", dir, input.CauseOf(err))
	} else if !info.IsDir() {
		return nil, fmt.Errorf("init %q: not a directory", dir)
	}
	for _, kind := range kinds {
		if values := []string{github, gitlab, preCommit, none}; !slices.Contains(values, kind) {
			return nil, cli.BadOneOf("--ci", kind, values)
		}
	}
	s, err := config.Locate(filepath.Join(dir, config.Name))
	if err != nil {
		return nil, fmt.Errorf("init %q: %w", dir, input.CauseOf(err))
	}
	p := &plan{top: s.Inside.Top(), inside: s.Inside, kinds: kinds}
	p.below, err = filepath.Rel(p.top, s.Dir)
	if err != nil {
		return nil, fmt.Errorf("init %q: %w", dir, err)
	}
	p.below = slash.Path(p.below)
	if !utf8.ValidString(p.below) {
		return nil, fmt.Errorf("init %q: the name is not UTF-8, as YAML must be", dir)
	}
	if len(p.kinds) == 0 {
		p.kinds = p.kindsHere()
	}
	if found := config.Find(s.Dir); found != "" {
		p.there = append(p.there, slash.Path(filepath.Join(p.below, found)))
	} else {
		p.propose(config.Name, p.configuration())
	}
	for _, kind := range p.kinds {
		switch kind {
		case github:
			p.addWorkflow()
		case gitlab:
			p.addGitLab()
		case preCommit:
			p.add(preCommitConfig, "repos:\n"+preCommitText(), preCommitText())
		}
	}
	for _, f := range p.files {
		for dir := path.Dir(f.name); dir != "."; dir = path.Dir(dir) {
			if info, err := os.Stat(p.in(dir)); err == nil && !info.IsDir() {
				return nil, fmt.Errorf("init: %q is not a directory", p.shown(dir))
			}
		}
		if err := p.inside.Check(config.File, f.name, p.top); err != nil {
			return nil, fmt.Errorf("init: %w", err)
		}
	}
	return p, nil
}

// Suits reports whether init has more to propose for a directory than a configuration: it is in a
// repository whose CI does not run refract, as far as init can tell.
func Suits(dir string) bool {
	p, err := newPlan(dir, nil)
	return err == nil && p.inside.IsRepository() && !slices.ContainsFunc(p.there, p.runsRefract)
}

// in returns the path of a file.
func (p *plan) in(name string) string { return filepath.Join(p.top, filepath.FromSlash(name)) }

// shown returns the name of a file for users: relative to the working directory, unless that is outside of
// the repository.
func (p *plan) shown(name string) string {
	here, err := filepath.EvalSymlinks(input.WorkingDir())
	if err != nil {
		return slash.Path(p.in(name))
	}
	inRepository, err := filepath.Rel(p.top, here)
	rel, relErr := filepath.Rel(here, p.in(name))
	if err != nil || relErr != nil || !filepath.IsLocal(inRepository) && !filepath.IsLocal(rel) {
		return slash.Path(p.in(name))
	}
	return slash.Path(rel)
}

// isThere reports whether there is anything of a name, also a symbolic link that points nowhere.
func isThere(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// maxRead limits the size in bytes of the files of others that init reads.
const maxRead = 1 << 20

// read returns the text of a file, or nil.
func (p *plan) read(name string) []byte {
	text, err := input.ReadRegular(p.in(name), maxRead)
	if err != nil {
		return nil
	}
	return text
}

// runsRefract reports whether a file of CI seems to run refract.
func (p *plan) runsRefract(name string) bool {
	text := p.read(name)
	return slices.ContainsFunc([]string{"refract audit", "refract@", "refract-audit", gitlabJob}, func(s string) bool { return bytes.Contains(text, []byte(s)) })
}

// propose proposes a file, unless it exists.
func (p *plan) propose(name, text string) {
	if isThere(p.in(name)) {
		p.there = append(p.there, name)
		return
	}
	p.files = append(p.files, file{name, text})
}

// add proposes a file or, if it exists and does not run refract, what to add to it.
func (p *plan) add(name, text, snippet string) {
	if isThere(p.in(name)) && !p.runsRefract(name) {
		p.snippets = append(p.snippets, file{name, snippet})
		return
	}
	p.propose(name, text)
}

// maxWorkflows limits the workflows that are looked at.
const maxWorkflows = 1000

// addWorkflow proposes a workflow, unless there is one.
func (p *plan) addWorkflow() {
	if d, err := os.Open(filepath.Dir(p.in(workflow))); err == nil {
		defer d.Close()
		names, _ := d.Readdirnames(maxWorkflows)
		slices.Sort(names)
		for _, name := range names {
			name = ".github/workflows/" + name
			if (strings.HasSuffix(name, ".yml") || strings.HasSuffix(name, ".yaml")) && p.runsRefract(name) {
				p.there = append(p.there, name)
				return
			}
		}
	}
	p.propose(workflow, workflowText())
}

// addGitLab proposes a job in a file of its own, and to include it.
func (p *plan) addGitLab() {
	if p.runsRefract(gitlabMain) && !isThere(p.in(gitlabJob)) {
		p.there = append(p.there, gitlabMain)
		return
	}
	p.propose(gitlabJob, gitlabText())
	p.add(gitlabMain, gitlabInclude, gitlabInclude)
}

// kindsHere returns the kinds of CI that a repository shows.
func (p *plan) kindsHere() (kinds []string) {
	isOn := func(host string) bool {
		r := forge.Parse(func(name string) []byte { return p.read(".git/" + name) })
		return slices.ContainsFunc(r.Remotes, func(m forge.Remote) bool { return strings.Contains(m.Host, host) })
	}
	if isThere(p.in(".github")) || isOn("github") {
		kinds = append(kinds, github)
	}
	if isThere(p.in(gitlabMain)) || isOn("gitlab") {
		kinds = append(kinds, gitlab)
	}
	if isThere(p.in(preCommitConfig)) {
		kinds = append(kinds, preCommit)
	}
	return kinds
}

// A found site is one whose generator is known.
type foundSite struct{ generator, config, output string } // config and output are relative to the top

// sites returns the sites in the upper directories.
func (p *plan) sites() (sites []foundSite) {
	top := slash.Path(p.top)
	finder := gen.Find(tree.NewConfined(tree.Disk(), top, []string{top}, nil), "")
	finder.DialectOf(top+"/"+p.below+"/x.md", top) // looks for sites, and reads no pages
	for _, s := range finder.Sites() {
		rel := func(name string) string { return strings.TrimPrefix(name, strings.TrimSuffix(top, "/")+"/") }
		sites = append(sites, foundSite{s.Generator, rel(s.Config), rel(gen.OutputOf(s))})
	}
	return sites
}
