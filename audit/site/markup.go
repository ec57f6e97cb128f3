package site

// Prolog returns the text that the configuration adds before and after each reStructuredText
// document. It may define names. isKnown is false if some of the text cannot be read.
func (s *Site) Prolog() (text string, isKnown bool) { return s.prolog, !s.hasProlog }

// Extlinks returns the reStructuredText roles that make URLs, from extlinks in conf.py. It maps a
// role to a URL with %s, as in extract.Config.Extlinks. The caller must not change it.
func (s *Site) Extlinks() map[string]string { return s.extlinks }

// Attributes returns the AsciiDoc attributes that the configuration of the site sets. It maps a name
// to a value, as in extract.Config.Attributes. The caller must not change it.
func (s *Site) Attributes() map[string]string { return s.attributes }

// MarkupType returns the media type of a file of the site if its name does not determine it, and ""
// otherwise.
func (s *Site) MarkupType(file string) string {
	if s.markupType == nil {
		return ""
	}
	s.load()
	return s.markupType(s, file)
}

// NameInRST returns whether the site defines a label or term that a reStructuredText document uses.
// space is that of the Mention. why is the reason for Unknown.
func (s *Site) NameInRST(space, name string) (state State, why string) {
	if s.ofRST == nil {
		return Unknown, "a name of a role"
	}
	s.load()
	return s.ofRST(s, space, name)
}

// ClosestLabel returns the only label that a reStructuredText document can have meant by an undefined
// one, or "". isCertain is true if the two differ only in punctuation and case.
func (s *Site) ClosestLabel(name string) (label string, isCertain bool) {
	if s.closestLabel == nil {
		return "", false
	}
	return s.closestLabel(name)
}

// Document returns the name that toctrees use for a Sphinx document, or "" for another file.
func (s *Site) Document(file string) string {
	if s.documents == nil {
		return ""
	}
	s.load()
	if p := s.pages[file]; p != nil && p.Why == "" && len(p.Names) > 0 {
		return p.Names[0]
	}
	return ""
}

// RootDocument returns the name of the Sphinx document at the root of all toctrees.
func (s *Site) RootDocument() string { return s.root }

// Documents returns the files of the documents that a pattern in a Sphinx toctree matches. isAll is
// false if there may be others.
func (s *Site) Documents(u Use, pattern string) (files []string, isAll bool) {
	if s.documents == nil {
		return nil, false
	}
	s.load()
	return s.documents(s, u, pattern)
}

// LabelFile returns the file that defines a label, or "" if it is not known or if several files do.
func (s *Site) LabelFile(label string) string {
	s.load()
	if s.labelFile == nil {
		return ""
	}
	return s.labelFile(label)
}

// LabelTwice returns two files that both define a reStructuredText label. ok is false if there are no
// two such files.
func (s *Site) LabelTwice(label string) (files [2]string, ok bool) {
	if s.labelTwice == nil {
		return files, false
	}
	return s.labelTwice(label)
}
