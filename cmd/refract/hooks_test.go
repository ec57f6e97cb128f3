package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"example.org/refract/cmd/refract/internal/cmdtest"
	"example.org/refract/internal/scantest"
)

// project makes a repository with a document, which contains a link.
func project(t *testing.T, link string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"docs/a b.md": "# A\n\n[x](" + link + ")\n", ".refract.yaml": "paths: [docs]\n"} {
		name = filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(name), 0o777)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Skipf("git: %v %s", err, out)
	}
	return dir
}

// decode reads a file of YAML at the top of this repository.
func decode(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile("../../" + name)
	if err == nil {
		d := yaml.NewDecoder(bytes.NewReader(text))
		d.KnownFields(true)
		err = d.Decode(into)
	}
	if err != nil {
		t.Fatal(name, ": ", err)
	}
}

// Run the hook as pre-commit does: by its entry, in the repository.
func TestPreCommitHook(t *testing.T) {
	var hooks []struct {
		ID, Name, Description, Entry, Language string

		AlwaysRun     bool `yaml:"always_run"`
		PassFilenames bool `yaml:"pass_filenames"`
	}
	decode(t, ".pre-commit-hooks.yaml", &hooks)
	if len(hooks) != 1 || hooks[0].ID != "refract-audit" || hooks[0].Language != "golang" || !hooks[0].AlwaysRun || hooks[0].PassFilenames {
		t.Fatalf("%+v", hooks)
	}
	out, errs := cmdtest.Shell(t, project(t, "a%20b.md#a"), hooks[0].Entry)
	if out != "" || !strings.Contains(errs, "1 document, 1 reference (1 of 1 into the tree judged), 0 findings") {
		t.Errorf("%s%s", out, errs)
	}
	out, _ = cmdtest.Shell(t, project(t, "none.md"), hooks[0].Entry+"; test $? -eq 1")
	if out != "docs/a b.md:3:5: no such file: \"docs/none.md\" [missing-file]\n" {
		t.Error(out)
	}
}

// makeRelease writes a release into dir, with a program that prints its arguments.
func makeRelease(t *testing.T, bash, dir string) {
	t.Helper()
	cmd := exec.Command(bash, "-ec", `mkdir -p "$1" && cd "$1" && name=refract-1.2.3-linux-amd64 && mkdir $name
printf '#!/bin/sh\necho "released: $*"\n' >$name/refract && chmod +x $name/refract
tar -czf $name.tar.gz $name && sha256sum $name.tar.gz >SHA256SUMS`, "release", dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// Run the steps of the action as a runner does.
func TestAction(t *testing.T) {
	scantest.Long(t, "builds the program")
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	type input struct {
		Description, Default string
		Required             bool
	}
	var action struct {
		Name, Description string
		Inputs            map[string]input
		Runs              struct {
			Using string
			Steps []struct {
				ID, If, Name, Uses, Shell, Run string
				With, Env                      map[string]string
			}
		}
	}
	decode(t, "action.yml", &action)
	if action.Runs.Using != "composite" {
		t.Fatalf("%+v", action)
	}
	top, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	temp, ref, server := t.TempDir(), "", ""
	output := filepath.Join(temp, "output")
	steps := func(dir, args string) (said string, failed bool) {
		values := map[string]string{"github.action_path": top, "runner.temp": temp, "inputs.args": args,
			"github.action_ref": ref, "github.action_repository": "o/r", "github.server_url": server, "runner.os": "Linux", "runner.arch": "X64"}
		os.Remove(output)
		fill := func(s string) string {
			return regexp.MustCompile(`\$\{\{ *([a-z_.]+) *\}\}`).ReplaceAllStringFunc(s, func(m string) string {
				v, ok := values[strings.Trim(m, "${ }")]
				if !ok {
					t.Errorf("%s is not known", m)
				}
				return v
			})
		}
		for _, s := range action.Runs.Steps {
			if said, _ := os.ReadFile(output); s.If == "steps.release.outputs.found != 'true'" && string(said) == "found=true\n" {
				continue
			} else if s.If != "" && s.If != "steps.release.outputs.found != 'true'" {
				t.Errorf("if: %s", s.If)
			}
			if s.Uses != "" {
				if !regexp.MustCompile(`^actions/setup-go@v\d+$`).MatchString(s.Uses) {
					t.Errorf("uses %s", s.Uses)
				}
				for _, v := range s.With {
					if _, err := os.Stat(fill(v)); err != nil {
						t.Error(err)
					}
				}
				continue
			}
			cmd := exec.Command(bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", fill(s.Run))
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GITHUB_OUTPUT="+output)
			for name, value := range s.Env {
				cmd.Env = append(cmd.Env, name+"="+fill(value))
			}
			out, err := cmd.CombinedOutput()
			if said += string(out); err != nil {
				return said, true
			}
		}
		return said, false
	}
	if out, failed := steps(project(t, "none.md"), action.Inputs["args"].Default); !failed ||
		!strings.Contains(out, "::error file=docs/a b.md,line=3,col=5,") {
		t.Error(out)
	}
	if _, err := exec.LookPath("curl"); err == nil && runtime.GOOS == "linux" {
		// A missing release, a good one, and one with a wrong checksum.
		server, ref = "file://"+filepath.ToSlash(temp), "v1.2.3"
		if out, failed := steps(project(t, "none.md"), "."); !failed || !strings.Contains(out, "of v1.2.3: refract is built") || !strings.Contains(out, "::error") {
			t.Error(out)
		}
		makeRelease(t, bash, filepath.Join(temp, "o", "r", "releases", "download", ref))
		if out, failed := steps(project(t, "x.md"), "some args"); failed || out != "refract-1.2.3-linux-amd64.tar.gz: OK\nreleased: audit --format github some args\n" {
			t.Error(out)
		}
		os.WriteFile(filepath.Join(temp, "o", "r", "releases", "download", ref, "refract-1.2.3-linux-amd64.tar.gz"), []byte("x"), 0o666)
		if out, failed := steps(project(t, "x.md"), "."); !failed || !strings.Contains(out, "FAILED") {
			t.Error(out)
		}
		ref = ""
		os.Remove(filepath.Join(temp, "refract")) // a build does not replace a script
	}
	if out, failed := steps(project(t, "a%20b.md"), ". -g *.md"); failed || !strings.Contains(out, "1 document, 1 reference (1 of 1 into the tree judged), 0 findings") {
		t.Error(out)
	}
}
