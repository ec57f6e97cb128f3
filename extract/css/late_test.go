package css_test

import (
	"strings"
	"testing"

	"example.org/refract/extract/css"
)

// css-cascade-5 2: each has one @import, which is valid or not. Chromium 156 agrees on all but the one in a prelude.
func TestLateImport(t *testing.T) {
	for _, tt := range []struct {
		src   string
		valid bool
	}{
		{``, true},
		{`/* a{} */ <!-- --> `, true},
		{`@charset "utf-8";@layer a, b;`, true},
		{`@import "other.css";`, true},
		{`@x y;@z{a{b:c}}`, true}, // rules that nothing knows
		{`a:b{}`, true},
		{`a!{b:c}`, true},
		{`{b:c}`, true},
		{`a;b `, true}, // in the prelude of a rule: a template may stand there

		{`a{b:c}`, false},
		{`a{}`, false},
		{`*{}`, false},
		{`A, b.c #d-1{b:"}"}`, false},
		{`@media x{a{b:c}}`, false},
		{`@font-face{src:url(x)}`, false},
		{`@LAYER a{}`, false},
		{`@namespace url(a);`, false},
		{`@import "other.css";a{b:c}`, false},
		{`a{b:c;`, false},
		{`@media x{a{b:c}`, false},
		{`a:b{`, false}, // in a block of any rule
		{`@x y;a{}`, false},
	} {
		n := 0
		s := css.Scanner{}
		for it := range s.Scan([]byte(tt.src + `@import "this.css";a{b:url(c)}`)) {
			if string(it.Value) == "this.css" {
				n++
			}
		}
		if n == 1 != tt.valid {
			t.Errorf("%s: valid is %v", tt.src, !tt.valid)
		}
	}
}

// Many rules before many imports are examined once: otherwise this would end by the limit of time for all tests.
func TestLateImportLinear(t *testing.T) {
	for _, unit := range []string{`@import "a";`, `@x{}@import "a";`, `a(@import "a";`, `{@import "a";`, `@x{@import "a";`, `a [@import "b";`, `@import`, `<!--@import "a";`} {
		s := css.Scanner{}
		for range s.Scan([]byte(strings.Repeat(unit, 100_000))) {
		}
	}
}
