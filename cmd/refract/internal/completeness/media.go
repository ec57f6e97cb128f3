package completeness

import (
	"strconv"
	"strings"
)

// A viewport is the window of the browser, in CSS pixels. Its images have one pixel for each.
type viewport struct{ width, height float64 }

// matches reports whether a media query list applies to a screen of this size (Media Queries 4). A feature that is not known here
// is one that a browser on a desktop may have or not: its query does not match.
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
	isMatch, isKnown := true, true
	for part := range conditions(query) {
		is, known := v.condition(part)
		isMatch, isKnown = isMatch && is, isKnown && known
	}
	return isKnown && isMatch != isNot
}

// conditions yields what "and" joins in a query.
func conditions(query string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		depth, start := 0, 0
		for i := 0; i < len(query); i++ {
			switch {
			case query[i] == '(':
				depth++
			case query[i] == ')':
				depth--
			case depth == 0 && strings.HasPrefix(query[i:], "and") && i > start && (query[i-1] == ' ' || query[i-1] == ')'):
				if !yield(strings.TrimSpace(query[start:i])) {
					return
				}
				start = i + len("and")
				i = start - 1
			}
		}
		yield(strings.TrimSpace(query[start:]))
	}
}

// condition reports whether a media type, or a feature in parentheses, applies; isKnown is false if it is not known.
func (v viewport) condition(s string) (is, isKnown bool) {
	inner, isFeature := strings.CutPrefix(s, "(")
	inner, isClosed := strings.CutSuffix(inner, ")")
	if !isFeature {
		return s == "all" || s == "screen", true
	}
	if !isClosed {
		return false, false
	}
	if name, value, ok := strings.Cut(inner, ":"); ok {
		return v.feature(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	if is, ok := v.inRange(inner); ok {
		return is, true
	}
	switch strings.TrimSpace(inner) {
	case "width", "height", "color", "hover", "any-hover", "pointer", "any-pointer", "resolution":
		return true, true
	}
	return false, false
}

// feature reports whether a feature has a value.
func (v viewport) feature(name, value string) (is, isKnown bool) {
	switch name {
	case "orientation":
		return (value == "landscape") == (v.width > v.height), true
	case "prefers-color-scheme":
		return value == "light", true
	case "prefers-reduced-motion", "prefers-contrast":
		return value == "no-preference", true
	case "hover", "any-hover":
		return value == "hover", true
	case "pointer", "any-pointer":
		return value == "fine", true
	case "min-resolution", "max-resolution", "resolution", "-webkit-min-device-pixel-ratio", "-webkit-max-device-pixel-ratio":
		density, err := strconv.ParseFloat(strings.TrimRight(value, "dpxi"), 64)
		if strings.HasSuffix(value, "dpi") {
			density /= 96
		}
		return err == nil && compare(strings.TrimPrefix(name, "-webkit-"), 1, density), err == nil
	}
	limit, ok := v.length(value)
	if !ok {
		return false, false
	}
	switch name {
	case "min-width", "max-width", "width", "min-device-width", "max-device-width":
		return compare(name, v.width, limit), true
	case "min-height", "max-height", "height", "min-device-height", "max-device-height":
		return compare(name, v.height, limit), true
	}
	return false, false
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

// length returns a length in pixels.
func (v viewport) length(s string) (pixels float64, ok bool) {
	units := [...]struct {
		name string
		size float64
	}{{"px", 1}, {"rem", 16}, {"em", 16}, {"vw", v.width / 100}, {"vh", v.height / 100}, {"pt", 96.0 / 72}, {"in", 96}, {"cm", 96 / 2.54}, {"mm", 9.6 / 2.54}, {"ch", 8}, {"ex", 8}}
	for _, unit := range units {
		number, is := strings.CutSuffix(s, unit.name)
		if !is {
			continue
		}
		n, err := strconv.ParseFloat(number, 64)
		if err == nil {
			return n * unit.size, true
		}
	}
	return 0, s == "0"
}

// sourceSize returns the width in pixels of an image with the attribute sizes (HTML, "parse a sizes attribute"): of a list of sizes
// with conditions, the first that applies. What is not understood, such as a calculation, counts as no size.
func (v viewport) sourceSize(sizes string) float64 {
	for entry := range strings.SplitSeq(strings.ToLower(sizes), ",") {
		entry = strings.TrimSpace(entry)
		at := strings.LastIndexAny(entry, " )") + 1
		size, ok := v.length(entry[at:])
		if ok && v.matches(entry[:at]) {
			return size
		}
	}
	return v.width
}
