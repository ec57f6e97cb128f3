package html

import (
	"bytes"
	"hash/maphash"
	"html"
	"iter"
	"slices"
	"strings"
	"sync"
)

// This file follows tree construction (section 13.2.6 of the HTML standard; scripting off, no fragment
// case) without making a tree. It keeps the stack of open elements, the list of active formatting elements
// and the insertion mode, but nothing that only determines where a node is inserted (foster parenting, the
// head element pointer, comments).
//
// Sections are those of the living standard, which takes precedence where golang.org/x/net/html v0.62.0
// differs; tree_test.go names each difference.
//
// Approximations:
//
//   - At most maxOpen elements are open and maxActive formatting elements active. Past that the oldest are
//     forgotten, html and body excepted, so that a token costs no more than a fixed number of steps.
//     Browsers cap the depth of the tree, not of the stack.
//   - Public identifiers that mean quirks mode are recognised by how they begin: quirkyPublic.
//   - A comment between <pre> and a line feed does not keep the line feed.
//   - Character references are also undone in CDATA sections. It matters only to <frameset>, after a
//     section that holds only references to white space.
const (
	maxOpen   = 512
	maxActive = 256
)

// A namespace is one of the three that a parser makes elements in.
type namespace uint8

const (
	nsHTML namespace = iota
	nsSVG
	nsMath
)

// rawKind says how the tokenizer continues after a start tag (section 13.2.5).
type rawKind uint8

const (
	notRaw    rawKind = iota // the data state: markup
	rawText                  // RCDATA and RAWTEXT: text until the element's own end tag
	rawScript                // script data: the same, except for text that <!-- hides
	rawPlain                 // PLAINTEXT: text until the end of the document
)

// A placed is the result of processing a start tag.
type placed struct {
	ns   namespace // whose rules read the tag, and the namespace of the element that it made
	made bool      // false: the tag was ignored, or only lent its attributes to html or body
	raw  rawKind   // notRaw unless made
}

// A builder follows tree construction as far as the tokenizer needs it. The zero builder is at the
// start of a document. Its caller passes it the doctype, every start tag and end tag, and all text,
// but no comments.
type builder struct {
	open      []*element // the stack of open elements, section 13.2.4.2
	active    []*element // the list of active formatting elements, 13.2.4.3; nil is a marker
	form      *element   // the form element pointer, 13.2.4.4
	templates int        // how many of open are templates
	mode      mode
	raw       bool // raw text is being read: the mode "text"
	quirks    bool
	noFrames  bool // the frameset-ok flag is "not ok", 13.2.4.5
	skipLF    bool // ignore a line feed if it comes next
}

// An element is an entry of the stack of open elements. Where the standard reopens a formatting
// element by making a copy, this package uses the same element again: only the name and the
// attributes matter.
type element struct {
	name  string // in lower case, foreignobject too
	ns    namespace
	class class
	open  bool   // is on the stack
	mode  mode   // of a template: its entry in the stack of template insertion modes
	attrs uint64 // of a formatting element: a digest of its attributes
}

// A token is the input of the rules. Its key is the name of a start tag, "/" and the name of an end
// tag, "_" for white space or "#" for other characters.
type token struct {
	key, name string
	attrs     iter.Seq2[string, []byte]
	selfClose bool
	some      bool // characters: not only U+0000
	plain     bool // characters: not only U+0000 and white space
	placed
}

func (t *token) isText() bool { return t.name == "" }
func (t *token) isEnd() bool  { return t.key[0] == '/' }

// start processes a start tag. Its name and the names of its attributes are in lower case, and the
// character references in values are decoded.
func (b *builder) start(name string, selfClosing bool, attrs iter.Seq2[string, []byte]) placed {
	t := token{key: name, name: name, attrs: attrs, selfClose: selfClosing}
	b.process(&t)
	b.raw = t.raw != notRaw
	return t.placed
}

// end processes an end tag. In raw text it is the end tag of the raw element.
func (b *builder) end(name string) {
	if b.raw {
		b.raw = false // section 13.2.6.4.8; the element is not on the stack
		return
	}
	b.process(&token{key: "/" + name, name: name})
}

// text processes a run of text, as written, or the content of a CDATA section. In raw text it does
// nothing.
func (b *builder) text(src []byte) {
	if b.raw {
		return
	}
	if bytes.IndexByte(src, '&') >= 0 {
		src = []byte(html.UnescapeString(string(src)))
	}
	if b.skipLF {
		src = bytes.TrimPrefix(bytes.TrimPrefix(src, []byte("\r")), []byte("\n"))
		b.skipLF = false
	}
	rest := bytes.TrimLeft(src, " \t\n\f\r")
	if len(rest) < len(src) {
		b.process(&token{key: "_", some: true})
	}
	if len(rest) > 0 {
		b.process(&token{
			key:   "#",
			some:  len(bytes.Trim(rest, "\x00")) > 0,
			plain: len(bytes.Trim(rest, "\x00 \t\n\f\r")) > 0,
		})
	}
}

// doctype processes a doctype: src is the text between "<!doctype" and ">". It decides whether a
// table closes a paragraph.
func (b *builder) doctype(src []byte) {
	if b.mode == initial {
		b.quirks, b.mode = quirky(strings.ToLower(string(src))), "before-html"
	}
}

// foreign reports whether the adjusted current node is not an HTML element, so that CDATA sections
// are recognised (section 13.2.5.42).
func (b *builder) foreign() bool { return len(b.open) > 0 && b.top().ns != nsHTML }

// process runs the tree construction dispatcher (section 13.2.6) until t is used up.
func (b *builder) process(t *token) {
	for v := again; v == again; {
		if b.isForeign(t) {
			v = b.inForeign(t)
		} else {
			v = b.rule(b.mode, t)
		}
	}
	b.skipLF = t.key == "pre" || t.key == "listing"
}

// isForeign reports whether the rules for foreign content apply to t (section 13.2.6).
func (b *builder) isForeign(t *token) bool {
	if !b.foreign() {
		return false
	}
	e := b.top()
	switch {
	case t.isEnd():
		return true
	case e.class&mathPoint != 0 && t.key != "mglyph" && t.key != "malignmark":
		return false
	case e.ns == nsMath && e.name == "annotation-xml" && t.key == "svg":
		return false
	}
	return e.class&htmlPoint == 0
}

// inForeign applies the rules of section 13.2.6.5.
func (b *builder) inForeign(t *token) verdict {
	switch {
	case t.isText():
		b.noFrames = b.noFrames || t.plain
	case !t.isEnd() && (classes()[nsHTML][t.name]&breakout != 0 ||
		t.name == "font" && t.has("color", "face", "size")), t.key == "/br", t.key == "/p":
		for b.foreign() && b.top().class&(mathPoint|htmlPoint) == 0 {
			b.pop()
		}
		return b.rule(b.mode, t)
	case !t.isEnd():
		b.insertForeign(t, b.top().ns)
	default:
		for i := len(b.open) - 1; i > 0; i-- {
			if b.open[i].name == t.name {
				b.truncate(i)
				return done
			}
			if b.open[i-1].ns == nsHTML {
				return b.rule(b.mode, t)
			}
		}
	}
	return done
}

// A mode is an insertion mode (section 13.2.4.1). "text" and "in table text" are not
// needed: raw text is not pushed, and a run of text is one token.
type mode string

const initial mode = ""

// rules is section 13.2.6.4. Each mode is a heading with the number of its section. After a colon
// come the actions for tokens with these keys: members of effects and conditions. Tokens that the
// standard ignores have no actions. "*" is any other start tag, "/*" any other end tag, and "else"
// any other token. "=." is the name of the token. A </br> makes a br element, and image an img.
var rules = sync.OnceValue(func() map[mode]map[string][]action {
	return compile(`
initial 13.2.6.4.1
 _:
 else: quirks to=before-html again
before-html 13.2.6.4.2
 _ /*:
 html: insert to=before-head
 else /head /body /html /br: push=html to=before-head again
before-head 13.2.6.4.3
 _ /*:
 html: as=in-body
 head: insert to=in-head
 else /head /body /html /br: push=head to=in-head again
in-head 13.2.6.4.4
 _ head /*:
 html: as=in-body
 base basefont bgsound link meta: void
 title noframes style: raw
 script: script
 noscript: insert to=in-head-noscript
 template: insert mark noframes template=in-template
 /template: end-template
 /head: pop to=after-head
 else /body /html /br: pop to=after-head again
in-head-noscript 13.2.6.4.5
 head noscript /*:
 html: as=in-body
 /noscript: pop to=in-head
 _ basefont bgsound link meta noframes style: as=in-head
 else /br: pop to=in-head again
after-head 13.2.6.4.6
 _ head /*:
 html: as=in-body
 body: insert noframes to=in-body
 frameset: insert to=in-frameset
 base basefont bgsound link meta noframes script style template title /template: as=in-head
 else /body /html /br: push=body to=in-body again
in-body 13.2.6.4.7
 _ #: text
 html:
 base basefont bgsound link meta noframes script style template title /template: as=in-head
 body: if-body noframes
 frameset: if-body frameset insert to=in-frameset
 /body: if-scope=body to=after-body
 /html: if-scope=body to=after-body again
 address article aside blockquote center details dialog dir div dl fieldset figcaption figure: close-button=p insert
 footer header hgroup main menu nav ol p search section summary ul: close-button=p insert
 h1 h2 h3 h4 h5 h6: close-button=p pop-heading insert
 pre listing: close-button=p insert noframes
 form: form
 li: noframes close-item=li close-button=p insert
 dd dt: noframes close-item=dd,dt close-button=p insert
 plaintext: close-button=p plaintext
 button: close=button reopen insert noframes
 /address /article /aside /blockquote /button /center /details /dialog /dir /div /dl /fieldset: close=.
 /figcaption /figure /footer /header /hgroup /listing /main /menu /nav /ol /pre /search: close=.
 /section /select /summary /ul /dd /dt: close=.
 /form: end-form
 /p: close-button=p
 /li: close-list=li
 /h1 /h2 /h3 /h4 /h5 /h6: close=h1,h2,h3,h4,h5,h6
 a: close-a format
 b big code em font i s small strike strong tt u: format
 nobr: reopen close-nobr format
 /a /b /big /code /em /font /i /nobr /s /small /strike /strong /tt /u: adopt
 applet marquee object: reopen insert mark noframes
 /applet /marquee /object: end=. unmark
 table: quirks-p insert noframes to=in-table
 /br area br embed img image keygen wbr: reopen void noframes
 input: close=select reopen void noframes-input
 param source track: void
 hr: close-button=p select-implied void noframes
 textarea: raw noframes
 xmp: close-button=p reopen raw noframes
 iframe: raw noframes
 noembed: raw
 select: select reopen insert noframes
 option: option=optgroup reopen insert
 optgroup: option reopen insert
 rb rtc: ruby insert
 rp rt: ruby=rtc insert
 math: reopen math
 svg: reopen svg
 caption col colgroup frame head tbody td tfoot th thead tr:
 *: reopen insert
 /*: close-any=.
in-table 13.2.6.4.9
 _ #: table-text as=in-body
 caption: clear=table mark insert to=in-caption
 colgroup: clear=table insert to=in-column-group
 col: clear=table push=colgroup to=in-column-group again
 tbody tfoot thead: clear=table insert to=in-table-body
 td th tr: clear=table push=tbody to=in-table-body again
 table: end-table=table reset again
 /table: end-table=table reset
 /body /caption /col /colgroup /html /tbody /td /tfoot /th /thead /tr:
 style script template /template: as=in-head
 input: hidden-input as=in-body
 form: table-form
 else: as=in-body
in-caption 13.2.6.4.11
 /caption: end-table=caption unmark to=in-table
 caption col colgroup tbody td tfoot th thead tr /table: end-table=caption unmark to=in-table again
 /body /col /colgroup /html /tbody /td /tfoot /th /thead /tr:
 else: as=in-body
in-column-group 13.2.6.4.12
 _ /col:
 html: as=in-body
 col: void
 /colgroup: if-current=colgroup pop to=in-table
 template /template: as=in-head
 else: if-current=colgroup pop to=in-table again
in-table-body 13.2.6.4.13
 tr: clear=tbody,tfoot,thead insert to=in-row
 th td: clear=tbody,tfoot,thead push=tr to=in-row again
 /tbody /tfoot /thead: if-table=. clear=tbody,tfoot,thead pop to=in-table
 caption col colgroup tbody tfoot thead /table: if-table=tbody,tfoot,thead clear=tbody,tfoot,thead pop to=in-table again
 /body /caption /col /colgroup /html /td /th /tr:
 else: as=in-table
in-row 13.2.6.4.14
 th td: clear=tr insert to=in-cell mark
 /tr: if-table=tr clear=tr pop to=in-table-body
 caption col colgroup tbody tfoot thead tr /table: if-table=tr clear=tr pop to=in-table-body again
 /tbody /tfoot /thead: if-table=. if-table=tr clear=tr pop to=in-table-body again
 /body /caption /col /colgroup /html /td /th:
 else: as=in-table
in-cell 13.2.6.4.15
 /td /th: end-table=. unmark to=in-row
 caption col colgroup tbody td tfoot th thead tr: end-table=td,th unmark to=in-row again
 /body /caption /col /colgroup /html:
 /table /tbody /tfoot /thead /tr: if-table=. end-table=td,th unmark to=in-row again
 else: as=in-body
in-template 13.2.6.4.18
 _ #: as=in-body
 base basefont bgsound link meta noframes script style template title /template: as=in-head
 caption colgroup tbody tfoot thead: template=in-table again
 col: template=in-column-group again
 tr: template=in-table-body again
 td th: template=in-row again
 *: template=in-body again
 /*:
after-body 13.2.6.4.19
 _ html: as=in-body
 /html: to=after-after-body
 else: to=in-body again
in-frameset 13.2.6.4.20
 html: as=in-body
 frameset: insert
 /frameset: end-frameset
 frame: void
 noframes: as=in-head
 else:
after-frameset 13.2.6.4.21
 html: as=in-body
 /html: to=after-after-frameset
 noframes: as=in-head
 else:
after-after-body 13.2.6.4.22
 _ html: as=in-body
 else: to=in-body again
after-after-frameset 13.2.6.4.23
 _ html: as=in-body
 noframes: as=in-head
 else:
`)
})

// An action is a step of a rule: exactly one of the first four is set.
type action struct {
	effect    func(b *builder, t *token, args []string)
	condition func(b *builder, t *token, args []string) bool // false: the token is ignored from here on
	as        mode                                           // process the token by the rules of this mode
	again     bool                                           // reprocess the token

	args []string
	own  bool // the argument is the name of the token
}

// compile parses the rules into actions by mode and key.
func compile(text string) map[mode]map[string][]action {
	rules := map[mode]map[string][]action{}
	var m mode
	for line := range strings.Lines(strings.TrimSpace(text)) {
		keys, words, isRule := strings.Cut(line, ":")
		if !isRule {
			m = mode(strings.Fields(line)[0])
			if m == "initial" {
				m = initial
			}
			rules[m] = map[string][]action{}
			continue
		}
		actions := []action{}
		for word := range strings.FieldsSeq(words) {
			actions = append(actions, compileAction(word))
		}
		for key := range strings.FieldsSeq(keys) {
			rules[m][key] = actions
		}
	}
	return rules
}

func compileAction(word string) action {
	op, args, _ := strings.Cut(word, "=")
	a := action{effect: effects[op], condition: conditions[op], args: strings.Split(args, ","), own: args == "."}
	switch {
	case op == "as":
		a.as = mode(args)
	case op == "again":
		a.again = true
	case a.effect == nil && a.condition == nil:
		panic("html: no action " + op)
	}
	return a
}

// rule applies the rule of mode m for t.
func (b *builder) rule(m mode, t *token) verdict {
	rules := rules()[m]
	actions, ok := rules[t.key]
	if !ok && t.isEnd() {
		actions, ok = rules["/*"]
	} else if !ok && !t.isText() {
		actions, ok = rules["*"]
	}
	if !ok {
		actions = rules["else"]
	}
	for i := range actions {
		a := &actions[i]
		args := a.args
		if a.own {
			args = []string{t.name}
		}
		switch {
		case a.effect != nil:
			a.effect(b, t, args)
		case a.condition != nil:
			if !a.condition(b, t, args) {
				return done
			}
		case a.again:
			return again
		default:
			return b.rule(a.as, t)
		}
	}
	return done
}

// A verdict says what happens to a token once a rule has been applied.
type verdict uint8

const (
	done  verdict = iota // it is used up
	again                // it is processed anew
)

// conditions are the actions that may end a rule: they report whether it continues.
var conditions = map[string]func(b *builder, t *token, args []string) bool{
	"if-scope":   func(b *builder, _ *token, args []string) bool { return b.inScope(scope, args...) >= 0 },
	"if-table":   func(b *builder, _ *token, args []string) bool { return b.inScope(tableScope, args...) >= 0 },
	"if-current": func(b *builder, _ *token, args []string) bool { return b.top().is(args...) },
	// Continues if the second element is body and no template is open.
	"if-body": func(b *builder, _ *token, _ []string) bool {
		return len(b.open) > 1 && b.open[1].is("body") && b.templates == 0
	},
	// Closes the innermost of these elements, if it is in scope.
	"end":       func(b *builder, _ *token, args []string) bool { return b.close(scope, args...) },
	"end-table": func(b *builder, _ *token, args []string) bool { return b.close(tableScope, args...) },
	// Closes an open select, and ignores the tag.
	"select": func(b *builder, _ *token, _ []string) bool { return !b.close(scope, "select") },
	// Section 13.2.6.4.10.
	"table-text": func(b *builder, t *token, _ []string) bool {
		return t.plain || !b.top().is("table", "tbody", "template", "tfoot", "thead", "tr")
	},
	"hidden-input": func(_ *builder, t *token, _ []string) bool {
		t.made = t.attrIs("type", "hidden")
		return !t.made
	},
	"frameset": func(b *builder, _ *token, _ []string) bool {
		if !b.noFrames {
			b.truncate(1)
		}
		return !b.noFrames
	},
}

// effects are the actions after which a rule always continues.
var effects = map[string]func(b *builder, t *token, args []string){
	"to":         func(b *builder, _ *token, args []string) { b.mode = mode(args[0]) },
	"reset":      func(b *builder, _ *token, _ []string) { b.reset() },
	"quirks":     func(b *builder, _ *token, _ []string) { b.quirks = true },
	"template":   func(b *builder, _ *token, args []string) { b.switchTemplate(mode(args[0])) },
	"mark":       func(b *builder, _ *token, _ []string) { b.activate(nil) },
	"unmark":     func(b *builder, _ *token, _ []string) { b.clearToMarker() },
	"reopen":     func(b *builder, _ *token, _ []string) { b.reconstruct() },
	"format":     func(b *builder, t *token, _ []string) { b.insertFormatting(t) },
	"adopt":      func(b *builder, t *token, _ []string) { b.adopt(t.name) },
	"close-a":    func(b *builder, _ *token, _ []string) { b.closeA() },
	"close-nobr": func(b *builder, _ *token, _ []string) { b.closeNobr() },

	// noframes records that no frameset may follow.
	"noframes":       func(b *builder, _ *token, _ []string) { b.noFrames = true },
	"noframes-input": func(b *builder, t *token, _ []string) { b.noFrames = b.noFrames || !t.attrIs("type", "hidden") },
	"text":           (*builder).inText,

	// Open elements. The end tag of raw text comes next, so its element need not be on the stack.
	"push":      func(b *builder, _ *token, args []string) { b.push(args[0]) },
	"insert":    func(b *builder, t *token, _ []string) { b.push(t.name); t.made = true },
	"void":      func(_ *builder, t *token, _ []string) { t.made = true },
	"raw":       func(_ *builder, t *token, _ []string) { t.made, t.raw = true, rawText },
	"script":    func(_ *builder, t *token, _ []string) { t.made, t.raw = true, rawScript },
	"plaintext": func(_ *builder, t *token, _ []string) { t.made, t.raw = true, rawPlain },
	"svg":       func(b *builder, t *token, _ []string) { b.insertForeign(t, nsSVG) },
	"math":      func(b *builder, t *token, _ []string) { b.insertForeign(t, nsMath) },

	// Close the innermost of these elements, if it is in a scope.
	"close":        func(b *builder, _ *token, args []string) { b.close(scope, args...) },
	"close-any":    func(b *builder, _ *token, args []string) { b.close(special, args...) },
	"close-button": func(b *builder, _ *token, args []string) { b.close(buttonScope, args...) },
	"close-item":   func(b *builder, _ *token, args []string) { b.close(itemScope, args...) },
	"close-list":   func(b *builder, _ *token, args []string) { b.close(listScope, args...) },
	"pop":          func(b *builder, _ *token, _ []string) { b.pop() },
	"pop-heading":  func(b *builder, _ *token, _ []string) { b.popHeading() },
	"quirks-p":     func(b *builder, _ *token, _ []string) { b.closeBeforeTable() },
	"clear":        func(b *builder, _ *token, args []string) { b.clearTo(args) },
	"end-frameset": func(b *builder, _ *token, _ []string) { b.endFrameset() },
	"end-template": func(b *builder, _ *token, _ []string) { b.endTemplate() },

	// Actions that only one rule needs.
	"select-implied": func(b *builder, _ *token, _ []string) { b.closeImpliedIn("select", "") },
	"option":         func(b *builder, _ *token, args []string) { b.option(args[0]) },
	"ruby":           func(b *builder, _ *token, args []string) { b.closeImpliedIn("ruby", args[0]) },
	"form":           func(b *builder, t *token, _ []string) { b.startForm(t) },
	"table-form":     func(b *builder, t *token, _ []string) { b.startTableForm(t) },
	"end-form":       func(b *builder, _ *token, _ []string) { b.endForm() },
}

// hasBody reports whether the body element is open.
func (b *builder) hasBody() bool { return len(b.open) > 1 && b.open[1].is("body") }

// inText processes characters in a body.
func (b *builder) inText(t *token, _ []string) {
	if t.some {
		b.reconstruct()
	}
	b.noFrames = b.noFrames || t.plain
}

// switchTemplate replaces the current template insertion mode, and switches to it.
func (b *builder) switchTemplate(m mode) {
	b.mode = m
	if i := b.inScope(0, "template"); i >= 0 {
		b.open[i].mode = m
	}
}

func (b *builder) endTemplate() {
	if b.templates > 0 {
		b.close(0, "template")
		b.clearToMarker()
		b.reset()
	}
}

func (b *builder) endFrameset() {
	if len(b.open) <= 1 {
		return
	}
	b.pop()
	if !b.top().is("frameset") {
		b.mode = "after-frameset"
	}
}

// closeA ends the active a element, as a start tag of another one does.
func (b *builder) closeA() {
	if i := b.findActive("a"); i >= 0 {
		e := b.active[i]
		b.adopt("a")
		b.deactivate(e)
		b.remove(e)
	}
}

func (b *builder) closeNobr() {
	if b.inScope(scope, "nobr") >= 0 {
		b.adopt("nobr")
	}
}

func (b *builder) popHeading() {
	if b.top().class&heading != 0 {
		b.pop()
	}
}

// closeBeforeTable closes a paragraph before a table, except in quirks mode.
func (b *builder) closeBeforeTable() {
	if !b.quirks {
		b.close(buttonScope, "p")
	}
}

// clearTo clears the stack back to a context of these elements.
func (b *builder) clearTo(names []string) {
	for e := b.top(); !e.is("template", "html") && !e.is(names...); e = b.top() {
		b.pop()
	}
}

// closeImpliedIn generates implied end tags if there is an element of that name in scope.
func (b *builder) closeImpliedIn(name, except string) {
	if b.inScope(scope, name) >= 0 {
		b.closeImplied(except)
	}
}

func (b *builder) option(except string) {
	if b.inScope(scope, "select") >= 0 {
		b.closeImplied(except)
	} else if b.top().is("option") {
		b.pop()
	}
}

func (b *builder) startForm(t *token) {
	if b.form != nil && b.templates == 0 {
		return
	}
	b.close(buttonScope, "p")
	b.push("form")
	t.made = true
	if b.templates == 0 {
		b.form = b.top()
	}
}

// startTableForm makes a form that is closed at once, but that the form element pointer points to.
func (b *builder) startTableForm(t *token) {
	if b.form == nil && b.templates == 0 {
		b.form, t.made = &element{name: "form"}, true
	}
}

// endForm closes the form that the form element pointer points to, but not the elements open in it.
func (b *builder) endForm() {
	if b.templates > 0 {
		b.close(scope, "form")
		return
	}
	form := b.form
	b.form = nil
	if form != nil && b.isInScope(form) {
		b.closeImplied("")
		b.remove(form)
	}
}

// reset is section 13.2.4.1, "reset the insertion mode appropriately". A template holds its own entry
// of the stack of template insertion modes, as both are always pushed and popped together. A head
// element exists by then.
func (b *builder) reset() {
	for _, e := range slices.Backward(b.open) {
		if e.is("template") {
			b.mode = e.mode
			return
		}
		if m, ok := modes[e.name]; ok && e.ns == nsHTML {
			b.mode = m
			return
		}
	}
}

var modes = map[string]mode{
	"td": "in-cell", "th": "in-cell", "tr": "in-row", "tbody": "in-table-body", "thead": "in-table-body",
	"tfoot": "in-table-body", "caption": "in-caption", "colgroup": "in-column-group", "table": "in-table",
	"head": "in-head", "body": "in-body", "frameset": "in-frameset", "html": "after-head",
}

// adopt is the adoption agency algorithm of section 13.2.6.4.7. Where the algorithm makes a copy, adopt
// reuses the element, except for the formatting element itself. The start tag of a later "a" removes that
// element from the stack, not its copy.
func (b *builder) adopt(name string) {
	if e := b.top(); e.is(name) && !slices.Contains(b.active, e) {
		b.pop()
		return
	}
	for range 8 {
		i := b.findActive(name)
		if i < 0 {
			b.close(special, name)
			return
		}
		old := b.active[i]
		if !old.open {
			b.deactivate(old)
			return
		}
		if !b.isInScope(old) {
			return
		}
		at := slices.Index(b.open, old)
		n := slices.IndexFunc(b.open[at:], func(e *element) bool { return e.class&special != 0 })
		if n < 0 {
			b.truncate(at)
			b.deactivate(old)
			return
		}

		// The inner loop, down from the furthest block: at most three formatting elements stay open and
		// active. The copy goes after the first of them on the list, or else to the place of the
		// formatting element.
		block, after := b.open[at+n], old
		for x, count := at+n-1, 1; x > at; x, count = x-1, count+1 {
			node := b.open[x]
			if count > 3 {
				b.deactivate(node)
			}
			if !slices.Contains(b.active, node) {
				b.remove(node)
			} else if after == old {
				after = node
			}
		}
		copied := *old
		b.active = slices.Insert(b.active, slices.Index(b.active, after)+1, &copied)
		b.deactivate(old)
		b.open = slices.Insert(b.open, slices.Index(b.open, block)+1, &copied)
		b.remove(old)
	}
}

// reconstruct reopens the active formatting elements that were closed by something other than their
// own end tag (section 13.2.4.3).
func (b *builder) reconstruct() {
	i := len(b.active)
	for i > 0 && b.active[i-1] != nil && !b.active[i-1].open {
		i--
	}
	for _, e := range b.active[i:] {
		b.pushElement(e)
	}
}

// insertFormatting inserts an element and makes it an active formatting element. If four are alike,
// the first of them stops being active (section 13.2.4.3).
func (b *builder) insertFormatting(t *token) {
	b.reconstruct()
	b.push(t.name)
	t.made = true
	e := b.top()
	for name, value := range t.attrs {
		e.attrs += digest(name, value)
	}
	var first *element
	alike := 0
	for i := len(b.active) - 1; i >= 0 && b.active[i] != nil; i-- {
		if a := b.active[i]; a.name == e.name && a.attrs == e.attrs {
			first, alike = a, alike+1
		}
	}
	if alike >= 3 {
		b.deactivate(first)
	}
	b.activate(e)
}

// activate puts e, or a marker, on the list of active formatting elements.
func (b *builder) activate(e *element) {
	if len(b.active) == maxActive {
		b.active = slices.Delete(b.active, 0, maxActive/2)
	}
	b.active = append(b.active, e)
}

func (b *builder) deactivate(e *element) {
	if i := slices.Index(b.active, e); i >= 0 {
		b.active = slices.Delete(b.active, i, i+1)
	}
}

// clearToMarker clears the list of active formatting elements up to the last marker.
func (b *builder) clearToMarker() {
	i := len(b.active) - 1
	for i >= 0 && b.active[i] != nil {
		i--
	}
	b.active = b.active[:max(i, 0)]
}

// findActive returns the index of the last active formatting element with that name after the last
// marker, or -1.
func (b *builder) findActive(name string) int {
	for i := len(b.active) - 1; i >= 0 && b.active[i] != nil; i-- {
		if b.active[i].name == name {
			return i
		}
	}
	return -1
}

func (b *builder) insertForeign(t *token, ns namespace) {
	t.ns, t.made = ns, true
	if t.selfClose {
		return
	}
	e := &element{name: t.name, ns: ns, class: classes()[ns][t.name]}
	if ns == nsMath && t.name == "annotation-xml" && t.attrIs("encoding", "text/html", "application/xhtml+xml") {
		e.class |= htmlPoint
	}
	b.pushElement(e)
}

func (b *builder) push(name string) {
	b.pushElement(&element{name: name, class: classes()[nsHTML][name]})
}

func (b *builder) pushElement(e *element) {
	if len(b.open) == maxOpen {
		b.delete(2, 2+maxOpen/2)
	}
	b.open = append(b.open, e)
	e.open = true
	if e.is("template") {
		b.templates++
	}
}

// delete removes open[i:j] from the stack.
func (b *builder) delete(i, j int) {
	for _, e := range b.open[i:j] {
		e.open = false
		if e.is("template") {
			b.templates--
		}
	}
	b.open = slices.Delete(b.open, i, j)
}

func (b *builder) top() *element  { return b.open[len(b.open)-1] }
func (b *builder) truncate(n int) { b.delete(n, len(b.open)) }
func (b *builder) pop()           { b.truncate(len(b.open) - 1) }

func (b *builder) remove(e *element) {
	if i := slices.Index(b.open, e); i >= 0 {
		b.delete(i, i+1)
	}
}

// inScope returns the index of the innermost HTML element with one of these names, or -1 if there is
// none above the innermost element of class stop (section 13.2.4.2).
func (b *builder) inScope(stop class, names ...string) int {
	for i := len(b.open) - 1; i >= 0; i-- {
		e := b.open[i]
		if e.is(names...) {
			return i
		}
		if e.class&stop != 0 {
			break
		}
	}
	return -1
}

// isInScope is inScope for an element.
func (b *builder) isInScope(e *element) bool {
	for i := len(b.open) - 1; i >= 0; i-- {
		if b.open[i] == e {
			return true
		}
		if b.open[i].class&scope != 0 {
			break
		}
	}
	return false
}

// close pops elements until one of names has been popped, if one is in scope. The implied end tags
// that the standard generates before that only matter for parse errors.
func (b *builder) close(stop class, names ...string) bool {
	i := b.inScope(stop, names...)
	if i >= 0 {
		b.truncate(i)
	}
	return i >= 0
}

// closeImplied generates implied end tags (section 13.2.6.3).
func (b *builder) closeImplied(except string) {
	for e := b.top(); e.class&implied != 0 && e.name != except; e = b.top() {
		b.pop()
	}
}

// is reports whether e is an HTML element with one of these names.
func (e *element) is(names ...string) bool {
	if e.ns == nsHTML {
		for _, name := range names {
			if name == e.name {
				return true
			}
		}
	}
	return false
}

// has reports whether t has an attribute with one of these names.
func (t *token) has(names ...string) bool {
	for name := range t.attrs {
		if slices.Contains(names, name) {
			return true
		}
	}
	return false
}

// attrIs reports whether the first attribute with that name has one of the values.
func (t *token) attrIs(name string, values ...string) bool {
	for n, v := range t.attrs {
		if n == name {
			return slices.Contains(values, strings.ToLower(string(v)))
		}
	}
	return false
}

var seed = maphash.MakeSeed()

// digest returns a number for an attribute. The digests of an element are added up, because the order
// of attributes does not matter.
func digest(name string, value []byte) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	h.WriteString(name)
	h.WriteByte(0)
	h.Write(value)
	return h.Sum64()
}

// quirky reports whether a doctype, in lower case, means quirks mode (section 13.2.6.4.1; 13.2.5.53
// to 68 for what forces it).
func quirky(s string) bool {
	name, s, _ := strings.Cut(strings.Join(strings.Fields(s), " "), " ")
	if name != "html" || s == "" {
		return name != "html"
	}
	var public, system string
	var ok bool
	s, isPublic := strings.CutPrefix(s, "public")
	if isPublic {
		public, s, ok = quoted(s)
	} else {
		s, ok = strings.CutPrefix(s, "system")
	}
	hasSystem := !isPublic || strings.TrimSpace(s) != ""
	if hasSystem && ok {
		system, _, ok = quoted(s)
	}
	begins := func(id string) bool { return strings.HasPrefix(public, id) }
	return !ok || public == "html" || public == "-/w3c/dtd html 4.0 transitional/en" ||
		system == "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd" ||
		slices.ContainsFunc(quirkyPublic, begins) || !hasSystem && slices.ContainsFunc(quirkyWithoutSystem, begins)
}

// quoted cuts a quoted string off s.
func quoted(s string) (value, rest string, ok bool) {
	s = strings.TrimSpace(s)
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return "", "", false
	}
	return strings.Cut(s[1:], s[:1])
}

// Prefixes of public identifiers: those of the W3C in full, and only the owners of the other
// identifiers that section 13.2.6.4.1 lists (55 in all).
var (
	quirkyPublic = strings.Split(`+//silmaril//dtd html,-//advasoft ltd//,-//as//,-//ietf//,-//metrius//,`+
		`-//microsoft//,-//netscape comm. corp.//,-//o'reilly and associates//,-//softquad,-//spyglass//,-//sq//,`+
		`-//sun microsystems corp.//,-//w3o//,-//webtechs//,-//w3c//dtd html 3,-//w3c//dtd html 4.0 frameset//,`+
		`-//w3c//dtd html 4.0 transitional//,-//w3c//dtd html experimental,-//w3c//dtd w3 html//`, ",")
	quirkyWithoutSystem = []string{"-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//"}
)

// A class is a set of properties that the standard gives to elements by name.
type class uint16

const (
	special     class = 1 << iota // section 13.2.4.2
	scope                         // ends scope
	itemScope                     // special, but for address, div and p
	listScope                     // ends list item scope
	buttonScope                   // ends button scope
	tableScope                    // ends table scope
	implied                       // its end tag may be implied, section 13.2.6.3
	heading                       // h1 to h6
	breakout                      // closes foreign elements, section 13.2.6.5
	mathPoint                     // MathML text integration point
	htmlPoint                     // HTML integration point
)

// classes holds the classes of the elements of each namespace, by name. Source: by hand, as of
// November 2026, from the sections of the living standard that the constants name; tree_test.go
// compares the consequences with golang.org/x/net/html.
var classes = sync.OnceValue(func() (classes [3]map[string]class) {
	for ns := range classes {
		classes[ns] = map[string]class{}
	}
	for _, row := range []struct {
		ns    namespace
		class class
		names string
	}{
		{nsHTML, special | itemScope, `address applet area article aside base basefont bgsound blockquote body br button caption
			center col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset
			h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link listing main marquee menu
			meta nav noembed noframes noscript object ol p param plaintext pre script search section select source
			style summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp`},
		{nsHTML, scope | listScope | buttonScope, `applet caption html marquee object select table td template th`},
		{nsHTML, listScope, `ol ul`},
		{nsHTML, buttonScope, `button`},
		{nsHTML, tableScope, `html table template`},
		{nsHTML, implied, `dd dt li optgroup option p rb rp rt rtc`},
		{nsHTML, heading, `h1 h2 h3 h4 h5 h6`},
		{nsHTML, breakout, `b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img
			li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var`},
		{nsSVG, special | itemScope | scope | listScope | buttonScope | htmlPoint, `desc foreignobject title`},
		{nsMath, special | itemScope | scope | listScope | buttonScope, `annotation-xml mi mn mo ms mtext`},
		{nsMath, mathPoint, `mi mn mo ms mtext`},
	} {
		for name := range strings.FieldsSeq(row.names) {
			classes[row.ns][name] |= row.class
		}
	}
	for _, name := range []string{"address", "div", "p"} {
		classes[nsHTML][name] &^= itemScope
	}
	return classes
})
