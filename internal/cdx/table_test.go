package cdx

import (
	"strings"
	"testing"
)

// The rows of an answer of the Wayback Machine with output=json.
func TestTable(t *testing.T) {
	const header = `["urlkey","timestamp","original","mimetype","statuscode","digest","length"]`
	tests := []struct {
		name, want string
		rows       []string
	}{
		{"as answered", "http://h.org/ 20200102030405 200|http://h.org:80/a],b\"c 2021 0 revisit|http://h.org/é&x 2022 404", []string{
			header, `["org,h)/", "20200102030405", "http://h.org/", "text/html", "200", "Q4", "1415"]`,
			`["org,h)/a", "2021", "http://h.org:80/a],b\"c", "warc/revisit", "-", "Q4", "1415"]`,
			`["org,h)/x", "2022", "http:\/\/h.org\/\u00e9\u0026x", "text/html", 404, "Q4", null]`,
		}},
		{"fl=timestamp,original", "http://h/ 2020 0", []string{`["timestamp","original"]`, `["2020","http://h/"]`}},
		{"fl=urlkey,timestamp", "key org,h)/ 2020 0", []string{`["urlkey","timestamp"]`, `["org,h)/","2020"]`}},
		{"showResumeKey=true", "http://h/ 2020 0", []string{`["timestamp","original"]`, `["2020","http://h/"]`, `[]`, `["com%2Ca"]`}},
		{"broken rows", "broken|broken|broken|broken|http://h/ 2020 0", []string{
			`["timestamp","original"]`, `["2020"]`, `["x","http://h/"]`, `["2020","/a"]`, `["2020",["http://h/"]]`, `["2020","http://h/"]`,
		}},
		{"no header", "broken|broken", []string{`["2020","http://h/"]`, `["2020","http://h/"]`}},
		{"about the crawler", "", []string{`["timestamp","original"]`, `["2020","dns:h"]`}},
	}
	for _, test := range tests {
		var table Table
		var got []string
		for _, row := range test.rows {
			c, ok, isBroken := table.Next([]byte(row))
			switch {
			case isBroken:
				got = append(got, "broken")
			case ok:
				got = append(got, shown(&c))
			}
		}
		if s := strings.Join(got, "|"); s != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, s, test.want)
		}
	}
	for head, want := range map[string]bool{
		"[" + header + ",\n": true, " [ \n" + header + "]": true, header: false, "[[1,2]]": false, "[]": false, "[": false, "": false, "[[": false, "[{}]": false,
		`[["timestamp","mimetype"]]`: false, `[["timestamp","urlkey"`: false,
	} {
		if got := IsTable([]byte(head)); got != want {
			t.Errorf("%q: %t", head, got)
		}
	}
}

func FuzzTable(f *testing.F) {
	f.Add([]byte(`["timestamp","original"]`))
	f.Add([]byte(`["2020","http:\/\/h",null, 3 ]`))
	f.Fuzz(func(t *testing.T, row []byte) {
		table := Table{layout: Layout{IsHeaded: true, Columns: 2, URL: 1, key: -1, mime: -1, status: -1}}
		if c, ok, isBroken := table.Next(row); ok && (isBroken || !isDate(c.Date)) {
			t.Errorf("%q: %+v", row, c)
		}
		if n := rowEnd(row); n > len(row) || n == 0 {
			t.Errorf("%q ends at %d", row, n)
		}
		IsTable(row)
	})
}
