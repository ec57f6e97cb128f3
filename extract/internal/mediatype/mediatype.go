// Package mediatype knows media types: which ones are text, XML or compressed, and which one the first
// bytes of a file or of the body of a page show.
package mediatype

import (
	"bytes"
	"strings"

	"example.org/refract/internal/decode"
)

// Media types that more than one package names.
const (
	Text   = "text/plain"
	Binary = "application/octet-stream"
	HTML   = "text/html"
	XHTML  = "application/xhtml+xml"
	SVG    = "image/svg+xml"
	XML    = "application/xml"
	OPML   = "text/x-opml"
	ZIP    = "application/zip"
	Gzip   = "application/gzip" // in messages and crawls, any compressed file
)

// OfField parses the value of a Content-Type field: it returns the type in lower case, "" if
// there is no valid one, and the label of the charset.
func OfField(value []byte) (mediaType, label string) {
	if value == nil {
		return "", ""
	}
	name := value
	if i := bytes.IndexAny(name, ";, \t"); i >= 0 {
		name = name[:i]
	}
	if bytes.Count(name, []byte{'/'}) == 1 {
		mediaType = strings.ToLower(string(name))
	}
	if i := bytes.IndexByte(value, ';'); i >= 0 {
		label = string(bytes.Trim(decode.ContentCharset(value[i:]), `"'`))
	}
	return mediaType, label
}

// IsJSON reports whether a media type is JSON.
func IsJSON(mediaType string) bool {
	return mediaType == "application/json" || mediaType == "text/json" || strings.HasSuffix(mediaType, "+json")
}

// IsUnknown reports whether a type stands for an unknown type (MIME Sniffing 5.1), or is one that
// servers and crawlers write for an unknown type.
func IsUnknown(mediaType string) bool {
	switch mediaType {
	case "", "unknown/unknown", "application/unknown", "*/*", Binary:
		return true
	}
	return false
}

// IsXML reports whether a media type is XML other than XHTML and SVG (RFC 7303 section 4.2).
func IsXML(mediaType string) bool {
	switch mediaType {
	case XML, "text/xml", OPML:
		return true
	case XHTML, SVG:
		return false
	}
	return strings.HasSuffix(mediaType, "+xml")
}

// IsScript reports whether a media type is one of JavaScript.
func IsScript(mediaType string) bool {
	return strings.HasSuffix(mediaType, "javascript") || strings.HasSuffix(mediaType, "ecmascript")
}

// IsTextual reports whether documents of a media type are text.
func IsTextual(mediaType string) bool {
	major, minor, _ := strings.Cut(mediaType, "/")
	switch {
	case major == "text", major == "message", major == "multipart":
		return true
	}
	return IsJSON(mediaType) || IsXML(mediaType) || mediaType == XHTML || mediaType == SVG ||
		strings.HasSuffix(minor, "javascript") || strings.HasSuffix(minor, "ecmascript") || minor == "x-www-form-urlencoded"
}

// mayBeText reports whether documents of a media type may be text: not those of images, archives and office programs.
func mayBeText(mediaType string) bool {
	major, minor, _ := strings.Cut(mediaType, "/")
	switch {
	case IsTextual(mediaType):
		return true
	case major != "application", IsUnknown(mediaType), IsCompressed(mediaType), strings.HasPrefix(minor, "vnd."):
		return false
	}
	switch minor {
	case "pdf", "zip", "x-zip-compressed", "java-archive", "x-tar", "msword", "x-shockwave-flash", "epub+zip", "http", "x-rar-compressed", "x-7z-compressed":
		return false
	}
	return true
}

// compressed has the media types of compressed files in messages and on servers.
var compressed = map[string]bool{
	Gzip: true, "application/x-gzip": true, "application/gzip-compressed": true, "application/x-gunzip": true,
	"application/x-tgz": true, "application/x-gtar-compressed": true, "application/x-compressed-tar": true, "application/x-compressed": true,
	"application/x-compress": true, "application/x-bzip2": true, "application/x-bzip": true, "application/bzip2": true,
	"application/x-bzip-compressed-tar": true, "application/x-bzip2-compressed-tar": true,
	"application/x-xz": true, "application/x-xz-compressed-tar": true, "application/zstd": true, "application/x-zstd": true, "application/lz4": true, "application/x-lz4": true,
}

// IsCompressed reports whether files of a media type are compressed.
func IsCompressed(mediaType string) bool { return compressed[mediaType] }
