package markdown

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	render "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
	"golang.org/x/net/html"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// full is goldmark with all that this package leaves out.
var full = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote), goldmark.WithRendererOptions(render.WithUnsafe()))

// carriers are the elements whose href or src is a reference.
var carriers = map[string][]string{
	"href": strings.Fields("a area link image use"),
	"src":  strings.Fields("img script iframe frame embed source track audio video"),
}

// links renders src and returns the values of href and src attributes in what comes out,
// but for those that footnotes have among themselves.
func links(t testing.TB, src []byte) []string {
	var out bytes.Buffer
	if err := full.Convert(src, &out); err != nil {
		t.Fatal(err)
	}
	root, err := html.ParseWithOptions(&out, html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil // deeper than 512 elements
	}
	all := []string{}
	for n := range root.Descendants() {
		class := ""
		for _, a := range n.Attr {
			if a.Key == "class" {
				class = a.Val
			}
		}
		if strings.HasPrefix(class, "footnote-") {
			continue
		}
		for _, a := range n.Attr {
			if slices.Contains(carriers[a.Key], n.Data) {
				all = append(all, strings.TrimSpace(a.Val))
			}
		}
	}
	slices.Sort(all)
	return all
}

// asGoldmark returns a scanner that makes the bare links of goldmark.
func asGoldmark() *Scanner { return &Scanner{Dialect: Dialect{Bare: BareGoldmark}} }

// rewrite writes another destination over every range that is reported of src, and
// returns what each stood for, as goldmark puts it out, and which stand bare behind a
// bracket that is open.
func rewrite(src []byte) (out []byte, were []string, behind map[int]bool) {
	behind = make(map[int]bool)
	at := 0
	for it := range asGoldmark().Scan(src) {
		if it.Op != scan.Ref || it.Span.Start == it.Span.End || it.In == "front matter" {
			continue
		}
		element, attr, _ := strings.Cut(it.In, "/")
		if it.How == scan.Attribute && !slices.Contains(carriers[attr], element) || it.How == scan.CSS {
			continue
		}
		to := target(len(were))
		if it.How == scan.Bare { // nothing that what follows could go on from
			format := "http://r%d.refract.example"
			switch it.Meant {
			case "mailto:":
				format = "r%d@refract.example"
			case "http://":
				format = "www.r%d.refract.example"
			}
			to = fmt.Sprintf(format, len(were))
		}
		out = append(append(out, src[at:it.Span.Start]...), to...)
		at = it.Span.End
		was := it.Meant + string(it.Value)
		if it.How != scan.Attribute {
			was = string(util.URLEscape([]byte(was), false))
		}
		if slices.Contains(it.Labels.Names(), "unused") {
			was = ""
		}
		if it.How == scan.Bare {
			line := src[bytes.LastIndexByte(src[:it.Span.Start], '\n')+1 : it.Span.Start]
			behind[len(were)] = bytes.Count(line, []byte{'['}) > bytes.Count(line, []byte{']'})
		}
		were = append(were, was)
	}
	return append(out, src[at:]...), were, behind
}

var ours = regexp.MustCompile(`^(?:http://r|http://www\.r|mailto:r|http://refract\.example/)(\d+)(?:@refract\.example|\.refract\.example)?$`)

func target(n int) string { return fmt.Sprintf("http://refract.example/%d", n) }

// proof compares what is found in src with what goldmark makes of it: each reported
// range is a link, what it stands for is where that leads, and there is no other.
func proof(t testing.TB, src []byte) (difference string) {
	body := src[(&Scanner{src: src}).frontMatter():]
	before := links(t, body)
	text, were, behind := rewrite(body)
	after := links(t, text)
	if before == nil || after == nil {
		return ""
	}
	var want []string
	seen := make(map[int]bool)
	for _, url := range after {
		n := -1
		if m := ours.FindStringSubmatch(url); m != nil {
			n, _ = strconv.Atoi(m[1])
		}
		if n < 0 || n >= len(were) {
			if url != "" {
				return fmt.Sprintf("%q was missed", url)
			}
			want = append(want, url)
			continue
		}
		seen[n] = true
		want = append(want, were[n])
	}
	for n, was := range were {
		// goldmark makes no bare links behind a bracket that is open; GitHub does.
		if was != "" && !seen[n] && !behind[n] {
			return fmt.Sprintf("%q is no link", was)
		}
	}
	slices.Sort(want)
	if !slices.Equal(before, want) {
		for i := range min(len(before), len(want)) {
			if before[i] != want[i] {
				return fmt.Sprintf("found %q, goldmark has %q", want[i], before[i])
			}
		}
		return fmt.Sprintf("%d links, goldmark has %d", len(want), len(before))
	}
	return ""
}

// simplified returns why src is scanned in a simpler way, "" if it is not.
func simplified(src []byte) string {
	for it := range asGoldmark().Scan(src) {
		if it.Code == scan.CodeSimplified {
			return it.Text
		}
	}
	return ""
}

func TestSharedDocs(t *testing.T) {
	files, size := scantest.Corpus(t, "docs.tar.xz", ".md", ".markdown")
	simple, different := 0, 0
	for _, src := range files {
		if why := simplified(src); why != "" {
			simple++
			t.Logf("%d bytes: %s", len(src), why)
			continue
		}
		if d := proof(t, src); d != "" {
			different++
			t.Errorf("%.80q: %s", src, d)
		}
	}
	t.Logf("%d files, %d bytes, %d in the simpler way, %d different", len(files), size, simple, different)
}
