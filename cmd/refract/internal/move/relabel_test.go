package move

import (
	"context"
	"strings"
	"testing"
)

// relabelled returns the files that change when the label at ¦ becomes another one, as "name: text", or "! " and why not.
func relabelled(t *testing.T, files map[string]string, to string) string {
	t.Helper()
	r := &Request{Label: &Label{Text: to}}
	kept := map[string]string{}
	for name, text := range files {
		before, after, isIn := strings.Cut(text, "¦")
		if isIn {
			r.Label.Path, r.Label.Offset = "/t/"+name, len(before)
		}
		kept[name] = before + after
	}
	r.Options = options(inMemory(kept))
	plan, err := Make(context.Background(), r)
	switch {
	case err != nil:
		return "! " + err.Error()
	case len(plan.Problems) > 0:
		return "! " + plan.Problems[0].String()
	}
	var lines []string
	for _, f := range plan.Files {
		lines = append(lines, strings.TrimPrefix(f.Path, "/t/")+": "+string(f.New))
	}
	return strings.Join(lines, "|")
}

type labelTest struct {
	files    map[string]string
	to, want string
}

func (tt labelTest) run(t *testing.T) {
	t.Helper()
	if got := relabelled(t, tt.files, tt.to); got != tt.want {
		t.Errorf("%q to %q:\n%q, want\n%q", tt.files, tt.to, got, tt.want)
	}
}

// cursor puts the cursor in front of the first occurrence of where.
func cursor(src, where string) string { return strings.Replace(src, where, "¦"+where, 1) }

// An id of AsciiDoc is renamed with its uses in all documents.
func TestLabelOfASCIIDoc(t *testing.T) {
	const (
		src  = "= A\n\n[[lab]]\n== B\n\n<<lab>> <<lab,text>> xref:lab[x] `lab` <<_b2>>\n\n== B2\n"
		made = "a.adoc: = A\n\n[[new]]\n== B\n\n<<new>> <<new,text>> xref:new[x] `lab` <<_b2>>\n\n== B2\n"
	)
	for _, tt := range []labelTest{
		{map[string]string{"a.adoc": cursor(src, "lab]]")}, "new", made},
		{map[string]string{"a.adoc": cursor(src, "lab,")}, "new", made},
		{map[string]string{"a.adoc": cursor(src, "lab[x]")}, "new", made},
		{map[string]string{"a.adoc": cursor(src, "lab]]")}, "a b", `! with the label "a b", line 3 would be read in another way`},
		{map[string]string{"a.adoc": cursor(src, "lab]]")}, "_b2", `! line 6 already uses the label "_b2"`},
		{map[string]string{"a.adoc": "[#l¦ab]\n== B\n\n[[two]]x <<lab>>\n"}, "new", "a.adoc: [#new]\n== B\n\n[[two]]x <<new>>\n"},
		{map[string]string{"a.adoc": "[#l¦ab]\n== B\n\n[[two]]x <<lab>>\n"}, "two", `! line 4 already defines the label "two"`},
		{map[string]string{"a.adoc": "[id=lab¦]\n== B\n\nanchor:x[] <<lab>>\n"}, "new", "a.adoc: [id=new]\n== B\n\nanchor:x[] <<new>>\n"},
		{map[string]string{"a.adoc": "A anchor:¦x[] <<x>>\n"}, "new", "a.adoc: A anchor:new[] <<new>>\n"},

		{map[string]string{"a.adoc": "[[¦b.adoc]]x\n\nxref:b.adoc[x]\n", "b.adoc": "= B\n"}, "new", "a.adoc: [[new]]x\n\nxref:b.adoc[x]\n"},
		{map[string]string{"a.adoc": "[[¦lab]]\n== Title\n\n<<lab>> <<Title>> <<a.adoc#lab>>\n"}, "new", "a.adoc: [[new]]\n== Title\n\n<<new>> <<Title>> <<a.adoc#new>>\n"},
		{map[string]string{"a.adoc": cursor(src, "lab]]"), "b.adoc": "xref:a.adoc#lab[] <<a.adoc#lab,x>> xref:a.adoc#_b2[] <<lab>>\n", "c.md": "[x](a.adoc#lab)\n"}, "new",
			made + "|b.adoc: xref:a.adoc#new[] <<a.adoc#new,x>> xref:a.adoc#_b2[] <<lab>>\n|c.md: [x](a.adoc#new)\n"},
		{map[string]string{"a.adoc": cursor(src, "lab]]"), "m.adoc": "= M\n\n<<lab>>\n\ninclude::a.adoc[]\n"}, "new", made + "|m.adoc: = M\n\n<<new>>\n\ninclude::a.adoc[]\n"},
		{map[string]string{"a.adoc": "[#T¦op]\n== B\n", "m.adoc": "= M\n\n<<Top>>\n\ninclude::a.adoc[]\n"}, "New", "a.adoc: [#New]\n== B\n|m.adoc: = M\n\n<<New>>\n\ninclude::a.adoc[]\n"},
		{map[string]string{"a.adoc": "[#L¦ab]\n== B\n\n<<Lab>>\n", "m.adoc": "= M\n\n<<Lab>> <<Lab,x>>\n\ninclude::a.adoc[]\n"}, "New", "a.adoc: [#New]\n== B\n\n<<New>>\n|m.adoc: = M\n\n<<New>> <<New,x>>\n\ninclude::a.adoc[]\n"},
		{map[string]string{"antora.yml": "name: c\nversion: '1'\n", "modules/ROOT/pages/a.adoc": "[[l¦ab]]\n== B\n", "modules/two/pages/b.adoc": "xref:ROOT:a.adoc#lab[x]\n"}, "new",
			"modules/ROOT/pages/a.adoc: [[new]]\n== B\n|modules/two/pages/b.adoc: xref:ROOT:a.adoc#new[x]\n"},
	} {
		tt.run(t)
	}
}

// A name of reStructuredText is renamed with its uses in the document, as docutils reads it.
func TestLabelOfRST(t *testing.T) {
	const (
		src  = "T\n=\n\n.. _foo: u\n.. _b: foo_\n\nfoo_ `FOO`_ `x <foo_>`_ ``foo_`` b_\n"
		made = "a.rst: T\n=\n\n.. _new: u\n.. _b: new_\n\nnew_ `new`_ `x <new_>`_ ``foo_`` b_\n"
	)
	for _, tt := range []labelTest{
		{map[string]string{"a.rst": cursor(src, "foo: u")}, "new", made},
		{map[string]string{"a.rst": cursor(src, "foo_\n")}, "new", made},
		{map[string]string{"a.rst": cursor(src, "FOO")}, "new", made},
		{map[string]string{"a.rst": cursor(src, "foo: u")}, "b", `! line 5 already defines the label "b"`},
		{map[string]string{"a.rst": cursor(src, "foo: u")}, "T", `! line 1 already defines the label "T"`},
		{map[string]string{"a.rst": "a_ _`a b` `¦a b`_\n\n.. _a: u\n"}, "c", `! line 1 defines the label by text that readers see: edit it by hand`},
		{map[string]string{"a.rst": "¦a_ c_\n\n.. _a: u\n"}, "c", `! line 1 already uses the label "c"`},
		{map[string]string{"a.rst": "x ¦a_, a_.\n\n.. _a: u\n"}, "Two words", "a.rst: x `Two words`_, `Two words`_.\n\n.. _Two words: u\n"},
		{map[string]string{"a.rst": "x ¦a_\n\n.. _a: u\n"}, "a:b c: d", `! with the label "a:b c: d", line 1 would be read in another way`},
		{map[string]string{"a.rst": "x `¦a`_\n\n.. _`a`: u\n"}, "c: d", "a.rst: x `c: d`_\n\n.. _`c: d`: u\n"},
		{map[string]string{"a.rst": "x [#a¦]_ a_\n\n.. [#a] y\n"}, "n", "a.rst: x [#n]_ n_\n\n.. [#n] y\n"},
		{map[string]string{"a.rst": "x [#a¦]_\n\n.. [#a] y\n"}, "n m", `! with the label "n m", line 1 would be read in another way`},
		{map[string]string{"a.rst": "x [C¦1]_\n\n.. [C1] y\n"}, "C2", "a.rst: x [C2]_\n\n.. [C2] y\n"},
		{map[string]string{"a.rst": "|s|_\n\n.. |s| replace:: t\n.. _s¦: u\n"}, "n", `! with the label "n", line 1 would be read in another way`},
		{map[string]string{"a.rst": "x ¦a_\n\n.. include:: b.rst\n\n.. _a: u\n", "b.rst": "a_\n"}, "n", "! /t/b.rst is on the same page, and may use the label"},
		{map[string]string{"a.rst": "+------+\n| `a   |\n| b`_  |\n+------+\n\n.. _¦a b: u\n"}, "n", `! with the label "n", line 6 would be read in another way`},
		{map[string]string{"a.rst": "=======  ==\na_       x\n=======  ==\n\n.. _¦a: u\n"}, "bb", "! line 2: the columns of the table would no longer fit"},
		{map[string]string{"a.rst": "=======  ==\nx        a_\n=======  ==\n\n.. _¦a: u\n"}, "bb", "a.rst: =======  ==\nx        bb_\n=======  ==\n\n.. _bb: u\n"},
		{map[string]string{"a.rst": "The a_ b\n========\n\n`x <#the-a-b>`_\n\n.. _¦a: u\n"}, "c", "a.rst: The c_ b\n========\n\n`x <#the-c-b>`_\n\n.. _c: u\n"},
		{map[string]string{"a.rst": "The a_ b\n========\n\n.. _¦a: u\n"}, "cc", "! line 1: the title would be longer than the line below it"},
		{map[string]string{"a.rst": "a_ bcd\n======\n\n.. _¦a: u\n"}, "cc", "! line 1: the title would be longer than the line below it"},
		{map[string]string{"a.rst": "a_ bcd\n=======\n\n.. _¦a: u\n"}, "cc", "a.rst: cc_ bcd\n=======\n\n.. _cc: u\n"},
		{map[string]string{"a.rst": "x a_\n\n.. _¦a: u\n\nT\n=\n"}, "cc", "a.rst: x cc_\n\n.. _cc: u\n\nT\n=\n"},
		{map[string]string{"a.rst": "A long title\n====\n\na_\n\n.. _¦a: u\n"}, "cc", "a.rst: A long title\n====\n\ncc_\n\n.. _cc: u\n"},
		{map[string]string{"a.rst": ":a_ b: c\n:d: a_\n\n.. _¦a: u\n"}, "c", "a.rst: :c_ b: c\n:d: c_\n\n.. _c: u\n"},
		{map[string]string{"a.rst": "x `f\\oo`_\n\n.. _¦foo: u\n"}, "n", "! line 1: the label cannot be edited exactly"},
		{map[string]string{"a.rst": "x [C¦1]_\n\n.. [C1] y\n", "b.rst": "x [C1]_\n"}, "C2", "a.rst: x [C2]_\n\n.. [C2] y\n"},
		{map[string]string{"a.rst": ".. figure:: x.png\n   :name: ¦f\n\nSee f_.\n", "x.png": ""}, "g", "a.rst: .. figure:: x.png\n   :name: g\n\nSee g_.\n"},
	} {
		tt.run(t)
	}
}

// A label of Sphinx is renamed where roles use it, in all documents, with the fragments that point to its id.
func TestLabelOfSphinx(t *testing.T) {
	const (
		conf = "project = 'x'\n"
		toc  = ".. toctree::\n\n   a\n   b\n"
		sec  = ".. _foo:\n\nTitle\n=====\n\nfoo_ :ref:`foo`\n"
		made = ".. _new:\n\nTitle\n=====\n\nnew_ :ref:`new`\n"
	)
	site := func(a, b string) map[string]string {
		return map[string]string{"conf.py": conf, "index.rst": toc, "a.rst": a, "b.rst": b}
	}
	myst := func(index, b string) map[string]string {
		return map[string]string{"conf.py": "extensions = ['myst_parser']\n", "index.rst": index, "b.md": b}
	}
	at := cursor(sec, "foo:")
	const use = "# :ref:`Foo`\n"
	unread := func(more ...string) map[string]string {
		files := map[string]string{"docs/conf.py": conf, "docs/index.rst": at}
		for i := 0; i < len(more); i += 2 {
			files[more[i]] = more[i+1]
		}
		return files
	}
	for _, tt := range []labelTest{
		{map[string]string{"a.rst": at, "c.html": "<a href='a.rst#foo'>x</a>"}, "new", "a.rst: " + made + "|c.html: <a href='a.rst#new'>x</a>"},
		{map[string]string{"a.rst": at, "b.rst": ":ref:`foo`\n"}, "new", "! b.rst may use the label, and cannot be edited"},

		{site(at, ":ref:`foo` :ref:`t <Foo>` :numref:`foo` ``:ref:`foo`.`` :ref:`other`\n"), "new", "a.rst: " + made + "|b.rst: :ref:`new` :ref:`t <new>` :numref:`new` ``:ref:`foo`.`` :ref:`other`\n"},
		{site(sec, ":ref:`fo¦o`\n"), "new", "a.rst: " + made + "|b.rst: :ref:`new`\n"},
		{site(at, "+------------+\n| :ref:`foo` |\n+------------+\n"), "new", "a.rst: " + made + "|b.rst: +------------+\n| :ref:`new` |\n+------------+\n"},
		{site(at, "+------------+\n| :ref:`foo` |\n+------------+\n"), "newer", `! b.rst: with the label "newer", line 2 would be read in another way`},
		{site(at, ".. _new:\n\nX\n-\n\n:ref:`foo`\n"), "new", `! another document defines the label "new"`},
		{site(at, ".. _foo:\n\nX\n-\n\n:ref:`foo`\n"), "new", `! another document defines the label "foo", too, or includes this one`},
		{site(":ref:`fo¦o`\n\n.. _foo: u\n", sec), "new", "a.rst: :ref:`new`\n\n.. _foo: u\n|b.rst: " + made},
		{site(at, "`page <a.html#foo>`_ :doc:`a`\n"), "new", "a.rst: " + made + "|b.rst: `page <a.html#new>`_ :doc:`a`\n"},
		{site(".. _f¦oo: u\n\nfoo_\n", ".. _new:\n\nX\n-\n\n[foo]_\n"), "new", "a.rst: .. _new: u\n\nnew_\n"},
		{site(":ref:`foo`\n\n.. _f¦oo: u\n\nfoo_\n", sec), "new", "a.rst: :ref:`foo`\n\n.. _new: u\n\nnew_\n"},
		{site(".. _f¦oo: u\n\nfoo_ :ref:`new`\n", ".. _new:\n\nX\n-\n"), "new", "a.rst: .. _new: u\n\nnew_ :ref:`new`\n"},
		{site(at+":ref:`new`\n", ""), "new", `! line 7 already uses the label "new"`},
		{site(sec, ":ref:`no¦ne`\n"), "new", `! it is not known which document defines the label "none"`},
		{map[string]string{"conf.py": conf + "exclude_patterns = ['part.rst']\n", "index.rst": "I\n=\n\n.. include:: part.rst\n", "part.rst": at}, "new", "part.rst: " + made},
		{map[string]string{"conf.py": conf + "exclude_patterns = ['part.rst']\n", "index.rst": sec, "part.rst": at}, "new", "! index.rst may use the label, and cannot be edited"},
		{site(".. _other:\n\n"+sec, ":ref:`fo¦o`\n"), "new", "a.rst: .. _other:\n\n" + made + "|b.rst: :ref:`new`\n"},
		{site("x [C¦1]_\n\n.. [C1] y\n", "x [C1]_\n"), "C2", "! b.rst may use the label, and cannot be edited"},
		{unread("m.py", use), "new", "! m.py may use the label, and cannot be edited"},
		{unread("aa/x.py", "", "b/m.py", use), "new", "! b/m.py may use the label, and cannot be edited"},
		{unread(strings.Repeat("d/", 64)+"m.py", use), "new", "! " + strings.Repeat("d/", 64) + "m.py may use the label, and cannot be edited"},
		{unread(strings.Repeat("d/", 65)+"m.py", ""), "new", "! the tree is too large to see whether a program uses the label"},
		{unread("large.py", use+strings.Repeat(" ", 8<<20-len(use))), "new", "! large.py may use the label, and cannot be edited"},
		{unread(".tox/m.py", use, "node_modules/m.py", use, "m.pyo", use, "large.py", use+strings.Repeat(" ", 8<<20+1-len(use))), "new", "docs/index.rst: " + made},
		{map[string]string{"conf.py": conf, "index.rst": at, "m.py": `"""See :ref:` + "`Foo`" + `."""` + "\n"}, "new", "! m.py may use the label, and cannot be edited"},
		{myst(at, "# B\n\n{ref}`foo` {ref}`t <foo>`\n"), "new", "b.md: # B\n\n{ref}`new` {ref}`t <new>`\n|index.rst: " + made},
		{myst(":ref:`foo`\n", "(f¦oo)=\n# B\n\n{ref}`foo`\n"), "new", "b.md: (new)=\n# B\n\n{ref}`new`\n|index.rst: :ref:`new`\n"},
		{myst(":ref:`fo¦o`\n", "[foo]: index.rst\n[bar]: index.rst\n\n(foo)=\n# B [foo]\n"), "new", "b.md: [foo]: index.rst\n[bar]: index.rst\n\n(new)=\n# B [foo]\n|index.rst: :ref:`new`\n"},
		{myst(":ref:`foo`\n", "(f¦oo)=\n# B\n\n[x](#foo)\n"), "new", `! /t/b.md:4:5: "#foo": would have a new finding: this document has no id "foo" [missing-fragment]`},
	} {
		tt.run(t)
	}
}

// A footnote of Markdown is renamed with its uses in the document.
func TestLabelOfFootnote(t *testing.T) {
	for _, tt := range []labelTest{
		{map[string]string{"a.md": "# Foo\n\n[x](#foo) [¦foo]\n\n[foo]: u.md\n", "u.md": ""}, "bar", "a.md: # Foo\n\n[x](#foo) [bar]\n\n[bar]: u.md\n"},
		{map[string]string{"a.md": "[¦foo]\n\n[foo]: u.md\n", "u.md": ""}, "!n", "! line 1: [!n] could be the mark of a task or an alert"},
		{map[string]string{"a.md": "[¦foo]\n\n[foo]: u.md\n", "u.md": ""}, "X", "! line 1: [X] could be the mark of a task or an alert"},
		{map[string]string{"a.md": "[¦foo]\n\n[foo]: u.md\n", "u.md": ""}, "\"n", "a.md: [\"n]\n\n[\"n]: u.md\n"},
		{map[string]string{"a.md": "[t][¦foo]\n\n[foo]: u.md\n", "u.md": ""}, "x", "a.md: [t][x]\n\n[x]: u.md\n"},
		{map[string]string{"a.md": "a[^n¦] `[^n]` [^m]\n\n[^n]: x [^n]\n[^m]: y\n"}, "note-1", "a.md: a[^note-1] `[^n]` [^m]\n\n[^note-1]: x [^note-1]\n[^m]: y\n"},
		{map[string]string{"a.md": "a[^n]\n\n> [^¦n]: x\n"}, "m", "a.md: a[^m]\n\n> [^m]: x\n"},
		{map[string]string{"a.md": "a[^n¦] [^m]\n\n[^n]: x\n[^m]: y\n"}, "m", `! line 1 already uses the label "m"`},
		{map[string]string{"a.md": "a[^n¦] [^m]\n\n[^n]: x\n"}, "m", `! line 1 already uses the label "m"`},
		{map[string]string{"a.md": "a[^n¦]\n\n[^N]: x\n"}, "m", `! line 3: [^n] and [^N] are one footnote in some programs only`},
		{map[string]string{"a.md": "a[^n¦]\n\n[^n]: x\n"}, "a b", `! with the label "a b", line 1 would be read in another way`},
		{map[string]string{"a.md": "a[^n¦]\n"}, "m", `! /t/a.md has no label there`},
	} {
		tt.run(t)
	}
}
