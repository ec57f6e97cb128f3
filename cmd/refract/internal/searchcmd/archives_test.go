package searchcmd

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/internal/testing/cmdtest"
	"example.org/refract/internal/testing/scantest"
)

// zipped returns a ZIP archive of names and texts.
func zipped(t testing.TB, texts ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(texts); i += 2 {
		w, err := z.Create(texts[i])
		if err == nil {
			_, err = io.WriteString(w, texts[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// tarred returns a tar archive of names and texts.
func tarred(t testing.TB, texts ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(texts); i += 2 {
		err := w.WriteHeader(&tar.Header{Name: texts[i], Size: int64(len(texts[i+1])), Mode: 0o666})
		if err == nil {
			_, err = io.WriteString(w, texts[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// archiveTree writes a directory with archives.
func archiveTree(t *testing.T) (dir string) {
	documents := []string{"d/a.html", "\n<a href='http://h.example/1'>x</a> <a href=rel>", "b.md", "[x](http://h.example/2)", "p.png", "\x89PNG\r\n\x1a\n\x00"}
	zip, tar := zipped(t, documents...), tarred(t, documents...)
	mail := "Message-ID: <m@h>\nContent-Type: application/zip; name=att.zip\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(zip)) + "\n"
	damaged := []byte(zipped(t, "a.txt", "http://h.example/4"))
	damaged[bytes.LastIndex(damaged, []byte("PK\x01\x02"))+16]++ // of the checksum
	return cmdtest.Files(t, map[string]string{
		"a.zip": zip, "a.jar": zip, "a.tar": tar, "a.tgz": string(cmdtest.Gzipped(tar)), "a.tar.gz": string(cmdtest.Gzipped(tar)), "m.eml": mail, "n.zip": zipped(t, "i.tgz", string(cmdtest.Gzipped(tar))),
		"damaged.zip": string(damaged), "text.txt": "http://h.example/3",
	})
}

// Archives that are named are opened, those in directories with --archives.
func TestArchives(t *testing.T) {
	dir := archiveTree(t)
	for _, tt := range []struct{ line, want, messages string }{
		{"refract -n a.zip", "a.zip!/d/a.html:2:10:http://h.example/1\na.zip!/b.md:1:5:http://h.example/2\n", "refract: skipped 1 relative reference: no base URL is known (use --base or --url, or --unresolved to list them)\nrefract: not read: 1 image (use --strict to list them)\n"},
		{"refract -n -q a.tgz", "a.tgz!/d/a.html:2:10:http://h.example/1\na.tgz!/b.md:1:5:http://h.example/2\n", ""},
		{"cat a.zip | refract -n -q", "-!/d/a.html:2:10:http://h.example/1\n-!/b.md:1:5:http://h.example/2\n", ""},
		{"refract -n -q < a.zip", "-!/d/a.html:2:10:http://h.example/1\n-!/b.md:1:5:http://h.example/2\n", ""},
		{"refract -n -q - < a.tgz", "-!/d/a.html:2:10:http://h.example/1\n-!/b.md:1:5:http://h.example/2\n", ""},
		{"refract --edges -q n.zip", "n.zip!/i.tgz!/d/a.html\thttp://h.example/1\tlink\nn.zip!/i.tgz!/b.md\thttp://h.example/2\tlink\n", ""},
		{"refract --base http://b.example/x/ -q a.jar", "http://h.example/1\nhttp://b.example/x/rel\nhttp://h.example/2\n", ""},
		{"refract --file-base -q --unresolved a.tar", "http://h.example/1\nrel\nhttp://h.example/2\n", ""},
		{"refract -n -q . | sort", "./m.eml!/att.zip!/b.md:1:5:http://h.example/2\n./m.eml!/att.zip!/d/a.html:2:10:http://h.example/1\n./text.txt:1:1:http://h.example/3\n", ""},
		{"refract -n -q --archives -g '!damaged.zip' . | wc -l | tr -d ' '", "15\n", ""},
		{"refract -n -q --archives -g 'a.*' -g '!a.tar*' .", "./a.jar!/d/a.html:2:10:http://h.example/1\n./a.jar!/b.md:1:5:http://h.example/2\n./a.tgz!/d/a.html:2:10:http://h.example/1\n./a.tgz!/b.md:1:5:http://h.example/2\n./a.zip!/d/a.html:2:10:http://h.example/1\n./a.zip!/b.md:1:5:http://h.example/2\n", ""},
		{"refract -q --csv m.eml", "input,line,column,kind,how,raw,base,layer,url,error,date_utc,from,from_name,subject,message_id\n" +
			"m.eml!/att.zip!/d/a.html,2,10,link,attribute,http://h.example/1,,none,http://h.example/1,,,,,,m@h\nm.eml!/att.zip!/d/a.html,2,44,link,attribute,rel,,none,,no base,,,,,m@h\nm.eml!/att.zip!/b.md,1,5,link,inline,http://h.example/2,,none,http://h.example/2,,,,,,m@h\n", ""},
		{"refract -q --format tsv --fields input,member,part,filename,message_id,line,url a.zip m.eml", "input\tmember\tpart\tfilename\tmessage_id\tline\turl\n" +
			"a.zip\ta.zip!/d/a.html\t\t\t\t2\thttp://h.example/1\na.zip\ta.zip!/d/a.html\t\t\t\t2\t\na.zip\ta.zip!/b.md\t\t\t\t1\thttp://h.example/2\n" +
			"m.eml\tatt.zip!/d/a.html\t1\tatt.zip\tm@h\t2\thttp://h.example/1\nm.eml\tatt.zip!/d/a.html\t1\tatt.zip\tm@h\t2\t\nm.eml\tatt.zip!/b.md\t1\tatt.zip\tm@h\t1\thttp://h.example/2\n", ""},
		{"refract -q --type text a.zip | wc -c | tr -d ' '", "0\n", ""},
		{"refract -q damaged.zip; echo status $?", "http://h.example/4\nstatus 2\n", "refract: damaged.zip!/a.txt: at byte 0: zip: the checksum is wrong\n"},
		{"refract -q --strict a.zip; echo status $?", "http://h.example/1\nhttp://h.example/2\nstatus 0\n", "refract: a.zip!/p.png: at byte 0: a binary file of type image/png (\"p.png\"): not read\n"},
	} {
		out, messages := cmdtest.Shell(t, dir, tt.line)
		if out != tt.want || tt.messages == "" && messages != "" || !strings.HasPrefix(messages, tt.messages) {
			t.Errorf("%s: got\n%s%s\nwant\n%s%s", tt.line, out, messages, tt.want, tt.messages)
		}
	}
}

// --json has the member of each reference, note and error, and counts as for files.
func TestArchivesJSON(t *testing.T) {
	dir := archiveTree(t)
	out, _ := cmdtest.Shell(t, dir, "refract --json a.zip m.eml damaged.zip || true")
	type line struct {
		Type, Input, Member, Part, Raw string
		Offset                         int
		Inputs, References, Errors     int
	}
	var got []string
	var last line
	for text := range strings.Lines(out) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %s %s %s %s", l.Type, l.Input, l.Member, l.Part, l.Raw))
		last = l
	}
	want := []string{
		"reference a.zip a.zip!/d/a.html  http://h.example/1", "reference a.zip a.zip!/d/a.html  rel", "reference a.zip a.zip!/b.md  http://h.example/2", "note a.zip a.zip!/p.png  ",
		"reference m.eml att.zip!/d/a.html 1 http://h.example/1", "reference m.eml att.zip!/d/a.html 1 rel", "reference m.eml att.zip!/b.md 1 http://h.example/2", "note m.eml att.zip!/p.png  ",
		"reference damaged.zip damaged.zip!/a.txt  http://h.example/4", "error damaged.zip damaged.zip!/a.txt  ", "summary    ",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if last.Inputs != 3 || last.References != 7 || last.Errors != 1 {
		t.Errorf("%+v", last)
	}
}

// The output about archives is the same for any number of jobs.
func TestArchivesJobs(t *testing.T) {
	var texts []string
	for i := range 120 {
		texts = append(texts, fmt.Sprintf("d/%d.%s", i, []string{"txt", "html", "md"}[i%3]), strings.Repeat(fmt.Sprintf("see http://h.example/%d or <a href='%d'>\n", i, i), 5+i*i%100))
	}
	zip, tar := zipped(t, texts...), tarred(t, texts...)
	mail := "From a@b Tue Apr  1 09:28:56 1997\nContent-Type: application/zip; name=att.zip\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(zip)) + "\n\n"
	dir := cmdtest.Files(t, map[string]string{"a.zip": zip, "a.tar": tar, "a.tgz": string(cmdtest.Gzipped(tar)), "a.mbox": strings.Repeat(mail, 3)})
	for _, flags := range []string{"--json --strict", "-n --unique"} {
		var want string
		for _, jobs := range []string{"1", "4"} {
			var out, errs bytes.Buffer
			runSearch(append(strings.Fields(flags), "-j", jobs, filepath.Join(dir, "a.zip"), filepath.Join(dir, "a.tar"), filepath.Join(dir, "a.tgz"), filepath.Join(dir, "a.mbox")), &out, &errs)
			text := out.String() + errs.String()
			if want == "" {
				want = text
			}
			if text != want || len(text) < 5_000 {
				t.Errorf("%s, %s jobs: %d bytes, not %d", flags, jobs, len(text), len(want))
			}
		}
	}
}

// The name of a member repeats in each line, so it is cut.
func TestMemberNames(t *testing.T) {
	src := zipped(t, strings.Repeat("x", 65000)+".html", strings.Repeat("<a href='http://h.example/'>", 100))
	dir := cmdtest.Files(t, map[string]string{"a.zip": src})
	var lines []jsonLine
	var out, errs bytes.Buffer
	runSearch([]string{"--json", filepath.Join(dir, "a.zip")}, &out, &errs)
	for _, l := range jsonLines(t, out.String()) {
		if l.Type == "reference" {
			lines = append(lines, l)
		}
	}
	if len(lines) != 100 || out.Len() > 100*(output.MaxRepeated+1000) || len(lines[0].Cut) != 1 || lines[0].Cut[0] != "member" {
		t.Errorf("%d lines, %d bytes, %v", len(lines), out.Len(), errs.String())
	}
}

// Attachments and nested archives keep the bound on memory, however much they decompress to.
func TestArchivesMemory(t *testing.T) {
	scantest.Long(t, "measures memory")
	run := cmdtest.Measured(t)
	random := rand.New(rand.NewPCG(1, 2))
	var texts []string
	for i := range 20 {
		var b strings.Builder
		for range 5000 {
			fmt.Fprintf(&b, "%x http://h%d.example/%x\n", random.Uint64(), i, random.Uint64())
		}
		texts = append(texts, fmt.Sprintf("%d.txt", i), strings.Repeat("<a href='http://h.example/'>x</a>\n", 1000)+b.String(), fmt.Sprintf("%d.html", i), "<html>"+b.String()+b.String())
	}
	archive := zipped(t, texts...)
	mail := "From a@b Tue Apr  1 09:28:56 1997\nContent-Type: application/zip; name=a.zip\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(archive)) + "\n\n"
	bomb := strings.Repeat("http://h.example/ ", 1<<20)
	for range 3 {
		bomb = zipped(t, "a.txt", bomb, "b.zip", zipped(t, "c.html", bomb))
	}
	dir := cmdtest.Files(t, map[string]string{"mails.mbox": strings.Repeat(mail, 20), "a.zip": archive, "all.tar": tarred(t, "a.zip", archive, "b.zip", archive, "bomb.zip", bomb), "bomb.zip": bomb})
	largest := map[string]int{"mails.mbox": len(mail) + len(archive), "a.zip": len(texts[3]), "all.tar": max(len(archive), 18<<20), "bomb.zip": 18 << 20}
	for name, size := range largest {
		for _, jobs := range []int{1, 2} {
			code, peak, _ := run("--json", "-j", fmt.Sprint(jobs), "-o", os.DevNull, filepath.Join(dir, name))
			if code != 0 {
				t.Fatalf("%s: status %d", name, code)
			}
			bound := int64(jobs) * (32<<20 + 4*int64(size))
			t.Logf("%s, %d jobs: %d MiB of %d, the largest entity has %d bytes", name, jobs, peak>>20, bound>>20, size)
			if peak > bound {
				t.Errorf("%s, %d jobs: %d MiB, more than %d", name, jobs, peak>>20, bound>>20)
			}
		}
	}
}
