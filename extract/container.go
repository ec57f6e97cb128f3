package extract

import (
	"slices"

	"example.org/refract/extract/mbox"
	"example.org/refract/extract/news"
	"example.org/refract/extract/warc"
)

const (
	mboxType = "application/mbox"
	newsType = "application/x-rnews"
	warcType = "application/warc"
)

// A Container is a kind of file that holds documents. The built-in ones are read as streams.
type Container struct {
	Types    []string // media types, in lower case; a file that is recognised by its name has the first one
	Suffixes []string // of file names, in lower case: ".mbox"
	Alias    string   // short for the first type, as --type takes it; "" has none
	Audit    Role     // whether an audit reads such files

	// Sniff reports whether a file that begins with head, its first 4,096 bytes or all of it, is
	// such a container. It is called if the name has no known suffix, and with SniffText also
	// if that is the suffix of plain text. Nil: the name decides.
	Sniff     func(head []byte) bool
	SniffText bool

	split func(state int) splitter // nil: the archive of a crawler
}

// builtinContainers is the list of the built-in containers.
func builtinContainers() []Container {
	return []Container{
		// Archives of mailing lists are often called .txt.
		{Types: []string{mboxType}, Suffixes: []string{".mbox"}, Alias: "mbox", Audit: Always, Sniff: mbox.Is, SniffText: true, split: splitMbox},
		{Types: []string{newsType}, Alias: "news", Sniff: news.Is, SniffText: true, split: splitNews},
		{Types: []string{warcType}, Suffixes: []string{".warc"}, Alias: "warc", Sniff: warc.Is},
	}
}

// Containers returns the built-in containers, in the order in which they are looked up.
func Containers() []Container { return slices.Clone(builtin().containers) }

// ContainerOfName returns the Container of files whose names end as this one does, nil if no
// Container has this suffix.
func (c *Config) ContainerOfName(name string) *Container {
	ext := suffix(name)
	for i := range c.Containers {
		if slices.Contains(c.Containers[i].Suffixes, ext) {
			return &c.Containers[i]
		}
	}
	return builtin().suffixes[ext].container
}

// ContainerOfType returns the Container of a media type without parameters, in lower case; nil
// if no Container has this type.
func (c *Config) ContainerOfType(mediaType string) *Container {
	for _, list := range [...][]Container{c.Containers, builtin().containers} {
		for i := range list {
			if slices.Contains(list[i].Types, mediaType) {
				return &list[i]
			}
		}
	}
	return nil
}

// sniffContainer returns the Container of a file that begins with head, nil if it is none.
// isText: its name is that of plain text.
func (c *Config) sniffContainer(head []byte, isText bool) *Container {
	for _, list := range [...][]Container{c.Containers, builtin().containers} {
		for i := range list {
			if k := &list[i]; k.Sniff != nil && (k.SniffText || !isText) && k.Sniff(head) {
				return k
			}
		}
	}
	return nil
}
