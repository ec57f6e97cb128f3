//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/internal/testing/cmdtest"
	"example.org/refract/internal/testing/scantest"
)

// vscodeScript talks to the server with the implementation of the protocol that VS Code's client is made of.
const vscodeScript = `
const {spawn} = require("node:child_process"), fs = require("node:fs"), path = require("node:path"), {pathToFileURL} = require("node:url");
const rpc = require("vscode-languageserver-protocol/node");
const uri = name => pathToFileURL(path.resolve(name)).href;
const server = spawn(process.env.REFRACT, ["lsp"]);
const c = rpc.createProtocolConnection(new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
const shown = {}, waiting = [];
c.onNotification(rpc.PublishDiagnosticsNotification.type, p => {
	shown[p.uri] = p.diagnostics;
	for (const f of waiting) f();
});
const until = ok => new Promise(done => {
	const look = () => ok() && done();
	waiting.push(look);
	look();
});
c.onRequest(rpc.ConfigurationRequest.type, p => p.items.map(() => ({})));
c.onRequest(rpc.RegistrationRequest.type, () => {});
c.onRequest(rpc.CodeLensRefreshRequest.type, () => {});
c.onRequest(rpc.WorkDoneProgressCreateRequest.type, () => {});
c.listen();
const show = (edit) => Object.entries(edit.changes || {}).map(([u, edits]) => path.basename(u) + " " + edits.map(e => e.newText).join("|")).sort().join(", ");
(async () => {
	const init = await c.sendRequest(rpc.InitializeRequest.type, {
		processId: process.pid, rootUri: uri("."), workspaceFolders: [{uri: uri("."), name: "w"}],
		capabilities: {workspace: {configuration: true, workspaceEdit: {documentChanges: true}, fileOperations: {willRename: true, didRename: true}}, textDocument: {rename: {prepareSupport: true}, publishDiagnostics: {}}},
	});
	console.log("server", init.serverInfo.name);
	await c.sendNotification(rpc.InitializedNotification.type, {});
	const text = fs.readFileSync("a.md", "utf8");
	await c.sendNotification(rpc.DidOpenTextDocumentNotification.type, {textDocument: {uri: uri("a.md"), languageId: "markdown", version: 1, text}});
	await until(() => (shown[uri("a.md")] || []).length > 0);
	console.log("diagnostic", shown[uri("a.md")][0].message);
	const at = (line, character) => ({textDocument: {uri: uri("a.md")}, position: {line, character}});
	const actions = await c.sendRequest(rpc.CodeActionRequest.type, {textDocument: {uri: uri("a.md")}, range: shown[uri("a.md")][0].range, context: {diagnostics: shown[uri("a.md")]}});
	console.log("action", actions[0].title);
	console.log("label", show(await c.sendRequest(rpc.RenameRequest.type, {...at(4, 8), newName: "new"})));
	console.log("heading", show(await c.sendRequest(rpc.RenameRequest.type, {...at(0, 3), newName: "Beta"})));
	const items = async (line, character) => [await c.sendRequest(rpc.CompletionRequest.type, at(line, character))].flatMap(r => r.items || r).map(i => i.label).join("|");
	console.log("labels", await items(6, 9));
	console.log("headings", await items(7, 8));
	console.log("folder", show(await c.sendRequest(rpc.WillRenameFilesRequest.type, {files: [{oldUri: uri("sub"), newUri: uri("other")}]})));
	fs.renameSync("sub", "other");
	await c.sendNotification(rpc.DidRenameFilesNotification.type, {files: [{oldUri: uri("sub"), newUri: uri("other")}]});
	await until(() => (shown[uri("a.md")] || []).some(d => d.message.startsWith("no such file")));
	console.log("after", shown[uri("a.md")].length);
	await c.sendRequest(rpc.ShutdownRequest.type);
	await c.sendNotification(rpc.ExitNotification.type);
	server.on("exit", code => { console.log("exit", code); process.exit(); });
})().catch(e => { console.log("error", e.message); process.exit(1); });
`

const vscodeTree = `
-- a.md --
# Alpha

[b](sub/b.md#beta-words) [typo](sub/b.md#beta-wrods)

[text][lab] and [lab].

[text][la
[x](##be

[lab]: sub/b.md
-- sub/b.md --
# Beta words

[a](../a.md#alpha)
`

const vscodeWant = `server refract
diagnostic "sub/b.md" has no id "beta-wrods"
action Change to "sub/b.md#beta-words"
label a.md new] and [new|new
heading a.md Bet, b.md bet
labels lab
headings Beta words
folder a.md other/b.md#beta-words) [typo](other|other
after 3
exit 0
`

// The client of VS Code is made of an npm package. The test is skipped where Node.js is not installed, or NODE_PATH has no
// vscode-languageserver-protocol.
func TestVSCode(t *testing.T) {
	scantest.Long(t, "runs the client of an editor")
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip(err)
	}
	if exec.Command(node, "-e", "require('vscode-languageserver-protocol/node')").Run() != nil {
		t.Skip("no vscode-languageserver-protocol in NODE_PATH")
	}
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(vscodeTree)).Files {
		name := filepath.Join(dir, f.Name)
		err := os.MkdirAll(filepath.Dir(name), 0o777)
		if err == nil {
			err = os.WriteFile(name, f.Data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, "-e", vscodeScript)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "REFRACT="+cmdtest.Binary(t))
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil || string(out) != vscodeWant {
		t.Errorf("%v\n%s\n%s, want\n%s", err, out, errs.String(), vscodeWant)
	}
}
