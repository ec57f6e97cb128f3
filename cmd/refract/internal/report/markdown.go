package report

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"io"
	"iter"
	"maps"
	"net/url"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"example.org/refract/cmd/refract/internal/webpage"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/order"
)

const (
	// maxMarkdown limits the size in bytes of a Markdown report. GitHub and Gitea take comments and
	// issues of 65,536 characters, and a job summary of GitHub may have 1 MiB.
	maxMarkdown = 60 << 10

	// maxTail is reserved for what follows the findings.
	maxTail = 12 << 10

	// maxOpen is the number of findings up to which they are not folded.
	maxOpen = 20

	// maxText limits the bytes of one message or name.
	maxText = 300
)

// Marker is the first line of a Markdown report. A bot that updates its comment finds it by this line.
const Marker = "<!-- refract audit -->"

// Markdown writes a report for a job summary, a comment or an issue: GitHub Flavored Markdown of less than 64 KiB. It
// leaves out what would exceed that, and says so. All text from documents is in code spans, in which nothing
// is a link, a mention of a person, or markup.
func (r *Run) Markdown(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n## Links: %s\n\n", Marker, r.headline())
	r.markdownTotals(&b)
	r.markdownFindings(&b)
	tail := min(b.Len()+maxTail, maxMarkdown)
	r.markdownProblems(&b, tail)
	r.markdownReasons(&b, tail)
	_, err := w.Write(b.Bytes())
	return err
}

// headline says what was found.
func (r *Run) headline() string {
	if r.Report.Findings == 0 && len(r.Errors) == 0 {
		return "nothing is broken"
	}
	text := CountOf(r.Report.Findings, "finding")
	if n := r.Report.NoteFindings; n > 0 {
		text += fmt.Sprintf(" (%s)", CountOf(n, "note"))
	}
	if n := len(r.Errors); n > 0 {
		text += fmt.Sprintf(", %s not read", CountOf(n, "input"))
	}
	return text
}

// markdownTotals writes a table of what was read, and how much of that would be reported, or of crawls, how much exists.
func (r *Run) markdownTotals(b *bytes.Buffer) {
	if p := r.Pages; p != nil {
		b.WriteString("| pages and style sheets | incomplete | needed resources | of these here | findings |\n|---:|---:|---:|---:|---:|\n")
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", webpage.Number(p.N), webpage.Number(p.Incomplete), webpage.Number(p.Needed), webpage.Number(p.Here), webpage.Number(r.Report.Findings))
		return
	}
	all, blind := r.InternalLinks(), r.Blind()
	reach := "none"
	if all > 0 {
		// Rounded down: 99.97 % is not all.
		reach = fmt.Sprintf("%s of %s (%.1f %%)", webpage.Number(all-blind), webpage.Number(all), float64(1000*(all-blind)/all)/10)
	}
	b.WriteString("| documents | internal links | reported if broken | findings |\n|---:|---:|---:|---:|\n")
	fmt.Fprintf(b, "| %s | %s | %s | %s |\n", webpage.Number(r.Documents), webpage.Number(all), reach, webpage.Number(r.Report.Findings))
}

// markdownFindings writes the findings by document, as many as have room.
func (r *Run) markdownFindings(b *bytes.Buffer) {
	open := ""
	if r.Report.Findings <= maxOpen {
		open = " open"
	}
	room := maxMarkdown - maxTail
	written := 0
	for g := range byDocument(r.all()) {
		var items bytes.Buffer
		n := 0
		for _, f := range g.first {
			item := r.markdownItem(f)
			if b.Len()+items.Len()+len(item)+2*maxText > room {
				break
			}
			items.WriteString(item)
			n++
		}
		if n == 0 {
			break
		}
		fmt.Fprintf(b, "\n<details%s><summary><code>%s</code>: %s</summary>\n\n%s\n</details>\n",
			open, html.EscapeString(short(g.file)), CountOf(g.n, "finding"), items.String())
		written += n
		if n < g.n {
			break
		}
	}
	if left := r.Report.Findings - written; left > 0 {
		fmt.Fprintf(b, "\nNot shown here: %s.\n", CountOf(left, "more finding"))
	}
}

// A documentGroup has n successive findings about one document.
type documentGroup struct {
	file  string
	first []*audit.Finding // at most maxGroup
	n     int
}

// maxGroup is more than the findings that have room in a report.
const maxGroup = maxMarkdown / 32

// byDocument groups successive findings about the same document.
func byDocument(findings iter.Seq[*audit.Finding]) iter.Seq[*documentGroup] {
	return func(yield func(*documentGroup) bool) {
		var g documentGroup
		for f := range findings {
			if g.n > 0 && g.file != f.File {
				if !yield(&g) {
					return
				}
				g = documentGroup{}
			}
			g.file = f.File
			if g.n++; g.n <= maxGroup {
				g.first = append(g.first, f)
			}
		}
		if g.n > 0 {
			yield(&g)
		}
	}
}

// markdownItem returns a finding as an item of a list.
func (r *Run) markdownItem(f *audit.Finding) string {
	place := fmt.Sprintf("%d:%d", f.Pos.Line, f.Pos.Column)
	switch {
	case r.Pages != nil:
		place = strconv.FormatInt(f.Pos.Offset, 10)
	case f.Pos.Line < 1:
		place = "1"
	}
	if link := r.sourceURL(f); link != "" {
		place = fmt.Sprintf("[%s](<%s>)", place, link)
	}
	note := ""
	if f.Level() == rule.LevelNote {
		note = "note: "
	}
	return fmt.Sprintf("- %s %s%s %s\n", place, note, codeSpan(f.Text()), f.Rule)
}

// sourceURL returns the URL of the line of a finding, or "" if that is not known: without r.SourceURL, for a record, or
// for a document outside of the working directory.
func (r *Run) sourceURL(f *audit.Finding) string {
	name := path.Clean(f.File)
	if r.SourceURL == "" || r.Pages != nil || f.Path == "-" || !filepath.IsLocal(name) {
		return ""
	}
	escaped := strings.NewReplacer("(", "%28", ")", "%29").Replace((&url.URL{Path: "/" + name}).EscapedPath()[1:])
	line := strconv.Itoa(max(1, f.Pos.Line))
	if !strings.Contains(r.SourceURL, "{path}") {
		return strings.TrimSuffix(r.SourceURL, "/") + "/" + escaped + "#L" + line
	}
	return strings.NewReplacer("{path}", escaped, "{line}", line).Replace(r.SourceURL)
}

// markdownProblems writes what could not be read, and what was read in a simpler way.
func (r *Run) markdownProblems(b *bytes.Buffer, end int) {
	var lines []string
	for _, e := range r.Errors {
		lines = append(lines, codeSpan(e.Err.Error()))
	}
	markdownList(b, "Could not be read", len(lines), lines, end-maxTail/2)
	lines = nil
	for _, n := range r.Notes {
		lines = append(lines, codeSpan(n.File+": "+n.Text))
	}
	markdownList(b, "Read in a simpler way", len(lines), lines, end-maxTail/3)
}

// markdownReasons writes why references would not be reported if they were broken.
func (r *Run) markdownReasons(b *bytes.Buffer, end int) {
	counts, total := r.BlindReasons(), 0
	reasons := order.Sorted(maps.Keys(counts), func(x, y audit.Reason) int {
		return cmp.Or(cmp.Compare(counts[y], counts[x]), x.Compare(y))
	})
	lines := make([]string, len(reasons))
	for i, why := range reasons {
		total += counts[why]
		lines[i] = fmt.Sprintf("%s: %s", webpage.Number(counts[why]), codeSpan(why.String()))
	}
	markdownList(b, "Not reported if broken", total, lines, end)
}

// markdownList writes a folded list, as far as it ends before the given length of b.
func markdownList(b *bytes.Buffer, title string, n int, lines []string, end int) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "\n<details><summary>%s: %s</summary>\n\n", title, webpage.Number(n))
	for i, line := range lines {
		if b.Len()+len(line)+100 > end {
			fmt.Fprintf(b, "- and %s\n", CountOf(len(lines)-i, "more line"))
			break
		}
		fmt.Fprintf(b, "- %s\n", line)
	}
	b.WriteString("\n</details>\n")
}

// codeSpan returns text as a code span on one line (CommonMark 0.31.2, 6.1), of at most some maxText bytes.
func codeSpan(text string) string {
	text = short(text)
	longest, run := 0, 0
	for _, c := range []byte(text) {
		run++
		if c != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	pad := ""
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.HasPrefix(text, " ") && strings.HasSuffix(text, " ") && strings.Trim(text, " ") != "" {
		pad = " "
	}
	return fence + pad + text + pad + fence
}

// short returns text on one line, without hidden characters, and cut if it is long.
func short(text string) string {
	rest := ""
	if len(text) > maxText {
		text, rest = text[:webpage.Start(text, maxText)], "…"
	}
	text = webpage.Shown(text) + rest
	if text == "" {
		return " "
	}
	return text
}

// CountOf returns a number with its unit.
func CountOf(n int, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return webpage.Number(n) + " " + unit
}

// Counts writes the totals of the run as lines NAME=VALUE, for the outputs of a step in GitHub Actions and for dotenv
// reports of GitLab.
func (r *Run) Counts(w io.Writer) error {
	_, err := fmt.Fprintf(w, "documents=%d\nreferences=%d\nchecked=%d\nskipped=%d\nblind=%d\nfindings=%d\nnotes=%d\nerrors=%d\n",
		r.Documents, r.References, r.Checked, r.Skipped, r.Blind(), r.Report.Findings, r.NoteFindings, len(r.Errors))
	return err
}
