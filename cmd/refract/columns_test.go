//go:build !nocolumns

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/filter"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/internal/testing/cmdtest"
	"example.org/refract/internal/testing/columnartest"
	"example.org/refract/internal/testing/scantest"
)

// runOK runs refract and returns its standard output.
func runOK(t *testing.T, args ...string) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := run(args, &stdout, &stderr); status > cli.ExitFindings {
		t.Fatalf("refract %q: status %d\n%s", args, status, &stderr)
	}
	return stdout.Bytes()
}

// The tables of --format arrow and --parquet, in order, and the type of the --json lines that each has.
var (
	tableNames = [...]string{"references", "notes", "errors"}
	tableTypes = []string{"reference", "note", "error"}
)

// arrowTables reads the streams of --format arrow.
func arrowTables(t *testing.T, out []byte) (list [len(tableNames)]*columnartest.Table) {
	t.Helper()
	r := bytes.NewReader(out)
	for i := range list {
		table, err := columnartest.Arrow(r)
		if err != nil || table.Metadata["refract.table"] != tableNames[i] || table.Metadata["refract.schema"] != "1" {
			t.Fatalf("table %s: %v, %v", tableNames[i], err, table.Metadata)
		}
		list[i] = table
	}
	if r.Len() > 0 {
		t.Fatalf("%d bytes are left", r.Len())
	}
	return list
}

// parquetTables reads the directory of --parquet. Files of a table follow each other.
func parquetTables(t *testing.T, dir string) (list [len(tableNames)][]*columnartest.Table) {
	t.Helper()
	var summary struct {
		Tables map[string][]struct {
			Name        string
			Rows, Bytes int64
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "_refract.json"))
	if err != nil || json.Unmarshal(text, &summary) != nil {
		t.Fatal(err, string(text))
	}
	for i, name := range tableNames {
		for _, f := range summary.Tables[name] {
			file, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.Name)))
			if err != nil {
				t.Fatal(err)
			}
			table, err := columnartest.Parquet(file)
			if err != nil || table.Metadata["refract.table"] != name || int64(table.Rows()) != f.Rows || int64(len(file)) != f.Bytes {
				t.Fatalf("%s: %v, %v, %d rows, %d bytes", f.Name, err, table.Metadata, table.Rows(), len(file))
			}
			list[i] = append(list[i], table)
		}
	}
	return list
}

// rowOf returns what the columns of a table have to hold of a --json line. Only text, rel and the like are missing
// in every line where they are empty; false is never missing in columns.
func rowOf(t *testing.T, line []byte, table *columnartest.Table) map[string]any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	row := map[string]any{}
	for _, f := range table.Columns {
		value, ok := v[f.Name]
		if encoded, isOctets := v[f.Name+"_b64"].(string); isOctets {
			octets, err := base64.StdEncoding.DecodeString(encoded)
			if err != nil {
				t.Fatal(err)
			}
			row[f.Name+"_bytes"] = octets
			continue
		}
		if f.Type == "bool" {
			row[f.Name] = value == true
			continue
		}
		if !ok {
			continue
		}
		switch f.Type {
		case "int64":
			row[f.Name], _ = value.(json.Number).Int64()
		case "time":
			if at, err := time.Parse(time.RFC3339, value.(string)); err == nil {
				row[f.Name] = at.UnixMicro()
			}
		case "list":
			row[f.Name] = listOf(value.([]any))
		default:
			row[f.Name] = value
		}
	}
	return row
}

// listOf returns a list that is not empty, of texts or of pairs.
func listOf(items []any) any {
	var texts []string
	var pairs [][2]int64
	for _, item := range items {
		if text, ok := item.(string); ok {
			texts = append(texts, text)
			continue
		}
		offset, _ := item.([]any)[0].(json.Number).Int64()
		length, _ := item.([]any)[1].(json.Number).Int64()
		pairs = append(pairs, [2]int64{offset, length})
	}
	if pairs != nil {
		return pairs
	}
	return texts
}

// columnArguments select every field that a column may have.
var columnArguments = []string{"-q", "--details", "--canonical", "--unwrap", "--parser-differences", "--also", "json-ld", "--also", "wiki-links", "--archives", "--also", "conditional"}

// hostileInputs has what testdata has not: bytes that are not UTF-8 in URLs and names, long values, a date
// that is none, and a damaged file.
func hostileInputs(t *testing.T) string {
	dir := t.TempDir()
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Skip(err) // a file system that takes no such name
		}
	}
	write("a\xff.html", "<base href='http://h/\xff/'><a href='\xe2\x80 x\xff'>\xff</a><a href=\"javascript:x\">x</a><a href=''>e</a>")
	write("long.html", "<base href='http://h/"+strings.Repeat("d", 3000)+"/'><a rel='"+strings.Repeat("é", 2000)+"' href='"+strings.Repeat("x", 300_000)+"'>x</a>")
	body := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>"
	record := func(date string) string {
		return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: %s\r\nWARC-Target-URI: http://h/\xff\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", date, len(body), body)
	}
	write("a.warc", record("2024-02-30T00:00:00Z")+record("2024-02-03T04:05:06.789Z")+record("9999-12-31T23:59:59Z"))
	write("damaged.html.gz", "\x1f\x8b\x08\x00damaged")
	write("empty.html", "")
	return dir
}

// The columns hold what --json has, in the same order.
func TestColumns(t *testing.T) {
	all := [len(tableNames)]int{}
	for _, input := range []string{"../../testdata", hostileInputs(t)} {
		args := append(slices.Clone(columnArguments), input)
		names := slices.DeleteFunc(output.Selectable(), func(name string) bool { return name == "flags" })
		out := runAny(append(args, "--format", "arrow", "--fields", strings.Join(names, ",")))
		fromArrow := arrowTables(t, out)
		dir := filepath.Join(t.TempDir(), "out")
		runAny(append(args, "--parquet", dir, "--fields", strings.Join(names, ",")))
		fromParquet := parquetTables(t, dir)

		next := [len(tableNames)]int{}
		for line := range bytes.Lines(runAny(append(args, "--json"))) {
			if bytes.HasPrefix(line, []byte(`{"type":"summary"`)) {
				continue
			}
			var kind struct{ Type string }
			if err := json.Unmarshal(line, &kind); err != nil {
				t.Fatal(err)
			}
			table := slices.Index(tableTypes, kind.Type)
			i := next[table]
			next[table]++
			want := rowOf(t, line, fromArrow[table])
			for _, got := range []map[string]any{fromArrow[table].Row(i), fromParquet[table][0].Row(i)} {
				if bytes.Contains(line, []byte(`"truncated":true`)) { // a data: URL, which columns have whole
					want["url"] = got["url"]
				}
				if !reflect.DeepEqual(got, want) {
					for name := range want {
						if !reflect.DeepEqual(got[name], want[name]) {
							t.Errorf("%s: %.300q instead of %.300q", name, got[name], want[name])
						}
					}
					t.Fatalf("%.1000s\n%.1000q", line, got)
				}
			}
		}
		for i, n := range next {
			if fromArrow[i].Rows() != n || fromParquet[i][0].Rows() != n {
				t.Errorf("%d and %d rows of %s, not %d", fromArrow[i].Rows(), fromParquet[i][0].Rows(), tableNames[i], n)
			}
			all[i] += n
		}
	}
	if slices.Min(all[:]) == 0 {
		t.Errorf("rows: %v", all)
	}
}

// runAny runs refract on inputs some of which cannot be read.
func runAny(args []string) []byte {
	var stdout bytes.Buffer
	run(args, &stdout, new(bytes.Buffer))
	return stdout.Bytes()
}

// The columns and their order do not depend on the number of jobs, nor do the bytes.
func TestColumnJobs(t *testing.T) {
	one := runOK(t, "-q", "-j1", "--format", "arrow", "../../testdata")
	if two := runOK(t, "-q", "-j3", "--format", "arrow", "../../testdata"); !bytes.Equal(one, two) {
		t.Errorf("%d and %d bytes", len(one), len(two))
	}
}

// --unique keeps the row in which a URL appears first.
func TestColumnUnique(t *testing.T) {
	urls := strings.Fields(string(runOK(t, "-q", "--unique", "../../testdata/crawl.warc")))
	table := arrowTables(t, runOK(t, "-q", "--unique", "--format", "arrow", "--fields", "url", "../../testdata/crawl.warc"))[0]
	var got []string
	for i := range table.Rows() {
		got = append(got, table.Row(i)["url"].(string))
	}
	if !slices.Equal(got, urls) {
		t.Errorf("%q instead of %q", got, urls)
	}
}

// Nothing is read: the tables have columns, but no rows.
func TestColumnsEmpty(t *testing.T) {
	dir := t.TempDir()
	file, empty := filepath.Join(dir, "x.parquet"), filepath.Join(dir, "empty.txt")
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for i, table := range arrowTables(t, runOK(t, "--format", "arrow", empty)) {
		if table.Rows() != 0 || len(table.Columns) < 6 {
			t.Errorf("%s: %d rows, %d columns", tableNames[i], table.Rows(), len(table.Columns))
		}
	}
	for range 2 { // the second run replaces the first, and reads none of its files
		if out := runOK(t, "--parquet", file, dir); len(out) > 0 {
			t.Errorf("on standard output: %q", out)
		}
		for _, name := range []string{"x.parquet", "x.notes.parquet", "x.errors.parquet"} {
			content, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if table, err := columnartest.Parquet(content); err != nil || table.Rows() != 0 {
				t.Errorf("%s: %v, %d rows", name, err, table.Rows())
			}
		}
	}
}

// BigQuery takes these names of columns, and the types that [columnartest.Parquet] knows, as its documentation of
// loading Parquet says (section "Parquet conversions"): a name begins with a letter, has 300 letters, digits and underscores at
// most, and is unique without regard to case.
func TestParquetBigQuery(t *testing.T) {
	isName := regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,299}$`)
	dir := filepath.Join(t.TempDir(), "out")
	runOK(t, "-q", "--canonical", "--parser-differences", "--fields", strings.Join(output.Selectable(), ","), "--parquet", dir, "../../testdata/crawl.warc")
	for i, files := range parquetTables(t, dir) {
		seen := make(map[string]bool)
		for _, c := range files[0].Columns {
			lower := strings.ToLower(c.Name)
			if !isName.MatchString(c.Name) || seen[lower] {
				t.Errorf("%s: column %q", tableNames[i], c.Name)
			}
			seen[lower] = true
		}
	}
}

// A directory gets several files, and replaces only what refract has written.
func TestParquetDirectory(t *testing.T) {
	dir := t.TempDir()
	page, out := filepath.Join(dir, "a.html"), filepath.Join(dir, "out")
	if err := os.WriteFile(page, bytes.Repeat([]byte("<a href='http://h/"+strings.Repeat("x", 1000)+"'>x</a>\n"), 20_000), 0o666); err != nil {
		t.Fatal(err)
	}
	runOK(t, "-q", "--parquet", out, "--file-size", "1", "--fields", "raw,url,line", dir)
	first := parquetTables(t, out)[0]
	rows := 0
	for _, table := range first {
		rows += table.Rows()
	}
	if len(first) < 2 || rows != 20_000 {
		t.Errorf("%d files, %d rows", len(first), rows)
	}
	runOK(t, "-q", "--parquet", out, dir) // out is within its input
	if again := parquetTables(t, out)[0]; len(again) != 1 || again[0].Rows() != rows {
		t.Errorf("%d files after the second run", len(again))
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Error("left behind: ", entries, err)
	}

	var stderr bytes.Buffer
	if err := os.Remove(filepath.Join(out, "_refract.json")); err != nil {
		t.Fatal(err)
	}
	if status := run([]string{"-q", "--parquet", out, page}, new(bytes.Buffer), &stderr); status != cli.ExitFailed || !strings.Contains(stderr.String(), "was not written by refract") {
		t.Errorf("status %d: %s", status, &stderr)
	}
	stderr.Reset()
	if status := run([]string{"-q", "--parquet", filepath.Join(dir, "none", "out"), page}, new(bytes.Buffer), &stderr); status != cli.ExitFailed {
		t.Errorf("status %d: %s", status, &stderr)
	}
}

// Flags that are about lines cannot be combined with columns.
func TestColumnFlags(t *testing.T) {
	for _, args := range [][]string{
		{"--format", "arrow", "--json"}, {"--format", "arrow", "--csv"}, {"--format", "arrow", "-n"}, {"--format", "arrow", "--count", "url"}, {"--format", "arrow", "--parquet", "x.parquet"},
		{"--format", "arrow", "--edges"}, {"--parquet", "x", "-o", "y"}, {"--parquet", ""}, {"--file-size", "1M"}, {"--parquet", "x.parquet", "--file-size", "1M"},
		{"--parquet", "x", "--file-size", "0"}, {"--format", "arrow", "--fields", "none"}, {"--format", "arrow", "--split", "1M"}, {"--format", "arrow", "-o", "y", "--checkpoint", "z"},
	} {
		if status := run(append(args, "../../testdata/letter.txt"), new(bytes.Buffer), new(bytes.Buffer)); status != cli.ExitFailed {
			t.Errorf("%q: status %d", args, status)
		}
	}
}

// A reader that stops after the first stream is no failure.
func TestArrowPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	if status := run([]string{"-q", "--format", "arrow", "../../testdata"}, w, new(bytes.Buffer)); status != cli.ExitOK {
		t.Errorf("status %d", status)
	}
}

// The memory of columns is bounded: docs/limits.md says how.
func TestColumnMemory(t *testing.T) {
	scantest.Long(t, "reads 100 MB twice")
	// Distinct URLs and documents, so that neither dictionaries nor zstd make anything small.
	dir := t.TempDir()
	mail, err := os.Create(filepath.Join(dir, "a.mbox"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100_000 {
		fmt.Fprintf(mail, "From x Thu Jan  1 00:00:00 1970\nMessage-ID: <%d%0500d@h>\n\n", i, i)
		for k := range 4 {
			fmt.Fprintf(mail, "http://h%d.example/%0100d/%d\n", i, i, k)
		}
		fmt.Fprintln(mail)
	}
	if err := mail.Close(); err != nil {
		t.Fatal(err)
	}
	fields := "input,line,column,document,message_id,kind,in,raw,ref,url,base"
	measure := cmdtest.Measured(t)
	peakOf := func(args ...string) int64 {
		code, peak, _ := measure(args...)
		if code != 0 {
			t.Fatalf("%q: status %d", args, code)
		}
		return peak
	}
	plain := peakOf("-j1", "-q", "--edges", "-o", os.DevNull, mail.Name())
	for _, form := range [][]string{{"--format", "arrow", "-o", filepath.Join(dir, "arrow")}, {"--parquet", filepath.Join(dir, "parquet")}} {
		more := peakOf(append(form, "-j1", "-q", "--fields", fields, mail.Name())...) - plain
		t.Logf("%s: %d MiB more", form[0], more>>20)
		if more > output.ColumnMemory {
			t.Errorf("%s takes %d MiB more than --edges", form[0], more>>20)
		}
	}
}

// Columns have the first bytes of a data: URL, with its type, length and hash, unless the whole one is asked for.
func TestDataColumns(t *testing.T) {
	long := "data:image/PNG;base64," + strings.Repeat("QUJD", 1000)
	page := filepath.Join(t.TempDir(), "a.html")
	text := fmt.Sprintf(`<img src="%s"><img src="data:,x"><img src="http://h/i.png">`, long)
	if err := os.WriteFile(page, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	hash := func(url string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(url))) }
	for _, tt := range []struct {
		flags []string
		url   string
	}{{nil, long[:64]}, {[]string{"--data-urls=full"}, long}} {
		table := arrowTables(t, runOK(t, append(tt.flags, "--format", "arrow", page)...))[0]
		want := []map[string]any{
			{"url": tt.url, "raw": tt.url, "data_type": "image/png", "data_length": int64(len(long)), "data_sha256": hash(long)},
			{"url": "data:,x", "raw": "data:,x", "data_type": "text/plain", "data_length": int64(7), "data_sha256": hash("data:,x")},
			{"url": "http://h/i.png", "raw": "http://h/i.png"},
		}
		for i := range want {
			row := table.Row(i)
			for _, name := range []string{"url", "raw", "data_type", "data_length", "data_sha256"} {
				if row[name] != want[i][name] {
					t.Errorf("%q: row %d: %s is %.80v, want %.80v", tt.flags, i, name, row[name], want[i][name])
				}
			}
		}
	}
	whole := runOK(t, "--csv", "--scheme", "data", page)
	if !bytes.Contains(whole, []byte(long)) {
		t.Error("--csv cuts a data: URL")
	}
}

// --sort-by sorts the rows of all row groups and files together, with little memory; rows with the same URL stay in order.
func TestSortBy(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	filler := strings.Repeat("x", 900)
	want := map[string][]int64{}
	const n = 20_000
	for i := range n {
		url := fmt.Sprintf("http://h%d.example/%s/%d", i*7919%13, filler, i*104729%15_013)
		fmt.Fprintln(&text, url)
		want[url] = append(want[url], int64(i+1))
	}
	page, out := filepath.Join(dir, "urls.txt"), filepath.Join(dir, "out")
	if err := os.WriteFile(page, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, by := range []string{"url", "host"} {
		runOK(t, "-q", "--parquet", out, "--file-size", "1", "--sort-by", by, "--memory", "4M", "--fields", "url,line", page)
		files := parquetTables(t, out)[0]
		rows, last, line := 0, "", int64(0)
		for _, file := range files {
			for i := range file.Rows() {
				row := file.Row(i)
				url, at := row["url"].(string), row["line"].(int64)
				key := url
				if by == "host" {
					host := filter.NameOf([]byte(url))
					key = filter.DomainOf(host) + "\x00" + host + "\x00" + url
				}
				if key < last || key == last && at < line {
					t.Fatalf("by %s: %s of line %d after %s of line %d", by, key, at, last, line)
				}
				if !slices.Contains(want[url], at) {
					t.Fatalf("by %s: a row with the URL %s and the line %d", by, url, at)
				}
				rows, last, line = rows+1, key, at
			}
		}
		if rows != n || len(files) < 2 {
			t.Errorf("by %s: %d rows in %d files", by, rows, len(files))
		}
	}
}
