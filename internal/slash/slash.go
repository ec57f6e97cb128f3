// Package slash writes names of files as the packages of this module use them: with forward slashes, in a
// form that package path handles as on Unix. It also converts them to file: URLs and back (RFC 8089).
//
// On Windows, a volume is one component. A drive is "C:". A share keeps its backslashes, as in
// `\\server\share/docs/a.md`, because package path would make one slash of two. Windows opens names in both
// forms.
package slash

import (
	"net/url"
	"path"
	"runtime"
	"strings"
)

// A System is a family of operating systems that name files in the same way.
type System uint8

// The systems.
const (
	Unix System = iota
	Windows
)

// Here is the system on which the program runs.
func Here() System {
	if runtime.GOOS == "windows" {
		return Windows
	}
	return Unix
}

// Path returns a name with forward slashes. On Windows, a share keeps the backslashes of its own name, and
// the prefix \\?\ is removed from drives and shares; the letter of a drive is in upper case. Path changes
// nothing in its own results.
func Path(name string) string { return Here().Path(name) }

// Path is [Path] on the system s.
func (s System) Path(name string) string {
	if s != Windows {
		return name
	}
	name = upperDrive(strings.ReplaceAll(name, `\`, "/"))
	if len(name) < 3 || name[:2] != "//" || name[2] == '/' {
		return name
	}
	if rest, ok := strings.CutPrefix(name, "//?/"); ok {
		if isDrive(rest) {
			return upperDrive(rest)
		}
		const unc = "UNC/"
		if len(rest) > len(unc) && strings.EqualFold(rest[:len(unc)], unc) {
			name = "//" + rest[len(unc):]
		}
	}
	server, rest, _ := strings.Cut(name[2:], "/")
	share, rest, isBelow := strings.Cut(rest, "/")
	if server == "" || share == "" {
		return name
	}
	name = `\\` + server + `\` + share
	if isBelow {
		name += "/" + rest
	}
	return name
}

// isDrive reports whether a name begins with a drive, such as "C:".
func isDrive(name string) bool {
	return len(name) >= 2 && name[1] == ':' && ('a' <= name[0]|0x20 && name[0]|0x20 <= 'z') && (len(name) == 2 || name[2] == '/')
}

// upperDrive writes the letter of a drive in upper case: it means the same, and names are compared.
func upperDrive(name string) string {
	if isDrive(name) {
		return strings.ToUpper(name[:1]) + name[1:]
	}
	return name
}

// Volume returns the volume that an absolute name begins with, if Path has returned the name: "" on Unix.
func (s System) Volume(name string) string {
	i := strings.IndexByte(name, '/')
	if i < 0 {
		i = len(name)
	}
	if s == Windows && (isDrive(name) || strings.HasPrefix(name, `\\`)) {
		return name[:i]
	}
	return ""
}

// Shown returns a result of Path as it is shown to users: a share has forward slashes only.
func Shown(name string) string {
	if strings.HasPrefix(name, `\\`) && Here() == Windows {
		return strings.ReplaceAll(name, `\`, "/")
	}
	return name
}

// Escaped returns a path as it is written in a URL.
func Escaped(p string) string {
	e := (&url.URL{Path: p}).EscapedPath()
	// What is a scheme in front of a colon is none behind a slash.
	return strings.TrimPrefix(e, "./")
}

// URL returns the file: URL of an absolute name (RFC 8089). That of a share has the server as its host
// (appendix E.3.1).
func URL(name string) string { return Here().URL(name) }

// URL is [URL] on the system s.
func (s System) URL(name string) string {
	name = s.Path(name)
	if s == Windows && strings.HasPrefix(name, `\\`) {
		server, rest, ok := strings.Cut(name[2:], `\`)
		if ok && isHost(server) {
			return "file://" + server + "/" + Escaped(rest)
		}
	}
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // C:/x
	}
	return "file://" + Escaped(name)
}

// isHost reports whether a URL can have the name of a server as its host without quoting (RFC 3986 section 3.2.2).
func isHost(name string) bool {
	for _, c := range []byte(name) {
		isPlain := 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
		if !isPlain && strings.IndexByte("-._~!$&'()*+,;=", c) < 0 {
			return false
		}
	}
	return name != "" && name != "." // \\.\ names devices
}

// OfURL returns the name of the file that a file: URL has: host is its authority, and p its path with escapes undone.
func OfURL(host, p string) string { return Here().OfURL(host, p) }

// OfURL is [OfURL] on the system s.
func (s System) OfURL(host, p string) string {
	if s != Windows {
		return p
	}
	rest, ok := strings.CutPrefix(p, "/")
	isHere := host == "" || strings.EqualFold(host, "localhost")
	if isHere && ok && (isDrive(rest) || strings.HasPrefix(rest, `\\`)) {
		return s.Path(rest)
	}
	if host != "" { // also a share of this machine, since its files are on drives
		return s.Path("//" + host + p)
	}
	return p
}

// Stem returns a name without its suffix, as [path.Ext] gives it.
func Stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }
