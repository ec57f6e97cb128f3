package main

import (
	"bytes"
	"testing"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/internal/testing/cmdtest"
)

// An index of git that is a pipe is not opened, which would take forever.
func TestIndexIsPipe(t *testing.T) {
	t.Chdir(cmdtest.Files(t, map[string]string{".git/HEAD": "", ".gitignore": "b.md\n", "a.md": "[b](b.md)\n", "b.md": ""}))
	if err := makePipe(".git/index"); err != nil {
		t.Skip(err)
	}
	var out, errs bytes.Buffer
	if code := run([]string{"audit", "."}, &out, &errs); code != cli.ExitOK {
		t.Error(code, out.String(), errs.String())
	}
}
