package completeness

import (
	"strconv"
	"strings"
)

// A viewport is the window of the browser, in CSS pixels. Its images have one pixel for each.
type viewport struct{ width, height float64 }

// matches reports whether a media query list applies to a screen of this size (Media Queries 4). An unknown
// feature is one that a browser on a desktop may have or not: its query does not match.
func (v viewport) matches(list string) bool {
	list = strings.ToLower(strings.TrimSpace(list))
	if list == "" {
		return true
	}
	for query := range strings.SplitSeq(list, ",") {
		if v.matchesQuery(strings.TrimSpace(query)) {
			return true
		}
	}
	return false
}

// matchesQuery is matches for one query in lower case.
func (v viewport) matchesQuery(query string) bool {
	query = strings.TrimPrefix(query, "only ")
	query, isNot := strings.CutPrefix(query, "not ")
	is, isKnown := v.condition(query, 0)
	return isKnown && is != isNot
}

// maxNested limits the brackets within brackets of a condition or a calculation.
const maxNested = 16

// condition reports whether a condition applies; isKnown is false if it is not known.
func (v viewport) condition(s string, depth int) (is, isKnown bool) {
	s = strings.TrimSpace(s)
	and, or := splitWord(s, "and"), splitWord(s, "or")
	switch {
	case depth == maxNested, len(and) > 1 && len(or) > 1:
		return false, false
	case len(and) > 1:
		return v.all(and, depth, true)
	case len(or) > 1:
		return v.all(or, depth, false)
	}
	rest, isNot := strings.CutPrefix(s, "not")
	if isNot && depth > 0 && strings.IndexAny(rest, " (") == 0 {
		is, isKnown = v.condition(rest, depth+1)
		return !is, isKnown
	}
	inner, isFeature := strings.CutPrefix(s, "(")
	inner, isClosed := strings.CutSuffix(inner, ")")
	switch {
	case !isFeature:
		return s == "all" || s == "screen", true
	case !isClosed:
		return false, false
	case strings.HasPrefix(inner, "(") || strings.HasPrefix(inner, "not"):
		return v.condition(inner, depth+1)
	}
	if name, value, ok := strings.Cut(inner, ":"); ok {
		return v.feature(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	if is, ok := v.inRange(inner); ok {
		return is, true
	}
	switch strings.TrimSpace(inner) {
	case "width", "height", "orientation", "aspect-ratio", "color", "hover", "any-hover", "pointer", "any-pointer", "resolution", "update", "color-gamut",
		"display-mode", "dynamic-range", "prefers-color-scheme", "-webkit-transform-3d":
		return true, true
	case "monochrome", "grid", "scripting", "prefers-reduced-motion", "prefers-contrast", "forced-colors":
		return false, true
	}
	return false, false
}

// all joins conditions with "and" or "or", of which what is not known is a third value (Media Queries 4, 3.1).
func (v viewport) all(parts []string, depth int, isAnd bool) (is, isKnown bool) {
	is, isKnown = isAnd, true
	for _, part := range parts {
		one, known := v.condition(part, depth+1)
		if known && one != isAnd {
			return one, true
		}
		isKnown = isKnown && known
	}
	return is, isKnown
}

// splitWord splits s at a word outside of brackets.
func splitWord(s, word string) []string {
	var parts []string
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '(':
			depth++
		case s[i] == ')':
			depth--
		case depth == 0 && strings.HasPrefix(s[i:], word) && (i == 0 || s[i-1] == ' ' || s[i-1] == ')') && (i+len(word) == len(s) || strings.IndexByte(" (", s[i+len(word)]) >= 0):
			parts = append(parts, s[start:i])
			start = i + len(word)
			i = start - 1
		}
	}
	return append(parts, s[start:])
}

// features are the values of features of a window on a desktop without scripts.
var features = map[string]string{
	"prefers-color-scheme": "light", "prefers-reduced-motion": "no-preference", "prefers-contrast": "no-preference", "prefers-reduced-transparency": "no-preference",
	"hover": "hover", "any-hover": "hover", "pointer": "fine", "any-pointer": "fine", "scripting": "none", "update": "fast", "display-mode": "browser",
	"dynamic-range": "standard", "color-gamut": "srgb", "forced-colors": "none", "grid": "0",
	"overflow-block": "scroll", "overflow-inline": "scroll", "monochrome": "0", "-webkit-transform-3d": "1", "color-index": "0",
}

// feature reports whether a feature has a value.
func (v viewport) feature(name, value string) (is, isKnown bool) {
	if has, ok := features[name]; ok {
		return value == has, true
	}
	var have, limit float64
	var ok bool
	switch base := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(name, "-webkit-"), "min-"), "max-"); base {
	case "orientation":
		return (value == "landscape") == (v.width > v.height), true
	case "resolution":
		have = 1
		limit, ok = resolution(value)
	case "device-pixel-ratio":
		have = 1
		limit, ok = number(value)
	case "color":
		have = 8
		limit, ok = number(value)
	case "aspect-ratio", "device-aspect-ratio":
		have = v.width / v.height
		limit, ok = ratio(value)
	case "width", "device-width":
		have = v.width
		limit, ok = v.length(value)
	case "height", "device-height":
		have = v.height
		limit, ok = v.length(value)
	default:
		return false, false
	}
	return ok && compare(strings.TrimPrefix(name, "-webkit-"), have, limit), ok
}

func number(s string) (float64, bool) {
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil
}

// ratio returns a number such as "16/9".
func ratio(s string) (float64, bool) {
	a, b, _ := strings.Cut(s, "/")
	n, ok := number(strings.TrimSpace(a))
	if strings.TrimSpace(b) == "" {
		return n, ok
	}
	m, also := number(strings.TrimSpace(b))
	return n / m, ok && also
}

// resolution returns the pixels of a screen for one of CSS.
func resolution(s string) (float64, bool) {
	for _, unit := range [...]struct {
		name string
		size float64
	}{{"dppx", 1}, {"dpi", 1.0 / 96}, {"dpcm", 2.54 / 96}, {"x", 1}} {
		if digits, is := strings.CutSuffix(s, unit.name); is {
			n, ok := number(digits)
			return n * unit.size, ok
		}
	}
	return 0, false
}

// compare compares as the prefix of a feature says.
func compare(name string, is, limit float64) bool {
	switch {
	case strings.HasPrefix(name, "min-"):
		return is >= limit
	case strings.HasPrefix(name, "max-"):
		return is <= limit
	}
	return is == limit
}

// inRange reports whether a condition such as "400px <= width < 900px" is met; ok is false if it is not one.
func (v viewport) inRange(s string) (is, ok bool) {
	s = strings.NewReplacer("<=", " <= ", ">=", " >= ").Replace(s)
	s = strings.NewReplacer("< ", " < ", "> ", " > ").Replace(s)
	words := strings.Fields(s)
	if len(words) != 3 && len(words) != 5 {
		return false, false
	}
	value := func(word string) (float64, bool) {
		switch word {
		case "width":
			return v.width, true
		case "height":
			return v.height, true
		}
		return v.length(word)
	}
	is = true
	for i := 0; i+2 < len(words); i += 2 {
		a, ok := value(words[i])
		b, also := value(words[i+2])
		if !ok || !also {
			return false, false
		}
		switch words[i+1] {
		case "<":
			is = is && a < b
		case "<=":
			is = is && a <= b
		case ">":
			is = is && a > b
		case ">=":
			is = is && a >= b
		case "=":
			is = is && a == b
		default:
			return false, false
		}
	}
	return is, true
}
