// Package hls scans the playlists of HTTP Live Streaming (RFC 8216, and its draft second edition), which
// are also M3U playlists.
package hls

import (
	"bytes"
	"iter"

	"example.org/refract/extract/scan"
)

// Type is the media type of a playlist.
const Type = "application/vnd.apple.mpegurl"

// A Scanner scans a playlist. It may be reused, but several goroutines must not use it at once.
type Scanner struct{ item scan.Item }

// Scan yields the references of src: each line that is neither empty nor begins with "#" (section 4.1), and
// the URI attribute of a tag (section 4.2). A line is a Link if it names a playlist (after
// EXT-X-STREAM-INF), else an Embed. With {$NAME}, a variable that a tag defines, a line is no reference.
// src is UTF-8. Every input is valid, and the time is linear in len(src).
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		at := 0
		if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) {
			at = 3
		}
		next := "playlist/line"
		kind := scan.Embed
		for at < len(src) {
			end := len(src)
			if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
				end = at + i
			}
			line := src[at:end]
			switch {
			case len(bytes.TrimSpace(line)) == 0:
			case line[0] != '#':
				if !s.put(src, at, end, kind, scan.Bare, next, yield) {
					return
				}
				next, kind = "playlist/line", scan.Embed
			case bytes.HasPrefix(line, []byte("#EXT-X-STREAM-INF:")):
				next, kind = "EXT-X-STREAM-INF", scan.Link
			case bytes.HasPrefix(line, []byte("#EXT")):
				if !s.tag(src, at, end, yield) {
					return
				}
			}
			at = end + 1
		}
	}
}

// put yields the reference src[at:end], without white space around it.
func (s *Scanner) put(src []byte, at, end int, kind scan.Kind, how scan.How, in string, yield func(*scan.Item) bool) bool {
	value := bytes.TrimSpace(src[at:end])
	if len(value) == 0 || bytes.Contains(value, []byte("{$")) {
		return true
	}
	at += bytes.Index(src[at:end], value)
	s.item = scan.Item{Op: scan.Ref, Kind: kind, How: how, In: in, Span: scan.Span{Start: at, End: at + len(value)}, Value: value}
	return yield(&s.item)
}

// tag yields the URI attributes of a tag: NAME=value, NAME="value".
func (s *Scanner) tag(src []byte, at, end int, yield func(*scan.Item) bool) bool {
	colon := bytes.IndexByte(src[at:end], ':')
	if colon < 0 {
		return true
	}
	name := string(src[at+1 : at+colon])
	kind := scan.Embed
	switch name {
	case "EXT-X-I-FRAME-STREAM-INF", "EXT-X-RENDITION-REPORT", "EXT-X-MEDIA":
		kind = scan.Link // another playlist
	}
	for at += colon + 1; at < end; {
		equals := bytes.IndexByte(src[at:end], '=')
		if equals < 0 {
			return true
		}
		attribute := bytes.TrimSpace(src[at : at+equals])
		at += equals + 1
		if at < end && src[at] == '"' {
			i := bytes.IndexByte(src[at+1:end], '"')
			if i < 0 {
				return true
			}
			isURI := bytes.Equal(attribute, []byte("URI")) || bytes.Equal(attribute, []byte("X-ASSET-URI")) || bytes.Equal(attribute, []byte("X-ASSET-LIST")) || bytes.Equal(attribute, []byte("SERVER-URI"))
			if isURI && !s.put(src, at+1, at+1+i, kind, scan.Attribute, name, yield) {
				return false
			}
			at += i + 2
		}
		comma := bytes.IndexByte(src[at:end], ',')
		if comma < 0 {
			return true
		}
		at += comma + 1
	}
	return true
}
