package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A client names files as it likes, and a tree has links as its author likes. The server reads regular files only: a
// device or a pipe would take all memory, or never answer.
func TestLSPSpecialFiles(t *testing.T) {
	t.Parallel()
	e := newEditor(t, `
-- a.md --
[z](z.md#x) [p](p.md#x) [d](d.md#x) [i](z.png) [q](p.svg) [b](big.bin)
[n](none.md)
-- d.md/x.md --
x
`)
	for name, target := range map[string]string{"z.md": "/dev/zero", "z.png": "/dev/zero"} {
		if err := os.Symlink(target, filepath.Join(e.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"p.md", "p.svg"} {
		if err := syscall.Mkfifo(filepath.Join(e.dir, name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	big := filepath.Join(e.dir, "big.bin")
	if os.WriteFile(big, nil, 0o666) != nil || os.Truncate(big, 300<<20) != nil {
		t.Fatal("no big file")
	}
	e.start(allCapabilities)
	uris := []string{e.uri("z.md"), e.uri("p.md"), e.uri("d.md"), "file:///dev/zero", "file:///dev/stdin", "file:///"}
	for i, uri := range uris {
		e.notify("textDocument/didOpen", object{"textDocument": object{"uri": uri, "languageId": "markdown", "version": 1, "text": "# x\n\n[a](a.md)\n"}})
		if i%2 == 0 {
			e.notify("textDocument/didChange", object{"textDocument": object{"uri": uri, "version": 2}, "contentChanges": []object{{"text": "# y\n"}}})
		}
	}
	e.open("a.md", "[z](z.md#x) [p](p.md#x) [d](d.md#x) [i](z.png) [q](p.svg) [b](big.bin)\n[n](none.md)\n")
	e.until("a.md", `1:4-1:11 1 refract missing-file: no such file: "none.md"`)
	if got := e.result("textDocument/hover", e.place("a.md", 0, 66)); !strings.Contains(got, "**big.bin**, 314572800 bytes") {
		t.Errorf("the big file is shown as %s", got)
	}
	ask := func() {
		for column := 5; column < 72; column += 12 {
			e.result("textDocument/hover", e.place("a.md", 0, column))
			e.result("textDocument/definition", e.place("a.md", 0, column))
			e.result("textDocument/references", e.place("a.md", 0, column))
		}
		for _, uri := range uris {
			place := object{"textDocument": object{"uri": uri}, "position": at{}, "context": object{"includeDeclaration": true}}
			for _, method := range []string{"hover", "definition", "references", "documentSymbol", "documentLink", "codeLens", "completion"} {
				e.call("textDocument/"+method, place) // an error is an answer, too
			}
		}
		e.call("workspace/symbol", object{"query": ""})
	}
	ask()
	for _, uri := range uris {
		e.notify("textDocument/didClose", object{"textDocument": object{"uri": uri}})
	}
	e.open("a.md", "[m](missing.md)\n")
	e.until("a.md", `0:4-0:14 1 refract missing-file: no such file: "missing.md"`)
	ask()
	// The usage that the system counts for a process includes that of this one before it became another program.
	state, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", e.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, peak, _ := strings.Cut(string(state), "VmHWM:")
	kib := 0
	fmt.Sscan(peak, &kib)
	if kib == 0 || kib > 160<<10 {
		t.Errorf("%d KiB", kib)
	}
	if code := e.stop(); code != 0 {
		t.Errorf("status %d", code)
	}
}
