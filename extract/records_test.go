package extract

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/internal/input"
	"example.org/refract/internal/testing/scantest"
)

//go:embed testdata/records.tsv
var recordsTable string

// sameType maps the names that file(1) has for types to ours.
var sameType = map[string]string{
	"application/javascript": "text/javascript", "font/sfnt": "font/ttf", "application/vnd.ms-opentype": "font/otf", "image/vnd.microsoft.icon": "image/x-icon",
	"text/rtf": "application/rtf", "application/gzip": "application/x-gzip",
}

// typesDiffer are the differences from file(1) in testdata/records.tsv: the declared type, its type, ours. It guesses
// types of text by words; ours are the declared ones, unless the first bytes show markup.
var typesDiffer = map[[3]string]string{
	{"text/css", "text/plain", "text/css"}:                                      "text",
	{"text/css", "text/troff", "text/css"}:                                      "text",
	{"text/csv", "text/plain", "text/csv"}:                                      "text",
	{"text/tab-separated-values", "text/plain", "text/tab-separated-values"}:    "text",
	{"application/javascript", "text/plain", "application/javascript"}:          "text",
	{"application/x-javascript", "text/plain", "application/x-javascript"}:      "text",
	{"application/x-javascript", "text/javascript", "application/x-javascript"}: "the declared name of the type",
	{"application/javascript", "text/javascript", "application/javascript"}:     "the declared name of the type",
	{"text/dns", "text/plain", "text/dns"}:                                      "text",
	{"text/html", "text/javascript", "text/html"}:                               "text",
	{"text/html", "text/xml", "application/xhtml+xml"}:                          "the root element",
	{"application/xhtml+xml", "text/xml", "application/xhtml+xml"}:              "the root element",
	{"text/xml", "text/xml", "application/rss+xml"}:                             "the root element",
}

// The places, fields and types of records are those of the table.
func TestRecordTable(t *testing.T) {
	rows := make(map[string][]string) // by file and offset
	files := make(map[string]bool)
	for line := range strings.Lines(recordsTable) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(f) == 6 {
			rows[f[0]+" "+f[1]] = f
			files[f[0]] = true
		}
	}
	seen := 0
	for name, src := range scantest.Files(t, "warc.tar.xz") {
		name = strings.TrimPrefix(strings.TrimPrefix(name, "./"), "warc/")
		if !files[name] {
			continue
		}
		path := filepath.Join(t.TempDir(), filepath.Base(name))
		if err := os.WriteFile(path, src, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := input.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		c := Config{Records: true, Detect: true, OwnRecords: true, Storage: input.Locate(r, 0, 0)}
		if filepath.Ext(name) == ".wacz" {
			c.Type, c.Storage = "application/wacz", nil
		}
		c.SelectRecord = func(r *Record) bool {
			row, ok := rows[fmt.Sprintf("%s %d", name, r.Offset)]
			if !ok {
				return false
			}
			seen++
			status := "-"
			if r.Status != 0 {
				status = fmt.Sprint(r.Status)
			}
			declared, _ := mediatype.OfField([]byte(r.ContentType))
			if got := fmt.Sprintf("%d %s", r.Length, status); got != row[2]+" "+row[3] || r.ContentType != strings.TrimPrefix(row[4], "-") {
				t.Errorf("%s at %d: %s %q, want %q", name, r.Offset, got, r.ContentType, row)
			}
			want := row[5]
			if s, ok := sameType[want]; ok {
				want = s
			}
			if want == "-" || r.Type == "revisit" {
				want = r.Detected
			}
			if r.Detected != want && typesDiffer[[3]string{declared, want, r.Detected}] == "" {
				t.Errorf("%s at %d, declared %q: %s, want %s", name, r.Offset, declared, r.Detected, want)
			}
			return false
		}
		for range c.Walk(path, r) {
		}
		r.Close()
	}
	if seen < len(rows) {
		t.Errorf("%d of %d records", seen, len(rows))
	}
}
