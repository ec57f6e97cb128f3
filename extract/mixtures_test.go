package extract

import (
	"bytes"
	"encoding/json"
	"html"
	"math/rand/v2"
	neturl "net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// A mixer makes documents of pieces of a language, and knows what its own program links to.
type mixer struct {
	name    string
	media   string   // the type for refract
	program []string // reads documents, and writes what it makes of them as HTML: both a JSON string in each line
	one     bool     // program reads one document, and writes one
	pieces  []string // "%d" stands for a number of its own; each piece has the same chance
	joints  []string // between two pieces
	classes []class
}

// A class is an accepted difference: a URL that is lost ("-http://…") or extra ("+http://…"), in documents of some form.
type class struct {
	why      string
	src, url *regexp.Regexp
}

func classOf(why, src, url string) class {
	return class{why, regexp.MustCompile(src), regexp.MustCompile(url)}
}

// TestMixtures compares the references of seeded mixtures with those of the programs of four languages. REFRACT_MIXTURES is the number
// of mixtures for each, and REFRACT_SEED begins others.
func TestMixtures(t *testing.T) {
	scantest.Long(t, "asks other programs")
	n, err := strconv.Atoi(os.Getenv("REFRACT_MIXTURES"))
	if err != nil {
		n = 1000
	}
	seed, _ := strconv.ParseUint(os.Getenv("REFRACT_SEED"), 10, 64)
	for i := range mixers {
		m := &mixers[i]
		t.Run(m.name, func(t *testing.T) { m.compare(t, n, seed) })
	}
}

func (m *mixer) compare(t *testing.T, n int, seed uint64) {
	if _, err := exec.LookPath(m.program[0]); err != nil {
		t.Skip(err)
	}
	var sources []string
	for i := range n {
		sources = append(sources, m.mix(rand.New(rand.NewPCG(seed, uint64(i)))))
	}
	pages := m.render(t, sources)
	accepted := map[string]int{}
	differing := 0
	for i, src := range sources {
		want := linksOf(pages[i])
		all, shown := m.found(t, src)
		lost := slices.DeleteFunc(slices.Clone(want), func(url string) bool { return slices.Contains(all, url) })
		extra := slices.DeleteFunc(slices.Clone(shown), func(url string) bool { return slices.Contains(want, url) })
		var other []string
		for k, url := range append(lost, extra...) {
			sign := "+"
			if k < len(lost) {
				sign = "-"
			}
			if k := slices.IndexFunc(m.classes, func(c class) bool { return c.src.MatchString(src) && c.url.MatchString(sign+url) }); k >= 0 {
				accepted[m.classes[k].why]++
			} else {
				other = append(other, sign+url)
			}
		}
		if len(other) == 0 {
			continue
		}
		if differing++; differing <= 10 {
			t.Errorf("%d: %q: %q", i, src, other)
		}
	}
	t.Logf("%d mixtures, %d differ; accepted: %v", n, differing, accepted)
}

// mix returns a document of some pieces.
func (m *mixer) mix(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("x\n\n") // there is no title of the document
	for i := range 2 + r.IntN(6) {
		if i > 0 {
			b.WriteString(m.joints[r.IntN(len(m.joints))])
		}
		b.WriteString(strings.ReplaceAll(m.pieces[r.IntN(len(m.pieces))], "%d", strconv.Itoa(i)))
	}
	b.WriteByte('\n')
	return b.String()
}

// render returns what the program makes of documents.
func (m *mixer) render(t *testing.T, sources []string) (pages []string) {
	if m.one {
		for _, src := range sources {
			c := exec.CommandContext(t.Context(), m.program[0], m.program[1:]...)
			c.Stdin = strings.NewReader(src)
			out, err := c.Output()
			if err != nil {
				t.Fatalf("%q: %v", src, err)
			}
			pages = append(pages, string(out))
		}
		return pages
	}
	var in bytes.Buffer
	e := json.NewEncoder(&in)
	e.SetEscapeHTML(false)
	for _, src := range sources {
		if err := e.Encode(src); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.CommandContext(t.Context(), m.program[0], m.program[1:]...)
	c.Stdin = &in
	out, err := c.Output()
	if err != nil {
		if e, ok := err.(*exec.ExitError); ok && bytes.Contains(e.Stderr, []byte("refract: missing")) {
			t.Skipf("%s", e.Stderr)
		}
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range bytes.Lines(out) {
		var page string
		if err := json.Unmarshal(line, &page); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		pages = append(pages, page)
	}
	if len(pages) != len(sources) {
		t.Fatalf("%d pages of %d documents", len(pages), len(sources))
	}
	return pages
}

var mixedLink = regexp.MustCompile(`<(?:a|img|object|audio|video)\b[^>]*? (?:href|src|data)="([^"]*)"`)

// linksOf returns the marked URLs to which a page links.
func linksOf(page string) (urls []string) {
	for _, m := range mixedLink.FindAllStringSubmatch(page, -1) {
		if url := comparable(html.UnescapeString(m[1])); isMarked(url) {
			urls = append(urls, url)
		}
	}
	return urls
}

// isMarked reports whether a URL is one of the pieces: it has "u" and the number.
func isMarked(url string) bool { return mark.MatchString(url) }

var mark = regexp.MustCompile(`u\d`)

// comparable removes what programs write differently.
func comparable(url string) string {
	if plain, err := neturl.PathUnescape(url); err == nil {
		url = plain
	}
	url = strings.TrimPrefix(strings.TrimPrefix(url, "mailto:"), "file://")
	return strings.TrimPrefix(url, "./")
}

// found returns all marked references of a document, and those that are more than definitions.
func (m *mixer) found(t *testing.T, src string) (all, shown []string) {
	c := Config{Type: m.media, Names: true}
	for r, err := range c.Walk("x", strings.NewReader(src)) {
		if err != nil {
			t.Fatal(err)
		}
		url := string(r.URL)
		if url == "" {
			url = string(r.Ref)
		}
		if url = comparable(url); !isMarked(url) {
			continue
		}
		all = append(all, url)
		if r.Kind != scan.Definition && r.Labels&scan.Unused == 0 {
			shown = append(shown, url)
		}
	}
	return all, shown
}

// Programs that write HTML for each document of the input.
const (
	ofDocutils = `
import json, sys
try:
    from docutils.core import publish_parts
except ImportError:
    sys.exit("refract: missing docutils")
options = dict(report_level=5, halt_level=5, file_insertion_enabled=False, raw_enabled=False, _disable_config=True, embed_images=False)
for line in sys.stdin:
    print(json.dumps(publish_parts(json.loads(line), writer_name="html5", settings_overrides=options)["body"]))
`
	ofAsciidoctor = `
require "json"
begin
  require "asciidoctor"
rescue LoadError
  abort "refract: missing asciidoctor"
end
Asciidoctor::LoggerManager.logger.level = :fatal
$stdin.each_line { |l| puts JSON.generate(Asciidoctor.convert(JSON.parse(l), safe: :secure)) }
`
	ofOrg = `(progn (require 'ox-html) (require 'json)
  (setq org-export-with-broken-links t org-export-use-babel nil org-html-htmlize-output-type nil org-confirm-babel-evaluate t)
  (let ((line t))
    (while (setq line (ignore-errors (read-from-minibuffer "")))
      (let* ((src (json-read-from-string line))
             (out (condition-case nil (org-export-string-as src 'html t) (error ""))))
        (princ (json-encode-string (substring-no-properties out))) (princ "\n")))))`
)

var mixers = []mixer{
	{
		name: "Markdown", media: "text/markdown", one: true,
		program: []string{"cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", "-e", "strikethrough", "-e", "footnotes"},
		joints:  []string{"", "", " ", " ", "\n", "\n\n"},
		pieces: []string{"[a](u%d)", "[[a]](u%d)", "![p](u%d)", "![[p]](u%d)", "[a [b](u%d) c](u1%d)", "[a][r%d]", "\n\n[r%d]: u%d\n\n", "[r%d]", "<http://h.example/u%d>", "http://h.example/u%d",
			"www.h.example/u%d", "u%d@h.example", "[a](<u%d b>)", "[a](u%d 'b')", "`", "``", "*", "_", "[", "]", "(", ")", "\\", "<", ">", "> ", "- ", "    ", "# ", "|", "a", "1", "&amp;", "~~", "!", "\n```\n", ".", ",", "\"", "'"},
		classes: []class{
			classOf("a URL behind an open bracket is found", `\[[\s\S]*(?:http://|www\.)`, `^\+http://(?:www\.)?h\.example/u\d`),
			classOf("an address in a URL behind an open bracket is part of the URL", `\[[\s\S]*http://\S*@`, `^-\S+@`),
			classOf("a link, code, a bracket or a final backslash ends a URL", "(?:http://|www\\.)\\S*[`\\[\\]\\\\]", "^-http://.*[`\\[\\]\\\\]|^\\+"),
		},
	},
	{
		name: "reStructuredText", media: "text/x-rst", program: []string{"python3", "-c", ofDocutils},
		joints: []string{"", " ", " ", "\n", "\n\n"},
		pieces: []string{"`a <u%d>`_", "`a <u%d>`__", "\n\n.. _r%d: u%d\n\n", "r%d_", "`r%d`_", "http://h.example/u%d", "<http://h.example/u%d>", "u%d@h.example", "\n\n.. image:: u%d\n\n", "\n\n.. |s%d| image:: u%d\n\n", "|s%d|",
			"*", "**", "``", "`", "\\", "_", ":", "::", "   ", "- ", "(", ")", "<", ">", "\n\n.. ", "a", ".", ",", "\"", "'"},
		classes: []class{
			classOf("a substitution counts where it is defined", `\|s\d\| image:: u\d`, `^\+u\d`),
			classOf("an image whose directive has content is an error of docutils", `image:: u\d\n\s*\n +\S`, `^\+`),
			classOf("a literal block needs no blank line before it", `::\n +`, `^-`),
			classOf("an address whose first letter is escaped is none", `\\u\d@`, `^-.*u\d@`),
			classOf("a URL behind a letter and a colon, which docutils takes for a scheme, is found", `\wa?:http://`, `^\+http`),
			classOf("a bar ends a URL, and begins an address", `http://\S*\|s\d\|u\d@`, `@`),
			classOf("a bar or backquote behind an address", "@h\\.example[|`]", `^\+u\d@h`),
		},
	},
	{
		name: "AsciiDoc", media: "text/asciidoc", program: []string{"ruby", "-e", ofAsciidoctor},
		joints: []string{"", " ", " ", "\n", "\n\n"},
		pieces: []string{"link:u%d[a]", "http://h.example/u%d", "http://h.example/u%d[a]", "<http://h.example/u%d>", "\n\nimage::u%d[]\n\n", "image:u%d[]", "mailto:u%d@h.org[b]", "u%d@h.org", "link:++u%d++[b]", "image:u%d[link=u1%d]",
			"*", "_", "`", "+", "++", "[", "]", "\\", "|", "\n----\n", "* ", "\n\n== ", "{", "}", "'", "\"", "#", "^", "~", "(", ")", "<", ">", "a", ".", ",", ";", ":", "//", " +\n"},
		classes: []class{
			classOf("a title that no block follows is shown nowhere", `(?m)^\.\.?[^\s.].*\n*\z`, `^\+`),
			classOf("a comment or a list of attributes in a quote is read", `(?m)^> (?://|\[)`, `^\+`),
			classOf("lines behind one that a space begins are read as text", `(?m)^(?:>\s)? +\+\n`, `^\+`),
			classOf("a URL ends before \">\"", `u\d[^\s<]*>`, `^-.*>|^\+`),
			classOf("an address behind a macro or a mark is found", `[\]>:/*#\x60]u\d@`, `^\+u\d@`),
			classOf("an address reaches into the macro behind it", `@h\.org(?:image|link|mailto)`, `u\d@h`),
			classOf("plus signs that may be pairs", `\+[\s\S]*\+`, `^[-+](?:u|http)`),
			classOf("a URL behind a macro, or behind a bar that makes no cell", `[|\]]\S*http://`, `^\+http`),
			classOf("a URL, an address or a macro without a blank before it", `(?:h\.org|u\d\W?)(?:u\d|link:)|@h\.org\S*image:`, `u\d`),
			classOf("a comma or a circumflex at the end of a URL", `u\d[,;]`, `^-http`),
			classOf("an address behind a mark that nothing closes", "[`*_#]u\\d@", `^-u\d@`),
			classOf("a URL with the marks of quotes behind it", "u\\d[\"'`*_#~^]+", `^[-+]http`),
			classOf("a URL behind a mark that nothing closes", `[*_#~^\x60]http://`, `^\+http`),
		},
	},
	{
		name: "Org", media: "text/org", program: []string{"emacs", "-Q", "--batch", "--eval", ofOrg},
		joints: []string{"", " ", " ", "\n", "\n\n"},
		pieces: []string{"[[./u%d]]", "[[./u%d][a]]", "[[http://h.example/u%d][a]]", "http://h.example/u%d", "<http://h.example/u%d>", "[[file:u%d.txt]]", "file:u%d.txt", "[[mailto:u%d@h.org]]", "mailto:u%d@h.org", "\n#+LINK: l%d http://h.example/u%d/\n", "[[l%d:x]]",
			"=", "~", "*", "/", "_", "+", "\n#+begin_src c\n", "\n#+end_src\n", "\n# ", "\n: ", "- ", "\n* ", "|", "[", "]", "a", "\\", "{", "}", "$", "<", ">", "(", ")", ".", ",", "\"", "'"},
		classes: []class{
			classOf("a bare URL ends in punctuation as in other text", `u\d\S*[[:punct:]]`, `^-|^\+.*(?:[[:punct:]]|\.txt)$`),
			classOf("a link in angle brackets that hold another one is found", `<mailto:[^>]* <http`, `^\+`),
			classOf("an entity before a link", `\\[a-z_]+:`, `^\+`),
			classOf("a link behind \"$\" or an apostrophe", `['$](?:http|file|mailto):`, `^\+`),
			classOf("a link within a word", `\w(?:http|file|mailto):`, `u\d`),
		},
	},
}
