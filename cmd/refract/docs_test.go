package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"example.org/refract/internal/config"
	"example.org/refract/internal/testing/cmdtest"
	"example.org/refract/internal/testing/scantest"
)

// docPages returns README.md and the pages of docs, as paths from the top of the repository.
func docPages(t *testing.T) []string {
	t.Helper()
	names := []string{"README.md", "CONTRIBUTING.md"}
	err := fs.WalkDir(os.DirFS("../.."), "docs", func(name string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(name, ".md") {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// blocks calls edit with the text of each block of code in one language, and returns the page
// with the blocks replaced by what edit returns.
func blocks(page, language string, edit func(text string) string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(page, "```"+language+"\n")
		if !found {
			break
		}
		text, after, _ := strings.Cut(rest, "```")
		out.WriteString(before + "```" + language + "\n" + edit(text) + "```")
		page = after
	}
	return out.String() + page
}

// runExample runs one command line at the top of the repository.
func runExample(t *testing.T, line string) string {
	line = strings.ReplaceAll(line, "go run ./cmd/refract", "refract")
	if strings.Contains(line, "refract audit") {
		line += " || [ $? = 1 ]" // there are findings
	}
	out, errs := cmdtest.Shell(t, "../..", line)
	return strings.TrimRight(errs+out, "\n")
}

// The examples in the README and in docs are correct: each line of a console block that begins
// with "$ " is run, and its output compared. UPDATE=1 writes the output into the pages: read the
// diff.
func TestExamples(t *testing.T) {
	examples := 0
	for _, name := range docPages(t) {
		page, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		updated := blocks(string(page), "console", func(block string) string {
			var out strings.Builder
			for _, example := range strings.Split("\n"+block, "\n$ ")[1:] {
				line, want, _ := strings.Cut(example, "\n")
				out.WriteString("$ " + line + "\n")
				if strings.HasPrefix(line, "go test") || strings.HasPrefix(line, "go install") {
					continue // this test itself, and what needs a directory for programs
				}
				want = strings.TrimRight(want, "\n")
				got := runExample(t, line)
				if got != want && os.Getenv("UPDATE") == "" {
					t.Errorf("%s: $ %s\ngot\n%s\nwant\n%s", name, line, got, want)
				}
				if got != "" {
					out.WriteString(got + "\n")
				}
				examples++
			}
			return out.String()
		})
		if os.Getenv("UPDATE") != "" && updated != string(page) {
			if err := os.WriteFile(filepath.Join("../..", name), []byte(updated), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if examples < 20 {
		t.Errorf("only %d examples", examples)
	}
}

// The commands of the guide to mail that write files run, but for those of other programs.
func TestMailJobs(t *testing.T) {
	page, err := os.ReadFile("../../docs/guides/mail.md")
	if err != nil {
		t.Fatal(err)
	}
	_, jobs, _ := strings.Cut(string(page), "\n## Ten jobs\n")
	jobs, _, _ = strings.Cut(jobs, "\n## ")
	if n := strings.Count(jobs, "\n**"); n != 10 {
		t.Errorf("%d jobs", n)
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "testdata"), os.DirFS("../../testdata")); err != nil {
		t.Fatal(err)
	}
	blocks(jobs, "sh", func(block string) string {
		for line := range strings.Lines(block) {
			if !strings.HasPrefix(line, "refract ") {
				continue
			}
			if out, errs := cmdtest.Shell(t, dir, line); out+errs != "" {
				t.Errorf("%s: %s%s", line, errs, out)
			}
		}
		return block
	})
	for _, name := range []string{"links.parquet", "links.html", "urls.txt"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Configurations in the pages are YAML, and those of the audit name flags that exist. Blocks of
// commands that need other programs are at least parsed.
func TestExampleConfigurations(t *testing.T) {
	for _, name := range docPages(t) {
		page, _ := os.ReadFile(filepath.Join("../..", name))
		blocks(string(page), "sh", func(block string) string {
			file := filepath.Join(t.TempDir(), "block.sh")
			if err := os.WriteFile(file, []byte(block), 0o666); err != nil {
				t.Fatal(err)
			}
			cmdtest.Shell(t, ".", "sh -n "+file)
			return block
		})
		blocks(string(page), "yaml", func(block string) string {
			var v any
			if err := yaml.Unmarshal([]byte(block), &v); err != nil {
				t.Errorf("%s: %v\n%s", name, err, block)
			}
			if !strings.HasPrefix(block, "# .refract.yaml") {
				return block
			}
			dir := t.TempDir()
			for _, name := range []string{"docs/en", "docs/zh"} {
				err := os.MkdirAll(filepath.Join(dir, name), 0o777)
				if err != nil {
					t.Fatal(err)
				}
			}
			for _, file := range []string{"README.md", "docs/a.md"} {
				if err := os.WriteFile(filepath.Join(dir, file), []byte("# A\n"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(dir, config.Name), []byte(block), 0o666); err != nil {
				t.Fatal(err)
			}
			if out, errs := cmdtest.Shell(t, dir, "refract audit -q"); out+errs != "" {
				t.Errorf("%s: %s%s\n%s", name, errs, out, block)
			}
			return block
		})
	}
}

// The Go programs in the pages run, and print what the block of text behind them holds.
func TestExamplePrograms(t *testing.T) {
	scantest.Long(t, "it builds programs")
	programs := 0
	for _, name := range docPages(t) {
		page, _ := os.ReadFile(filepath.Join("../..", name))
		for _, rest := range strings.Split(string(page), "```go\n")[1:] {
			program, rest, _ := strings.Cut(rest, "```")
			if !strings.HasPrefix(program, "package main") {
				continue
			}
			file := filepath.Join(t.TempDir(), "main.go")
			if err := os.WriteFile(file, []byte(program), 0o666); err != nil {
				t.Fatal(err)
			}
			_, rest, _ = strings.Cut(rest, "```text\n")
			want, _, _ := strings.Cut(rest, "```")
			if out, errs := cmdtest.Shell(t, "../..", "go run "+file); out != want {
				t.Errorf("%s: got\n%s%swant\n%s", name, errs, out, want)
			}
			programs++
		}
	}
	if programs == 0 {
		t.Error("there are none")
	}
}

// The links of the repository's own documentation are not broken.
func TestDocsAudit(t *testing.T) {
	args := append([]string{"refract", "audit", "-q", "--strict", "--orphans"}, "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs")
	if out, errs := cmdtest.Shell(t, "../..", strings.Join(args, " ")); out+errs != "" {
		t.Errorf("%s%s", errs, out)
	}
}

// The README is short: at most 900 words beside tables and blocks of code.
func TestReadmeIsShort(t *testing.T) {
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	words, inCode := 0, false
	for line := range bytes.Lines(page) {
		if bytes.HasPrefix(line, []byte("```")) {
			inCode = !inCode
		}
		if !inCode && !bytes.HasPrefix(line, []byte("|")) {
			words += len(bytes.Fields(line))
		}
	}
	if words > 900 {
		t.Errorf("%d words", words)
	}
}
