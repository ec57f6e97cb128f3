package output

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/extract"
	"example.org/refract/internal/ascii"
)

// An Age says how the dates of references decide which records to write.
type Age uint8

const (
	AnyAge   Age = iota
	Oldest       // --unique=earliest: of each key, the reference with the first date
	First        // --unique=first: each URL with its dates, by the first one
	Last         // --unique=last: the same, by the last date
	Archived     // --archived: each URL with the captures around its first date
)

// isHistory reports whether each URL is written once, with what is known about it.
func (a Age) isHistory() bool { return a == First || a == Last || a == Archived }

// noDate sorts behind all dates, and has their length.
const noDate = "9999-99-99T99:99:99Z"

// sortableDate returns the date of ref in UTC, or noDate.
func sortableDate(ref *extract.Reference) string {
	if text := dateText(ref, "2006-01-02T15:04:05Z"); len(text) == len(noDate) {
		return text
	}
	return noDate
}

// endDated ends a record that begins at b.Out[start:] and b.Keys[key:]: its key gets the date of ref, and
// the record contains its key. Sorted records of one key follow each other, by their dates.
func (b *Block) endDated(start, key int, ref *extract.Reference) {
	date := sortableDate(ref)
	line := bytes.Clone(b.Out[start:])
	k := b.Keys[key:]
	b.Out = binary.BigEndian.AppendUint32(b.Out[:start], uint32(len(k)))
	b.Out = append(append(append(b.Out, k...), date...), line...)
	b.Keys = append(append(b.Keys, 0), date...)
	b.endRecord()
}

// trace appends the record of ref for First, Last and Archived: URL, sender, message and date, separated by NUL.
func (r *Renderer) trace(b *Block, name string, ref *extract.Reference, url, canonical []byte) {
	if url == nil {
		return
	}
	if canonical != nil {
		url = canonical
	}
	start := len(b.Out)
	b.Out = append(ascii.AppendLine(b.Out, url), 0)
	sender, m := senderOf(ref), ref.Message()
	if r.Age == Archived {
		sender, m = "", nil // one record for each date
	}
	b.Out = append(ascii.AppendLine(b.Out, sender), 0)
	switch {
	case m != nil && m.ID != "":
		b.Out = ascii.AppendLine(b.Out, m.ID)
	case m != nil:
		_, member := b.MemberOf(name, ref.Entity)
		b.Out = ascii.AppendLine(ascii.AppendLine(ascii.AppendLine(ascii.AppendLine(b.Out, name), member), m.Date), m.Subject)
	}
	b.Out = append(append(b.Out, 0), sortableDate(ref)...)
	b.Keys = append(b.Keys, b.Out[start:]...)
	b.Out = append(b.Out, '\n')
	b.endRecord()
}

// A History puts the sorted records of a run with an Age together. Its zero value, with Renderer and Emit
// set, is ready.
type History struct {
	Renderer *Renderer
	Emit     func(key, line []byte) error // line is to be written in the order of the keys

	current     []byte // what the records so far are about; nil: there was none
	sender, id  []byte
	first, last string
	messages    int
	senders     int
}

// Add adds the next record.
func (h *History) Add(record []byte) error {
	if h.Renderer.Age == Oldest {
		n := int(binary.BigEndian.Uint32(record))
		key, rest := record[4:4+n], record[4+n:]
		if h.current != nil && bytes.Equal(key, h.current) {
			return nil
		}
		h.current = append(make([]byte, 0, n), key...)
		return h.Emit(append(append([]byte{}, rest[:len(noDate)]...), key...), rest[len(noDate):])
	}
	parts := bytes.SplitN(record[:len(record)-1], []byte{0}, 4)
	url, sender, id, date := parts[0], parts[1], parts[2], string(parts[3])
	isNew := h.current == nil || !bytes.Equal(url, h.current)
	if isNew {
		if err := h.Flush(); err != nil {
			return err
		}
		h.current = append(make([]byte, 0, len(url)), url...)
		h.first, h.last, h.messages, h.senders = noDate, "", 0, 0
	}
	otherSender := isNew || !bytes.Equal(sender, h.sender)
	if otherSender && len(sender) > 0 {
		h.senders++
	}
	if (otherSender || !bytes.Equal(id, h.id)) && len(id) > 0 {
		h.messages++
	}
	h.sender, h.id = append(h.sender[:0], sender...), append(h.id[:0], id...)
	if date != noDate {
		h.first, h.last = min(h.first, date), max(h.last, date)
	}
	return nil
}

// Flush emits the line of the last records.
func (h *History) Flush() error {
	if h.current == nil || h.Renderer.Age == Oldest {
		return nil
	}
	key := h.first
	if h.Renderer.Age == Last && h.last != "" {
		key = h.last
	}
	if h.first == noDate {
		h.first = ""
	}
	return h.Emit(append([]byte(key), h.current...), h.line())
}

// ReadTrace returns the URL and the date in a record of an Age; the date is "" if it is not known.
func ReadTrace(record []byte) (url []byte, date string) {
	parts := bytes.SplitN(record[:len(record)-1], []byte{0}, 4)
	date = string(parts[3])
	if date == noDate {
		date = ""
	}
	return parts[0], date
}

// historyColumns are the columns of First and Last, archivedColumns those of Archived.
var (
	historyColumns  = []string{"first", "last", "messages", "senders", "url"}
	archivedColumns = []string{"url", "before", "after", "date"}
)

// A Capture is a line of --archived.
type Capture struct {
	Type       string `json:"type"` // "archived"
	URL        string `json:"url"`
	Date       string `json:"date,omitempty"`
	Before     string `json:"before,omitempty"`
	After      string `json:"after,omitempty"`
	OnlyOthers bool   `json:"only_others,omitempty"`
}

// AppendCapture appends the line about c.
func (r *Renderer) AppendCapture(line []byte, c *Capture) []byte {
	if r.Format.IsJSON {
		c.Type = "archived"
		return jsontext.AppendLine(line, c)
	}
	for i, cell := range []string{c.URL, c.Before, c.After, c.Date} {
		switch {
		case i > 0 && r.Format == CSV:
			line = append(line, r.Cells.separator())
		case i > 0:
			line = append(line, '\t')
		}
		switch {
		case r.Format == CSV:
			line = appendCell(line, []byte(cell), r.Cells)
		case r.Terminal:
			line = cli.AppendVisible(line, []byte(cell))
		default:
			line = append(line, cell...)
		}
	}
	if r.Format == CSV {
		return r.Cells.endLine(line)
	}
	return append(line, '\n')
}

// line returns the line about h.current.
func (h *History) line() []byte {
	r := h.Renderer
	if r.Format.IsJSON {
		line := map[string]any{"type": "history", "url": string(h.current), "messages": h.messages, "senders": h.senders}
		if h.first != "" {
			line["first"], line["last"] = h.first, h.last
		}
		return jsontext.AppendLine(nil, line)
	}
	separator := byte('\t')
	if r.Format == CSV {
		separator = r.Cells.separator()
	}
	line := append(append([]byte(h.first), separator), h.last...)
	line = strconv.AppendInt(append(line, separator), int64(h.messages), 10)
	line = append(strconv.AppendInt(append(line, separator), int64(h.senders), 10), separator)
	switch {
	case r.Format == CSV:
		line = appendCell(line, h.current, r.Cells)
	case r.Terminal:
		line = cli.AppendVisible(line, h.current)
	default:
		line = append(line, h.current...)
	}
	if r.Format == CSV {
		return r.Cells.endLine(line)
	}
	return append(line, '\n')
}
