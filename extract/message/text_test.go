package message

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

func TestText(t *testing.T) {
	const (
		plain    = "text/plain"
		enriched = "text/enriched"
		richtext = "text/richtext"
		calendar = "text/calendar"
	)
	for _, tt := range []struct {
		sec, mediaType string
		flow           scan.Flow
		src, want      string // ⟦⟧: what is looked for in the result, and where it comes from
	}{
		// RFC 3676.
		{"4.1", plain, scan.Flowed, "one ⟦\n⟧two \r\nthree\nfour", "one ⟦⟧two three\nfour"},
		{"4.1", plain, scan.DelSp, "⟦http://h/a \r\nb⟧\nc", "⟦http://h/ab⟧\nc"},
		{"4.1", plain, scan.DelSp, "one  \ntwo \nthree", "one twothree"},
		{"4.1", plain, scan.Flowed, "one \n", "one \n"},
		{"4.3", plain, scan.Flowed, "one \n-- \ntwo \nthree", "one \n-- \ntwo three"},
		{"4.3", plain, scan.Flowed, "> one \n> -- \n> two\n>-- \n>x", "> one \n> -- \n> two\n>-- \n>x"},
		{"4.4", plain, scan.Flowed, " >one \n >two \n  three", " >one >two  three"},
		{"4.4", plain, scan.DelSp, " http://h/ \n  b", " http://h/ b"},
		{"4.5", plain, scan.Flowed, "> one \n> two \n>> three \n>>four \nfive", "> one two \n>> three four \nfive"},
		{"4.5", plain, scan.DelSp, "> ⟦http://h/ \n>a \n> b⟧\n> c", "> ⟦http://h/ab⟧\n> c"},
		{"4.5", plain, scan.DelSp, "> > http://h/ \n>> a", "> > http://h/a"},
		{"4.5", plain, scan.Flowed, "one \n\ntwo \n \nthree", "one \n\ntwo \n \nthree"},
		{"4.5", plain, scan.Flowed, "> \n> one\n>\n> \nx", "> \n> one\n>\n> \nx"},
		{"4.5", plain, scan.Flowed, " \none\n", " \none\n"},
		{"", plain, scan.Fixed, "one \ntwo", "one \ntwo"},
		{"", plain, scan.Flowed, "", ""}, {"", plain, scan.Flowed, "\n", "\n"}, {"", plain, scan.Flowed, " ", " "},
		{"", "text/html", scan.Flowed, "<p \nid=x>", "<p \nid=x>"},

		// RFC 1896.
		{"RFC 1896", enriched, 0, "<bold>Now</bold> is <<<italic>⟦http://h/<bold>a⟧</bold>", "Now is <⟦http://h/a⟧"},
		{"RFC 1896", enriched, 0, "one\ntwo\n\nthree", "one\ntwo\n\nthree"},
		{"RFC 1896", enriched, 0, "<color><param>red</param>⟦http://h/⟧</Color>x", "⟦http://h/⟧x"},
		{"RFC 1896", enriched, 0, "<x-url><PARAM>⟦http://h/⟧</Param>a</x-url>", "<PARAM>⟦http://h/⟧</Param>a"},
		{"RFC 1896", enriched, 0, "<param>a<param>b<param>c</param>", "ab"},
		{"RFC 1896", enriched, 0, "a<center>b</center>c<lt>", "a b c"},
		{"RFC 1896", enriched, 0, "a<paragraph>b<flushleft>c<flushright>d<flushboth>e<indent>f<indentright>g<outdent>h<outdentright>i<excerpt>j<nofill>k", "a b c d e f g h i j k"},
		{"RFC 1341", richtext, 0, "a<samepage>b<heading>c<footing>d<comment>e<signature>f<np>g", "a b c d e f\ng"},
		{"RFC 1896", enriched, 0, "a < b <http://h/> <> </> <a b> <", "a < b <http://h/> <> </> <a b> <"},
		{"RFC 1896", enriched, 0, "<" + strings.Repeat("a", 60) + "><" + strings.Repeat("a", 61) + ">", "<" + strings.Repeat("a", 61) + ">"},
		// RFC 1341 7.1.3.
		{"RFC 1341", richtext, 0, "<bold>Now</bold> is the time for <italic>all</italic> good men\n <smaller>(and <lt>women>)</smaller> to <ignoreme></ignoreme> come",
			"Now is the time for all good men\n (and <women>) to  come"},
		{"RFC 1341", richtext, 0, "http://h/a<nl>b<NP>c<lt><lt>", "http://h/a\nb\nc<<"},
		{"RFC 1341", richtext, 0, "<<bold>", "<"},

		// RFC 5545 3.1 and 3.3.11, and the same of cards.
		{"3.1", calendar, 0, "URL:⟦http://h/a\r\n bc\r\n\td⟧\r\nX:y", "URL:⟦http://h/abcd⟧\r\nX:y"},
		{"3.1", calendar, 0, "a\n b\n  c\n\nd\n", "ab c\n\nd\n"},
		{"3.1", calendar, 0, "a\r\n \r\n\tb\r\n ", "ab"},
		{"3.3.11", calendar, 0, `D:a\nb\N⟦c\,d⟧\;e\\n\x\`, "D:a\nb\n⟦c,d⟧;e\\n\\x\\"},
		{"3.1, 3.3.11", calendar, 0, "a\\\r\n nb\\\r\n \n c\\\r\n ", "a\nb\\c\\"},
		{"RFC 6350 3.2", "text/vcard", 0, "NOTE:a\r\n b", "NOTE:ab"},
		{"RFC 2425 5.8.1", "text/directory", 0, "NOTE:a\r\n b", "NOTE:ab"},
		{"vCard 3.0", "text/x-vcard", 0, "BEGIN:VCARD\nVERSION:3.0\nNOTE:a\n b", "BEGIN:VCARD\nVERSION:3.0\nNOTE:ab"},
		{"vCard 2.1", "text/x-vcard", 0, "BEGIN:VCARD\nVERSION:2.1\nNOTE:see\n ⟦http://h/⟧\n  a", "BEGIN:VCARD\nVERSION:2.1\nNOTE:see ⟦http://h/⟧  a"},
		{"vCard 2.1", "text/x-vcard", 0, "VERSION:2.1\nX\nVERSION:2.1\nURL;QUOTED-PRINTABLE:⟦http://h/a=3Db=\n  c⟧\nA:=3D\nB;encoding=Quoted-Printable:=3D=zz=", "VERSION:2.1\nX\nVERSION:2.1\nURL;QUOTED-PRINTABLE:⟦http://h/a=b  c⟧\nA:=3D\nB;encoding=Quoted-Printable:==zz="},
		{"vCard 2.1", "text/vcard", 0, `URL:⟦http\://h/⟧`, "URL:⟦http://h/⟧"},
		{"vCalendar 1.0", "text/x-vcalendar", 0, "BEGIN:VCALENDAR\r\nVERSION:1.0\r\nA:see\r\n b", "BEGIN:VCALENDAR\r\nVERSION:1.0\r\nA:see b"},
	} {
		unmark := strings.NewReplacer("⟦", "", "⟧", "").Replace
		src, want := []byte(unmark(tt.src)), unmark(tt.want)
		m := new(scan.Map)
		got, ok := Text(tt.mediaType, tt.flow, []byte("before"), m, src)
		if !ok {
			if string(got) != "before" || m.Len() != 0 {
				t.Errorf("%s: %q: dst or m is not as it was", tt.sec, tt.src)
			}
			got, m = append(got, src...), nil
		}
		if got = got[len("before"):]; string(got) != want {
			t.Errorf("%s: %q is %q, want %q", tt.sec, tt.src, got, want)
			continue
		}
		if ok == (want == string(src)) {
			t.Errorf("%s: %q: %v", tt.sec, tt.src, ok)
		}
		start, end := strings.Index(tt.want, "⟦"), strings.Index(tt.want, "⟧")-len("⟦")
		if end <= start {
			continue
		}
		from, to := strings.Index(tt.src, "⟦"), strings.Index(tt.src, "⟧")-len("⟦")
		if back, exact := m.Back(scan.Span{Start: start, End: end}); back != (scan.Span{Start: from, End: to}) || !exact {
			t.Errorf("%s: %q is from %q, %v", tt.src, got[start:end], src[back.Start:back.End], exact)
		}
	}
}

// texts are the notations of Text, each as a decoding.
var texts = []decoding{
	{"flowed", textDecoder("text/plain", scan.Flowed), flowing, flowTails, "", 0},
	{"delsp", textDecoder("text/plain", scan.DelSp), flowing, flowTails, "", 0},
	{"enriched", textDecoder("text/enriched", 0), marks, [][2]string{{"x"}}, "", 0},
	{"richtext", textDecoder("text/richtext", 0), marks, [][2]string{{"x"}}, "", 0},
	{"calendar", textDecoder("text/calendar", 0), folding, [][2]string{{"x"}}, "", 0},
	{"vcard 2.1", textDecoder("text/x-vcard", 0), folding, [][2]string{{"x"}, {" x"}, {"\nx"}}, "BEGIN:VCARD\nVERSION:2.1\n", 0},
}

var (
	flowing   = []string{"a ", "b", " ", "\n", "\r\n", "> ", ">", " >", "-- \n", ">> ", "http://h/ \n", "c \r\n", "--", "\xff"}
	flowTails = [][2]string{{"x"}, {"\nx"}, {"\r\nx"}, {"> x"}, {">x"}, {">>x"}, {">>>x"}, {">>>>x"}, {">>>>>x"}, {" >x"}, {" x"}, {"-- "}, {"- "}, {" "}, {"\n"}}
	marks     = []string{"<bold>", "</bold>", "<<", "<", ">", "<param>", "<param>red</param>", "a", "h/", "<nl>", "<lt>", "</center>", "\n", "/", "\xff"}
	folding   = []string{`\n`, `\N`, `\,`, `\;`, `\\`, `\`, "\r\n ", "\n\t", "\n ", "\n", "\r\n", "URL:http://h/", " ", "\r", "n", "\xff"}
)

// textDecoder makes a decoder of Text.
func textDecoder(mediaType string, flow scan.Flow) decoder {
	return func(dst []byte, m *scan.Map, src []byte, _ int) []byte {
		dst, ok := Text(mediaType, flow, dst, m, src)
		if !ok {
			m.Add(len(src), 0, 1, 1)
			dst = append(dst, src...)
		}
		return dst
	}
}

func TestTextBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	n := scantest.Amount(2000, 20_000)
	for i := range texts {
		for range n {
			checkBack(t, r, &texts[i], texts[i].random(r))
		}
	}
}

func TestTextHostile(t *testing.T) {
	for _, d := range texts {
		scantest.Shapes(t, []scantest.Shape{
			{"", "> > > ", ""}, {"", "> > > \n", ""}, {"", "> > > a \n", ""}, {"", "a \n", ""}, {"", " \n", ""}, {"", "> \n", ""}, {"", ">", " \na"}, {"", "> a \n>> a \n", ""}, {"", "-- \n", ""}, {"", "a \n-- \n", ""},
			{"", "<<", ""}, {"", "<", ""}, {"", "<a", ""}, {"", "<param>", ""}, {"", "<param>", "</param>"}, {"", "<param></", ""}, {"", "<param></param>", ""}, {"", "<bold>", ""}, {"<", "a", ">"}, {"<param>", "://", ""},
			{"", "\r\n ", ""}, {"", "\n ", ""}, {"\\", "\r\n ", "n"}, {"", "\\\r\n ", ""}, {"", "\\", ""}, {"", `\n`, ""}, {"", "\\\n", ""}, {"", "\r", ""}, {"", "VERSION:", ""},
		}, 128<<10, func(src []byte) {
			var m scan.Map
			d.decode(nil, &m, src, 0)
		})
	}
}

func FuzzText(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 8))
	for i := range texts {
		for range 5 {
			f.Add(texts[i].random(r))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		before := bytes.Clone(src)
		for _, d := range texts {
			var m scan.Map
			out := d.decode(nil, &m, src, 0)
			if m.Len() != len(out) || len(out) > len(src) || !bytes.Equal(src, before) {
				t.Fatalf("%s: %d bytes, the way back of %d", d.name, len(out), m.Len())
			}
			end := 0
			for i := range out {
				back, exact := m.Back(scan.Span{Start: i, End: i + 1})
				if back.Start < end || back.End <= back.Start || back.End > len(src) {
					t.Fatalf("%s: byte %d is from %v", d.name, i, back)
				}
				if exact && back.End == back.Start+1 && out[i] != src[back.Start] {
					t.Fatalf("%s: byte %d is %q, from %q", d.name, i, out[i], src[back.Start])
				}
				end = back.End
			}
		}
	})
}

func BenchmarkText(b *testing.B) {
	for i, line := range []string{
		"Some text of a message that flows, with a link to http://h/a/b/c in it, \n",
		"> Some text of a message that flows, with a link to http://h/a/b/c in \n",
		"<bold>Some text</bold> of a message, <color><param>red</param>with</color> commands\n",
		"<bold>Some text</bold> of a message, <color>with</color> commands and <lt>h>\n",
		"DESCRIPTION:Some text of an event\\, with a link to http://h/a/b/c\\n in \r\n it",
		"NOTE:Some text of an event\\, with a link to http://h/a/b/c\\n in \r\n it",
	} {
		b.Run(texts[i].name, func(b *testing.B) {
			src := bytes.Repeat([]byte(line), 10_000)
			dst := make([]byte, 0, len(src))
			var m scan.Map
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				m.Reset()
				texts[i].decode(dst, &m, src, 0)
			}
		})
	}
	b.Run("fixed", func(b *testing.B) {
		src := []byte(strings.Repeat("Some text of a message that could flow, and does not, 72 bytes long...\n", 10_000))
		b.SetBytes(int64(len(src)))
		b.ReportAllocs()
		for b.Loop() {
			Text("text/plain", scan.Flowed, nil, nil, src)
		}
	})
}
