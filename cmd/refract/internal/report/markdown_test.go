package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"example.org/refract/extract"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
)

// rendered returns the HTML of a Markdown report, with raw HTML as it is.
func rendered(t *testing.T, src []byte) string {
	t.Helper()
	var b bytes.Buffer
	m := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	if err := m.Convert(src, &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Text from documents is only in code, so it is no markup, link or mention.
func TestMarkdown(t *testing.T) {
	r := auditTree(t)
	r.SourceURL = "https://h.example/o/r/blob/main"
	out := written(t, r, "markdown")
	page := rendered(t, out)
	for rest := page; ; {
		_, after, ok := strings.Cut(rest, "<")
		if !ok {
			break
		}
		tag, more, _ := strings.Cut(after, ">")
		name, _, _ := strings.Cut(strings.TrimPrefix(tag, "/"), " ")
		switch name {
		case "!--", "h2", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "code", "ul", "li", "p":
		case "a":
			if !strings.HasPrefix(tag, `a href="https://h.example/o/r/blob/main/`) && tag != "/a" {
				t.Errorf("<%s>", tag)
			}
		default:
			t.Errorf("<%s>", tag)
		}
		rest = more
	}
	if n := strings.Count(page, "<a "); n < len(r.Findings) {
		t.Errorf("%d links of %d findings", n, len(r.Findings))
	}
	for _, want := range []string{"#L1\">1:5</a> <code>no such file: &quot;none.md&quot;</code> missing-file", "<details><summary><code>a b.md</code>", "note: <code>", "Could not be read: 1"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
}

// A report of many findings has less than 64 KiB, and says what it leaves out.
func TestMarkdownSize(t *testing.T) {
	for _, n := range []int{0, 1, 20, 21, 1000, 100000} {
		r := &Run{Report: &audit.Report{Findings: n, Documents: n, References: n, Checked: n, Reasons: map[audit.Reason]int{}}}
		for i := range n {
			name := fmt.Sprintf("dir/%d.md", i/7)
			r.Findings = append(r.Findings, &audit.Finding{File: name, Path: name, Rule: rule.MissingFile, Pos: extract.Position{Line: i + 1, Column: 1}, Message: strings.Repeat("`&<x> ", i%100)})
		}
		for i := range min(n, 1000) {
			name := fmt.Sprintf("unread/%d", i)
			r.Errors = append(r.Errors, audit.Failure{File: name, Err: fmt.Errorf("%q: %s", name, strings.Repeat("é", 400))})
			r.Notes = append(r.Notes, audit.Note{File: name, Text: strings.Repeat("no ", 200)})
		}
		out := written(t, r, "markdown")
		if len(out) > maxMarkdown {
			t.Errorf("%d findings: %d bytes", n, len(out))
		}
		shown := bytes.Count(out, []byte(" missing-file\n"))
		left := "Not shown here: " + CountOf(n-shown, "more finding") + ".\n"
		if shown < min(n, 100) || (shown < n) != strings.Contains(string(out), left) {
			t.Errorf("%d findings: %d are shown; no %q", n, shown, left)
		}
		if opened := bytes.Contains(out, []byte("<details open>")); opened != (n > 0 && n <= maxOpen) {
			t.Errorf("%d findings: open is %t", n, opened)
		}
	}
}

func TestSourceURL(t *testing.T) {
	for _, tt := range []struct{ url, file, path, want string }{
		{"", "a.md", "a.md", ""},
		{"https://h/o/r/blob/main", "docs/a.md", "docs/a.md", "https://h/o/r/blob/main/docs/a.md#L7"},
		{"https://h/o/r/blob/main/", "./a b(1)#?.md", "a", "https://h/o/r/blob/main/a%20b%281%29%23%3F.md#L7"},
		{"https://h/x?path={path}&line={line}", "d/a=b.md", "a", "https://h/x?path=d/a=b.md&line=7"},
		{"https://h/{path}#lines-{line}", "a.md", "a.md", "https://h/a.md#lines-7"},
		{"https://h", "../a.md", "../a.md", ""},
		{"https://h", "/a.md", "/a.md", ""},
		{"https://h", "standard input", "-", ""},
	} {
		r := Run{SourceURL: tt.url}
		if got := r.sourceURL(&audit.Finding{File: tt.file, Path: tt.path, Pos: extract.Position{Line: 7}}); got != tt.want {
			t.Errorf("%s of %s: %q, want %q", tt.file, tt.url, got, tt.want)
		}
	}
}

func TestCodeSpan(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"a", "<code>a</code>"},
		{"", "<code> </code>"},
		{"a`b``c", "<code>a`b``c</code>"},
		{"`", "<code>`</code>"},
		{" x ", "<code> x </code>"},
		{"@ann #12 <b> \\* &amp; $x$", "<code>@ann #12 &lt;b&gt; \\* &amp;amp; $x$</code>"},
		{"a\n\n- b", `<code>a\u{a}\u{a}- b</code>`},
	} {
		if got := rendered(t, []byte("- "+codeSpan(tt.text)+" x\n")); got != "<ul>\n<li>"+tt.want+" x</li>\n</ul>\n" {
			t.Errorf("%q: %s", tt.text, got)
		}
	}
}
