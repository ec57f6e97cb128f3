package conf

import (
	"reflect"
	"testing"
)

var simpleTests = []struct {
	src      string
	isSimple bool
}{
	{"title: A b c\nslug: /x/y\n", true},
	{"title: A b c\r\nslug: /x/y\r\n", true},
	{"title:   padded  \nempty:\nnext: 3\n\n# comment\nlast: x", true},
	{"a: \"b c\"\nd: 'e: f # g'\nh: \"\"\n", true},
	{"draft: true\nsidebar_position: 10\nn: 7\nok: false\n", true},
	{"title: Ünï · 日本\nid: a-b_c\n", true},
	{"a: v\na: w\n", true},
	{"a: x#y\nurl: https://example.org/x\n", true},
	{"_a: _b\nA-b: c\n", true},
	{"a: b: c\n", false},
	{"a: b #c\n", false},
	{"a: b:\n", false},
	{"a: yes\n", false},
	{"a: NULL\n", false},
	{"a: True\n", false},
	{"a: 007\n", false},
	{"a: 1.5\n", false},
	{"a: 2020-01-02\n", false},
	{"a:\n  - b\n  - 'c d'\ne: f", true},
	{"a:\n- b\n# c\n-  3\nd: e\n", true},
	{"a:\n  b: c\n  d:\n    - e\n\n  f:\ng: h\n", true},
	{"a: [b]\nc: []\nd: [ 'e f' , g h,\"i\",2 ]\n", true},
	{"a:\n  b:\n", true},
	{"a:\n  - b\n c: d\n", false},
	{"a:\n  - b\n    c\n", false},
	{"a:\n  b: c\n d: e\n", false},
	{"a:\n    b: c\n  d: e\n", false},
	{"a:\n  - b: c\n", false},
	{"a:\n  - - b\n", false},
	{"a:\n  -\n", false},
	{"a:\n  b\n", false},
	{" a: b\n", false},
	{"- a\n", false},
	{"a: [b,]\n", false},
	{"a: [b: c]\n", false},
	{"a: [[b]]\n", false},
	{"a: [b\n  c]\n", false},
	{"a: ['b''c']\n", false},
	{"a: [b] c\n", false},
	{"a: [yes]\n", false},
	{"a:\n\tb: c\n", false},
	{"a: b\n  c\n", false},
	{"a: |\n  b\n", false},
	{"a: \"b\\n\"\n", false},
	{"a: 'b''c'\n", false},
	{"a: \"b\" c\n", false},
	{"a:b\n", false},
	{"a: b\u2028c: d\n", false},
	{"a: \x80\n", false},
	{"a: b\tc\n", false},
	{"a: b\rc: d\n", false},
	{"", false},
	{"# only\n", false},
}

func TestSimpleYAML(t *testing.T) {
	for _, test := range simpleTests {
		got, ok := simpleYAML([]byte(test.src), 4)
		if ok != test.isSimple {
			t.Errorf("%q: read is %v, want %v", test.src, ok, test.isSimple)
		}
		if want := readYAML([]byte(test.src), 4).Value; ok && !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v\nas YAML: %+v", test.src, got, want)
		}
	}
}

// FuzzSimpleYAML checks that what is read is what YAML says.
func FuzzSimpleYAML(f *testing.F) {
	for _, test := range simpleTests {
		f.Add([]byte(test.src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		got, ok := simpleYAML(src, 0)
		if !ok {
			return
		}
		if want := readYAML(src, 0); want.Value.Kind != Map || !reflect.DeepEqual(got, want.Value) {
			t.Errorf("%q: %+v\nas YAML: %+v %v", src, got, want.Value, want.Notes)
		}
	})
}
