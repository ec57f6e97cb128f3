//go:build unix

package main

import (
	"context"
	"errors"
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

-- Completion: labels, footnotes, documents of the tree by their name.
local function complete(line)
  vim.api.nvim_buf_set_lines(buf, 4, 5, false, { line })
  local list = ask('textDocument/completion', at(4, #line))
  local labels = {}
  for _, i in ipairs(list.items) do table.insert(labels, i.label) end
  out('completion ' .. line .. ' ' .. table.concat(labels, ' '))
  vim.api.nvim_buf_set_lines(buf, 4, 5, false, { '' })
end
complete('[t][c')
complete('[^n')
complete('[t](deep')

-- Renames: the edits of Neovim, in all files of the answer.
local function rename(line, column, to)
  local params = at(line, column)
  local prepared = ask('textDocument/prepareRename', params)
  out('prepare ' .. prepared.placeholder)
  params.newName = to
  local edit = ask('textDocument/rename', params)
  if edit.error then out('refused ' .. edit.error); return end
  vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
  vim.cmd('silent wall')
end
local function show(name) out(name .. ': ' .. table.concat(vim.fn.readfile(name), '|')) end
vim.cmd('silent wall')
rename(5, 5, 'note')
rename(7, 1, 'main')
show('a.md')
for _, file in ipairs({ 'r/one.rst', 'n.adoc' }) do
  vim.cmd('edit ' .. file)
  buf = vim.api.nvim_get_current_buf()
  vim.lsp.buf_attach_client(buf, id)
  ask('textDocument/hover', at(0, 0))
  rename(0, 5, 'place')
  show(file)
end
show('r/two.rst')
show('m.adoc')
rename(0, 3, 'a b')
vim.lsp.stop_client(id)
vim.cmd('qa!')
`

const nvimTree = `
-- a.md --
# Alpha

[x](b.md#two-words) [y](none.md)


See[^n] and [ci].

[ci]: b.md

[^n]: Text.
-- sub/deep.md --
# Deep
-- r/conf.py --
project = 'x'
-- r/index.rst --
.. toctree::

   one
   two
-- r/one.rst --
.. _here:

One
===

here_
-- r/two.rst --
Two
===

:ref:'here' and :ref:'t <here>'
-- n.adoc --
[[here]]
== N
-- m.adoc --
xref:n.adoc#here[]
-- b.md --
# Intro

## Two words

Text. [a](a.md#alpha) [B](A.md)
`

const nvimWant = `diagnostic 2:24 no such file: "none.md"
hover ## Two words
definition b.md:2
links 2
symbols Alpha
symbol Two words
references 1
lens 2 links to this document
action Change to "b.md#two-words"
fixed [x](b.md#two-words)
action Create "new.md"
created 1
completion [t][c ci
completion [^n n
completion [t](deep a.md b.md m.adoc n.adoc r/ sub/ deep.md
prepare n
prepare ci
a.md: # Alpha||[x](new.md)|||See[^note] and [main].||[main]: b.md||[^note]: Text.
prepare here
r/one.rst: .. _place:||One|===||place_
prepare here
n.adoc: [[place]]|== N
r/two.rst: Two|===||:ref:'place' and :ref:'t <place>'
m.adoc: xref:n.adoc#place[]
prepare place
refused with the label "a b", line 1 would be read in another way
`

// A real client gets along with the server. The test is skipped where Neovim is not installed.
func TestNeovim(t *testing.T) {
	scantest.Long(t, "runs an editor")
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	tree := strings.NewReplacer(":'", ":`", "' ", "` ", ">'", ">`").Replace(nvimTree)
	for _, f := range txtar.Parse([]byte(tree)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, f.Data, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	script := filepath.Join(t.TempDir(), "test.lua")
	if err := os.WriteFile(script, []byte(nvimScript), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, nvim, "--clean", "--headless", "-n", "-c", "luafile "+script, "-c", "qa!")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "REFRACT="+cmdtest.Binary(t), "HOME="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir())
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil || strings.NewReplacer("\r", "", "`", "'").Replace(string(out)) != nvimWant {
		t.Errorf("%v\n%s\n%s, want\n%s", err, out, errs.String(), nvimWant)
	}
}
