package archivedpage

import (
	"bytes"
	"html"

	"example.org/refract/internal/ascii"
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
		values["Message-ID"] = oneLine(ascii.UnescapeAll(id))
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

// hyperkitty returns a header for a page of one message as HyperKitty writes it, nil for a thread. The time
// is that of the server, which the page does not name. The address of the sender is not in the page, and
// the Message-ID only if the list can be answered. An address stands in place of a missing name, with
// U+FF20 for "@".
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
		values["Message-ID"] = ascii.UnescapeAll(id)
	}
	plain := plainValues(values)
	if name := plain["Name"]; bytes.Contains(name, []byte("\uFF20")) && bytes.IndexByte(name, ' ') < 0 {
		plain["From"] = bytes.ReplaceAll(name, []byte("\uFF20"), []byte{'@'})
		delete(plain, "Name")
	}
	return header(plain, nil)
}

// Limits of what is searched of a page of Google Groups: its scripts come before its text.
const (
	maxGoogleHead = 64 << 10 // for the name of the host
	maxGoogle     = 4 << 20
)

// googleGroups returns a header for a page of Google Groups that shows one message, nil for more. No real
// page was at hand: the form is what several published programs read there, from 2020 on. The time is that
// of the reader, whose zone the page does not name. There is no Message-ID, and no whole address.
//
//	<h1 class="KPwZRb gKR4Fb"><html-blob>Subject</html-blob></h1>
//	<h3 class="s1f8Zd">Name</h3>
//	<span class="zX2W9c">Jul 13, 2023, 7:31:18 PM (2 days ago)</span>
func googleGroups(page []byte) []byte {
	if !bytes.Contains(page[:min(len(page), maxGoogleHead)], []byte("groups.google.com")) {
		return nil
	}
	const name, date = `<h3 class="s1f8Zd">`, `<span class="zX2W9c">`
	page = page[:min(len(page), maxGoogle)]
	if bytes.Count(page, []byte(name)) != 1 || bytes.Count(page, []byte(date)) != 1 {
		return nil
	}
	values := map[string][]byte{}
	for _, f := range []struct{ field, open, end string }{{"Subject", `<h1 class="KPwZRb`, "</h1>"}, {"Name", name, "</h3>"}, {"Date", date, "</span>"}} {
		head := page
		if value, ok := after(&head, f.open, f.end); ok {
			values[f.field] = value
		}
	}
	if values["Name"] == nil || values["Date"] == nil {
		return nil
	}
	_, values["Subject"], _ = bytes.Cut(values["Subject"], []byte{'>'})
	for field, value := range values {
		values[field] = withoutTags(value)
	}
	return header(plainValues(values), nil)
}

// after returns the text in src from behind open to end, and sets src to what follows. ok is false if they
// do not occur.
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
