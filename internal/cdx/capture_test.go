package cdx

import (
	"fmt"
	"strings"
	"testing"
)

func TestNext(t *testing.T) {
	tests := []struct{ name, index, want string }{
		{"rows without a header, as the Wayback Machine answers", "org,h)/ 20200102030405 http://h.org/ text/html 200 A 5\norg,h)/ 20200102030406 http://h.org/ warc/revisit - A 5\norg,h)/ 2021 http://h.org/\n",
			"http://h.org/ 20200102030405 200|http://h.org/ 20200102030406 0 revisit|http://h.org/ 2021 0"},
		{"a header", " CDX N b a m s\nk) 2020 http://h/ text/html 301\nk) 2020 http://h/ text/html\n", "http://h/ 2020 301|broken"},
		{"another delimiter and order", "|CDX|s|a|b\n404|http://h/|2020\n", "http://h/ 2020 404"},
		{"keys only", " CDX N b s\norg,h)/ 2020 200\n", "key org,h)/ 2020 200"},
		{"a header without dates or URLs", " CDX a s\nhttp://h/ 200\n CDX b s\n2020 200", "broken|broken|broken|broken"},
		{"CDXJ", "!OpenWayback-CDXJ 1.0\n@x\nh)/ 2020 {\"url\": \"http:\\/\\/h/\", \"mime\": \"warc/revisit\", \"status\": \"200\"}\nh)/ 2020 {\"a\": {\"url\": \"http://no/\"}, \"status\":404, \"url\":\"http://h/\"}\nh)/ 2020 {\"url\": \"http://h/\"\n",
			"http://h/ 2020 200 revisit|http://h/ 2020 404|broken"},
		{"objects only", "{\"urlkey\": \"h)/\", \"timestamp\": \"2020\", \"url\": \"http://h/\", \"mime\": \"text/html\", \"status\": \"200\"}\n", "http://h/ 2020 200"},
		{"a list of pages, an index of an index", "{\"format\": \"json-pages-1.0\"}\n{\"url\": \"http://h/\"}\nh)/ 2020 {\"offset\": 0}\n", ""},
		{"what is no capture", "\ndns:h 2020 dns:h text/dns - A 5\nprose and text here\nh)/ 2020 relative text/html 200\nh)/ date http://h/\n", "broken|broken|broken"},
	}
	for _, test := range tests {
		var l Layout
		var got []string
		for line := range strings.SplitSeq(test.index, "\n") {
			c, ok, isBroken := l.Next([]byte(line))
			switch {
			case ok && isBroken:
				t.Errorf("%s: %q is a capture, and broken", test.name, line)
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
}

// shown returns what tests compare of a capture.
func shown(c *Capture) string {
	name := string(c.URL)
	if c.URL == nil {
		name = "key " + string(c.Key)
	}
	text := fmt.Sprintf("%s %s %d", name, c.Date, c.Status)
	if c.IsRevisit {
		text += " revisit"
	}
	return text
}

func TestIsIndex(t *testing.T) {
	for head, want := range map[string]bool{
		" CDX N b a\n": true, "\n!meta 0 {}\nh)/ 2020 {\"url\":\"http://h/\"}": true, "h)/ 20200102030405 http://h/ text/html 200 A 5\n": true,
		"{\"url\":\"http://h/\",\"timestamp\":\"2020\"}": true, "{\"url\":\"http://h/\"}": false, "": false, "WARC/1.0\r\n": false, "# see http://h/\n": false,
	} {
		if got := IsIndex([]byte(head)); got != want {
			t.Errorf("%q: %t", head, got)
		}
	}
}

func TestDate14(t *testing.T) {
	for digits, want := range map[string]string{"2020": "20200101000000", "202005": "20200501000000", "20200102030405": "20200102030405", "20200102030405678": "20200102030405"} {
		if got := Date14([]byte(digits)); got != want {
			t.Errorf("%s: %s", digits, got)
		}
	}
}

// A status is a number that is not negative.
func TestStatusNumber(t *testing.T) {
	for text, want := range map[string]int{"200": 200, "0": 0, "1": 1, "-": 0, "": 0, "-1": 0, "20x": 0, "2147483647": 2147483647, "99999999999": 0, "4294967296": 0, "99999999999999999999": 0} {
		if got := number([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
