package auditcmd

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/report"
	"example.org/refract/extract"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/input"
)

// appendText appends f as a line: "file:line:column: text [rule]". On a terminal, the line of the
// document follows, with the reference marked.
func (a *auditRun) appendText(dst []byte, f *audit.Finding, text string) []byte {
	colour := a.renderer.Colour
	paint := func(code, text string) {
		if colour {
			dst = append(dst, "\x1b["+code+"m"...)
		}
		dst = append(dst, text...)
		if colour {
			dst = append(dst, "\x1b[0m"...)
		}
	}
	name := cli.OneLine(f.File)
	dst = append(a.appendPlace(dst, f.File, f.Path, f.Pos), ' ')
	if f.Level() == rule.LevelNote {
		dst = append(dst, "note: "...)
	}
	dst = cli.AppendVisible(dst, []byte(text))
	dst = append(dst, ' ')
	paint("33", "["+a.ruleLink(f.Rule)+"]")
	dst = append(dst, '\n')
	if a.renderer.Terminal && f.Pos.Line > 0 && f.Rule != rule.Orphan {
		if line, ok := a.source.line(f.Path, f.Pos); ok {
			number := fmt.Sprintf("%5d | ", f.Pos.Line)
			paint("2", number)
			text, before, width := cli.Excerpt(line, f.Pos.Column-1, f.Pos.Length, cli.Width()-len(number))
			dst = append(append(dst, text...), '\n')
			paint("2", strings.Repeat(" ", len(number)-2)+"| ")
			dst = append(dst, strings.Repeat(" ", before)...)
			paint("31", strings.Repeat("^", max(1, width)))
			dst = append(dst, '\n')
		}
	}
	if a.renderer.Explain && f.Ref != nil {
		dst = a.renderer.AppendExplained(dst, name, f.Ref, f.Facts)
	}
	return dst
}

// hyperlinks are what is needed to link files and rules.
type hyperlinks struct {
	home      string // of refract
	path, url string // of the last file
}

// appendPlace appends "file:line:column:", which may be a hyperlink to the file at path.
func (a *auditRun) appendPlace(dst []byte, file, path string, pos extract.Position) []byte {
	name := cli.OneLine(file)
	if a.isCrawl {
		return fmt.Appendf(dst, "%s:%d:", name, pos.Offset)
	}
	if a.links == nil || path == "-" {
		return a.renderer.AppendPlace(dst, name, pos)
	}
	if a.links.path != path {
		a.links.path, a.links.url = path, cli.FileLink(path)
	}
	place := a.renderer.AppendPlace(nil, name, pos)
	return append(cli.AppendLink(dst, a.links.url, place[:len(place)-1]), ':')
}

// ruleLink returns the name of a rule, which may be a hyperlink to its description.
func (a *auditRun) ruleLink(r rule.Rule) string {
	if a.links == nil {
		return string(r)
	}
	return string(cli.AppendLink(nil, report.RulePage(a.links.home, r), []byte(r)))
}

// A sourceFile holds the document whose lines are currently shown.
type sourceFile struct {
	path string
	text []byte
}

// maxSource limits the size in bytes of documents whose lines are shown.
const maxSource = 8 << 20

// line returns the line that contains pos, without its line break.
func (s *sourceFile) line(path string, pos extract.Position) ([]byte, bool) {
	if s.path != path {
		s.path, s.text = path, nil
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxSource {
			return nil, false
		}
		r, err := input.Open(path)
		if err != nil {
			return nil, false
		}
		defer r.Close()
		s.text, _ = io.ReadAll(io.LimitReader(r, maxSource))
	}
	start := int(pos.Offset) - (pos.Column - 1)
	if pos.Column < 1 || start < 0 || pos.Offset > int64(len(s.text)) {
		return nil, false // the file has changed since
	}
	line, _, _ := bytes.Cut(s.text[start:], []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r")), true
}
