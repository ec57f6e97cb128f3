package markdown

// A Dialect says in what a generator of sites reads Markdown otherwise than this package does by
// default. The zero Dialect is the default: CommonMark with what GitHub adds. Dialects are plain
// data: equal ones read a document in the same way, and any combination of fields is valid.
type Dialect struct {
	Bare       Bare       // which links stand bare in text
	Attributes Attributes // where attribute lists give ids
	Templates  Templates  // what is expanded before Markdown is read
	Includes   Includes   // lines that stand for other files
	HTML       HTMLBlocks // what is Markdown within elements of HTML

	// Admonitions: the indented blocks of Python-Markdown, "!!! note", "??? note" and
	// `=== "Tab"`. Their bodies are indented by 4 columns, and are Markdown.
	Admonitions bool

	// DefinitionLists: lines that begin with ":" and white space define the term before
	// them. Their bodies are indented by 4 columns.
	DefinitionLists bool

	// SlashBlocks: blocks between lines of "///" (pymdownx.blocks). Their bodies are Markdown.
	SlashBlocks bool

	// Containers: blocks between lines of ":::". Their bodies are Markdown.
	Containers bool

	// MDX: JSX and expressions in braces take the place of HTML, imports and exports are
	// found, and indented text is not code.
	MDX bool

	// Directives: roles ({ref}`label`), directives in fences of "`" and ":" (```{note}),
	// labels ("(label)=") and comments ("% text") of MyST.
	Directives bool

	WikiLinks bool // [[page]], [[page#heading|text]] and ![[file]]
	BlockIDs  bool // " ^id" at the end of a block gives it the id "^id" (Obsidian)

	// Meta: metadata may stand in front of a document without lines of "---" (Python-Markdown).
	Meta bool

	// LastDefinition: of several definitions of a label the last counts (Python-Markdown), not
	// the first.
	LastDefinition bool

	// DefinitionsInText: a line in the middle of a paragraph may be a definition (Python-Markdown).
	DefinitionsInText bool

	// Navigation: values of front matter that lead to a page by their keys are references:
	// prev, next, link, href.
	Navigation bool
}

// Bare says which links are found that stand bare in text.
type Bare uint8

const (
	BareGitHub   Bare = iota // those of GitHub's extended autolinks
	BareNone                 // none
	BareGoldmark             // those of goldmark's extension, which are fewer (Hugo)
)

// Attributes says where attribute lists are read: text in braces that gives an id to what it
// belongs to.
type Attributes uint8

const (
	// AttributesAny takes a list at the end of a heading for its id, in every spelling, and
	// leaves it in the text of the heading as well: the generator is not known.
	AttributesAny Attributes = iota

	// AttributesNone reads no lists: they are text.
	AttributesNone

	// AttributesHeadings reads "{#id}" at the end of a heading (Docusaurus, mdBook).
	AttributesHeadings

	// AttributesBlocks reads "{#id .class}" at the end of a heading and on a line of its
	// own after a block (Hugo).
	AttributesBlocks

	// AttributesPython reads "{ #id }" and "{: #id }" at the end of a heading, behind an
	// inline element, and either on the last line of a block (Python-Markdown's attr_list).
	AttributesPython

	// AttributesKramdown reads "{#id}" at the end of a heading, and "{: #id}" behind an inline
	// element and on a line of its own, before or after a block.
	AttributesKramdown

	// AttributesMarkdownIt reads "{#id}" at the end of a heading or another block, and
	// behind an inline element (VitePress, markdown-it-attrs).
	AttributesMarkdownIt

	// AttributesMyST reads "{#id}" on a line of its own before a block, and behind an
	// inline element (attrs_block and attrs_inline of MyST). A heading has none of its own.
	AttributesMyST
)

// Templates is a set of what is expanded before Markdown is read. A reference that contains
// a template is found where it would be, with Value as written; what the template names is a
// reference of its own where that is known.
type Templates uint8

const (
	Hugo   Templates = 1 << iota // {{< name >}} and {{% name %}}
	Liquid                       // {{ value }} and {% tag %} of Jekyll
	Jinja                        // {{ value }}, {% tag %} and {# comment #} of MkDocs macros and Nunjucks
)

// Includes is a set of the notations for lines that stand for another file.
type Includes uint8

const (
	Snippets         Includes = 1 << iota // --8<-- "file" (pymdownx.snippets)
	VitePressInclude                      // <!-- @include: file --> and <<< file
	MdBookInclude                         // {{#include file}}, {{#rustdoc_include file}} and {{#playground file}}
	DocFXInclude                          // [!INCLUDE [text](file)] and [!code-lang[text](file)]
)

// HTMLBlocks says where Markdown is read within elements of HTML that begin a block.
type HTMLBlocks uint8

const (
	HTMLLines    HTMLBlocks = iota // behind an empty line (CommonMark 4.6)
	HTMLElements                   // only in elements with an attribute "markdown" (Python-Markdown, kramdown)
)

// The dialects of generators, as they read documents without extensions that a site adds.
// A site that sets or lacks some changes the fields.
var (
	// GitHub is github.com, and what renders as it does.
	GitHub = Dialect{Attributes: AttributesNone}

	// MkDocs is MkDocs with the extensions that Material recommends. PythonMarkdown has
	// what MkDocs reads without any.
	MkDocs         = Dialect{Bare: BareNone, Attributes: AttributesPython, Includes: Snippets, HTML: HTMLElements, Admonitions: true, DefinitionLists: true, SlashBlocks: true, Meta: true, LastDefinition: true, DefinitionsInText: true}
	PythonMarkdown = Dialect{Bare: BareNone, Attributes: AttributesNone, HTML: HTMLElements, Meta: true, LastDefinition: true, DefinitionsInText: true}

	// Docusaurus reads .md and .mdx alike.
	Docusaurus = Dialect{Attributes: AttributesHeadings, Containers: true, MDX: true, Navigation: true}

	// Starlight reads .md; StarlightMDX reads .mdx.
	Starlight    = Dialect{Attributes: AttributesNone, Containers: true, Navigation: true}
	StarlightMDX = Dialect{Attributes: AttributesNone, Containers: true, MDX: true, Navigation: true}

	VitePress = Dialect{Attributes: AttributesMarkdownIt, Includes: VitePressInclude, Containers: true, Navigation: true}
	VuePress  = Dialect{Attributes: AttributesNone, Containers: true, Includes: VitePressInclude, Navigation: true}
	HugoSite  = Dialect{Bare: BareGoldmark, Attributes: AttributesBlocks, Templates: Hugo, DefinitionLists: true, Navigation: true}
	Jekyll    = Dialect{Bare: BareNone, Attributes: AttributesKramdown, Templates: Liquid, HTML: HTMLElements, DefinitionLists: true, Navigation: true}
	Eleventy  = Dialect{Bare: BareNone, Attributes: AttributesNone, Templates: Liquid, Navigation: true}
	MdBook    = Dialect{Bare: BareNone, Attributes: AttributesHeadings, Includes: MdBookInclude, DefinitionLists: true}

	// MyST is Sphinx with myst_parser and its extensions colon_fence, deflist and attrs_block.
	MyST = Dialect{Bare: BareNone, Attributes: AttributesMyST, Containers: true, Directives: true, DefinitionLists: true}

	DocFX    = Dialect{Attributes: AttributesNone, Includes: DocFXInclude, Containers: true}
	Obsidian = Dialect{Attributes: AttributesNone, WikiLinks: true, BlockIDs: true}
)
