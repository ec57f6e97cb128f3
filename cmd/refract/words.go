package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/refract/audit/site"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/input"
	"example.org/refract/internal/lazy"
	"example.org/refract/resolve"
)

// near returns the element of words that word most likely misspells, or "".
func near(word string, words []string) string {
	best, least := "", 1+min(2, utf8.RuneCountInString(word)/3)
	word = strings.ToLower(word)
	for _, w := range words {
		d := distance(word, strings.ToLower(w), least)
		if d < least {
			best, least = w, d
		}
	}
	if best == "" && len(word) >= 4 {
		for _, w := range words {
			if strings.HasPrefix(strings.ToLower(w), word) {
				return w
			}
		}
	}
	return best
}

// distance returns how many letters must be changed, added, removed or swapped to turn a into b,
// but at most limit.
func distance(a, b string, limit int) int {
	if len(a) > 64 || len(b) > 64 || max(len(a)-len(b), len(b)-len(a)) >= limit {
		return limit
	}
	var before, above, row [65]int
	for j := range row {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above = above, row
	}
	return min(above[len(b)], limit)
}

// badValue returns the error for a flag whose value is not one of values.
func badValue(flag, value string, values []string) error {
	if meant := near(value, values); meant != "" {
		return fmt.Errorf("%s %q: did you mean %q? Give one of %s", flag, value, meant, strings.Join(values, ", "))
	}
	return fmt.Errorf("%s %q: give one of %s", flag, value, strings.Join(values, ", "))
}

// badOneOf is badValue for a flag that takes several values of a set.
func badOneOf(flag, value string, values []string) error {
	if meant := near(value, values); meant != "" {
		return fmt.Errorf("%s %q: did you mean %q? Give some of %s", flag, value, meant, strings.Join(values, ", "))
	}
	return fmt.Errorf("%s %q: give some of %s", flag, value, strings.Join(values, ", "))
}

// checkGenerator reports an unknown value of --generator. Its names are those of site generators, in
// any case, and "none".
func checkGenerator(name string) error {
	if site.CheckName(name) == nil {
		return nil
	}
	return badValue("--generator", name, append(site.Names(), "none"))
}

// badBase rewords err, about the URLs of --base and --url.
func badBase(err error) error {
	text := strings.ReplaceAll(strings.TrimPrefix(err.Error(), "base: "), "\nbase: ", ", and ")
	if !strings.HasSuffix(text, "not absolute") {
		return errors.New(text)
	}
	return fmt.Errorf("%s: give a URL with its scheme, such as http://example.org/", text)
}

// unknownSchemes returns a remark about each of schemes that is likely to be misspelled. It is no
// error: any name may be a scheme.
func unknownSchemes(schemes []string) (remarks []string) {
	var known []string
	for _, s := range resolve.Schemes() {
		known = append(known, s.Name)
	}
	for _, scheme := range schemes {
		name := strings.ToLower(strings.TrimPrefix(scheme, "!"))
		if meant := near(name, known); meant != "" && !slices.Contains(known, name) {
			remarks = append(remarks, fmt.Sprintf("--scheme %q is unknown here: did you mean %q?", scheme, meant))
		}
	}
	return remarks
}

// regexpCauses explains why a regular expression is invalid.
var regexpCauses = map[syntax.ErrorCode]string{
	syntax.ErrInvalidCharClass:      "the character class %q is invalid",
	syntax.ErrInvalidCharRange:      "the range %q is invalid",
	syntax.ErrInvalidEscape:         "the escape %q is unknown",
	syntax.ErrInvalidNamedCapture:   "the name of the group %q is invalid",
	syntax.ErrInvalidPerlOp:         "%q is not supported (RE2 has no lookaround)",
	syntax.ErrInvalidRepeatOp:       "the repetition %q is invalid",
	syntax.ErrInvalidRepeatSize:     "the repetition %q is invalid, or exceeds 1000",
	syntax.ErrInvalidUTF8:           "%q is not UTF-8",
	syntax.ErrLarge:                 "it is too large",
	syntax.ErrMissingBracket:        "the bracket of %q is not closed",
	syntax.ErrMissingParen:          "a parenthesis is not closed",
	syntax.ErrMissingRepeatArgument: "there is nothing before %q to repeat",
	syntax.ErrNestingDepth:          "it is nested too deeply",
	syntax.ErrTrailingBackslash:     "it ends with a backslash",
	syntax.ErrUnexpectedParen:       "a parenthesis is closed that was not opened",
}

// compilePattern compiles a value of --match.
func compilePattern(pattern string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(pattern)
	var invalid *syntax.Error
	if !errors.As(err, &invalid) {
		return re, err
	}
	cause := regexpCauses[invalid.Code]
	if strings.Contains(cause, "%") {
		cause = fmt.Sprintf(cause, invalid.Expr)
	}
	return nil, fmt.Errorf("--match %q: %s", pattern, cause)
}

// flagError rewords err, a problem with the flags of c, in plain English.
func flagError(c *cobra.Command, err error) error {
	var (
		unknown   *pflag.NotExistError
		noValue   *pflag.ValueRequiredError
		badValue  *pflag.InvalidValueError
		badSyntax *pflag.InvalidSyntaxError
	)
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(c, unknown.GetSpecifiedName(), unknown.GetSpecifiedShortnames() != "")
	case errors.As(err, &noValue):
		_, value := flagName(noValue.GetFlag())
		name := noValue.GetFlag().Name
		return fmt.Errorf("--%s needs a value: --%s %s", name, name, value)
	case errors.As(err, &badValue):
		f := badValue.GetFlag()
		return fmt.Errorf("--%s %q: %w", f.Name, badValue.GetValue(), plainCause(f.Value.Type(), errors.Unwrap(err)))
	case errors.As(err, &badSyntax):
		return fmt.Errorf("%q is not a flag: write --name or --name=value", badSyntax.GetSpecifiedFlag())
	}
	return err
}

// plainCause rewords err, a problem with a value of a pflag type.
func plainCause(typ string, err error) error {
	var number *strconv.NumError
	if !errors.As(err, &number) {
		return err
	}
	switch typ {
	case "bool":
		return errors.New("give true or false")
	case "int", "int64":
		return errors.New("give a whole number")
	}
	return err
}

// unknownFlag returns the error for a flag that c does not have.
func unknownFlag(c *cobra.Command, name string, isShort bool) error {
	if isShort {
		for _, other := range append(c.Root().Commands(), c.Root()) {
			if f := other.Flags().ShorthandLookup(name); f != nil && f.Shorthand == name {
				return fmt.Errorf("%s has no flag -%s: it is short for --%s of %s", c.CommandPath(), name, f.Name, other.CommandPath())
			}
		}
		return fmt.Errorf("unknown flag -%s: see %s --help", name, c.CommandPath())
	}
	var names []string
	add := func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	}
	c.Flags().VisitAll(add)
	c.InheritedFlags().VisitAll(add)
	for _, other := range append(c.Root().Commands(), c.Root()) {
		if other.Flags().Lookup(name) != nil {
			return fmt.Errorf("%s has no flag --%s: it is a flag of %s", c.CommandPath(), name, other.CommandPath())
		}
	}
	if meant := near(name, names); meant != "" {
		return fmt.Errorf("unknown flag --%s: did you mean --%s?", name, meant)
	}
	return fmt.Errorf("unknown flag --%s: see %s --help", name, c.CommandPath())
}

var togetherSet = lazy.New(`\[([^\[\]]*)\] were all set`)

// checkTogether reports flags of c that cannot be combined.
func checkTogether(c *cobra.Command) error {
	err := c.ValidateFlagGroups()
	if err == nil {
		return nil
	}
	if m := togetherSet.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("--%s cannot be used together", strings.Join(strings.Fields(m[1]), " and --"))
	}
	return err
}

// isURL matches an argument that begins like a URL with a host.
var isURL = lazy.New(`^[A-Za-z][A-Za-z0-9+.-]*://`)

// checkArguments reports an argument that must be a mistake: a URL, because refract fetches
// nothing, or a misspelled command.
func checkArguments(c *cobra.Command, args []string) error {
	for i, arg := range args {
		_, err := os.Stat(arg)
		switch {
		case err == nil || !errors.Is(err, fs.ErrNotExist):
		case isURL.MatchString(arg) && c.HasParent():
			return fmt.Errorf("%q is a URL, and refract fetches nothing: give the directory of its documents, and --site %s=DIR", arg, arg)
		case isURL.MatchString(arg):
			return fmt.Errorf("%q is a URL, and refract fetches nothing: curl -sL '%s' | refract --url '%s'\n  (refract resolve and refract normalize take URLs)", arg, arg, arg)
		case i == 0 && !c.HasParent() && !strings.ContainsAny(arg, "./\\"):
			if !c.HasSubCommands() {
				return errCommands
			}
			var names []string
			for _, sub := range c.Commands() {
				names = append(names, sub.Name())
			}
			if meant := near(arg, names); meant != "" {
				return fmt.Errorf("%q is neither a file nor a command: did you mean \"refract %s\"?", arg, meant)
			}
		}
	}
	return nil
}

// A byteSize is the value of a flag that is a number of bytes.
type byteSize int64

func (b *byteSize) String() string {
	for i, unit := range []string{"T", "G", "M", "K"} {
		if n := int64(1) << (40 - 10*i); int64(*b) >= n && int64(*b)%n == 0 {
			return strconv.FormatInt(int64(*b)/n, 10) + unit
		}
	}
	return strconv.FormatInt(int64(*b), 10)
}

func (b *byteSize) Type() string { return "size" }

// sizePattern matches a size: a number, and a unit of 1024 ("K", "KiB") or 1000 ("kB").
var sizePattern = lazy.New(`^(-?[0-9]+(?:\.[0-9]+)?) ?([kKmMgGtT]?)(i?[bB])?$`)

func (b *byteSize) Set(s string) error {
	m := sizePattern.FindStringSubmatch(s)
	if m == nil {
		return errors.New("give a number of bytes, such as 4096, 512K, 32M or 1G")
	}
	unit, power := 1024.0, strings.Index("kmgt", strings.ToLower(m[2]))+1
	if m[2] == "" {
		power = 0
	}
	if strings.EqualFold(m[3], "b") {
		unit = 1000
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	if err == nil && power == 0 {
		*b = byteSize(n)
		return nil
	}
	value, err := strconv.ParseFloat(m[1], 64)
	for range power {
		value *= unit
	}
	if err != nil || value >= 1<<62 || power == 0 && strings.Contains(m[1], ".") {
		return errors.New("give a number of bytes, such as 4096, 512K, 32M or 1G")
	}
	*b = byteSize(value)
	return nil
}

// hostName returns the host in a value of --host, which may also be a URL or include a port.
func hostName(s string) (string, error) {
	not := ""
	if rest, ok := strings.CutPrefix(s, "!"); ok {
		not, s = "!", rest
	}
	given := s
	if isURL.MatchString(s) || strings.HasPrefix(s, "//") {
		s = string(resolve.Parse([]byte(s)).Authority)
	}
	s, _, _ = strings.Cut(s, "/")
	s = s[ascii.HostStart([]byte(s)):]
	if strings.Count(s, ":") == 1 || strings.Contains(s, "[") {
		host, _, _ := ascii.CutPort([]byte(s))
		s = string(host)
	}
	if rest, ok := strings.CutPrefix(s, "*."); ok {
		s = "." + rest
	}
	if s == "" || strings.ContainsAny(s, " \t*?") {
		return "", fmt.Errorf("--host %q: give the name of a host, such as example.org, or .example.org for all below it", given)
	}
	return not + s, nil
}

// schemePattern matches a scheme (RFC 3986 section 3.1).
var schemePattern = lazy.New(`^!?[A-Za-z][A-Za-z0-9+.-]*$`)

// schemeName returns the scheme in a value of --scheme, which may also be "https:" or "https://".
func schemeName(s string) (string, error) {
	name, _, _ := strings.Cut(s, ":")
	if !schemePattern.MatchString(name) {
		return "", fmt.Errorf("--scheme %q: give a scheme, such as https", s)
	}
	return name, nil
}

// eachOf returns the result of parse for each value.
func eachOf(values []string, parse func(string) (string, error)) (all []string, err error) {
	for _, v := range values {
		one, err := parse(v)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// checkGlobs reports an invalid value of flag, whose values are globs.
func checkGlobs(flag string, globs []string) error {
	for _, glob := range globs {
		if what := unclosed(glob); what != "" {
			return fmt.Errorf("%s %q: %s is not closed: write \\%s for the character", flag, glob, what, what)
		}
	}
	walk := input.Options{Globs: globs}
	for _, err := range walk.Files(nil) {
		if err != nil {
			return fmt.Errorf("%s %s", flag, strings.TrimPrefix(err.Error(), "input: glob "))
		}
	}
	return nil
}

// unclosed returns the bracket of a glob that is never closed, or "".
func unclosed(glob string) string {
	braces := 0
	for i := 0; i < len(glob); i++ {
		switch glob[i] {
		case '\\':
			i++
		case '[':
			n := 1 + len(glob[i+1:]) - len(strings.TrimLeft(glob[i+1:], "!^"))
			if strings.HasPrefix(glob[i+n:], "]") {
				n++
			}
			end := strings.IndexByte(glob[min(i+n, len(glob)):], ']')
			if end < 0 {
				return "["
			}
			i += n + end
		case '{':
			braces++
		case '}':
			braces--
		}
	}
	if braces > 0 {
		return "{"
	}
	return ""
}
