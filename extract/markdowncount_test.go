package extract

import (
	"bytes"
	"path"
	"regexp"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

var (
	countedTag   = regexp.MustCompile(`(?:^|[^\w.$:@-])(?:href|to|src)\s*=\s*(?:"([^"\n{}$]+)"|'([^'\n{}$]+)')`)
	countedFence = regexp.MustCompile("^[ \t>]*(?:[-*+][ \t]+|[0-9]+[.)][ \t]+)*(`{3,}|~{3,})(.*)")
	countedCode  = regexp.MustCompile("`[^`\n]*`|``[^\n]*?``|<!--.*?-->")
)

// countAttributes returns the lines of a document of Markdown in which href, to or src has a value, outside of code, comments,
// scripts and indented lines. It knows nothing of the scanner.
func countAttributes(src []byte) (lines []int) {
	fence, inside := "", ""
	for i, line := range strings.Split(string(src), "\n") {
		if inside != "" {
			if strings.Contains(line, inside) {
				inside = ""
			}
			continue
		}
		if m := countedFence.FindStringSubmatch(line); m != nil {
			switch {
			case fence == "":
				fence = m[1]
			case strings.HasPrefix(m[1], fence) && strings.TrimSpace(m[2]) == "":
				fence = ""
			}
			continue
		}
		if fence != "" || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") {
			continue
		}
		line = countedCode.ReplaceAllString(line, "")
		for open, end := range map[string]string{"<!--": "-->", "<script": "</script", "<style": "</style", "<pre": "</pre"} {
			if at := strings.Index(line, open); at >= 0 && !strings.Contains(line[at:], end) {
				line, inside = line[:at], end
			}
		}
		if countedTag.MatchString(line) {
			lines = append(lines, i+1)
		}
	}
	return lines
}

// TestAttributeCount compares the references in real documents of Markdown with an independent count of attributes.
func TestAttributeCount(t *testing.T) {
	counted, lost := 0, 0
	for name, src := range scantest.Files(t, "docs.tar.xz") {
		if path.Ext(name) != ".md" {
			continue
		}
		has := map[int]bool{}
		c := Config{Lines: true}
		for r, err := range c.Walk(name, bytes.NewReader(src)) {
			if err != nil {
				t.Fatal(name, err)
			}
			has[r.Pos.Line] = true
		}
		for _, line := range countAttributes(src) {
			if counted++; !has[line] {
				lost++
				t.Errorf("%s:%d has an attribute, and no reference", name, line)
			}
		}
	}
	const least = 100
	if counted < least {
		t.Errorf("%d attributes were counted, at least %d were expected", counted, least)
	}
	t.Logf("%d lines, %d lost", counted, lost)
}
