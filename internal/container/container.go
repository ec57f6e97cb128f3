// Package container reads the members of archives: ZIP, also as jar, wheel and the like, and tar. Use it
// to walk through an archive of unknown origin; package extract also reads the references in its members.
//
// An archive is input from anywhere. Names may be of any kind ("../x", "/x", with NUL, up to a limit
// of 4,096 bytes); they are only for display, and nothing is ever written to a disk. Sizes and
// checksums are compared with what the archive says. An error concerns one member if its reader
// returns it, and otherwise the rest of the archive.
//
// # Complexity
//
// Time is linear in the archive, not counting the bytes that members decompress to: no two members of
// a ZIP archive share bytes, since those that overlap are refused. Memory is 32 bytes for each member
// of a ZIP archive, and for tar a name, whatever the size of the archive.
package container

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// A Member is a file in an archive.
type Member struct {
	Name string // with forward slashes, as in the archive, without what follows a NUL; cut after 4,096 bytes

	// Size is the number of bytes that the archive gives, decompressed.
	Size int64

	// IsFile is false for directories, links and devices, which have no content of their own.
	IsFile bool

	// Open returns a reader of the content. It returns an *UnreadError if the member is of a kind that
	// is not read. The reader returns an error instead of io.EOF if the content is damaged. Open is
	// called at most once, before the next Member is asked for; the reader is valid until then.
	Open func() (io.Reader, error)
}

// An UnreadError says that something is sound, but of a kind that is not read.
type UnreadError struct {
	Kind string // short, for counting: "encrypted ZIP"
	Text string // for people
}

func (e *UnreadError) Error() string { return e.Text }

// maxName limits names, in bytes. Operating systems allow no longer paths; each reference in a member
// repeats the name.
const maxName = 4096

// shownName returns the name of a member, as UTF-8 where that is certain. Names are in UTF-8, or in
// the charset of the first PC (APPNOTE.TXT, appendix D), which isPC selects for other bytes.
func shownName(name []byte, isPC bool) string {
	if i := bytes.IndexByte(name, 0); i >= 0 {
		name = name[:i]
	}
	if isPC && !utf8.Valid(name) {
		decoded, err := charmap.CodePage437.NewDecoder().Bytes(name)
		if err == nil {
			name = decoded
		}
	}
	if len(name) > maxName {
		name = cut(name)
	}
	return string(name)
}

// cut returns the beginning and the suffix of a name that is too long.
func cut(name []byte) []byte {
	suffix := name[max(bytes.LastIndexByte(name, '.'), len(name)-16):]
	n := maxName - len(suffix)
	for n > 0 && !utf8.RuneStart(name[n]) && n > maxName-32 {
		n--
	}
	return append(bytes.Clone(name[:n]), suffix...)
}

// isDirectory reports whether a name is that of a directory.
func isDirectory(name string) bool { return strings.HasSuffix(name, "/") }

func errTooMany(limit int) error {
	return &UnreadError{Kind: "large archive", Text: fmt.Sprintf("more than %d members: the rest is not read", limit)}
}
