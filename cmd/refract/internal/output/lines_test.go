package output

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"example.org/refract/base"
	"example.org/refract/cmd/refract/internal/filter"
	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
	"example.org/refract/resolve"
	"example.org/refract/resolve/risk"
)

// An oracleLine is a --json line about a reference, as encoding/json writes it.
type oracleLine struct {
	Type            string     `json:"type"`
	Input           string     `json:"input,omitempty"`
	InputB64        []byte     `json:"input_b64,omitempty"`
	Member          string     `json:"member,omitempty"`
	Line            int        `json:"line,omitempty"`
	Column          int        `json:"column,omitempty"`
	Document        string     `json:"document,omitempty"`
	Part            string     `json:"part,omitempty"`
	PartType        string     `json:"part_type,omitempty"`
	Filename        string     `json:"filename,omitempty"`
	PartLine        int        `json:"part_line,omitempty"`
	PartColumn      int        `json:"part_column,omitempty"`
	Offset          int64      `json:"offset"`
	Length          int        `json:"length"`
	Exact           bool       `json:"exact"`
	Ranges          [][2]int64 `json:"ranges,omitempty"`
	Kind            string     `json:"kind"`
	In              string     `json:"in,omitempty"`
	How             string     `json:"how"`
	Abbreviated     bool       `json:"abbreviated,omitempty"`
	Raw             *string    `json:"raw,omitempty"`
	RawB64          []byte     `json:"raw_b64,omitempty"`
	Ref             *string    `json:"ref,omitempty"`
	Base            string     `json:"base,omitempty"`
	Layer           string     `json:"layer"`
	BaseFrom        string     `json:"base_from,omitempty"`
	URL             string     `json:"url,omitempty"`
	Canonical       string     `json:"canonical,omitempty"`
	Domain          string     `json:"domain,omitempty"`
	BrowserURL      string     `json:"browser_url,omitempty"`
	Error           string     `json:"error,omitempty"`
	SameDocument    bool       `json:"same_document,omitempty"`
	Fragment        string     `json:"fragment,omitempty"`
	Alternatives    []string   `json:"alternatives,omitempty"`
	Labels          []string   `json:"labels,omitempty"`
	Notes           []string   `json:"notes,omitempty"`
	Text            string     `json:"text,omitempty"`
	Rel             string     `json:"rel,omitempty"`
	Hreflang        string     `json:"hreflang,omitempty"`
	MediaType       string     `json:"media_type,omitempty"`
	TargetPart      string     `json:"target_part,omitempty"`
	Quoted          int        `json:"quoted,omitempty"`
	MessageID       string     `json:"message_id,omitempty"`
	Subject         string     `json:"subject,omitempty"`
	Date            string     `json:"date,omitempty"`
	DateUTC         string     `json:"date_utc,omitempty"`
	From            string     `json:"from,omitempty"`
	InReplyTo       string     `json:"in_reply_to,omitempty"`
	References      []string   `json:"references,omitempty"`
	ListID          string     `json:"list_id,omitempty"`
	Newsgroups      string     `json:"newsgroups,omitempty"`
	TruncatedFields []string   `json:"truncated_fields,omitempty"`
}

// oracle returns the line about ref.
func oracle(name, member string, ref *extract.Reference, canonical []byte) []byte {
	var o oracleLine
	cut := func(field, s string) string {
		if len(s) > MaxRepeated {
			o.TruncatedFields = append(o.TruncatedFields, field)
		}
		return shortText(s)
	}
	o.Type, o.Line, o.Column, o.Offset, o.Length, o.Exact = "reference", ref.Pos.Line, ref.Pos.Column, ref.Pos.Offset, ref.Pos.Length, ref.Pos.Exact
	if utf8.ValidString(name) {
		o.Input = name
	} else {
		o.InputB64 = []byte(name)
	}
	o.Member = cut("member", member)
	o.Document = string(extract.AppendEscaped(nil, []byte(ref.Document()), false))
	o.Part = ref.Entity.Path()
	if o.Part != "" {
		o.PartType, o.Filename = cut("part_type", ref.Entity.Type), cut("filename", fileOf(ref.Entity))
	}
	o.PartLine, o.PartColumn = ref.PartLine, ref.PartColumn
	for _, p := range ref.Ranges {
		o.Ranges = append(o.Ranges, [2]int64{p.Offset, int64(p.Length)})
	}
	o.Kind, o.In, o.How, o.Abbreviated = ref.Kind.String(), cut("in", ref.In), ref.How.String(), ref.Meant != ""
	raw, text := string(ref.Raw), string(ref.Ref)
	if utf8.ValidString(raw) {
		o.Raw = &raw
	} else {
		o.RawB64 = ref.Raw
	}
	if utf8.ValidString(text) {
		o.Ref = &text
	}
	o.Layer = base.None.String()
	if ref.Result.Step != resolve.Absolute && ref.Base.Layer != base.None {
		o.Base, o.Layer, o.BaseFrom = cut("base", ref.Base.URI), ref.Base.Layer.String(), cut("base_from", ref.Base.From)
	}
	o.URL, o.Canonical, o.BrowserURL = string(ref.URL), string(canonical), string(ref.BrowserURL)
	if host := filter.NameOf(ref.URL); canonical != nil && host != "" {
		o.Domain = filter.DomainOf(host)
	}
	if ref.Err != nil {
		o.Error = cut("error", ref.Err.Error())
	} else if ref.Result.SameDocument() {
		o.SameDocument, o.Fragment = true, strings.TrimPrefix(string(ref.Fragment), "#")
	}
	for _, a := range ref.Alternatives {
		o.Alternatives = append(o.Alternatives, string(a))
	}
	if ref.InvalidAuthority {
		o.Labels = []string{filter.InvalidAuthority}
	}
	o.Labels = append(append(o.Labels, (risk.Of(ref.URL)|risk.Of(ref.Ref)).Names()...), ref.Labels.Names()...)
	if ref.BrowserURL != nil {
		o.Labels = append(o.Labels, "parser-differences")
	}
	o.Notes = ref.Result.Departures.Names()
	o.Text, o.Rel, o.Hreflang, o.MediaType = ref.Text, ref.Rel, ref.Hreflang, ref.Type
	o.TargetPart, o.Quoted = cut("target_part", ref.TargetPart), ref.Depth
	if m := ref.Message(); m != nil {
		o.MessageID, o.Subject, o.Date = cut("message_id", m.ID), cut("subject", m.Subject), cut("date", m.Date)
		if !m.Time.IsZero() {
			o.DateUTC = m.Time.Format(time.RFC3339)
		}
		o.From, o.InReplyTo = cut("from", m.From), cut("in_reply_to", m.InReplyTo)
		o.References = slices.Clone(m.References[max(0, len(m.References)-5):])
		if slices.ContainsFunc(o.References, func(s string) bool { return len(s) > MaxRepeated }) {
			o.TruncatedFields = append(o.TruncatedFields, "references")
		}
		for i, s := range o.References {
			o.References[i] = shortText(s)
		}
		o.ListID, o.Newsgroups = cut("list_id", m.ListID), cut("newsgroups", m.Newsgroups)
	}
	return jsontext.AppendLine(nil, o)
}

// A lineMaker makes references whose fields are random, and often the same as those before.
type lineMaker struct {
	*rand.Rand
	texts    []string
	entities []*extract.Entity
	bases    []base.Base
}

func newLineMaker(seed uint64, text string) *lineMaker {
	g := &lineMaker{Rand: rand.New(rand.NewPCG(seed, 0))}
	g.texts = []string{"", "", "", "a", text, "<b>&\"\\", "a\xffb", "\xe2\x80\xa8\u2029", "\x00\t\n\r\x7f", "\u200e", "http://h/x", "http://h/#a#b", "http://localhost:81/%00",
		"é", "\xf0\x9f\x98", strings.Repeat("é", MaxRepeated/2) + "x", "x" + strings.Repeat("é", MaxRepeated/2), strings.Repeat("plain/", 5)}
	for range 6 {
		e := &extract.Entity{Name: g.text(), Type: g.text()}
		if g.IntN(2) == 0 {
			e.Base = base.Base{URI: "http://h/d" + strings.Repeat("x", g.IntN(3)), Layer: base.Retrieval}
		}
		if g.IntN(2) == 0 {
			e.Message = &scan.Message{ID: g.text(), Subject: g.text(), Date: g.text(), From: g.text(), InReplyTo: g.text(), ListID: g.text(), Newsgroups: g.text()}
			if g.IntN(2) == 0 {
				e.Message.Time = time.Unix(g.Int64N(1<<33), 0).UTC()
			}
			for range g.IntN(8) {
				e.Message.References = append(e.Message.References, g.text())
			}
		}
		g.entities = append(g.entities, e)
		if g.IntN(2) == 0 {
			g.entities = append(g.entities, &extract.Entity{Parent: e, Name: "1", Type: g.text(), File: g.text()})
		}
	}
	for range 4 {
		g.bases = append(g.bases, base.Base{URI: g.text(), Layer: base.Layer(g.IntN(5)), From: g.text()})
	}
	return g
}

func (g *lineMaker) text() string { return g.texts[g.IntN(len(g.texts))] }

// reference changes some fields of ref.
func (g *lineMaker) reference(ref *extract.Reference) {
	some := func() bool { return g.IntN(4) == 0 }
	if ref.Entity == nil || some() {
		ref.Entity = g.entities[g.IntN(len(g.entities))]
	}
	ref.Pos = extract.Position{Offset: g.Int64N(1 << g.IntN(50)), Length: g.IntN(1000), Line: g.IntN(1 << g.IntN(30)), Column: g.IntN(200), Exact: !some()}
	if some() {
		ref.Kind, ref.How, ref.In, ref.Meant = scan.Kind(g.IntN(len(scan.Kinds()))), scan.How(g.IntN(4)), g.text(), g.text()
	}
	ref.Raw = []byte(g.text())
	ref.Ref, ref.URL, ref.Err, ref.Fragment = ref.Raw, nil, nil, nil
	if some() {
		ref.Ref = []byte(g.text())
	}
	if some() {
		ref.Base = g.bases[g.IntN(len(g.bases))]
	}
	ref.Result = resolve.Result{Step: resolve.Step(1 + g.IntN(8)), Departures: resolve.Departures(g.IntN(20) & g.IntN(20) & 15)}
	switch g.IntN(3) {
	case 0:
		ref.Err = errors.New("x" + g.text())
	case 1:
		ref.URL = slices.Clone(ref.Ref)
	default:
		ref.Fragment = []byte("#" + g.text())
	}
	ref.InvalidAuthority, ref.Labels, ref.Depth = g.IntN(16) == 0, scan.Labels(g.IntN(8)&g.IntN(8)), g.IntN(5)-2
	ref.Depth = max(ref.Depth, 0)
	ref.BrowserURL, ref.Alternatives, ref.Ranges, ref.TargetPart = nil, nil, nil, ""
	ref.Text, ref.Rel, ref.Hreflang, ref.Type = "", "", "", ""
	ref.PartLine, ref.PartColumn = g.IntN(3), g.IntN(3)
	if some() {
		ref.BrowserURL = []byte("http://h/" + strings.Repeat("b", g.IntN(4)))
	}
	if some() {
		ref.Alternatives = [][]byte{[]byte(g.text()), []byte(g.text())}
		ref.Ranges = []extract.Position{{Offset: 5, Length: 2}, {Offset: g.Int64(), Length: 1}}
	}
	if some() {
		ref.TargetPart, ref.Text, ref.Rel, ref.Hreflang, ref.Type = g.text(), g.text(), g.text(), g.text(), g.text()
	}
}

// checkLines compares the lines about references with those of encoding/json. What the lines have in
// common is kept from one to the next.
func checkLines(t *testing.T, seed uint64, text string) {
	g := newLineMaker(seed, text)
	r := Renderer{Config: new(extract.Config), Format: JSON}
	var shared sharedCells
	var line row
	var ref extract.Reference
	name, member := "a", ""
	for range 40 {
		g.reference(&ref)
		if g.IntN(5) == 0 {
			name, member = g.text(), g.text()
		}
		var canonical []byte
		if g.IntN(5) == 0 {
			canonical = []byte("key")
		}
		kept := r.row(&line, "reference", name, &ref, ref.URL, canonical)
		kept.member = member
		got := string(kept.append([]byte("x"), referenceLine, &shared))
		fresh := *r.row(new(row), "reference", name, &ref, ref.URL, canonical)
		fresh.member = member
		if alone := string(fresh.append([]byte("x"), referenceLine, nil)); got != alone {
			t.Fatalf("with the text of lines before, the line is\n%s, alone\n%s", got, alone)
		}
		if want := "x" + string(oracle(name, member, &ref, canonical)); got != want {
			t.Fatalf("the line is\n%s, want\n%s", got, want)
		}
	}
}

// Lines are byte for byte what encoding/json writes.
func TestLinesAreOfEncodingJSON(t *testing.T) {
	for seed := range uint64(scantest.Amount(25, 100)) {
		checkLines(t, seed, "text")
	}
}

func FuzzLines(f *testing.F) {
	f.Add(uint64(1), "\u2028<&>\xff")
	f.Fuzz(checkLines)
}
