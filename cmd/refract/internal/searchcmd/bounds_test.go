package searchcmd

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/cmd/refract/internal/overview"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/cmdtest"
	"example.org/refract/internal/testing/scantest"
)

// jsonLine holds the members of a --json line that these tests use.
type jsonLine struct {
	Type, Input, Part, Message string
	Offset                     *int64
	Base, Date, URL            string
	MessageID                  string   `json:"message_id"`
	Cut                        []string `json:"truncated_fields"`
	References, Errors         int
}

func jsonLines(t *testing.T, text string) (lines []jsonLine) {
	t.Helper()
	for line := range strings.Lines(text) {
		var l jsonLine
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%v: %.200s", err, line)
		}
		lines = append(lines, l)
	}
	return lines
}

// findJSON runs a search with --json over files in dir.
func findJSON(t *testing.T, dir string, cfg extract.Config, jobs int) (lines []jsonLine, stderr string, err error) {
	t.Helper()
	var out, messages bytes.Buffer
	cfg.Lines, cfg.Cite = true, true
	s := &search{stdout: &out, stderr: &messages, cfg: cfg, jobs: jobs}
	s.renderer = output.Renderer{Config: &s.cfg, Format: output.JSON, Terminator: '\n'}
	s.inputs.rules = &s.cfg.Rules
	err = s.run([]string{dir})
	return jsonLines(t, out.String()), messages.String(), err
}

// A scanner that panics affects only one message. The error names the input, the part and the
// offset.
func TestPanic(t *testing.T) {
	html := extract.Format{Types: []string{"text/html"}, Suffixes: []string{".html"}, Scan: func(src []byte, _ *extract.Config, _ extract.Context) iter.Seq[*scan.Item] {
		return func(yield func(*scan.Item) bool) {
			if bytes.Contains(src, []byte("panic")) {
				panic("broken")
			}
			yield(&scan.Item{Op: scan.Ref, Span: scan.Span{End: 1}, Value: []byte("http://html/")})
		}
	}}
	mail := func(body string) string {
		return "From a@b Tue Apr  1 09:28:56 1997\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://text/\n--b\nContent-Type: text/html\n\n" + body + "\n--b--\n\n"
	}
	mbox := mail("fine") + mail("panic") + mail("fine")
	dir := cmdtest.Files(t, map[string]string{"a.mbox": mbox, "b.html": "panic", "c.html": "fine", "d.mbox": strings.Repeat(mail("fine"), 3000)})
	var first string
	for _, jobs := range []int{1, 4} {
		lines, stderr, err := findJSON(t, dir, extract.Config{Formats: []extract.Format{html}}, jobs)
		var failed cli.Status
		if !errors.As(err, &failed) || failed != cli.ExitFailed {
			t.Errorf("%d jobs: %v", jobs, err)
		}
		var found []string
		for _, l := range lines {
			if l.Type == "error" {
				found = append(found, fmt.Sprintf("%s %q %d %s", filepath.Base(l.Input), l.Part, *l.Offset, strings.Split(l.Message, ", in")[0]))
			}
		}
		want := fmt.Sprintf("[a.mbox \"2\" %d internal error: broken b.html \"\" 0 internal error: broken]", strings.Index(mbox, "panic"))
		if got := fmt.Sprint(found); got != want {
			t.Errorf("%d jobs: errors %s, want %s", jobs, got, want)
		}
		last := lines[len(lines)-1]
		if last.Errors != 2 || last.References != 5+1+6000 {
			t.Errorf("%d jobs: %+v", jobs, last)
		}
		if strings.Count(stderr, "refract: internal error: ") != 2 || !strings.Contains(stderr, "a.mbox: part 2: at byte ") {
			t.Errorf("%d jobs: %s", jobs, stderr)
		}
		all, _ := json.Marshal(lines)
		if text := string(all) + stderr; first == "" {
			first = text
		} else if text != first {
			t.Errorf("%d jobs: other output", jobs)
		}
	}
}

// A panic while a reference is rendered becomes an error of that reference.
func TestPanicOfRendering(t *testing.T) {
	var b output.Block
	b.Begin(true, false, func(*output.Page) bool { return true })
	s := &search{renderer: output.Renderer{Format: output.JSON}} // without a Config: rendering a base panics
	r := &extract.Reference{Entity: &extract.Entity{Name: "x"}, URL: []byte("http://h/")}
	b.Out = append(b.Out, "before\n"...)
	s.renderer.Format = output.Text
	s.reference(&b, "x", r)
	if b.Errors != 1 || string(b.Out) != "before\n" || !strings.Contains(string(b.Messages), "internal error: x: at byte 0: ") {
		t.Errorf("%d errors, %q, %q", b.Errors, b.Out, b.Messages)
	}
}

// Text that every line repeats is cut, and truncated_fields names it. A long base still resolves.
func TestRepeatedFields(t *testing.T) {
	long := strings.Repeat("x", output.MaxRepeated-1-len("http://h/")) + "é"
	dir := cmdtest.Files(t, map[string]string{
		"a.html": "<base href='http://h/" + strings.Repeat("x", 60000) + "/'><a href=y>",
		"b.eml":  "From: a@b\nMessage-ID: <" + strings.Repeat("i", 9000) + "@h>\nDate: " + strings.Repeat("d", 9000) + "\n\nhttp://h/\n",
		"c.html": "<base href='http://h/" + long + "'><a href=y>",
	})
	lines, _, err := findJSON(t, dir, extract.Config{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, l := range lines {
		switch {
		case l.Type != "reference" || l.Base == "":
		case strings.HasSuffix(l.Input, "a.html") && strings.HasSuffix(l.URL, "/y"):
			seen++
			if len(l.URL) != 60000+len("http://h//y") || len(l.Base) != output.MaxRepeated || fmt.Sprint(l.Cut) != "[base]" {
				t.Errorf("URL of %d bytes, base of %d, cut: %q", len(l.URL), len(l.Base), l.Cut)
			}
		case strings.HasSuffix(l.Input, "c.html") && strings.HasSuffix(l.URL, "/y"):
			seen++
			if len(l.Base) != output.MaxRepeated-1 || !strings.HasSuffix(l.Base, "x") || fmt.Sprint(l.Cut) != "[base]" {
				t.Errorf("base of %d bytes: %q, cut: %q", len(l.Base), l.Base[len(l.Base)-5:], l.Cut)
			}
		}
		if strings.HasSuffix(l.Input, "b.eml") {
			seen++
			if len(l.MessageID) != output.MaxRepeated || len(l.Date) != output.MaxRepeated || fmt.Sprint(l.Cut) != "[message_id date]" {
				t.Errorf("message_id of %d bytes, date of %d, cut: %q", len(l.MessageID), len(l.Date), l.Cut)
			}
		}
	}
	if seen != 3 {
		t.Errorf("%d references: %+v", seen, lines)
	}
}

// The output about one document is limited. The rest is counted, and reported as one error.
func TestBudget(t *testing.T) {
	const n = 4000
	page := "<base href='http://h/" + strings.Repeat("x", 60000) + "/'>" + strings.Repeat("<a href=y>", n)
	dir := cmdtest.Files(t, map[string]string{"a.html": page, "b.html": "<a href=http://h/>"})
	var outputs []string
	for _, jobs := range []int{4, 1}[:scantest.Amount(1, 2)] {
		lines, stderr, err := findJSON(t, dir, extract.Config{}, jobs)
		var failed cli.Status
		if !errors.As(err, &failed) || failed != cli.ExitFailed {
			t.Errorf("%d jobs: %v", jobs, err)
		}
		size, urls := 0, 0
		var message string
		for _, l := range lines {
			switch {
			case l.Type == "error":
				message = l.Message
				if l.Offset == nil || !strings.HasSuffix(l.Input, "a.html") {
					t.Errorf("%+v", l)
				}
			case strings.HasSuffix(l.Input, "a.html"):
				size += len(l.URL)
				urls++
			}
		}
		last := lines[len(lines)-1]
		if limit := 64<<20 + 100*len(page); size > limit || size < limit/2 {
			t.Errorf("%d jobs: URLs of %d bytes", jobs, size)
		}
		left := n - urls
		if want := "too much output: " + cli.Count(left, "more reference") + " of"; !strings.HasPrefix(message, want) || !strings.Contains(stderr, want) {
			t.Errorf("%d jobs: %q, want %s", jobs, message, want)
		}
		if last.References != n+1 || last.Errors != 1 || !strings.HasSuffix(lines[len(lines)-2].Input, "b.html") {
			t.Errorf("%d jobs: %+v", jobs, last)
		}
		outputs = append(outputs, fmt.Sprint(len(lines), size, message))
	}
	if len(slices.Compact(outputs)) > 1 {
		t.Errorf("4 jobs and 1: %s", outputs)
	}
}

// A URL of more than 2 MiB is an error of its reference, except for a data URL that needs no
// escaping; its spellings are cut.
func TestTooLong(t *testing.T) {
	long := strings.Repeat("x", 2<<20)
	dir := cmdtest.Files(t, map[string]string{
		"a.html": "<a href=x><a href='http://h/" + long + "'><a href='" + strings.Repeat("é", 400000) + "'><img src='data:," + long + "'><img src='data:, " + long + "'><a href=y>",
	})
	for _, form := range []string{"--json", "--csv", "-n", "--unresolved", "--unique"} {
		var out, errs bytes.Buffer
		got := runSearch([]string{form, "--url", "http://h/", dir}, &out, &errs)
		want := 3 // the last one needs escaping
		if form != "--json" {
			want = 2 // the data URL is excluded
		}
		if n := strings.Count(errs.String(), "a URL of more than 2 MiB: left out\n"); got != cli.ExitFailed || n != want {
			t.Errorf("%s: status %d, %d errors: %.500s", form, got, n, errs.String())
		}
		if out.Len() > 20000 {
			t.Errorf("%s: %d bytes", form, out.Len())
		}
		if form != "--json" {
			continue
		}
		lines := jsonLines(t, out.String())
		last := lines[len(lines)-1]
		if len(lines) != 7 || last.References != 6 || last.Errors != 3 || fmt.Sprint(lines[3].Cut) != "[raw ref]" {
			t.Errorf("%d lines, %+v, %+v", len(lines), last, lines[3].Cut)
		}
	}
}

// Pages are passed on while a document is still being read, and their memory is limited.
func TestPages(t *testing.T) {
	var b output.Block
	var sizes []int
	b.Begin(false, false, func(p *output.Page) bool {
		sizes = append(sizes, len(p.Out))
		p.Release()
		return len(sizes) < 5
	})
	s := &search{renderer: output.Renderer{Config: &extract.Config{}, Format: output.Text, Terminator: '\n'}}
	src := strings.Repeat("<a href=http://h/"+strings.Repeat("x", 1000)+">", 5000)
	for piece, err := range (&extract.Config{Type: "text/html"}).Batches("x", strings.NewReader(src)) {
		if err != nil {
			t.Fatal(err)
		}
		s.scan(&b, "x", piece)
	}
	if len(sizes) != 5 {
		t.Fatalf("pages of %d", sizes)
	}
	for _, n := range sizes {
		if n < 256<<10 || n > 256<<10+2000 {
			t.Errorf("pages of %d", sizes)
		}
	}
}

// --unique with records on disk needs few file descriptors.
func TestFewDescriptors(t *testing.T) {
	var text strings.Builder
	for i := range 60000 {
		fmt.Fprintf(&text, "http://h/%d http://h/%d\n", i, i%777)
	}
	dir := cmdtest.Files(t, map[string]string{"x.txt": text.String()})
	out, _ := cmdtest.Shell(t, dir, "ulimit -n 32 && refract -j 4 --unique --memory 100000 x.txt")
	if n := strings.Count(out, "\n"); n != 60000 {
		t.Errorf("%d lines", n)
	}
}

// hostileShapes are inputs whose output, or memory, could be many times their size. Each repeats
// something n times; its largest entity has about size bytes.
var hostileShapes = []struct {
	name string
	n    int
	make func(n int) []byte
}{
	{"base.warc.gz", 20000, func(n int) []byte {
		return cmdtest.Gzipped(crawled("text/html", "", "<base href=http://h/"+strings.Repeat("a", 65000)+"/>"+strings.Repeat("<a href=x>", n)))
	}},
	{"msgid.eml", 100000, func(n int) []byte {
		return []byte("From: a@b\nMessage-ID: <" + strings.Repeat("x", n) + "@h>\n\n" + strings.Repeat("http://h/\n", n/100))
	}},
	{"date.eml", 100000, func(n int) []byte {
		return []byte("From: a@b\nDate: " + strings.Repeat("x", n) + "\n\n" + strings.Repeat("http://h/\n", n/100))
	}},
	{"links.html.gz", 750000, func(n int) []byte { return cmdtest.Gzipped(strings.Repeat("<a href=x>", n)) }},
	{"srcset.html", 300000, func(n int) []byte {
		return []byte("<base href=http://h/" + strings.Repeat("a", 60000) + "/><img srcset='" + strings.Repeat("x 1x, ", n) + "'>")
	}},
	{"archive.html", 300000, func(n int) []byte { return []byte("<applet archive='" + strings.Repeat("x,", n) + "'>") }},
	{"codebase.html", 300000, func(n int) []byte {
		return []byte("<object codebase='http://h/" + strings.Repeat("c", 30000) + "/' archive='" + strings.Repeat("x ", n) + "'>")
	}},
	{"utf7.eml", 300000, func(n int) []byte {
		return []byte("From: a@b\nContent-Type: text/plain; charset=utf-7\n\n" + strings.Repeat("+AOk- http://h/ ", n))
	}},
	{"quoted.eml", 300000, func(n int) []byte {
		return []byte("From: a@b\nContent-Transfer-Encoding: quoted-printable\nContent-Type: text/html\n\n" + strings.Repeat("<a href=3D=\n'=78'>", n))
	}},
	{"base64.eml", 300000, func(n int) []byte {
		return []byte("From: a@b\nContent-Transfer-Encoding: base64\nContent-Type: text/html\n\n" + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("<a href=x>", n))))
	}},
	{"latin1.html", 2000000, func(n int) []byte { return []byte("<meta charset=windows-1252>" + strings.Repeat("a\xe9", n)) }},
	{"utf16.html", 200000, func(n int) []byte {
		return []byte("\xff\xfe" + strings.Join(strings.Split(strings.Repeat("<a href=x>", n), ""), "\x00") + "\x00")
	}},
	{"2022.eml", 300000, func(n int) []byte {
		return []byte("From: a@b\nContent-Type: text/plain; charset=iso-2022-jp\n\n" + strings.Repeat("\x1b$B$\"\x1b(B http://h/ ", n))
	}},
	{"link.warc", 100000, func(n int) []byte {
		return []byte(crawled("text/plain", "Link: "+strings.Repeat("<x>, ", n)+"\r\n", "x"))
	}},
	{"bases.svg", 75, func(n int) []byte {
		return []byte("<svg xmlns='http://www.w3.org/2000/svg' xml:base='http://h/'>" + strings.Repeat("<g xml:base='"+strings.Repeat("b", 60000)+"/'>", n))
	}},
	{"hyphens.txt", 50, func(n int) []byte {
		return []byte(strings.Repeat("<URL:http://h/"+strings.Repeat("a-\n", 2500)+">\n", n))
	}},
	{"query.html", 1 << 20, func(n int) []byte {
		return []byte("<meta charset=koi8-r><a href='?" + strings.Repeat("\xc1", n) + "'>")
	}},
	{"path.html", 1 << 20, func(n int) []byte {
		return []byte("<meta charset=koi8-r><a href='" + strings.Repeat("\xc1", n) + "'>")
	}},
	{"escaped.html", 400000, func(n int) []byte { // of nearly 2 MiB, four times
		return []byte("<base href=http://h/>" + strings.Repeat("<a href='"+strings.Repeat("é", 340000)+"'>", max(n/400000, 1)))
	}},
	{"long.html", 4 << 20, func(n int) []byte { return []byte("<a href='http://h/" + strings.Repeat("&lt;", n/4) + "'>") }},
	{"long.md", 4 << 20, func(n int) []byte { return []byte("[a](http://h/" + strings.Repeat("x", n) + ")") }},
	{"data.html", 4 << 20, func(n int) []byte { return []byte("<img src='data:" + strings.Repeat("x", n) + "'>") }},
	{"spaces.html", 4 << 20, func(n int) []byte { return []byte("<img src='data:" + strings.Repeat("x ", n/2) + "'>") }},
	{"base.html", 1 << 20, func(n int) []byte {
		return []byte("<base href='http://h/" + strings.Repeat("é/", n/3) + "'>" + strings.Repeat("<a href=x>", 10))
	}},
	{"rows.cdx", 200000, func(n int) []byte {
		return []byte(" CDX N b a\n" + strings.Repeat("h)/ 20140103030321 http://h/?x\n", n))
	}},
	{"line.cdx", 8 << 20, func(n int) []byte {
		return []byte(" CDX N b a\nh)/ 2014 http://h/" + strings.Repeat("x", n) + "\nh)/ 2014 http://h/\n")
	}},
	{"frames.warc.lz4", 20000, func(n int) []byte { // frames that claim 2^63-1 bytes in blocks of 4 MiB, and have none
		return bytes.Repeat([]byte("\x04\x22\x4d\x18\x68\x70\xff\xff\xff\xff\xff\xff\xff\x7f\x9e\x00\x00\x00\x00"), n)
	}},
	{"bomb.warc.lz4", 60 << 10, func(n int) []byte { // a match of 255 times its size
		block := append([]byte("\x1f \x01\x00"), bytes.Repeat([]byte{255}, min(n, 16000))...)
		block = append(block, 0, 0x10, 'x')
		frame := binary.LittleEndian.AppendUint32([]byte("\x04\x22\x4d\x18\x60\x70\x73"), uint32(len(block)))
		return bytes.Repeat(append(append(frame, block...), 0, 0, 0, 0), n/len(block))
	}},
	{"bomb.wacz", 4 << 20, func(n int) []byte {
		return zipFile("archive/a.warc.gz", string(cmdtest.Gzipped(crawled("text/html", "", strings.Repeat(" ", n)))), "datapackage.json", "{}",
			"pages/pages.jsonl", strings.Repeat("\n", n), "indexes/index.cdx.gz", string(cmdtest.Gzipped(strings.Repeat("a 2014 {\"url\":\"http://h/\"}\n", n/30))))
	}},
	{"many.wacz", 10000, func(n int) []byte {
		files := []string{"datapackage.json", "{}"}
		for i := range n {
			files = append(files, fmt.Sprintf("archive/%d.warc", i), crawled("text/html", "", "<a href=x>"))
		}
		return zipFile(files...)
	}},
	{"codings.warc", 20000, func(n int) []byte {
		packed := cmdtest.Gzipped(string(cmdtest.Gzipped("<a href=x>")))
		return []byte(strings.Repeat(crawled("text/html", "Content-Encoding: gzip\r\n", string(packed)), n))
	}},
	{"codings-bomb.warc", 16 << 20, func(n int) []byte {
		return []byte(strings.Repeat(crawled("text/html", "Content-Encoding: gzip\r\n", string(cmdtest.Gzipped(string(cmdtest.Gzipped(strings.Repeat("<a href=x>", n/10)))))), 4))
	}},
	{"many.mbox", 100000, func(n int) []byte {
		return []byte(strings.Repeat("From a@b Tue Apr  1 09:28:56 1997\nFrom: x\n\nhttp://h/\n\n", n))
	}},
}

// zipFile returns a ZIP archive of files: a name, and its text, and so on.
func zipFile(files ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i+1 < len(files); i += 2 {
		w, _ := z.Create(files[i])
		io.WriteString(w, files[i+1])
	}
	z.Close()
	return b.Bytes()
}

// crawled returns a WARC record with a response.
func crawled(mediaType, headers, body string) string {
	http := "HTTP/1.1 200 OK\r\nContent-Type: " + mediaType + "\r\n" + headers + "\r\n" + body
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(http), http)
}

// A run takes at most 32 MiB and four times the largest entity of memory for each job, whatever the
// input. Its CPU time grows no faster than the input.
func TestBounds(t *testing.T) {
	scantest.Long(t, "measures memory and time")
	run := cmdtest.Measured(t)
	dir := t.TempDir()
	for _, shape := range hostileShapes {
		var text string
		var seconds [2]float64
		for i, n := range []int{shape.n, 4 * shape.n} {
			src := shape.make(n)
			size := max(len(src), n) // n is the size of what bombs contain
			if r, err := gzip.NewReader(bytes.NewReader(src)); err == nil {
				plain, _ := io.ReadAll(r)
				size = len(plain)
			}
			name := filepath.Join(dir, shape.name)
			if err := os.WriteFile(name, src, 0o666); err != nil {
				t.Fatal(err)
			}
			for _, jobs := range []int{1, 2} {
				code, peak, user := run("--json", "-j", fmt.Sprint(jobs), "-o", os.DevNull, name)
				if code != 0 && code != cli.ExitFailed {
					t.Fatalf("%s: status %d", shape.name, code)
				}
				bound := int64(jobs) * (32<<20 + 4*int64(size))
				for again := 0; peak > bound && again < 3; again++ { // the collector lags on a busy machine
					_, least, _ := run("--json", "-j", fmt.Sprint(jobs), "-o", os.DevNull, name)
					peak = min(peak, least)
				}
				if peak > bound {
					t.Errorf("%s × %d, %d jobs: %d MiB for %d bytes, more than %d", shape.name, n, jobs, peak>>20, size, bound>>20)
				}
				if jobs == 1 {
					seconds[i] = user
					text += fmt.Sprintf(" %d bytes: %d MiB, %.2f s;", size, peak>>20, seconds[i])
				}
			}
		}
		t.Logf("%-14s%s", shape.name, text)
		if seconds[1] > 8*seconds[0]+0.5 {
			t.Errorf("%s: %.2f s, and %.2f s for four times as much", shape.name, seconds[0], seconds[1])
		}
	}
}

// A run with --html takes at most overview.Memory more, whatever it reads: here 1,000,000 references to
// distinct URLs, in running text, and long ones in messages with long headers.
func TestBoundsOfOverview(t *testing.T) {
	scantest.Long(t, "measures memory and time")
	run := cmdtest.Measured(t)
	dir := t.TempDir()
	long := strings.Repeat("x", 300)
	for _, shape := range []struct {
		name string
		n    int
		make func(i int) string
	}{
		{"distinct.txt", 1000000, func(i int) string {
			return fmt.Sprintf("http://h%d.example/path/%d/page.html?id=%d\n", i%70000, i*7919%1000003, i)
		}},
		{"long.mbox", 100000, func(i int) string {
			text := fmt.Sprintf("From a@b Tue Apr  1 09:28:56 1997\nFrom: %d%s@h%d.example\nSubject: %d%s\nMessage-ID: <%d%s@h>\nList-Id: <%d%s.h>\nDate: Tue, 1 Apr 1997 09:28:56 +0000\n\n",
				i, long, i, i, long, i, long, i, long)
			for j := range 4 {
				text += fmt.Sprintf("http://h%d.%d.example/%s%s%s%d/%d\n", i, j, long, long, long, i, j)
			}
			return text + "\n"
		}},
	} {
		name := filepath.Join(dir, shape.name)
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w := bufio.NewWriter(f)
		for i := range shape.n {
			w.WriteString(shape.make(i))
		}
		if err := errors.Join(w.Flush(), f.Close()); err != nil {
			t.Fatal(err)
		}
		const jobs = 2
		page := filepath.Join(dir, "page.html")
		code, peak, user := run("-q", "-j", fmt.Sprint(jobs), "--html", page, "-o", os.DevNull, name)
		if code != 0 {
			t.Fatalf("%s: status %d", shape.name, code)
		}
		info, err := os.Stat(page)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d MiB, %.1f s, a page of %d MiB", shape.name, peak>>20, user, info.Size()>>20)
		if bound := int64(jobs*32<<20 + overview.Memory); peak > bound {
			t.Errorf("%s: %d MiB, more than %d", shape.name, peak>>20, bound>>20)
		}
		if info.Size() > 64<<20 {
			t.Errorf("%s: a page of %d MiB", shape.name, info.Size()>>20)
		}
		os.Remove(name)
	}
}
