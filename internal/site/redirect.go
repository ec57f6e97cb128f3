package site

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/internal/lazy"
)

// A Redirecter writes redirects from where a page was to where it is.
type Redirecter interface {
	// Redirect adds a redirect, and says where: "aliases in docs/a.md". It changes nothing and returns "" if it knows no way.
	Redirect(e *Edits, was, is Target) (where string)
}

// A Retargeter changes redirects in the configuration that lead to a page.
type Retargeter interface {
	// Retarget lets them lead to where the page is.
	Retarget(e *Edits, was, is Target)
}

// A Sharer knows what other sites of the tree publish below the same base.
type Sharer interface {
	// ServedBeside says whether another site has a page or a redirect at a URL below the base.
	ServedBeside(s *Site, u string) Answer
}

// A Target is a page, before or after it is moved.
type Target struct {
	File  string // absolute path of the source
	Route string // URL below the base of the site
}

// Edits are changes of files. They are made in memory.
type Edits struct {
	Config string                            // absolute path of the configuration of the site, after the move
	Base   string                            // of the site, without a slash at its end
	Text   func(file string) ([]byte, error) // with the changes so far
	Set    func(file string, text []byte)
}

// Redirecter returns what writes redirects for the site, or nil. s may be nil.
func (s *Site) Redirecter() (r Redirecter) {
	if s != nil {
		r, _ = s.model.(Redirecter)
	}
	return r
}

// Retargeter returns what changes redirects of the site, or nil. s may be nil.
func (s *Site) Retargeter() (r Retargeter) {
	if s != nil {
		r, _ = s.model.(Retargeter)
	}
	return r
}

// ConfigText returns the text of the configuration, or nil.
func (e *Edits) ConfigText() []byte {
	text, err := e.Text(e.Config)
	if err != nil {
		return nil
	}
	return text
}

// Replace replaces old by made in the configuration where a pattern matches, in which %s stands for old. The pattern has a
// group before it and one behind it.
func (e *Edits) Replace(pattern, old, made string) {
	text := e.ConfigText()
	re := regexp.MustCompile(fmt.Sprintf(pattern, regexp.QuoteMeta(old)))
	if to := re.ReplaceAll(text, []byte("${1}"+strings.ReplaceAll(made, "$", "$$")+"${2}")); !bytes.Equal(to, text) {
		e.Set(e.Config, to)
	}
}

// AddEntry inserts an entry into the configuration, behind the first match of a pattern: what begins a map or a list. made are the values
// in it, which must need no escaping.
func (e *Edits) AddEntry(begin *lazy.Regexp, entry string, made ...string) bool {
	text := e.ConfigText()
	at := begin.Compiled().FindIndex(text)
	if at == nil || strings.ContainsAny(strings.Join(made, ""), "\"'\\\n\r") {
		return false
	}
	e.Set(e.Config, slices.Concat(text[:at[1]], []byte(entry), text[at[1]:]))
	return true
}

// AddToFront adds a value, a URL path, to a list in the front matter of a page. It returns where, or "" if the front
// matter is in no form that it knows.
func (e *Edits) AddToFront(file, key, value string) (where string) {
	text, err := e.Text(file)
	if err != nil {
		return ""
	}
	end := "\n"
	if bytes.HasPrefix(text, []byte("---\r\n")) || bytes.HasPrefix(text, []byte("+++\r\n")) {
		end = "\r\n"
	}
	quoted := strconv.Quote(value)
	if !strings.HasPrefix(value, "/") || quoted != `"`+value+`"` {
		return ""
	}
	mark, assign := "", ""
	switch {
	case bytes.HasPrefix(text, []byte("---"+end)):
		mark, assign = "---", ": "
	case bytes.HasPrefix(text, []byte("+++"+end)):
		mark, assign = "+++", " = "
	default:
		return ""
	}
	close := bytes.Index(text, []byte(end+mark+end))
	if close < 0 {
		return ""
	}
	front := string(text[:close+len(end)])
	if at := regexp.MustCompile(`(?m)^` + key + `\s*[:=]`).FindStringIndex(front); at != nil {
		rest := front[at[1]:]
		switch m := listStart.Compiled().FindStringSubmatchIndex(rest); {
		case m == nil:
			return ""
		case m[2] >= 0: // [a, b]
			i := at[1] + m[3]
			comma := ", "
			if strings.HasPrefix(strings.TrimSpace(front[i:]), "]") {
				comma = ""
			}
			front = front[:i] + quoted + comma + front[i:]
		default: // a line for each
			i := at[1] + m[4]
			front = front[:i] + front[at[1]+m[4]:at[1]+m[5]] + quoted + end + front[i:]
		}
	} else if assign == " = " && strings.Contains(front, "\n[") {
		front = mark + end + key + assign + "[" + quoted + "]" + end + front[len(mark)+len(end):] // before the tables of TOML
	} else {
		front += key + assign + "[" + quoted + "]" + end
	}
	e.Set(file, append([]byte(front), text[close+len(end):]...))
	return key + " in " + file
}

// listStart matches what follows the key of a list: a bracket, or a line break and the first item.
var listStart = lazy.New(`^[ \t]*(?:(\[)|\r?\n([ \t]*- ?))`)
