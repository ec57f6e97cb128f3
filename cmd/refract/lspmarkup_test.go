package main

import (
	"strings"
	"testing"
)

const markupTree = `
-- .git/x --
-- docs/conf.py --
extensions = []
html_theme = 'basic'
-- docs/index.rst --
.. _start-here:

Start
=====
-- docs/page.rst --
-- adoc/two.adoc --
-- nb/a.ipynb --
{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
-- adoc/one.adoc --
= One

[[there]]
== Section
-- nb/data.csv --
x
`

// Documents of reStructuredText, AsciiDoc and notebooks in an editor: diagnostics follow each change, at positions in
// the text as it is written, which in a notebook are within the strings of JSON.
func TestLSPMarkup(t *testing.T) {
	t.Parallel()
	e := newEditor(t, markupTree)
	e.start("{}")

	rst := "Page\n====\n\n:ref:`start-here` :ref:`start_here` :doc:`gone` |none| :option:`tool -x`\n"
	e.open("docs/page.rst", rst)
	e.until("docs/page.rst", strings.Join([]string{
		`3:24-3:34 1 refract missing-fragment: the site has no label "start_here" => start-here`,
		`3:42-3:46 1 refract missing-file: the site has no page or label "gone"`,
		`3:48-3:54 1 refract undefined-reference: unknown substitution "none"`,
		`3:64-3:71 1 refract missing-fragment: no document declares "tool -x", which :option: names`,
	}, "\n"))
	e.changes("docs/page.rst", replace(3, 24, 3, 34, "start-here"), replace(3, 42, 3, 46, "index"), replace(3, 49, 3, 53, "version"))
	e.until("docs/page.rst", `3:68-3:75 1 refract missing-fragment: no document declares "tool -x", which :option: names`)
	e.changes("docs/page.rst", replace(2, 0, 2, 0, "\n.. program:: tool\n\n.. option:: -x\n"))
	e.until("docs/page.rst", "")

	e.open("adoc/two.adoc", "= Two\n\nlink:gone.adoc[x] <<there>> xref:one.adoc#there[x] xref:one.adoc#gone[x] image:none.png[]\n")
	e.until("adoc/two.adoc", strings.Join([]string{
		`2:5-2:14 1 refract missing-file: no such file: "adoc/gone.adoc"`,
		`2:20-2:25 1 refract missing-fragment: this document has no id "there"`,
		`2:56-2:69 1 refract missing-fragment: "adoc/one.adoc" has no id "gone"`,
		`2:79-2:87 1 refract broken-image: no such image: "adoc/none.png"`,
	}, "\n"))
	e.changes("adoc/two.adoc", replace(2, 0, 2, 90, "xref:one.adoc#there[x]"))
	e.until("adoc/two.adoc", "")
	e.open("nb/a.ipynb", `{"cells": [{"cell_type": "markdown", "source": ["# Title\n", "[x](\u0064ata.csv) [y](gone.csv)\n", "[z](#Title) [w](#Gone)"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`)
	e.until("nb/a.ipynb", strings.Join([]string{
		`0:85-0:93 1 refract missing-file: no such file: "nb/gone.csv"`,
		`0:116-0:121 1 refract missing-fragment: this document has no id "Gone"`,
	}, "\n"))
	if status := e.stop(); status != 0 {
		t.Errorf("status %d", status)
	}
}
