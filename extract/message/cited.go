package message

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"example.org/refract/extract/scan"
)

// maxSubject is the number of characters of a subject that are kept, and maxReferences the number of
// Message-IDs of References: the first, and the last ones.
const (
	maxSubject    = 80
	maxReferences = 101
)

// isCited reports whether e has a field by which a message is cited. Text that claims to be a message has
// none: it belongs to the message around it.
func (s *Scanner) isCited(e *entity) bool {
	return slices.ContainsFunc(s.fields[e.field:e.fields], func(f field) bool {
		return f.name == fieldMessageID || f.name == fieldFrom || f.name == fieldDate || f.name == fieldSubject
	})
}

// message returns the citation data of e; for an Outline only its ID.
func (s *Scanner) message(e *entity) *scan.Message {
	var m scan.Message
	if s.Outline {
		if f := s.find(e, fieldMessageID); f != nil {
			m.ID = messageID(f.value(s.src))
		}
		return &m
	}
	for i := range s.fields[e.field:e.fields] {
		f := &s.fields[e.field+i]
		value := bytes.TrimSpace(f.value(s.src))
		switch f.name {
		case fieldMessageID:
			if m.ID == "" {
				m.ID = messageID(value)
			}
		case fieldDate:
			if m.Date == "" {
				m.Date = string(value)
				if f.words {
					value = []byte(s.plainWords(value))
				}
				m.Time, _ = parseDate(value)
			}
		case fieldFrom:
			if m.From == "" && m.FromName == "" {
				m.From, m.FromName = s.sender(value)
			}
		case fieldInReplyTo:
			if ids := messageIDs(value, 1); len(ids) > 0 && m.InReplyTo == "" {
				m.InReplyTo = ids[0]
			}
		case fieldReferences:
			if m.References == nil {
				m.References = messageIDs(value, maxReferences)
			}
		case fieldListID:
			if i := bytes.LastIndexByte(value, '<'); i >= 0 {
				value = value[i+1:]
			}
			setFirst(&m.ListID, bytes.TrimRight(value, "> \t"))
		case fieldNewsgroups:
			setFirst(&m.Newsgroups, bytes.Join(bytes.Fields(value), nil))
		case fieldSubject:
			if m.Subject == "" {
				m.Subject = s.subject(f)
			}
		}
	}
	return &m
}

// messageID returns the value of a Message-ID without brackets.
func messageID(value []byte) string { return string(bytes.Trim(value, " \t\r\n<>")) }

// setFirst sets *to to value if *to is "".
func setFirst(to *string, value []byte) {
	if *to == "" {
		*to = string(value)
	}
}

// subject returns the value of f, a Subject, decoded and cut.
func (s *Scanner) subject(f *field) string { return cutSubject(s.decoded(f).b) }

// cutSubject returns the first maxSubject characters of text, with one space in place of white space, and
// one U+FFFD in place of bytes that are not UTF-8. It reads no further: some subjects have 200 KB.
func cutSubject(text []byte) string {
	kept := make([]byte, 0, maxSubject) // more only if it is not ASCII
	n, isGap, isInvalid := 0, false, false
	for at, size := 0, 0; at < len(text) && n < maxSubject; at += size {
		var r rune
		r, size = utf8.DecodeRune(text[at:])
		wasInvalid := isInvalid
		isInvalid = r == utf8.RuneError && size == 1
		switch {
		case unicode.IsSpace(r):
			isGap = n > 0
			continue
		case isInvalid && wasInvalid:
			continue
		case isGap:
			kept, n, isGap = append(kept, ' '), n+1, false
		}
		if n < maxSubject {
			kept, n = utf8.AppendRune(kept, r), n+1
		}
	}
	return string(kept)
}

// messageIDs returns the Message-IDs in angle brackets in value; if there are more than limit, the first
// and the last ones.
func messageIDs(value []byte, limit int) (ids []string) {
	n := bytes.Count(value, []byte{'<'})
	for i := 0; len(value) > 0; i++ {
		_, rest, ok := bytes.Cut(value, []byte{'<'})
		if !ok {
			break
		}
		value = rest
		id, rest, ok := bytes.Cut(value, []byte{'>'})
		if !ok {
			break
		}
		if id = bytes.TrimSpace(id); len(id) > 0 && bytes.IndexByte(id, '<') < 0 && (i == 0 || i > n-limit) {
			ids = append(ids, string(id))
		}
		if bytes.IndexByte(id, '<') < 0 {
			value = rest
		}
	}
	return ids
}
