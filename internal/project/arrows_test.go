package project

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "example.org/refract"

// arrows lists our packages that each package may import. Adding a new package is a deliberate
// choice.
var arrows = map[string][]string{
	"resolve":                         {"internal/lazy"},
	"extract/internal/lexicon":        {},
	"delimit":                         {},
	"base":                            {"resolve"},
	"extract/scan":                    {},
	"internal/scantest":               {"extract/scan"},
	"extract/plain":                   {"delimit", "extract/scan"},
	"extract/mbox":                    {"extract/scan"},
	"extract/news":                    {"extract/scan"},
	"extract/mmdf":                    {"extract/scan"},
	"extract/babyl":                   {"extract/scan"},
	"extract/internal/jsonstring":     {"extract/scan"},
	"extract/warc":                    {"extract/internal/jsonstring", "extract/scan", "internal/inflate"},
	"extract/container":               {"internal/inflate"},
	"extract/cdx":                     {"extract/internal/jsonstring", "extract/scan"},
	"extract/outlook":                 {},
	"extract/smime":                   {},
	"extract/css":                     {"extract/scan"},
	"extract/html":                    {"extract/css", "extract/internal/lexicon", "extract/plain", "extract/scan", "extract/script"},
	"extract/markdown":                {"extract/html", "extract/scan", "internal/lazy"},
	"extract/script":                  {"extract/plain", "extract/scan"},
	"extract/template":                {"extract/html", "extract/scan"},
	"extract/rst":                     {"extract/scan", "extract/slug"},
	"extract/asciidoc":                {"extract/scan"},
	"extract/xml":                     {"extract/internal/lexicon", "extract/plain", "extract/scan"},
	"extract/message":                 {"delimit", "extract/internal/lexicon", "extract/plain", "extract/scan"},
	"extract":                         {"base", "delimit", "extract/asciidoc", "extract/babyl", "extract/cdx", "extract/container", "extract/css", "extract/epub", "extract/html", "extract/latex", "extract/man", "extract/markdown", "extract/mbox", "extract/message", "extract/mmdf", "extract/news", "extract/notebook", "extract/odf", "extract/ooxml", "extract/org", "extract/outlook", "extract/pdf", "extract/plain", "extract/rst", "extract/rtf", "extract/scan", "extract/script", "extract/slug", "extract/smime", "extract/template", "extract/texinfo", "extract/warc", "extract/xml", "internal/input", "resolve"},
	"extract/notebook":                {"extract/scan"},
	"extract/internal/xmlread":        {"extract/internal/prose", "extract/scan"},
	"extract/epub":                    {"extract/internal/xmlread"},
	"extract/ooxml":                   {"delimit", "extract/internal/lexicon", "extract/internal/prose", "extract/internal/xmlread", "extract/scan"},
	"extract/odf":                     {"delimit", "extract/internal/lexicon", "extract/internal/prose", "extract/internal/xmlread", "extract/scan"},
	"extract/internal/prose":          {"extract/plain", "extract/scan"},
	"extract/latex":                   {"delimit", "extract/internal/prose", "extract/scan"},
	"extract/texinfo":                 {"delimit", "extract/internal/prose", "extract/scan"},
	"extract/org":                     {"delimit", "extract/internal/prose", "extract/scan"},
	"extract/man":                     {"delimit", "extract/internal/prose", "extract/scan"},
	"extract/pdf":                     {"delimit", "extract/plain", "extract/scan", "internal/inflate"},
	"extract/rtf":                     {"delimit", "extract/internal/prose", "extract/scan"},
	"extract/slug":                    {},
	"cmd/refract":                     {"audit", "audit/site", "base", "cmd/refract/internal/atomicfile", "cmd/refract/internal/columnar", "cmd/refract/internal/distinct", "cmd/refract/internal/fix", "cmd/refract/internal/jsontext", "cmd/refract/internal/lsp", "cmd/refract/internal/move", "cmd/refract/internal/overview", "cmd/refract/internal/report", "cmd/refract/internal/rewrite", "cmd/refract/internal/unwrap", "cmd/refract/internal/webpage", "delimit", "extract", "extract/markdown", "extract/message", "extract/scan", "extract/slug", "internal/input", "internal/lazy", "resolve"},
	"internal/ascii":                  {}, // which every package may import
	"internal/lazy":                   {},
	"internal/literal":                {"extract/scan"},
	"internal/conf":                   {"extract/scan", "internal/literal"},
	"internal/inflate":                {},
	"internal/input":                  {"internal/inflate"},
	"internal/project":                {}, // tests of the repository as a whole
	"cmd/refract/internal/atomicfile": {},
	"cmd/refract/internal/distinct":   {},
	"cmd/refract/internal/jsontext":   {},
	"audit/site":                      {"extract/asciidoc", "extract/markdown", "extract/rst", "extract/scan", "extract/slug", "internal/conf", "internal/lazy", "internal/literal"},
	"audit":                           {"audit/site", "base", "extract", "extract/asciidoc", "extract/epub", "extract/rst", "extract/scan", "extract/slug", "internal/input", "internal/lazy", "resolve"},
	"cmd/refract/internal/fix":        {"audit", "cmd/refract/internal/atomicfile", "extract", "extract/scan", "internal/input", "resolve"},
	"cmd/refract/internal/lsp":        {"audit", "cmd/refract/internal/fix", "cmd/refract/internal/move", "extract", "extract/scan", "extract/slug", "internal/input", "internal/lazy", "resolve"},
	"cmd/refract/internal/browser":    {"internal/scantest"},
	"cmd/refract/internal/move":       {"audit", "cmd/refract/internal/atomicfile", "cmd/refract/internal/fix", "extract", "internal/input", "internal/lazy"},
	"cmd/refract/internal/overview":   {"cmd/refract/internal/webpage", "extract/scan"},
	"cmd/refract/internal/webpage":    {},
	"cmd/refract/internal/report":     {"audit", "cmd/refract/internal/webpage", "extract", "extract/scan", "resolve"},
	"cmd/refract/internal/unwrap":     {"resolve"},
	"cmd/refract/internal/rewrite":    {"audit", "base", "cmd/refract/internal/fix", "cmd/refract/internal/unwrap", "extract", "extract/scan", "resolve"},
	"cmd/refract/internal/columnar":   {},
	"cmd/refract/internal/columnar/columnartest": {},
}

func TestArrows(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"/...").Output()
	if err != nil {
		t.Skip("go list: ", err)
	}
	seen := 0
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		name := strings.TrimPrefix(fields[0], module+"/")
		allowed, ok := arrows[name]
		if !ok {
			t.Errorf("package %s has no place in the design", name)
		}
		seen++
		for _, path := range fields[1:] {
			if ours, ok := strings.CutPrefix(path, module+"/"); ok && ours != "internal/ascii" && !slices.Contains(allowed, ours) {
				t.Errorf("%s imports %s", name, ours)
			}
		}
	}
	if seen != len(arrows) {
		t.Errorf("%d packages, %d are named here", seen, len(arrows))
	}
}

// network lists the packages that may import packages which open connections. None of them is in
// this module, and refract calls none of their functions that do: see .ci/offline.
var network = map[string][]string{
	"net":                {"net/", "crypto/", "vendor/", "github.com/spf13/pflag"},
	"net/http":           {"net/http/", "github.com/andybalholm/brotli"},
	"net/http/cookiejar": {"golang.org/x/net/publicsuffix"},
}

func TestNoNetwork(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"/cmd/refract").Output()
	if err != nil {
		t.Skip("go list: ", err)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		isAllowed := func(allowed string) bool {
			return fields[0] == allowed || strings.HasSuffix(allowed, "/") && strings.HasPrefix(fields[0]+"/", allowed)
		}
		for _, path := range fields[1:] {
			if allowed, ok := network[path]; ok && !slices.ContainsFunc(allowed, isAllowed) {
				t.Errorf("%s imports %s", fields[0], path)
			}
		}
	}
}

// The path of the module is a placeholder. It occurs only in go.mod and in imports, including those
// of examples in the documentation, so that one command can rename it.
func TestModulePath(t *testing.T) {
	out, err := exec.Command("git", "-C", "../..", "grep", "-n", "-F", module).Output()
	if err != nil {
		t.Skip("git grep: ", err)
	}
	for line := range strings.Lines(string(out)) {
		file, rest, _ := strings.Cut(line, ":")
		_, text, _ := strings.Cut(rest, ":")
		text = strings.TrimSpace(text)
		isImport := (strings.HasSuffix(file, ".go") || strings.HasSuffix(file, ".md")) && strings.HasPrefix(text[max(0, strings.IndexByte(text, '"')):], `"`+module) && strings.HasSuffix(text, `"`)
		if file != "go.mod" && file != "internal/project/arrows_test.go" && !isImport {
			t.Errorf("%s names the module: %s", file, text)
		}
	}
}
