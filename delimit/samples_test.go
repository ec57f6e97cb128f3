package delimit

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The samples checked by hand, testdata/samples/*.tsv, a file for each kind of text with three samples, or four: where the excerpt is enough,
// the reference that ⟦⟧ mark is found in it. Of those whose extent can be checked, 99 in 100 are right in each sample, but for the fourth of
// mail and of manual pages, 98.7 and 98.99; a "template" is a URL that a program puts together.
func TestSamples(t *testing.T) {
	files, err := filepath.Glob("testdata/samples/*.tsv")
	if err != nil || len(files) != 15 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		samples := map[string]*struct{ right, wrong, again int }{}
		for line := range strings.Lines(string(src)) {
			if line[0] == '#' || strings.HasPrefix(line, "sample\t") {
				continue
			}
			row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if len(row) != 6 {
				t.Fatalf("%s: %q", file, line)
			}
			n := samples[row[0]]
			if n == nil {
				n = new(struct{ right, wrong, again int })
				samples[row[0]] = n
			}
			switch row[3] {
			case "right":
				n.right++
			case "wrong":
				n.wrong++
			}
			if row[4] != "yes" {
				continue
			}
			n.again++
			excerpt, err := strconv.Unquote(`"` + row[2] + `"`)
			if err != nil {
				t.Fatalf("%s: %q: %v", file, row[2], err)
			}
			if !findsMarked(excerpt, Rules{}) {
				t.Errorf("%s: %s: %s is not found", file, row[1], row[2])
			}
		}
		for name, n := range samples {
			least := 100
			if name == "4" && (strings.HasSuffix(file, "mail.tsv") || strings.HasSuffix(file, "roff.tsv")) {
				least = 70 // 4 of 299 and 3 of 296
			}
			if n.wrong*least > n.right+n.wrong || n.right < 100 || n.again < 100 || len(samples) < 3 {
				t.Errorf("%s, sample %s of %d: %d right, %d wrong, %d in their excerpts", file, name, len(samples), n.right, n.wrong, n.again)
			}
		}
	}
}

// What --also domains adds, checked by hand, testdata/domains.tsv: 95 in 100 of each kind of text are right.
func TestDomainSamples(t *testing.T) {
	src, err := os.ReadFile("testdata/domains.tsv")
	if err != nil {
		t.Fatal(err)
	}
	right, wrong := map[string]int{}, map[string]int{}
	for _, line := range strings.Split(strings.TrimSuffix(string(src), "\n"), "\n") {
		if line[0] == '#' || strings.HasPrefix(line, "kind\t") {
			continue
		}
		row := strings.Split(line, "\t")
		if len(row) != 6 {
			t.Fatalf("%q", line)
		}
		excerpt, err := strconv.Unquote(`"` + row[2] + `"`)
		if err != nil {
			t.Fatalf("%q: %v", row[2], err)
		}
		switch row[3] {
		case "right":
			right[row[0]]++
		case "wrong":
			wrong[row[0]]++
		}
		if row[4] != "" && findsMarked(excerpt, Rules{Domains: DomainsAll}) != (row[4] == "yes") {
			t.Errorf("%s: found: %v", row[2], row[4] != "yes")
		}
	}
	for _, kind := range []string{"mail", "chat", "docs", "go", "python", "changelogs"} {
		if right[kind] < 35 || wrong[kind]*20 > right[kind]+wrong[kind] {
			t.Errorf("%s: %d right, %d wrong", kind, right[kind], wrong[kind])
		}
	}
}

// findsMarked reports whether rules find the reference that the first ⟦ and the last ⟧ mark in
// excerpt.
func findsMarked(excerpt string, rules Rules) bool {
	start := strings.Index(excerpt, "⟦")
	before, rest := excerpt[:start], excerpt[start+len("⟦"):]
	end := strings.LastIndex(rest, "⟧")
	text := before + rest[:end] + rest[end+len("⟧"):]
	for s := range (&Finder{Rules: rules}).All([]byte(text)) {
		if s.Start == start && s.End == start+end {
			return true
		}
	}
	return false
}
