package pdf

import (
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// listed returns the references of src, with what contains them: the labels, the object of a stream.
func listed(src string) (list []string) {
	s := &Scanner{ReadAs: func(mediaType, _ string) string { return mediaType }}
	where := ""
	for it := range s.Scan([]byte(src)) {
		switch it.Op {
		case scan.Open:
			where = it.Name + ": "
		case scan.Close:
			where = ""
		case scan.Ref:
			list = append(list, where+strings.Join(append([]string{it.In, it.Meant + string(it.Value)}, it.Labels.Names()...), " "))
		case scan.Base:
			list = append(list, "base "+string(it.Value))
		case scan.Body:
			list = append(list, it.Name+" is "+it.Type+" "+string(it.Value))
		case scan.Note:
			list = append(list, "note: "+it.Text+it.Type)
		}
	}
	return list
}

// agreementSamples are files of our own, by the beginning of the cause of a difference from other programs. Those without
// a cause are links that all programs show.
var agreementSamples = map[string]struct {
	src  string
	want []string
}{
	"":                       {"1 0 obj<</Subtype/Link/A<</S/URI/URI(http://h/)>>>>endobj", []string{"URI http://h/"}},
	"pdfinfo lists URIs":     {"1 0 obj<</Title(x)/Parent 2 0 R/A<</S/URI/URI(http://h/)>>>>endobj", []string{"URI http://h/"}},
	"poppler shows a":        {"1 0 obj<</Type/Catalog/URI<</Base(http://h/d/)>>>>endobj 2 0 obj<</A<</S/URI/URI(x)>>>>endobj", []string{"base http://h/d/", "URI x"}},
	"F, which UF replaces":   {"1 0 obj<</A 2 0 R>>endobj 2 0 obj<</S/GoToR/F<</Type/Filespec/F(a.pdf)/UF(b.pdf)>>>>endobj trailer<</Root 1 0 R>>%%EOF\n1 0 obj<<>>endobj trailer<</Root 1 0 R>>", []string{"GoToR a.pdf overridden deleted", "GoToR b.pdf deleted"}},
	"a damaged file: pypdf ": {"garbage 7 0 obj<</S/URI/URI(http://h/)>> more <<(http://i/", []string{"URI http://h/"}},
}

// Each difference from other programs has a cause, and the numbers of a row fit each other. Of each cause, a file of our own
// has the references that the table counts for package pdf.
func TestAgreement(t *testing.T) {
	for cause, s := range agreementSamples {
		if got := listed("%PDF-1.7\n" + s.src + "\n"); !slices.Equal(got, s.want) {
			t.Errorf("%q: got %q, want %q", cause, got, s.want)
		}
	}
	var documents scantest.Documents
	for _, row := range scantest.Rows(t, "testdata/agreement.tsv", 8) {
		var n [5]int // by pypdf, by poppler, by package pdf; only by pypdf, only by package pdf
		for i := range n {
			n[i] = scantest.Number(t, row[i+2])
		}
		if n[0]-n[3] != n[2]-n[4] {
			t.Errorf("%s: both have %d, or %d", row[0], n[0]-n[3], n[2]-n[4])
		}
		if (n[1] != n[2] || n[3]+n[4] > 0) && row[7] == "" {
			t.Errorf("%s: no cause", row[0])
		}
		if !hasPrefixIn(row[7], agreementSamples) {
			t.Errorf("%s: no file of our own for %q", row[0], row[7])
		}
		if src := documents.Open(t, row[0], row[1]); src != nil && count(t, src) < n[2] {
			t.Errorf("%s: fewer than %d references", row[0], n[2])
		}
	}
	documents.Log(t)
}

// hasPrefixIn reports whether a key of m begins s. The empty key is only for the empty string.
func hasPrefixIn[V any](s string, m map[string]V) bool {
	for prefix := range m {
		if s == prefix || prefix != "" && strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}

// inStream is an object stream with one object.
func inStream(filter, data string) string {
	return "9 0 obj\n<</Type/ObjStm/N 1/First 4" + filter + ">>\nstream\n" + data + "\nendstream\nendobj\n"
}

// producerSamples are links as these programs write them, made by hand.
var producerSamples = map[string]string{
	"Chromium":   "4 0 obj\n<</Type /Annot\n/Subtype /Link\n/F 4\n/Border [0 0 0]\n/Rect [8 8 9 9]\n/A <</Type /Action\n/S /URI\n/URI (http://h/\\(a\\)?b#c)>>\n/StructParent 100000>>\nendobj\n",
	"WeasyPrint": "4 0 obj\n<</Type /Annot/Subtype /Link/Rect [1 2 3 4]/BS <</W 0>>/A <</Type /Action/S /URI/URI (http://h/\\(a\\)?b#c)>>>>\nendobj\n",
	"fpdf2":      "4 0 obj\n<</A <</S /URI /URI (http://h/\\(a\\)?b#c)>> /Border [0 0 0] /F 4 /Rect [1 2 3 4] /Subtype /Link /Type /Annot>>\nendobj\n",
	"ReportLab":  "4 0 obj\n<<\n/A <<\n/S /URI /Type /Action /URI (http://h/\\(a\\)?b#c)\n>> /Border [ 0 0 0 ] /Rect [ 1 2 3 4 ] /Subtype /Link /Type /Annot\n>>\nendobj\n",
	"pypdf":      "4 0 obj\n<<\n/Type /Annot\n/A 5 0 R\n>>\nendobj\n5 0 obj\n<<\n/S /URI\n/URI <687474703a2f2f682f2861293f622363>\n>>\nendobj\n",
}

// The links of files of common producers are those that were given to them.
func TestProducers(t *testing.T) {
	for _, row := range scantest.Rows(t, "testdata/producers.tsv", 6) {
		links := scantest.Number(t, row[1])
		for _, cell := range row[2:5] {
			if scantest.Number(t, cell) != links && row[5] == "" {
				t.Errorf("%s: no cause", row[0])
			}
		}
		if !hasPrefixIn(row[0], producerSamples) {
			t.Errorf("%s: no file of our own", row[0])
		}
	}
	for name, src := range producerSamples {
		want := []string{"URI http://h/(a)?b#c"}
		if got := listed("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n" + src); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
		// The same in an object stream, which cannot hold the beginnings of objects.
		_, dict, _ := strings.Cut(src, "obj\n")
		dict, rest, isIndirect := strings.Cut(dict, "endobj\n")
		if isIndirect && rest != "" {
			continue
		}
		want[0] = "object 9: " + want[0]
		if got := listed("%PDF-1.5\n" + inStream("/Filter/FlateDecode", deflate("4 0 "+dict))); !slices.Equal(got, want) {
			t.Errorf("%s in an object stream: got %q, want %q", name, got, want)
		}
	}
}
