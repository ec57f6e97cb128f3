package lsp

import (
	"encoding/json"
	"strings"
	"testing"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
)

// A diagnostic names the page of its rule, if that is known.
func TestRulePage(t *testing.T) {
	for home, want := range map[string]string{
		"https://github.com/o/n": `"codeDescription":{"href":"https://github.com/o/n/blob/main/docs/reference/rules.md#missing-file"}`,
		"https://git.example/n":  "",
		"":                       "",
	} {
		var p published
		p.add(newText([]byte("[x](y)"), true), []*audit.Finding{{Rule: rule.MissingFile}}, home)
		got, err := json.Marshal(p.diagnostics)
		if err != nil || !strings.Contains(string(got), want) || strings.Contains(string(got), "codeDescription") != (want != "") {
			t.Errorf("%q: %s, %v", home, got, err)
		}
	}
}
