package rst

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

// objectsOf lists the objects that a document declares and uses.
func objectsOf(text string) (list []string) {
	s := Scanner{Anchors: true, Mentions: true}
	for it := range s.Scan([]byte(text)) {
		switch {
		case it.Space != ObjectSpace:
		case it.Op == scan.Anchor:
			o := ParseObject(it.Value)
			if !strings.HasPrefix(o.Kind, UnknownKind) {
				list = append(list, fmt.Sprintf("declares %s %s", o.Kind, o.Name))
			}
		case it.Op == scan.Mention:
			o := ParseObject(it.Value)
			list = append(list, strings.TrimRight(fmt.Sprintf("uses %s %s in %s", o.Kind, o.Name, strings.Join([]string{o.Scope.Domain, o.Scope.Module, o.Scope.Class, o.Scope.Program}, ",")), ", "))
		}
	}
	return list
}

// Sphinx 8, "Domains": names are qualified by modules, classes and programs around them.
func TestObjects(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{".. py:function:: f(x)\n              g[T](x) -> int\n\n   :func:`f`\n", []string{"declares py:function f", "declares py:function g", "uses func f in"}},
		{".. function:: pkg.mod.f()\n", []string{"declares py:function pkg.mod.f"}},
		{".. py:function:: f(x) broken\n\n.. py:function:: f(x) ) -> y\n", []string{"declares py:function f"}},
		{".. py:function:: f - x\n", nil},
		{".. module:: m\n\n.. class:: C\n\n   .. method:: run(\\\n      a)\n\n      :meth:`run` :meth:`~m.C.run` `run`\n\n.. data:: d\n   :no-index:\n\n:attr:`t <C.x>`\n", []string{
			"declares py:module m", "declares py:class m.C", "declares py:method m.C.run", "uses meth run in ,m,C", "uses meth m.C.run in ,m,C", "uses  run in ,m,C", "uses attr C.x in ,m",
		}},
		{".. py:currentmodule:: a.b\n.. py:attribute:: x\n   :module: other\n\n   :py:attr:`x`\n\n:py:attr:`y`\n\n.. currentmodule:: None\n\n:py:attr:`z`\n", []string{
			"declares py:attribute other.x", "uses py:attr x in ,other", "uses py:attr y in ,a.b", "uses py:attr z in",
		}},
		{".. program:: git commit\n\n.. option:: -m <msg>, --message=<msg>, -v[=x]\n\n:option:`-m`\n\n.. program:: None\n\n.. cmdoption:: --all\n", []string{
			"declares std:option git-commit -m", "declares std:option git-commit --message", "declares std:option git-commit -v", "uses option -m in ,,,git-commit", "declares std:cmdoption  --all",
		}},
		{".. envvar:: HOME\n.. rst:directive:: toc\n.. js:module:: m\n.. js:module:: a/b-c\n.. js:function:: $.go(x)\n", []string{"declares std:envvar HOME", "declares rst:directive toc", "declares js:module m", "declares js:module a/b-c"}},
		{".. default-domain:: c\n\n.. struct:: S\n\n   .. member:: int *x[3]\n\n.. enum:: E\n\n   .. enumerator:: A\n\n.. function:: unsigned long f(const char *s)\n\n:func:`f`\n", []string{
			"declares c:struct S", "declares c:member S.x", "declares c:enum E", "declares c:enumerator A", "declares c:enumerator E.A", "declares c:function f", "uses func f in c",
		}},
		{".. cpp:class:: template<T> ns::C : public B\n.. cpp:function:: void ns::C::f(int)\n.. cpp:enum:: class E : int\n.. cpp:member:: int x : 3\n", []string{"declares cpp:class ns.C", "declares cpp:function ns.C.f", "declares cpp:enum E", "declares cpp:member x"}},
		{".. myext:: thing\n\n:unknown:`x` :kbd:`y` :any:`z`\n\n.. role:: own\n\n:own:`n` :abbr:`m`\n", []string{"declares myext thing", "uses unknown x in", "uses any z in"}},
		{".. productionlist:: g\n   stmt: `expr` | `x:other`\n       : `more`\n   expr: \"a\"\n\n:token:`stmt` :token:`~g:expr`\n", []string{
			"declares std:token g:stmt", "uses token g:expr in", "uses token x:other in", "uses token g:more in", "declares std:token g:expr", "uses token stmt in", "uses token g:expr in",
		}},
		{".. productionlist::\n   stmt: `expr`\n", []string{"declares std:token stmt", "uses token expr in"}},
		{".. productionlist:: stmt: `expr`\n", []string{"declares std:token stmt", "uses token expr in"}},
		{".. productionlist::", nil},
		{"`run`:meth: `run`:meth:x `run`:meth `run`::\n", []string{"uses meth run in", "uses  run in", "uses  run in", "uses  run in"}}, // a role after its text
	} {
		got := objectsOf(tt.text)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q:\ngot  %q\nwant %q", tt.text, got, tt.want)
		}
	}
}
