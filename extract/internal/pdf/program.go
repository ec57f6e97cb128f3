package pdf

import (
	"bytes"
	"slices"

	"example.org/refract/extract/scan"
)

// The types of what the current revision of a file holds in streams that have no type of their own.
const (
	scriptType = "text/javascript"
	formType   = "application/xml"
)

// maxPrograms limits the streams of scripts, and those of a form, that are read.
const maxPrograms = 1 << 10

// A program is a script, or a part of a form that is described in XML.
type program struct {
	at        scan.Span // in the file
	text      []byte
	mediaType string
	object    int32 // its number
}

// readPrograms reads scripts in streams (section 12.6.4.17), and the packets of an XFA form (12.7.8).
func (r *reader) readPrograms() {
	slices.Sort(r.scripts)
	for _, num := range slices.Compact(r.scripts) {
		r.addProgram(value{kind: referenceValue, num: float64(num)}, scriptType)
	}
	if len(r.roots) == 0 {
		return
	}
	catalog, _ := r.object(int(r.roots[0]))
	xfa := r.get(catalog, "AcroForm").get("XFA")
	r.addProgram(xfa, formType)
	for _, v := range r.resolved(xfa).list() {
		r.addProgram(v, formType)
	}
	slices.SortStableFunc(r.programs, func(a, b program) int { return a.at.Start - b.at.Start })
}

// addProgram adds the stream to which v refers, if it is one.
func (r *reader) addProgram(v value, mediaType string) {
	if v.kind != referenceValue || len(r.programs) >= maxPrograms || r.account.isSpent() {
		return
	}
	d, data, at := r.stream(v)
	if len(data) == 0 || d.kind != dictValue || d.get("Type").is("Metadata") {
		return
	}
	if mediaType == formType && bytes.Contains(data[:min(len(data), 200)], []byte("xmpmeta")) {
		mediaType = MetadataType
	}
	if r.account.kept -= len(data); r.account.kept < 0 {
		r.isCut = true
		return
	}
	r.programs = append(r.programs, program{at: at, text: data, mediaType: mediaType, object: int32(v.num)})
}
