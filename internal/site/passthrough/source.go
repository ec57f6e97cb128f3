package passthrough

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/order"
	"example.org/refract/internal/site/source"
)

// A property of a component becomes a link.
type property struct {
	name string
	use  string // as html.NewProperties has it
}

// A propertiesKey is a component at a depth, for source.Memo: with less depth left, less is found,
// whichever component is asked for first.
type propertiesKey struct {
	component
	depth int
}

// byConvention are the properties that components take for links by convention: those need no source.
var byConvention = lazy.NewSet("href src to link url")

// properties returns the properties of a component that become links, without those that do by convention.
func (r reader) properties(c component, depth int) []property {
	return slices.DeleteFunc(slices.Clone(r.allProperties(c, depth)), func(p property) bool { return byConvention.Has(p.name) })
}

// allProperties returns all properties of a component that become links. Components may use each other:
// properties deeper than maxDepth are ignored.
func (r reader) allProperties(c component, depth int) []property {
	if depth > maxDepth {
		return nil
	}
	return source.Memo(r.Tree, propertiesKey{c, depth}, func() []property {
		text := r.Tree.Config(c.file)
		ext := path.Ext(c.file)
		isWhole := ext == ".vue" || ext == ".svelte" || ext == ".astro"
		if isWhole && c.name != "default" {
			return nil
		}
		d := source.Derived(r.Tree, text, partKey{ext, c.name}, func() declared {
			part, ok := string(text), true
			if !isWhole {
				part, ok = partOf(part, c.name)
			}
			if !ok {
				return declared{}
			}
			return declared{part, true, parametersOf(part, ext)}
		})
		if !d.is {
			from, isElsewhere := r.exported(c, text)
			if !isElsewhere {
				return nil
			}
			return r.allProperties(from, depth+1)
		}
		return r.read(c.file, text, d, depth)
	})
}

// A declared export is the part of a source that declares a component, if there is one, and what properties
// are called in it.
type declared struct {
	part string
	is   bool
	parameters
}

// A parameters value says what properties are called in a source.
type parameters struct {
	local map[string]string // from the name of a variable to that of the property
	roots []string          // objects of which the properties are members: "props"
	text  string            // with the variables that are made of properties
	// values are the expressions of these, once one is asked for.
	values map[string]string
}

// read returns the properties that a part of a source hands on.
func (r reader) read(file string, text []byte, d declared, depth int) (found []property) {
	p, part := d.parameters, d.part
	if len(p.local) == 0 && len(p.roots) == 0 {
		return nil
	}
	local := r.importsOf(text)
	e := elements{text: part, effort: 16*len(part) + 4096}
	for e.next() {
		for _, a := range e.attributes {
			use := useOf(e.name, a.name)
			if c, ok := r.component(file, local, e.name); ok && isComponent(e.name) {
				use = r.useIn(c, a.name, depth+1)
			}
			if use == "" {
				continue
			}
			names, isWhole := p.in(a.value)
			if !isWhole {
				use = "part"
			}
			for _, name := range names {
				found = append(found, property{name, use})
			}
		}
	}
	return unique(found)
}

// useIn returns what a component of the repository makes of a property, or "".
func (r reader) useIn(c component, name string, depth int) string {
	for _, p := range r.allProperties(c, depth) {
		if foldName(p.name) == foldName(name) {
			return p.use
		}
	}
	return ""
}

// unique returns each property once: as a link where it becomes one as it is, and where it is also a part of others.
func unique(all []property) []property {
	rank := func(p property) int { return strings.Index("link embed part", p.use) }
	order.Sort(all, func(a, b property) int {
		if n := strings.Compare(a.name, b.name); n != 0 {
			return n
		}
		return rank(a) - rank(b)
	})
	return slices.CompactFunc(all, func(a, b property) bool { return a.name == b.name })
}

// Elements that are links, and those that show a file.
var (
	linkTags  = lazy.NewSet("a area")
	embedTags = lazy.NewSet("img source video audio iframe embed track")
)

// useOf returns what an attribute of an element is, or "": of HTML, or of a component whose source is not at hand.
func useOf(element, attribute string) string {
	is := isComponent(element)
	switch {
	case attribute == "href" && (is || linkTags.Has(element)), attribute == "to" && is:
		return "link"
	case attribute == "src" && (is || embedTags.Has(element)), attribute == "poster" && element == "video":
		return "embed"
	}
	return ""
}

// isComponent reports whether the name of an element is that of a component.
func isComponent(name string) bool {
	return name[0] >= 'A' && name[0] <= 'Z' || strings.Contains(name, "-") || name == "component"
}

var (
	declaration   = lazy.New(`(?m)^(?:export\s+(default\s+)?)?(?:async\s+)?(?:function\s*\*?|const|let|var|class)\s+(\w+)`)
	unnamed       = lazy.New(`(?m)^export\s+default\s+(?:async\s+)?(?:function\b\s*|class\b\s*|[\w.]*\s*(?:<[^>\n]*>)?\s*)?\(`)
	exportDefault = lazy.New(`(?m)^export\s+default\s+([^;\n{]*)`)
	exportList    = lazy.New(`(?m)^export\s*\{([^{}]*)\}\s*(?:;|$)`)
	word          = lazy.New(`[A-Za-z_$][\w$]*`)
)

// partOf returns the part of a module that declares an export.
func partOf(text, name string) (part string, ok bool) {
	all := declaration.FindAllStringSubmatchIndex(text, maxRegistered)
	until := func(start int) string {
		for _, m := range all {
			if m[0] > start {
				return text[start:m[0]]
			}
		}
		return text[start:]
	}
	find := func(name string) (string, bool) {
		for _, m := range all {
			if text[m[4]:m[5]] == name || name == "default" && m[2] >= 0 {
				return until(m[0]), true
			}
		}
		return "", false
	}
	if part, ok := find(name); ok {
		return part, true
	}
	for _, m := range exportList.FindAllStringSubmatch(text, maxRegistered) {
		if of, has := listed(m[1], name); has {
			return find(of)
		}
	}
	if name != "default" {
		return "", false
	}
	if m := exportDefault.FindStringSubmatch(text); m != nil {
		for _, of := range word.FindAllStringSubmatch(m[1], 8) { // memo(Name)
			if part, ok := find(of[0]); ok {
				return part, true
			}
		}
	}
	if m := unnamed.FindAllStringIndex(text, 1); m != nil {
		return until(m[0][0]), true
	}
	return "", false
}

var (
	destructured = lazy.New(`\b(?:const|let|var)\s*\{`)
	fromProps    = lazy.New(`^\s*(?::[^=;]{0,400}?)?=\s*([\w$.]+)`)
	holdsProps   = lazy.New(`\b(?:const|let|var)\s+(\w+)\s*(?::[^=;\n]{0,200})?=\s*(Astro\.props\b|\$props\(|defineProps\b|withDefaults\b)`)
	parameter    = lazy.New(`\(\s*(?:(\w+)\s*[:,)]|\{)`)
	exportLet    = lazy.New(`\bexport\s+let\s+(\w+)`)
	vueProps     = lazy.New(`\b(?:defineProps\b|props\s*:)\s*`)
	vueName      = lazy.New(`['"]?([A-Za-z_$][\w$]*)['"]?\??\s*[:,\]]`)
	propsType    = lazy.New(`^<\s*(?:Readonly<\s*)?(\w+)`)
)

// parametersOf returns what the properties of a component are called in its source, by the suffix of its file.
func parametersOf(text, ext string) parameters {
	p := parameters{local: map[string]string{}, text: text}
	switch ext {
	case ".astro":
		p.roots = []string{"Astro.props"}
	case ".svelte":
		p.roots = []string{"$props()", "$$props"}
		for _, m := range exportLet.FindAllStringSubmatch(text, maxRegistered) {
			p.local[m[1]] = m[1]
		}
	case ".vue":
		p.roots = []string{"props", "$props", "defineProps", "withDefaults"}
		p.addVue(text)
	default:
		p.roots = []string{"props", "this.props"}
		p.addParameter(text)
	}
	for _, m := range holdsProps.FindAllStringSubmatch(text, 8) {
		p.roots = append(p.roots, m[1])
	}
	for _, m := range destructured.FindAllStringIndex(text, maxRegistered) {
		n := closing(text[m[1]-1:])
		from := fromProps.FindStringSubmatch(text[m[1]-1+n:])
		if n > 0 && from != nil && slices.Contains(p.roots, from[1]) || n > 0 && from != nil && from[1] == "$props" {
			p.addPattern(text[m[1] : m[1]-1+n-1])
		}
	}
	return p
}

// addParameter adds what the first parameter of a function is called, or the variables in its pattern.
func (p *parameters) addParameter(text string) {
	head := text[:min(len(text), 600)]
	for _, m := range parameter.FindAllStringSubmatchIndex(head, 4) {
		if m[2] < 0 {
			open := m[1] - 1
			if n := closing(text[open:]); n > 0 {
				p.addPattern(text[open+1 : open+n-1])
			}
			return
		}
		if name := head[m[2]:m[3]]; name != "function" && name != "async" {
			p.roots = append(p.roots, name)
			return
		}
	}
}

// addVue adds the properties that a component of Vue declares, and that no variable hides.
func (p *parameters) addVue(text string) {
	add := func(list string) {
		for _, m := range vueName.FindAllStringSubmatch(list, maxRegistered) {
			p.local[m[1]] = m[1]
		}
	}
	for _, m := range vueProps.FindAllStringIndex(text, 4) {
		rest := text[m[1]:]
		if t := propsType.FindStringSubmatch(rest); t != nil {
			for _, head := range []string{"interface " + t[1], "type " + t[1]} {
				if i := strings.Index(text, head); i >= 0 {
					rest = text[i:]
				}
			}
		}
		if open := strings.IndexAny(rest[:min(len(rest), 120)], "{["); open >= 0 {
			if n := closing(rest[open:]); n > 0 {
				add(rest[open+1 : open+n])
			}
		}
	}
	for _, m := range declaredName.FindAllStringSubmatch(text, maxRegistered) {
		delete(p.local, m[1])
	}
}

var declaredName = lazy.New(`\b(?:const|let|var|function)\s+(\w+)`)

// addPattern adds the variables in a pattern: "a, b: c, d = 1, ...rest".
func (p *parameters) addPattern(pattern string) {
	for part := range topLevel(pattern) {
		part, _, _ = strings.Cut(part, "=")
		name, local, isRenamed := strings.Cut(part, ":")
		name = strings.Trim(name, " \t\r\n'\"")
		if !isRenamed {
			local = name
		}
		local = strings.TrimSpace(local)
		if isName(local) && name != "" {
			p.local[local] = name
		}
	}
}

func isName(s string) bool {
	return s != "" && !ascii.IsDigit(s[0]) && strings.IndexFunc(s, func(r rune) bool { return r > 127 || !isWordByte(byte(r)) }) < 0
}

// in returns the properties in an expression. isWhole reports whether its value is that of the only one, if
// that is given.
func (p *parameters) in(expr string) (names []string, isWhole bool) { return p.within(expr, 0) }

func (p *parameters) within(expr string, depth int) (names []string, isWhole bool) {
	expr = strings.TrimSuffix(strings.TrimSpace(expr), "!")
	if i := strings.Index(expr, " as "); i > 0 {
		expr = strings.TrimSpace(expr[:i])
	}
	first, rest := expr, ""
	for _, or := range []string{"??", "||"} {
		if before, after, ok := strings.Cut(expr, or); ok {
			first, rest = strings.TrimSpace(before), strings.TrimSpace(after)
			break
		}
	}
	if name := p.named(first); name != "" && (rest == "" || isConstant(rest)) {
		return []string{name}, true
	}
	if depth == 0 && isName(expr) {
		if value := p.valueOf(expr); value != "" {
			return p.within(value, 1)
		}
	}
	for _, m := range dotted.FindAllStringSubmatch(withoutStrings(expr), 32) {
		if name := p.named(m[0]); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, false
}

// dotted matches a variable, with its members.
var dotted = lazy.New(`[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*`)

// named returns the property that an expression names, or "". Members of a property, such as its methods,
// count as the property only within longer expressions.
func (p *parameters) named(expr string) string {
	if name, ok := p.local[expr]; ok {
		return name
	}
	for _, root := range p.roots {
		if name, ok := strings.CutPrefix(expr, root+"."); ok && isName(name) {
			return name
		}
	}
	return ""
}

// valueOf returns the expression of a variable that the source declares in one line, or "".
func (p *parameters) valueOf(name string) string {
	if p.values == nil {
		p.values = map[string]string{}
		for _, m := range variable.FindAllStringSubmatch(p.text, maxRegistered) {
			p.values[m[1]] = strings.TrimRight(m[2], " \t;")
		}
	}
	return p.values[name]
}

var variable = lazy.New(`\b(?:const|let)\s+(\w+)\s*(?::\s*[\w<>|\s]{1,60})?=\s*([^\n]{1,300})`)

// isConstant reports whether an expression has no variables.
func isConstant(expr string) bool {
	return strings.Trim(strings.NewReplacer("undefined", "", "null", "", "`", "").Replace(withoutStrings(expr)), " ") == ""
}

// withoutStrings returns an expression without what is in single and double quotes, and without the text of templates.
func withoutStrings(expr string) string {
	var b strings.Builder
	for i := 0; i < len(expr); i++ {
		switch c := expr[i]; c {
		case '\'', '"':
			n := strings.IndexByte(expr[i+1:], c)
			if n < 0 {
				return b.String()
			}
			i += n + 1
			b.WriteByte(' ')
		case '`':
			n := strings.IndexByte(expr[i+1:], c)
			if n < 0 {
				return b.String()
			}
			for part := range strings.SplitSeq(expr[i+1:i+1+n], "${") {
				if inner, _, ok := strings.Cut(part, "}"); ok {
					b.WriteString(" " + inner + " ")
				}
			}
			i += n + 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
