package rst

import (
	"bytes"
	"strings"
	"sync"
	"unicode"

	"example.org/refract/extract/scan"
)

// Objects of Sphinx domains: functions, classes, options and the like, which directives declare and roles name.

// ObjectSpace is the Space of objects. The Value of an Anchor or a Mention in it is for ParseObject.
const ObjectSpace = "object"

// UnknownKind begins the Kind of a Python declaration by a directive that no domain of Sphinx has.
const UnknownKind = "py:?"

// An Object is the declaration or the use of an object.
type Object struct {
	// Kind is, for a declaration, the domain and the directive ("py:method"), or only the directive if no
	// domain of Sphinx has it. For a use, it is the role as written in lower case, or "" for text between
	// backquotes without one.
	Kind  string
	Name  string // the full name of a declaration; the target of a use
	Scope Scope  // of a use
}

// A Scope holds the declarations around a use, which complete its name.
type Scope struct {
	Domain  string // of default-domain; "" is that of the configuration
	Module  string // of py:module or py:currentmodule
	Class   string // the class that is being described
	Program string // of program
}

const separator = "\n" // names hold none

// ParseObject parses the Value of an Item, or the Name of a Mention, in ObjectSpace.
func ParseObject(value []byte) (o Object) {
	fields := strings.SplitN(string(value), separator, 6)
	for i, to := range []*string{&o.Kind, &o.Name, &o.Scope.Domain, &o.Scope.Module, &o.Scope.Class, &o.Scope.Program} {
		if i < len(fields) {
			*to = fields[i]
		}
	}
	return o
}

// maxName limits the length of the names of modules, classes and programs that are kept for the uses below them.
const maxName = 200

// A context is a Scope and the offset in the document where it begins.
type context struct {
	at    int32
	scope Scope
}

// An openClass is a declaration whose description is being read.
type openClass struct {
	column int32
	before Scope // around it
	module bool  // its module is another
}

// scope returns the Scope at the end of what has been read.
func (p *parser) scope() Scope {
	if n := len(p.contexts); n > 0 {
		return p.contexts[n-1].scope
	}
	return Scope{}
}

// setScope sets the Scope from an offset in the document on. Cells of tables have that of their table.
func (p *parser) setScope(at int, scope Scope) {
	if p.pieces == nil && scope != p.scope() && len(scope.Module) <= maxName && len(scope.Class) <= maxName && len(scope.Program) <= maxName {
		p.contexts = append(p.contexts, context{int32(at), scope})
	}
}

// leaveClasses ends the descriptions that l is not in.
func (p *parser) leaveClasses(l line) {
	for n := len(p.classes); n > 0 && l.column <= int(p.classes[n-1].column); n = len(p.classes) {
		scope := p.scope()
		scope.Class = p.classes[n-1].before.Class
		if p.classes[n-1].module {
			scope.Module = p.classes[n-1].before.Module
		}
		p.classes = p.classes[:n-1]
		p.setScope(l.start, scope)
	}
}

// scopeAt returns the Scope at an offset, as fields. Offsets of successive calls must not decrease.
func (s *Scanner) scopeAt(at int32) Scope {
	for s.context < len(s.contexts) && s.contexts[s.context].at <= at {
		s.context++
	}
	if s.context == 0 {
		return Scope{}
	}
	return s.contexts[s.context-1].scope
}

// objectValue appends the Value of the use of an object.
func (s *Scanner) objectValue(dst []byte, role string, raw []byte, at int32) []byte {
	dst = append(append(dst, role...), separator...)
	dst = append(append(dst, strings.Join(strings.Fields(string(unescape(joinLines(raw)))), " ")...), separator...)
	k := s.scopeAt(at)
	for i, field := range []string{k.Domain, k.Module, k.Class, k.Program} {
		if i > 0 {
			dst = append(dst, separator...)
		}
		dst = append(dst, field...)
	}
	return dst
}

// joinLines returns text without escaped ends of lines, and without the indentation after them.
func joinLines(text []byte) []byte {
	if !bytes.Contains(text, []byte("\\\n")) {
		return text
	}
	var dst []byte
	for part := range bytes.SplitSeq(text, []byte("\\\n")) {
		if dst != nil {
			part = bytes.TrimLeft(part, " \t")
		}
		dst = append(dst, part...)
	}
	return dst
}

func wordSet(words string) map[string]string {
	m := make(map[string]string)
	for _, w := range strings.Fields(words) {
		m[w] = w
	}
	return m
}

// markupRoles are the roles of docutils and Sphinx that point nowhere, or nowhere that is known.
var markupRoles = sync.OnceValue(func() map[string]string {
	return wordSet(`abbreviation ab acronym ac code math subscript sub superscript sup emphasis strong literal title-reference title t
		raw index i guilabel menuselection samp kbd command dfn file mailheader makevar mimetype newsgroup program regexp abbr manpage
		cve cwe c:expr c:texpr cpp:expr cpp:texpr anonymous-reference footnote-reference citation-reference substitution-reference
		target uri-reference uri url named-reference citation-reference restructuredtext-unimplemented`)
})

// objectRoles are the roles of Sphinx domains.
var objectRoles = sync.OnceValue(func() map[string]string {
	return wordSet(`any eq math:numref option envvar token keyword confval func meth class attr exc data const obj mod deco prop
		py:func py:meth py:class py:attr py:exc py:data py:const py:obj py:mod py:deco py:type py:prop
		c:member c:data c:func c:macro c:struct c:union c:enum c:enumerator c:type c:var
		cpp:any cpp:class cpp:struct cpp:union cpp:func cpp:member cpp:var cpp:type cpp:concept cpp:enum cpp:enumerator
		js:func js:meth js:class js:data js:attr js:mod rst:dir rst:role rst:directive:option
		dir role member macro type struct union enum enumerator var`)
})

// object adds the use of an object, by a role. "~" before the name only shortens what is shown.
func (p *parser) object(role string, from, to int, isTitled bool) {
	if !p.Mentions || markupRoles()[role] != "" || p.roles[role] {
		return
	}
	if _, parts := p.source(from, to); len(parts) > 1 { // its name is not in one piece
		return
	}
	if !isTitled && p.src[from] == '~' && from+1 < to {
		from++
	}
	known, ok := objectRoles()[role]
	p.add(form{op: scan.Mention, in: "role", meant: known, space: ObjectSpace, value: asObject}, from, to, -1)
	if !ok && role != "" { // forms are few, and the names of roles may be many
		p.found.at(p.found.n - 1).extra = p.extraOf(role)
	}
}

// extraOf returns the index of the extra with the name of a role. All uses of a role share it.
func (p *parser) extraOf(role string) int32 {
	const most = 1 << 10
	i, ok := p.roleExtras[role]
	if !ok {
		i = int32(len(p.found.extras))
		p.found.extras = append(p.found.extras, extra{text: role, def: -1})
		if p.roleExtras == nil {
			p.roleExtras = make(map[string]int32)
		}
		if len(p.roleExtras) < most {
			p.roleExtras[role] = i
		}
	}
	return i
}

// domains are the directives of Sphinx domains that declare objects.
var domains = sync.OnceValue(func() map[string]string {
	m := make(map[string]string)
	for domain, words := range map[string]string{
		"py":  "function data exception class method classmethod staticmethod attribute property module type decorator decoratormethod",
		"c":   "function member macro type struct union enum enumerator var",
		"cpp": "class struct function member var type enum enum-struct enum-class enumerator concept union",
		"js":  "module function method class data attribute",
		"rst": "directive role directive:option",
		"std": "option cmdoption envvar confval",
	} {
		for _, w := range strings.Fields(words) {
			m[domain+":"+w] = domain
		}
	}
	return m
})

// notObjects are directives with an argument that declares nothing.
var notObjects = sync.OnceValue(func() map[string]string {
	return wordSet(`attention caution danger error hint important note tip warning admonition image figure include literalinclude raw table
		csv-table list-table contents sectnum section-numbering header footer topic sidebar parsed-literal rubric epigraph highlights pull-quote
		compound container class replace unicode date role default-role title meta math code code-block sourcecode highlight math graphviz digraph
		graph inheritance-diagram doctest testcode testoutput testsetup testcleanup prompt productionlist toctree versionadded versionchanged
		deprecated versionremoved seealso centered hlist only ifconfig index tabularcolumns glossary sectionauthor moduleauthor codeauthor acks todo
		todolist currentmodule py:currentmodule program default-domain describe object highlightlang plot bibliography tab tabs group-tab code-tab
		tab-set tab-item grid grid-item-card card dropdown button-link button-ref details collapse youtube video audio mermaid uml module:canonical`)
})

// isKnown reports whether a directive is one of docutils or Sphinx.
func isKnown(name string) bool {
	_, ok := directives()[name]
	return ok || notObjects()[name] != "" || strings.Contains(name, ":") || strings.HasPrefix(name, "auto")
}

// kindOf returns the kind of the object that a directive declares, "" if it declares none.
func (p *parser) kindOf(name string) string {
	if domains()[name] != "" {
		return name
	}
	domain := p.scope().Domain
	if domain == "" {
		domain = p.Domain
	}
	if domain == "" {
		domain = "py"
	}
	for _, d := range []string{domain, "std"} {
		if domains()[d+":"+name] != "" {
			return d + ":" + name
		}
	}
	if notObjects()[name] != "" || p.pieces != nil {
		return ""
	}
	return name
}

// describes reads the directives that change the Scope, and declarations: the signatures are a range of p.src.
func (p *parser) describes(name string, l line, from, to, end int) {
	switch name {
	case "role":
		role, _, _ := strings.Cut(strings.ToLower(string(p.src[from:to])), "(")
		if p.roles == nil {
			p.roles = make(map[string]bool)
		}
		p.roles[strings.TrimSpace(role)] = true
		return
	case "default-role":
		p.noDefault = true
	}
	if !p.Mentions || from >= to {
		return
	}
	scope, text := p.scope(), string(bytes.TrimSpace(p.src[from:to]))
	switch name {
	case "default-domain":
		scope.Domain = strings.ToLower(text)
	case "program":
		scope.Program = strings.Join(strings.Fields(text), "-")
	case "currentmodule", "py:currentmodule":
		scope.Module = text
	case "productionlist":
		return
	}
	if text == "None" {
		scope.Program, scope.Module = dropNone(scope.Program), dropNone(scope.Module)
	}
	kind := p.kindOf(name)
	if kind == "py:module" {
		scope.Module = text
	}
	if scope != p.scope() {
		p.setScope(end, scope)
	}
	if kind != "" {
		p.declare(kind, l, from, to, end)
	}
}

func dropNone(s string) string {
	if s == "None" {
		return ""
	}
	return s
}

// declare adds the objects that signatures declare, one for each line. end is where the options begin.
func (p *parser) declare(kind string, l line, from, to, end int) {
	scope := p.scope()
	isHidden := p.hasNoIndex(end, l.column)
	module, hasModule := p.optionOf(end, l.column, ":module:")
	if hasModule {
		scope.Module = module
	}
	class := ""
	for at := from; at < to; {
		next := at
		for next < to && (p.src[next] != '\n' || next > at && p.src[next-1] == '\\') {
			next++
		}
		signature := strings.TrimSpace(string(joinLines(p.src[at:next])))
		for _, name := range declaredNames(kind, signature, scope) {
			if !isHidden && p.Anchors {
				p.addObject(kind, name, at, next)
			}
		}
		if name := qualified(signature, scope.Class); name != "" && !isHidden && p.Anchors && !strings.Contains(kind, ":") {
			if scope.Module != "" {
				name = scope.Module + "." + name
			}
			p.addObject(UnknownKind+kind, name, at, next) // an extension may declare it for Python
		}
		class = classOf(kind, signature, scope)
		at = next + 1
	}
	if (class != "" || hasModule) && p.pieces == nil {
		p.classes = append(p.classes, openClass{int32(l.column), p.scope(), hasModule})
		if class != "" {
			scope.Class = class
		}
		p.setScope(end, scope)
	}
}

// hasNoIndex reports whether a declaration has an option that hides it from roles.
func (p *parser) hasNoIndex(at, margin int) bool {
	_, isOld := p.optionOf(at, margin, ":noindex:")
	_, isNew := p.optionOf(at, margin, ":no-index:")
	return isOld || isNew
}

// optionOf returns the value of an option of a directive, whose options begin at an offset.
func (p *parser) optionOf(at, margin int, name string) (value string, ok bool) {
	for at < len(p.src) {
		l := p.lineAt(at)
		if l.isBlank() || l.column <= margin || fieldMarker(p.content(&l)) == 0 {
			break
		}
		if rest, found := bytes.CutPrefix(p.content(&l), []byte(name)); found {
			return string(bytes.TrimSpace(rest)), true
		}
		at = l.next
	}
	return "", false
}

// isNoName reports whether r cannot be in a dotted name.
func isNoName(r rune) bool {
	return r != '.' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// namePrefix returns the dotted name at the start of s.
func namePrefix(s string) string {
	if end := strings.IndexFunc(s, isNoName); end >= 0 {
		return s[:end]
	}
	return s
}

// lastName returns the last dotted name in s.
func lastName(s string) string {
	names := strings.FieldsFunc(strings.ReplaceAll(s, "::", "."), isNoName)
	if len(names) == 0 {
		return ""
	}
	return strings.Trim(names[len(names)-1], ".")
}

// declaredNames returns the full names of the objects of a signature.
func declaredNames(kind, signature string, scope Scope) []string {
	domain, _, ok := strings.Cut(kind, ":")
	switch {
	case signature == "":
		return nil
	case kind == "std:option" || kind == "std:cmdoption":
		return optionNames(signature, scope.Program)
	case domain == "std" || domain == "rst":
		return []string{signature}
	case !ok: // a directive of an extension, which may be one for Python
		return []string{signature}
	case kind == "py:module" || kind == "js:module":
		return []string{signature}
	case domain == "c" || domain == "cpp":
		name := identifierOf(signature)
		if domain == "c" && scope.Class != "" && name != "" {
			if kind == "c:enumerator" { // C has no scopes for them
				return []string{name, scope.Class + "." + name}
			}
			return []string{scope.Class + "." + name}
		}
		return []string{name}
	}
	if domain == "py" && !isSignature(signature) {
		return nil
	}
	name := qualified(signature, scope.Class)
	if name == "" {
		return nil
	}
	if scope.Module != "" {
		name = scope.Module + "." + name
	}
	return []string{name}
}

// isSignature reports whether Sphinx can read a signature of Python: a name, parameters and a result.
func isSignature(s string) bool {
	rest := strings.TrimSpace(s[len(namePrefix(s)):])
	if rest == "" || rest[0] == '[' {
		return true
	}
	if rest[0] != '(' {
		return false
	}
	tail := strings.TrimSpace(rest[strings.LastIndexByte(rest, ')')+1:])
	return tail == "" || strings.HasPrefix(tail, "->") || strings.Contains(rest, "->")
}

// qualified returns the name of an object with that of the class in whose description it is.
func qualified(signature, class string) string {
	name := strings.Trim(namePrefix(signature), ".")
	if class == "" || name == "" {
		return name
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 && (name[:i] == class || strings.HasPrefix(name[:i], class+".")) {
		return name
	}
	return class + "." + name
}

// classOf returns the class that the description of a declaration is in, "" if it is in that of the text around it.
func classOf(kind, signature string, scope Scope) string {
	switch kind {
	case "py:class", "py:exception", "js:class":
		return qualified(signature, scope.Class)
	case "c:struct", "c:union", "c:type", "c:enum":
		return identifierOf(signature)
	case "py:method", "py:classmethod", "py:staticmethod", "py:attribute", "py:property":
		if full := qualified(signature, scope.Class); strings.Contains(full, ".") {
			return full[:strings.LastIndexByte(full, '.')]
		}
	}
	return ""
}

// identifierOf returns the name that a declaration of C or C++ declares.
func identifierOf(signature string) string {
	if i := strings.Index(signature, "(*"); i >= 0 { // a pointer to a function
		return namePrefix(strings.TrimSpace(signature[i+2:]))
	}
	signature = strings.ReplaceAll(signature, "::", ".")
	if i := strings.IndexAny(signature, "([={:"); i >= 0 { // ":" precedes the bases of a class, or the width of a bit field
		signature = signature[:i]
	}
	return lastName(signature)
}

// optionNames returns the program and the name of each option of a signature, with a space between.
func optionNames(signature, program string) (names []string) {
	for potential := range strings.SplitSeq(signature, ", ") {
		potential = strings.TrimSpace(potential)
		end := strings.IndexAny(potential, " \t=")
		if end < 0 {
			end = len(potential)
		}
		name, args := potential[:end], potential[end:]
		if name == "" {
			continue
		}
		if strings.HasSuffix(name, "[") && strings.HasSuffix(args, "]") {
			name = strings.TrimSuffix(name, "[")
		}
		names = append(names, program+" "+name)
	}
	return names
}

// productions adds the tokens of a grammar, a range of p.src: the name of a group, if the first line is no
// rule, and rules.
func (p *parser) productions(from, to int) {
	if !p.Mentions || p.pieces != nil {
		return
	}
	group := ""
	for isFirst := true; from < to; isFirst = false {
		l := p.lineAt(from)
		from = l.next
		if isFirst {
			l.text += max(0, bytes.Index(p.content(&l), []byte("::"))+2)
			l.skipSpace(p.src)
		}
		name, _, isRule := bytes.Cut(p.content(&l), []byte(":"))
		name = bytes.TrimSpace(name)
		switch {
		case isFirst && !isRule:
			group = string(name)
		case isRule && len(name) > 0 && len(group) <= maxName && bytes.IndexByte(name, ' ') < 0:
			full := string(name)
			if group != "" {
				full = group + ":" + full
			}
			p.addObject("std:token", full, l.text, l.text+len(name))
		}
		p.tokens(group, &l)
	}
}

// addObject adds the declaration of an object at a range of p.src.
func (p *parser) addObject(kind, name string, from, to int) {
	if !p.Anchors {
		return
	}
	span, _ := p.source(from, to)
	p.found.extras = append(p.found.extras, extra{text: kind + separator + name, def: -1})
	p.found.add(record{start: int32(span.Start), end: int32(span.End), extra: int32(len(p.found.extras) - 1),
		form: p.formOf(form{op: scan.Anchor, in: "directive", space: ObjectSpace, value: asExtra})})
}

// tokens adds the uses of tokens in a line of a grammar, which are between backquotes. They belong to its
// group if they name none.
func (p *parser) tokens(group string, l *line) {
	form := p.formOf(form{op: scan.Mention, in: "role", space: ObjectSpace, value: asExtra})
	for at := l.text; at < l.end; {
		start := bytes.IndexByte(p.src[at:l.end], '`')
		if start < 0 {
			return
		}
		start += at + 1
		n := bytes.IndexByte(p.src[start:l.end], '`')
		if n < 0 {
			return
		}
		at = start + n + 1
		name := strings.TrimPrefix(string(p.src[start:start+n]), "~")
		switch rest, isOfNone := strings.CutPrefix(name, ":"); {
		case name == "" || strings.ContainsFunc(name, unicode.IsSpace):
			continue
		case isOfNone:
			name = rest
		case group != "" && !strings.Contains(name, ":"):
			name = group + ":" + name
		}
		p.found.extras = append(p.found.extras, extra{text: "token" + separator + name, def: -1})
		p.found.add(record{start: int32(start), end: int32(start + n), extra: int32(len(p.found.extras) - 1), form: form})
	}
}
