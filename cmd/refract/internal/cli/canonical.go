package cli

import (
	"fmt"
	"maps"
	"slices"

	"example.org/refract/resolve/canon"
)

// CanonicalHelp names the values of --canonical.
const CanonicalHelp = "`FORM`s: flags of \"refract\nnormalize\", or cdx, w3lib, urlcanon-semantic, crawler-commons"

// canonicalForms maps the values of --canonical to fields of a key. Besides the profiles they are the names
// of the flags of "normalize".
var canonicalForms = func() map[string]func(*canon.Key) {
	forms := map[string]func(*canon.Key){
		"normal":          func(*canon.Key) {},
		"no-fragment":     func(k *canon.Key) { k.NoFragment = true },
		"no-index":        func(k *canon.Key) { k.NoIndex = true },
		"no-tracking":     func(k *canon.Key) { k.NoTracking = true },
		"no-session":      func(k *canon.Key) { k.NoSession = true },
		"sort-query":      func(k *canon.Key) { k.SortQuery = true },
		"no-trailing-dot": func(k *canon.Key) { k.NoTrailingDot = true },
		"short-ipv6":      func(k *canon.Key) { k.ShortIPv6 = true },
		"ascii":           func(k *canon.Key) { k.IDN = canon.IDNASCII },
		"unicode":         func(k *canon.Key) { k.IDN = canon.IDNUnicode },
		"surt":            func(k *canon.Key) { k.SURT = canon.SURTKey },
		"surt-full":       func(k *canon.Key) { k.SURT = canon.SURTFull },
	}
	for _, p := range canon.Profiles() {
		forms[p.String()] = func(k *canon.Key) { k.Profile = p }
	}
	return forms
}()

// CanonicalNames returns the values of --canonical.
func CanonicalNames() []string { return slices.Sorted(maps.Keys(canonicalForms)) }

// ParseCanonical returns the key that names select; nil if names is empty.
func ParseCanonical(names []string) (*canon.Key, error) {
	if names == nil {
		return nil, nil
	}
	k := new(canon.Key)
	return k, SetCanonical(k, names)
}

// SetCanonical adds to k the forms that names select.
func SetCanonical(k *canon.Key, names []string) error {
	for _, name := range names {
		set, ok := canonicalForms[name]
		if !ok {
			return BadOneOf("--canonical", name, CanonicalNames())
		}
		set(k)
		if k.Profile != canon.NoProfile && len(names) > 1 {
			return fmt.Errorf("--canonical %s has rules of its own: give no other form", k.Profile)
		}
	}
	return nil
}
