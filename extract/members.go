package extract

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
	"path"
	"strings"

	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/internal/odf"
	"example.org/refract/extract/internal/outlook"
	"example.org/refract/extract/internal/smime"
	"example.org/refract/extract/internal/warc"
	"example.org/refract/extract/message"
	"example.org/refract/internal/container"
	"example.org/refract/internal/zipdoc"
)

const (
	zipType  = mediatype.ZIP
	tarType  = "application/x-tar"
	gzipType = mediatype.Gzip // in messages and crawls, any compressed file
)

// errOffice says that a ZIP archive is an office document, whose members are not documents by themselves.
var errOffice = errors.New("extract: an office document")

// crawlerRecord is the kind of a record for which isOwnRecord.
const crawlerRecord = "crawler record"

// zipMembers yields the members of a ZIP archive. What kind of package it is, its members decide.
func zipMembers(r io.ReaderAt, size int64, limits Limits) iter.Seq2[Member, error] {
	return func(yield func(Member, error) bool) {
		var head [128]byte
		n, _ := r.ReadAt(head[:], 0)
		kind, err := surveyZip(r, size, limits)
		switch {
		case err != nil:
			yield(Member{}, err)
		case kind == isODF || odf.Kind(head[:n]) != "":
			odfMembers(zipdoc.Open(r, size, limits.Members), yield)
		case kind == isOffice:
			ooxmlMembers(zipdoc.Open(r, size, limits.Members), yield)
		case kind == isVisio:
			yield(Member{}, errOffice)
		case kind == isCrawl:
			waczMembers(r, size, limits, yield)
		case kind == isBook || zipdoc.IsEPUB(head[:n]):
			epubMembers(zipdoc.Open(r, size, limits.Members), yield)
		default:
			plainMembers(r, size, limits, yield)
		}
	}
}

// plainMembers yields the members of a ZIP archive that is no package.
func plainMembers(r io.ReaderAt, size int64, limits Limits, yield func(Member, error) bool) {
	for m, err := range container.Zip(r, size, limits.Members) {
		if err == nil && !m.IsFile {
			continue
		}
		if !yield(Member{Name: m.Name, Open: m.Open}, err) {
			return
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

// waczMembers yields the members of a WACZ file.
func waczMembers(r io.ReaderAt, size int64, limits Limits, yield func(Member, error) bool) {
	for m, err := range container.Zip(r, size, limits.Members) {
		if err == nil && !m.IsFile {
			continue
		}
		member, use := Member{Name: m.Name, Open: m.Open}, warc.ArchiveFile
		if err == nil {
			use = warc.UseOf(m.Name)
		}
		switch use {
		case warc.ListFile:
			member.format = &indexFormat
		case warc.LogFile:
			member.Open = func() (io.Reader, error) {
				return nil, &container.UnreadError{Kind: crawlerRecord, Text: "a file of the crawler about itself (" + path.Base(m.Name) + "): not read"}
			}
		}
		if use != warc.DescriptionFile && !yield(member, err) {
			return
		}
	}
}

// A zipKind is what the names of its members say about a ZIP archive.
type zipKind uint8

const (
	isPlain  zipKind = iota
	isOffice         // of Office Open XML
	isVisio          // the same, of a program whose drawings are not read
	isODF            // an OpenDocument
	isBook           // an EPUB
	isCrawl          // a WACZ
)

// surveyZip returns the kind of a ZIP archive.
func surveyZip(r io.ReaderAt, size int64, limits Limits) (kind zipKind, err error) {
	hasTypes, hasContent, hasManifest := false, false, false
	hasCrawl, hasDescription := false, false
	for m, err := range container.Zip(r, size, limits.Members) {
		if err != nil {
			if _, isUnread := errors.AsType[*container.UnreadError](err); isUnread {
				break // the members before it are read
			}
			return isPlain, err
		}
		switch folder, _, _ := strings.Cut(m.Name, "/"); folder {
		case "[Content_Types].xml":
			hasTypes = true
		case "content.xml":
			hasContent = true
		case "word", "xl", "ppt":
			kind = max(kind, isOffice)
		case "visio":
			kind = max(kind, isVisio)
		case "archive":
			hasCrawl = hasCrawl || warc.IsArchive(m.Name)
		case warc.DescriptionName:
			hasDescription = true
		case "META-INF":
			hasManifest = hasManifest || m.Name == odf.ManifestName
			if m.Name == zipdoc.ContainerName || m.Name == zipdoc.EncryptionName {
				kind = isBook
			}
		}
	}
	switch {
	case kind == isBook:
	case hasCrawl && hasDescription && kind == isPlain:
		return isCrawl, nil
	case hasContent && hasManifest:
		return isODF, nil
	case !hasTypes:
		return isPlain, nil
	}
	return kind, nil
}

const smimeType = "application/pkcs7-mime"

// tnefMembers yields the members of a message in TNEF.
func tnefMembers(r io.ReaderAt, size int64, _ Limits) iter.Seq2[Member, error] {
	return outlookMembers(outlook.TNEF(r, size))
}

// msgMembers yields the members of a .msg file. Other compound files are documents of older office programs.
func msgMembers(r io.ReaderAt, size int64, _ Limits) iter.Seq2[Member, error] {
	return outlookMembers(outlook.Msg(r, size))
}

func outlookMembers(members iter.Seq2[outlook.Member, error]) iter.Seq2[Member, error] {
	return func(yield func(Member, error) bool) {
		for m, err := range members {
			if err == outlook.ErrNoMessage {
				err = errOffice
			}
			if !yield(Member{Name: m.Name, Type: m.Type, Open: m.Open}, err) {
				return
			}
		}
	}
}

// smimeMembers yields the content of a signed message, a MIME entity (RFC 8551 section 3.5.2). Signed
// documents of other kinds also occur.
func smimeMembers(r io.ReaderAt, size int64, _ Limits) iter.Seq2[Member, error] {
	return func(yield func(Member, error) bool) {
		content, err := smime.Content(r, size)
		if err == smime.ErrEncrypted {
			err = &container.UnreadError{Kind: "encrypted S/MIME", Text: "an encrypted message (S/MIME): not read"}
		}
		if err != nil {
			yield(Member{}, err)
			return
		}
		if content == nil {
			return
		}
		in := bufio.NewReaderSize(content, 4096)
		head, _ := in.Peek(4096) // an error comes again
		mediaType := ""
		if message.IsEntity(head) {
			mediaType = messageType
		}
		yield(Member{Name: "content", Type: mediaType, Open: func() (io.Reader, error) { return in, nil }}, nil)
	}
}

// isWinmail reports whether a file has the name that Outlook gives to TNEF.
func isWinmail(name string) bool { return bytes.EqualFold([]byte(name), []byte("winmail.dat")) }
