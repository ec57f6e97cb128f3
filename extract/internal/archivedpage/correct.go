package archivedpage

import (
	"bytes"
	"fmt"
)

// maxShown is how many bytes at the beginning of a page are searched for the Date that MHonArc shows.
const maxShown = 64 << 10

// correctMHonArc corrects the values of MHonArc's comments. Their date is that of the last Received field: the page shows that of
// Date. MHonArc makes a Message-ID up for a message that has none.
//
//	<!--X-Head-of-Message-->
//	<li><em>Date</em>: Fri, 4 Oct 2019 21:22:16 +0300</li>
//	<!--X-Head-of-Message-End-->
func correctMHonArc(page []byte, values map[string][]byte) {
	if bytes.HasSuffix(values["Message-ID"], []byte("@NO-ID-FOUND.mhonarc.org")) {
		delete(values, "Message-ID")
	}
	_, head, _ := bytes.Cut(page[:min(len(page), maxShown)], []byte("<!--X-Head-of-Message-->"))
	head, _, ok := bytes.Cut(head, []byte("<!--X-Head-of-Message-End-->"))
	if !ok {
		return
	}
	date := plainValues(map[string][]byte{"Date": shownField(head, "Date")})["Date"]
	if bytes.IndexByte(date, ':') >= 0 && bytes.ContainsAny(date, "0123456789") {
		values["Date"] = date
	}
}

// shownField returns the text behind the name of a field, "<em>Date</em>: ", up to the end of the list item
// or line; nil without it.
func shownField(head []byte, name string) []byte {
	if _, ok := after(&head, ">"+name+"<", ">"); !ok {
		return nil
	}
	value, isField := bytes.CutPrefix(head, []byte(":"))
	if !isField {
		return nil
	}
	value, _, isItem := bytes.Cut(value, []byte("</li>"))
	if !isItem {
		value, _, _ = bytes.Cut(value, []byte{'\n'})
	}
	return withoutTags(value)
}

// correctHypermail replaces a Date without a zone, "Fri Feb 26 08:15:42 1999", by hypermail's own reading
// of it in its zone:
//
//	<!-- isosent="19990226161542" -->
func correctHypermail(values map[string][]byte) {
	utc, date := values["UTC"], bytes.Fields(values["Date"])
	if len(utc) != len("YYYYMMDDhhmmss") || !isNumber(utc) || len(date) == 0 {
		return
	}
	if year := date[len(date)-1]; len(year) == 4 && isNumber(year) {
		values["Date"] = fmt.Appendf(nil, "%s-%s-%sT%s:%s:%sZ", utc[:4], utc[4:6], utc[6:8], utc[8:10], utc[10:12], utc[12:])
	}
}

func isNumber(text []byte) bool { return len(bytes.Trim(text, "0123456789")) == 0 }
