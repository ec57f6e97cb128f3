package git

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// A Past looks up in the histories of repositories which files existed together. Its zero value is ready.
// It is not for several goroutines.
type Past struct {
	spent time.Duration
	known map[[2]string]beside
}

type beside struct {
	was bool
	err error
}

// maxPast is how long all questions to a Past may take together. A history of a million commits takes
// seconds for a path.
const maxPast = 20 * time.Second

var errTooLong = errors.New("git takes too long")

// WereTogether reports whether a missing file last existed together with another one: then that is not its
// new path. Both are absolute, with slashes. If there is no history, or if the first was never in it, the
// result is false. An error says that there is a history which could not be read.
func (p *Past) WereTogether(gone, other string) (bool, error) {
	key := [2]string{gone, other}
	answer, isKnown := p.known[key]
	if !isKnown {
		if p.known == nil {
			p.known = map[[2]string]beside{}
		}
		answer.was, answer.err = p.find(gone, other)
		p.known[key] = answer
	}
	return answer.was, answer.err
}

func (p *Past) find(gone, other string) (bool, error) {
	top, gone, err := p.inRepository(gone)
	if err != nil || top == "" {
		return false, err
	}
	otherTop, other, err := p.inRepository(other)
	if err != nil || otherTop != top {
		return false, err
	}
	if _, err := p.output(top, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"); err != nil {
		return false, ignored(err) // no commit yet
	}
	if isThere, both, err := p.at(top, "HEAD", gone, other); err != nil || isThere {
		return both, err
	}
	commit, err := p.output(top, "rev-list", "-1", "HEAD", "--", ":(top,literal)"+gone)
	commit = strings.TrimSpace(commit)
	if err != nil || commit == "" {
		return false, p.ifShallow(top, err)
	}
	parents, err := p.output(top, "rev-parse", commit+"^@")
	if err != nil {
		return false, err
	}
	for parent := range strings.FieldsSeq(parents) {
		if isThere, both, err := p.at(top, parent, gone, other); err != nil || isThere {
			return both, err
		}
	}
	return false, p.ifShallow(top, nil)
}

// ifShallow returns err, or an error if the history in a clone does not go back to its begin.
func (p *Past) ifShallow(top string, err error) error {
	if err != nil {
		return err
	}
	is, err := p.output(top, "rev-parse", "--is-shallow-repository")
	if err == nil && strings.TrimSpace(is) == "true" {
		err = errors.New("the clone is shallow")
	}
	return err
}

// at reports whether a commit has a file, and the other as well.
func (p *Past) at(top, commit, gone, other string) (isThere, both bool, err error) {
	out, err := p.output(top, "ls-tree", "--full-tree", "--name-only", "-z", commit, "--", gone, other)
	if err != nil {
		return false, false, err
	}
	isOther := false
	for name := range strings.SplitSeq(out, "\x00") {
		isThere = isThere || name == gone
		isOther = isOther || name == other
	}
	return isThere, isThere && isOther, nil
}

// inRepository returns the top directory of the repository that a file is in, "" if it is in none, and its
// path from there.
func (p *Past) inRepository(file string) (top, rel string, err error) {
	dir := path.Dir(file)
	for !isDirectory(dir) && dir != path.Dir(dir) {
		dir = path.Dir(dir)
	}
	out, err := p.output(dir, "rev-parse", "--show-toplevel", "--show-prefix")
	if err != nil {
		return "", "", ignored(err)
	}
	top, prefix, _ := strings.Cut(strings.TrimSuffix(out, "\n"), "\n")
	return top, prefix + strings.TrimPrefix(strings.TrimPrefix(file, dir), "/"), nil
}

func isDirectory(dir string) bool {
	_, err := filepath.EvalSymlinks(filepath.FromSlash(dir))
	return err == nil
}

// ignored returns nil for an error of git that says that there is no history, or no git.
func ignored(err error) error {
	var status *exec.ExitError
	if errors.Is(err, exec.ErrNotFound) || errors.As(err, &status) && status.ExitCode() == 1 || strings.Contains(err.Error(), "not a git repository") {
		return nil
	}
	return err
}

// output is [Output] within the time that is left.
func (p *Past) output(dir string, args ...string) (string, error) {
	if p.spent >= maxPast {
		return "", errTooLong
	}
	begin := time.Now()
	defer func() { p.spent += time.Since(begin) }()
	cmd := Command(filepath.FromSlash(dir), nil, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		return "", err
	}
	timer := time.AfterFunc(maxPast-p.spent, func() { cmd.Process.Kill() })
	err := cmd.Wait()
	if !timer.Stop() {
		return "", errTooLong
	}
	if message := strings.Join(strings.Fields(errs.String()), " "); err != nil && message != "" {
		err = fmt.Errorf("git: %s", message)
	}
	return out.String(), err
}
