package extract

import (
	"net/url"
	"slices"
	"strings"

	"example.org/refract/base"
	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/internal/robots"
	"example.org/refract/extract/internal/warc"
	"example.org/refract/extract/scan"
)

// enter descends into an entity of the current one (the 1997 draft, section 5.1.2). A message of an archive
// is not enclosed in another entity: its base is the URL of its own retrieval.
func (w *walker) enter(it *scan.Item) {
	outer := w.ref.Entity
	w.frames = append(w.frames, frame{outer, w.ref.Base, len(w.bases), w.labels})
	message := it.Extra().Message
	if it.Op == scan.Enter && it.Name == "" && message != nil && strings.Contains(w.cfg.Retrieved.URI, messageID) {
		w.ref.Base = w.messageBase(it, message)
	} else if it.Op != scan.Body && it.Op != scan.Open {
		w.ref.Base = w.ref.Base.Inside()
	}
	w.ref.Entity = &Entity{Parent: outer, Name: it.Name, Type: it.Type, Base: w.ref.Base, Message: message, File: it.Extra().File, isInPackage: outer.isInPackage}
	w.labels |= it.Labels
	if c := it.Extra().Capture; c != nil {
		enterCapture(w, c)
	}
	if message != nil {
		tell(w, w.Message, message)
	}
}

// enterCapture makes the current entity one that was received from c.URL, which is its base. If it is not
// selected, it is skipped.
func enterCapture(w *walker, c *scan.Capture) {
	b, err := base.Root(w.cfg.Rules, base.Source{URI: c.URL, From: "request.url"}, w.cfg.Default)
	if err != nil {
		w.note(w.position(scan.Span{}), scan.CodeInvalidBase, err.Error())
	}
	e := w.ref.Entity
	w.ref.Base, e.Base = b, b
	declared, _ := mediatype.OfField([]byte(c.ContentType))
	if w.cfg.Robots {
		e.Robots = Robots(robots.OfHeading(slices.Values(c.RobotsTags)))
		if f := w.cfg.scanner(declared); f != nil && hasRobots(f) {
			e.Robots |= Robots(robots.OfPage(c.Body))
		}
	}
	if !w.cfg.Records && !w.cfg.Detect && w.SelectRecord == nil {
		return
	}
	e.Record = &Record{Type: warc.Response.String(), Target: c.URL, Date: c.Date, Status: c.Status, ContentType: c.ContentType, Redirect: c.Redirect}
	if w.cfg.Detect {
		e.Record.Detected = mediatype.Detect(declared, c.Body[:min(len(c.Body), mediatype.HeadSize)])
	}
	if w.SelectRecord != nil && !w.SelectRecord(e.Record) {
		w.skipping = 1
	}
}

// leave returns to the entity around the current one.
func (w *walker) leave() {
	k := len(w.frames) - 1
	f := w.frames[k]
	w.frames = w.frames[:k]
	w.ref.Entity, w.ref.Base, w.bases, w.labels = f.entity, f.base, w.bases[:f.bases], f.labels
}

// messageID stands for the Message-ID of each message in Config.Retrieved.
const messageID = "{message-id}"

// messageBase returns the base of a message that its own retrieval gives.
func (w *walker) messageBase(it *scan.Item, message *scan.Message) base.Base {
	source := w.cfg.Retrieved
	if message.ID == "" {
		w.note(w.position(scan.Span{Start: it.Span.Start, End: it.Span.Start}), scan.CodeInvalidBase, "no Message-ID: the message has no URL of its own")
		source.URI = ""
	}
	// Characters that a path segment may contain are not escaped (RFC 3986 3.3).
	id := strings.NewReplacer("%40", "@", "%3A", ":", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*", "%2C", ",", "%3B", ";", "+", "%20").Replace(url.QueryEscape(message.ID))
	source.URI = strings.ReplaceAll(source.URI, messageID, id)
	b, err := base.Root(w.cfg.Rules, source, w.cfg.Default)
	if err != nil {
		w.note(Position{}, scan.CodeInvalidBase, err.Error())
	}
	return b
}

// pushDecoded makes the Value of a Part or Body the text to which spans refer; popDecoded undoes that.
func (w *walker) pushDecoded(it *scan.Item) {
	w.reached = w.offset(scan.Span{Start: it.Span.Start, End: it.Span.Start})
	to := mapping{m: it.Map, at: it.Span.Start}
	if it.Extra().Packed {
		to.packed = it.Value
	}
	w.mappings = append(w.mappings, to)
	w.decoded = append(w.decoded, decodedPart{text: it.Value, mappings: len(w.mappings)})
}

func (w *walker) popDecoded() {
	k := len(w.decoded) - 1
	w.mappings, w.decoded = w.mappings[:w.decoded[k].mappings-1], w.decoded[:k]
}

// open descends into an entity that was decompressed, up to its Close.
func (w *walker) open(it *scan.Item) {
	w.enter(it)
	m := new(scan.Map)
	m.Add(len(it.Value), it.Span.Start, max(len(it.Value), 1), it.Span.End-it.Span.Start)
	packed := *it
	packed.Map, packed.More = m, &scan.More{Packed: true}
	w.pushDecoded(&packed)
}
