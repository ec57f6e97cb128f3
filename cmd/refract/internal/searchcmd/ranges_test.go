package searchcmd

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/testing/scantest"
)

// record returns a WARC record of a page with this body.
func record(url, body string) string {
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", url, len(block), block)
}

// packed returns each text as a gzip member.
func packed(level int, texts ...string) string {
	var b bytes.Buffer
	for _, text := range texts {
		z, _ := gzip.NewWriterLevel(&b, level)
		z.Write([]byte(text))
		z.Close()
	}
	return b.String()
}

func mailOf(i int, more string) string {
	return fmt.Sprintf("From a Mon Jun  2 09:14:0%d 1997\nBase: http://h/%d/\n%s\n<URL:x>\n\n", i%10, i, more)
}

// archives returns small archives of every kind, both those that can be split and those that
// cannot.
func archives() map[string]string {
	page := func(i int) string { return record(fmt.Sprintf("http://h/%d/", i), "<a href=x>\n<img src=y>") }
	inner := page(7) + page(8)
	var mail, counted, mixed, arc strings.Builder
	for i := range 17 {
		if i < 5 {
			mail.WriteString(mailOf(i, ""))
			counted.WriteString(mailOf(i, "Content-Length: 8\n"))
		}
		mixed.WriteString(mailOf(i, "")) // nothing has a Content-Length in the first sixteen
	}
	body := mailOf(40, "") + mailOf(41, "")
	fmt.Fprintf(&counted, "From b@h Mon Jun  2 09:14:03 1997\nContent-Length: %d\n\n%s\n", len(body), body)
	fmt.Fprintf(&mixed, "From b@h Mon Jun  2 09:14:03 1997\nContent-Length: %d\n\n%s\n%s", len(body), body, mailOf(42, ""))
	arc.WriteString("filedesc://x.arc 0.0.0.0 20000101000000 text/plain 72\n1 0 Alexa Internet\nURL IP-address Archive-date Content-type Archive-length\n\n")
	for i := range 5 {
		text := "HTTP/1.0 200 OK\nContent-Type: text/html\n\n<a href=x>"
		fmt.Fprintf(&arc, "http://h/%d/ 1.2.3.4 20000101000000 text/html %d\n%s\n", i, len(text), text)
	}
	wide := "HTTP/1.0 200 OK\nContent-Type: text/html\n\n\xff\xfe" + strings.Repeat(" \x00", 2100) + "<\x00a\x00 \x00h\x00r\x00e\x00f\x00=\x00w\x00>\x00"
	wideARC := fmt.Sprintf("%shttp://h/ 1.2.3.4 20000101000000 text/html %d\n%s\n", arc.String(), len(wide), wide)
	wrong := strings.Replace(page(2), "Content-Length: ", "Content-Length: 9", 1)
	astray := strings.TrimSuffix(record("http://h/1/", inner), "\r\n\r\n")
	return map[string]string{
		"plain.warc": page(1) + record("http://h/2/", inner) + page(3),
		"wrong.warc": page(1) + wrong + page(3) + "junk http://h/\r\n" + page(4) + page(5),
		// Cut in front of the junk, the length of the first would point to an end.
		"astray.warc":     astray + "junk" + page(3),
		"truncated.warc":  page(1) + page(2)[:180],
		"members.warc.gz": packed(6, page(1), record("http://h/2/", inner), page(3)),
		// The member of a member stands there as it is.
		"stored.warc.gz":  packed(gzip.NoCompression, page(1), record("http://h/2/", packed(6, page(7), page(8))), page(3)),
		"pairs.warc.gz":   packed(6, page(1)+page(2), page(3)+page(4)[:50], page(4)[50:]+page(5), "", page(6)),
		"one.warc.gz":     packed(6, page(1)+page(2)+page(3)),
		"damaged.warc.gz": packed(6, page(1)) + "\x1f\x8b\x08xxxxxxxxxxxxxxxxxxxxx" + packed(6, page(2), page(3)),
		"plain.mbox":      mail.String(),
		"counted.mbox":    counted.String(),
		"mixed.mbox":      mixed.String(),
		"news.rnews":      strings.Repeat("#! rnews 38\nFrom: a\nBase: http://h/\n\n<URL:xxxxx>\n\n", 4),
		"some.arc":        arc.String(),
		// The first 4,096 bytes of a range look like UTF-16.
		"wide.arc": wideARC,
		// Its contents do not match its name.
		"plain.warc.gz": page(1) + page(2) + page(3),
		"page.html":     "<base href=http://h/><a href=x>",
		"text.txt.gz":   packed(6, "http://h/1\n", "http://h/2\n"),
		"empty.mbox":    "",
	}
}

func TestRange(t *testing.T) {
	t.Chdir(t.TempDir())
	step := scantest.Amount(61, 1)
	lines := func(t *testing.T, args ...string) []string {
		t.Helper()
		var out, errs bytes.Buffer
		runSearch(append([]string{"--json", "-j2"}, args...), &out, &errs)
		all := strings.SplitAfter(out.String(), "\n")
		if len(all) < 2 {
			t.Fatal(args, errs.String())
		}
		return all[:len(all)-2] // less the summary
	}
	// input removes the name of the input from a line.
	input := func(line string) (name, rest string) {
		_, rest, _ = strings.Cut(line, `"input":"`)
		name, rest, _ = strings.Cut(rest, `"`)
		if strings.Contains(name, "/") { // otherwise messages do not have it twice
			rest = strings.Replace(rest, `\"`+name+`\": `, "", 1)
		}
		return name, rest
	}
	for name, text := range archives() {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			whole := lines(t, name)
			if len(whole) == 0 && text != "" {
				t.Fatal("nothing is found")
			}
			// In one run, for the time that it takes.
			var list strings.Builder
			for at := 0; at <= len(text)+1; at += step {
				fmt.Fprintf(&list, `{"path":"%s","name":"%[2]d front/%[1]s","range":":%[2]d"}`+"\n"+`{"path":"%[1]s","name":"%[2]d rest/%[1]s","range":"%[2]d:"}`+"\n", name, at)
			}
			os.WriteFile("list", []byte(list.String()), 0o666)
			found := map[string][]string{}
			for _, line := range lines(t, "--files-from", "list") {
				name, rest := input(line)
				found[name] = append(found[name], rest)
			}
			for i, line := range whole {
				_, whole[i] = input(line)
			}
			cuts := map[int]bool{}
			for at := 0; at <= len(text)+1; at += step {
				front := found[fmt.Sprint(at, " front/", name)]
				if got := slices.Concat(front, found[fmt.Sprint(at, " rest/", name)]); !slices.Equal(got, whole) {
					t.Fatalf("cut at %d:\n%swant\n%s", at, got, whole)
				}
				cuts[len(front)] = true
				// In each, the Base is a reference too.
				if name == "plain.mbox" && len(front) != 2*strings.Count(text[:min(at+4, len(text))], "From ") {
					t.Fatalf("%d of the messages begin before %d: %s", len(front), at, text[:at])
				}
			}
			for _, size := range []string{"1", "100", "500"} {
				var list, errs bytes.Buffer
				if s := runSearch([]string{"--split", size, name}, &list, &errs); s != 0 {
					t.Fatal(errs.String())
				}
				os.WriteFile("list", list.Bytes(), 0o666)
				got := lines(t, "--files-from", "list")
				for i, line := range got {
					_, got[i] = input(line)
				}
				if !slices.Equal(got, whole) {
					t.Fatalf("cut by %s:\n%sinto\n%swant\n%s", size, list.String(), got, whole)
				}
				if n := bytes.Count(list.Bytes(), []byte("\n")); size == "1" && step == 1 && n > 1 != (len(cuts) > 2) {
					t.Errorf("%d lines by --split, %d cuts", n, len(cuts))
				}
			}
			t.Logf("%d bytes, %d places", len(text), len(cuts)-1)
		})
	}
}

func TestListed(t *testing.T) {
	for _, line := range []string{`{"path":"a"}{"path":"b"}`, `{"path":"a"} b`, `{"path":"a"`, `{"name":"a"}`, `{"path":"a","ranges":"1:"}`} {
		if _, err := parseListLine(line); err == nil {
			t.Errorf("%s: no error", line)
		}
	}
	if f, err := parseListLine(`{"path":"a","range":"1:2"} `); err != nil || f.Range != "1:2" || f.Path != "a" {
		t.Error(f, err)
	}
}

func TestListedMessageID(t *testing.T) {
	t.Chdir(t.TempDir())
	os.WriteFile("a.mbox", []byte("From a Mon Jun  2 09:14:00 1997\nMessage-ID: <i@h>\n\n<URL:x>\n"), 0o666)
	os.WriteFile("list", []byte(`{"path":"a.mbox","url":"http://l/{message-id}"}`), 0o666)
	var out, errs bytes.Buffer
	runSearch([]string{"--files-from", "list"}, &out, &errs)
	if want := "http://l/i@h\thttp://l/x\ttext\n"; out.String() != want {
		t.Errorf("got %q, want %q: %s", out.String(), want, errs.String())
	}
}

// Finding where an archive can be split takes linear time, and so does finding one range.
func TestCutHostile(t *testing.T) {
	dir := t.TempDir()
	for name, piece := range map[string]string{
		"empty members.warc.gz": packed(6, ""),
		"members.warc.gz":       packed(6, record("http://h/", "<a href=x>")),
		"magics.warc.gz":        packed(gzip.NoCompression, strings.Repeat("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", 9)),
		"no member.warc.gz":     "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03",
		"records.warc":          record("http://h/", "<a href=x>"),
		"too long.warc":         strings.Replace(record("http://h/", "<a href=x>"), "Length: ", "Length: 9", 1),
		"lines.warc":            "WARC/1.0\r\n",
		"messages.mbox":         mailOf(1, ""),
		"counted.mbox":          mailOf(1, "Content-Length: 9\n"),
		"one line.mbox":         "From a Mon Jun  2 09:14:03 1997 ",
		"articles.rnews":        "#! rnews 8\nhttp://h\n",
	} {
		command := func(n int, args ...string) func() {
			file := filepath.Join(dir, fmt.Sprint(n, " ", name))
			if err := os.WriteFile(file, bytes.Repeat([]byte(piece), n/len(piece)), 0o666); err != nil {
				t.Fatal(err)
			}
			args = append(args, file)
			return func() { runSearch(args, io.Discard, io.Discard) }
		}
		n := scantest.Amount(100_000, 500_000)
		// Shorter times are start-up and noise.
		const floor = 30 * time.Millisecond
		scantest.Linear(t, name+": --split", floor, command(n, "--split", "1"), command(4*n, "--split", "1"))
		scantest.Linear(t, name+": --range", floor, command(n, "--range", fmt.Sprint(n/2, ":")), command(4*n, "--range", fmt.Sprint(2*n, ":")))
	}
}
