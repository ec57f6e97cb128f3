package extract

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"example.org/refract/internal/testing/scantest"
)

// mutate reads damaged forms of files: with bytes changed, ranges repeated, left out or put elsewhere, and with the end cut
// off. The walk must end without a panic, in bounded memory, and read the input after it as ever.
func mutate(t *testing.T, files []string, name string) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var before, after runtime.MemStats
	for _, file := range files {
		seed, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := urls(&Config{}, name, string(seed))
		for i := range scantest.Amount(100, 1000) {
			src := mutated(random, seed)
			runtime.ReadMemStats(&before)
			start := scantest.Clock()
			for _, err := range (&Config{Lines: true, Cite: true}).Walk(name, bytes.NewReader(src)) {
				if err != nil {
					t.Fatalf("%s, mutation %d: %v\n%q", file, i, err, src)
				}
			}
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
				t.Errorf("%s, mutation %d: %d bytes allocated", file, i, used)
			}
			if took := scantest.Clock() - start; scantest.IsLong() && took > 5*time.Second {
				t.Errorf("%s, mutation %d: %v", file, i, took)
			}
		}
		if got := urls(&Config{}, name, string(seed)); len(got) != len(want) {
			t.Errorf("%s: afterwards %d references, not %d", file, len(got), len(want))
		}
	}
}

// mutated returns src with up to ten changes.
func mutated(random *rand.Rand, src []byte) []byte {
	out := bytes.Clone(src)
	words := []string{"<<", ">>", "[", "]", "(", ")", "stream\n", "endstream", "obj", "endobj", "/URI", "R", "{", "}", "\\bin99999999 ", "\\u-1", "\\'", "\\uc9", "999999999999", "-1", "\x00"}
	for range 1 + random.IntN(10) {
		if len(out) < 2 {
			break
		}
		i, k := random.IntN(len(out)), random.IntN(len(out))
		i, k = min(i, k), max(i, k)
		switch random.IntN(6) {
		case 0:
			out[i] ^= byte(1 << random.IntN(8))
		case 1:
			out = append(out[:i:i], out[min(k, i+random.IntN(50)):]...)
		case 2:
			out = append(out[:k:k], append(bytes.Clone(out[i:k]), out[k:]...)...)
		case 3:
			out = append(out[:i:i], append([]byte(words[random.IntN(len(words))]), out[i:]...)...)
		case 4:
			if random.IntN(4) == 0 {
				out = out[:k]
			}
		default:
			out[i] = byte(random.IntN(256))
		}
		out = out[:min(len(out), 4*len(src))]
	}
	return out
}

// Calendars and cards, with folded lines, escapes, parameters, and properties in base64 and quoted-printable.
func TestFoldedMutated(t *testing.T) {
	for name, seed := range map[string]string{
		"a.ics": "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nURL:http://h/ev\r\n ent?a=1\\,2\r\nATTACH;FMTTYPE=text/html;ENCODING=BASE64;VALUE=BINARY:PGEgaHJlZj14Pg==\r\n" +
			"DESCRIPTION;ALTREP=\"http://h/alt\":see http://h/a\\nand <htt\r\n\tp://h/b>\\; www.h.example/c\\, é\r\nATTENDEE;CN=\"a:b\":mailto:a@h.example\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
		"a.vcf": "BEGIN:VCARD\r\nVERSION:2.1\r\nURL;ENCODING=QUOTED-PRINTABLE:http://h/=61=\r\nb\r\nNOTE:see http://h/n\\nwww.h.example/d\r\n" +
			"PHOTO;ENCODING=BASE64:\r\n aHR0cDovL2gv\r\n\r\nEND:VCARD\r\nBEGIN:VCARD\r\nVERSION:4.0\r\nitem1.URL;TYPE=\"a;b\":http://h/\r\n  x\r\nPHOTO:data:text/html,%3Ca%20href=y%3E\r\nEMAIL:a@h.example\r\nEND:VCARD\r\n",
	} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(seed), 0o600); err != nil {
			t.Fatal(err)
		}
		if n := len(urls(&Config{}, name, seed)); n < 4 {
			t.Errorf("%s: %d references", name, n)
		}
		mutate(t, []string{file}, name)
	}
}
