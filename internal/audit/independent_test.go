package audit

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.org/refract/extract"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/input"
	"example.org/refract/internal/testing/scantest"
)

// An independent count: what looks like the destination of a link in a document, found by expressions that share nothing with the
// scanners. It is neither complete nor right: code in indented blocks and text in raw blocks are not recognised.
var (
	looseInline    = regexp.MustCompile(`\]\(\s*(?:<([^<>\n]+)>|([^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)?))\s*(?:["'(][^\n]*)?\)`)
	looseLabel     = regexp.MustCompile(`^ {0,3}\[[^\]^\n][^\]\n]*\]:\s+(?:<([^<>\n]+)>|([^\s<>]+))\s*(?:["'(].*)?$`)
	looseTag       = regexp.MustCompile(`<[A-Za-z][\w.:-]*(?:\s+[^<>\s"'{]+(?:=(?:"[^"]*"|'[^']*'|\{[^{}]*\}))?)*\s*/?>`)
	looseAttribute = regexp.MustCompile(`\s(?:href|src|to)=(?:"([^"{}]+)"|'([^'{}]+)')`)
	looseRST       = regexp.MustCompile("`[^`<>\n]+\\s<([^<>`\\s]+)>`__?")
	looseTarget    = regexp.MustCompile(`^\s*\.\. _[^:\n]+:\s+(\S+)\s*$`)
	looseDirective = regexp.MustCompile(`^\s*\.\. (?:\|[^|\n]+\| )?(?:image|figure|include|literalinclude)::\s+(\S+)\s*$`)
	looseMacro     = regexp.MustCompile(`(?:^|[\s(])(?:link:|xref:|image::?|include::)([^\[\]\s:{}][^\[\]\s{}]*)\[`)
	looseSpan      = regexp.MustCompile("(`+)[^`\n](?:[^`\n]|\\b`\\b)*?(`+)")
)

// looseCount returns how often each destination is in a text.
func looseCount(name string, text []byte) map[string]int {
	count := map[string]int{}
	add := func(re *regexp.Regexp, line string) {
		for _, m := range re.FindAllStringSubmatch(line, -1) {
			if raw := strings.TrimSpace(html.UnescapeString(strings.Join(m[1:], ""))); raw != "" {
				count[raw]++
			}
		}
	}
	text = regexp.MustCompile(`(?s)<!--.*?-->`).ReplaceAll(text, nil)
	switch ext := path.Ext(name); ext {
	case ".md", ".mdx", ".markdown":
		var code doc.Fence
		var rest strings.Builder
		for line := range bytes.Lines(text) {
			if fenced, _ := code.Next(line); fenced || bytes.HasPrefix(line, []byte("    ")) || bytes.HasPrefix(line, []byte("\t")) {
				continue
			}
			s := looseSpan.ReplaceAllString(string(line), "")
			add(looseInline, s)
			add(looseLabel, s)
			rest.WriteString(s)
		}
		for _, tag := range looseTag.FindAllString(rest.String(), -1) {
			add(looseAttribute, tag)
		}
	case ".html", ".htm":
		text = regexp.MustCompile(`(?is)<(script|style|textarea|pre)\b.*?</(?:script|style|textarea|pre)>`).ReplaceAll(text, nil)
		for _, tag := range looseTag.FindAll(text, -1) {
			add(looseAttribute, string(tag))
		}
	case ".rst":
		for line := range bytes.Lines(text) {
			add(looseTarget, string(line))
			add(looseDirective, string(line))
			add(looseRST, string(line))
		}
	case ".adoc", ".asciidoc":
		for line := range bytes.Lines(text) {
			if !bytes.HasPrefix(line, []byte("//")) {
				add(looseMacro, string(line))
			}
		}
	}
	return count
}

// uncounted audits a directory, and returns what the independent count has and the audit does not, by document and destination.
func uncounted(t *testing.T, dir string) (lacking []string, all int) {
	t.Helper()
	a, err := newAuditor(context.Background(), Options{Dir: dir, Jobs: 2}, func(*Finding) {})
	must(t, err)
	var mu sync.Mutex
	ours := map[string]map[string]int{}
	a.OnReference = func(d *doc.Document, r *extract.Reference, _ []byte) {
		mu.Lock()
		defer mu.Unlock()
		if ours[d.Path] == nil {
			ours[d.Path] = map[string]int{}
		}
		ours[d.Path][string(r.Ref)]++
		if string(r.Raw) != string(r.Ref) {
			ours[d.Path][string(r.Raw)]++
		}
	}
	_, err = a.run()
	must(t, err)
	for _, d := range a.Docs {
		if d.Err != nil {
			continue
		}
		text, err := os.ReadFile(d.Path)
		if err != nil {
			continue
		}
		loose := looseCount(d.Path, text)
		for _, raw := range slices.Sorted(maps.Keys(loose)) {
			all += loose[raw]
			if n := loose[raw] - ours[d.Path][raw]; n > 0 {
				lacking = append(lacking, fmt.Sprintf("%s\t%s\t%d\n", d.Name, raw, n))
			}
		}
	}
	return lacking, all
}

// What the corpus has by the independent count, and the audit has not: destination and reason.
var independent = map[string]string{
	"child.html": "an attribute of an element of Electron, <webview>",
	"https://github.com/rust-lang/meeting-minutes/blob/master/workweek-2014-08-18/versioning.md)": "no definition by CommonMark: the bracket has no partner",
	"http://leaf.dragonflybsd.org/cgi/web-man?command=open§ion=2":                                 "&section is no entity without a semicolon in CommonMark: the count is wrong",
	"https://kotlinlang.org/api/latest/jvm/stdlib/kotlin/lazy.html#kotlin$lazy":                   "brackets in two levels: the count is wrong",
	"#prior-art": "the second definition of a label",
}

// TestIndependent compares the references that an audit reads with an independent count, for 52,549 destinations. Those of 17
// trees of others are in testdata/independent.tsv; REFRACT_TREES=PATTERN prints what differs in the directories that match.
func TestIndependent(t *testing.T) {
	scantest.Long(t, "reads the corpus of documents")
	if pattern := os.Getenv("REFRACT_TREES"); pattern != "" {
		dirs, err := filepath.Glob(pattern)
		must(t, err)
		for _, dir := range dirs {
			lacking, all := uncounted(t, dir)
			fmt.Printf("%s: %d destinations\n%s", dir, all, strings.Join(lacking, ""))
		}
		return
	}
	r, err := input.Open(scantest.Shared(t, "corpus/docs.tar.xz"))
	must(t, err)
	defer r.Close()
	lacking, all := uncounted(t, untar(t, r))
	if all < 50_000 {
		t.Errorf("%d destinations", all)
	}
	for _, l := range lacking {
		if f := strings.Split(l, "\t"); independent[f[1]] == "" {
			t.Errorf("not read: %s", l)
		}
	}
	if len(lacking) != len(independent) {
		t.Errorf("%q", lacking)
	}
}
