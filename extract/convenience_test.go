package extract

import (
	"strings"
	"testing"

	"example.org/refract/base"
	"example.org/refract/extract/scan"
)

// The nearest message and the nearest retrieval count, however deeply a reference is nested.
func TestMessageAndDocument(t *testing.T) {
	const src = "From a@b Tue Apr  1 09:28:56 1997\nMessage-ID: <1@x>\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://h/1\n--b\nContent-Type: message/rfc822\n\nMessage-ID: <2@x>\nSubject: s\n\nhttp://h/2\n--b--\n"
	c := Config{Cite: true, Type: mboxType, Retrieved: base.Source{URI: "http://a/{message-id}", From: "--url"}}
	var got []string
	for r, err := range c.Walk("x", strings.NewReader(src)) {
		if err != nil {
			t.Fatal(err)
		}
		m := r.Message()
		got = append(got, string(r.URL)+" "+m.ID+" "+m.Subject+" "+r.Document())
	}
	want := []string{"http://h/1 1@x  http://a/1@x", "http://h/2 2@x s http://a/1@x"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q\nwant %q", got, want)
	}
	r := &Reference{Entity: &Entity{}}
	if r.Message() != nil || r.Document() != "" || r.Member() != "" {
		t.Error("a reference without message, URL and member")
	}
}

func TestAppendEscaped(t *testing.T) {
	for _, tt := range []struct {
		url, want string
		iri       bool
	}{
		{"http://h/a b%20%zz#c#d", "x http://h/a%20b%20%25zz#c%23d", false},
		{"http://bücher.example/ü", "x http://xn--bcher-kva.example/%C3%BC", false},
		{"http://bücher.example/ü", "x http://bücher.example/ü", true},
		{"", "x ", false},
		{"plain", "x plain", false},
	} {
		if got := string(AppendEscaped([]byte("x "), []byte(tt.url), tt.iri)); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.url, got, tt.want)
		}
	}
}

// With Config.Mention, uses of labels are reported, and so are their definitions as Anchors.
func TestMention(t *testing.T) {
	const src = "# A *b*\n\n[x][Foo], [foo], [bar]\n\n[foo]: http://h/\n"
	var mentions, anchors []string
	c := Config{Lines: true, Mention: func(m *Mention) {
		mentions = append(mentions, m.Space+" "+string(m.Name)+" "+src[m.Pos.Offset:][:m.Pos.Length])
	}}
	urls(&c, "a.md", src) // without Anchor
	c.Anchor = func(a *Anchor) {
		s := a.Space + " " + string(a.Name) + " " + a.Heading.Text
		if p := a.TextPos; p.Length > 0 {
			s += "=" + src[p.Offset:][:p.Length]
		}
		anchors = append(anchors, s)
	}
	mentions = nil
	urls(&c, "a.md", src)
	if got := strings.Join(mentions, "|"); !strings.HasPrefix(got, "label foo Foo|label foo foo") {
		t.Errorf("mentions %q", mentions)
	}
	if len(anchors) != 2 || !strings.HasPrefix(anchors[0], "  A b") || !strings.HasPrefix(anchors[1], "label foo") {
		t.Errorf("anchors %q", anchors)
	}
	c.Mention, anchors = nil, nil
	if urls(&c, "a.md", src); len(anchors) != 1 {
		t.Errorf("anchors without Mention %q", anchors)
	}
}

func TestNoteCodes(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		want      scan.Code
	}{
		{"a.eml", "Content-Type: text/plain; charset=nosuch\n\n\xe9\n", scan.CodeUnknownCharset},
		{"a.html", "<base href='x'>", scan.CodeInvalidBase},
		{"a.html", strings.Repeat("x", 2000), scan.CodeTooLarge},
		{"a.warc", "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 99\r\n\r\nx", scan.CodeDamaged},
	} {
		var got []string
		c := Config{MaxEntity: 1000, Note: func(n *Note) { got = append(got, string(n.Code)) }}
		urls(&c, tt.name, tt.src)
		if len(got) == 0 || got[0] != string(tt.want) {
			t.Errorf("%s: codes %q, want %s", tt.name, got, tt.want)
		}
	}
}
