package zola

import (
	"strings"
	"testing"
)

// An id may have whatever a letter is spelled as for which no rule is known, and nothing else: no hyphen at its start.
func TestIDExpr(t *testing.T) {
	for _, c := range []struct{ heading, matches, others string }{
		{"\U00013000 Foo", "foo x-foo x9y-foo foo-1 x-foo-12", "-foo foo-x fo xfo foo- foo-1x"},
		{"Foo \U00013000", "foo foo-x foo-1 foo9 foox", "fo x-foo Foo"},
		{"Foo \U00013000 bar", "foo-x-bar foobar foo-bar foo-bar-2", "foo foo-x bar-foo -foo-bar foo-bar-x"},
		{"Foo", "foo foo-1", "foo-x xfoo foo1"},
	} {
		e := idExpr(c.heading)
		for id := range strings.FieldsSeq(c.matches) {
			if !e.MatchString(id) {
				t.Errorf("%q: %v does not match %s", c.heading, e, id)
			}
		}
		for id := range strings.FieldsSeq(c.others) {
			if e.MatchString(id) {
				t.Errorf("%q: %v matches %s", c.heading, e, id)
			}
		}
	}
}
