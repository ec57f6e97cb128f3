package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/cli"
)

// serve runs refract lsp with flags, given what an editor says, and returns what it answers.
func serve(flags, said string) (status int, out, errs string) {
	var stdout, stderr bytes.Buffer
	root := newCommand(&stdout, &stderr)
	root.SetIn(strings.NewReader(said))
	status = cli.Execute(root, append([]string{"lsp"}, strings.Fields(flags)...), &stderr)
	return status, stdout.String(), stderr.String()
}

// messages returns messages as an editor sends them.
func messages(texts ...string) string {
	var b strings.Builder
	for _, text := range texts {
		text = `{"jsonrpc":"2.0",` + text + `}`
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(text), text)
	}
	return b.String()
}

const (
	shutdown = `"id":9,"method":"shutdown"`
	exit     = `"method":"exit"`
)

// The status says how the conversation has ended.
func TestStatus(t *testing.T) {
	t.Chdir(t.TempDir())
	start := `"id":1,"method":"initialize","params":{"capabilities":{}}`
	for _, tt := range []struct {
		flags, said string
		status      int
		errs        string
	}{
		{"", messages(start, shutdown, exit), cli.ExitOK, ""},
		{"--stdio", messages(start, shutdown, exit), cli.ExitOK, ""},
		{"", messages(start, exit), cli.ExitFindings, ""},
		{"", "", cli.ExitFindings, ""},
		{"", "Content-Length: x\r\n\r\n", cli.ExitFailed, "refract: lsp: "},
		{"docs", "", cli.ExitFailed, `refract: lsp "docs": leave it out: the editor says which folders to audit`},
	} {
		status, _, errs := serve(tt.flags, tt.said)
		if status != tt.status || !strings.HasPrefix(errs, tt.errs) || (errs == "") != (tt.errs == "") {
			t.Errorf("lsp %s, %.40q: status %d, %q, want %d, %q", tt.flags, tt.said, status, errs, tt.status, tt.errs)
		}
	}
}

// A mistake in flags, in the settings of the editor or in the configuration of the folder is the answer to initialize.
func TestMistakes(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, tt := range []struct{ flags, options, configuration, want string }{
		{"", "{}", "", `"result":{"capabilities"`},
		{"--no-rule case", `{"noRule":["missing-file"]}`, "ignore: [x]", `"result":{"capabilities"`},
		{"--no-rule none", "{}", "", `"error":{"code":-32602,"message":"--no-rule \"none\": give one of`},
		{"", `{"noRule":["none"]}`, "", `"error":{"code":-32602,"message":"--no-rule \"none\": give one of`},
		{"", `{"none":1}`, "", `"error":{"code":-32602,"message":"\"none\" is not a flag of refract lsp"`},
		{"", `{"forbid":["("]}`, "", `"error":{"code":-32602,"message":"--forbid \"(\": error parsing`},
		{"", "{}", "forbid: [{match: '^http:', message: m}]\noverrides: [{files: x, rules: {case: off}}]\nroot: {.: .}", `"result":{"capabilities"`},
		{"", "{}", "overrides: [{files: x, rules: {cas: off}}]", `"error":{"code":-32602,"message":".refract.yaml: line 1: overrides: \"cas\": did you mean \"case\"`},
		{"", "{}", "no-rule: none", `"error":{"code":-32602,"message":".refract.yaml: --no-rule \"none\": `},
	} {
		err := os.WriteFile(".refract.yaml", []byte(tt.configuration), 0o666)
		if err != nil {
			t.Fatal(err)
		}
		_, out, errs := serve(tt.flags, messages(`"id":1,"method":"initialize","params":{"capabilities":{},"initializationOptions":`+tt.options+`}`, shutdown, exit))
		if !strings.Contains(out, tt.want) || errs != "" {
			t.Errorf("%+v: %s%s", tt, out, errs)
		}
	}
}
