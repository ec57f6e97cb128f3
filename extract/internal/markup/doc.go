// Package markup scans documents in light markup languages that have no package of their own beside package
// extract: Djot, gemtext, Org, Typst and wikitext. Each type is the scanner of one language.
package markup
