package vue

import (
	"regexp"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/site/web"
)

// code is what the configuration of VitePress says in functions rather than in values.
type code struct {
	isComputed bool            // rewrites are, by a function that is not understood
	changes    []change        // of the paths of pages, one after another, by a function that consists of them
	makesIDs   bool            // a function of the project makes the ids of headings
	addedIDs   map[string]bool // of headings that code adds to pages
}

// A change replaces a part of the path of a page: id.replace(/^packages\//, ”).
type change struct {
	from  *regexp.Regexp
	to    string // as of regexp.Expand
	isAll bool   // each occurrence, not only the first
}

func (c *change) apply(rel string) string {
	if c.isAll {
		return c.from.ReplaceAllString(rel, c.to)
	}
	at := c.from.FindStringSubmatchIndex(rel)
	if at == nil {
		return rel
	}
	return rel[:at[0]] + string(c.from.ExpandString(nil, c.to, rel, at)) + rel[at[1]:]
}

var (
	rewriteFunction = lazy.New(`\brewrites\s*(?::\s*(?:\(\s*(\w+)\s*(?::\s*string\s*)?\)(?:\s*:\s*string)?|(\w+))\s*=>\s*|\(\s*(\w+)\s*(?::\s*string\s*)?\)\s*(?::\s*string\s*)?)(?:\{\s*return\b\s*)?`)
	// pathChange matches a call that replaces a literal by another one, at the start of a text.
	pathChange = lazy.New(`^\s*\.replace(All)?\(\s*(?:/((?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)/([a-z]*)|'([^'\\\n]*)'|"([^"\\\n]*)")\s*,\s*(?:'([^'\\\n]*)'|"([^"\\\n]*)")\s*\)`)
	slugModule = lazy.New(`['"](?:@mdit-vue/shared|uslug|slugify|github-slugger|@sindresorhus/slugify|limax|transliteration|@vuepress/shared-utils)['"]`)
	jsGroup    = lazy.New(`\$(?:(\d{1,2})|<(\w+)>|(&)|(\$))`)
)

// readCode reads what the configuration says by functions.
func (v *vitepress) readCode(d *source.Dir, s *site.Site, conf source.Value) {
	texts := d.Tree.Code(s.Config)
	v.addedIDs = web.AddedIDs(texts, s.Slug)
	isSlugKnown := slices.ContainsFunc(texts, slugModule.Match)
	v.makesIDs = conf.Lookup("markdown", "anchor", "slugify").IsGiven() && !isSlugKnown
	if changes, ok := readChanges(string(d.Tree.Config(s.Config))); ok && v.isComputed && conf.Lookup("rewrites").IsUnknown() {
		v.changes, v.isComputed = changes, false
	}
}

// readChanges returns the changes that a function "rewrites" in a configuration makes. ok is false if it
// does anything else.
func readChanges(text string) (changes []change, ok bool) {
	at := rewriteFunction.Compiled().FindStringSubmatchIndex(text)
	if at == nil {
		return nil, false
	}
	name := ""
	for i := 2; i < len(at); i += 2 {
		if at[i] >= 0 {
			name = text[at[i]:at[i+1]]
		}
	}
	rest, ok := strings.CutPrefix(text[at[1]:], name)
	for ok {
		m := pathChange.FindStringSubmatch(rest)
		if m == nil {
			break
		}
		rest = rest[len(m[0]):]
		from := m[2]
		if from == "" {
			from = regexp.QuoteMeta(m[4] + m[5])
		}
		if strings.Contains(m[3], "i") {
			from = "(?i)" + from
		}
		re, err := regexp.Compile(from)
		if err != nil {
			return nil, false
		}
		to := jsGroup.Compiled().ReplaceAllStringFunc(m[6]+m[7], expandedGroup)
		changes = append(changes, change{re, to, m[1] != "" || strings.Contains(m[3], "g")})
	}
	rest = strings.TrimLeft(rest, " \t\r\n;")
	isEnd := rest == "" || strings.HasPrefix(rest, "}") || strings.HasPrefix(rest, ",")
	return changes, ok && isEnd && len(changes) > 0
}

// expandedGroup returns a group in a replacement of JavaScript as regexp.Expand writes it.
func expandedGroup(group string) string {
	switch name := strings.Trim(group, "$<>"); {
	case group == "$$":
		return "$$"
	case group == "$&":
		return "${0}"
	default:
		return "${" + name + "}"
	}
}

// MakesID reports whether code may give a page an id.
func (v *vitepress) MakesID(_ *site.Site, _, id string) bool { return v.makesIDs || v.addedIDs[id] }
