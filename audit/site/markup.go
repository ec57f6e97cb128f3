package site

// HasProlog reports whether the configuration puts text in front of or behind each document of
// reStructuredText, which may define names.
func (s *Site) HasProlog() bool { return s.hasProlog }

// Extlinks returns the roles that make URLs, as of extract.Config, and Attributes those of AsciiDoc that
// the configuration sets.
func (s *Site) Extlinks() map[string]string   { return s.extlinks }
func (s *Site) Attributes() map[string]string { return s.attributes }
