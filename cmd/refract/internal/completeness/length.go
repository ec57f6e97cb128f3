package completeness

import "strings"

// length returns a length in pixels, which may be calculated.
func (v viewport) length(s string) (pixels float64, ok bool) {
	c := calculation{viewport: v, rest: s}
	n := c.sum(0)
	c.space()
	return n, !c.isBad && c.rest == "" && (c.hasUnit || n == 0)
}

// A calculation reads a length (css-values-4, "Mathematical Expressions").
type calculation struct {
	viewport
	rest    string
	isBad   bool
	hasUnit bool
}

func (c *calculation) space() { c.rest = strings.TrimLeft(c.rest, " \t\r\n\f") }

// take takes one of the characters if it is next.
func (c *calculation) take(characters string) byte {
	c.space()
	if c.rest == "" || strings.IndexByte(characters, c.rest[0]) < 0 {
		return 0
	}
	is := c.rest[0]
	c.rest = c.rest[1:]
	return is
}

func (c *calculation) sum(depth int) float64 {
	n := c.product(depth)
	for {
		before := c.rest
		switch c.take("+-") {
		case '+':
			n += c.product(depth)
		case '-':
			n -= c.product(depth)
		default:
			c.rest = before
			return n
		}
	}
}

func (c *calculation) product(depth int) float64 {
	n := c.term(depth)
	for {
		switch c.take("*/") {
		case '*':
			n *= c.term(depth)
		case '/':
			n /= c.term(depth)
		default:
			return n
		}
	}
}

// term reads a number, a length, or what is in brackets.
func (c *calculation) term(depth int) float64 {
	c.space()
	end := 0
	for end < len(c.rest) && strings.IndexByte("0123456789.", c.rest[end]) >= 0 || end == 0 && end < len(c.rest) && strings.IndexByte("+-", c.rest[end]) >= 0 {
		end++
	}
	digits := c.rest[:end]
	c.rest = c.rest[end:]
	end = 0
	for end < len(c.rest) && c.rest[end] >= 'a' && c.rest[end] <= 'z' {
		end++
	}
	word := c.rest[:end]
	c.rest = c.rest[end:]
	if digits != "" {
		n, ok := number(digits)
		size := c.unit(word)
		c.isBad = c.isBad || !ok || size == 0
		c.hasUnit = c.hasUnit || word != ""
		return n * size
	}
	if depth == maxNested || c.take("(") == 0 {
		c.isBad = true
		return 0
	}
	list := []float64{c.sum(depth + 1)}
	for c.take(",") != 0 {
		list = append(list, c.sum(depth+1))
	}
	c.isBad = c.isBad || c.take(")") == 0
	switch n := len(list); {
	case (word == "" || word == "calc") && n == 1:
		return list[0]
	case word == "min":
		for _, next := range list {
			list[0] = min(list[0], next)
		}
		return list[0]
	case word == "max":
		for _, next := range list {
			list[0] = max(list[0], next)
		}
		return list[0]
	case word == "clamp" && n == 3:
		return max(list[0], min(list[1], list[2]))
	}
	c.isBad = true
	return 0
}

// unit returns the pixels of a unit; 0: it is none.
func (c *calculation) unit(name string) float64 {
	switch name {
	case "px", "":
		return 1
	case "em", "rem":
		return 16
	case "ex", "ch":
		return 8
	case "vw", "svw", "lvw", "dvw", "vi":
		return c.width / 100
	case "vh", "svh", "lvh", "dvh", "vb":
		return c.height / 100
	case "vmin":
		return min(c.width, c.height) / 100
	case "vmax":
		return max(c.width, c.height) / 100
	case "pt":
		return 96.0 / 72
	case "pc":
		return 16
	case "in":
		return 96
	case "cm":
		return 96 / 2.54
	case "mm":
		return 9.6 / 2.54
	case "q":
		return 2.4 / 2.54
	}
	return 0
}

// sourceSize returns the width in pixels of an image with the attribute sizes (HTML, "parse a sizes attribute"): of a list of sizes
// with conditions, the first that applies. The size "auto" is for images that are fetched late, which without scripts none is.
func (v viewport) sourceSize(sizes string) float64 {
	for _, entry := range splitCommas(strings.ToLower(sizes)) {
		entry = strings.TrimSpace(entry)
		at := lastComponent(entry)
		if !v.matches(entry[:at]) {
			continue
		}
		if entry[at:] == "auto" {
			return v.width
		}
		size, ok := v.length(entry[at:])
		if ok && size >= 0 {
			return size
		}
	}
	return v.width
}

// splitCommas splits s at commas outside of brackets.
func splitCommas(s string) []string {
	var parts []string
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth <= 0 {
				parts = append(parts, s[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, s[start:])
}

// lastComponent returns where the last word or function of s begins.
func lastComponent(s string) int {
	i, depth := len(s), 0
	for i > 0 {
		c := s[i-1]
		if c == '(' {
			depth--
		}
		if depth <= 0 && (c == ' ' || c == '\t' || c == '\n' || c == ')' && i < len(s)) {
			break
		}
		if c == ')' {
			depth++
		}
		i--
	}
	return i
}
