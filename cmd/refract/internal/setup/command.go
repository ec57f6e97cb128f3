// Package setup is "refract init": it proposes a configuration, and jobs for CI, based on the files of a
// repository.
//
//	command.go  the command: what it shows, and what it writes
//	plan.go     which files there are, and which a repository lacks
//	texts.go    the texts of the files
package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/internal/input"
)

const help = `Init proposes what a repository needs for audits, and prints it. With --write, it writes
the files that do not exist yet; it never overwrites or edits one.

  .refract.yaml                 the common keys, as comments
  .github/workflows/links.yml   in a repository with .github, or on GitHub
  .gitlab/links.yml             with .gitlab-ci.yml, or on GitLab
  .pre-commit-config.yaml       a hook to add, if the file exists

All are at the top of the repository of DIR (default: the current directory), or in DIR if
there is no repository. If DIR is below the top, .refract.yaml says that audits without
arguments read only DIR.`

const examples = `  refract init                          show what is proposed
  refract init --write                  write it
  refract init --ci github docs         for GitHub, and for the documents in docs`

// The values of --ci.
const (
	github    = "github"
	gitlab    = "gitlab"
	preCommit = "pre-commit"
	none      = "none"
)

// Command returns the command.
func Command(*cli.Env) *cli.Command {
	var kinds []string
	var write bool
	cmd := &cobra.Command{
		Use:     "init [DIR]",
		Short:   "Propose a configuration, and jobs for CI",
		Long:    help,
		Example: examples,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return errors.New("init: give one directory, or none")
			}
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			p, err := newPlan(dir, kinds)
			if err != nil {
				return err
			}
			if write {
				err = p.write(cmd.OutOrStdout())
			} else {
				err = p.show(cmd.OutOrStdout())
			}
			if err != nil {
				return err
			}
			return p.explain(cmd.ErrOrStderr(), write)
		},
	}
	values := cli.Fixed(github, gitlab, preCommit, none)
	return cli.NewCommand(cmd, "", cli.InGroup("Flags", []cli.Flag{
		{Name: "write", Var: &write, Help: "write the files that do not exist"},
		{Name: "ci", Var: &kinds, Values: values,
			Help: "propose jobs for `LIST`: " + strings.Join(values(), ", ") + "\n(default: by what is in the repository)"},
	}))
}

// show prints the proposed files.
func (p *plan) show(w io.Writer) error {
	var b bytes.Buffer
	for _, f := range p.files {
		fmt.Fprintf(&b, "==> %s <==\n%s\n", cli.OneLine(p.shown(f.name)), f.text)
	}
	p.addSnippets(&b)
	_, err := w.Write(b.Bytes())
	return err
}

// addSnippets adds what belongs in files that exist.
func (p *plan) addSnippets(b *bytes.Buffer) {
	for _, f := range p.snippets {
		fmt.Fprintf(b, "==> add to %s <==\n%s\n", cli.OneLine(p.shown(f.name)), f.text)
	}
}

// write writes the proposed files, and prints their names.
func (p *plan) write(w io.Writer) error {
	for _, f := range p.files {
		name := p.in(f.name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return fmt.Errorf("init %q: %w", p.shown(f.name), input.CauseOf(err))
		}
		if isThere(name) { // since the plan was made
			return fmt.Errorf("init %q: %w", p.shown(f.name), fs.ErrExist)
		}
		if err := atomicfile.Save(name, []byte(f.text), func([]byte) bool { return false }); err != nil {
			return fmt.Errorf("init: %w", err)
		}
		if _, err := fmt.Fprintln(w, cli.OneLine(p.shown(f.name))); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	p.addSnippets(&b)
	_, err := w.Write(b.Bytes())
	return err
}

// explain says what was not proposed or written, and what is left to do.
func (p *plan) explain(w io.Writer, isWritten bool) error {
	var b bytes.Buffer
	say := func(format string, args ...any) { fmt.Fprintf(&b, "refract: "+format+"\n", args...) }
	for _, name := range p.there {
		say("%s exists: it stays as it is", cli.OneLine(p.shown(name)))
	}
	if len(p.kinds) == 0 {
		say("nothing here says which CI is used: --ci %s, %s or %s proposes a job", github, gitlab, preCommit)
	}
	if slices.ContainsFunc(slices.Concat(p.files, p.snippets), func(f file) bool { return strings.Contains(f.text, owner) }) {
		say("%s stands for the owner of your copy of refract: replace it", owner)
	}
	if !isWritten && len(p.files) > 0 {
		say("nothing was written: --write writes %s", cli.Count(len(p.files), "file"))
	}
	_, err := w.Write(b.Bytes())
	return err
}
