package git

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// One process reads all objects: also after one that is missing, is no file, or was not read to its end.
func TestObjects(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	dir := t.TempDir()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	git := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	git("init", "-q")
	large := strings.Repeat("0123456789\n", 100_000)
	for name, text := range map[string]string{"a b.md": "one\n", "empty": "", "large": large} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	git("add", "-A")
	git("commit", "-q", "-m", "1")
	o := newObjects(dir, nil)
	defer o.close()
	read := func(name string) (text string, err error) {
		err = o.blob(name, func(size int64, content io.Reader) error {
			all, err := io.ReadAll(content)
			if int64(len(all)) != size {
				t.Errorf("%s: %d of %d bytes", name, len(all), size)
			}
			text = string(all)
			return err
		})
		return text, err
	}
	for range 2 {
		for name, want := range map[string]string{"HEAD:a b.md": "one\n", "HEAD:empty": "", "HEAD:large": large} {
			if text, err := read(name); err != nil || text != want {
				t.Errorf("%s: %d bytes, %v", name, len(text), err)
			}
		}
		for name, want := range map[string]string{"HEAD:none x": "is missing", "HEAD:": "is no file", "HEAD": "is no file", strings.Repeat("0", 40): "is missing"} {
			if _, err := read(name); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", name, err)
			}
		}
		mine := errors.New("enough")
		err := o.blob("HEAD:large", func(_ int64, content io.Reader) error {
			content.Read(make([]byte, 10))
			return mine
		})
		if err != mine {
			t.Errorf("%v", err)
		}
		o.close() // the next object starts it again
	}

	// An object that is damaged ends git, with a message.
	object := strings.TrimSpace(git("rev-parse", "HEAD:large"))
	name := filepath.Join(dir, ".git", "objects", object[:2], object[2:])
	os.Chmod(name, 0o666)
	if err := os.WriteFile(name, []byte("no object"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := read("HEAD:large"); err == nil {
		t.Error("a damaged object was read")
	}
	if runtime.GOOS == "windows" {
		return // no script is a program there
	}

	// If git ends, or says what it never says, the error says why, and nothing more is read.
	for script, want := range map[string]string{
		"echo enough >&2; exit 1":               "git: object HEAD: enough",
		"read line; echo":                       "git: object HEAD: unexpected EOF",
		"read line; echo 0123 blob 5; echo abc": "git: object HEAD: EOF",
		"read line; echo 0123 blob 4; echo abc": "git: object HEAD: EOF",
	} {
		bin := t.TempDir()
		if err := os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\n"+script+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		path := os.Getenv("PATH")
		os.Setenv("PATH", bin+":"+path)
		o := newObjects(dir, nil)
		for range 2 {
			if err := o.blob("HEAD", func(_ int64, r io.Reader) error { _, err := io.ReadAll(r); return err }); err == nil || err.Error() != want {
				t.Errorf("%s: %v, want %s", script, err, want)
			}
		}
		o.close()
		os.Setenv("PATH", path)
	}
	none := newObjects(filepath.Join(dir, "none"), nil)
	defer none.close()
	for range 2 {
		if err := none.blob("HEAD", nil); err == nil {
			t.Error("an object of no repository was read")
		}
	}
}
