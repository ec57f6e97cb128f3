package sphinx

import "testing"

// TestProgramLabels pins which labels the text of a program may make: those that it names, and those that begin as what it puts
// together does. If it puts together all of one, it may make any.
func TestProgramLabels(t *testing.T) {
	tests := []struct {
		text    string
		yes, no []string
	}{
		{".. _one:\n.. _Two words:\n", []string{"one", "two words"}, []string{"on", "one more", "two"}},
		{".. _`quoted: name`:\n", []string{"quoted"}, []string{"name"}},
		{".. _start-{name}:\n", []string{"start-x", "start-"}, []string{"start", "x"}},
		{".. _%s:\n", []string{"any", ""}, nil},
		{"x = '''\n.. _a' + b\n", []string{"a", "ab"}, []string{"b"}},
		{"    :name: opt\n", []string{"opt"}, []string{"op"}},
		{".. _", nil, []string{"a"}},
	}
	for _, tt := range tests {
		l := &programLabels{exact: map[string]bool{}, classes: map[string]bool{}, terms: map[string]bool{}, kinds: map[string]bool{}, words: make(wordSet, 1<<(wordBits-6))}
		l.read([]byte(tt.text))
		for _, label := range tt.yes {
			if !l.has(label) {
				t.Errorf("%q: no %q", tt.text, label)
			}
		}
		for _, label := range tt.no {
			if l.has(label) {
				t.Errorf("%q: %q", tt.text, label)
			}
		}
	}
}
