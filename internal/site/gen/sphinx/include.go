package sphinx

import (
	"bytes"
	"path"
	"strconv"
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// An imageRule says how a page of MyST includes a file.
type imageRule struct{ plain, relative bool } // without and with the option relative-images

// imageRules returns how a page of MyST itself includes files.
func imageRules(s *site.Site, p *site.Page) map[string]imageRule {
	rules := map[string]imageRule{}
	_, rest, isThere := bytes.Cut(s.Tree.Text(p.File, source.MaxPage), []byte("{include}"))
	for isThere {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		name := strings.TrimSpace(string(line))
		file := path.Join(path.Dir(p.File), name)
		if strings.HasPrefix(name, "/") {
			file = path.Join(p.Mount.Dir, name)
		}
		options := rest // up to the end of the directive
		if end := endOfDirective.FindIndex(rest); end != nil {
			options, rest = rest[:end[0]], rest[end[1]:]
		}
		rule := rules[file]
		isRelative := bytes.Contains(options, []byte("relative-images"))
		rules[file] = imageRule{rule.plain || !isRelative, rule.relative || isRelative}
		_, rest, isThere = bytes.Cut(rest, []byte("{include}"))
	}
	return rules
}

var endOfDirective = lazy.New("(?m)^[ \t]*(?:`{3,}|~{3,}|:{3,})[ \t]*$")

var (
	includeLine = lazy.New("^[ \t]*(?:([`:~]{3,})\\{include\\}|\\.\\. include::)[ \t]+(\\S+)")
	optionLine  = lazy.New(`^[ \t]*:([a-z][a-z-]*):[ \t]*(.*?)[ \t\r]*$`)
)

// Parts returns the files that a document includes.
func (g *model) Parts(s *site.Site, p *site.Page, _ string, text []byte) (parts site.Parts) {
	for at, line := range source.LinesWithAny(text, "include") {
		m := includeLine.Compiled().FindSubmatch(line)
		if m == nil {
			continue
		}
		cut := includeCut(text[ascii.NextLine(text, at):], len(m[1]) > 0)
		file := source.Join(path.Dir(p.File), p.Mount.Dir, string(m[2]))
		parts.AddCut(s, file, cut)
		if !s.Tree.IsFile(file) && (s.Tree.IsIgnored(file) || !s.Tree.IsDir(path.Dir(file))) {
			g.lacksPart.Store(true) // a program writes it
		}
	}
	return parts
}

// includeCut returns the piece of its file that a directive shows whose options begin a text. Those of MyST
// are YAML, which may quote them. Lines that count from the end of the file are not supported: then the
// whole file is taken.
//
// See "include" in https://docutils.sourceforge.io/docs/ref/rst/directives.html.
func includeCut(text []byte, isMyST bool) (cut site.Cut) {
	const longest = 20 // options
	for range longest {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte("\n"))
		m := optionLine.Compiled().FindSubmatch(line)
		if m == nil {
			break
		}
		value := string(m[2])
		if n := len(value); isMyST && n > 1 && (value[0] == '\'' || value[0] == '"') && value[n-1] == value[0] {
			value = value[1 : n-1]
		}
		switch string(m[1]) {
		case "start-line":
			cut.From = max(0, atoi(value))
		case "end-line":
			cut.To = max(0, atoi(value))
		case "start-after":
			cut.After = value
		case "end-before":
			cut.Before = value
		case "literal", "code":
			cut.Nothing = true
		}
	}
	return cut
}

// atoi returns a number, or 0.
func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// FileAt returns the file at a URL of the directory into which a build copies the images of documents, if
// their sources are in a directory of that name. Images of other directories are also copied there, but if
// two have one name, they are renamed.
func (g *model) FileAt(s *site.Site, u string) string {
	file := path.Join(s.Dir, u)
	if !strings.HasPrefix(u, "/_images/") || path.Dir(u) != "/_images" || !s.Tree.IsFile(file) {
		return ""
	}
	return file
}
