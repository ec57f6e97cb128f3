package urlcmd

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/internal/ascii"
	"example.org/refract/resolve"
)

// edits holds the values of --get, --set and --query-remove.
type edits struct {
	get    []string
	set    []string
	remove []string
}

// editable lists the names that --get takes. --set takes the same, except url and params.
var editable = []string{"url", "scheme", "user", "password", "host", "port", "path", "params", "query", "fragment"}

const queryName = "query:"

// changes reports whether e changes URLs.
func (e *edits) changes() bool { return len(e.set)+len(e.remove) > 0 }

// validate reports unknown names.
func (e *edits) validate() error {
	for _, name := range e.get {
		if !slices.Contains(editable, name) && (!strings.HasPrefix(name, queryName) || name == queryName) {
			return fmt.Errorf("%w, or query:NAME", cli.BadOneOf("--get", name, editable))
		}
	}
	for _, assignment := range e.set {
		name, _, ok := strings.Cut(assignment, "=")
		isKnown := slices.Contains(editable, name) && name != "url" && name != "params"
		if !ok || !isKnown && (!strings.HasPrefix(name, queryName) || name == queryName) {
			return fmt.Errorf("--set %q: give NAME=VALUE, with a NAME of scheme, user, password, host, port, path, query, fragment or query:NAME", assignment)
		}
	}
	if slices.Contains(e.remove, "") {
		return fmt.Errorf("--query-remove needs the name of a parameter, or its beginning and *")
	}
	return nil
}

// apply returns url with the changes of e. It percent-encodes bytes of a new value that are not
// allowed in the component, and keeps existing escapes.
func (e *edits) apply(rules resolve.Rules, url []byte) []byte {
	c := rules.Parse(url)
	for _, assignment := range e.set {
		name, value, _ := strings.Cut(assignment, "=")
		setComponent(&c, name, value)
	}
	if c.HasQuery && len(e.remove) > 0 {
		c.Query, c.HasQuery = e.withoutParameters(c.Query)
	}
	edited := c.Append(nil)
	if !rules.Browser {
		return edited
	}
	if normal, res := rules.Resolver("").Append(nil, edited); !res.InError {
		return normal
	}
	return edited
}

// setComponent sets a component. An empty value removes it, unless it is a host or path.
func setComponent(c *resolve.Components, name, value string) {
	set := value != ""
	switch name {
	case "scheme":
		c.Scheme, c.HasScheme = []byte(value), set
	case "path":
		c.Path = escapeFor(value, "?#")
		if c.HasAuthority && set && c.Path[0] != '/' {
			c.Path = append([]byte{'/'}, c.Path...)
		}
	case "query":
		c.Query, c.HasQuery = escapeFor(value, "#"), set
	case "fragment":
		c.Fragment, c.HasFragment = escapeFor(value, "#"), set
	case "user", "password", "host", "port":
		setServer(c, name, value)
	default:
		c.Query = setParameter(c.Query, c.HasQuery, strings.TrimPrefix(name, queryName), value)
		c.HasQuery = true
	}
}

// setServer sets a part of the authority.
func setServer(c *resolve.Components, name, value string) {
	at := ascii.HostStart(c.Authority)
	host, port, hasPort := ascii.CutPort(c.Authority[at:])
	var user, password []byte
	hasUser, hasPassword := at > 0, false
	if hasUser {
		user, password, hasPassword = bytes.Cut(c.Authority[:at-1], []byte(":"))
	}
	switch set := value != ""; name {
	case "user":
		user, hasUser = escapeFor(value, ":@/?#[]"), set || hasPassword
	case "password":
		password, hasPassword = escapeFor(value, "@/?#[]"), set
		hasUser = hasUser || set
	case "host":
		host = escapeFor(value, "@/?#")
	case "port":
		port, hasPort = escapeFor(value, "@/?#[]:"), set
	}
	var authority []byte
	if hasUser {
		authority = append(authority, user...)
		if hasPassword {
			authority = append(append(authority, ':'), password...)
		}
		authority = append(authority, '@')
	}
	authority = append(authority, host...)
	if hasPort {
		authority = append(append(authority, ':'), port...)
	}
	c.Authority, c.HasAuthority = authority, true
	if len(c.Path) > 0 && c.Path[0] != '/' {
		c.Path = append([]byte{'/'}, c.Path...)
	}
}

// setParameter sets a query parameter, or adds it. It removes further parameters of that name.
func setParameter(query []byte, hasQuery bool, name, value string) []byte {
	parameter := slices.Concat(escapeFor(name, "&=#+"), []byte{'='}, escapeFor(value, "&#+"))
	var all [][]byte
	found := false
	for p := range bytes.SplitSeq(query, []byte("&")) {
		switch {
		case !hasQuery:
		case !isNamed(p, name):
			all = append(all, p)
		case !found:
			all, found = append(all, parameter), true
		}
	}
	if !found {
		all = append(all, parameter)
	}
	return bytes.Join(all, []byte("&"))
}

// withoutParameters returns a query without the parameters that e removes, and whether
// anything is left.
func (e *edits) withoutParameters(query []byte) ([]byte, bool) {
	var kept [][]byte
	removed := false
	for p := range bytes.SplitSeq(query, []byte("&")) {
		isRemoved := slices.ContainsFunc(e.remove, func(name string) bool {
			if prefix, ok := strings.CutSuffix(name, "*"); ok {
				return strings.HasPrefix(parameterName(p), prefix)
			}
			return isNamed(p, name)
		})
		removed = removed || isRemoved
		if !isRemoved {
			kept = append(kept, p)
		}
	}
	if !removed {
		return query, true
	}
	return bytes.Join(kept, []byte("&")), len(kept) > 0
}

// parameterName returns the name of a parameter, with its form encoding decoded.
func parameterName(parameter []byte) string {
	name, _, _ := bytes.Cut(parameter, []byte("="))
	return string(ascii.UnescapeAll(bytes.ReplaceAll(name, []byte("+"), []byte(" "))))
}

func isNamed(parameter []byte, name string) bool { return parameterName(parameter) == name }

// values returns the parts of url that --get names, as written in url.
func (e *edits) values(rules resolve.Rules, url []byte) (all []urlPart) {
	parts := rules.Parts(nil, url)
	for _, name := range e.get {
		all = append(all, urlPart{name: name, values: [][]byte{valueOf(parts, name, url)}})
	}
	return all
}

// valueOf returns the part of url that a name of --get selects. If several parameters have the
// name, it returns the first.
func valueOf(parts []resolve.Part, name string, url []byte) []byte {
	parameter, isParameter := strings.CutPrefix(name, queryName)
	for _, p := range parts {
		switch {
		case isParameter && p.Name == "query":
			for q := range bytes.SplitSeq(p.Value, []byte("&")) {
				if isNamed(q, parameter) {
					_, value, _ := bytes.Cut(q, []byte("="))
					return value
				}
			}
		case p.Name == name:
			return p.Value
		}
	}
	if name == "url" {
		return url
	}
	return nil
}

// escapeFor percent-encodes the delimiters in value, and the bytes that are not allowed in a URL.
func escapeFor(value, delimiters string) (out []byte) {
	for i := range len(value) {
		c := value[i]
		_, isEscape := ascii.Unescape(value[i:])
		if c <= ' ' || c >= 0x7f || strings.IndexByte("<>\"{}|\\^`"+delimiters, c) >= 0 || c == '%' && !isEscape {
			out = fmt.Appendf(out, "%%%02X", c)
		} else {
			out = append(out, c)
		}
	}
	return out
}
