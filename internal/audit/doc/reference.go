package doc

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/lazy"
	"example.org/refract/resolve"
)

// A Reference is what the audit keeps of a reference that it will check.
type Reference struct {
	Pos           extract.Position
	Kind          scan.Kind
	How           scan.How
	In            string
	Raw, Ref, URL string
	Base          *base.Base
	Entity        *extract.Entity // that holds it, with those around it; shared
	Result        resolve.Result
	Labels        scan.Labels
	Err           error
	Invalid       bool   // its authority is invalid
	Line, Column  int    // within its part
	Member        string // of a package that holds it; "" in other documents
	Inside        string // as of extract.Reference: its target member
	Reason        EarlyReason
}

// Extracted returns ref as an extract.Reference.
func (ref *Reference) Extracted() *extract.Reference {
	r := &extract.Reference{
		Entity: ref.Entity, Pos: ref.Pos, Kind: ref.Kind, How: ref.How, In: ref.In, Raw: []byte(ref.Raw), Ref: []byte(ref.Ref),
		Base: *ref.Base, Result: ref.Result, Labels: ref.Labels, Err: ref.Err, InvalidAuthority: ref.Invalid,
		PartLine: ref.Line, PartColumn: ref.Column,
	}
	if ref.URL != "" {
		r.URL = []byte(ref.URL)
	}
	if ref.Inside != "" {
		r.Inside = []byte(ref.Inside)
	}
	return r
}

// IsWiki reports whether ref is [[name]] or ![[name]].
func (ref *Reference) IsWiki() bool { return ref.In == "wikilink" }

// Whole is the entity of references outside any part.
var Whole = new(extract.Entity)

// IsTemplate reports whether ref holds a placeholder that a program fills in before anyone follows the
// reference: {{ }} and {% %} of Liquid, Jinja and Hugo, ${x}, <% %>, [% %], %(x)s, {__X__}, @x@ of Autoconf
// and Meson, or is one expression in braces, and "{static}/logo.png" of Pelican.
func IsTemplate(ref []byte) bool {
	if len(ref) > 1 && ref[0] == '{' && ref[len(ref)-1] == '}' || len(ref) > 0 && (ref[0] == '{' || ref[0] == '|') && ofPelican.Match(ref) {
		return true
	}
	for i := bytes.IndexByte(ref, '{'); i >= 0 && i < len(ref); i++ {
		if ref[i] == '{' && (i+1 < len(ref) && (ref[i+1] == '{' || ref[i+1] == '%' || ref[i+1] == '!' || bytes.HasPrefix(ref[i+1:], []byte("__"))) || i > 0 && ref[i-1] == '$') {
			return true
		}
	}
	if bytes.IndexByte(ref, '%') >= 0 && percent.Match(ref) {
		return true
	}
	return isVariable(ref) || hasSubstitution(ref) || (bytes.Contains(ref, []byte("__")) || bytes.IndexByte(ref, '<') > 0) && placeholder.Match(ref)
}

// ofPelican matches what a reference within a site of Pelican begins with.
var ofPelican = lazy.New(`^[{|](?:filename|static|attach|author|category|tag|index)[|}]`)

// percent matches the start of a placeholder with a percent sign: of ERB and the like, of Template Toolkit,
// or a name in a format string of Python.
var percent = lazy.New(`<%|\[%|%\([A-Za-z_]\w*\)[sd]`)

// placeholder matches a name that a program replaces, as in "/__ENTRY__.js" or "/docs/<VERSION>/x".
var placeholder = lazy.New(`__[A-Z][A-Z0-9_]*[A-Z0-9]__|<[A-Z][A-Z0-9_]*>`)

// isVariable reports whether ref begins with a variable, as in "%PUBLIC_URL%/x", "%sveltekit.assets%/x" or
// "$root$/x", or is that of a format, "%s", and does not begin with a percent-encoded byte.
func isVariable(ref []byte) bool {
	return len(ref) > 0 && (ref[0] == '%' || ref[0] == '$') && (string(ref) == "%s" || variable.Match(ref))
}

// variable matches a name between percent signs, whose first two letters are no hexadecimal digits, or
// between dollar signs.
var variable = lazy.New(`^(?:%(?:[A-Z_]{3,}|[G-Zg-z_][\w.-]*|[\w][G-Zg-z_.-][\w.-]*)%|\$[A-Za-z][\w.-]*\$)`)

// hasSubstitution reports whether a segment of the path is a name between at signs, as in "@docroot@/x". A
// part of a segment is none: "@user@host" is an account, and "a@1.0@b" a file.
func hasSubstitution(ref []byte) bool {
	return bytes.IndexByte(ref, '@') >= 0 && substitution.Match(ref)
}

// substitution matches a path up to such a segment.
var substitution = lazy.New(`^(?:[^?#]*/)?@[A-Za-z_][\w-]*@(?:[/?#]|$)`)

// IsResourceID reports whether ref is an Antora resource id and not a URL.
func (d *Document) IsResourceID(ref *Reference) bool {
	if d.Layout.Generated == nil || !d.IsAsciiDoc() || ref.How != scan.Macro && ref.How != scan.Directive || strings.HasPrefix(ref.Ref, "#") {
		return false
	}
	switch ref.In {
	case "xref:", "image:/xref":
		return true
	case "<<>>", "include::", "image:", "video:", "audio:":
		return ref.URL == "" || ref.Result.Step != resolve.Absolute
	}
	return false
}

// keepResource keeps an Antora resource id, which is not a URL, as a reference.
func (s scanner) keepResource(m *extract.Mention) {
	d := s.d
	d.References++
	name, why := string(m.Name), isResource
	if d.Layout.Generated != nil {
		why = isChecked
		if strings.ContainsAny(name, "{}") {
			why = IsAttribute
		}
	}
	b, err := base.Root(s.ResolveRules, d.Retrieved, base.Source{})
	if err != nil {
		return
	}
	ref := Reference{Pos: m.Pos, Kind: scan.Link, How: scan.Macro, In: m.In, Raw: string(m.Raw), Ref: name, Entity: Whole, Base: &b, Reason: why}
	if m.In == "image:" || m.In == "include::" {
		ref.Kind = scan.Embed
	}
	if why == isChecked {
		d.Refs = append(d.Refs, ref)
		return
	}
	d.Skipped[why]++
	if s.KeepsUnchecked {
		d.Unchecked = append(d.Unchecked, ref)
	}
}

// MayMoveReference reports whether ref may be right in the place where the file ends up. That is possible in
// a template that is filled in and written elsewhere, for a name that a bundler gives to a style sheet, or
// for an AsciiDoc image.
func (d *Document) MayMoveReference(ref *Reference) bool {
	if d.IsAsciiDoc() && ref.Kind == scan.Embed && d.Layout.Generated == nil {
		return true // the build may set imagesdir
	}
	if ref.How == scan.CSS && ref.In == "@import" {
		return ref.Ref != "" && ref.Ref[0] != '.' && ref.Ref[0] != '/'
	}
	return strings.HasPrefix(path.Ext(d.Path), ".htm") && strings.Contains(strings.ToLower(path.Base(d.Path)), "template")
}

const AttachmentScheme = "attachment:"

// IsNotebook reports whether d is a notebook, by its name.
func (d *Document) IsNotebook() bool { return path.Ext(d.Path) == ".ipynb" }

// isAttachment reports whether r points to an attachment of the cell that it is in.
func (s scanner) isAttachment(r *extract.Reference) bool {
	return bytes.HasPrefix(r.Ref, []byte(AttachmentScheme)) && s.d.IsNotebook()
}

// Attachments returns the names of the attachments of each cell of a notebook, nil if it cannot be read.
func (d *Document) Attachments() (cells []map[string]bool) {
	var notebook struct {
		Cells []struct {
			Attachments map[string]json.RawMessage
		}
	}
	if json.Unmarshal(d.Source(), &notebook) != nil {
		return nil
	}
	for _, c := range notebook.Cells {
		names := make(map[string]bool, len(c.Attachments))
		for name := range c.Attachments {
			names[name] = true
		}
		cells = append(cells, names)
	}
	return cells
}
