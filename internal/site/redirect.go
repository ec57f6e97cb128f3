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

// A Redirecter writes redirects from the old to the new URL of a page.
type Redirecter interface {
	// Redirect adds a redirect, and says where: "aliases in docs/a.md". It changes nothing and returns "" if it
	// knows no way.
	Redirect(e *Edits, was, is Target) (where string)
}

// An IDRedirecter also writes redirects from an id that a page no longer has. The routes of both targets
// end in "#" and an id.
type IDRedirecter interface {
	RedirectsIDs()
}

// A Retargeter changes redirects in the configuration that point to a page.
type Retargeter interface {
	// Retarget makes them point to the new place of the page.
	Retarget(e *Edits, was, is Target)
}

// A Sharer knows which pages other sites of the tree publish below the same base.
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

// Redirecter returns the site's Redirecter, or nil. s may be nil.
func (s *Site) Redirecter() (r Redirecter) {
	if s != nil {
		r, _ = s.model.(Redirecter)
	}
	return r
}

// RedirectsIDs reports whether the site's Redirecter can redirect from ids. s may be nil.
func RedirectsIDs(s *Site) (ok bool) {
	if s != nil {
		_, ok = s.model.(IDRedirecter)
	}
	return ok
}

// Retargeter returns the site's Retargeter, or nil. s may be nil.
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

// Replace replaces old by made in the configuration where a pattern matches, in which %s stands for old.
// The pattern has a group before it and one after it.
func (e *Edits) Replace(pattern, old, made string) {
	text := e.ConfigText()
	re := regexp.MustCompile(fmt.Sprintf(pattern, lazy.Quote(old)))
	if to := re.ReplaceAll(text, []byte("${1}"+strings.ReplaceAll(made, "$", "$$")+"${2}")); !bytes.Equal(to, text) {
		e.Set(e.Config, to)
	}
}

// AddEntry inserts an entry into the configuration, after the first match of a pattern, which begins a map
// or a list. made are the values in it, which must need no escaping.
func (e *Edits) AddEntry(begin *lazy.Regexp, entry string, made ...string) bool {
	text := e.ConfigText()
	at := begin.Compiled().FindIndex(text)
	if at == nil || strings.ContainsAny(strings.Join(made, ""), "\"'\\\n\r") {
		return false
	}
	e.Set(e.Config, slices.Concat(text[:at[1]], []byte(entry), text[at[1]:]))
	return true
}

// AddItem inserts an item into a list or a map in a file, before the existing items. begin matches the text
// before the first of them, with the bracket or brace. urls are in the item.
func (e *Edits) AddItem(file string, begin *lazy.Regexp, item string, urls ...string) bool {
	text, err := e.Text(file)
	at := begin.Compiled().FindIndex(text)
	if err != nil || at == nil || !arePlain(urls) {
		return false
	}
	rest := text[at[1]:]
	first := bytes.TrimLeft(rest, " \t\r\n")
	space := string(rest[:len(rest)-len(first)])
	switch {
	case len(first) == 0 || strings.IndexByte("]}", first[0]) >= 0:
		space = ""
	case space == "":
		item += ", "
	default:
		item += ","
	}
	e.Set(file, slices.Concat(text[:at[1]], []byte(space+item), rest))
	return true
}

// addRule adds a rule, which ends with a line break, to a file of a host that takes the first match: before
// the rules that may match from, or at the end. between is the text that separates rules.
func (e *Edits) addRule(file, rule, between, from, to string) bool {
	text, err := e.Text(file)
	if err != nil || !arePlain([]string{from, to}) {
		return false
	}
	at := ruleStart(file, text, from)
	if at < 0 {
		return e.AddLine(file, between+rule, from, to)
	}
	indent := text[at : len(text)-len(bytes.TrimLeft(text[at:], " \t"))]
	e.Set(file, slices.Concat(text[:at], indent, []byte(rule+between), text[at:]))
	return true
}

// AddLine adds lines at the end of a file that exists. urls are in them.
func (e *Edits) AddLine(file, line string, urls ...string) bool {
	text, err := e.Text(file)
	if err != nil || !arePlain(urls) {
		return false
	}
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		text = append(slices.Clone(text), '\n')
	}
	e.Set(file, slices.Concat(text, []byte(line)))
	return true
}

// arePlain reports whether no URL has a character that means something in a pattern, or has to be quoted.
func arePlain(urls []string) bool {
	return !slices.ContainsFunc(urls, func(u string) bool {
		return u == "" || strings.ContainsFunc(u, func(c rune) bool {
			return c <= ' ' || c >= 0x7F || strings.ContainsRune("\"'`\\:*?#()[]{}|^$+<>,;!&@=", c)
		})
	})
}

// AddToRedirects adds a redirect to a file _redirects in one of the directories. from and to have the base of the site.
func (e *Edits) AddToRedirects(dirs []string, from, to string) (where string) {
	for _, dir := range dirs {
		if file := dir + "/_redirects"; e.addRule(file, from+" "+to+" 301\n", "", from, to) {
			return file
		}
	}
	return ""
}

// hostLists are the files of hosts with lists of redirects. They are asked after the generator, since many
// projects have such a file for something else.
var hostLists = []struct {
	name, item string
	begin      *lazy.Regexp
}{
	{"vercel.json", `{ "source": "%s", "destination": "%s", "permanent": true }`, jsonRedirects},
	{"firebase.json", `{ "source": "%s", "destination": "%s", "type": 301 }`, jsonRedirects},
	{"staticwebapp.config.json", `{ "route": "%s", "redirect": "%s", "statusCode": 301 }`, lazy.New(`"routes"\s*:\s*\[`)},
}

var (
	jsonRedirects   = lazy.New(`"redirects"\s*:\s*\[`)
	tomlRedirects   = lazy.New(`(?m)^\s*\[\[redirects\]\]`)
	apacheRedirects = lazy.New(`(?mi)^\s*Redirect(?:Match|Permanent)?\s`)
)

// AddToHost adds a redirect to a file of the host in one of the directories that has redirects. from and to
// have the base of the site.
func (e *Edits) AddToHost(dirs []string, from, to string) (where string) {
	has := func(file string, list *lazy.Regexp) bool {
		text, err := e.Text(file)
		return err == nil && list.Compiled().Match(text)
	}
	for _, dir := range dirs {
		for _, h := range hostLists {
			if file := dir + "/" + h.name; e.AddItem(file, h.begin, fmt.Sprintf(h.item, from, to), from, to) {
				return file
			}
		}
		if file := dir + "/netlify.toml"; has(file, tomlRedirects) && e.addRule(file, fmt.Sprintf("[[redirects]]\n  from = %q\n  to = %q\n  status = 301\n", from, to), "\n", from, to) {
			return file
		}
		line := fmt.Sprintf("RedirectMatch 301 ^%s$ %s\n", regexp.QuoteMeta(from), to)
		if file := dir + "/.htaccess"; has(file, apacheRedirects) && e.addRule(file, line, "", from, to) {
			return file
		}
	}
	return ""
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
