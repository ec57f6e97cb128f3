package warc

import (
	"bytes"
	"path"
	"strings"

	"example.org/refract/internal/container"
	"example.org/refract/internal/input"
)

// WACZType is the media type of a WACZ file.
const WACZType = "application/wacz"

// DescriptionName is the name of the member of a WACZ file that describes the others.
const DescriptionName = "datapackage.json"

// A Use says what a member of a WACZ file is for (version 1.2.0 of its specification), a ZIP archive of a crawl:
//
//	archive/     archives of crawlers
//	pages/       lists of pages, a JSON object in each line
//	indexes/     CDX or CDXJ files
//	datapackage.json
//
// The archives are read, and the lists and indexes as lists of URLs. The description, and indexes of indexes, hold
// nothing else. Other files, such as logs, are about the work of the crawler itself.
type Use uint8

const (
	LogFile         Use = iota // about the work of the crawler
	ArchiveFile                // an archive of a crawler
	ListFile                   // of URLs
	DescriptionFile            // of other members
)

// UseOf returns what the member with a name is for.
func UseOf(name string) Use {
	folder, _, _ := strings.Cut(name, "/")
	ext := suffix(name)
	switch {
	case folder == "archive" && IsArchive(name):
		return ArchiveFile
	case folder == "pages" && ext == ".jsonl", folder == "indexes" && (ext == ".cdx" || ext == ".cdxj"):
		return ListFile
	case name == DescriptionName, name == "datapackage-digest.json", folder == "indexes" && ext == ".idx":
		return DescriptionFile
	}
	return LogFile
}

// IsArchive reports whether name is that of an archive of a crawler.
func IsArchive(name string) bool {
	ext := suffix(name)
	return ext == ".warc" || ext == ".arc"
}

// suffix returns the suffix of a name without that of a compressed file, in lower case.
func suffix(name string) string { return strings.ToLower(path.Ext(input.Inner(name))) }

// IsWACZ reports whether a file that begins with head is a WACZ, by the name of its first member.
func IsWACZ(head []byte) bool {
	if !container.IsZip(head) || len(head) < 30 {
		return false
	}
	name := head[30:min(len(head), 30+(int(head[26])|int(head[27])<<8))]
	return bytes.HasPrefix(name, []byte("archive/")) && IsArchive(string(name)) || string(name) == "pages/pages.jsonl" ||
		bytes.HasPrefix(name, []byte("indexes/index.cdx"))
}
