//go:build unix

package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/testing/cmdtest"
	"example.org/refract/internal/testing/scantest"
)

// Helix shows diagnostics and hovers, follows a link, and renames a heading with the links to it. It needs a terminal,
// which script(1) is. Each key is typed when the log of Helix has the answer that it depends on. The test is skipped where
// either is not installed.
func TestHelix(t *testing.T) {
	scantest.Long(t, "runs an editor")
	hx, err := exec.LookPath("hx")
	if err != nil {
		t.Skip(err)
	}
	terminal, err := exec.LookPath("script")
	if err != nil {
		t.Skip(err)
	}
	dir, home := t.TempDir(), t.TempDir()
	log := filepath.Join(home, "log")
	for name, text := range map[string]string{
		filepath.Join(dir, "a.md"): "# Alpha\n\n[x](b.md#two-words) [y](none.md)\n",
		filepath.Join(dir, "b.md"): "# Intro\n\n## Two words\n\n[a](a.md#alpha)\n",
		filepath.Join(home, "helix", "languages.toml"): "[language-server.refract]\ncommand = \"" + cmdtest.Binary(t) + "\"\nargs = [\"lsp\"]\n\n" +
			"[[language]]\nname = \"markdown\"\nlanguage-servers = [\"refract\"]\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, terminal, "-qec", hx+" -v --log "+log+" a.md", os.DevNull)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home, "TERM=xterm-256color")
	keys, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	seen := 0 // bytes of the log that earlier answers took
	until := func(what, file string) {
		for ctx.Err() == nil {
			data, _ := os.ReadFile(file)
			text := string(data)
			if file == log {
				text = text[min(seen, len(text)):]
			}
			if i := strings.Index(text, what); i >= 0 {
				if file == log {
					seen += i + len(what)
				}
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Fatalf("%s has no %s", file, what)
	}
	until(`no such file: \"none.md\"`, log)
	io.WriteString(keys, "3gglllll k")
	until("## Two words", log) // the hover
	io.WriteString(keys, "gd")
	until(`"uri":"file://`+dir+`/b.md"}`, log) // it is opened
	until("publishDiagnostics", log)
	io.WriteString(keys, " r")
	until(`"placeholder":"Two words"`, log)
	io.WriteString(keys, "\x15Three\r")
	until(`"newText":"hree"`, log)
	io.WriteString(keys, ":wa\r")
	until("[x](b.md#three) [y](none.md)\n", filepath.Join(dir, "a.md"))
	until("## Three\n", filepath.Join(dir, "b.md"))
	io.WriteString(keys, ":qa!\r")
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
