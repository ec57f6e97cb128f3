package archived

import (
	"archive/zip"
	"bufio"
	"path"
	"strings"

	"example.org/refract/internal/cdx"
	"example.org/refract/internal/input"
)

// IsIndex reports whether a file is probably an index, or has one: by its name.
func IsIndex(name string) bool {
	suffix := strings.ToLower(path.Ext(input.Inner(name)))
	return suffix == ".cdx" || suffix == ".cdxj" || suffix == wacz
}

const wacz = ".wacz"

// A Place says where the record of a capture is.
type Place struct {
	Index          string // the file that says so
	URL, Archive   string
	Offset, Length int64 // in the archive; a length of 0 is unknown
}

// Places calls take for the place of each capture in indexes that have it: CDX and CDXJ files, those in
// WACZ files, and those in directories. Unreadable files are left out.
func Places(names []string, take func(Place)) {
	walk := input.Options{NoIgnore: true}
	for file, err := range walk.Files(names) {
		if err != nil || file.Path == "-" {
			continue
		}
		r := reader{take: func(c *cdx.Capture) {
			if c.File != nil && c.URL != nil {
				take(Place{file.Name, string(c.URL), string(c.File), c.Offset, c.Length})
			}
		}}
		if suffix := strings.ToLower(path.Ext(input.Inner(file.Name))); suffix == wacz {
			r.readPackage(file)
		} else {
			r.readIndex(file, suffix, new(Stats))
		}
	}
}

// readPackage reads the indexes in a WACZ file, which are below indexes.
func (r *reader) readPackage(file input.File) {
	z, err := zip.OpenReader(file.Path)
	if err != nil {
		return
	}
	defer z.Close()
	for _, f := range z.File {
		if !strings.HasPrefix(f.Name, "indexes/") || !IsIndex(f.Name) {
			continue
		}
		member, err := f.Open()
		if err != nil {
			continue
		}
		in, _, err := input.Unpack(f.Name, false, member, maxLine)
		if err == nil {
			r.readLines(bufio.NewReaderSize(in, maxLine), file.Name, new(Stats))
		}
		member.Close()
	}
}
