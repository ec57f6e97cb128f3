// Package syntax splits an authority and the path of a gopher URL, and removes dot segments from paths.
package syntax

import (
	"bytes"

	"example.org/refract/internal/ascii"
)

// A Server is the usual content of an authority: user:password@host:port (RFC 1738 3.1). The last "@" ends
// the user and password, as in browsers, and the first ":" before it ends the user.
type Server struct {
	User, Password, Host, Port    []byte
	HasUser, HasPassword, HasPort bool
}

// SplitServer splits an authority.
func SplitServer(authority []byte) (s Server) {
	s.Host = authority
	if at := ascii.HostStart(authority); at > 0 {
		s.User, s.Host, s.HasUser = authority[:at-1], authority[at:], true
		s.User, s.Password, s.HasPassword = bytes.Cut(s.User, []byte(":"))
	}
	s.Host, s.Port, s.HasPort = ascii.CutPort(s.Host)
	return s
}

// PortNumber returns the number of a port: 0 if it is empty, 65536 if it is larger, and -1 if it is no number.
func PortNumber(port []byte) int {
	n := 0
	for _, c := range port {
		if !ascii.IsDigit(c) {
			return -1
		}
		n = min(n*10+int(c-'0'), 1<<16)
	}
	return n
}

// A Gopher is the path of a gopher URL (RFC 1738 3.4.1).
type Gopher struct {
	Kind, Selector, Search, Plus []byte
	Tabs                         int // how many of the two there are
}

var gopherTab = []byte("%09")

// SplitGopher splits path and query of a gopher URL.
func SplitGopher(rest []byte) (g Gopher) {
	rest = bytes.TrimPrefix(rest, []byte("/"))
	for _, piece := range []*[]byte{&g.Selector, &g.Search} {
		i := bytes.Index(rest, gopherTab)
		if i < 0 {
			*piece, rest = rest, nil
			break
		}
		*piece, rest = rest[:i], rest[i+len(gopherTab):]
		g.Tabs++
	}
	g.Plus = rest
	if len(g.Selector) > 0 {
		_, n := ascii.OctetAt(g.Selector, 0)
		g.Kind, g.Selector = g.Selector[:n], g.Selector[n:]
	}
	return g
}
