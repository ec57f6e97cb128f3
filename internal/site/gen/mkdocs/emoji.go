package mkdocs

import (
	"bytes"
	"slices"
	"strings"

	"example.org/refract/internal/emoji"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// emojiPictures are the generators of pymdownx.emoji, of Material and of Zensical that make no text.
var emojiPictures = []string{"to_svg", "to_svg_sprite", "to_png", "to_png_sprite", "to_awesome"}

// emojiNames returns the names between colons that are images in a site. isKnown is false if the
// configuration does not say whether they are, so that they may also be text.
func emojiNames(conf source.Value, isZensical bool) (names emoji.Set, isKnown bool) {
	if hasTechDocs(conf) {
		return emoji.Set{Emoji: true}, true // to_svg, with the index of EmojiOne
	}
	extensions := conf.Lookup("markdown_extensions")
	if isZensical && !extensions.IsGiven() {
		return emoji.Set{Emoji: true, Icons: true}, true // a default
	}
	o, has := extension(extensions, "pymdownx.emoji")
	if !has {
		return emoji.Set{}, !extensions.IsUnknown() && !extensions.Open && !conf.Open
	}
	generator, index := o.Lookup("emoji_generator").Text, o.Lookup("emoji_index").Text
	if generator != "" && !slices.Contains(emojiPictures, generator[strings.LastIndexByte(generator, '.')+1:]) {
		return emoji.Set{}, false
	}
	switch {
	case strings.HasSuffix(index, "emoji.twemoji") && !strings.HasPrefix(index, "pymdownx."):
		return emoji.Set{Emoji: true, Icons: true}, true
	case index == "" && !o.Lookup("emoji_index").IsGiven(), strings.HasPrefix(index, "pymdownx.emoji."):
		return emoji.Set{Emoji: true}, true
	}
	return emoji.Set{}, false
}

// extension returns the options of an extension, which TOML has as tables in tables:
// [markdown_extensions.pymdownx.emoji].
func extension(extensions source.Value, name string) (options source.Value, ok bool) {
	options, ok = extensions.Named(name)
	if ok {
		return options, true
	}
	options = extensions.Lookup(strings.Split(name, ".")...)
	return options, options.IsGiven() && !options.IsUnknown()
}

// emojiIDs returns the letters of the ids that headings of a page may have, if names in them may be images
// or text: an icon of the project, a name of an index that code makes, or an emoji that is newer than those
// known here.
func emojiIDs(s *site.Site, text []byte) map[string]bool {
	ids, known := map[string]bool{}, emoji.Set{Emoji: s.Dialect.Emoji, Icons: s.Dialect.Icons}
	var before []byte
	for line := range bytes.Lines(text) {
		isUnderline := len(line) > 1 && (len(bytes.Trim(line, "=\r\n")) == 0 || len(bytes.Trim(line, "-\r\n")) == 0)
		switch {
		case isUnderline:
			addEmojiIDs(ids, known, string(before))
		case line[0] == '#':
			addEmojiIDs(ids, known, string(line))
		}
		before = line
	}
	return ids
}

// addEmojiIDs adds the ids of a heading: without the names that are not known, and with them.
func addEmojiIDs(ids map[string]bool, known emoji.Set, heading string) {
	var without, with strings.Builder
	isOpen := false
	for {
		start, end, ok := emoji.Next(heading)
		if !ok {
			break
		}
		without.WriteString(heading[:start])
		with.WriteString(heading[:start])
		if name := heading[start+1 : end-1]; !known.Has(name) {
			with.WriteString(name)
			isOpen = isOpen || strings.Trim(name, "0123456789") != "" // 12:30:45
		}
		heading = heading[end:]
	}
	if isOpen {
		ids[site.BareName(without.String()+heading)] = true
		ids[site.BareName(with.String()+heading)] = true
	}
}

// mayMakeEmojiID reports whether an id may be that of a heading with such names. It may end with a number.
func (m *model) mayMakeEmojiID(s *site.Site, file, id string) bool {
	if !s.Dialect.Emoji && !s.Dialect.Icons && !m.mayBeEmoji {
		return false
	}
	ids := m.emojiIDs.Get(file, func(string) map[string]bool { return emojiIDs(s, s.Tree.Text(file, source.MaxPage)) })
	if ids[site.BareName(id)] {
		return true
	}
	stem, isNumbered := strings.CutSuffix(strings.TrimRight(id, "0123456789"), "_")
	return isNumbered && ids[site.BareName(stem)]
}
