package site

// Prolog returns the text that the configuration puts in front of and behind each document of
// reStructuredText, which may define names. isKnown is false if there is some that cannot be read.
func (s *Site) Prolog() (text string, isKnown bool) { return s.prolog, !s.hasProlog }

// Extlinks returns the roles that make URLs, as of extract.Config, and Attributes those of AsciiDoc that
// the configuration sets.
func (s *Site) Extlinks() map[string]string   { return s.extlinks }
func (s *Site) Attributes() map[string]string { return s.attributes }

// MarkupType returns the media type of a file of the site whose name does not tell it, "" for others.
func (s *Site) MarkupType(file string) string {
	if s.markupType == nil {
		return ""
	}
	s.load()
	return s.markupType(s, file)
}

// NameInRST says whether a label or term that a document of reStructuredText uses is defined in the
// site: space is that of the Mention. why is the reason for Unknown.
func (s *Site) NameInRST(space, name string) (state State, why string) {
	if s.ofRST == nil {
		return Unknown, "a name of a role"
	}
	s.load()
	return s.ofRST(s, space, name)
}

// ClosestLabel returns the only label that a document of reStructuredText can have meant by one that is
// not defined, "" if there is none. isCertain is true if it differs in punctuation and case alone.
func (s *Site) ClosestLabel(name string) (label string, isCertain bool) {
	if s.closestLabel == nil {
		return "", false
	}
	return s.closestLabel(name)
}

// Document returns the name that a document of Sphinx has in toctrees, "" of another file.
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

// RootDocument returns the name of the document of Sphinx that all toctrees begin with.
func (s *Site) RootDocument() string { return s.root }

// Documents returns the files of the documents that a pattern of a toctree of Sphinx matches. isAll is false if
// there may be others.
func (s *Site) Documents(u Use, pattern string) (files []string, isAll bool) {
	if s.documents == nil {
		return nil, false
	}
	s.load()
	return s.documents(s, u, pattern)
}

// LabelTwice returns two files that define a label of reStructuredText; ok is false if there are none.
func (s *Site) LabelTwice(label string) (files [2]string, ok bool) {
	if s.labelTwice == nil {
		return files, false
	}
	return s.labelTwice(label)
}
