package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/internal/config"
	"example.org/refract/internal/testing/scantest"
)

// Each flag of a command that reads a configuration says which configuration may set it.
func TestSettingsAreComplete(t *testing.T) {
	root := newCommand(&bytes.Buffer{}, &bytes.Buffer{})
	for _, c := range readers(root) {
		c.InitDefaultHelpFlag()
		check := func(f *pflag.Flag) {
			if flag := flagOf(root, c, f.Name); flag == nil || flag.Config == cli.Unanswered {
				t.Errorf("%s: may a configuration set --%s?", c.Name(), f.Name)
			}
		}
		c.LocalFlags().VisitAll(check)
		c.InheritedFlags().VisitAll(check)
	}
	if n := len(readers(root)); n != 3 {
		t.Errorf("%d commands read a configuration", n)
	}
}

// readers returns the commands that read a configuration.
func readers(root *cli.Command) (all []*cli.Command) {
	for _, c := range root.Subs {
		if slices.ContainsFunc(c.List, func(f cli.Flag) bool { return f.Name == "config" }) {
			all = append(all, c)
		}
	}
	return all
}

// flagOf returns the flag of a command called name, which may be one of the main command, or nil.
func flagOf(root, c *cli.Command, name string) *cli.Flag {
	for _, list := range [][]cli.Flag{c.List, root.List} {
		if i := slices.IndexFunc(list, func(f cli.Flag) bool { return f.Name == name && f.Var != nil }); i >= 0 {
			return &list[i]
		}
	}
	return nil
}

// configurable returns all that is a key of a configuration, or a flag that is none, sorted by name.
func configurable() []cli.Flag {
	all := map[string]cli.Flag{"paths": {Name: "paths", Config: cli.Found, Holds: config.AnyFile}, "overrides": {Name: "overrides", Config: cli.Found}}
	root := newCommand(&bytes.Buffer{}, &bytes.Buffer{})
	for _, c := range readers(root) {
		for _, f := range slices.Concat(c.List, root.List) {
			if f.Var != nil && f.Config != cli.Unanswered {
				all[f.Name] = f
			}
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b cli.Flag) int { return strings.Compare(a.Name, b.Name) })
}

const secretText = "hunter2-token: /never/to/be/shown\n"

// A hostileTree is a directory with a repository, which the test runs in, and one with a secret beside it.
type hostileTree struct{ outside string }

func newHostileTree(t *testing.T, isRepo bool) *hostileTree {
	t.Helper()
	dir := t.TempDir()
	h := &hostileTree{outside: filepath.Join(dir, "outside")}
	repo := filepath.Join(dir, "repo")
	for _, d := range []string{h.outside, filepath.Join(repo, "docs")} {
		if err := os.MkdirAll(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if isRepo {
		os.Mkdir(filepath.Join(repo, ".git"), 0o777)
		os.WriteFile(filepath.Join(repo, ".git", "config"), []byte(secretText), 0o666)
	}
	os.WriteFile(filepath.Join(h.outside, "secret"), []byte(secretText), 0o666)
	os.WriteFile(filepath.Join(h.outside, "secret.md"), []byte("[hunter2](hunter2.md)\n"), 0o666)
	os.WriteFile(filepath.Join(repo, "docs", "a.md"), []byte("# A\n\n[b](b.md)\n"), 0o666)
	for link, to := range map[string]string{"filelink": "../outside/secret", "dirlink": "../outside", "newlink": "../outside/new", "chain": "newlink"} {
		if err := os.Symlink(filepath.FromSlash(to), filepath.Join(repo, link)); err != nil {
			t.Skip(err)
		}
	}
	if err := makePipe(filepath.Join(repo, "pipe")); err != nil {
		t.Logf("no pipes here: %v", err)
	}
	t.Chdir(repo)
	return h
}

// files lists what is outside, with sizes and times.
func (h *hostileTree) files(t *testing.T) (list []string) {
	t.Helper()
	for _, dir := range []string{h.outside, "."} {
		err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
			if err == nil && name != config.Name {
				info, _ := e.Info()
				if !info.IsDir() {
					name += fmt.Sprint(" ", info.Size(), info.ModTime().UnixNano())
				}
				list = append(list, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// run runs a command with a configuration, and checks that it writes no file and shows no secret.
func (h *hostileTree) run(t *testing.T, configuration string, args ...string) (code int, errs string) {
	t.Helper()
	if err := os.WriteFile(config.Name, []byte(configuration), 0o666); err != nil {
		t.Fatal(err)
	}
	before := h.files(t)
	var out, messages bytes.Buffer
	code = run(args, &out, &messages)
	if after := h.files(t); !slices.Equal(before, after) {
		t.Errorf("%q %v: files changed: %q, were %q", configuration, args, after, before)
	}
	if all := out.String() + messages.String(); strings.Contains(all, "hunter2") || strings.Contains(all, "/never/") || strings.Contains(all, "GOPATH=") {
		t.Errorf("%q %v: shows a secret: %s", configuration, args, all)
	}
	return code, messages.String()
}

// refused runs a command with a configuration that it must refuse, by the line.
func (h *hostileTree) refused(t *testing.T, configuration string, args ...string) {
	t.Helper()
	code, errs := h.run(t, configuration, args...)
	if code != cli.ExitFailed || !strings.Contains(errs, config.Name+": line 1: ") {
		t.Errorf("%q %v: status %d: %s", configuration, args, code, errs)
	}
}

// A configuration that refract finds sets nothing that writes, and names nothing outside, for any key. The long tests try each value
// in each command, and others each in one, and a quarter of them for a key that such a configuration may not set.
func TestHostileConfigurations(t *testing.T) {
	for _, isRepo := range []bool{true, false} {
		h := newHostileTree(t, isRepo)
		values := []string{
			"../outside/secret", "../outside", "../outside/new", "docs/../../outside/secret", filepath.ToSlash(h.outside) + "/secret",
			filepath.ToSlash(h.outside), "/dev/zero", "/proc/self/environ", "filelink", "dirlink", "dirlink/secret", "newlink", "chain", "pipe", "docs/.git/config", ".git/config",
		}
		for k, s := range configurable() {
			key := s.Name
			for v, value := range values {
				commands := [][]string{{"audit"}, {"audit", "--json", "-v", "docs"}}
				if !scantest.IsLong() {
					i := (k + v/4) % len(commands)
					commands = commands[i : i+1]
				}
				switch {
				case !scantest.IsLong() && (s.Config != cli.Found && (k+v)%4 > 0 || !isRepo && (k+v)%3 > 0):
					continue
				case s.Config == cli.Found && s.Holds == config.NoNames && key != "forbid" && !strings.HasPrefix(value, "/dev/"):
					continue // one value is enough where none is a name
				case value == "pipe" && runtime.GOOS == "windows":
					continue
				case key == "site":
					value = "https://example.org/=" + value
				}
				for _, args := range commands {
					switch key {
					case "forbid":
						h.refused(t, "forbid: {hosts: "+value+"}\n", args...)
					case "root":
						h.refused(t, "root: {docs: "+value+"}\n", args...)
						h.refused(t, "root: {"+value+": docs}\n", args...)
					}
					code, errs := h.run(t, key+": "+value+"\n", args...)
					isRefused := code == cli.ExitFailed && strings.Contains(errs, config.Name+": line 1: ") && strings.Contains(errs, key)
					mustBe := s.Config != cli.Found || s.Holds != config.NoNames && s.Holds != config.Elements
					if s.Holds == config.Elements && strings.Contains(value, "..") {
						mustBe = true
					}
					if mustBe && !isRefused {
						t.Errorf("%s: %s (%v): status %d: %s", key, value, args, code, errs)
					}
					if s.Config == cli.Named && key != "redirects" && !strings.Contains(errs, "--"+key) {
						t.Errorf("%s: the flag is not named: %s", key, errs)
					}
				}
			}
		}
	}
}

// The same commands do what a configuration inside the repository may ask for.
func TestHarmlessConfiguration(t *testing.T) {
	h := newHostileTree(t, true)
	os.WriteFile("known", []byte("docs/a.md\tmissing-file\tb.md\n"), 0o666)
	os.WriteFile("hosts", []byte(".h.example\n"), 0o666)
	os.Symlink("docs", "inside")
	const all = "paths: [docs]\nbaseline: known\nroot: inside\nsite: https://example.org/=docs\nsuffixes: [.md]\nindex: [README.md]\n" +
		"no-rule: case\nrule: [missing-file]\nstrict: true\nignore: ['../x*']\nglob: ['!old']\ngenerator: none\nslugs: github\nresolution: rfc3986,above-root=retain\ntests: true\n" +
		"forbid: [{hosts: hosts}]\noverrides: [{files: docs, rules: {case: off}}]\n"
	if code, errs := h.run(t, all, "audit"); code != 0 || !strings.Contains(errs, "1 known") {
		t.Errorf("%d %s", code, errs)
	}
	// Names are relative to the file.
	os.Mkdir("sub", 0o777)
	t.Chdir("sub")
	var out, errs bytes.Buffer
	if code := run([]string{"audit"}, &out, &errs); code != 0 || !strings.Contains(errs.String(), "1 known") {
		t.Errorf("%d %s%s", code, out.String(), errs.String())
	}
}

// A person may name any configuration, which sets everything; --no-config reads none.
func TestNamedConfiguration(t *testing.T) {
	h := newHostileTree(t, true)
	report := filepath.Join(h.outside, "report")
	mine := filepath.Join(h.outside, "mine.yaml")
	os.WriteFile(mine, []byte("output: report\nformat: sarif\n"), 0o666)
	os.WriteFile(config.Name, []byte("output: x\n"), 0o666)
	var out, errs bytes.Buffer
	if code := run([]string{"audit", "--config", mine, "docs"}, &out, &errs); code != cli.ExitFindings {
		t.Errorf("%d %s", code, errs.String())
	}
	if text, _ := os.ReadFile(report); !bytes.Contains(text, []byte("sarif")) {
		t.Errorf("%s", text)
	}
	if code, errs := h.run(t, "output: x\nno-rule: missing-file\n", "audit", "--no-config", "docs"); code != cli.ExitFindings {
		t.Errorf("%d %s", code, errs)
	}
	if code, errs := h.run(t, "", "audit", "--no-config", "--config", mine); code != cli.ExitFailed || !strings.Contains(errs, "--no-config") {
		t.Errorf("%d %s", code, errs)
	}
}

// Configurations and baselines are regular files of limited size, also if a person names them, and
// what they hold is not quoted if a name in the repository points out of it.
func TestNamedFilesAreRegular(t *testing.T) {
	h := newHostileTree(t, true)
	big := filepath.Join(h.outside, "big")
	f, err := os.Create(big)
	if err != nil {
		t.Fatal(err)
	}
	f.Truncate(64<<20 + 1)
	f.Close()
	for _, tt := range []struct{ name, want string }{
		{"pipe", "not a regular file"}, {"/dev/zero", "not a regular file"}, {"docs", "not a regular file"}, {big, "larger than"},
		{"filelink", "leads out"}, {"dirlink/secret", "leads out"}, {"newlink", "leads out"}, {"/proc/self/environ", ""}, {filepath.Join(h.outside, "secret"), ""},
	} {
		if runtime.GOOS == "windows" && !strings.Contains(tt.name, "i") {
			continue
		}
		for _, flag := range []string{"--baseline", "--config"} {
			if flag == "--config" && tt.want == "" {
				continue // a person may name it, and its keys
			}
			if code, errs := h.run(t, "", "audit", flag, tt.name, "docs"); code != cli.ExitFailed || !strings.Contains(errs, flag) || !strings.Contains(errs, tt.want) {
				t.Errorf("%s %s: %d %s", flag, tt.name, code, errs)
			}
		}
	}
}

// A configuration that is found is a regular file in the repository.
func TestFoundConfigurationIsInside(t *testing.T) {
	for _, to := range []string{"../outside/secret", "../outside/new", "/proc/self/environ", "/dev/zero", "pipe", "docs", ".git/config", config.Name} {
		h := newHostileTree(t, true)
		if err := os.Symlink(to, config.Name); err != nil {
			t.Fatal(err)
		}
		before := h.files(t)
		var out, errs bytes.Buffer
		if code := run([]string{"audit", "docs"}, &out, &errs); code != cli.ExitFailed || !strings.Contains(errs.String(), config.Name) || strings.Contains(errs.String(), "hunter2") {
			t.Errorf("%s: %d %s", to, code, errs.String())
		}
		if after := h.files(t); !slices.Equal(before, after) {
			t.Errorf("%s: files changed: %q", to, after)
		}
	}
	h := newHostileTree(t, true)
	os.WriteFile("real.yaml", []byte("no-rule: missing-file\n"), 0o666)
	os.Symlink("real.yaml", config.Name)
	var out, errs bytes.Buffer
	if code := run([]string{"audit", "docs"}, &out, &errs); code != 0 {
		t.Errorf("a link inside: %d %s%s %s", code, out.String(), errs.String(), h.outside)
	}
}

// An output whose name is a symbolic link that points out of the repository is not written.
func TestOutputsStayInside(t *testing.T) {
	h := newHostileTree(t, true)
	for _, flag := range []string{"-o", "--html", "--cache", "--write-baseline"} {
		for _, name := range []string{"filelink", "newlink", "chain", "dirlink/new"} {
			if code, errs := h.run(t, "", "audit", flag, name, "docs"); code != cli.ExitFailed || !strings.Contains(errs, "leads out") {
				t.Errorf("%s %s: %d %s", flag, name, code, errs)
			}
		}
	}
	// A person may name what is outside.
	var out, errs bytes.Buffer
	if code := run([]string{"audit", "-o", filepath.Join(h.outside, "out"), "docs"}, &out, &errs); code != cli.ExitFindings {
		t.Errorf("%d %s", code, errs.String())
	}
}
