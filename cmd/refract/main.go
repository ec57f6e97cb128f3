// Refract finds URL references in documents, resolves them, and audits links.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"example.org/refract/cmd/refract/internal/jsontext"
)

// Exit status.
const (
	exitOK       = 0 // also if nothing was found
	exitFindings = 1 // audit findings, or notes under --strict
	exitFailed   = 2 // wrong usage, or an input that cannot be read

	exitInterrupted = 128 // plus the signal number, as in shells: 130 for Ctrl-C
)

func main() {
	// A reader that stops reading is no failure: writes then return EPIPE.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// A status is an exit status that needs no further message.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

func run(args []string, stdout, stderr io.Writer) int {
	root, addCommands := newSearch(stdout, stderr)
	if isSearch(args) {
		if code := execute(withoutCommands(root), args, stderr); code != exitCommands {
			return code
		}
		root, addCommands = newSearch(stdout, stderr)
	}
	addCommands()
	return execute(root, args, stderr)
}

// execute runs root with args, and returns the exit status, or exitCommands.
func execute(root *cobra.Command, args []string, stderr io.Writer) int {
	if len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd) {
		completeValues(root) // cobra keeps these functions forever, in a global table
	}
	help := reportHelp(root)
	args, err := joinOptional(root, args)
	if err == nil {
		root.SetArgs(args)
		err = root.Execute()
	}
	if err == nil {
		err = help.err
	}
	var s status
	switch {
	case errors.Is(err, errCommands):
		return exitCommands
	case err == nil, errors.Is(err, syscall.EPIPE):
		return exitOK
	case errors.As(err, &s):
		return int(s)
	}
	fmt.Fprintf(stderr, "refract: %v\n", err)
	return exitFailed
}

// A checkedWriter remembers the first error of a writer.
type checkedWriter struct {
	w   io.Writer
	err error
}

func (w *checkedWriter) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	if w.err == nil {
		w.err = err
	}
	return n, err
}

// reportHelp makes errors of writing help available, which cobra drops.
func reportHelp(root *cobra.Command) *checkedWriter {
	w := &checkedWriter{}
	show := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		w.w = c.OutOrStdout()
		c.SetOut(w)
		c.SetErr(io.Discard) // cobra prints the error that run reports
		show(c, args)
	})
	return w
}

// release is the version of a release. The linker sets it.
var release string

// version returns the version of refract (of the release, the module, or the checkout) and the
// version of Go.
func version() string {
	info, ok := debug.ReadBuildInfo()
	switch {
	case release != "":
		return release + " " + runtime.Version()
	case !ok:
		return "unknown"
	}
	return info.Main.Version + " " + info.GoVersion
}

// A buildOf describes the sources of a build.
type buildOf struct {
	Type     string `json:"type"`
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Modified bool   `json:"modified,omitempty"` // the checkout had changes
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// readBuild returns the sources of this build.
func readBuild() buildOf {
	b := buildOf{Type: "version", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	b.Version, _, _ = strings.Cut(version(), " ")
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// String returns the line that --version prints.
func (b buildOf) String() string {
	commit := ""
	if b.Commit != "" {
		commit = ", commit " + b.Commit[:min(12, len(b.Commit))]
		if b.Modified {
			commit += " with changes"
		}
	}
	return fmt.Sprintf("refract %s%s, %s, %s", b.Version, commit, b.Go, b.Platform)
}

// writeVersion writes the output of --version.
func writeVersion(w io.Writer, asJSON bool) error {
	line := []byte(readBuild().String() + "\n")
	if asJSON {
		line = jsontext.AppendLine(nil, readBuild())
	}
	_, err := w.Write(line)
	return err
}
