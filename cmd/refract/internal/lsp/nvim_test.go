//go:build unix

package lsp_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/cmd/refract/internal/cmdtest"
	"example.org/refract/internal/scantest"
)

// nvimScript starts the server as the client of Neovim, asks it everything, and prints the answers.
const nvimScript = `
local function out(s) io.stdout:write(s .. '\n') end
local function wait(what, f)
  if not vim.wait(30000, f, 20) then out('timeout: ' .. what); vim.cmd('qa!') end
end
vim.cmd('edit a.md')
local id = vim.lsp.start_client({ name = 'refract', cmd = { vim.env.REFRACT, 'lsp' }, root_dir = vim.loop.cwd(), settings = { refract = { noRule = { 'case' } } } })
vim.lsp.buf_attach_client(0, id)
local buf = vim.api.nvim_get_current_buf()
wait('diagnostics', function() return #vim.diagnostic.get(buf) == 1 end)
local d = vim.diagnostic.get(buf)[1]
out('diagnostic ' .. d.lnum .. ':' .. d.col .. ' ' .. d.message)

local function ask(method, params)
  local r = vim.lsp.buf_request_sync(buf, method, params, 30000)
  if not r or not r[id] then return nil end
  if r[id].error then return { error = r[id].error.message } end
  return r[id].result
end
local function at(line, column)
  return { textDocument = vim.lsp.util.make_text_document_params(), position = { line = line, character = column } }
end
out('hover ' .. vim.split(ask('textDocument/hover', at(2, 5)).contents.value, '\n')[4])
local place = ask('textDocument/definition', at(2, 5))
out('definition ' .. vim.fn.fnamemodify(vim.uri_to_fname(place.uri), ':t') .. ':' .. place.range.start.line)
out('links ' .. #ask('textDocument/documentLink', at(0, 0)))
out('symbols ' .. ask('textDocument/documentSymbol', at(0, 0))[1].name)
out('symbol ' .. ask('workspace/symbol', { query = 'two' })[1].name)
local refs = at(0, 3)
refs.context = { includeDeclaration = false }
out('references ' .. #ask('textDocument/references', refs))
out('lens ' .. ask('textDocument/codeLens', at(0, 0))[1].command.title)

-- An edit in the buffer, and the fix of what it breaks.
vim.api.nvim_buf_set_lines(buf, 2, 3, false, { '[x](b.md#two-word)' })
wait('findings of the edit', function() local l = vim.diagnostic.get(buf); return #l == 1 and l[1].message:find('two%-word"') end)
local action = at(2, 5)
action.range = { start = { line = 2, character = 5 }, ['end'] = { line = 2, character = 5 } }
action.context = { diagnostics = {} }
local actions = ask('textDocument/codeAction', action)
out('action ' .. actions[1].title)
vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
out('fixed ' .. vim.api.nvim_buf_get_lines(buf, 2, 3, false)[1])
wait('no findings', function() return #vim.diagnostic.get(buf) == 0 end)

-- A missing document is created.
vim.api.nvim_buf_set_lines(buf, 2, 3, false, { '[x](new.md)' })
wait('a missing document', function() return #vim.diagnostic.get(buf) == 1 end)
for _, a in ipairs(ask('textDocument/codeAction', action)) do
  if a.title:find('Create') then
    out('action ' .. a.title)
    vim.lsp.util.apply_workspace_edit(a.edit, 'utf-16')
  end
end
out('created ' .. vim.fn.filereadable('new.md'))
vim.lsp.stop_client(id)
vim.cmd('qa!')
`

const nvimTree = `
-- a.md --
# Alpha

[x](b.md#two-words) [y](none.md)
-- b.md --
# Intro

## Two words

Text. [a](a.md#alpha) [B](A.md)
`

const nvimWant = `diagnostic 2:24 no such file: "none.md"
hover ## Two words
definition b.md:2
links 1
symbols Alpha
symbol Two words
references 1
lens 2 links to this document
action Change to "b.md#two-words"
fixed [x](b.md#two-words)
action Create "new.md"
created 1
`

// A real client gets along with the server. The test is skipped where Neovim is not installed.
func TestNeovim(t *testing.T) {
	scantest.Long(t, "runs an editor")
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(nvimTree)).Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	script := filepath.Join(t.TempDir(), "test.lua")
	if err := os.WriteFile(script, []byte(nvimScript), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, nvim, "--clean", "--headless", "-n", "-c", "luafile "+script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "REFRACT="+cmdtest.Binary(t), "HOME="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir())
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil || strings.ReplaceAll(string(out), "\r", "") != nvimWant {
		t.Errorf("%v\n%s\n%s, want\n%s", err, out, errs.String(), nvimWant)
	}
}
