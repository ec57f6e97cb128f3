package extract

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"iter"
	"net/url"
	"strings"

	"example.org/refract/extract/container"
)

const (
	zipType  = "application/zip"
	tarType  = "application/x-tar"
	gzipType = "application/gzip" // in messages and crawls, any compressed file
)

// errOffice says that a ZIP archive is a document of an office program, whose members are no documents
// by themselves.
var errOffice = errors.New("extract: an office document")

// zipMembers yields the members of a ZIP archive.
func zipMembers(r io.ReaderAt, size int64, limits Limits) iter.Seq2[Member, error] {
	return func(yield func(Member, error) bool) {
		if isOpenDocument(r) {
			yield(Member{}, errOffice)
			return
		}
		isOffice, encrypted, err := surveyZip(r, size, limits)
		if isOffice {
			err = errOffice
		}
		if err != nil {
			yield(Member{}, err)
			return
		}
		for m, err := range container.Zip(r, size, limits.Members) {
			if err == nil && !m.IsFile {
				continue
			}
			open := m.Open
			if err == nil && encrypted[m.Name] {
				open = func() (io.Reader, error) {
					return nil, &container.UnreadError{Kind: "DRM", Text: "encrypted for digital rights management: not read"}
				}
			}
			if !yield(Member{Name: m.Name, Open: open}, err) {
				return
			}
		}
	}
}

// tarMembers yields the members of a tar archive.
func tarMembers(r io.Reader, limits Limits) iter.Seq2[Member, error] {
	return func(yield func(Member, error) bool) {
		for m, err := range container.Tar(r, limits.Members) {
			if err == nil && !m.IsFile {
				continue
			}
			if !yield(Member{Name: m.Name, Open: m.Open}, err) {
				return
			}
		}
	}
}

// isOpenDocument reports whether a ZIP archive is an OpenDocument: its type is its first member.
func isOpenDocument(r io.ReaderAt) bool {
	var head [128]byte
	n, _ := r.ReadAt(head[:], 0)
	const prefix = "mimetypeapplication/vnd.oasis.opendocument"
	return n > 30 && bytes.HasPrefix(head[30:n], []byte(prefix))
}

// maxEncryption limits the list of encrypted members, in bytes.
const maxEncryption = 1 << 20

// surveyZip reports whether a ZIP archive is a document of Office Open XML, and, for an EPUB, which
// members are encrypted.
func surveyZip(r io.ReaderAt, size int64, limits Limits) (isOffice bool, encrypted map[string]bool, err error) {
	hasTypes, hasFolder := false, false
	for m, err := range container.Zip(r, size, limits.Members) {
		if err != nil {
			if _, isUnread := errors.AsType[*container.UnreadError](err); isUnread {
				break // the members before it are read
			}
			return false, nil, err
		}
		switch folder, _, _ := strings.Cut(m.Name, "/"); folder {
		case "[Content_Types].xml":
			hasTypes = true
		case "word", "xl", "ppt", "visio":
			hasFolder = true
		}
		if m.Name == "META-INF/encryption.xml" {
			encrypted = readEncryption(&m)
		}
	}
	return hasTypes && hasFolder, encrypted, nil
}

// readEncryption returns the members that an EPUB lists as encrypted (EPUB Open Container Format 3.2,
// section 4.2.6.3.2). Obfuscated fonts do not count.
func readEncryption(m *container.Member) map[string]bool {
	r, err := m.Open()
	if err != nil {
		return nil
	}
	if closer, ok := r.(io.Closer); ok {
		defer closer.Close()
	}
	in := xml.NewDecoder(io.LimitReader(r, maxEncryption))
	in.Strict = false
	encrypted := make(map[string]bool)
	algorithm := ""
	for {
		token, err := in.RawToken()
		if err != nil {
			return encrypted
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		for _, a := range start.Attr {
			switch start.Name.Local + "/" + a.Name.Local {
			case "EncryptionMethod/Algorithm":
				algorithm = a.Value
			case "CipherReference/URI":
				name, err := url.PathUnescape(a.Value)
				if err == nil && !strings.HasPrefix(algorithm, "http://www.idpf.org/") && !strings.HasPrefix(algorithm, "http://ns.adobe.com/pdf/enc") {
					encrypted[name] = true
				}
			}
		}
	}
}
