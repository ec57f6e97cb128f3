package pdf

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// testAccount returns an account that suffices for a test.
func testAccount() *account {
	a := new(account)
	a.begin(1<<20, maxDecoded)
	return a
}

// sharing holds documents in which n references point to something of size n.
var sharing = map[string]func(n int) string{
	"contents of a page": func(n int) string {
		return pageOf("/Contents["+strings.Repeat("4 0 R ", n)+"]", streamOf(4, strings.Repeat("(a) Tj ", n)))
	},
	"pages with the same content": func(n int) string {
		return "1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Kids[" + strings.Repeat("<</Contents 4 0 R>>", n) + "]>>endobj " +
			streamOf(4, strings.Repeat("1 w ", n)) + "trailer<</Root 1 0 R>>"
	},
	"a node that names itself": func(n int) string {
		return "1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Kids[" + strings.Repeat("2 0 R ", n) + "]>>endobj trailer<</Root 1 0 R>>"
	},
	"a font of many":     func(n int) string { return resourcesOf("Font", "/F%d 9 0 R", "/F%d 9 Tf ", n) },
	"a state of many":    func(n int) string { return resourcesOf("ExtGState", "/F%d 9 0 R", "/F%d gs ", n) },
	"a form of many":     func(n int) string { return resourcesOf("XObject", "/F%d 9 0 R", "/F%d Do ", n) },
	"properties of many": func(n int) string { return resourcesOf("Properties", "/F%d 9 0 R", "/P/F%d BDC EMC ", n) },
	"marked content": func(n int) string {
		return pageOf("/Contents 4 0 R", streamOf(4, strings.Repeat("/P BMC ", n)+strings.Repeat("(a) Tj ", n)))
	},
	"annotations": func(n int) string {
		return "1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Kids[" + strings.Repeat("<</Annots 4 0 R>>", n) + "]>>endobj 4 0 obj[" + strings.Repeat("1 ", n) + "]endobj trailer<</Root 1 0 R>>"
	},
}

func streamOf(num int, data string) string {
	return fmt.Sprintf("%d 0 obj<</Length %d>>stream\n%s\nendstream endobj ", num, len(data), data)
}

func pageOf(entries, objects string) string {
	return "1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Kids[3 0 R]>>endobj 3 0 obj<<" + entries + ">>endobj " + objects + "trailer<</Root 1 0 R>>"
}

// resourcesOf returns a page whose content uses each of n resources.
func resourcesOf(category, entry, use string, n int) string {
	var entries, uses strings.Builder
	for i := range n {
		fmt.Fprintf(&entries, entry, i)
		fmt.Fprintf(&uses, use, i)
	}
	return pageOf("/Contents 4 0 R/Resources 5 0 R", streamOf(4, uses.String())+"5 0 obj<</"+category+" 6 0 R>>endobj 6 0 obj<<"+entries.String()+">>endobj ")
}

// checkCost fails if a document costs more than its size allows: work, and bytes that are allocated. It returns whether something was cut.
func checkCost(t *testing.T, src []byte) (isCut bool) {
	t.Helper()
	var s Scanner
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for it := range s.Scan(src) {
		isCut = isCut || it.Op == scan.Note && it.Code == scan.CodeTooLarge
	}
	runtime.ReadMemStats(&after)
	const least, ratio = 64 << 20, 1024
	if got := after.TotalAlloc - before.TotalAlloc; got > least+ratio*uint64(len(src)) {
		t.Errorf("%d bytes allocated for a document of %d", got, len(src))
	}
	if w := s.d.account.work; w < -maxString-2*len(src) {
		t.Errorf("%d units more work than a document of %d bytes has", -w, len(src))
	}
	return isCut
}

// What is named any number of times costs what the size of the document allows, and a document that is cut has a note.
func TestSharing(t *testing.T) {
	for name, document := range sharing {
		t.Run(name, func(t *testing.T) {
			large := scantest.Amount(3_000, 20_000)
			for _, n := range []int{large / 4, large} {
				isCut := checkCost(t, []byte("%PDF-1.7\n"+document(n)))
				if n == large && strings.Contains(name, "content") && strings.Contains(name, "page") && !isCut {
					t.Error("no note")
				}
			}
		})
	}
}

// FuzzCost looks for documents that cost more than their size allows.
func FuzzCost(f *testing.F) {
	for _, document := range sharing {
		f.Add([]byte("%PDF-1.7\n" + document(50)))
	}
	f.Fuzz(func(t *testing.T, src []byte) { checkCost(t, src) })
}
