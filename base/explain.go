package base

import (
	"errors"
	"fmt"
	"strings"

	"example.org/refract/resolve"
)

// Section returns the section that defines the layer, in the document of the given
// rules: "RFC 3986 5.1.4", "RFC 1808 3.4". For None it returns "".
func (l Layer) Section(rules resolve.Rules) string {
	if l == None {
		return ""
	}
	document, chapter := rules.Document(), "5.1"
	if document == "RFC 1808" {
		chapter = "3"
	}
	return fmt.Sprintf("%s %s.%d", document, chapter, l)
}

// Explain describes how ref is resolved against b, as a list of facts: see
// [resolve.Resolver.Explain]. If ref depends on the base, the first facts describe the
// base: its layer, its source, and whether it has relative forms. If ref has no URL, the
// last fact is the reason.
func (b Base) Explain(ref []byte) []string {
	if b.prepared == nil && b.URI != "" {
		b, _ = b.establish(b.URI, b.Layer, b.From)
	}
	_, res, err := b.Append(nil, ref)
	none := b.withoutURI()
	rules := none.Rules()
	switch {
	case err == ErrNoBase:
		return []string{"base: none", "error: relative, and there is nothing to resolve it against (" + Default.Section(rules) + ")"}
	case res.Step == resolve.Absolute || res.SameDocument():
		return none.Explain(ref)
	}
	facts := b.Facts(rules)
	if errors.Is(err, ErrUnsuitable) {
		return append(facts, "error: it has a path or an authority, which mean nothing here")
	}
	return append(facts, b.prepared.Explain(ref)...)
}

// Facts describes b as a base under rules: the URI, the layer with its section, the
// source, and, if it applies, that the scheme has no relative forms.
func (b Base) Facts(rules resolve.Rules) []string {
	from := ""
	if b.From != "" {
		from = ", from " + b.From
	}
	facts := []string{fmt.Sprintf("base: %q, %s (%s)%s", b.URI, b.Layer, b.Layer.Section(rules), from)}
	scheme := strings.ToLower(string(rules.Parse([]byte(b.URI)).Scheme))
	if Suitable(scheme) {
		return facts
	}
	section := rules.Document() + " 5"
	switch rules.Document() {
	case "RFC 1808":
		section = "RFC 1808 2.3"
	case "RFC 3986": // RFC 3986 leaves it to the schemes
		section = "draft 5"
	}
	return append(facts, fmt.Sprintf(`unsuitable: %s URLs have no relative forms (%s); the empty reference, "?y" and "#s" resolve`, scheme, section))
}
