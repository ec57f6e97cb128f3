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

	"example.org/refract/internal/testing/cmdtest"
	"example.org/refract/internal/testing/scantest"
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
	if len(hooks) != 2 {
		t.Fatalf("%+v", hooks)
	}
	for i, h := range hooks {
		if want := [][2]string{{"refract-audit", "golang"}, {"refract-audit-system", "system"}}[i]; h.ID != want[0] || h.Language != want[1] || h.Entry != hooks[0].Entry || !h.AlwaysRun || h.PassFilenames {
			t.Errorf("%+v", h)
		}
	}
	out, errs := cmdtest.Shell(t, project(t, "a%20b.md#a"), hooks[0].Entry)
	if out != "" || !strings.Contains(errs, "1 document, 1 internal link, 0 findings") {
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
		Outputs           map[string]struct{ Description, Value string }
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
	output, summary := filepath.Join(temp, "output"), filepath.Join(temp, "summary")
	path := os.Getenv("PATH")
	given := map[string]string{} // inputs besides args
	steps := func(dir, args string) (said string, failed bool) {
		values := map[string]string{"github.action_path": top, "runner.temp": temp, "github.token": "t0ken",
			"github.action_ref": ref, "github.action_repository": "o/r", "github.server_url": server, "runner.os": "Linux", "runner.arch": "X64"}
		for name, in := range action.Inputs {
			values["inputs."+name] = in.Default
			if v, ok := given[name]; ok {
				values["inputs."+name] = v
			}
		}
		values["inputs.args"] = args
		os.Remove(output)
		os.Remove(summary)
		fill := func(s string) string {
			return regexp.MustCompile(`\$\{\{ *([a-z_.-]+) *\}\}`).ReplaceAllStringFunc(s, func(m string) string {
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
				if !regexp.MustCompile(`^actions/setup-go@[0-9a-f]{40}$`).MatchString(s.Uses) {
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
			cmd.Env = append(os.Environ(), "PATH="+path, "GITHUB_OUTPUT="+output, "GITHUB_STEP_SUMMARY="+summary,
				"GITHUB_SERVER_URL=https://github.com", "GITHUB_REPOSITORY=acme/w", "GITHUB_SHA=0123abc")
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
	outputs := func() string {
		t.Helper()
		text, _ := os.ReadFile(output)
		for name, o := range action.Outputs {
			if o.Value != "${{ steps.audit.outputs."+name+" }}" {
				t.Errorf("%s is %s", name, o.Value)
			}
		}
		return string(text)
	}
	in := func(name, want string) {
		t.Helper()
		if text, _ := os.ReadFile(name); !strings.Contains(string(text), want) {
			t.Errorf("%s: no %q in %q", filepath.Base(name), want, text)
		}
	}
	if out, failed := steps(project(t, "none.md"), action.Inputs["args"].Default); !failed ||
		!strings.Contains(out, "::error file=docs/a b.md,line=3,col=5,") {
		t.Error(out)
	}
	if got := outputs(); !strings.HasPrefix(got, "exit-code=1\ndocuments=1\n") || !strings.Contains(got, "\nchecked=1\n") || !strings.Contains(got, "\nfindings=1\n") || !strings.HasSuffix(got, "\nreport="+filepath.Join(temp, "refract.md")+"\n") {
		t.Error(got)
	}
	in(summary, "[3:5](<https://github.com/acme/w/blob/0123abc/docs/a%20b.md#L3>) `no such file: \"docs/none.md\"` missing-file")
	if _, err := exec.LookPath("curl"); err == nil && runtime.GOOS == "linux" {
		// A missing release, a good one, one that is asked for by its version, and one with a wrong checksum.
		server, ref = "file://"+filepath.ToSlash(temp), "v1.2.3"
		if out, failed := steps(project(t, "none.md"), "."); !failed || !strings.Contains(out, "of v1.2.3: refract is built") || !strings.Contains(out, "::error") {
			t.Error(out)
		}
		given["version"] = "v1.2.4"
		if out, failed := steps(project(t, "none.md"), "."); !failed || !strings.Contains(out, "::error::refract v1.2.4: no refract-1.2.4-linux-amd64.tar.gz of v1.2.4\n") {
			t.Error(out)
		}
		downloads := filepath.Join(temp, "o", "r", "releases", "download", "v1.2.3")
		makeRelease(t, bash, downloads)
		given = map[string]string{"version": "v1.2.3", "changed-since": "origin/main x", "built": "a b\n\nhttps://d.example/=c\n", "fix": "true"}
		ref = "main"
		const flags = "--source-url https://github.com/acme/w/blob/0123abc"
		if out, failed := steps(project(t, "x.md"), "some args"); failed || !strings.HasPrefix(out, "refract-1.2.3-linux-amd64.tar.gz: OK\nthe attestation of refract-1.2.3-linux-amd64.tar.gz is not verified:") ||
			!strings.HasSuffix(out, "\nreleased: audit --format github --report markdown="+temp+"/refract.md --report counts="+temp+"/refract.counts "+flags+" --changed-since=origin/main x --built=a b --built=https://d.example/=c --fix some args\n") {
			t.Error(out)
		}
		// On github.com, gh says whether the archive is attested.
		bin := t.TempDir()
		path = bin + string(os.PathListSeparator) + path
		server, given, ref = "https://github.com", map[string]string{}, "v1.2.3"
		program := func(name, text string) {
			if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		program("curl", `for last; do :; done; case $last in https://github.com/o/r/releases/download/v1.2.3/*) cp "`+downloads+`/${last##*/}" . ;; *) exit 1 ;; esac`)
		program("gh", `echo "gh $* $GH_TOKEN"`)
		if out, failed := steps(project(t, "x.md"), "."); failed || !strings.Contains(out, ": OK\ngh attestation verify refract-1.2.3-linux-amd64.tar.gz --repo o/r --signer-workflow o/r/.github/workflows/release.yml t0ken\nreleased: ") {
			t.Error(out)
		}
		program("gh", "echo not attested; exit 1")
		if out, failed := steps(project(t, "x.md"), "."); !failed || !strings.HasSuffix(out, ": OK\nnot attested\n") {
			t.Error(out)
		}
		program("gh", "")
		os.WriteFile(filepath.Join(downloads, "refract-1.2.3-linux-amd64.tar.gz"), []byte("x"), 0o666)
		if out, failed := steps(project(t, "x.md"), "."); !failed || !strings.Contains(out, "FAILED") {
			t.Error(out)
		}
		ref = ""
		os.Remove(filepath.Join(temp, "refract")) // a build does not replace a script
	}
	given = map[string]string{"summary": "false"}
	if out, failed := steps(project(t, "a%20b.md"), ". -g *.md"); failed || !strings.Contains(out, "1 document, 1 internal link, 0 findings") {
		t.Error(out)
	}
	if _, err := os.Stat(summary); err == nil {
		t.Error("a summary")
	}
	if out, failed := steps(project(t, "a%20b.md"), "--nope"); !failed || outputs() != "exit-code=2\n" {
		t.Error(out, outputs())
	}
	// What is certain is fixed.
	given = map[string]string{"fix": "true"}
	dir := project(t, "A%20B.md")
	if out, failed := steps(dir, "."); failed || !strings.Contains(outputs(), "exit-code=0\n") {
		t.Error(out)
	}
	in(filepath.Join(dir, "docs", "a b.md"), "[x](a%20b.md)")
}
