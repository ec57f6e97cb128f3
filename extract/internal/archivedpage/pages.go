package archivedpage

import (
	"bytes"
	"html"
	"net/url"
)

// pipermail returns a header for a page of one message as pipermail writes it:
//
//	<LINK REL="made" HREF="mailto:list%40example.org?Subject=…&In-Reply-To=%3C1%40example.org%3E">
//	<H1>Subject</H1>
//	 <B>Name</B>
//	 <A HREF="mailto:…" TITLE="…">ann at example.org
//	    </A><BR>
//	 <I>Mon May 14 07:54:00 MDT 2012</I>
//	<!--beginarticle-->
func pipermail(page []byte) []byte {
	head, _, ok := bytes.Cut(page[:min(len(page), maxComments)], []byte("<!--beginarticle-->"))
	if !ok {
		return nil
	}
	made, ok := after(&head, `<LINK REL="made" HREF="mailto:`, `"`)
	if !ok {
		return nil
	}
	values := map[string][]byte{}
	if _, id, ok := bytes.Cut(made, []byte("In-Reply-To=")); ok {
		id, _, _ = bytes.Cut(id, []byte{'&'})
		if plain, err := url.PathUnescape(string(id)); err == nil {
			values["Message-ID"] = oneLine([]byte(plain))
		}
	}
	for _, f := range []struct{ field, open, end string }{
		{"Subject", "<H1>", "</H1>"}, {"Name", "<B>", "</B>"}, {"From", "<A HREF=", "</A>"}, {"Date", "<I>", "</I>"},
	} {
		value, ok := after(&head, f.open, f.end)
		if !ok {
			return nil
		}
		values[f.field] = value
	}
	if values["Message-ID"] == nil {
		return nil
	}
	_, values["From"], _ = bytes.Cut(values["From"], []byte{'>'})
	return header(plainValues(values), nil)
}

// maxHyperKitty is how many bytes at the beginning of a page are searched for what HyperKitty writes.
const maxHyperKitty = 64 << 10

// hyperkitty returns a header for a page of one message as HyperKitty writes it, nil for a thread. The time is that of the
// server, which the page does not name. The address of the sender is not in the page, and the Message-ID only if the list
// can be answered.
//
//	<h1>Subject</h1>
//	<div id="…" class="email-header">
//	<h2 class="name"><a href="…">Name</a></h2>
//	<span class="date d-none d-sm-inline">21 Nov 1997</span>
//	<span title="Sender's time: …">9:55 a.m.</span>
//	href="mailto:…?Subject=…&amp;In-Reply-To=&lt;1@example.org&gt;"
func hyperkitty(page []byte) []byte {
	head := page[:min(len(page), maxHyperKitty)]
	if bytes.Count(head, []byte(`class="email-header"`)) != 1 {
		return nil
	}
	subject, _ := after(&head, "<h1>", "</h1>")
	_, isMessage := after(&head, `class="email-header"`, ">")
	name, hasName := after(&head, `<h2 class="name">`, "</h2>")
	if !isMessage || !hasName {
		return nil
	}
	values := map[string][]byte{"Subject": subject, "Name": withoutTags(name)}
	day, hasDay := after(&head, `<span class="date d-none d-sm-inline">`, "</span>")
	_, hasTime := after(&head, `<div class="time">`, "<span ")
	_, isShown := after(&head, `title="`, `">`)
	if clock, _, ok := bytes.Cut(head, []byte("</span>")); ok && hasDay && hasTime && isShown {
		values["Date"] = append(append(bytes.Clone(day), ' '), clock...)
	}
	if id, ok := after(&head, "In-Reply-To=&lt;", "&gt;"); ok {
		if plain, err := url.PathUnescape(string(id)); err == nil {
			values["Message-ID"] = []byte(plain)
		}
	}
	return header(plainValues(values), nil)
}

// after returns the text in src from behind open to end, and sets src to what follows. ok is false if they do not occur.
func after(src *[]byte, open, end string) (text []byte, ok bool) {
	_, rest, ok := bytes.Cut(*src, []byte(open))
	if !ok {
		return nil, false
	}
	text, rest, ok = bytes.Cut(rest, []byte(end))
	if ok {
		*src = rest
	}
	return text, ok
}

// plainValues undoes the quoting of HTML in values.
func plainValues(values map[string][]byte) map[string][]byte {
	for name, value := range values {
		values[name] = bytes.Join(bytes.Fields(oneLine([]byte(html.UnescapeString(string(value))))), []byte{' '})
	}
	return values
}

// withoutTags returns text without its tags.
func withoutTags(text []byte) (plain []byte) {
	for len(text) > 0 {
		before, rest, _ := bytes.Cut(text, []byte{'<'})
		plain = append(plain, before...)
		_, text, _ = bytes.Cut(rest, []byte{'>'})
	}
	return plain
}
