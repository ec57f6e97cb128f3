package sphinx

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/rst"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
)

// Objects of Sphinx domains: what directives declare, and what roles name.

// objects holds the objects that the documents of reStructuredText of a site declare.
type objects struct {
	python   map[string]bool     // by full names
	byLast   map[string][]string // names of python by their last component
	hasParts map[string]bool     // modules, classes and the like of which something is declared
	rest     map[string]bool     // kind + " " + name: of other domains, and of directives of the project
	kinds    map[string]bool     // kinds of rest that are declared at all
	programs map[string]bool     // programs with options
	partial  map[string]bool     // names of python in included files, without the module
	auto     []string            // names whose objects autodoc declares, from programs
}

// maxAuto limits how many names whose objects autodoc declares are kept.
const maxAuto = 5000

func newObjects() *objects {
	return &objects{
		python: map[string]bool{}, byLast: map[string][]string{}, hasParts: map[string]bool{}, rest: map[string]bool{},
		kinds: map[string]bool{}, programs: map[string]bool{}, partial: map[string]bool{},
	}
}

// add adds a declaration. isCustom is true for the directives that the configuration defines for a role.
func (k *objects) add(o rst.Object, isCustom bool) {
	domain, _, ok := strings.Cut(o.Kind, ":")
	switch {
	case isCustom && domain == "py":
	case strings.TrimSpace(o.Name) == "":
	case strings.HasPrefix(strings.TrimPrefix(o.Kind, rst.UnknownKind), "auto"):
		if name := pythonPath.FindString(o.Name); name != "" && len(k.auto) < maxAuto && !slices.Contains(k.auto[max(0, len(k.auto)-3):], name) {
			k.auto = append(k.auto, name)
		}
	case domain == "py":
		k.addPython(o.Name)
	case !ok:
		k.kinds[o.Kind] = true
		k.rest[o.Kind+" "+o.Name] = true
		first := strings.Fields(o.Name)[0]
		first, _, _ = strings.Cut(first, "(")
		k.rest[o.Kind+" "+first] = true
	case o.Kind == "std:cmdoption" || o.Kind == "std:option":
		k.kinds["option"] = true
		k.rest["option "+o.Name] = true
		if i := strings.IndexByte(o.Name, ' '); i > 0 {
			k.programs[o.Name[:i]] = true
		}
	case domain == "std" || domain == "math":
		kind := strings.TrimPrefix(strings.TrimPrefix(o.Kind, "std:"), "math:")
		k.kinds[kind] = true
		k.rest[kind+" "+strings.Join(strings.Fields(o.Name), " ")] = true
	case domain == "rst":
		k.kinds[o.Kind] = true
		k.rest[o.Kind+" "+strings.Trim(o.Name, ":.` ")] = true
	default:
		k.kinds[domain] = true
		k.rest[domain+" "+o.Name] = true
		if domain != "c" {
			k.rest[domain+" "+lastName(o.Name)] = true
		}
		if i := strings.LastIndexByte(o.Name, '.'); i > 0 {
			k.hasParts[domain+" "+o.Name[:i]] = true
		}
	}
}

func (k *objects) addPython(name string) {
	if name == "" || k.python[name] {
		return
	}
	k.python[name] = true
	last := lastName(name)
	k.byLast[last] = append(k.byLast[last], name)
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		k.hasParts[name[:i]] = true
	}
}

func lastName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

var pythonPath = lazy.New(`^[\pL\pN_.]+`)

// Reasons for which it is unknown whether an object exists.
var (
	objectOfOthers    = reason.New(reason.OtherSite, "object-elsewhere", "it may be an object of another project")
	objectOfPrograms  = reason.New(reason.Code, "object-of-programs", "autodoc or another extension may declare the object")
	objectUndeclared  = reason.New(reason.Code, "object-undeclared", "no document declares it or what it is part of: Sphinx shows the name without a link")
	objectOfExtension = reason.New(reason.Code, "role-of-extension", "an extension may define the role")
)

// object says whether a document declares the object that a role names.
func (g *model) object(s *site.Site, u site.Use, o rst.Object) site.Answer {
	if o.Kind == "" {
		o.Kind = s.RST.DefaultRole
	}
	if g.hasInventory && externalRole.MatchString(o.Kind) {
		return site.Answer{Why: objectOfOthers}
	}
	role := strings.TrimPrefix(o.Kind, "std:")
	domain, name, hasDomain := strings.Cut(role, ":")
	if !hasDomain {
		domain, name = o.Scope.Domain, role
		if domain == "" {
			domain = g.conf.Lookup("primary_domain").Or("py")
		}
	}
	switch role {
	case "option":
		return g.option(s, o)
	case "envvar", "token", "confval", "eq", "math:numref":
		return g.standard(s, role, o)
	case "keyword":
		answer := g.Role(s, u, rst.RefSpace, o.Name)
		answer.IsWarned = true
		return answer
	case "any":
		return g.anything(s, u, o)
	}
	kind := g.customRoles[role]
	switch {
	case kind != "":
		return g.custom(s, kind, o)
	case hasDomain && !slices.Contains(knownDomains, domain):
		return g.unknownRole(s, role)
	case roleOf(domain, name):
		switch domain {
		case "py":
			return g.pythonObject(s, name, o)
		default:
			return g.otherObject(s, domain, name, o)
		}
	case !hasDomain && roleOf("rst", name) && domain == "rst":
		return g.otherObject(s, "rst", name, o)
	case hasDomain && slices.Contains(standardRoles, name):
		return inStandardDomain(g, s, u, name, o)
	}
	return g.unknownRole(s, role)
}

// externalRole matches the name of a role of intersphinx, which only finds declarations of other projects:
// external:func, external+python:py:func (IntersphinxDispatcher).
var externalRole = lazy.New(`^external[:+]`)

// standardRoles are those of the standard domain that a role of another domain may mean: Sphinx looks there
// for roles that the domain lacks (sphinx_domains.lookup_domain_element).
var standardRoles = []string{"ref", "numref", "keyword", "term", "doc", "option", "envvar", "token", "confval"}

// inStandardDomain answers for a role such as :py:ref:, whose domain has no role with this name.
func inStandardDomain(g *model, s *site.Site, u site.Use, name string, o rst.Object) site.Answer {
	switch name {
	case "doc":
		return site.Answer{Why: nameOfDomain}
	case "ref", "numref", "term":
		space := rst.RefSpace
		if name == "term" {
			space = rst.TermSpace
		}
		answer := g.Role(s, u, space, o.Name)
		answer.IsWarned = true
		return answer
	}
	o.Kind = name
	return g.object(s, u, o)
}

var knownDomains = []string{"py", "c", "cpp", "js", "rst", "math"}

var domainRoles = map[string][]string{
	"py":  {"func", "meth", "class", "attr", "exc", "data", "const", "obj", "mod", "deco", "type", "prop"},
	"c":   {"member", "data", "func", "macro", "struct", "union", "enum", "enumerator", "type", "var", "identifier"},
	"cpp": {"any", "class", "struct", "union", "func", "member", "var", "type", "concept", "enum", "enumerator", "identifier"},
	"js":  {"func", "meth", "class", "data", "attr", "mod"},
	"rst": {"dir", "role", "directive:option"},
}

func roleOf(domain, name string) bool { return slices.Contains(domainRoles[domain], name) }

// undeclared returns the answer for an object that no document declares. isChecked is false if Sphinx shows
// its name without a link, which may be intended; a project with nitpicky wants links.
func (g *model) undeclared(name string, isWarned, isChecked bool) site.Answer {
	isStrict := g.isNitpicky && !strings.Contains(g.text, name)
	if isWarned || isStrict || isChecked {
		return site.Answer{State: site.Missing, IsWarned: isWarned || isStrict}
	}
	return site.Answer{Why: objectUndeclared}
}

// mayDeclare reports whether a program, or a file that it writes for documents to include, may declare
// objects of a kind of the standard domain.
func (g *model) mayDeclare(s *site.Site, kind string) bool {
	return g.hasUnknown || g.lacksPart.Load() || g.makesDomains || g.readsPrograms && len(g.objectsRST.auto) > 0 && g.readPrograms(s).declares(kind)
}

// option answers for :option:, which Sphinx looks up as in its StandardDomain: first with the current program,
// then with the words before it as the program.
func (g *model) option(s *site.Site, o rst.Object) site.Answer {
	k := g.objectsRST
	has := func(program, option string) bool { return k.rest["option "+program+" "+option] }
	if has(o.Scope.Program, o.Name) {
		return found
	}
	for _, separator := range []string{"=", "[=", " "} { // before a value
		if i := strings.Index(o.Name, separator); i > 0 && has(o.Scope.Program, o.Name[:i]) {
			return found
		}
	}
	words := strings.Fields(o.Name)
	for i := 1; i < len(words); i++ {
		if has(strings.Join(words[:i], "-"), strings.Join(words[i:], " ")) {
			return found
		}
	}
	isOwn := k.programs[o.Scope.Program] && len(words) == 1
	for i := 1; i < len(words); i++ {
		isOwn = isOwn || k.programs[strings.Join(words[:i], "-")]
	}
	switch {
	case g.mayDeclare(s, "option"):
		return site.Answer{Why: objectOfPrograms}
	case g.hasInventory && !isOwn:
		return site.Answer{Why: objectOfOthers}
	}
	return g.undeclared(o.Name, true, true)
}

// standard answers for other objects of the standard domain, and for equations.
func (g *model) standard(s *site.Site, role string, o rst.Object) site.Answer {
	kind, name := role, o.Name
	if role == "eq" || role == "math:numref" {
		kind = "label"
	}
	if role == "token" {
		name = strings.TrimLeft(name, "~")
	}
	k := g.objectsRST
	isWarned := kind == "label" || kind == "confval" && g.customRoles["confval"] == ""
	switch {
	case k.rest[kind+" "+name] || g.isMarkdownLabel(site.LabelName(name)) || kind == "label" && g.labels[site.LabelName(name)]:
		return found
	case g.mayDeclare(s, kind):
		return site.Answer{Why: objectOfPrograms}
	case g.hasInventory && kind != "label":
		return site.Answer{Why: objectOfOthers}
	}
	return g.undeclared(name, isWarned, k.kinds[kind] && kind != "envvar") // variables of others are named as well
}

// custom answers for a role that the configuration or an extension of the project defines for objects.
func (g *model) custom(s *site.Site, kind string, o rst.Object) site.Answer {
	k := g.objectsRST
	switch {
	case k.rest[kind+" "+o.Name], g.isMarkdownLabel(site.LabelName(o.Name)):
		return found
	case g.mayDeclare(s, kind) || !k.kinds[kind] || slices.Contains(g.changedKinds, kind):
		return site.Answer{Why: objectOfPrograms}
	case g.hasInventory && strings.Contains(o.Name, ":"):
		return site.Answer{Why: objectOfOthers}
	}
	return g.undeclared(o.Name, false, true)
}

// unknownRole answers for a role that neither docutils nor Sphinx defines.
func (g *model) unknownRole(s *site.Site, role string) site.Answer {
	isOwn := g.ownRoles.Get(role, func(role string) bool {
		return g.quotes(role) || g.addsRole(role) || strings.Contains(s.RST.Prolog, "role:: "+role)
	})
	switch {
	case isOwn:
		return found
	case g.addsDomain(role) && derivedDomain.MatchString(g.programs):
		return site.Answer{Why: objectOfExtension}
	case g.hasThirdParty || s.RST.HasMoreProlog || g.conf.Lookup("language").Or("en") != "en": // docutils translates the names of roles
		return site.Answer{Why: objectOfExtension}
	}
	return site.Answer{State: site.Missing, IsWarned: true, Why: reason.UndefinedRole}
}

// pythonObject answers for a role of the domain of Python, which looks names up as PythonDomain.find_obj does.
func (g *model) pythonObject(s *site.Site, role string, o rst.Object) site.Answer {
	k := g.objectsRST
	name, isFuzzy := strings.CutPrefix(strings.TrimSuffix(o.Name, "()"), ".")
	module, class := o.Scope.Module, o.Scope.Class
	names := []string{name}
	if role != "mod" {
		names = append(names, join(class, name), join(module, name), join(module, join(class, name)))
	}
	switch {
	case name == "":
		return found
	case slices.ContainsFunc(names, func(name string) bool { return k.python[name] }), k.partial[lastName(name)], g.isMarkdownLabel(site.LabelName(name)):
		return found
	case isFuzzy && slices.ContainsFunc(k.byLast[lastName(name)], func(full string) bool { return strings.HasSuffix(full, "."+name) }):
		return found
	case (role == "class" || role == "obj" || role == "exc") && isBuiltin(name):
		return found
	}
	if isFuzzy && len(k.auto) > 0 || g.generates || g.hasUnknown || g.makesObjects {
		return site.Answer{Why: objectOfPrograms}
	}
	for _, auto := range k.auto {
		if slices.ContainsFunc(names, func(name string) bool { return name == auto || strings.HasPrefix(name, auto+".") }) {
			if g.readPrograms(s).lacksPart(name) {
				return site.Answer{State: site.Missing}
			}
			return site.Answer{Why: objectOfPrograms}
		}
	}
	isPart := false
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		isPart = slices.ContainsFunc(names, func(full string) bool { return k.hasParts[full[:strings.LastIndexByte(full, '.')]] })
	}
	if g.hasInventory && !isPart {
		return site.Answer{Why: objectOfOthers}
	}
	return g.undeclared(name, false, isPart)
}

// derivedDomain matches a class of a domain that inherits the roles of another one.
var derivedDomain = lazy.New(`(?m)^\s*class\s+\w+\([^)]*\w+Domain\b`)

// addsDomain reports whether a program of the project adds the domain of a role.
func (g *model) addsDomain(role string) bool {
	domain, _, ok := strings.Cut(role, ":")
	return ok && strings.Contains(g.programs, "add_domain") && g.quotes(domain)
}

// addsRole reports whether a program of the project adds a role to a domain, its own or another one, and
// has both names as literals.
func (g *model) addsRole(role string) bool {
	domain, name, ok := strings.Cut(role, ":")
	if !ok || !g.quotes(name) {
		return false
	}
	return g.addsDomain(role) || strings.Contains(g.programs, "add_role_to_domain") && g.quotes(domain)
}

// quotes reports whether a program of the project has a name as a literal.
func (g *model) quotes(name string) bool {
	return strings.Contains(g.programs, `"`+name+`"`) || strings.Contains(g.programs, "'"+name+"'")
}

func join(before, name string) string {
	if before == "" {
		return name
	}
	return before + "." + name
}

// otherObject answers for a role of another domain, whose names are compared without their scopes.
func (g *model) otherObject(_ *site.Site, domain, role string, o rst.Object) site.Answer {
	k := g.objectsRST
	name := strings.TrimPrefix(strings.ReplaceAll(strings.TrimSuffix(o.Name, "()"), "::", "."), ".")
	if domain == "rst" {
		kind := map[string]string{"dir": "rst:directive", "role": "rst:role"}[role]
		domain = kind
		if kind == "" {
			domain = "rst:directive:option"
		}
	}
	if domain == "cpp" { // templates and parameters are part of names there
		name, _, _ = strings.Cut(name, "(")
		name, _, _ = strings.Cut(name, "<")
	}
	name = strings.TrimSpace(name)
	isPart := false
	if i := strings.LastIndexByte(name, '.'); i > 0 && domain == "c" {
		isPart = k.hasParts["c "+name[:i]]
	}
	switch {
	case k.rest[domain+" "+name], k.rest[domain+" "+join(o.Scope.Class, name)], domain != "c" && k.rest[domain+" "+lastName(name)], g.isMarkdownLabel(site.LabelName(name)):
		return found
	case g.hasUnknown || g.makesObjects || g.generates:
		return site.Answer{Why: objectOfPrograms}
	case g.hasInventory && !isPart:
		return site.Answer{Why: objectOfOthers}
	}
	return g.undeclared(name, false, isPart)
}

// anything answers for :any:, which finds whatever any other role finds.
func (g *model) anything(s *site.Site, u site.Use, o rst.Object) site.Answer {
	key := site.LabelName(o.Name)
	if g.exact[key] || g.terms[key] || g.isMarkdownLabel(key) || g.labels[key] || len(s.ByName[docname(&site.Reference{Path: o.Name, Raw: o.Name, Use: u})]) > 0 {
		return found
	}
	for kind := range g.objectsRST.kinds {
		if g.objectsRST.rest[kind+" "+o.Name] {
			return found
		}
	}
	if g.option(s, o) == found {
		return found
	}
	fuzzy := o
	fuzzy.Name = "." + strings.TrimPrefix(o.Name, ".")
	switch {
	case g.pythonObject(s, "obj", fuzzy) == found, g.otherObject(s, "cpp", "any", o) == found:
		return found
	case g.hasInventory:
		return site.Answer{Why: objectOfOthers}
	case g.makesLabels || g.hasUnknown || g.makesObjects || g.generates || len(g.objectsRST.auto) > 0:
		return site.Answer{Why: objectOfPrograms}
	case path.Ext(o.Name) != "" && g.conf.Lookup("default_role").Or("") == "any":
		return site.Answer{Why: objectUndeclared}
	}
	return site.Answer{State: site.Missing, IsWarned: true}
}

// addedRole matches where a program defines a role for a directive that declares objects.
var addedRole = lazy.New(`add_(?:crossref|object)_type\(\s*(?:directivename\s*=\s*)?["']([\w:-]+)["'],\s*(?:rolename\s*=\s*)?["']([\w:-]+)["']([^)]*)`)

// templateOfIndex matches the argument for the index, and those that do not matter.
var templateOfIndex = lazy.New(`(?:\w+\s*=\s*)?(?:["'][^"']*["']|\bNone\b)`)

// roleless are parts of the names of extensions that define neither roles without a domain nor substitutions, nor
// declare objects. Source: by hand, as of November 2026.
var roleless = []string{
	"sphinxcontrib.spelling", "copybutton", "notfound", "opengraph", "sphinx_inline_tabs", "sphinx_rtd_theme", "furo", "sphinx_sitemap",
	"sphinx_multiversion", "sphinxcontrib.applehelp", "sphinxcontrib.devhelp", "sphinxcontrib.htmlhelp", "sphinxcontrib.qthelp",
	"sphinxcontrib.serializinghtml", "sphinxcontrib.jsmath", "sphinxcontrib.jquery", "pydata_sphinx_theme", "alabaster", "versionwarning",
	"sphinx_reredirects", "rediraffe", "sphinxcontrib.mermaid", "sphinx_tabs", "sphinxcontrib.svg2pdfconverter", "sphinxcontrib.rsvgconverter",
}

// setObjects applies the settings of a Sphinx project for objects.
func (g *model) setObjects(s *site.Site, extensions []string) {
	g.objectsRST, g.customRoles, g.customKinds = newObjects(), map[string]string{}, map[string]bool{}
	for _, m := range addedRole.FindAllStringSubmatch(g.programs, -1) {
		g.customRoles[strings.ToLower(m[2])] = m[1]
		rest := strings.TrimSpace(templateOfIndex.ReplaceAllString(m[3], ""))
		g.customKinds[m[1]] = true
		if strings.Trim(rest, ", \n") != "" { // a function makes the name of the signature
			g.changedKinds = append(g.changedKinds, m[1])
		}
	}
	g.isNitpicky = g.conf.Lookup("nitpicky").IsTrue(false) && !strings.Contains(g.text, "nitpick_ignore_regex")
	s.RST.DefaultRole = strings.ToLower(g.conf.Lookup("default_role").Or(""))
	for _, name := range extensions {
		contains := func(parts ...string) bool {
			return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) })
		}
		isThird := !strings.HasPrefix(name, "sphinx.ext.") && !slices.Contains(g.ownExtensions, name) && !contains(roleless...)
		g.hasThirdParty = g.hasThirdParty || isThird
		g.makesObjects = g.makesObjects || contains("autoapi", "breathe", "exhale", "hawkmoth", "doxy", "kerneldoc", "rust", "javadoc", "matlab", "fortran", "autodoc2", "automodapi", "numpydoc")
		g.makesDomains = g.makesDomains || contains("argparse", "click", "autoprogram", "needs", "ansible", "programoutput", "typer")
	}
	g.hasUnknown = g.mayHaveMore() || g.hasUnknownExtension
	g.hasThirdParty = g.hasThirdParty || g.hasUnknown
	s.RST.MaySubstitute = g.hasUnknown || strings.Contains(g.programs, "source-read") || strings.Contains(strings.ToLower(g.programs), "substitution")
}

// builtins are the classes of Python, which Sphinx does not miss, and names of its module typing.
var builtins = strings.Fields(`None bool bytearray bytes classmethod complex dict enumerate filter float frozenset int list map memoryview object
	property range reversed set slice staticmethod str super tuple type zip
	ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError BytesWarning
	ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError EncodingWarning
	EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError
	ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError
	ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError
	ProcessLookupError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError
	SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError
	UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError
	AbstractSet Annotated Any AnyStr AsyncContextManager AsyncGenerator AsyncIterable AsyncIterator Awaitable BinaryIO ByteString Callable ChainMap
	ClassVar Collection Concatenate Container ContextManager Coroutine Counter DefaultDict Deque Dict Final ForwardRef FrozenSet Generator Generic
	Hashable IO ItemsView Iterable Iterator KeysView List Literal LiteralString Mapping MappingView Match MutableMapping MutableSequence MutableSet
	NamedTuple Never NewType NoReturn NotRequired Optional OrderedDict ParamSpec ParamSpecArgs ParamSpecKwargs Pattern Protocol Required Reversible
	Self Sequence Set Sized SupportsAbs SupportsBytes SupportsComplex SupportsFloat SupportsIndex SupportsInt SupportsRound Text TextIO Tuple Type
	TypeAlias TypeAliasType TypeGuard TypeIs TypeVar TypeVarTuple TypedDict Union Unpack ValuesView TYPE_CHECKING`)

func isBuiltin(name string) bool {
	return slices.Contains(builtins, strings.TrimPrefix(name, "typing."))
}
