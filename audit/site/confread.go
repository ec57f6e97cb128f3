package site

import (
	"example.org/refract/internal/conf"
	"example.org/refract/internal/literal"
)

// read returns what a configuration file says.
func (t *tree) read(file string) value { return value{t.readFile(file).Value} }

// readFile returns what a configuration file says, and for a script its calls.
func (t *tree) readFile(file string) literal.File { return conf.ReadFile(file, t.config(file)) }

// inherit returns child with what it lacks taken from parent.
func inherit(child, parent value) value { return value{conf.Inherit(child.Value, parent.Value)} }

// frontMatter returns the metadata in front of a page.
func frontMatter(text []byte) value {
	v, _ := conf.FrontMatter(text)
	return value{v}
}
