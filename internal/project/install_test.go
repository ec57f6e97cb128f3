package project

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// go install can build the whole program from a module proxy. The proxy consists of files, and uses
// a different module path, because nobody owns the path of this module.
func TestInstall(t *testing.T) {
	scantest.Long(t, "builds the program in an empty module cache")
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	dir := copyOfRepository(t)
	const path, version = "code.example.net/owner/refract", "v0.9.0"
	if out, err := exec.Command(bash, filepath.Join(dir, ".ci", "rename"), path).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	proxy, bin, empty := t.TempDir(), t.TempDir(), t.TempDir()
	pack := exec.Command("go", "run", "-C", filepath.Join(dir, ".ci", "tools"), "./proxy", dir, version, proxy)
	if out, err := pack.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// The module cache has the same format as a proxy, so its dependencies are not downloaded again.
	goEnv := func(name string) string {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	file := func(dir string) string {
		dir = filepath.ToSlash(dir)
		if !strings.HasPrefix(dir, "/") {
			dir = "/" + dir // a drive of Windows
		}
		return "file://" + dir
	}
	install := exec.Command("go", "install", path+"/cmd/refract@latest")
	install.Dir = empty
	install.Env = append(os.Environ(), "GOBIN="+bin, "GOMODCACHE="+t.TempDir(), "GOFLAGS=-modcacherw", "GOWORK=off",
		"GOSUMDB=off", // which does not know this path
		"GOPROXY="+file(proxy)+","+file(filepath.Join(goEnv("GOMODCACHE"), "cache", "download"))+","+goEnv("GOPROXY"))
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// A module that imports it needs one line.
	write(t, empty, "go.mod", "module importer\n\ngo 1.26.0\n")
	write(t, empty, "main.go", strings.ReplaceAll(read(t, "../../testdata/importers/offsets/main.go"), module, path))
	for _, args := range [][]string{{"get", path + "/extract"}, {"build", "-o", filepath.Join(bin, "importer"), "."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = empty, install.Env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %q: %v\n%s", args, err, out)
		}
	}
	refract := filepath.Join(bin, "refract"+goEnv("GOEXE"))
	if info, err := os.Stat(refract); err != nil || info.Size() > 40<<20 {
		t.Errorf("%v, %d bytes: 40 MB are promised", err, info.Size())
	}
	out, err := exec.Command(refract, "--version").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "refract "+version) {
		t.Errorf("--version: %v\n%s", err, out)
	}
	find := exec.Command(refract, "--base", "http://h/d/", "-t", "html")
	find.Stdin = strings.NewReader(`<a href="../x">x</a>`)
	if out, err := find.CombinedOutput(); err != nil || string(out) != "http://h/x\n" {
		t.Errorf("%v\n%s", err, out)
	}
}
