package pdf

import (
	"slices"
	"testing"
)

// Scripts are text, in strings and streams; XFA forms are XML. What the structure tree and actions say beside is read, too.
func TestPrograms(t *testing.T) {
	const catalog = "1 0 obj<</Type/Catalog"
	const end = "endobj trailer<</Root 1 0 R>>"
	for _, test := range []struct {
		about, src string
		want       []string
	}{
		{"a script", catalog + "/OpenAction<</S/JavaScript/JS(app.launchURL\\(\"http://h/a\"\\);)>>>>" + end, []string{" http://h/a"}},
		{"a script that is an object", catalog + "/OpenAction<</S/JavaScript/JS 5 0 R>>>>endobj 5 0 obj(app.launchURL\\(\"http://h/a\"\\);)" + end, []string{" http://h/a"}},
		{"a script in a stream, twice", catalog + "/OpenAction<</S/JavaScript/JS 5 0 R>>/X<</JS 5 0 R>>>>endobj " + withStream("5 0 obj<<", "http://h/a") + " " + end, []string{"object 5 is text/javascript http://h/a"}},
		{"a form in packets", catalog + "/AcroForm<</XFA[(template)5 0 R(x)6 0 R]>>>>endobj " + withStream("5 0 obj<<", "<a/>") + withStream("6 0 obj<</Filter/Fl", deflate("<b/>")) + end, []string{"object 5 is application/xml <a/>", "object 6 is application/xml <b/>"}},
		{"metadata in a form", catalog + "/AcroForm<</XFA[(xmpmeta)5 0 R]>>>>endobj " + withStream("5 0 obj<<", "<x:xmpmeta/>") + end, []string{"object 5 is application/x-xmp+xml <x:xmpmeta/>"}},
		{"a form in a stream", catalog + "/AcroForm 7 0 R>>endobj 7 0 obj<</XFA 5 0 R>>endobj " + withStream("5 0 obj<<", "<a/>") + end, []string{"object 5 is application/xml <a/>"}},
		{"the link of an element", catalog + "/StructTreeRoot<</K<</S/Link/K<</Type/OBJR/Obj 8 0 R>>>>>>>>endobj 8 0 obj<</Subtype/Link/A<</S/URI/URI(http://h/a)>>>>" + end, []string{"URI http://h/a"}},
		{"an action kept by Web Capture", catalog + ">>endobj 8 0 obj<</Subtype/Link/PA<</S/URI/URI(http://h/a)>>>>" + end, []string{"URI http://h/a deleted"}},
	} {
		if got := listed("%PDF-1.7\n" + test.src); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.about, got, test.want)
		}
	}
}
