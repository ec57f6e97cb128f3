package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/cmd/refract/internal/cli"
)

// Issue 35, item 1: the audit judges these references, so mv edits them, and the language server knows where they lead.
var leadTrees = map[string]string{
	"docsify": `
-- docs/index.html --
<!DOCTYPE html><div id="app"></div><script>window.$docsify = {name: 'x'}</script><script src="//cdn.jsdelivr.net/npm/docsify@4"></script>
-- docs/README.md --
# Home

[guide](guide.md?id=second-part) [again](guide?id=second-part)
-- docs/guide.md --
# Guide

## Second part
`,
	"rst": `
-- index.rst --
Index
=====

.. include:: sub/part.rst
-- guide.rst --
Guide
=====
-- img.png --
x
-- sub/part.rst --
See ` + "`the guide <guide.rst>`__" + `.

.. image:: img.png
`,
	"sphinx": `
-- conf.py --
project = "x"
-- index.rst --
Index
=====

.. toctree::

   guide

.. include:: sub/part.txt
-- guide.rst --
Guide
=====
-- sub/part.txt --
See :doc:` + "`guide`" + `.
`,
	"starlight": `
-- astro.config.mjs --
import starlight from '@astrojs/starlight';
export default { integrations: [starlight({ title: 'x', sidebar: ['guides/setup', { slug: 'index' }] })] };
-- src/content/docs/index.mdx --
---
title: Home
hero:
  actions:
    - text: Setup
      link: /guides/setup/
---
-- src/content/docs/guides/setup.md --
---
title: Setup
---
`,
	"adoc": `
-- index.adoc --
= Index

include::parts/part.adoc[]
-- guide.adoc --
= Guide

== Second part
-- img.png --
x
-- parts/part.adoc --
See xref:guide.adoc#_second_part[the guide], link:guide.html[g] and image:img.png[].
`,
}

func TestLeadMoves(t *testing.T) {
	for _, tt := range []struct{ tree, from, to, file, want string }{
		{"docsify", "docs/guide.md", "docs/manual.md", "docs/README.md", "(manual.md?id=second-part) [again](manual?id=second-part)"}, // control: passes today
		{"docsify", "docs/guide.md#second-part", "#Third part", "docs/README.md", "(guide.md?id=third-part) [again](guide?id=third-part)"},
		{"rst", "guide.rst", "manual.rst", "sub/part.rst", "<manual.rst>"},
		{"rst", "img.png", "other/img.png", "sub/part.rst", ".. image:: other/img.png"},
		{"sphinx", "guide.rst", "manual.rst", "sub/part.txt", ":doc:`manual`"},
		{"adoc", "guide.adoc", "manual.adoc", "parts/part.adoc", "xref:manual.adoc#_second_part[the guide], link:manual.html[g]"},
		{"adoc", "img.png", "other/img.png", "parts/part.adoc", "image:other/img.png[]"},
	} {
		t.Run(tt.tree+" "+tt.from, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, f := range txtar.Parse([]byte(leadTrees[tt.tree])).Files {
				os.MkdirAll(filepath.Dir(f.Name), 0o777)
				os.WriteFile(f.Name, f.Data, 0o666)
			}
			var out, errs bytes.Buffer
			if code := run([]string{"audit"}, &out, &errs); code != 0 {
				t.Fatalf("the audit finds something: %s%s", out.String(), errs.String())
			}
			errs.Reset()
			code := run([]string{"mv", tt.from, tt.to}, &out, &errs)
			dir, _ := os.Getwd()
			if strings.Contains(errs.String(), dir) {
				t.Errorf("an absolute path: %s", errs.String())
			}
			text, _ := os.ReadFile(tt.file)
			if code != 0 || !strings.Contains(string(text), tt.want) {
				t.Errorf("status %d, %s has %s; want %s\n%s", code, tt.file, text, tt.want, errs.String())
			}
		})
	}
}

func TestLeadDefinitions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		tree, file   string
		line, column int
		want         string
		wantLine     int
	}{
		{"docsify", "docs/README.md", 2, 12, "docs/guide.md", 2},
		{"docsify", "docs/README.md", 2, 45, "docs/guide.md", 2},
		{"rst", "sub/part.rst", 0, 20, "guide.rst", 0},
		{"sphinx", "sub/part.txt", 0, 12, "guide.rst", 0}, // control: passes today
		{"adoc", "parts/part.adoc", 0, 12, "guide.adoc", 2},
		{"adoc", "parts/part.adoc", 0, 52, "guide.adoc", 0},
	} {
		t.Run(tt.tree+" "+tt.file, func(t *testing.T) {
			e := newEditor(t, leadTrees[tt.tree])
			e.start(allCapabilities)
			text, _ := os.ReadFile(filepath.Join(e.dir, tt.file))
			e.open(tt.file, string(text))
			e.until(tt.file, "")
			got := e.result("textDocument/definition", e.place(tt.file, tt.line, tt.column))
			var l struct {
				URI   string
				Range span
			}
			if json.Unmarshal([]byte(got), &l) != nil || l.URI != "DIR/"+tt.want || l.Range.Start.Line != tt.wantLine {
				t.Errorf("%s, want %s line %d", got, tt.want, tt.wantLine)
			}
			e.stop()
		})
	}
}

func TestLeadRefused(t *testing.T) {
	for _, tt := range []struct{ tree, from, to, want string }{
		{"sphinx", "index.rst", "sub/index.rst", "the file is only read as a part of index.rst, which would not include it: edit it by hand"},
		{"sphinx", "index.rst", "sub/index.rst", "no spelling of it was found that points to sub/part.txt"},
		{"starlight", "src/content/docs", "src/content/docs2", "nothing was moved"}, // the navigation of no site
	} {
		t.Run(tt.tree+" "+tt.want, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, f := range txtar.Parse([]byte(leadTrees[tt.tree])).Files {
				os.MkdirAll(filepath.Dir(f.Name), 0o777)
				os.WriteFile(f.Name, f.Data, 0o666)
			}
			var out, errs bytes.Buffer
			code := run([]string{"mv", tt.from, tt.to}, &out, &errs)
			dir, _ := os.Getwd()
			if code != cli.ExitFindings || !strings.Contains(errs.String(), tt.want) || strings.Contains(errs.String(), dir) {
				t.Errorf("status %d: %s; want %s", code, errs.String(), tt.want)
			}
		})
	}
}
