package markdown

// A Dialect says how a site generator's Markdown differs from this package's default. The zero Dialect is
// the default: CommonMark with GitHub's additions. Dialects are plain data: equal dialects read a document
// in the same way, and any combination of fields is valid.
type Dialect struct {
	Bare       Bare       // which bare links in text to find
	Attributes Attributes // where attribute lists give ids
	Templates  Templates  // what is expanded before Markdown is parsed
	Includes   Includes   // lines that stand for other files
	HTML       HTMLBlocks // where elements of HTML contain Markdown

	// Admonitions: the indented blocks of Python-Markdown, "!!! note", "??? note" and
	// `=== "Tab"`. Their bodies are indented by 4 columns, and are Markdown.
	Admonitions bool

	// GuessAdmonitions: the generator is not known. Enables Admonitions if the document has one with a body,
	// and HTMLEither if HTML is HTMLLines and an element has an attribute "markdown".
	GuessAdmonitions bool

	// DefinitionLists: lines that begin with ":" and white space define the term before
	// them. Their bodies are indented by 4 columns.
	DefinitionLists bool

	// SlashBlocks: blocks between lines of "///" (pymdownx.blocks). Their bodies are Markdown.
	SlashBlocks bool

	// Containers: blocks between lines of ":::". Their bodies are Markdown.
	Containers bool

	// MDX: JSX and expressions in braces replace HTML, imports and exports are found, and indented text is not
	// code.
	MDX bool

	// MDC: components of Nuxt Content: blocks between lines of "::name" and "::", ":name[text]{attributes}",
	// [text]{attributes}, and YAML between lines of "---" at the beginning of a block. Indented text is not
	// code.
	MDC bool

	// Vue: elements whose names begin with a capital letter or contain a hyphen are components, whose tags may
	// have several lines.
	Vue bool

	// Directives: roles ({ref}`label`), directives in fences of "`" and ":" (```{note}),
	// labels ("(label)=") and comments ("% text") of MyST.
	Directives bool

	WikiLinks bool // [[page]], [[page#heading|text]] and ![[file]]
	// WikiTextFirst: [[text|page]], as in wikis of code hosts, but [[picture.png|alt=text]].
	WikiTextFirst bool

	BlockIDs bool // " ^id" at the end of a block gives it the id "^id" (Obsidian)

	// Emoji: ":smile:" is an image. Icons: so is ":material-check:" (Material for MkDocs).
	Emoji, Icons bool

	// Meta: a document may begin with metadata without lines of "---" (Python-Markdown).
	Meta bool

	// LastDefinition: if a label has several definitions, the last counts (Python-Markdown), not the first.
	LastDefinition bool

	// DefinitionsInText: a line in the middle of a paragraph may be a definition (Python-Markdown).
	DefinitionsInText bool

	// Navigation: these keys of front matter are references to pages: prev, next, link, href.
	Navigation bool

	// Properties are further properties of components that are references, as [html.NewProperties] reads them:
	// "Card/page:link Hero/picture:embed".
	Properties string
}

// Bare says which bare links in text to find.
type Bare uint8

const (
	BareGitHub   Bare = iota // GitHub's extended autolinks
	BareNone                 // none
	BareGoldmark             // those of goldmark's extension, which finds fewer (Hugo)
)

// Attributes says where to read attribute lists. An attribute list is text in braces that gives an id to
// the element it belongs to.
type Attributes uint8

const (
	// AttributesAny reads a list at the end of a heading as its id, in every notation, but also leaves it in
	// the text of the heading, because the generator is not known.
	AttributesAny Attributes = iota

	// AttributesNone reads no lists; they are text.
	AttributesNone

	// AttributesHeadings reads "{#id}" at the end of a heading (Docusaurus, mdBook).
	AttributesHeadings

	// AttributesBlocks reads "{#id .class}" at the end of a heading and on a line of its
	// own after a block (Hugo).
	AttributesBlocks

	// AttributesPython reads "{ #id }" and "{: #id }" at the end of a heading, after an
	// inline element, and on the last line of a block (Python-Markdown's attr_list).
	AttributesPython

	// AttributesKramdown reads "{#id}" at the end of a heading, and "{: #id}" after an inline
	// element and on a line of its own, before or after a block.
	AttributesKramdown

	// AttributesMarkdownIt reads "{#id}" at the end of a heading or another block, and
	// after an inline element (VitePress, markdown-it-attrs).
	AttributesMarkdownIt

	// AttributesMyST reads "{#id}" on a line of its own before a block, and after an
	// inline element (attrs_block and attrs_inline of MyST). A heading has no list of its own.
	AttributesMyST

	// AttributesBrackets reads "[#id]" at the end of a heading (Fumadocs, Nextra).
	AttributesBrackets
)

// Templates is a set of template languages that are expanded before Markdown is parsed. A reference that
// contains a template is found as if the template were text; its Value is as written. A template that names
// a page or file is a reference of its own.
type Templates uint8

const (
	Hugo   Templates = 1 << iota // {{< name >}} and {{% name %}}
	Liquid                       // {{ value }} and {% tag %} of Jekyll
	Jinja                        // {{ value }}, {% tag %} and {# comment #} of MkDocs macros and Nunjucks
)

// Includes is a set of notations for lines that include another file.
type Includes uint8

const (
	Snippets         Includes = 1 << iota // --8<-- "file" (pymdownx.snippets)
	VitePressInclude                      // <!-- @include: file --> and <<< file
	MdBookInclude                         // {{#include file}}, {{#rustdoc_include file}} and {{#playground file}}
	DocFXInclude                          // [!INCLUDE [text](file)], [!code-lang[text](file)], :::image source="file"::: and :::code source="file":::
	VuePressEmbed                         // @[code lang](file), and other lines that begin with @[name](text)
	QuartoInclude                         // {{< include file >}}, on a line of its own
)

// HTMLBlocks says where HTML elements that begin a block contain Markdown.
type HTMLBlocks uint8

const (
	HTMLLines    HTMLBlocks = iota // after an empty line (CommonMark 4.6)
	HTMLElements                   // only in elements with an attribute "markdown" (Python-Markdown, kramdown)
	HTMLEither                     // both
)

// The dialects of generators, without extensions that a site adds. If a site adds or removes extensions,
// change the fields.
var (
	// GitHub is github.com, and programs that render Markdown as it does.
	GitHub = Dialect{Attributes: AttributesNone}

	// MDX2 is MDX from version 2 on, with tables and bare links as on GitHub.
	MDX2 = Dialect{Attributes: AttributesNone, MDX: true}

	// MkDocs is MkDocs with the extensions that Material recommends. PythonMarkdown is
	// MkDocs without extensions.
	MkDocs         = Dialect{Bare: BareNone, Attributes: AttributesPython, Includes: Snippets, HTML: HTMLElements, Admonitions: true, DefinitionLists: true, SlashBlocks: true, Meta: true, LastDefinition: true, DefinitionsInText: true}
	PythonMarkdown = Dialect{Bare: BareNone, Attributes: AttributesNone, HTML: HTMLElements, Meta: true, LastDefinition: true, DefinitionsInText: true}

	// Docusaurus reads .md and .mdx alike.
	Docusaurus = Dialect{Attributes: AttributesHeadings, Containers: true, MDX: true, Navigation: true}

	// Starlight reads .md; StarlightMDX reads .mdx.
	Starlight    = Dialect{Attributes: AttributesNone, Containers: true, Navigation: true}
	StarlightMDX = Dialect{Attributes: AttributesNone, Containers: true, MDX: true, Navigation: true}

	// Fumadocs reads .md, FumadocsMDX .mdx. Both also fit Nextra.
	Fumadocs    = Dialect{Attributes: AttributesBrackets, Navigation: true}
	FumadocsMDX = Dialect{Attributes: AttributesBrackets, MDX: true, Navigation: true}

	VitePress = Dialect{Attributes: AttributesMarkdownIt, Includes: VitePressInclude, Containers: true, Navigation: true, Vue: true}
	VuePress  = Dialect{Attributes: AttributesNone, Containers: true, Includes: VitePressInclude | VuePressEmbed, Navigation: true, Vue: true}
	// Rspress reads .md; .mdx is read as by Docusaurus.
	Rspress  = Dialect{Attributes: AttributesHeadings, Containers: true, Navigation: true}
	HugoSite = Dialect{Bare: BareGoldmark, Attributes: AttributesBlocks, Templates: Hugo, DefinitionLists: true, Navigation: true}
	Jekyll   = Dialect{Bare: BareNone, Attributes: AttributesKramdown, Templates: Liquid, HTML: HTMLElements, DefinitionLists: true, Navigation: true}
	Eleventy = Dialect{Bare: BareNone, Attributes: AttributesNone, Templates: Liquid, Navigation: true}
	Zola     = Dialect{Bare: BareNone, Attributes: AttributesHeadings, Templates: Liquid}
	MdBook   = Dialect{Bare: BareNone, Attributes: AttributesHeadings, Includes: MdBookInclude, DefinitionLists: true}
	Docsify  = Dialect{Attributes: AttributesNone}
	HonKit   = Dialect{Attributes: AttributesHeadings, Templates: Jinja}
	GitBook  = Dialect{Attributes: AttributesNone, Templates: Liquid}
	Mintlify = Dialect{Attributes: AttributesHeadings, MDX: true}

	// Nuxt is Nuxt Content 2 and 3.
	Nuxt = Dialect{Attributes: AttributesNone, MDC: true, Navigation: true, Vue: true}

	// MyST is Sphinx with myst_parser and its extensions colon_fence, deflist and attrs_block.
	MyST = Dialect{Bare: BareNone, Attributes: AttributesMyST, Containers: true, Directives: true, DefinitionLists: true}

	// Quarto is Quarto; Bookdown is R Markdown with bookdown. Blocks of code that are run are code.
	Quarto   = Dialect{Attributes: AttributesBlocks, Templates: Hugo, Includes: QuartoInclude, Containers: true, DefinitionLists: true}
	Bookdown = Dialect{Attributes: AttributesBlocks, Containers: true, DefinitionLists: true}

	DocFX    = Dialect{Attributes: AttributesNone, Includes: DocFXInclude, Containers: true}
	Obsidian = Dialect{Attributes: AttributesNone, WikiLinks: true, BlockIDs: true}
	Doxia    = Dialect{Attributes: AttributesNone, DefinitionLists: true}                // of the Maven Site Plugin
	Wiki     = Dialect{Attributes: AttributesNone, WikiLinks: true, WikiTextFirst: true} // of code hosts
)
