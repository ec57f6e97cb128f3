package output

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/resolve/canon"
)

// linesOf returns the lines of --json, or of --csv without its header, about the references
// in an HTML page.
func linesOf(t *testing.T, form *Format, name, page string) string {
	t.Helper()
	cfg := &extract.Config{Type: "text/html", Lines: true, Details: true}
	r := Renderer{Config: cfg, Format: form}
	r.Columns = LayoutOf(r.CSVFields())
	var b Block
	for ref, err := range cfg.Walk(name, strings.NewReader(page)) {
		if err != nil {
			t.Fatal(err)
		}
		r.Reference(&b, name, ref, ref.URL)
	}
	return string(b.Out)
}

// Lines are JSON as encoding/json writes it: decoding and encoding gives the same bytes.
func TestJSONLine(t *testing.T) {
	line := linesOf(t, JSON, "a\xff\n", "<a href='http://h/\"&lt;&amp;\xe2\x80\xa8x' rel=nofollow>text \x01 \\</a>")
	var v struct {
		Input string `json:"input_b64"`
		Raw   string `json:"raw"`
		Rel   string `json:"rel"`
		Text  string `json:"text"`
	}
	if err := json.Unmarshal([]byte(line), &v); err != nil {
		t.Fatal(err, line)
	}
	if v.Input != "Yf8K" || v.Raw != "http://h/\"&lt;&amp;\u2028x" || v.Rel != "nofollow" || !strings.HasPrefix(v.Text, "text ") {
		t.Errorf("%+v", v)
	}
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	enc.Encode(v.Raw)
	if !strings.Contains(line, `"raw":`+strings.TrimSpace(raw.String())+",") || !strings.HasSuffix(line, "}\n") {
		t.Errorf("%s has no %s", line, &raw)
	}
}

// A long data: URL is cut only in JSON.
// The code of a note is that of what is not read.
func TestCodeOfNote(t *testing.T) {
	for unread, want := range map[string]string{"": "", "PDF": "unread-type"} {
		r := Renderer{Config: &extract.Config{}, Format: JSON}
		r.Columns = LayoutOf(r.CSVFields())
		var b Block
		r.Note(&b, "a", &extract.Note{Code: scan.CodeUnreadType, Text: "x", Unread: unread}, false)
		var got struct {
			Code    string `json:"code"`
			NotRead string `json:"not_read"`
		}
		if err := json.Unmarshal(b.Out, &got); err != nil || got.Code != want || got.NotRead != unread {
			t.Errorf("%q: %s %v", unread, b.Out, err)
		}
	}
}

func TestTruncated(t *testing.T) {
	page := "<img src='data:a," + strings.Repeat("x", 3000) + "'>"
	line := linesOf(t, JSON, "a", page)
	if !strings.Contains(line, `"truncated":true`) || strings.Contains(line, `"url":"data:a,`+strings.Repeat("x", maxData)) {
		t.Errorf("%d bytes", len(line))
	}
	if line := linesOf(t, CSV, "a", page); !strings.Contains(line, ",none,\"data:a,"+strings.Repeat("x", 3000)+"\",") {
		t.Errorf("%d bytes: %.100s", len(line), line)
	}
}

// A line takes a few allocations, whatever the number of fields.
func TestLineAllocs(t *testing.T) {
	cfg := &extract.Config{Type: "text/html", Lines: true}
	var ref *extract.Reference
	for r := range cfg.Walk("a", strings.NewReader("<a href=http://h/x>")) {
		ref = r.Clone()
	}
	for _, form := range []*Format{JSON, CSV} {
		r := Renderer{Config: cfg, Format: form}
		r.Columns = LayoutOf(r.CSVFields())
		b := Block{Page: Page{Out: make([]byte, 0, 1<<12)}}
		n := testing.AllocsPerRun(100, func() {
			b.Out = b.Out[:0]
			r.Reference(&b, "a", ref, ref.URL)
		})
		if n > 0 {
			t.Errorf("JSON %v: %v allocations", form.IsJSON, n)
		}
	}
}

// The table has each name once, and help describes all but the type.
func TestFieldTable(t *testing.T) {
	help := fieldHelp()
	seen := map[string]bool{}
	for i, f := range Fields {
		if seen[f.name] {
			t.Errorf("%s is there twice", f.name)
		}
		if len(f.name)+len(`,"":`) > keySize {
			t.Errorf("%s is too long for a key", f.name)
		}
		seen[f.name] = true
		if i > 0 && !strings.Contains(help, f.name) {
			t.Errorf("help json does not name %s", f.name)
		}
	}
	for line := range strings.Lines(help) {
		if len(line) > 91 {
			t.Errorf("help has a line of %d bytes: %s", len(line), line)
		}
	}
	r := Renderer{Config: &extract.Config{ParserDifferences: true}, Canonical: new(canon.Key), Unwrap: true}
	columns := LayoutOf(r.CSVFields())
	if got := string(guarded.header(columns.names())); got != "input,line,column,kind,how,raw,base,layer,url,error,browser_url,canonical,unwrapped\n" {
		t.Error(got)
	}
}

// Any field can be a column of --csv.
func TestCSVTypes(t *testing.T) {
	ref := &extract.Reference{Entity: new(extract.Entity), Ranges: []extract.Position{{Offset: 5, Length: 2}, {Offset: 9, Length: 1}}, Rel: "a, b"}
	ref.Alternatives = [][]byte{[]byte("http://h/a"), []byte("http://h/b")}
	r := row{renderer: &Renderer{Config: new(extract.Config)}, ref: ref, isTable: true}
	columns := LayoutOf(FieldsNamed("offset", "exact", "ranges", "alternatives", "rel"))
	got := string(r.append(nil, columns, nil))
	if got != "0,false,5+2 9+1,http://h/a http://h/b,\"a, b\"\n" {
		t.Error(got)
	}
}

func checkCSV(t *testing.T, s string) {
	var want bytes.Buffer
	w := csv.NewWriter(&want)
	w.Write([]string{s, s})
	w.Flush()
	got := append(appendCSVText(nil, s), ',')
	got = append(appendCSVText(got, []byte(s)), '\n')
	if string(got) != want.String() {
		t.Errorf("%q: %s, want %s", s, got, &want)
	}
}

var csvTexts = []string{"", "a", " a", "\u00a0a", "a,b", `a"b`, "a\nb", "a\rb", `\.`, `\.x`, "\xff", "\x85", "é"}

// Columns are quoted as encoding/csv does.
func TestCSVText(t *testing.T) {
	for _, s := range csvTexts {
		checkCSV(t, s)
	}
}

func FuzzCSVText(f *testing.F) {
	for _, s := range csvTexts {
		f.Add(s)
	}
	f.Fuzz(checkCSV)
}
