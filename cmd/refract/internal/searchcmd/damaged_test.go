package searchcmd

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A block of damage over several members is told with its extent: from the first member to the next one that is whole. An index among
// the inputs, in --archived or in the same WACZ file names the records in between.
func TestDamagedExtent(t *testing.T) {
	var members []string
	var at []int
	var file, rows bytes.Buffer
	for i := range 7 {
		url := fmt.Sprintf("http://h/%d/", i)
		members = append(members, packed(6, record(url, "<a href=x>")))
		at = append(at, file.Len())
		file.WriteString(members[i])
		fmt.Fprintf(&rows, `h)/%d 20200101000000 {"url": "%s", "filename": "a.warc.gz", "offset": "%d", "length": "%d"}`+"\n", i, url, at[i], len(members[i]))
	}
	data := file.Bytes()
	for i := at[2] + 5; i < at[5]-5; i++ {
		data[i] = 0xaa
	}
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name string, data []byte) {
		err := os.WriteFile(name, data, 0o666)
		if err != nil {
			t.Fatal(err)
		}
	}
	write("a.warc.gz", data)
	write("a.cdxj", rows.Bytes())
	write("b.cdx", []byte(strings.ReplaceAll(rows.String(), "a.warc", "other.warc")))
	os.WriteFile("a.wacz", packageOf(t, data, rows.Bytes()), 0o666)
	length := at[5] - at[2]
	for args, names := range map[string]string{
		"a.warc.gz b.cdx":             "a.warc.gz ",
		"a.warc.gz a.cdxj b.cdx":      "a.warc.gz a.cdxj",
		"--archived a.cdxj a.warc.gz": "a.warc.gz a.cdxj",
		"a.wacz":                      "a.wacz!/archive/a.warc.gz a.wacz",
	} {
		var out, errs bytes.Buffer
		if code := runSearch(append([]string{"-q", "--damaged", filepath.Join(dir, "again.csv")}, strings.Fields(args)...), &out, &errs); code != 2 {
			t.Fatalf("%s: exit status %d: %s", args, code, &errs)
		}
		name, index, _ := strings.Cut(names, " ")
		message := fmt.Sprintf("damaged at byte %d, up to %d bytes are unread: ", at[2], length)
		if !strings.Contains(errs.String(), message) {
			t.Errorf("%s: %s lacks %q", args, &errs, message)
		}
		got, err := os.ReadFile("again.csv")
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(string(got), "\n")
		prefix := fmt.Sprintf("%s,%d,%d,,", name, at[2], length)
		if len(lines) < 2 || !strings.HasPrefix(lines[1], prefix) {
			t.Errorf("%s: %q, want %q", args, lines, prefix)
			continue
		}
		want := ""
		for i := 2; i < 5 && index != ""; i++ {
			want += fmt.Sprintf("%s,%d,%d,http://h/%d/,\"unread, named by %s\"\n", name, at[i], len(members[i]), i, index)
		}
		if got := strings.Join(lines[2:], ""); got != want {
			t.Errorf("%s:\n%s, want\n%s", args, got, want)
		}
	}
	var out, errs bytes.Buffer
	runSearch([]string{"--json", "a.warc.gz"}, &out, &errs)
	if field := fmt.Sprintf(`"damaged_offset":%d,"damaged_length":%d`, at[2], length); strings.Count(out.String(), field) != 1 {
		t.Errorf("%s lacks %s", &out, field)
	}
}

// packageOf returns a WACZ file with an archive and an index.
func packageOf(t *testing.T, archive, index []byte) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, data := range map[string][]byte{"datapackage.json": []byte("{}"), "archive/a.warc.gz": archive, "indexes/index.cdx.gz": []byte(packed(6, string(index)))} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
