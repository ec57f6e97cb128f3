package html

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// A mark is one reported range, which overwrite has replaced by "refract:N;".
type mark struct {
	in string
	op scan.Op
}

var marked = regexp.MustCompile(`refract:(\d+);`)

// overwrite writes "refract:N;" over every reported range of src.
func overwrite(src []byte) ([]byte, []mark) {
	type edit struct {
		scan.Span
		mark
	}
	var edits []edit
	for it := range new(Scanner).Scan(src) {
		switch it.Op {
		case scan.Ref:
			edits = append(edits, edit{it.Span, mark{it.In, it.Op}})
		case scan.Part:
			for inner := range new(Scanner).Scan(it.Value) {
				if inner.Op == scan.Ref {
					s, _ := it.Map.Back(inner.Span)
					edits = append(edits, edit{s, mark{"srcdoc/" + inner.In, it.Op}})
				}
			}
		}
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return a.Start - b.Start })
	var out []byte
	var marks []mark
	at := 0
	for _, e := range edits {
		if e.Start == e.End { // an empty value without quotes has no bytes to overwrite
			continue
		}
		if e.Start < at {
			panic(fmt.Sprintf("%s at %v overlaps what ends at %d", e.in, e.Span, at))
		}
		out = append(append(out, src[at:e.Start]...), fmt.Sprintf("refract:%d;", len(marks))...)
		marks = append(marks, e.mark)
		at = e.End
	}
	return append(out, src[at:]...), marks
}

// A report says where a parser saw the marks.
type report struct {
	seen    map[int]bool
	missed  []string // attributes whose value is not the expected mark
	written []string // marks that the parser sees as text
}

func (r *report) marks(s string) {
	for _, m := range marked.FindAllStringSubmatch(s, -1) {
		n, _ := strconv.Atoi(m[1])
		r.seen[n] = true
	}
}

// walk compares a tree with the rules.
func (r *report) walk(n *html.Node) {
	switch n.Type {
	case html.ElementNode:
		var attrs [][2]string
		for _, a := range n.Attr {
			key := a.Key
			if a.Namespace != "" {
				key = a.Namespace + ":" + key
			}
			attrs = append(attrs, [2]string{key, a.Val})
		}
		r.element(n.Namespace, n.Data, attrs)
	case html.TextNode:
		parent := ""
		if n.Parent != nil {
			parent = n.Parent.Data
		}
		r.text(parent, n.Data)
	case html.CommentNode:
		r.text("", n.Data)
	}
	for c := range n.ChildNodes() {
		r.walk(c)
	}
}

// text records the marks in the text of an element or of a comment.
func (r *report) text(parent, data string) {
	if parent == "style" || parent == "script" {
		r.marks(data)
	} else if marked.MatchString(data) {
		r.written = append(r.written, data)
	}
}

// element compares the attributes of an element with the rules for it.
func (r *report) element(ns, name string, attrs [][2]string) {
	space := map[string]namespace{"": nsHTML, "svg": nsSVG, "math": nsMath}[ns]
	name = strings.ToLower(name)
	e := words().spaces[space][0]
	if id := find([]byte(name)); words().isElement[id] {
		e = words().spaces[space][id]
	}
	get := func(key string) string {
		for _, a := range attrs {
			if strings.EqualFold(a[0], key) {
				return a[1]
			}
		}
		return ""
	}
	for _, a := range attrs {
		r.marks(a[1])
		key := strings.ToLower(a[0])
		var rule *attrRule
		if e.filter.Has([]byte(key)) {
			rule = e.rule([]byte(key))
		}
		value := strings.TrimFunc(a[1], func(c rune) bool { return c <= ' ' })
		if rule == nil || value == "" {
			continue
		}
		whole := marked.FindString(value) == value
		parts := strings.FieldsFunc(value, func(c rune) bool { return strings.ContainsRune("\t\n\f\r ", c) })
		ok := true
		switch rule.form {
		case single, filled:
			ok = whole || name == "input" && key == "src" && !strings.EqualFold(get("type"), "image")
		case curie:
			ok = whole || value[0] == '[' || strings.HasPrefix(value, "_:")
		case list:
			for _, p := range parts {
				ok = ok && marked.FindString(p) == p
			}
		case absolute:
			for _, p := range parts {
				ok = ok && (marked.FindString(p) == p || !hasScheme([]byte(p)))
			}
		case commas:
			for p := range strings.SplitSeq(value, ",") {
				p = strings.TrimSpace(p)
				ok = ok && (p == "" || marked.FindString(p) == p)
			}
		case srcset:
			ok = marked.MatchString(value) || strings.Trim(value, ", \t\n\f\r") == "" || strings.ContainsAny(a[1], " \t\n\f\r(")
		case document:
			inner, err := parse([]byte(a[1]))
			if err == nil {
				r.walk(inner)
			}
		}
		if !ok {
			r.missed = append(r.missed, fmt.Sprintf("%s:%s %s=%q", ns, name, key, a[1]))
		}
	}
	if name == "meta" && space == nsHTML && strings.EqualFold(get("http-equiv"), "refresh") {
		if v := get("content"); strings.Contains(strings.ToLower(v), "url=") && !marked.MatchString(v) {
			if _, _, is := refresh([]byte(v)); is {
				r.missed = append(r.missed, fmt.Sprintf("meta refresh %q", v))
			}
		}
	}
}

func parse(src []byte) (*html.Node, error) {
	return html.ParseWithOptions(bytes.NewReader(src), html.ParseOptionEnableScripting(false))
}

// dropped are the elements whose tags tree construction ignores in the wrong place, or whose
// attributes do not count when repeated.
var dropped = []string{
	"html/", "head/", "body/", // merged into the first, or ignored in a template
	"frame/", "frameset/", "form/", // outside of a frameset; in a form
	"table/", "thead/", "tbody/", "tfoot/", "tr/", "td/", "th/", // outside of a table
}

// contract checks that the references of src are the URL attributes that html.Parse sees. It returns
// the number of dropped ones, by their place.
func contract(t *testing.T, src []byte) map[string]int {
	t.Helper()
	text, marks := overwrite(src)
	root, err := parse(text)
	if err != nil {
		return nil // more than 512 levels
	}
	r := report{seen: make(map[int]bool)}
	r.walk(root)
	for _, m := range r.missed {
		t.Errorf("missed: %s\n%q\n%q", m, src, text)
	}
	for _, m := range r.written {
		t.Errorf("invented: %s\n%q\n%q", m, src, text)
	}
	drops := make(map[string]int)
	for i, m := range marks {
		if !r.seen[i] {
			drops[m.in]++
		}
	}
	return drops
}

func TestContract(t *testing.T) {
	all, _ := scantest.Corpus(t, "html.tar.xz", ".html")
	total := make(map[string]int)
	for _, src := range all {
		for in, n := range contract(t, src) {
			total[in] += n
			if !slices.ContainsFunc(dropped, func(d string) bool { return strings.HasPrefix(in, d) }) {
				t.Errorf("%d %s are not in the tree", n, in)
			}
		}
		if t.Failed() {
			break
		}
	}
	t.Log(len(all), "pages; dropped by the tree builder: ", total)
}
