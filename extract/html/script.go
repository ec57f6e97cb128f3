package html

import (
	"bytes"
	"strings"

	"example.org/refract/internal/ascii"
)

// script yields the strings in the script or the JSON v that are clearly URLs or paths. kind is the type of
// the element: nothing, a type of JavaScript, "module", or one that a program gives scripts that it runs
// later, such as "rocketlazyloadscript".
func (s *Scanner) script(v text, kind string) {
	kind, _, _ = strings.Cut(kind, ";")
	switch kind = strings.TrimSpace(kind); {
	case kind == "application/json" || kind == "text/json" || strings.HasSuffix(kind, "+json"):
		s.guesses(v, "script", true)
	case isCode(kind):
		s.guesses(v, "script", false)
	}
}

// isCode reports whether a type of a script element, in lower case, is that of a language.
func isCode(kind string) bool {
	return kind == "" || kind == "module" || strings.Contains(kind, "javascript") || strings.Contains(kind, "ecmascript") || strings.HasSuffix(kind, "script")
}

// guesses yields the references of v, which is JavaScript, or JSON.
func (s *Scanner) guesses(v text, in string, isJSON bool) {
	s.code.JSON = isJSON
	for it := range s.code.Scan(v.b) {
		r := ref{kind: it.Kind, how: it.How, in: s.ins.Join([]byte(in), it.In), labels: it.Labels}
		s.refAt(&r, it.Value, v.span(it.Span.Start, it.Span.End))
		if s.stopped {
			return
		}
	}
}

var handlerRule = rule{form: handler}

// longestHandler limits the length in bytes of the names of event handlers.
const longestHandler = 24

// isHandler reports whether an attribute with this name is an event handler.
func isHandler(name []byte) bool {
	if len(name) < len("onx") || len(name) > longestHandler || !ascii.EqualFold(name[:len("on")], "on") {
		return false
	}
	for _, c := range name {
		if !ascii.IsLetter(c) {
			return false
		}
	}
	return true
}

// handler returns the rule of an event handler.
func (s *Scanner) handler(t *tag, name []byte) *attrRule {
	called := t.called
	if len(called) > longestHandler {
		called = called[:longestHandler]
	}
	return &attrRule{rule: &handlerRule, in: s.ins.Join(bytes.ToLower(called), strings.ToLower(string(name)))}
}
