package markdown

import (
	"bytes"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// includes finds the lines of src[body:] that include other files, and masks them. It also searches code,
// which preprocessors expand: a file included there is code, and does not have the label Include.
func (s *Scanner) includes(body int) {
	if s.Dialect.Includes&MdBookInclude != 0 {
		s.mdBookIncludes(body)
	}
	if s.Dialect.Includes&DocFXInclude != 0 {
		s.colonElements(body)
	}
	snippets, vite, embeds := s.Dialect.Includes&Snippets != 0, s.Dialect.Includes&VitePressInclude != 0, s.Dialect.Includes&VuePressEmbed != 0
	if !snippets && !vite && !embeds {
		return
	}
	var fences codeFences
	var lists openLists
	isList := false // between two lines of "--8<--"
	for at := body; at < len(s.src); {
		end := ascii.NextLine(s.src, at)
		line := bytes.TrimRight(s.src[at:end], " \t\r\n")
		text := bytes.TrimLeft(line, " \t>")
		from := at + len(line) - len(text)
		isCode := fences.isCode(line)
		isIndented := !isCode && lists.isIndentedCode(line)
		switch {
		case snippets && isList && !bytes.Contains(text, []byte("8<")):
			s.include(from, at+len(line), "--8<--", isCode)
			s.blank(at, end)
		case snippets && bytes.Contains(text, []byte("-8<-")):
			isList = s.snippet(from, text, isCode, isList)
		case vite && bytes.Contains(text, []byte("@include:")):
			s.viteInclude(at, at+len(line), isCode)
		case (vite || embeds) && !isCode && !isIndented:
			s.vueBlock(at+len(line), text)
		}
		at = end
	}
}

// openLists says whether lines outside fenced code may be in a list, where indentation does not make code.
type openLists struct{ isIn, isAfterBlank bool }

// isIndentedCode takes the next line, and reports whether it is indented so far that no block begins there
// outside a list.
func (l *openLists) isIndentedCode(line []byte) bool {
	text := bytes.TrimLeft(line, " \t")
	indent := line[:len(line)-len(text)]
	switch {
	case len(text) == 0:
	case listMark(text) > 0:
		l.isIn = l.isIn || len(indent) < 4
	case len(indent) == 0 && l.isAfterBlank:
		l.isIn = false
	}
	l.isAfterBlank = len(text) == 0
	return !l.isIn && (len(indent) >= 4 || bytes.IndexByte(indent, '\t') >= 0)
}

// snippet reads a line of pymdownx.snippets that begins at from, and reports whether the lines
// after it are file names. ";--8<--" is shown literally, without the ";".
func (s *Scanner) snippet(from int, text []byte, isCode, isList bool) bool {
	mark := bytes.Index(text, []byte("-8<-"))
	before := bytes.TrimLeft(text[:mark], "-")
	after := bytes.TrimLeft(text[mark+len("-8<-"):], "-")
	if len(bytes.Trim(before, "# \t/*;<!-")) > 0 || bytes.IndexByte(before, ';') >= 0 {
		return isList
	}
	if len(after) == 0 {
		s.blank(from, from+len(text))
		return !isList
	}
	at := from + len(text) - len(after)
	name := bytes.TrimLeft(after, " \t")
	at += len(after) - len(name)
	if len(name) < 2 || name[0] != '"' && name[0] != '\'' {
		return isList
	}
	end := bytes.IndexByte(name[1:], name[0])
	if end < 0 {
		return isList
	}
	s.include(at+1, at+1+end, "--8<--", isCode)
	s.blank(from, from+len(text))
	return isList
}

// include adds src[from:to], the name of a file, without the selected lines or
// section.
func (s *Scanner) include(from, to int, in string, isCode bool) {
	name := s.src[from:to]
	if in == "--8<--" && !bytes.Contains(name, []byte("://")) || in == "#include" {
		if i := bytes.IndexByte(name, ':'); i >= 0 {
			name = name[:i]
		}
	}
	if in == "<<<" || in == "@include" {
		if i := bytes.IndexByte(name, '#'); i >= 0 {
			name = name[:i]
		}
	}
	name = bytes.TrimRight(name, " \t")
	if len(name) == 0 || name[0] == ';' {
		return
	}
	it := scan.Item{Kind: scan.Embed, How: scan.Directive, In: in, Span: scan.Span{Start: from, End: from + len(name)}, Value: name}
	if !isCode {
		it.Labels = scan.Include
	}
	s.add(it)
}

// vueBlock reads a block that shows a file as code, on a line that ends at end with text: <<< file, or an
// embed of VuePress. Such a block may be the first one in an item of a list; in fenced code, there are no
// blocks (VitePress 1.6.4, VuePress 2.0.0-rc.24).
func (s *Scanner) vueBlock(end int, text []byte) {
	for n := listMark(text); n > 0; n = listMark(text) {
		text = bytes.TrimLeft(text[n:], " \t>")
	}
	from := end - len(text)
	switch {
	case s.Dialect.Includes&VitePressInclude != 0 && bytes.HasPrefix(text, []byte("<<<")):
		path := bytes.TrimLeft(text[3:], " \t")
		at := end - len(path)
		if n := bytes.IndexAny(path, "{[ \t"); n >= 0 {
			path = path[:n]
		}
		s.include(at, at+len(path), "<<<", true)
		s.blank(from, end)
	case s.Dialect.Includes&VuePressEmbed != 0 && bytes.HasPrefix(text, []byte("@[")):
		s.vueEmbed(from, text)
	}
}

// vueEmbed reads a line with @[code lang](file), @[code{lines} lang](file) or another @[name](text) of
// VuePress, which begins at from.
func (s *Scanner) vueEmbed(from int, line []byte) {
	open := bytes.Index(line, []byte("]("))
	if open < 0 {
		return
	}
	length := bytes.IndexByte(line[open+2:], ')')
	if length < 0 {
		return
	}
	if name, ok := bytes.CutPrefix(line, []byte("@[code")); ok && bytes.IndexByte([]byte("]{ "), name[0]) >= 0 {
		s.include(from+open+2, from+open+2+length, "@[code]", true)
	}
	s.blank(from, from+open+2+length+1)
}

// viteInclude reads <!-- @include: file{lines} --> in src[at:end].
func (s *Scanner) viteInclude(at, end int, isCode bool) {
	for at < end {
		open := bytes.Index(s.src[at:end], []byte("<!--"))
		if open < 0 {
			return
		}
		at += open
		stop := bytes.Index(s.src[at+4:end], []byte("-->")) // not in "<!-->"
		if stop < 0 {
			return
		}
		stop += 4
		name, ok := bytes.CutPrefix(bytes.TrimLeft(s.src[at+4:at+stop], " \t"), []byte("@include:"))
		if ok {
			name = bytes.TrimLeft(name, " \t")
			from := at + stop - len(name)
			if i := bytes.IndexByte(name, '{'); i >= 0 {
				name = name[:i]
			}
			s.include(from, from+len(name), "@include", isCode)
			s.blank(at, at+stop+3)
		}
		at += stop + 3
	}
}

// mdBookIncludes finds {{#include file}} in src[body:], in code too.
func (s *Scanner) mdBookIncludes(body int) {
	ends := ender{src: s.src, mark: "}}"}
	for at := body; ; {
		i := bytes.Index(s.src[at:], []byte("{{#"))
		if i < 0 {
			return
		}
		from := at + i
		end := ends.after(from)
		if end == 0 {
			return
		}
		at = from + 3
		name, rest, ok := bytes.Cut(s.src[from+3:end-2], []byte{' '})
		if !ok || from > 0 && s.src[from-1] == '\\' || bytes.ContainsAny(name, "{}\n") {
			continue
		}
		at = end
		in := "#" + string(name)
		rest = bytes.TrimLeft(rest, " \t")
		start := end - 2 - len(rest)
		if n := bytes.IndexAny(rest, " \t:\n"); n >= 0 {
			rest = rest[:n]
		}
		switch in {
		case "#include", "#rustdoc_include", "#playground", "#playpen":
			isCode := in != "#include" || s.isFenced(from)
			s.include(start, start+len(rest), in, isCode)
		}
		s.maskTemplate(from, end)
	}
}

// isFenced reports whether the line before src[at] opens a fence: an included file is code there.
func (s *Scanner) isFenced(at int) bool {
	begin := at - 1
	for begin > 0 && (s.src[begin] == ' ' || s.src[begin] == '\t') {
		begin--
	}
	if begin <= 0 || s.src[begin] != '\n' {
		return false
	}
	line := s.src[bytes.LastIndexByte(s.src[:begin], '\n')+1 : begin]
	return fenceOf(bytes.TrimLeft(line, " \t>")) != nil
}

// isDocFX reports whether the link whose "[" is src[at] names the file of a [!INCLUDE […](file)] or a
// [!code[…](file)], and whether it is an [!INCLUDE].
func (c *collector) isDocFX(at int) (isFile, isInclude bool) {
	if c.Dialect.Includes&DocFXInclude == 0 {
		return false, false
	}
	before := c.src[max(0, at-len("[!code-interactive ")):at]
	open := bytes.LastIndex(before, []byte("[!"))
	if open < 0 {
		return false, false
	}
	name := bytes.ToLower(bytes.TrimSpace(before[open+2:]))
	return bytes.Equal(name, []byte("include")) || bytes.HasPrefix(name, []byte("code")), bytes.Equal(name, []byte("include"))
}
