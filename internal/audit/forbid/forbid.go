// Package forbid decides which references the user of an audit forbids.
package forbid

import (
	"bytes"
	"regexp"
	"strings"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/hostname"
	"example.org/refract/internal/option"
	"example.org/refract/resolve"
)

// An Entry forbids references. It has either Match or Hosts.
type Entry struct {
	Match   string   // RE2 expression that matches a part of [Text]
	Hosts   []string // hosts; ".example.org" stands for example.org and all hosts below it
	List    string   // name of the file that Hosts are from, as shown to users
	Message string   // what to do instead; "" says what has matched
}

// A List decides by many entries: the first one that matches a reference counts.
type List struct {
	entries []Entry
	match   []expression
	hosts   map[string]int // the first entry with a host, in the form of hostname.Comparable
}

type expression struct {
	*regexp.Regexp
	entry int
}

// New returns the list of entries, or nil if there are none. It returns an [option.Error] about the first
// invalid entry.
func New(entries []Entry) (*List, error) {
	if len(entries) == 0 {
		return nil, nil
	}
	l := &List{entries: entries, hosts: map[string]int{}}
	for i, e := range entries {
		switch {
		case e.Match != "":
			re, err := regexp.Compile(e.Match)
			if err != nil {
				return nil, option.Bad("Forbid", e.Match, "%w (the syntax is RE2)", err)
			}
			l.match = append(l.match, expression{re, i})
		case e.Hosts == nil:
			return nil, option.Bad("Forbid", "", "an empty pattern forbids everything: give a part of a URL")
		}
		for _, host := range e.Hosts {
			host = hostname.Comparable(host)
			if strings.Trim(host, ".") == "" || strings.ContainsAny(host, " \t/*?") {
				return nil, option.Bad("Forbid", host, "give the name of a host, such as example.org, or .example.org for all below it")
			}
			if _, is := l.hosts[host]; !is {
				l.hosts[host] = i
			}
		}
	}
	return l, nil
}

// Text returns the text that decides whether a reference is forbidden: its URL if the document itself makes
// that absolute, by a scheme or by a base in it, and otherwise the reference as written, with the quoting
// of the document undone. The place of the document does not matter. Its scheme and host are in lower case
// (RFC 3986 6.2.2.1).
func Text(r *extract.Reference) []byte {
	isAbsolute := r.Result.Step == resolve.Absolute
	isBased := (r.Base.Layer == base.Embedded || r.Base.Layer == base.Encapsulating) && !bytes.HasPrefix(r.URL, []byte("file:"))
	if len(r.URL) > 0 && (isAbsolute || isBased) {
		return lower(r.URL)
	}
	return lower(r.Ref)
}

// lower returns a reference with its scheme and authority in lower case. It does not change ref.
func lower(ref []byte) []byte {
	c := resolve.Parse(ref)
	end := len(c.Scheme)
	if c.HasAuthority {
		end = len(ref) - len(bytes.TrimPrefix(ref[end:], []byte(":"))) + len("//") + len(c.Authority)
	}
	if !bytes.ContainsFunc(ref[:end], func(c rune) bool { return 'A' <= c && c <= 'Z' }) {
		return ref
	}
	ref = bytes.Clone(ref)
	ascii.Lower(ref[:end])
	return ref
}

// Of returns the entry that forbids a reference, and Text of it, or nil.
func (l *List) Of(r *extract.Reference) (*Entry, []byte) {
	if l == nil {
		return nil, nil
	}
	text := Text(r)
	if i := l.find(text); i < len(l.entries) {
		return &l.entries[i], text
	}
	return nil, nil
}

// find returns the index of the first entry that forbids text, len(l.entries) if there is none.
func (l *List) find(text []byte) int {
	first := len(l.entries)
	if len(l.hosts) > 0 {
		first = l.findHost(text)
	}
	for _, e := range l.match {
		if e.entry >= first {
			break
		}
		if e.Match(text) {
			return e.entry
		}
	}
	return first
}

// findHost returns the index of the first entry with the host of text.
func (l *List) findHost(text []byte) int {
	first := len(l.entries)
	if !bytes.Contains(text, []byte("//")) {
		return first
	}
	authority := resolve.Parse(text).Authority
	name, _, _ := ascii.CutPort(authority[ascii.HostStart(authority):])
	if len(name) == 0 || len(name) > hostname.MaxDomain {
		return first
	}
	host := hostname.Comparable(string(name))
	if i, is := l.hosts[host]; is {
		first = i
	}
	for below := "." + host; below != ""; {
		if i, is := l.hosts[below]; is {
			first = min(first, i)
		}
		next := strings.IndexByte(below[1:], '.')
		if next < 0 {
			break
		}
		below = below[1+next:]
	}
	return first
}

// What returns the message of e for all references that it forbids: what to do instead, or what has
// matched.
func (e *Entry) What() string {
	switch {
	case e.Message != "":
		return e.Message
	case e.Match != "":
		return `matches "` + e.Match + `"` // a person wrote it, with backslashes
	case e.List != "":
		return "a host of " + e.List
	}
	return "a forbidden host"
}
