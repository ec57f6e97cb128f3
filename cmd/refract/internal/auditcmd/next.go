package auditcmd

import (
	"fmt"
	"os"
	"strings"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/setup"
	"example.org/refract/cmd/refract/internal/webpage"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/lazy"
)

// A step is a command that a first audit proposes.
type step struct{ purpose, command, note string }

// notice sets whether a run seems to be the first in a tree, and the parts of the result that its proposals
// need. It is a first run if a person audits directories at a terminal, with no flag and no configuration.
func (a *auditRun) notice(r *audit.Report) {
	if a.hasFlags || !a.renderer.Terminal || !cli.IsTerminal(a.stderr) || a.options.repeat.FindConfig() != "" {
		return
	}
	for _, arg := range a.args {
		if info, err := os.Stat(arg); err != nil || !info.IsDir() {
			return
		}
	}
	a.isFirst, a.outputs = true, r.Outputs()
}

// writeNext writes the commands that come next. certain findings can be fixed.
func (a *auditRun) writeNext(r *audit.Report, certain int) {
	for _, line := range layOut(nextSteps(a.args, r.Findings, certain, a.outputs, setup.Suits(a.args[0]))) {
		fmt.Fprintf(a.stderr, "refract: %s\n", line)
	}
}

// nextSteps returns the steps after an audit of directories with so many findings, of which so many can be fixed.
func nextSteps(args []string, findings, certain int, outputs []string, wantsCI bool) (steps []step) {
	again := func(flags string) string {
		words := []string{"refract audit"}
		if flags != "" {
			words = append(words, flags)
		}
		if len(args) != 1 || args[0] != "." {
			words = append(words, shellWords(args))
		}
		return strings.Join(words, " ")
	}
	fix, accept := "to fix "+webpage.Number(certain)+":", "to accept all:"
	if findings > certain && certain > 0 {
		fix, accept = fmt.Sprintf("to fix %s of %s:", webpage.Number(certain), webpage.Number(findings)), "to accept the others:"
	}
	if certain > 0 {
		steps = append(steps, step{fix, again("--fix"), "(--dry-run shows how)"})
	}
	if findings > certain {
		steps = append(steps, step{accept, again("--write-baseline known.txt"), ""})
	}
	if len(outputs) > 0 {
		steps = append(steps, step{"to check a build:", again("--built " + shellWords(outputs[:1])), ""})
	}
	if wantsCI {
		command := "refract init"
		if len(args) == 1 && args[0] != "." {
			command += " " + shellWords(args)
		}
		steps = append(steps, step{"to set up CI:", command, ""})
	}
	return steps
}

// layOut returns the lines of steps. Notes that would make a line wider than a terminal are left out.
func layOut(steps []step) (lines []string) {
	const width = 80 - len("refract: ")
	column := 0
	for _, s := range steps {
		column = max(column, len(s.purpose))
	}
	for _, s := range steps {
		line := fmt.Sprintf("%-*s %s", column, s.purpose, s.command)
		if s.note != "" && len(line)+1+len(s.note) <= width {
			line += " " + s.note
		}
		lines = append(lines, line)
	}
	return lines
}

var isPlainWord = lazy.New(`^[\w./][\w./@%+:,-]*$`)

// shellWords returns names as words of a shell.
func shellWords(names []string) string {
	words := make([]string, len(names))
	for i, name := range names {
		if strings.HasPrefix(name, "-") {
			name = "./" + name
		}
		words[i] = cli.OneLine(name)
		if !isPlainWord.MatchString(name) {
			words[i] = "'" + strings.ReplaceAll(words[i], "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}
