package extract

import (
	"bufio"
	"bytes"
	"io"
	"iter"

	"example.org/refract/extract/container"
	"example.org/refract/extract/internal/outlook"
	"example.org/refract/extract/internal/smime"
	"example.org/refract/extract/message"
)

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
