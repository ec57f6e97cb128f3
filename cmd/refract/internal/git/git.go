// Package git runs git in a repository whose configuration and files may be hostile. Git reads both before
// it does anything, and several settings name programs that it runs: the commands of this package run none
// of them, and never go online. A [Commit] gives its files as a tree, without writing them.
package git

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// overrides are settings that take precedence over those of the repository. A name with "/dev/null"
// is understood by git on every system.
var overrides = []string{
	"core.fsmonitor=false",
	"core.hooksPath=/dev/null",
	"core.attributesFile=/dev/null",
	"core.pager=cat",
	"core.askPass=",
	"core.sshCommand=false",
	"core.gitProxy=",
	"core.alternateRefsCommand=true",
	"credential.helper=",
	"diff.external=",
	"diff.orderFile=/dev/null",
	"protocol.allow=never",
	"safe.bareRepository=explicit", // a directory of the tree may look like a repository
	"submodule.recurse=false",
}

// environment is added to that of the process.
var environment = []string{
	"GIT_ALLOW_PROTOCOL=none", // unlike protocol.allow, the repository cannot override it for one protocol
	"GIT_LFS_SKIP_SMUDGE=1",
	"GIT_NO_LAZY_FETCH=1",
	"GIT_NO_REPLACE_OBJECTS=1",
	"GIT_OPTIONAL_LOCKS=0",
	"GIT_TERMINAL_PROMPT=0",
	"LC_ALL=C",
}

// Command returns the command that runs git with args in dir, without hooks, monitors, pagers and
// network. env is added to its environment. See [NoFilters] for commands that read or write the
// files of a work tree.
func Command(dir string, env []string, args ...string) *exec.Cmd {
	all := []string{"--no-pager"}
	for _, o := range overrides {
		all = append(all, "-c", o)
	}
	cmd := exec.Command("git", append(all, args...)...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), environment...), env...)
	return cmd
}

// Output runs git, and returns its output. The error holds the message of git.
func Output(dir string, env []string, args ...string) (string, error) {
	cmd := Command(dir, env, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		if message := strings.Join(strings.Fields(errs.String()), " "); message != "" {
			err = fmt.Errorf("git: %s", message)
		}
		return "", err
	}
	return out.String(), nil
}

// NoFilters returns environment variables with which commands that read or write the files of a work
// tree run no filter. Filters have any names, so the repository says which ones to turn off.
func NoFilters(dir string, env []string) []string {
	// Without a match, git fails: then there is no filter.
	names, err := Output(dir, env, "config", "-z", "--name-only", "--get-regexp", `^filter\..*\.(clean|smudge|process|required)$`)
	if err != nil {
		return nil
	}
	n, _ := strconv.Atoi(os.Getenv("GIT_CONFIG_COUNT")) // settings of the user
	var off []string
	for name := range strings.SplitSeq(strings.TrimSuffix(names, "\x00"), "\x00") {
		value := ""
		if strings.HasSuffix(name, ".required") {
			value = "false"
		}
		off = append(off, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", n, name), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", n, value))
		n++
	}
	return append(off, fmt.Sprintf("GIT_CONFIG_COUNT=%d", n))
}
