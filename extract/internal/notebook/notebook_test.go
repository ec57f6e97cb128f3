package notebook_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/internal/notebook"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// bodies returns the cells and notes of src as text.
func bodies(t *testing.T, src string) (all []string) {
	t.Helper()
	var s notebook.Scanner
	for it := range s.Scan([]byte(src)) {
		switch it.Op {
		case scan.Body:
			all = append(all, fmt.Sprintf("%s %s %q %v", it.Name, it.Type, it.Value, it.Labels.Names()))
		case scan.Note:
			all = append(all, fmt.Sprintf("note %d", it.Span.Start))
		}
	}
	return all
}

func TestScan(t *testing.T) {
	for _, tt := range []struct {
		src  string
		want []string
	}{
		{`{"cells":[{"source":["a\n","b"],"cell_type":"markdown"}]}`, []string{`1 text/markdown "a\nb" []`}},
		{`{"cells":[{"cell_type":"code","source":"a"},{"cell_type":"raw","source":"b","metadata":{"raw_mimetype":"text/html"}}]}`,
			[]string{`1 text/plain "a" []`, `2 text/html "b" []`}},
		{`{"worksheets":[{"cells":[{"cell_type":"heading","level":2,"source":"a"},{"cell_type":"code","input":["b"],"outputs":[{"output_type":"pyout","html":"c","text":"d"}]}]}]}`,
			[]string{`1 text/markdown "## a" []`, `2 text/plain "b" []`, `2.output.1 text/html "c" [output]`}},
		{`{"cells":[{"cell_type":"code","outputs":[{"data":{"image/png":"iVBO","text/plain":["a"]}},{"name":"stdout","text":"b"}],"source":"c"}]}`,
			[]string{`1.output.1 text/plain "a" [output]`, `1.output.2 text/plain "b" [output]`, `1 text/plain "c" []`}},
		{"\xef\xbb\xbf{\"cells\":[{\"source\":\"a\",\"source\":\"b\"}]}", []string{`1 text/plain "b" []`}},
		{`{"cells":[{"source":"\ud83d\ude00\ud83d\u00e4\/\q"}]}`, []string{`1 text/plain "😀` + "\ufffd" + `ä/\\q" []`}},
		{`{"cells":[{"source":[1,{"a":["b"]},"c",null]},7,{"source":{}},{"source":""}],"metadata":{"cells":[{"source":"d"}]}}`, []string{`1 text/plain "c" []`}},
		{`{"cells":[{"source":"a"},{"source":"b"`, []string{`1 text/plain "a" []`, "note 38", ` application/json ",{\"source\":\"b\"" []`}},
		{`{"cells":[{"source":"a`, []string{"note 20", ` application/json "{\"cells\":[{\"source\":\"a" []`}},
		{`{"a":"b"}`, []string{"note 9", ` application/json "{\"a\":\"b\"}" []`}},
		{"", []string{"note 0"}},
		{`{}`, nil},
	} {
		if got := bodies(t, tt.src); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got\n\t%s\nwant\n\t%s", tt.src, strings.Join(got, "\n\t"), strings.Join(tt.want, "\n\t"))
		}
	}
}

// Each byte of a Body leads back to the byte or escape that it was made of.
func TestMap(t *testing.T) {
	src := []byte(`{"cells":[{"source":["ab\n","\u00e4\"c"],"cell_type":"markdown"}]}`)
	var s notebook.Scanner
	for it := range s.Scan(src) {
		want := []string{"a", "b", `\n`, `\u00e4`, `\"`, "c"}
		at := 0
		for _, w := range want {
			n := 1
			if w == `\u00e4` {
				n = 2
			}
			back, exact := it.Map.Back(scan.Span{Start: at, End: at + n})
			if got := string(src[back.Start:back.End]); got != w || !exact {
				t.Errorf("%d: %q, want %q", at, got, w)
			}
			at += n
		}
	}
}

func TestPercent(t *testing.T) {
	src := "# ---\n# jupyter\n\nimport a\n# %% [markdown]\n# # Title\n#\n# [x](y)\n\n# %%\nprint()\n# %% b [md] c=1\n\"\"\"\n[z](w)\n\"\"\"\n#%%\n# %%\nend"
	var s notebook.PercentScanner
	var got []string
	for it := range s.Scan([]byte(src)) {
		back, _ := it.Map.Back(scan.Span{Start: len(it.Value) - 1, End: len(it.Value)})
		got = append(got, fmt.Sprintf("%s %s %q %v", it.Name, it.Type, it.Value, src[back.Start] == it.Value[len(it.Value)-1]))
	}
	want := []string{
		`0 text/plain "# ---\n# jupyter\n\nimport a\n" true`, `1 text/markdown "# Title\n\n[x](y)\n\n" true`, `2 text/plain "print()\n" true`,
		`3 text/markdown "\n[z](w)\n" true`, `5 text/plain "end" true`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

func TestIs(t *testing.T) {
	for head, want := range map[string]bool{
		"{\n \"cells\": [\n  {\n   \"cell_type\": \"markdown\"": true, `{"nbformat":4,"metadata":{}`: true, `{"metadata":{"name":""},"nbformat":3`: true,
		`{"cells":1}`: false, `{"a":1}`: false, "": false, "x": false, `{"metadata":{}}`: false,
	} {
		if notebook.Is([]byte(head)) != want {
			t.Errorf("%s: %v", head, !want)
		}
	}
	for head, want := range map[string]bool{
		"# %% [markdown]\n": true, "x\n# %%\n#%% title [md]\n": true, "# %%\n": false, "a %% [markdown]": false, "": false, "# 100 %% [markdown]": false,
	} {
		if notebook.IsPercent([]byte(head)) != want {
			t.Errorf("%s: %v", head, !want)
		}
	}
}

var hostile = []scantest.Shape{
	{"", "[", ""}, {"", "{", ""}, {"", `{"cells":`, ""}, {"", `{"cells":[`, ""}, {`{"cells":`, "[", ""}, {`{"cells":[`, "[", ""}, {`{"cells":[`, `{"a":`, ""},
	{`{"cells":[`, "{},", "{}]}"}, {`{"cells":[`, `{"source":"a"},`, "{}]}"}, {`{"cells":[`, `{"source":["a"]},`, "{}]}"}, {`{"cells":[{"source":[`, `"a",`, `""]}]}`},
	{`{"cells":[{"source":"`, "a", `"}]}`}, {`{"cells":[{"source":"`, "\\", `"}]}`}, {`{"cells":[{"source":"`, `\n`, `"}]}`}, {`{"cells":[{"source":"`, `\u00e4`, `"}]}`},
	{`{"cells":[{"source":"`, `\ud83d`, `"}]}`}, {`{"cells":[{"source":"`, `\ud83d\ude00`, `"}]}`}, {`{"cells":[{"source":"`, `\"`, `"}]}`}, {`{"cells":[{"source":"`, `\q`, `"}]}`},
	{`{"cells":[{`, `"source":"a",`, `"b":1}]}`}, {`{"cells":[{`, `"outputs":[],`, `"b":1}]}`}, {`{"cells":[{`, `"outputs":[{}],`, `"b":1}]}`}, {`{"cells":[{`, `"a":1,`, `"b":1}]}`},
	{`{"cells":[{"outputs":[`, `{},`, `{}]}]}`}, {`{"cells":[{"outputs":[`, `{"text":"a"},`, `{}]}]}`}, {`{"cells":[{"outputs":[{`, `"text":"a",`, `"text":"b"}]}]}`},
	{`{"cells":[{"outputs":[{"data":{`, `"text/html":"a",`, `"a":1}}]}]}`}, {`{"cells":[{"outputs":[{`, `"data":{},`, `"a":1}]}]}`}, {`{"cells":[{"outputs":[{"data":{"image/png":"`, "iVBO", `"}}]}]}`},
	{`{"cells":[{"outputs":`, "[", ""}, {`{"cells":[{"outputs":`, `[{"data":{"text/html":`, ""}, {`{"cells":[{"metadata":`, `{"metadata":`, ""}, {`{"cells":[{"metadata":{`, `"format":"a",`, `"a":1}}]}`},
	{`{"worksheets":[`, `{"cells":[]},`, `{}]}`}, {`{"worksheets":[`, `{"cells":[{}]},`, `{}]}`}, {`{`, `"worksheets":[],`, `"a":1}`}, {`{`, `"cells":[],`, `"a":1}`}, {`{`, `"cells":[{}],`, `"a":1}`},
	{"", `"`, ""}, {"", `"\`, ""}, {"", " ", ""}, {"", "\n", "{}"}, {"", ",", ""}, {"", ":", ""}, {"", "]", ""}, {"", "1", ""}, {`{"a":`, "1", "}"}, {`{"a":[`, "1,", "1]}"}, {`{"a":"`, `\\`, `"}`},
	{`{"a":`, "{\"a\":", ""}, {"", "\x00", ""}, {"", "\xff", ""}, {`{"cells":[`, "null,", "1]}"}, {`{"cells":[{"level":`, "9", "}]}"}, {`{"cells":[{"cell_type":"`, "a", `"}]}`}, {`{"`, "a", `":1}`}, {`{`, `"a" :1 , `, `"a":1}`},
}

var hostilePercent = []scantest.Shape{
	{"", "# %%\n", ""}, {"", "# %% [markdown]\n", ""}, {"", "# %% [markdown]\n# a\n", ""}, {"# %% [markdown]\n", "# a\n", ""}, {"# %% [markdown]\n", "#\n", ""}, {"# %% [markdown]\n", "#", ""},
	{"# %% [markdown]\n", `"""`, ""}, {"# %% [markdown]\n", "\"\"\"\n", ""}, {"", "# %% [markdown]\n\"\"\"\na\n", ""}, {"", "%%", ""}, {"", "# %%", ""}, {"", "#%%%", ""}, {"#", " ", "%%"}, {"", "\n", ""}, {"", "a\n", ""}, {"", "\r\n", ""},
}

func TestHostile(t *testing.T) {
	scantest.Shapes(t, hostile, 256<<10, func(src []byte) {
		notebook.Is(src)
		var s notebook.Scanner
		for range s.Scan(src) {
		}
	})
	scantest.Shapes(t, hostilePercent, 256<<10, func(src []byte) {
		notebook.IsPercent(src)
		var s notebook.PercentScanner
		for range s.Scan(src) {
		}
	})
}

// A scanner stops when it is told to, at any Item, and can be used again.
func TestStop(t *testing.T) {
	src := []byte(`{"cells":[{"source":"a","outputs":[{"text":"b"},{"html":"c","svg":"d"}]},{"source":"e"},`)
	var s notebook.Scanner
	all := 0
	for range s.Scan(src) {
		all++
	}
	for stop := range all {
		n := 0
		for range s.Scan(src) {
			if n++; n > stop {
				break
			}
		}
	}
	if all != 7 {
		t.Errorf("%d Items", all)
	}
}
