package web

import (
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

var (
	ruleFrom = lazy.New(`\bsource['"]?\s*:\s*(?:'([^'\n]*)'|"([^"\n]*)"|\x60([^\x60$\n]*)\x60)`)
	ruleTo   = lazy.New(`\bdestination['"]?\s*:\s*(?:'([^'\n]*)'|"([^"\n]*)"|\x60([^\x60$\n]*)\x60)`)
	ruleKind = lazy.New(`\b(?:permanent|statusCode)\b`)
	ruleCond = lazy.New(`\b(?:has|missing)['"]?\s*:`)
)

// maxScriptRules is the number of redirects that are read of a script.
const maxScriptRules = 5000

// longestRule is the number of bytes behind a source in which the rest of a redirect is looked for.
const longestRule = 1000

// ScriptRedirects returns the redirects in a script of Next.js, such as next.config.js, whose values are
// literals: a source and a destination that permanent or statusCode belongs to. Rewrites have neither.
// Sources with parameters are left out.
func ScriptRedirects(file, text string) (all []site.Redirect) {
	starts := ruleFrom.FindAllStringSubmatchIndex(text, maxScriptRules)
	for i, m := range starts {
		end := min(len(text), m[1]+longestRule)
		if i+1 < len(starts) {
			end = min(end, starts[i+1][0])
		}
		rest := text[m[1]:end]
		to := ruleTo.Compiled().FindStringSubmatchIndex(rest)
		if to == nil || !ruleKind.MatchString(rest) || ruleCond.MatchString(rest) {
			continue
		}
		from, goal := matchedText(text, m, 0), matchedText(rest, to, m[1])
		if strings.HasPrefix(from.Text, "/") && !strings.ContainsAny(from.Text, ":(*") {
			all = append(all, site.Entry(file, "redirects", from, goal))
		}
	}
	return all
}

var (
	middlewareRedirect = lazy.New(`\.redirect\s*\(`)
	middlewareEntry    = lazy.New(`(?m)^\s*(?:'(/[^'\n]*)'|"(/[^"\n]*)")\s*:\s*(?:'/|"/)`)
)

// MiddlewareRedirects returns the paths that the middleware of Next.js in a directory redirects by a map
// whose keys and values are literals. Other code also decides about their targets.
func MiddlewareRedirects(d *source.Dir) (from []string) {
	for _, name := range MiddlewareFiles {
		text := d.Tree.Config(d.In(name))
		if !middlewareRedirect.Match(text) {
			continue
		}
		for _, m := range middlewareEntry.FindAllSubmatch(text, maxScriptRules) {
			if u := string(m[1]) + string(m[2]); !strings.ContainsAny(u, ":(*") {
				from = append(from, u)
			}
		}
	}
	return from
}

// MiddlewareFiles are the files of Next.js with code that sees each request.
var MiddlewareFiles = []string{"middleware.ts", "middleware.js", "src/middleware.ts", "src/middleware.js", "proxy.ts", "src/proxy.ts"}

var (
	callFrom = lazy.New(`\bfromPath['"]?\s*:\s*(?:'([^'\n]*)'|"([^"\n]*)"|\x60([^\x60$\n]*)\x60)`)
	callTo   = lazy.New(`\btoPath['"]?\s*:\s*(?:'([^'\n]*)'|"([^"\n]*)"|\x60([^\x60$\n]*)\x60)`)
)

// CallRedirects returns the redirects that a script of Gatsby makes by createRedirect, whose fromPath and
// toPath are literals.
func CallRedirects(file, text string) (all []site.Redirect) {
	starts := callFrom.FindAllStringSubmatchIndex(text, maxScriptRules)
	for i, m := range starts {
		end := min(len(text), m[1]+longestRule)
		if i+1 < len(starts) {
			end = min(end, starts[i+1][0])
		}
		rest := text[m[1]:end]
		if to := callTo.Compiled().FindStringSubmatchIndex(rest); to != nil {
			all = append(all, site.Entry(file, "createRedirect", matchedText(text, m, 0), matchedText(rest, to, m[1])))
		}
	}
	return all
}

// matchedText returns the group that has matched, of a text that begins at an offset.
func matchedText(text string, m []int, offset int) literal.Value {
	for i := 2; i < len(m); i += 2 {
		if m[i] >= 0 {
			return literal.Value{Kind: literal.String, Text: text[m[i]:m[i+1]], Span: scan.Span{Start: offset + m[i], End: offset + m[i+1]}}
		}
	}
	return literal.Value{}
}
