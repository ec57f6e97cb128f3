package project

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "example.org/refract"

// arrows lists our packages that each package may import. Adding a new package is a deliberate
// choice, but for those directly below a name that ends in a slash: a new generator is a new package there, and imports
// no other one.
var arrows = map[string][]string{
	"resolve":                         {"internal/hostname", "resolve/internal/syntax"},
	"extract/internal/lexicon":        {},
	"delimit":                         {"internal/hostname"},
	"base":                            {"resolve"},
	"extract/scan":                    {},
	"internal/testing/scantest":       {"extract/scan"},
	"internal/testing/mailtest":       {},
	"extract/plain":                   {"delimit", "extract/scan"},
	"extract/internal/mailbox":        {},
	"internal/jsonstring":             {"extract/scan"},
	"extract/internal/warc":           {"extract/internal/mailbox", "extract/scan", "internal/container", "internal/inflate", "internal/input", "internal/jsonstring"},
	"internal/container":              {"internal/inflate"},
	"internal/cdx":                    {"internal/jsonstring", "extract/scan"},
	"extract/internal/outlook":        {"internal/charset"},
	"extract/internal/smime":          {},
	"internal/hostname":               {},
	"internal/forge":                  {"internal/ascii", "resolve"},
	"resolve/canon":                   {"internal/hostname", "internal/lazy", "resolve", "resolve/internal/syntax"},
	"resolve/internal/syntax":         {},
	"resolve/risk":                    {"internal/hostname", "resolve", "resolve/internal/syntax"},
	"internal/charset":                {},
	"internal/decode":                 {"extract/scan", "internal/charset"},
	"extract/internal/filemap":        {},
	"extract/internal/undo":           {"extract/internal/latex", "extract/internal/man", "internal/decode"},
	"extract/internal/escape":         {"internal/decode", "internal/hostname", "resolve", "internal/charset"},
	"extract/internal/archivedpage":   {},
	"extract/internal/mediatype":      {"internal/decode", "internal/lazy"},
	"extract/internal/quote":          {"extract/scan"},
	"extract/internal/rejoin":         {"internal/ascii"},
	"extract/internal/robots":         {"delimit", "extract/plain", "extract/scan", "internal/decode"},
	"extract/css":                     {"extract/scan"},
	"extract/html":                    {"extract/css", "extract/internal/lexicon", "extract/internal/script", "extract/plain", "extract/scan"},
	"extract/markdown":                {"extract/html", "extract/scan", "internal/lazy", "internal/emoji"},
	"extract/internal/script":         {"extract/plain", "extract/scan"},
	"extract/internal/template":       {"extract/html", "extract/scan"},
	"extract/rst":                     {"extract/scan", "extract/slug"},
	"extract/asciidoc":                {"extract/scan"},
	"extract/xml":                     {"extract/internal/lexicon", "extract/plain", "extract/scan"},
	"extract/message":                 {"delimit", "extract/internal/lexicon", "extract/plain", "extract/scan", "internal/charset"},
	"extract":                         {"base", "delimit", "extract/asciidoc", "extract/css", "extract/html", "extract/internal/archivedpage", "extract/internal/mailbox", "internal/cdx", "extract/internal/markup", "extract/internal/escape", "extract/internal/filemap", "extract/internal/webjson", "extract/internal/hls", "extract/internal/latex", "extract/internal/man", "extract/internal/mediatype", "extract/internal/notebook", "extract/internal/odf", "extract/internal/ooxml", "extract/internal/onenote", "extract/internal/outlook", "extract/internal/pdf", "extract/internal/plist", "extract/internal/quote", "extract/internal/rejoin", "extract/internal/robots", "extract/internal/rtf", "extract/internal/script", "extract/internal/smime", "extract/internal/sqlite", "extract/internal/template", "extract/internal/texinfo", "extract/internal/undo", "extract/internal/warc", "extract/markdown", "extract/message", "extract/plain", "extract/rst", "extract/scan", "extract/slug", "extract/xml", "internal/container", "internal/decode", "internal/zipdoc", "internal/input", "internal/option", "resolve", "internal/charset"},
	"extract/internal/notebook":       {"extract/scan", "internal/jsonstring"},
	"extract/internal/hls":            {"extract/scan"},
	"extract/internal/webjson":        {"delimit", "extract/internal/warc", "extract/plain", "extract/scan", "internal/jsonstring"},
	"internal/xmlread":                {"extract/scan", "internal/prose"},
	"extract/internal/ooxml":          {"delimit", "extract/internal/lexicon", "extract/scan", "internal/prose", "internal/xmlread"},
	"extract/internal/odf":            {"delimit", "extract/internal/lexicon", "extract/scan", "internal/prose", "internal/xmlread"},
	"internal/prose":                  {"delimit", "extract/plain", "extract/scan"},
	"extract/internal/latex":          {"delimit", "extract/scan", "internal/prose"},
	"extract/internal/texinfo":        {"delimit", "extract/scan", "internal/prose"},
	"extract/internal/markup":         {"delimit", "extract/scan", "internal/ascii", "internal/prose"},
	"extract/internal/man":            {"delimit", "extract/scan", "internal/prose"},
	"extract/internal/pdf":            {"delimit", "extract/plain", "extract/scan", "internal/inflate", "internal/hostname", "internal/charset"},
	"extract/internal/onenote":        {"delimit", "extract/internal/mediatype", "extract/scan", "internal/prose"},
	"extract/internal/plist":          {"delimit", "extract/internal/mediatype", "extract/scan"},
	"extract/internal/sqlite":         {"delimit", "extract/internal/mediatype", "extract/internal/undo", "extract/scan"},
	"extract/internal/rtf":            {"delimit", "extract/scan", "internal/prose", "internal/charset"},
	"extract/slug":                    {"internal/lazy"},
	"cmd/refract":                     {"cmd/refract/internal/auditcmd", "cmd/refract/internal/auditflags", "cmd/refract/internal/cli", "cmd/refract/internal/filter", "cmd/refract/internal/joblog", "cmd/refract/internal/lsp", "cmd/refract/internal/move", "cmd/refract/internal/output", "cmd/refract/internal/rewrite", "cmd/refract/internal/searchcmd", "cmd/refract/internal/setup", "cmd/refract/internal/urlcmd", "delimit", "resolve"},
	"cmd/refract/internal/cli":        {"cmd/refract/internal/joblog", "cmd/refract/internal/jsontext", "extract", "internal/audit/tree", "internal/config", "internal/input", "internal/lazy", "internal/option", "internal/site/gen", "resolve", "resolve/canon"},
	"cmd/refract/internal/resources":  {"cmd/refract/internal/cli", "extract"},
	"cmd/refract/internal/filter":     {"cmd/refract/internal/cli", "extract", "extract/scan", "internal/lazy", "internal/hostname", "resolve", "resolve/risk"},
	"cmd/refract/internal/dialect":    {"extract", "extract/markdown", "internal/input", "internal/site"},
	"cmd/refract/internal/output":     {"base", "cmd/refract/internal/atomicfile", "cmd/refract/internal/cli", "cmd/refract/internal/columnar", "cmd/refract/internal/distinct", "cmd/refract/internal/filter", "cmd/refract/internal/joblog", "cmd/refract/internal/jsontext", "cmd/refract/internal/overview", "cmd/refract/internal/report", "cmd/refract/internal/unwrap", "extract", "extract/scan", "internal/audit", "internal/audit/doc", "internal/lazy", "resolve", "resolve/canon", "resolve/risk"},
	"cmd/refract/internal/auditflags": {"cmd/refract/internal/atomicfile", "cmd/refract/internal/cli", "cmd/refract/internal/git", "cmd/refract/internal/output", "cmd/refract/internal/resources", "extract", "extract/slug", "internal/audit", "internal/audit/doc", "internal/audit/rule", "internal/audit/tree", "internal/config", "internal/input", "internal/option", "internal/audit/forbid"},
	"cmd/refract/internal/auditcmd":   {"cmd/refract/internal/atomicfile", "cmd/refract/internal/auditflags", "cmd/refract/internal/cli", "cmd/refract/internal/completeness", "cmd/refract/internal/fix", "cmd/refract/internal/git", "cmd/refract/internal/joblog", "cmd/refract/internal/jsontext", "cmd/refract/internal/output", "cmd/refract/internal/report", "cmd/refract/internal/resources", "cmd/refract/internal/setup", "cmd/refract/internal/webpage", "extract", "internal/audit", "internal/audit/rule", "internal/cdx", "internal/config", "internal/input", "internal/lazy", "internal/site/gen"},
	"cmd/refract/internal/archived":   {"base", "cmd/refract/internal/cli", "cmd/refract/internal/filter", "extract", "internal/cdx", "internal/input", "internal/lazy", "resolve", "resolve/canon"},
	"cmd/refract/internal/rewrite":    {"base", "cmd/refract/internal/archived", "cmd/refract/internal/atomicfile", "cmd/refract/internal/cli", "cmd/refract/internal/dialect", "cmd/refract/internal/filter", "cmd/refract/internal/fix", "cmd/refract/internal/joblog", "cmd/refract/internal/jsontext", "cmd/refract/internal/output", "cmd/refract/internal/resources", "cmd/refract/internal/unwrap", "extract", "extract/scan", "extract/source", "internal/audit/doc", "internal/audit/tree", "internal/config", "internal/each", "internal/input", "internal/site/gen", "resolve", "resolve/canon"},
	"cmd/refract/internal/urlcmd":     {"base", "cmd/refract/internal/cli", "cmd/refract/internal/filter", "cmd/refract/internal/jsontext", "cmd/refract/internal/output", "extract", "internal/input", "resolve", "resolve/canon", "resolve/risk"},
	"cmd/refract/internal/searchcmd":  {"base", "cmd/refract/internal/archived", "cmd/refract/internal/atomicfile", "cmd/refract/internal/cli", "cmd/refract/internal/dialect", "cmd/refract/internal/distinct", "cmd/refract/internal/filter", "cmd/refract/internal/joblog", "cmd/refract/internal/jsontext", "cmd/refract/internal/output", "cmd/refract/internal/overview", "cmd/refract/internal/resources", "delimit", "extract", "extract/message", "extract/scan", "internal/audit", "internal/audit/tree", "internal/input", "internal/site/gen", "resolve", "resolve/risk"},
	"cmd/refract/internal/setup":      {"cmd/refract/internal/atomicfile", "cmd/refract/internal/cli", "internal/audit/tree", "internal/config", "internal/forge", "internal/input", "internal/lazy", "internal/site/gen"},
	"internal/testing/cmdtest":        {},
	"internal/config":                 {"internal/input", "internal/option"},
	"internal/ascii":                  {}, // which every package may import
	"internal/slash":                  {}, // which every package may import
	"internal/order":                  {}, // which every package may import
	"internal/lazy":                   {},
	"internal/option":                 {},
	"internal/reason":                 {},
	"internal/ablate":                 {}, // which tables of rules import
	"internal/literal":                {"extract/scan"},
	"internal/conf":                   {"extract/scan", "internal/literal"},
	"internal/inflate":                {},
	"internal/input":                  {"internal/inflate"},
	"internal/zipdoc":                 {"internal/container", "internal/decode", "internal/xmlread"},
	"internal/project":                {}, // tests of the repository as a whole
	"cmd/refract/internal/atomicfile": {"cmd/refract/internal/joblog"},
	"cmd/refract/internal/distinct":   {},
	"cmd/refract/internal/git":        {"internal/audit/tree"},
	"cmd/refract/internal/joblog":     {},
	"cmd/refract/internal/jsontext":   {},
	"internal/site/source":            {"extract/scan", "internal/conf", "internal/input", "internal/lazy", "internal/literal"},
	"internal/site":                   {"extract/markdown", "extract/scan", "extract/slug", "internal/each", "internal/input", "internal/lazy", "internal/literal", "internal/reason", "internal/site/source"},
	"internal/site/passthrough":       {"internal/lazy", "internal/site", "internal/site/source"},
	"internal/site/web":               {"extract/scan", "extract/slug", "internal/lazy", "internal/literal", "internal/reason", "internal/site", "internal/site/source"},
	"internal/testing/sitetest":       {"internal/input", "internal/site", "internal/site/source", "internal/testing/scantest"},
	"internal/site/gen":               {"internal/input", "internal/option", "internal/site", "internal/site/gen/", "internal/site/source"},
	"internal/site/gen/":              {"extract/markdown", "extract/rst", "extract/scan", "extract/slug", "internal/conf", "internal/each", "internal/emoji", "internal/lazy", "internal/literal", "internal/reason", "internal/site", "internal/site/source", "internal/site/web"}, // each generator
	"audit":                           {"extract", "internal/audit", "internal/audit/doc", "internal/audit/forbid", "internal/audit/rule", "internal/audit/tree", "internal/option", "internal/reason", "resolve"},
	"extract/source":                  {"extract", "internal/input", "internal/option"},
	"audit/refracttest":               {"audit", "extract/slug", "internal/config", "internal/site/gen", "resolve"},
	"internal/audit/rule":             {},
	"internal/audit/tree":             {"internal/each", "internal/input", "internal/lazy", "internal/reason"},
	"internal/audit/doc":              {"base", "extract", "extract/asciidoc", "extract/markdown", "extract/rst", "extract/scan", "extract/slug", "internal/audit/forbid", "internal/audit/tree", "internal/forge", "internal/input", "internal/lazy", "internal/option", "internal/reason", "internal/site", "internal/site/passthrough", "internal/zipdoc", "resolve", "resolve/risk"},
	"internal/audit/forbid":           {"base", "extract", "internal/hostname", "internal/option", "resolve"},
	"internal/audit/publish":          {"extract/slug", "internal/audit/doc", "internal/audit/tree", "internal/lazy", "internal/option", "internal/site", "internal/site/gen"},
	"internal/audit/lead":             {"base", "extract", "extract/rst", "extract/scan", "extract/slug", "internal/audit/doc", "internal/audit/publish", "internal/audit/rule", "internal/audit/tree", "internal/input", "internal/lazy", "internal/reason", "internal/site", "internal/site/source", "resolve"},
	"internal/each":                   {},
	"internal/emoji":                  {},
	"internal/audit/built":            {"extract/html", "extract/scan", "internal/each", "internal/input", "internal/reason", "internal/site", "internal/site/source", "resolve"},
	"internal/audit/buildmatch":       {"extract", "extract/scan", "internal/audit/built", "internal/audit/doc", "internal/each", "internal/input", "internal/lazy", "internal/reason", "internal/site/source", "resolve"},
	"internal/audit/infer":            {"internal/ablate", "extract/asciidoc", "extract/scan", "extract/slug", "internal/audit/doc", "internal/audit/lead", "internal/audit/publish", "internal/audit/tree", "internal/each", "internal/lazy", "internal/site"},
	"internal/audit/org":              {"extract/slug", "internal/lazy"},
	"internal/audit/judge":            {"internal/ablate", "base", "extract", "extract/asciidoc", "extract/rst", "extract/scan", "extract/slug", "internal/audit/built", "internal/audit/doc", "internal/audit/lead", "internal/audit/org", "internal/audit/publish", "internal/audit/rule", "internal/audit/tree", "internal/zipdoc", "internal/lazy", "internal/reason", "internal/site", "internal/site/source", "resolve"},
	"internal/audit/spell":            {"base", "extract/scan", "internal/audit/doc", "internal/audit/judge", "internal/audit/lead", "internal/audit/publish", "internal/audit/tree", "internal/lazy", "internal/site", "resolve"},
	"internal/testing/audittest":      {"internal/config", "internal/audit", "internal/audit/tree", "internal/lazy", "internal/reason", "internal/testing/scantest", "extract"},
	"internal/audit/unused":           {},
	"internal/audit":                  {"base", "extract", "extract/asciidoc", "extract/scan", "internal/audit/built", "internal/audit/doc", "internal/audit/judge", "internal/audit/lead", "internal/audit/publish", "internal/audit/rule", "internal/audit/spell", "internal/audit/infer", "internal/audit/tree", "internal/audit/unused", "internal/audit/buildmatch", "internal/each", "internal/zipdoc", "internal/forge", "internal/input", "internal/lazy", "internal/option", "internal/reason", "internal/site", "internal/site/gen", "resolve", "internal/audit/forbid"},
	"cmd/refract/internal/fix":        {"cmd/refract/internal/atomicfile", "cmd/refract/internal/cli", "extract", "extract/scan", "internal/audit", "internal/audit/rule", "internal/audit/tree", "internal/input"},
	"cmd/refract/internal/lsp":        {"cmd/refract/internal/auditflags", "cmd/refract/internal/cli", "cmd/refract/internal/fix", "cmd/refract/internal/joblog", "cmd/refract/internal/move", "cmd/refract/internal/report", "extract", "extract/scan", "internal/audit", "internal/audit/doc", "internal/audit/rule", "internal/audit/tree", "internal/input", "internal/lazy", "resolve"},
	"internal/testing/browser":        {"internal/testing/scantest"},
	"cmd/refract/internal/move":       {"cmd/refract/internal/atomicfile", "cmd/refract/internal/auditflags", "cmd/refract/internal/cli", "cmd/refract/internal/fix", "cmd/refract/internal/git", "cmd/refract/internal/joblog", "cmd/refract/internal/resources", "extract", "extract/markdown", "extract/rst", "internal/audit", "internal/audit/doc", "internal/audit/rule", "internal/audit/tree", "internal/input", "internal/lazy", "internal/site"},
	"cmd/refract/internal/overview":   {"cmd/refract/internal/webpage", "extract/scan"},
	"cmd/refract/internal/webpage":    {"cmd/refract/internal/jsontext"},
	"cmd/refract/internal/report":     {"cmd/refract/internal/jsontext", "cmd/refract/internal/webpage", "extract", "internal/audit", "internal/audit/rule"},
	"cmd/refract/internal/unwrap":     {"resolve"},

	"cmd/refract/internal/playground/extract": {"base", "extract"},
	"cmd/refract/internal/playground/audit":   {"cmd/refract/internal/report", "internal/audit", "internal/audit/tree"},

	"cmd/refract/internal/columnar": {},

	"cmd/refract/internal/completeness": {"base", "cmd/refract/internal/archived", "cmd/refract/internal/cli", "cmd/refract/internal/distinct", "extract", "extract/css", "extract/scan", "internal/audit", "internal/audit/rule", "internal/cdx", "internal/input", "resolve", "resolve/canon"},

	"internal/testing/columnartest":             {},
	"cmd/refract/internal/atomicfile/faulttest": {"cmd/refract/internal/atomicfile"},
}

func TestArrows(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"/...").Output()
	if err != nil {
		t.Skip("go list: ", err)
	}
	seen := map[string]bool{}
	// group returns the name under which arrows has a package.
	group := func(name string) string {
		if dir := name[:strings.LastIndexByte(name, '/')+1]; arrows[dir] != nil {
			return dir
		}
		return name
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		name := strings.TrimPrefix(fields[0], module+"/")
		allowed, ok := arrows[group(name)]
		if !ok {
			t.Errorf("package %s has no place in the design", name)
		}
		seen[group(name)] = true
		for _, path := range fields[1:] {
			if ours, ok := strings.CutPrefix(path, module+"/"); ok && ours != "internal/ascii" && ours != "internal/slash" && ours != "internal/order" && !slices.Contains(allowed, group(ours)) {
				t.Errorf("%s imports %s", name, ours)
			}
		}
	}
	if len(seen) != len(arrows) {
		t.Errorf("%d packages, %d are named here", len(seen), len(arrows))
	}
}

// costly lists the packages that may import packages which open connections, start programs, or call methods by name. refract
// opens no connection: see .ci/offline. A program that calls methods by name has every exported method of its packages.
var costly = map[string][]string{
	"net":        {"github.com/spf13/pflag"}, // flags whose values are addresses
	"net/http":   {},
	"crypto/tls": {},
	"os/exec":    {module + "/cmd/refract/internal/git"}, // asks git what changed

	"text/template": {"github.com/spf13/cobra"}, // for templates of help, which refract does not set
	"html/template": {},
}

// TestCostly also keeps the packages out that nobody may import: they would make the program larger, and a review of it longer.
func TestCostly(t *testing.T) {
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
			if allowed, ok := costly[path]; ok && !slices.ContainsFunc(allowed, isAllowed) {
				t.Errorf("%s imports %s", fields[0], path)
			}
		}
	}
}

// The path of the module is a placeholder. It occurs only in go.mod, in imports, including those
// of examples in the documentation, and in the lines that say how to import it, so that one command can rename it.
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
		isCommand := strings.HasSuffix(file, ".md") && strings.HasPrefix(text, "go mod edit -replace "+module+"=")
		if file != "go.mod" && file != "internal/project/arrows_test.go" && !isImport && !isCommand {
			t.Errorf("%s names the module: %s", file, text)
		}
	}
}
