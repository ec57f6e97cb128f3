package jsonstring

import (
	"fmt"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

func TestWalk(t *testing.T) {
	for src, want := range map[string]string{
		`{"a":"x","b":["y",{"c":"z\"}"}],"d":{"e":1,"f":"\\"}}`: `a=x b.[]=y b.[].c=z\"} }2 ]1 d.f=\\ }1 }0`,
		`["x","y"]`:           "[]=x []=y ]0",
		`"x" {"a": "cut`:      "=x",
		`{"a":{"b":"x"`:       "a.b=x",
		`{"a" "b" : "c", "d"`: "b=c",
		`}{"a":"b"}`:          "",
	} {
		var got []string
		Walk([]byte(src), func(in []Level, s scan.Span) bool {
			var keys []string
			for i := range in {
				key := in[i].Named([]byte(src))
				if !in[i].IsObject {
					key = "[]"
				}
				keys = append(keys, key)
			}
			got = append(got, strings.Join(keys, ".")+"="+src[s.Start:s.End])
			return true
		}, func(in []Level) bool {
			end := "]"
			if in[len(in)-1].IsObject {
				end = "}"
			}
			got = append(got, fmt.Sprint(end, len(in)-1))
			return true
		})
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %s, want %s", src, text, want)
		}
	}
}

// The time is linear, whatever is nested or escaped.
func TestLinear(t *testing.T) {
	for _, shape := range []string{`{"a":[`, `"\\`, `\"`, `{"a":"b"},`, "}", `"`} {
		for _, n := range []int{1 << 12, 1 << 14} {
			calls := 0
			Walk([]byte(strings.Repeat(shape, n)), func(in []Level, _ scan.Span) bool {
				calls += 1 + len(in)
				return true
			}, nil)
			if calls > n*(maxDepth+2) {
				t.Error(fmt.Sprint(shape, n, calls))
			}
		}
	}
}

// Each string below a long key costs no more than another.
func TestLongKey(t *testing.T) {
	src := []byte(`{"` + strings.Repeat("k", 1<<20) + `":["a","b"]}`)
	n := 0
	Walk(src, func(in []Level, _ scan.Span) bool {
		n++
		if name := in[0].Named(src); len(name) != maxKey {
			t.Errorf("a key of %d bytes", len(name))
		}
		return true
	}, nil)
	if n != 2 {
		t.Errorf("%d strings", n)
	}
}
