package zipdoc

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// archive returns a ZIP archive of members: names and texts in turn.
func archive(t *testing.T, members ...string) *bytes.Reader {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		w, err := z.Create(members[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(members[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(b.Bytes())
}

func TestDocument(t *testing.T) {
	wide, err := binary.Append([]byte("\xff\xfe"), binary.LittleEndian, utf16.Encode([]rune("<a>é</a>")))
	if err != nil {
		t.Fatal(err)
	}
	r := archive(t, "a.xml", "<a/>", "dir/", "", "b.xml", "\xef\xbb\xbf<b/>", "c.xml", string(wide), "a.xml", "<second/>")
	d := Open(r, r.Size(), MaxMembers)
	if names := d.Names(); d.Err != nil || !slices.Equal(names, []string{"a.xml", "b.xml", "c.xml", "a.xml"}) {
		t.Errorf("%q, %v", names, d.Err)
	}
	for name, want := range map[string]string{"a.xml": "<a/>", "b.xml": "<b/>", "c.xml": "\ufeff<a>é</a>", "none": ""} {
		if got := string(d.Text(name, 100)); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if got := string(d.Text("a.xml", 2)); got != "<a" {
		t.Errorf("the first two bytes are %q", got)
	}
	if d.Book() != nil {
		t.Error("a book without a package document")
	}
	if i, ok := d.Index("c.xml"); i != 2 || !ok {
		t.Errorf("c.xml is at %d, %v", i, ok)
	}
}

func TestBook(t *testing.T) {
	r := archive(t, ContainerName, `<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>`,
		"b.opf", `<package><manifest><item id="1" href="1.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="1"/></spine></package>`)
	b := Open(r, r.Size(), MaxMembers).Book()
	if b == nil || !slices.Equal(b.Spine, []string{"1.xhtml"}) {
		t.Errorf("%+v", b)
	}
}

func TestDamaged(t *testing.T) {
	r := strings.NewReader("PK\x03\x04 no archive")
	if d := Open(r, r.Size(), MaxMembers); d.Err == nil || len(d.Members) > 0 || d.Text("a", 9) != nil {
		t.Errorf("%v, %v", d.Err, d.Members)
	}
	var zero Document
	if zero.Book() != nil || len(zero.Names()) != 0 {
		t.Error("the zero Document has members")
	}
	r2 := archive(t, "a", "1", "b", "2")
	if d := Open(r2, r2.Size(), 1); len(d.Members) != 1 {
		t.Errorf("%d members, at most 1 is asked for", len(d.Members))
	}
}
