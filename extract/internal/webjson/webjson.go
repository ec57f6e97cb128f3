// Package webjson scans documents of the web that are JSON: web app manifests (W3C, Web Application Manifest and the
// specifications that extend it), JSON Feeds (jsonfeed.org, versions 1 and 1.1), and HTTP Archives (HAR 1.2).
package webjson

import (
	"bytes"
	"iter"
	"strings"

	"example.org/refract/delimit"
	"example.org/refract/extract/plain"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/jsonstring"
)

// A Kind is a kind of document that a Scanner reads.
type Kind uint8

const (
	Manifest Kind = iota
	Feed
)

// Types are the media types of the kinds.
var Types = [...]string{Manifest: "application/manifest+json", Feed: "application/feed+json"}

// Sniff returns the media type of JSON that begins with head by its members, "" if it is neither: a feed
// names the version of its format, and a manifest has a list of icons and a member that says where or how
// to begin.
func Sniff(head []byte) string {
	trimmed := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(trimmed) == 0 || trimmed[0] != '{' {
		return ""
	}
	found, isManifest := "", [2]bool{}
	jsonstring.Walk(head, func(in []jsonstring.Level, value scan.Span) bool {
		if len(in) == 0 {
			return false
		}
		switch name := in[0].Named(head); {
		case name == "icons":
			isManifest[0] = isManifest[0] || len(in) == 3 && in[2].Named(head) == "src"
		case len(in) > 1:
		case name == "start_url", name == "display", name == "theme_color", name == "background_color":
			isManifest[1] = true
		case name == "version" && bytes.HasPrefix(jsonstring.Value(head, value), []byte("https://jsonfeed.org/version/1")):
			found = Types[Feed]
		}
		if isManifest[0] && isManifest[1] {
			found = Types[Manifest]
		}
		return found == ""
	}, nil)
	return found
}

// A Scanner scans a manifest or a feed. It may be reused, but several goroutines must not use it at once.
//
// The members that hold references are in tables. The JSON is read as jsonstring.Walk does, in linear time;
// cut or invalid JSON yields the readable part.
type Scanner struct {
	Kind  Kind
	Rules delimit.Rules // by which URLs in other members are found

	text  plain.Scanner
	item  scan.Item
	value []byte
	m     scan.Map
}

// members are the members of each kind that hold references, by their path: "icons[].src".
var members = [...]map[string]scan.Kind{
	Manifest: {
		"start_url": scan.Link, "scope": scan.Metadata, "icons[].src": scan.Embed, "screenshots[].src": scan.Embed,
		"shortcuts[].url": scan.Link, "shortcuts[].icons[].src": scan.Embed, "related_applications[].url": scan.Link,
		"share_target.action": scan.Form, "protocol_handlers[].url": scan.Form, "file_handlers[].action": scan.Form,
		"file_handlers[].icons[].src": scan.Embed, "note_taking.new_note_url": scan.Link, "serviceworker.src": scan.Embed,
		"scope_extensions[].origin": scan.Metadata,
	},
	Feed: {
		"home_page_url": scan.Link, "feed_url": scan.Link, "next_url": scan.Link, "icon": scan.Embed, "favicon": scan.Embed,
		"author.url": scan.Link, "author.avatar": scan.Embed, "authors[].url": scan.Link, "authors[].avatar": scan.Embed, "hubs[].url": scan.Metadata,
		"items[].url": scan.Link, "items[].external_url": scan.Link, "items[].image": scan.Embed, "items[].banner_image": scan.Embed,
		"items[].author.url": scan.Link, "items[].author.avatar": scan.Embed, "items[].authors[].url": scan.Link, "items[].authors[].avatar": scan.Embed,
		"items[].attachments[].url": scan.Embed,
	},
}

// parts are the members of feeds that are documents, with their types.
var parts = map[string]string{"items[].content_html": "text/html", "items[].content_text": "text/plain", "description": "text/plain"}

// maxPath limits the bytes of a path that is compared.
const maxPath = 64

// Scan yields the references of src, the texts of feeds as Parts, and the URLs in all other strings, as in
// running text. src is UTF-8. Every input is valid. The time is linear in len(src).
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s.text.Finder.Rules, s.text.Rest = s.Rules, false
		var path []byte
		jsonstring.Walk(src, func(in []jsonstring.Level, value scan.Span) bool {
			path = appendPath(path[:0], src, in)
			if kind, ok := members[s.Kind][string(path)]; ok {
				return s.reference(src, value, kind, string(path), yield)
			}
			if mediaType, ok := parts[string(path)]; ok && s.Kind == Feed {
				return s.part(src, value, mediaType, string(path), yield)
			}
			return s.running(src, value, yield)
		}, nil)
		s.item = scan.Item{}
		if cap(s.value) > 1<<16 {
			s.value, s.m = nil, scan.Map{}
		}
	}
}

// appendPath appends the path of a value: the keys around it, with "[]" for arrays; it is cut after maxPath bytes.
func appendPath(dst, src []byte, in []jsonstring.Level) []byte {
	for i := range in {
		if len(dst) > maxPath {
			break
		}
		switch {
		case !in[i].IsObject:
			dst = append(dst, "[]"...)
		case i > 0:
			dst = append(dst, '.')
			fallthrough
		default:
			dst = append(dst, in[i].Named(src)...)
		}
	}
	return dst
}

// running yields the URLs in a string.
func (s *Scanner) running(src []byte, at scan.Span, yield func(*scan.Item) bool) bool {
	s.decode(src, at)
	return s.text.Window(s.value, 0, len(s.value), true, func(it *scan.Item) bool {
		span, exact := s.m.Back(it.Span)
		it.Span, it.Loose = span, it.Loose || !exact
		return yield(it)
	}) >= 0
}

// decode sets s.value to the value of a string, and s.m to where it comes from.
func (s *Scanner) decode(src []byte, at scan.Span) {
	s.m.Reset()
	s.value = jsonstring.AppendMapped(s.value[:0], &s.m, src, at)
}

func (s *Scanner) reference(src []byte, at scan.Span, kind scan.Kind, path string, yield func(*scan.Item) bool) bool {
	value := bytes.Trim(jsonstring.Value(src, at), " \t\r\n")
	if len(value) == 0 && path != "start_url" {
		return true
	}
	s.item = scan.Item{Op: scan.Ref, Kind: kind, How: scan.JSON, In: strings.ReplaceAll(path, "[]", ""), Span: at, Value: value}
	return yield(&s.item)
}

func (s *Scanner) part(src []byte, at scan.Span, mediaType, path string, yield func(*scan.Item) bool) bool {
	s.decode(src, at)
	s.item = scan.Item{Op: scan.Part, Type: mediaType, Name: path[strings.LastIndexByte(path, '.')+1:], Span: at, Value: s.value, Map: &s.m}
	return yield(&s.item)
}
