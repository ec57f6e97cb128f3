package audit

// IsTemplate reports whether a reference holds a placeholder that a program fills in before anyone
// follows it: {{ }} and {% %} of Liquid, Jinja and Hugo, ${x}, <% %>, %NAME%/x.
func IsTemplate(ref []byte) bool { return isTemplate(ref) }
