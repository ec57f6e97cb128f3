package archived

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// TestNearest compares a Table with a search through all captures.
func TestNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range scantest.Amount(100, 300) {
		var table Table
		type ask struct {
			url  string
			date Date
		}
		var asks []ask
		for range 1 + r.IntN(8) {
			a := ask{fmt.Sprintf("http://h%d.example/", r.IntN(3)), 20000101000000 + Date(r.IntN(20))}
			if r.IntN(4) == 0 {
				a.date = undated
			}
			asks = append(asks, a)
			if err := table.Add([]byte(a.url), a.date); err != nil {
				t.Fatal(err)
			}
		}
		type capture struct {
			url    string
			date   Date
			status int
		}
		var captures []capture
		index := ""
		for range r.IntN(12) {
			c := capture{fmt.Sprintf("https://www.h%d.example/", r.IntN(4)), 20000101000000 + Date(r.IntN(20)), []int{200, 204, 302, 404}[r.IntN(4)]}
			captures = append(captures, c)
			index += fmt.Sprintf("- %d %s text/html %d\n", c.date, c.url, c.status)
		}
		name := filepath.Join(t.TempDir(), "x.cdx")
		err := os.WriteFile(name, []byte(index+"!\n"), 0o666)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := table.Read([]string{name}); err != nil && len(captures) > 0 {
			t.Fatal(err)
		}
		for _, a := range asks {
			var want Found
			for _, c := range captures {
				switch {
				case strings.TrimPrefix(c.url, "https://www.") != strings.TrimPrefix(a.url, "http://"):
				case c.status/100 != 2:
					want.OnlyOthers = true
				case c.date <= a.date:
					want.Before = max(want.Before, c.date)
				case want.After == 0 || c.date < want.After:
					want.After = c.date
				}
			}
			want.OnlyOthers = want.OnlyOthers && want.Before == 0 && want.After == 0
			if got := table.Find([]byte(a.url), a.date); got != want {
				t.Fatalf("%v\n%s: got %+v, want %+v", a, index, got, want)
			}
		}
	}
}

func TestNearestOf(t *testing.T) {
	tests := []struct{ before, after, date, want Date }{
		{0, 0, undated, 0}, {20100101000000, 0, undated, 20100101000000}, {0, 20100101000000, 20000101000000, 20100101000000},
		{20100101000000, 20120101000000, 20101231000000, 20100101000000}, {20100101000000, 20120101000000, 20111231000000, 20120101000000},
		{20091231235958, 20100101000001, 20100101000000, 20100101000001}, {20100101000000, 20100101000002, 20100101000001, 20100101000000},
	}
	for _, test := range tests {
		if got := (Found{Before: test.before, After: test.after}).Nearest(test.date); got != test.want {
			t.Errorf("%v: %d", test, got)
		}
	}
}

// The captures of a message are those near its date, unless --at says another.
func TestDateOf(t *testing.T) {
	for own, want := range map[string]Date{"2010-11-12T13:14:15Z": 20101112131415, "2010-11-12T13:14:15+02:00": 20101112111415, "": undated, "yesterday": undated} {
		if got := (&Flags{Date: undated}).DateOf(own); got != want {
			t.Errorf("%q: %d, want %d", own, got, want)
		}
		if got := (&Flags{At: "2001", Date: 20010101000000}).DateOf(own); got != 20010101000000 {
			t.Errorf("%q with --at: %d", own, got)
		}
	}
}

// TestMemory reads indexes with many captures of one URL, of URLs with one key, and of others, and one without line ends: the
// table does not grow.
func TestMemory(t *testing.T) {
	lines := map[string]func(i int) string{
		"one URL": func(i int) string {
			return fmt.Sprintf("- %d http://h.example/ text/html 200\n", int64(20000101000000)+int64(i))
		},
		"one key": func(i int) string {
			return fmt.Sprintf("- %d http://h.example/?PHPSESSID=%032x text/html 200\n", int64(20000101000000)+int64(i), i)
		},
		"others":      func(i int) string { return fmt.Sprintf("- 2020 http://h%d.example/ text/html 200\n", i) },
		"broken":      func(i int) string { return fmt.Sprintf("broken %d\n", i) },
		"rows":        func(i int) string { return fmt.Sprintf(`["2020","http://h%d.example/"],`, i) },
		"no line end": func(i int) string { return "http://h.example/" },
	}
	for name, line := range lines {
		var b strings.Builder
		b.WriteString("- 2020 http://h.example/ text/html 200\n")
		if name == "rows" {
			b.Reset()
			b.WriteString(`[["timestamp","original"],["2020","http://h.example/"],`)
		}
		for i := range 15_000 {
			b.WriteString(line(i))
		}
		file := filepath.Join(t.TempDir(), "x.cdx")
		err := os.WriteFile(file, []byte(b.String()), 0o666)
		if err != nil {
			t.Fatal(err)
		}
		var table Table
		if err := table.Add([]byte("http://h.example/"), undated); err != nil {
			t.Fatal(err)
		}
		var was, is runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&was)
		stats, err := table.Read([]string{file})
		runtime.GC()
		runtime.ReadMemStats(&is)
		if err != nil || int64(is.HeapAlloc)-int64(was.HeapAlloc) > 256<<10 {
			t.Errorf("%s: %d bytes more, %+v, %v", name, int64(is.HeapAlloc)-int64(was.HeapAlloc), stats, err)
		}
	}
}

func TestLimit(t *testing.T) {
	table := Table{Memory: 1 << 20}
	for i := range 1 << 20 {
		err := table.Add(fmt.Appendf(nil, "http://h.example/?PHPSESSID=%032x", i), undated) // all have one key
		if err == nil {
			continue
		}
		if i > 1<<20/perURL || err.Error() != "the URLs take more than 1M: select fewer, or give more --memory" {
			t.Errorf("%d: %v", i, err)
		}
		return
	}
	t.Error("no limit")
}

// TestWACZ reads an archive in a ZIP archive, beside its index, also in a directory of such files.
func TestWACZ(t *testing.T) {
	dir := t.TempDir()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, member := range []struct{ name, text string }{
		{"archive/a.warc", "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h.example/\r\nWARC-Date: 2020-01-02T03:04:05Z\r\nContent-Type: application/http\r\nContent-Length: 19\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\r\n\r\n"},
		{"indexes/index.cdx", "example,h)/ 20200102030405 {\"url\": \"http://h.example/\"}\n"}, {"datapackage.json", "{}"},
	} {
		w, err := z.Create(member.name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(member.text))
	}
	z.Close()
	err := os.WriteFile(filepath.Join(dir, "a.wacz"), b.Bytes(), 0o666)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{dir, filepath.Join(dir, "a.wacz")} {
		var table Table
		err := table.Add([]byte("https://www.h.example/"), undated)
		if err != nil {
			t.Fatal(err)
		}
		stats, err := table.Read([]string{name})
		if err != nil || stats != (Stats{Files: 1, Captures: 1}) || table.Find([]byte("https://www.h.example/"), undated).Before != 20200102030405 {
			t.Errorf("%s: %+v, %v", name, stats, err)
		}
	}
}

// TestAnswer reads what the Wayback Machine answers with output=json: a row in each line, all rows in one, and a cut one.
func TestAnswer(t *testing.T) {
	const header = `[["urlkey","timestamp","original","mimetype","statuscode","digest","length"],`
	row := func(url string) string {
		return `["example,h)/", "20200102030405", "` + url + `", "text/html", "200", "Q4QN", "1415"]`
	}
	tests := []struct {
		text  string
		stats Stats
	}{
		{header + "\n" + row("http://h.example:80/") + ",\n" + row("http://h.example/a") + "]\n", Stats{Files: 1, Captures: 2}},
		{header + row("http://h.example/") + "," + row(`http://other.example/],[\"`) + ",[],[\"com%2Ca\"]]", Stats{Files: 1, Captures: 2}},
		{header + "\n" + row("http://h.example/") + ",\n[1],\n[\"", Stats{Files: 1, Captures: 1, Broken: 2, FirstBroken: ":3"}},
	}
	for _, tt := range tests {
		file := filepath.Join(t.TempDir(), "answer")
		err := os.WriteFile(file, []byte(tt.text), 0o666)
		if err != nil {
			t.Fatal(err)
		}
		var table Table
		err = table.Add([]byte("https://www.h.example/"), undated)
		if err != nil {
			t.Fatal(err)
		}
		stats, err := table.Read([]string{file})
		stats.FirstBroken = strings.TrimPrefix(stats.FirstBroken, filepath.ToSlash(file))
		if err != nil || stats != tt.stats || table.Find([]byte("https://www.h.example/"), undated).Before != 20200102030405 {
			t.Errorf("%s: %+v, %v", tt.text, stats, err)
		}
	}
}
