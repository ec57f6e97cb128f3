package script

import (
	"bytes"
	"net/netip"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// A certainty says what a string looks like.
type certainty uint8

const (
	noURL       certainty = iota
	pathOnly              // a path, relative to something that the script does not say
	abbreviated           // a URL without a scheme that begins with "www."
	absolute              // a URL with a scheme, or with a host after "//"
)

// maxPath limits the length in bytes of a path; URLs have the limit of all references.
const maxPath = 1024

// guess says what the string v looks like, and the kind of the reference. imported is what an import statement names.
func guess(v []byte, imported bool) (scan.Kind, certainty) {
	v = bytes.TrimSpace(v)
	if len(v) < 2 || !isURLText(v) || v[len(v)-1] == '=' && bytes.IndexByte(v, '?') >= 0 {
		return 0, noURL // what ends in "=" is continued
	}
	scheme := ascii.SchemeEnd(v)
	switch {
	case bytes.HasPrefix(v, []byte("//")):
		if isHost(v[2:], false) {
			return kindOf(v[2:]), absolute
		}
		return 0, noURL
	case scheme > 0:
		rest, ok := bytes.CutPrefix(v[scheme+1:], []byte("//"))
		if !ok || scheme > len("https") || !fetched[strings.ToLower(string(v[:scheme]))] || !isHost(rest, true) || isNamespace(rest) {
			return 0, noURL
		}
		return kindOf(rest), absolute
	case len(v) > maxPath:
		return 0, noURL
	}
	if imported && (bytes.HasPrefix(v, []byte("./")) || bytes.HasPrefix(v, []byte("../")) || v[0] == '/') {
		return scan.Embed, pathOnly
	}
	if bytes.HasPrefix(v, []byte("www.")) {
		if slash := bytes.IndexByte(v, '/'); slash > 0 && slash < len(v)-1 && isHost(v, false) {
			return kindOf(v), abbreviated
		}
		return 0, noURL
	}
	if isPath(v) {
		return kindOf(v), pathOnly
	}
	return 0, noURL
}

// fetched are the schemes of URLs that scripts fetch or link to.
var fetched = map[string]bool{"http": true, "https": true, "ws": true, "wss": true, "ftp": true}

// isURLText reports whether v holds only what a URL may hold, and nothing that a program fills in: braces,
// "%s", "$NAME", "*".
func isURLText(v []byte) bool {
	for i, c := range v {
		switch {
		case c <= ' ' || c == 0x7f || c == '"' || c == '<' || c == '>' || c == '\\' || c == '^' || c == '`' || c == '{' || c == '}' || c == '|' || c == '*':
			return false
		case c == '%' && (i+2 >= len(v) || ascii.Unhex(v[i+1]) < 0 || ascii.Unhex(v[i+2]) < 0):
			return false
		case c == '$' && i+1 < len(v) && ascii.IsLetter(v[i+1]):
			return false
		}
	}
	return true
}

// namespaces are the hosts of names of vocabularies: URLs by their form, at which nothing has to be.
var namespaces = map[string]bool{
	"schemas.microsoft.com": true, "schemas.openxmlformats.org": true, "schemas.xmlsoap.org": true, "ns.adobe.com": true, "purl.org": true,
	"xmlns.com": true, "schema.org": true,
}

// isNamespace reports whether a URL, without its scheme, is the name of a vocabulary.
func isNamespace(rest []byte) bool {
	host, path, _ := strings.Cut(string(rest[:min(len(rest), 64)]), "/")
	host = strings.TrimPrefix(strings.ToLower(host), "www.")
	if namespaces[host] {
		return true
	}
	return host == "w3.org" && (strings.HasPrefix(path, "1998/") || strings.HasPrefix(path, "1999/") || strings.HasPrefix(path, "2000/") ||
		strings.HasPrefix(path, "2001/") || strings.HasPrefix(path, "XML/") || strings.HasPrefix(path, "TR/REC-"))
}

// isHost reports whether rest, the text after "//", begins with the name of a host that may exist: an
// address, localhost if isNamed says that a scheme precedes it, or a name with a dot whose last label
// consists of letters.
func isHost(rest []byte, isNamed bool) bool {
	end := bytes.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	host := rest[ascii.HostStart(rest[:end]):end]
	name, port, _ := ascii.CutPort(host)
	for _, c := range port {
		if !ascii.IsDigit(c) {
			return false
		}
	}
	if _, err := netip.ParseAddr(string(bytes.Trim(name[:min(len(name), 64)], "[]"))); err == nil {
		return true
	}
	if isNamed && string(name) == "localhost" {
		return true
	}
	last := name[bytes.LastIndexByte(name, '.')+1:]
	if len(last) == len(name) || len(last) < 2 || len(name) > 253 {
		return false
	}
	for label := range bytes.SplitSeq(name, []byte(".")) {
		if len(label) == 0 || len(label) > 63 || label[0] == '-' {
			return false
		}
		for _, c := range label {
			if !ascii.IsAlnum(c) && c != '-' && c != '_' && c < 0x80 {
				return false
			}
		}
	}
	if bytes.HasPrefix(last, []byte("xn--")) {
		return true
	}
	for _, c := range last {
		if !ascii.IsLetter(c) && c < 0x80 {
			return false
		}
	}
	return true
}

// isPath reports whether v is clearly a path: from the root, or to a file with a known suffix.
func isPath(v []byte) bool {
	path := v
	if i := bytes.IndexAny(v, "?#"); i >= 0 {
		path = v[:i]
	}
	hasQuery := len(path) < len(v) && v[len(path)] == '?' && bytes.IndexByte(v, '=') > 0
	for _, c := range path {
		if !ascii.IsAlnum(c) && strings.IndexByte("-._~%@+/,=&;!:", c) < 0 {
			return false
		}
	}
	if bytes.Contains(path, []byte("//")) || bytes.Contains(path, []byte("/:")) || bytes.IndexByte(path, ':') >= 0 && path[0] != '/' {
		return false
	}
	suffix := suffixOf(path)
	isFile := isWeb[suffix]
	switch slash := bytes.IndexByte(path, '/'); {
	case slash == 0:
		return isFile || isRooted(path[1:], hasQuery)
	case slash < 0:
		// The name of a file: "chart.js" is more often a name of something else.
		return isFile && bytes.HasSuffix(path, []byte(suffix)) && suffix != "js" && suffix != "mjs" && (ascii.IsAlnum(path[0]) || path[0] == '_') && len(path)-len(suffix) > 2
	case path[0] == '@':
		return false // the name of a package
	case bytes.HasPrefix(path, []byte("./")) || bytes.HasPrefix(path, []byte("../")):
		return isFile
	}
	if dot := bytes.LastIndexByte(path[:bytes.IndexByte(path, '/')], '.'); dot > 0 {
		return false // rather a host: "cdn.example.com/a.js"
	}
	return isFile && path[0] != '.' && path[0] != '-' && path[0] != '+'
}

// isRooted reports whether path, without its first slash, is clearly one: of names in small letters,
// several or one of a certain length, or with a query.
func isRooted(path []byte, hasQuery bool) bool {
	if unit, _, ok := bytes.Cut(path, []byte("/")); ok && len(unit) > 4 && len(bytes.Trim(unit, "0123456789,")) == 0 {
		return false // the path of an ad unit: "/1234567/name"
	}
	names, longest := 0, 0
	for name := range bytes.SplitSeq(path, []byte("/")) {
		if len(name) == 0 {
			continue
		}
		names++
		letters := 0
		for _, c := range name {
			if c >= 'a' && c <= 'z' {
				letters++
			}
			if strings.IndexByte("=,;&!+:", c) >= 0 {
				return false
			}
		}
		longest = max(longest, letters)
	}
	switch {
	case hasQuery:
		return longest > 0
	case names == 0 || path[0] == '/' || path[0] == '.' || path[0] == '-':
		return false
	case names == 1 && path[len(path)-1] != '/':
		return longest >= 4 && longest >= len(path)-2
	}
	return longest >= 3
}

// suffixOf returns the suffix of the last name of a path, in small letters, without its dot; "" if it has none.
func suffixOf(path []byte) string {
	if i := bytes.IndexAny(path, "?#"); i >= 0 {
		path = path[:i]
	}
	name := path[bytes.LastIndexByte(path, '/')+1:]
	dot := bytes.LastIndexByte(name, '.')
	if dot <= 0 || len(name)-dot > len(".webmanifest") {
		return ""
	}
	return strings.ToLower(string(name[dot+1:]))
}

// kindOf returns the kind of a reference by the suffix of its path: files that pages consist of are embeds.
func kindOf(v []byte) scan.Kind {
	if slash := bytes.IndexByte(v, '/'); slash >= 0 && isEmbedded[suffixOf(v[slash:])] {
		return scan.Embed
	} else if slash < 0 && isEmbedded[suffixOf(v)] {
		return scan.Embed
	}
	return scan.Link
}

// isEmbedded holds the suffixes of scripts, style sheets, images, fonts and media; isWeb holds these and
// those of pages and documents.
var isEmbedded, isWeb = set(embedded), set(embedded + " html htm xhtml shtml php asp aspx jsp jspx cgi cfm pdf json xml rss atom txt csv zip gz doc docx xls xlsx ppt pptx webmanifest")

const embedded = "js mjs css png jpg jpeg gif svg webp avif ico bmp woff woff2 ttf otf eot mp3 mp4 m4a m4v webm ogg ogv wav mov flv swf wasm m3u8 mpd vtt"

func set(names string) map[string]bool {
	m := make(map[string]bool)
	for name := range strings.FieldsSeq(names) {
		m[name] = true
	}
	return m
}
