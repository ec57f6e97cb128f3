// Package archivedpage reads what pages of mailing list archives say about the message that they show:
//
//	<!--X-Message-Id: a@example.org -->   MHonArc
//	<!-- id="a@example.org" -->           hypermail
//	<LINK REL="made" HREF="mailto:…">     pipermail, which is part of Mailman 2 (pages.go)
//	<h2 class="name">                     HyperKitty, which is part of Mailman 3 (pages.go)
//	<span class="zX2W9c">                 Google Groups (pages.go)
package archivedpage

import (
	"bytes"
	"html"
	"slices"
)

// maxComments is how many bytes at the beginning of a page are searched for such comments.
const maxComments = 16 << 10

// pageFields maps the names in comments to the fields of mail that they stand for.
var pageFields = map[string]string{
	"X-Subject": "Subject", "X-From": "From", "X-From-R13": "From", "X-Date": "Date", "X-Message-Id": "Message-ID", "X-Reference": "References",

	"sent": "Date", "isosent": "UTC", "email": "From", "name": "Name", "subject": "Subject", "id": "Message-ID", "inreplyto": "In-Reply-To",
}

// Header returns a mail header with the fields that the page gives for the message that it shows, or nil if
// it shows none, or several.
func Header(page []byte) []byte {
	for _, of := range []func([]byte) []byte{comments, pipermail, hyperkitty, googleGroups} {
		if header := of(page); header != nil {
			return header
		}
	}
	return nil
}

// comments returns a header with the fields in the comments at the beginning of a page, or nil if they name no message.
// hypermail writes comments with an id and a sender or date; "id" alone may be anything.
func comments(page []byte) []byte {
	head := page[:min(len(page), maxComments)]
	if !bytes.Contains(head, []byte("<!--X-Message-Id:")) && !bytes.Contains(head, []byte(`<!-- id="`)) {
		return nil
	}
	values := map[string][]byte{}
	var references []byte
	for {
		_, rest, ok := bytes.Cut(head, []byte("<!--"))
		comment, rest, closed := bytes.Cut(rest, []byte("-->"))
		if !ok || !closed {
			break
		}
		head = rest
		name, value := pageField(bytes.TrimSpace(comment))
		switch field := pageFields[name]; {
		case field == "":
		case field == "References":
			references = append(append(append(references, " <"...), value...), '>')
		case values[field] == nil:
			values[field] = value
		}
	}
	if values["Message-ID"] == nil || values["Date"] == nil && values["From"] == nil && values["Subject"] == nil {
		return nil
	}
	correctMHonArc(page, values)
	correctHypermail(values)
	return header(values, references)
}

// header returns a header with the given fields, and References if there are any. "Name" is the name that
// belongs to From.
func header(values map[string][]byte, references []byte) []byte {
	if name := values["Name"]; len(name) > 0 {
		values["From"] = slices.Concat([]byte{'"'}, bytes.ReplaceAll(name, []byte{'"'}, []byte{'\''}), []byte(`" <`), values["From"], []byte{'>'})
	}
	var header []byte
	for _, field := range []string{"From", "Date", "Subject", "Message-ID", "In-Reply-To"} {
		value := values[field]
		if value == nil {
			continue
		}
		if field == "Message-ID" || field == "In-Reply-To" {
			value = append(append([]byte("<"), bytes.Trim(value, "<> ")...), '>')
		}
		header = append(append(append(append(header, field...), ": "...), value...), '\n')
	}
	if references != nil {
		header = append(append(append(header, "References:"...), references...), '\n')
	}
	return append(header, '\n')
}

// pageField returns the name and the decoded value of a comment: "X-Date: value" or `sent="value"`; "" if
// it is neither.
func pageField(comment []byte) (name string, value []byte) {
	before, value, ok := bytes.Cut(comment, []byte(": "))
	if !ok || !bytes.HasPrefix(before, []byte("X-")) {
		before, value, ok = bytes.Cut(comment, []byte(`="`))
		if !ok || !bytes.HasSuffix(value, []byte(`"`)) {
			return "", nil
		}
		value = value[:len(value)-1]
	}
	value = []byte(html.UnescapeString(string(value)))
	if string(before) == "X-From-R13" {
		value = bytes.Map(unrotate, value)
	}
	return string(before), oneLine(value)
}

// oneLine returns value without control characters: a line break would end the field.
func oneLine(value []byte) []byte {
	return bytes.TrimSpace(bytes.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, value))
}

// unrotate undoes the rotation of letters by MHonArc, which includes "@" and "[".
func unrotate(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z':
		return 'a' + (r-'a'+13)%26
	case '@' <= r && r <= '[':
		return '@' + (r-'@'+14)%28
	}
	return r
}
