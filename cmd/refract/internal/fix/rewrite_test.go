package fix

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.org/refract/extract"
)

// utf16Text returns text in UTF-16 with a byte order mark.
func utf16Text(text string, isBig bool) string {
	if isBig {
		return string(appendUTF16BE(nil, "\ufeff"+text))
	}
	return string(appendUTF16LE(nil, "\ufeff"+text))
}

// toRef is the Decide of tests: what is called A… becomes ref.
func toRef(ref string) func(*extract.Reference, bool) (Decision, bool) {
	return func(r *extract.Reference, _ bool) (Decision, bool) {
		return Decision{Ref: ref}, strings.Contains(string(r.Ref), "A")
	}
}

// A document, the new reference for those whose name contains "A", and what the document becomes. An
// empty want means that no reference may change; why is the reason of the first one.
func TestRewrite(t *testing.T) {
	tests := []struct{ name, src, ref, want, why string }{
		{"a.md", "# [x](A.md)\n\n[y](A.md#i) ![z](B.md)\n", "longer/b.md", "# [x](longer/b.md)\n\n[y](longer/b.md) ![z](B.md)\n", ""},
		{"a.md", "[x](A.md)", "a b.md", "", `"a b.md" cannot be written there without changing how something is read`},
		{"a.css", "a{b:url(A.png)}", "b\nc", "", `"b\nc" cannot be written there without changing how something is read`},
		{"a.md", "[x](B.md)\n\n# <http://h/A>\n\n[x](A.md)\n", "http://h/b", "[x](B.md)\n\n# <http://h/A>\n\n[x](http://h/b)\n", `"http://h/b" cannot be written there without changing how something is read`},
		{"a.md", "[x](A1.md) [y](B.md) [x](A2.md)\n\nx\n\n- [z](A3.md)\n", "<a b>.md", "", `"<a b>.md" cannot be written there without changing how something is read`},
		{"a.adoc", "link:A.html[x] <<B>>\n\n[[B]]\n== B\n", "b.html", "link:b.html[x] <<B>>\n\n[[B]]\n== B\n", ""},
		{"a.md", "[x](B.md)", "b.md", "", ""},
		{"a.md", "[![x](A.png)](A.md)", "b", "[![x](b)](b)", ""},
		{"a.md", "![x](A.png) [y](B.md)\n\n## C\n\n[z](D.md)\n", "b.png", "![x](b.png) [y](B.md)\n\n## C\n\n[z](D.md)\n", ""},
		{"a.html", "<a href='A.html'>", "it's", "<a href='it&#39;s'>", ""},
		{"a.html", "<a href='A.html'>", `b"c\`, `<a href='b"c\'>`, ""},
		{"a.atom", `<feed xmlns="http://www.w3.org/2005/Atom"><entry><content type="html"><![CDATA[<a href="A.html">x</a>]]></content></entry></feed>`, "b.html", "", elsewhere},
		{"a.html", "<a href='A\n.html'>", "b", "", "it is wrapped"},
		{"a.html", `<iframe srcdoc='<a href="A.html">'></iframe><a href=B>`, "b&c", `<iframe srcdoc='<a href="b&#38;amp;c">'></iframe><a href=B>`, ""},
		{"a.ipynb", `{"cells":[{"cell_type":"markdown","source":["[x](A.md \"t\")"]}]}`, "b.md", `{"cells":[{"cell_type":"markdown","source":["[x](b.md \"t\")"]}]}`, ""},
		{"a.ipynb", `{"cells":[{"cell_type":"markdown","source":["[x](A.md)"]}]}`, `b(.md`, `{"cells":[{"cell_type":"markdown","source":["[x](b\\(.md)"]}]}`, ""},
		{"a.ipynb", `{"cells":[{"cell_type":"markdown","source":["<a href='A.md'>x</a>"]}]}`, `b'c"d`, `{"cells":[{"cell_type":"markdown","source":["<a href='b&#39;c\"d'>x</a>"]}]}`, ""},
		{"a.org", "[[file:A.org]]", "https://h/b.org", "[[https://h/b.org]]", ""},
		{"a.org", "[[file:A.org][x]]", "b.org", "[[file:b.org][x]]", ""},
		{"a.org", "[x] [[file+emacs:A.org][x]]", "https://h/b.org", "[x] [[https://h/b.org][x]]", ""},
		{"a.org", "[[./A.org]]", "b.org", "[[./b.org]]", ""},
		{"a.org", "[[./A.org]]", "../b.org", "[[../b.org]]", ""},
		{"a.org", "[[./A.org]]", "/b.org", "[[/b.org]]", ""},
		{"a.org", "[[./A.org]]", "mailto:a@b.example", "[[mailto:a@b.example]]", ""},
		{"a.rst", "`x <A.html>`_\n\n.. raw:: html\n\n   <a href=\"A.html\">x</a>\n", "b.html", "`x <b.html>`_\n\n.. raw:: html\n\n   <a href=\"b.html\">x</a>\n", ""},
		{"a.html", utf16Text(`<a href="A.html">x</a>`, false), "bc.html", utf16Text(`<a href="bc.html">x</a>`, false), ""},
		{"a.html", utf16Text(`<a href="A.html">x</a>`, true), "\U0001F600.html", utf16Text(`<a href="`+"\U0001F600"+`.html">x</a>`, true), ""},
		{"a.html", "<meta charset=iso-8859-1><a href='A\xe4.html#x'>", "A\u00e4.html#y", "<meta charset=iso-8859-1><a href='A\xe4.html#y'>", ""},
		{"a.html", "<meta charset=iso-8859-1><a href=A.html>\xe4", "b", "<meta charset=iso-8859-1><a href=b>\xe4", ""},
	}
	for _, test := range tests {
		o := Rewriter{Decide: toRef(test.ref)}
		w := &Rewriting{File: File{Path: test.name, Old: []byte(test.src)}}
		o.Apply(w)
		if test.want != string(w.New) || w.Refused != "" {
			t.Errorf("%q to %q: %q, want %q; %s", test.src, test.ref, w.New, test.want, w.Refused)
		}
		n, why := 0, ""
		for _, c := range w.Changes {
			if c.Why == "" {
				n++
				if c.NewRaw == "" || c.NewRef == "" || c.Raw == c.NewRaw {
					t.Errorf("%+v", c)
				}
			} else if why == "" {
				why = c.Why
			}
		}
		if why != test.why || n != w.Edited() || (n > 0) != (test.want != "") {
			t.Errorf("%q to %q: %d of %d edited, %q, want %q", test.src, test.ref, w.Edited(), len(w.Changes), why, test.why)
		}
	}
}

// What a Decision says about one of two references at the same place, its URL and its reason.
func TestDecisions(t *testing.T) {
	apply := func(src string, decide func(r *extract.Reference, onlyASCII bool) (Decision, bool)) *Rewriting {
		w := &Rewriting{File: File{Path: "a.html", Old: []byte(src)}}
		o := Rewriter{Decide: decide}
		o.Config = func(string) extract.Config {
			c := extract.Config{Lines: true}
			c.Retrieved.URI = "https://h.example/d/a.html"
			return c
		}
		o.Apply(w)
		return w
	}
	w := apply("<a href=A>", func(*extract.Reference, bool) (Decision, bool) {
		return Decision{Ref: "b", Why: "not today"}, true
	})
	if w.New != nil || len(w.Changes) != 1 || w.Changes[0].Why != "not today" || w.Changes[0].URL != "https://h.example/d/A" {
		t.Errorf("%q %+v", w.New, w.Changes)
	}
	for url, want := range map[string]string{"https://h.example/d/b": "<a href=b>", "https://h.example/b": ""} {
		w := apply("<a href=A>", func(*extract.Reference, bool) (Decision, bool) { return Decision{Ref: "b", URL: url}, true })
		if string(w.New) != want {
			t.Errorf("%s: %q, want %q", url, w.New, want)
		}
		if want == "" && !strings.Contains(w.Changes[0].Why, "without changing how something is read") {
			t.Error(w.Changes[0].Why)
		}
	}
	// Those that cannot be written leave the others.
	n := 0
	w = apply("<a href=A1><img srcset='A2 1x'><a href=A3><a href=x>", func(r *extract.Reference, _ bool) (Decision, bool) {
		n++
		return Decision{Ref: "b c"}, strings.Contains(string(r.Ref), "A")
	})
	if want := "<a href=A1><img srcset='A2 1x'><a href=A3><a href=x>"; w.New != nil && string(w.New) == want || w.Edited() == 3 || n != 4 {
		t.Errorf("%q, %d", w.New, n)
	}
	for src, want := range map[string]bool{"<a href=A>": false, "<meta charset=iso-8859-1><a href=A>\xe4": true} {
		apply(src, func(_ *extract.Reference, onlyASCII bool) (Decision, bool) {
			if onlyASCII != want {
				t.Errorf("%q: only ASCII %v", src, onlyASCII)
			}
			return Decision{}, false
		})
	}
}

// Documents that are never edited say why.
func TestRefusedFormats(t *testing.T) {
	tests := []struct {
		name, src, want string
		onlyKnown       bool
	}{
		{"a.md", "[x](A.md)", "", true},
		{"README", "http://h/A", "", false},
		{"README", "http://h/A", unknownFormat, true},
		{"a.eml", "From: a\n\nhttp://h/A\n", "mail, archives and binary files are never edited: message/rfc822", false},
		{"a.zip", "PK\x03\x04", "mail, archives and binary files are never edited: application/zip", false},
		{"a.png", "\x89PNG\r\n\x1a\n", "mail, archives and binary files are never edited: application/octet-stream", false},
	}
	for _, test := range tests {
		w := &Rewriting{File: File{Path: test.name, Old: []byte(test.src)}}
		o := Rewriter{Decide: toRef("b"), OnlyKnown: test.onlyKnown}
		if o.Apply(w); w.Refused != test.want {
			t.Errorf("%s: %q, want %q", test.name, w.Refused, test.want)
		}
	}
	o := Rewriter{Decide: toRef("b")}
	o.Config = func(string) extract.Config { return extract.Config{Type: "text/x-unknown"} }
	w := &Rewriting{File: File{Path: "a", Old: []byte("http://h/A")}}
	if o.Apply(w); w.Refused != "no format that is edited: text/x-unknown" {
		t.Errorf("%q", w.Refused)
	}
}

// A rewriting is read from the disk under one name, and has its type from another.
func TestRewriteFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	must(t, os.WriteFile(name, []byte("<a href=A.html>"), 0o666))
	o := Rewriter{Decide: toRef("b.html")}
	w := o.Rewrite(name, "a.html")
	if w.Err != nil || w.Refused != "" || string(w.New) != "<a href=b.html>" {
		t.Errorf("%q %q %v", w.New, w.Refused, w.Err)
	}
	start, end, text, ok := w.Edit()
	if start != 8 || end != 14 || string(text) != "b.html" || !ok {
		t.Errorf("%d-%d %q %v", start, end, text, ok)
	}
	must(t, w.Write())
	if _, _, _, ok := new(File).Edit(); ok {
		t.Error("an edit of nothing")
	}
	if w := o.Rewrite(name+"2", "a.html"); w.Err == nil || w.New != nil {
		t.Error("a file that is not there is read")
	}
	if w := o.Rewrite(filepath.Dir(name), "a.html"); w.Refused != "not a regular file" {
		t.Error(w.Refused)
	}
	must(t, os.WriteFile(name+".gz", []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00"), 0o666))
	if w := o.Rewrite(name+".gz", "a.html"); w.Refused != "the file is compressed" {
		t.Errorf("%q %v", w.Refused, w.Err)
	}
}

// A file that is longer than the system says is not the one that was read.
func TestChangedSize(t *testing.T) {
	const name = "/proc/self/status"
	if info, err := os.Stat(name); err != nil || info.Size() != 0 {
		t.Skip("no such file here")
	}
	o := Rewriter{Decide: toRef("b.html")}
	if w := o.Rewrite(name, "a.html"); w.Refused != changed {
		t.Errorf("%q %v", w.Refused, w.Err)
	}
}

// The names in a diff are quoted as git does it.
func TestRenameInDiff(t *testing.T) {
	t.Chdir(t.TempDir())
	tests := []struct{ from, to, want string }{
		{"a.md", "d/b.md", "diff --git a/a.md b/d/b.md\nrename from a.md\nrename to d/b.md\n"},
		{"a b.md", "ä.md", "diff --git a/a b.md\t \"b/\\303\\244.md\"\nrename from a b.md\nrename to \"\\303\\244.md\"\n"},
		{"/x/a\x7f\n\"\\.md", "./~.md", "diff --git \"a/x/a\\177\\n\\\"\\\\.md\" b/~.md\nrename from \"x/a\\177\\n\\\"\\\\.md\"\nrename to ~.md\n"},
	}
	for _, test := range tests {
		if runtime.GOOS == "windows" && strings.Contains(test.from, `\`) {
			continue // it separates names there
		}
		if got := string(AppendRename(nil, test.from, test.to, false)); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
	f := &File{Path: "a.md", Old: []byte("x\n"), New: []byte("y\n")}
	f.RenameTo("d/b.md")
	if got, want := string(f.AppendDiff([]byte("> "), false)), "> --- a/a.md\n+++ b/d/b.md\n@@ -1,1 +1,1 @@\n-x\n+y\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
