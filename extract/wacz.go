package extract

import (
	"bytes"
	"io"
	"path"
	"strings"

	"example.org/refract/extract/container"
	"example.org/refract/internal/input"
)

// A WACZ file (version 1.2.0 of its specification) is a ZIP archive of a crawl:
//
//	archive/     archives of crawlers
//	pages/       lists of pages, a JSON object in each line
//	indexes/     CDX or CDXJ files
//	datapackage.json
//
// The archives are read, and the lists and indexes as lists of URLs. The description, and indexes of indexes, hold
// nothing else. Other files, such as logs, are about the work of the crawler itself.
const (
	waczType        = "application/wacz"
	waczDescription = "datapackage.json"
)

// sniffWACZ recognises a file by the name of its first member.
func sniffWACZ(head []byte) bool {
	if !container.IsZip(head) || len(head) < 30 {
		return false
	}
	name := head[30:min(len(head), 30+(int(head[26])|int(head[27])<<8))]
	return bytes.HasPrefix(name, []byte("archive/")) && warcName(string(name)) || string(name) == "pages/pages.jsonl" ||
		bytes.HasPrefix(name, []byte("indexes/index.cdx"))
}

// warcName reports whether name is that of an archive of a crawler.
func warcName(name string) bool {
	switch suffix(input.Inner(name)) {
	case ".warc", ".arc":
		return true
	}
	return false
}

// waczMembers yields the members of a WACZ file.
func waczMembers(r io.ReaderAt, size int64, limits Limits, yield func(Member, error) bool) {
	for m, err := range container.Zip(r, size, limits.Members) {
		if err == nil && !m.IsFile {
			continue
		}
		member, isRead := Member{Name: m.Name, Open: m.Open}, true
		if err == nil {
			isRead = member.readInWACZ()
		}
		if isRead && !yield(member, err) {
			return
		}
	}
}

// readInWACZ sets how m, a member of a WACZ file, is read. It returns false for files that only describe others.
func (m *Member) readInWACZ() bool {
	folder, _, _ := strings.Cut(m.Name, "/")
	inner := input.Inner(m.Name)
	switch {
	case folder == "archive" && warcName(m.Name):
	case folder == "pages" && suffix(inner) == ".jsonl", folder == "indexes" && (suffix(inner) == ".cdx" || suffix(inner) == ".cdxj"):
		m.format = builtin().types[indexType]
	case m.Name == waczDescription, m.Name == "datapackage-digest.json", folder == "indexes" && suffix(inner) == ".idx":
		return false
	default:
		m.Open = func() (io.Reader, error) {
			return nil, &container.UnreadError{Kind: crawlerRecord, Text: "a file of the crawler about itself (" + path.Base(m.Name) + "): not read"}
		}
	}
	return true
}
