package canon

import (
	"bytes"
	"slices"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
)

// Servers that cannot set a cookie write the session into the URL:
//
//   - a servlet as the path parameter ";jsessionid=x" (Servlet specification, section 7.1.3), or in the query;
//   - PHP as "PHPSESSID=x", ASP as "ASPSESSIONIDabcdefgh=x", ColdFusion as "CFID=x&CFTOKEN=y", others as
//     "sid=x", each with a value of a fixed length, by which the keys of CDX indexes recognise them;
//   - ASP.NET as a segment "(S(x))" of the path, or "(x)" in its first version.
var pathSession = lazy.New(`(?i)^\((?:[0-9a-z]{24}|(?:[a-z]\([0-9a-z]{24}\))+)\)$`)

// isSession reports whether a parameter of a query identifies a session.
func isSession(parameter []byte) bool {
	const asp = "aspsessionid"
	name := nameOf(parameter)
	value := bytes.TrimPrefix(parameter[len(name):], []byte("="))
	switch {
	case ascii.EqualFold(name, "jsessionid"), ascii.EqualFold(name, "phpsessid"), ascii.EqualFold(name, "sid"):
		return len(value) == 32 && consistsOf(value, ascii.IsAlnum)
	case ascii.EqualFold(name, "cfid"), ascii.EqualFold(name, "cftoken"):
		return len(value) > 0
	}
	return len(name) == len(asp)+8 && ascii.EqualFold(name[:len(asp)], asp) && len(value) == 24 && consistsOf(value, ascii.IsLetter)
}

func consistsOf(s []byte, class func(byte) bool) bool {
	return !slices.ContainsFunc(s, func(c byte) bool { return !class(c) })
}

// dropPathSessions drops sessions from the path dst[root:].
func dropPathSessions(dst []byte, root int) []byte {
	path := dst[root:]
	if !bytes.ContainsAny(path, ";(") {
		return dst
	}
	kept := dst[:root]
	for more := true; more; {
		var segment []byte
		segment, path, more = bytes.Cut(path, []byte("/"))
		if more && len(segment) > 0 && segment[0] == '(' && pathSession.Match(segment) {
			continue
		}
		name, parameters, next := bytes.Cut(segment, []byte(";"))
		isDots := len(bytes.Trim(ascii.UnescapeAll(name), ".")) == 0 && len(name) > 0 // it would become a dot segment
		kept = append(kept, name...)
		for next {
			var p []byte
			p, parameters, next = bytes.Cut(parameters, []byte(";"))
			if isDots || !ascii.EqualFold(nameOf(p), "jsessionid") || !bytes.Contains(p, []byte("=")) {
				kept = append(append(kept, ';'), p...)
			}
		}
		if more {
			kept = append(kept, '/')
		}
	}
	return kept
}
