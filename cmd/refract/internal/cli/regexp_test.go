package cli

import (
	"regexp/syntax"
	"strings"
	"testing"
)

// Every invalid regular expression has a message in the words of this program.
func TestPatternErrors(t *testing.T) {
	tests := []struct {
		pattern string
		code    syntax.ErrorCode
		message string
	}{
		{`[[:x:]]`, syntax.ErrInvalidCharRange, `the range "[:x:]" is invalid`},
		{`[z-a]`, syntax.ErrInvalidCharRange, `the range "z-a" is invalid`},
		{`\8`, syntax.ErrInvalidEscape, `the escape "\\8" is unknown`},
		{`(?P<n`, syntax.ErrInvalidNamedCapture, `the name of the group "(?P<n" is invalid`},
		{`(?=a)`, syntax.ErrInvalidPerlOp, `"(?=" is not supported`},
		{`a**`, syntax.ErrInvalidRepeatOp, `the repetition "**" is invalid`},
		{`a{1001}`, syntax.ErrInvalidRepeatSize, `the repetition "{1001}" is invalid`},
		{"\xff", syntax.ErrInvalidUTF8, "is not UTF-8"},
		{`((a{100}){100}){100}`, syntax.ErrInvalidRepeatSize, "is invalid, or exceeds 1000"},
		{`[a`, syntax.ErrMissingBracket, `the bracket of "[a" is not closed`},
		{`(a`, syntax.ErrMissingParen, "a parenthesis is not closed"},
		{`*`, syntax.ErrMissingRepeatArgument, `there is nothing before "*" to repeat`},
		{strings.Repeat("(", 1001) + strings.Repeat(")", 1001), syntax.ErrNestingDepth, "it is nested too deeply"},
		{`a\`, syntax.ErrTrailingBackslash, "it ends with a backslash"},
		{`a)`, syntax.ErrUnexpectedParen, "a parenthesis is closed that was not opened"},
	}
	for _, tt := range tests {
		_, err := CompilePattern(tt.pattern)
		if err == nil || !strings.HasPrefix(err.Error(), "--match ") || !strings.Contains(err.Error(), tt.message) || strings.Contains(err.Error(), "%!") {
			t.Errorf("%.40q: %v, want %q", tt.pattern, err, tt.message)
		}
		if regexpCauses[tt.code] == "" {
			t.Errorf("%v has no message", tt.code)
		}
	}
}
