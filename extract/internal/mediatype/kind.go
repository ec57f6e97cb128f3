package mediatype

import (
	"bytes"
	"path"
	"strings"

	"example.org/refract/internal/ascii"
)

// Kind returns the kind of an unread input, for counting: "PDF", "image", ".pst", a media type, or
// "binary".
func Kind(mediaType, name string) string {
	major, minor, _ := strings.Cut(mediaType, "/")
	switch major {
	case "image", "audio", "video", "font":
		return major
	}
	switch minor {
	case "pdf":
		return "PDF"
	case "zip", "x-zip-compressed":
		return "ZIP"
	}
	name, _, _ = strings.Cut(strings.TrimSpace(name), "?")
	if _, authority, ok := strings.Cut(name, "://"); ok { // a URL
		_, name, _ = strings.Cut(authority, "/")
	}
	ext := strings.ToLower(path.Ext(name))
	if kind, ok := kindOfSuffix[ext]; ok {
		return kind
	}
	switch {
	case IsShown(ext):
		return ext
	case IsUnknown(mediaType) || !IsShown(mediaType):
		return "binary"
	}
	return mediaType
}

// IsShown reports whether a suffix or a media type is fit to be shown and counted.
func IsShown(s string) bool {
	if len(s) < 2 || len(s) > 80 || s[0] == '.' && len(s) > 12 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !ascii.IsLetter(c) && !ascii.IsDigit(c) && strings.IndexByte("./+-_", c) < 0 {
			return false
		}
	}
	return true
}

// kindOfSuffix maps suffixes to kinds of files. Source: by hand, the most frequent ones of web
// sites and mail, as of November 2026.
var kindOfSuffix = map[string]string{
	".pdf": "PDF", ".zip": "ZIP",
	".png": "image", ".jpg": "image", ".jpeg": "image", ".gif": "image", ".webp": "image", ".ico": "image", ".bmp": "image",
	".tif": "image", ".tiff": "image", ".avif": "image", ".heic": "image",
	".mp3": "audio", ".ogg": "audio", ".wav": "audio", ".flac": "audio", ".m4a": "audio",
	".mp4": "video", ".webm": "video", ".mov": "video", ".avi": "video", ".mkv": "video", ".mpg": "video", ".mpeg": "video",
	".woff": "font", ".woff2": "font", ".ttf": "font", ".otf": "font", ".eot": "font",
}

// IsPacked reports whether an input that begins with head holds its text in a form that cannot be
// scanned, such as compressed. Such a file is not read even if it is named as an argument: scanning
// it would find only noise. Other binary files, programs for example, hold plain text between the
// rest.
func IsPacked(head []byte) bool {
	for _, magic := range []string{
		"PK\x03\x04",         // ZIP, .docx, .wacz
		"PK\x05\x06",         // ZIP without members
		"\x04\"M\x18",        // LZ4
		"7z\xbc\xaf\x27\x1c", // 7-Zip
		"Rar!\x1a\x07",
		"\x37\x7f\x06\x82", "\x37\x7f\x06\x83", // the write-ahead log of a SQLite database
		"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", // its rollback journal
		"mozLz40\x00",                      // JSON of Firefox, compressed
		"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", // .msg, .doc
	} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return true
		}
	}
	return len(head) > 10 && string(head[:4]) == "!BDN" && string(head[8:10]) == "SM" // .pst
}

// OfBinary returns the media type of the most frequent binary files, "" for all others. It is
// needed because the first bytes of these files do not always contain a NUL.
func OfBinary(head []byte) string {
	for _, kind := range [...]struct{ magic, mediaType string }{
		{"%PDF-", "application/pdf"},
		{"\x89PNG\r\n\x1a\n", "image/png"},
		{"\xff\xd8\xff", "image/jpeg"},
		{"GIF87a", "image/gif"},
		{"GIF89a", "image/gif"},
	} {
		if bytes.HasPrefix(head, []byte(kind.magic)) {
			return kind.mediaType
		}
	}
	return ""
}

// OfPacked returns the media type of archives that are not opened, "" for all others.
func OfPacked(head []byte) string {
	switch {
	case len(head) > 10 && string(head[:4]) == "!BDN" && string(head[8:10]) == "SM":
		return "application/vnd.ms-outlook-pst"
	case bytes.HasPrefix(head, []byte("\x37\x7f\x06\x82")), bytes.HasPrefix(head, []byte("\x37\x7f\x06\x83")):
		return "application/x-sqlite3-wal"
	case bytes.HasPrefix(head, []byte("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")):
		return "application/x-sqlite3-journal"
	case bytes.HasPrefix(head, []byte("mozLz40\x00")):
		return "application/x-mozlz4"
	case bytes.HasPrefix(head, []byte("7z\xbc\xaf\x27\x1c")):
		return "application/x-7z-compressed"
	case bytes.HasPrefix(head, []byte("Rar!\x1a\x07")):
		return "application/vnd.rar"
	}
	return ""
}
