package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// count scans src and checks what every scan promises.
func count(t testing.TB, src []byte) (n int) {
	t.Helper()
	s := &Scanner{ReadAs: func(mediaType, _ string) string { return mediaType }}
	size := []int{len(src)}
	for it := range s.Scan(src) {
		k := len(size) - 1
		if it.Span.Start < 0 || it.Span.Start > it.Span.End || it.Op != scan.Close && it.Span.End > size[k] {
			t.Fatalf("%v outside of %d bytes", it.Span, size[k])
		}
		switch it.Op {
		case scan.Open:
			size = append(size, len(it.Value))
		case scan.Close:
			size = size[:k]
		case scan.Ref:
			n++
		}
	}
	if len(size) != 1 {
		t.Fatal("an Open without a Close")
	}
	return n
}

func deflate(s string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write([]byte(s))
	_ = w.Close()
	return b.String()
}

// Hostile shapes: what is searched for and missing, nested, repeated or lying.
func TestShapes(t *testing.T) {
	const stream = "9 0 obj<</Type/ObjStm/First 0/N 9/Length "
	bomb := deflate(strings.Repeat("<</URI(http://h/)>>", 1<<16))
	scantest.Shapes(t, []scantest.Shape{
		{"", "(", ""},
		{"", "(((()", ""},
		{"", "<", ""},
		{"", "<aa", ""},
		{"", "<<", ""},
		{"1 0 obj", "<</A", ""},
		{"1 0 obj", "[", ""},
		{"1 0 obj", "]>>", ""},
		{"1 0 obj", "[<<", ""},
		{"", "1 0 obj ", ""},
		{"", "1 0 obj<</URI(x)>>", ""},
		{"", "1 0 obj<</URI 1 0 R>>endobj ", ""},
		{"1 0 obj[", "2 0 R ", "]"},
		{"", "1 0 obj<</A 1 0 R/URI(x)>>endobj ", "trailer<</Root 1 0 R>>"},
		{"", "1 0 obj<</Length 9>>stream\n", ""},
		{"", "1 0 obj<</Type/ObjStm/Length 99999999>>stream\n", ""},
		{"", stream + "0>>stream\nx endstream ", ""},
		{"", stream + "5 0 R/Extends 9 0 R>>stream\n<</URI(x)>>\nendstream endobj ", ""},
		{stream + "9>>stream\n", "1 0 ", "endstream"},
		{"1 0 obj<<", "/URI", ">>"},
		{"1 0 obj<<", "/S/URI/URI(http://h/)", ">>"},
		{"1 0 obj<</F<<", "/F(a)", ">>/S/Launch>>"},
		{"1 0 obj<<", "/F<</F(a)>>", "/S/Launch>>"},
		{"1 0 obj", "<</S/Launch/F", "(a)"},
		{"1 0 obj<</Title(", "http://h/ ", ")>>"},
		{"1 0 obj<</Title<", "feff", ">>>"},
		{"", "endobj", "1 0 obj"},
		{"", "endstream", ""},
		{"", "%", ""},
		{"", "/#", ""},
		{"", "9999999999", ""},
		{"", "/Encrypt<</Filter/Standard/V 4>>", ""},
		{"", stream + fmt.Sprint(len(bomb)) + "/Filter/Fl>>stream\n" + bomb + "\nendstream ", ""},
		{"9 0 obj<</Type/ObjStm/Filter[", "/Fl", "]>>stream\nx\nendstream"},
		{"9 0 obj<</Type/ObjStm/Filter/Fl/DecodeParms", "[<<", ">>stream\nx\nendstream"},
	}, 100<<10, func(src []byte) { count(t, src) })
}

// Streams together have at most four times the limit of one, however many there are.
func TestBudget(t *testing.T) {
	text := "<</URI(http://h/)>>" + strings.Repeat(" ", 1<<20)
	data := deflate(text)
	src := strings.Repeat("9 0 obj<</Type/ObjStm/First 0/Filter/Fl>>stream\n"+data+"\nendstream endobj ", 100)
	s := &Scanner{Limit: 1 << 20}
	n := 0
	for it := range s.Scan([]byte(src)) {
		if it.Op == scan.Ref {
			n++
		}
	}
	if n != 4 {
		t.Errorf("%d streams decoded, want 4", n)
	}
}

// A PDF with too many objects has a note, and what its first objects have.
func TestMostObjects(t *testing.T) {
	notes, refs := 0, 0
	for it := range new(Scanner).Scan([]byte("1 0 obj<</URI(http://h/a)>>endobj " + strings.Repeat("2 0 obj\n", maxObjects))) {
		switch {
		case it.Op == scan.Ref:
			refs++
		case it.Op == scan.Note && it.Code == scan.CodeTooLarge:
			notes++
		}
	}
	if notes != 1 || refs != 1 {
		t.Errorf("%d notes and %d references, want one of each", notes, refs)
	}
}

// Filters one after the other do not multiply: all that the decoders of a small file allocate stays below 32 MiB.
func TestDecodersTogether(t *testing.T) {
	spaces := strings.Repeat(" ", 16<<20)
	thrice := deflate(deflate(deflate(spaces)))
	zeros := strings.Repeat("z", 4<<20)
	for name, file := range map[string]string{
		"deflate":                "/Filter/Fl>>stream\n" + deflate(spaces),
		"deflate in deflate":     "/Filter[/Fl/Fl]>>stream\n" + deflate(deflate(spaces)),
		"three times":            "/Filter[/Fl/Fl/Fl]>>stream\n" + thrice,
		"with a predictor":       "/DecodeParms<</Predictor 12/Columns 1>>/Filter/Fl>>stream\n" + deflate(spaces),
		"ASCII85 in deflate":     "/Filter[/Fl/A85]>>stream\n" + deflate(zeros),
		"run lengths in deflate": "/Filter[/Fl/RL]>>stream\n" + deflate(strings.Repeat("\x81 ", 1<<20)),
		"LZW in deflate":         "/Filter[/Fl/LZW]>>stream\n" + deflate(strings.Repeat("\x80", 8<<20)),
	} {
		src := []byte("9 0 obj<</Type/ObjStm/First 0" + file + "\nendstream endobj ")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s := &Scanner{}
		notes := 0
		for it := range s.Scan(src) {
			if it.Op == scan.Note && it.Code == scan.CodeTooLarge {
				notes++
			}
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 32<<20 {
			t.Errorf("%s: %d KB of PDF take %d MiB", name, len(src)>>10, took>>20)
		}
		if notes != 1 && name != "LZW in deflate" {
			t.Errorf("%s: %d notes about what is left out, want 1", name, notes)
		}
	}
}

// What is left out of an embedded file is noted at its stream.
func TestCutFile(t *testing.T) {
	src := []byte("9 0 obj<</Type/Metadata/Subtype/XML/Filter/Fl>>stream\n" + deflate(strings.Repeat(" ", 16<<20)) + "\nendstream endobj ")
	var notes []int
	for it := range new(Scanner).Scan(src) {
		if it.Op == scan.Note {
			notes = append(notes, it.Span.Start)
		}
	}
	if want := bytes.Index(src, []byte("stream\n")) + len("stream\n"); len(notes) != 1 || notes[0] != want {
		t.Errorf("notes at %v, want one at %d", notes, want)
	}
}

// A scan can be stopped at any Item.
func TestBreak(t *testing.T) {
	src, err := os.ReadFile("testdata/links.pdf")
	if err != nil {
		t.Fatal(err)
	}
	s := new(Scanner)
	for stop := range 20 {
		n := 0
		for range s.Scan(src) {
			if n++; n == stop {
				break
			}
		}
	}
}

func FuzzScan(f *testing.F) {
	files, err := filepath.Glob("testdata/*.pdf")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Add([]byte("%PDF-1.7\n1 0 obj<</S/Launch/F<</F(a)/UF<FEFF0061>>>>endobj trailer<</Root 1 0 R>>"))
	f.Add([]byte(inPage("q 1 0 0 1 9 9 cm BT /F 9 Tf 12 TL [(http)9(://h/a-)] TJ T* /S<</ActualText(b)>>BDC (x) Tj EMC ET Q /X Do", "/Annots[<</Rect[0 0 9 9]/A<</S/URI/URI(http://h/)>>>>]")))
	f.Fuzz(func(t *testing.T, src []byte) { count(t, src) })
}
