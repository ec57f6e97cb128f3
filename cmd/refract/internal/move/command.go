package move

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/refract/cmd/refract/internal/auditflags"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/fix"
	"example.org/refract/cmd/refract/internal/joblog"
	"example.org/refract/cmd/refract/internal/resources"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/input"
	"example.org/refract/internal/slash"
)

const mvHelp = `Mv moves documents, images and directories, and edits the references to them
and the relative references in them, so that each keeps its target, its fragment and its
style: with or without suffix, "./" or "/", as a definition, in quotes. It reads the
whole tree: the repository of the files or, outside of a repository, the current
directory. Links are understood as "refract audit" understands them, with the routes of
the site's generator; entries of its navigation (mkdocs.yml, sidebars, SUMMARY.md,
toctrees) are references as well.

OLD#ID renames the heading with that id: its line, and the fragments of all references
to it and to headings whose ids change with it ("-1" of equal headings). With --redirects,
the old id redirects to the new one where the generator can do that (mdBook).

With --built, or built in .refract.yaml, the ids in the pages of a build count, too, for
documents that have not changed since. If the id that the build has given to a heading
follows no rule known here, the heading is not renamed: its next id is not known.

If NEW is a directory or ends in "/", files are moved into it. Directories that do not
exist are made, and those that are left empty are removed. In a git repository, the
index follows, as with "git mv".

All changes are computed first, and checked by an audit of the changed tree in memory. If
a reference cannot keep its target, or if the audit has a new finding, nothing is moved,
and the references are listed. Files that change meanwhile, or that an editor has open
(lock and swap files), are not moved either. If the command is killed while it writes,
the next "refract mv" in the tree completes the work.

Where the URL of a page changes, mv says so. --redirects also adds a redirect where the
generator reads them: in front matter (Hugo, Jekyll, Zola, Quarto), in its configuration
(MkDocs, Docusaurus, Sphinx, mdBook, Next.js and others), or in a file of the host that
has redirects. The summary says where, or that no way is known.

Not edited: files that refract does not read as documents, ignored and hidden files, and
absolute URLs (unless --site maps them to a directory, or they are those of files of the
repository on its host).

Exit status: 0 if the files were moved, 1 if nothing was moved because of references, 2
for other errors.`

const mvExamples = `  refract mv docs/setup.md docs/guide/install.md
  refract mv --dry-run docs/images assets/    what would change, as a diff
  refract mv a.md b.md archive/               several files, into a directory
  refract mv docs/setup.md#old-heading '#New heading'
  refract mv --redirects content/a.md content/b.md`

// An mvRun is one run of "refract mv".
type mvRun struct {
	options   audit.Options
	dryRun    bool
	redirects bool
	quiet     bool
	colour    bool // of diffs
	builds    auditflags.Builds
	known     audit.BuiltIDs

	tree           *diskTree
	stdout, stderr io.Writer
}

// Command returns the command that moves files.
func Command(env *cli.Env) *cli.Command {
	var (
		m mvRun
		v auditflags.Repeat
	)
	cmd := &cobra.Command{
		Use:     "mv [--dry-run] OLD... NEW",
		Short:   "Move documents, and edit the references to them and in them",
		Long:    mvHelp,
		Example: mvExamples,
	}
	shared := auditflags.NewShared(env, &m.options, &v)
	list := slices.Concat(
		cli.InGroup("Moving", []cli.Flag{
			{Name: "dry-run", Var: &m.dryRun, Config: cli.Named, Help: "print the changes as a diff, and write nothing"},
			{Name: "redirects", Var: &m.redirects, Config: cli.Named, Help: "also write redirects from the URLs that change"},
			{Name: "color"},
			{Name: "quiet", Short: "q", Var: &m.quiet, Config: cli.Named, Help: "print nothing but problems"},
		}),
		cli.InGroup("What is read", cli.Pick(shared.Start, "glob hidden no-ignore config no-config")),
		cli.InGroup("Link targets", cli.Pick(shared.Start, "site root suffixes index prefix generator slugs resolution")),
		cli.InGroup("Link targets", []cli.Flag{m.builds.Flag()}),
		cli.InGroup("Findings that prevent a move", cli.Pick(shared.Start, "rule no-rule ignore orphans tests baseline")),
		shared.Limits)
	v.Env, v.List = env, list
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := shared.Read(cmd); err != nil {
			return err
		}
		if *env.JSON {
			return errors.New("--json is not for mv")
		}
		if len(args) < 2 {
			return errors.New("mv: give the files to move, and their new name or directory")
		}
		m.builds.Set(&m.options, &m.known)
		m.stdout, m.stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
		m.colour = cli.Coloured(cmd.Flag("color").Value.String(), cli.IsTerminal(m.stdout))
		olds, err := input.Expand(tree.Disk(), args[:len(args)-1], slash.Here())
		if err != nil {
			return fmt.Errorf("mv: %w", err)
		}
		return m.run(append(cli.Spelled(olds), args[len(args)-1]))
	}
	return cli.NewCommand(cmd, "dry-run redirects site root generator slugs glob quiet", list)
}

// run moves files, or renames a heading.
func (m *mvRun) run(args []string) error {
	var err error
	m.tree, err = findTree(strings.TrimRight(args[0], "/"))
	if err != nil {
		return err
	}
	if !m.dryRun {
		found, isSame, err := m.tree.recover(args)
		if err != nil {
			return fmt.Errorf("mv: a move that was interrupted: %w", err)
		}
		if found && !m.quiet {
			fmt.Fprintln(m.stderr, "refract: completed a move that was interrupted")
		}
		if isSame {
			return nil
		}
	}
	r, err := m.request(args)
	if err != nil {
		return failedMove(err)
	}
	r.Memory = m.tree.memories()
	r.Links = slash.Path(m.tree.Root)
	if err := m.tree.Begin(r); err != nil {
		return failedMove(err)
	}
	garbage := resources.StartCollectorForMoves()
	defer garbage.Stop()
	plan, err := Make(context.Background(), r)
	if err != nil {
		return failedMove(err)
	}
	if note := m.known.Note(); note != "" && !m.quiet {
		fmt.Fprintf(m.stderr, "refract: %s\n", note)
	}
	if len(plan.Problems) > 0 {
		return m.refuse(plan)
	}
	if m.dryRun {
		if err := m.showDiff(plan); err != nil {
			return err
		}
	} else {
		defer cli.OnInterrupt(func() {})() // recover would complete it, but it is nearly done
		if err := m.tree.apply(plan, args); err != nil {
			return failedMove(err)
		}
		m.tree.remember(plan)
	}
	m.report(plan)
	return nil
}

// failedMove adds the name of the command to err. Names of files are relative to the current
// directory, and system calls are not named.
func failedMove(err error) error {
	if at, ok := err.(*fs.PathError); ok {
		err = fmt.Errorf("%q: %w", shownPath(slash.Path(at.Path)), at.Err)
	}
	text := auditflags.Named(err).Error()
	if dir, e := os.Getwd(); e == nil {
		text = strings.ReplaceAll(text, strings.TrimSuffix(slash.Path(dir), "/")+"/", "")
	}
	return errors.New("mv: " + text)
}

// request returns what the arguments ask for.
func (m *mvRun) request(args []string) (*Request, error) {
	o := m.options
	for _, name := range []*string{&o.Root, &o.GlobDir} {
		if *name != "" {
			full, err := filepath.Abs(*name)
			if err != nil {
				return nil, err
			}
			*name = full
		}
	}
	for i := range o.Roots {
		for _, name := range []*string{&o.Roots[i].Below, &o.Roots[i].Dir} {
			full, err := filepath.Abs(*name)
			if err != nil {
				return nil, err
			}
			*name = full
		}
	}
	for i := range o.Sites {
		full, err := filepath.Abs(o.Sites[i].Dir)
		if err != nil {
			return nil, err
		}
		o.Sites[i].Dir = full
	}
	for i := range o.Built {
		full, err := filepath.Abs(o.Built[i].Dir)
		if err != nil {
			return nil, err
		}
		o.Built[i].Dir = full
	}
	o.Dir, o.Paths = slash.Path(m.tree.Root), []string{"."}
	if dir, err := realWorkingDir(); err == nil { // messages show paths relative to it
		if rel, err := filepath.Rel(dir, m.tree.Root); err == nil {
			o.Dir, o.Paths = slash.Path(dir), []string{slash.Path(rel)}
		}
	}
	o.Spell() // the names of o may lead through links that Dir is without
	r := &Request{Options: o, Redirects: m.redirects}
	last := args[len(args)-1]
	if !input.Exists(args[0]) && len(args) == 2 && strings.HasPrefix(last, "#") {
		return r, m.setHeading(r, args[0], last[1:])
	}
	if file, _, ok := strings.Cut(args[0], "#"); ok && len(args) == 2 && !input.Exists(args[0]) && input.Exists(file) {
		return r, fmt.Errorf("%s is a heading: write \"#\" before its new text: %q", args[0], "#"+last)
	}
	var err error
	r.Renames, err = m.tree.renames(args[:len(args)-1], last)
	return r, err
}

// setHeading sets the heading to rename.
func (m *mvRun) setHeading(r *Request, from, text string) error {
	i := strings.LastIndexByte(from, '#')
	if i < 0 {
		return fmt.Errorf("%s: a heading is FILE#ID", from)
	}
	if strings.TrimSpace(text) == "" {
		return errors.New("the new heading is empty")
	}
	name, err := m.tree.document(from[:i])
	r.Heading = &Heading{Path: name, ID: from[i+1:], Text: text}
	return err
}

// refuse lists the references that would not keep their meaning.
func (m *mvRun) refuse(plan *Plan) error {
	const most = 50
	for i := range plan.Problems {
		if i == most {
			fmt.Fprintf(m.stderr, "refract: and %s more\n", ascii.Number(len(plan.Problems)-most))
			break
		}
		p := plan.Problems[i]
		p.Path = shownPath(p.Path)
		fmt.Fprintf(m.stderr, "refract: %s\n", cli.OneLine(p.String()))
	}
	fmt.Fprintf(m.stderr, "refract: nothing was moved, because of %s\n", cli.Count(len(plan.Problems), "problem"))
	return cli.Status(cli.ExitFindings)
}

// realWorkingDir returns the current directory without symbolic links.
func realWorkingDir() (string, error) {
	dir, err := os.Getwd()
	if real, e := filepath.EvalSymlinks(dir); e == nil {
		dir = filepath.FromSlash(tree.Spelled(tree.Disk(), "", real))
	}
	return dir, err
}

// shownPath returns a path relative to the current directory, if it is below.
func shownPath(p string) string {
	dir, err := realWorkingDir()
	rel, e := filepath.Rel(dir, filepath.FromSlash(p))
	if p == "" || err != nil || e != nil || !filepath.IsLocal(rel) {
		return p
	}
	return slash.Path(rel)
}

// showDiff writes the changes as a diff that "git apply" accepts.
func (m *mvRun) showDiff(plan *Plan) error {
	joblog.SetForm(m.stdout, joblog.Patch)
	w := bufio.NewWriter(m.stdout)
	changed := map[string]*File{}
	for i := range plan.Files {
		f := &plan.Files[i]
		changed[f.Path] = f
		if f.Path == f.To {
			file := fix.File{Path: filepath.FromSlash(f.Path), Old: f.Old, New: f.New}
			w.Write(file.AppendDiff(nil, m.colour))
		}
	}
	for _, r := range plan.Renames {
		err := filepath.WalkDir(filepath.FromSlash(r.From), func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			from := slash.Path(name)
			to := r.To + strings.TrimPrefix(from, r.From)
			w.Write(fix.AppendRename(nil, from, to, m.colour))
			if f := changed[from]; f != nil {
				file := fix.File{Path: filepath.FromSlash(from), Old: f.Old, New: f.New}
				file.RenameTo(filepath.FromSlash(to))
				w.Write(file.AppendDiff(nil, m.colour))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return w.Flush()
}

// shortened returns a text with the paths in it relative to the tree.
func (m *mvRun) shortened(text string) string {
	return strings.ReplaceAll(text, strings.TrimSuffix(slash.Path(m.tree.Root), "/")+"/", "")
}

// report prints what was done, or with --dry-run would be.
func (m *mvRun) report(plan *Plan) {
	if m.quiet {
		return
	}
	w := m.stderr
	for _, r := range plan.Renames {
		fmt.Fprintf(w, "refract: %s -> %s\n", cli.OneLine(shownPath(r.From)), cli.OneLine(shownPath(r.To)))
	}
	verb := "edited"
	if m.dryRun {
		verb = "to edit"
	}
	fmt.Fprintf(w, "refract: %s %s in %s\n", cli.Count(plan.References, "reference"), verb, cli.Count(len(plan.Files), "file"))
	const most = 10
	for i, u := range plan.URLs {
		if i == most && len(plan.URLs) > most+1 {
			fmt.Fprintf(w, "refract: and %s more URLs change\n", ascii.Number(len(plan.URLs)-most))
			break
		}
		to := u.To
		if to == "" {
			to = "no URL"
		}
		fmt.Fprintf(w, "refract: URL changes: %s -> %s", cli.OneLine(u.From), cli.OneLine(to))
		switch {
		case u.Redirect != "":
			fmt.Fprintf(w, " (redirect: %s)", cli.OneLine(m.shortened(u.Redirect)))
		case u.Why != "":
			fmt.Fprintf(w, " (no redirect: %s)", cli.OneLine(u.Why))
		case u.Can != "":
			fmt.Fprintf(w, " (--redirects would add it to %s)", cli.OneLine(m.shortened(u.Can)))
		}
		fmt.Fprintln(w)
	}
}
