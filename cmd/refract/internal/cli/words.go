package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/input"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/option"
	"example.org/refract/internal/site/gen"
	"example.org/refract/internal/slash"
	"example.org/refract/resolve"
)

// BadValue returns the error for a flag whose value is not one of values.
func BadValue(flag, value string, values []string) error {
	if text := meant(flag + " " + value); text != "" {
		return fmt.Errorf("%s %q: %s", flag, value, text)
	}
	return Listed(option.NotOneOf(flag, value, values))
}

// lists are the commands that list the values of flags; the default is "refract --help".
var lists = map[string]string{
	"--fields": "refract help json", "--label": "refract help labels", "--type": "refract help types",
	"--rule": "refract help rules", "--no-rule": "refract help rules", "--generator": "refract help generators", "--slugs": "refract audit --help",
}

// Listed adds to an error about an unknown value of a flag where its values are listed.
func Listed(err error) error {
	return option.Listed(err, func(flag string) string { return strconv.Quote(cmp.Or(lists[flag], "refract --help")) })
}

// BadFormat is BadValue for --format, which has no pages.
func BadFormat(value string, values []string) error {
	switch {
	case strings.EqualFold(value, "html"):
		return errors.New(`--format "html": "--html FILE" writes a page, beside any format`)
	case strings.EqualFold(value, "parquet"):
		return errors.New(`--format "parquet": "refract --parquet PATH" writes Parquet files`)
	}
	return BadValue("--format", value, values)
}

// BadOneOf is BadValue for a flag that takes several values of a set.
func BadOneOf(flag, value string, values []string) error {
	return Listed(option.NotSomeOf(flag, value, values))
}

// GeneratorNames returns the values of --generator.
func GeneratorNames() []string { return gen.Choices() }

// CheckGenerator reports an unknown value of --generator. Its names are those of site generators, in
// any case, and "none".
func CheckGenerator(name string) error {
	return Listed(option.Renamed(gen.CheckName(name), map[string]string{"Generator": "--generator"}))
}

// BadBase rewords err, about the URLs of --base and --url.
func BadBase(err error) error {
	text := strings.ReplaceAll(strings.TrimPrefix(err.Error(), "base: "), "\nbase: ", ", and ")
	if !strings.HasSuffix(text, "not absolute") {
		return errors.New(text)
	}
	return fmt.Errorf("%s: give a URL with its scheme, such as http://example.org/", text)
}

// UnknownSchemes returns a note about each of schemes that is likely to be misspelled. It is no
// error: any name may be a scheme.
func UnknownSchemes(schemes []string) (notes []string) {
	var known []string
	for _, s := range resolve.Schemes() {
		known = append(known, s.Name)
	}
	for _, scheme := range schemes {
		name := strings.ToLower(strings.TrimPrefix(scheme, "!"))
		if meant := option.Near(name, known); meant != "" && !slices.Contains(known, name) {
			notes = append(notes, fmt.Sprintf("--scheme %q is unknown here: did you mean %q?", scheme, meant))
		}
	}
	return notes
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

// CompilePattern compiles a value of --match.
func CompilePattern(pattern string) (*regexp.Regexp, error) {
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

// FlagError rewords err, a problem with the flags of c, in plain English.
func FlagError(c *cobra.Command, err error) error {
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
		if text := meantFlag(c, "-"+name); text != "" {
			return fmt.Errorf("unknown flag -%s: %s", name, text)
		}
		for _, other := range append([]*cobra.Command{c.Root()}, c.Root().Commands()...) {
			if f := other.Flags().ShorthandLookup(name); f != nil && f.Shorthand == name {
				return fmt.Errorf("%s has no flag -%s: it is short for --%s of %s", c.CommandPath(), name, f.Name, other.CommandPath())
			}
		}
		return fmt.Errorf("unknown flag -%s: see %s --help", name, c.CommandPath())
	}
	if text := meant(c.Name() + " --" + name); text != "" {
		return fmt.Errorf("unknown flag --%s: %s", name, text)
	}
	var names []string
	add := func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	}
	c.Flags().VisitAll(add)
	c.InheritedFlags().VisitAll(add)
	for _, other := range append([]*cobra.Command{c.Root()}, c.Root().Commands()...) {
		if other.Flags().Lookup(name) != nil {
			return fmt.Errorf("%s has no flag --%s: it is a flag of %s", c.CommandPath(), name, other.CommandPath())
		}
	}
	if text := meant("--" + name); text != "" {
		return fmt.Errorf("unknown flag --%s: %s", name, text)
	}
	if meant := option.Near(name, names); meant != "" {
		return fmt.Errorf("unknown flag --%s: did you mean --%s?", name, meant)
	}
	return fmt.Errorf("unknown flag --%s: see %s --help", name, c.CommandPath())
}

// isURL matches an argument that begins like a URL with a host.
var isURL = lazy.New(`^[A-Za-z][A-Za-z0-9+.-]*://`)

// isWord matches an argument that is more likely to be the name of a command than of a file.
var isWord = lazy.New(`^[a-z]+(-[a-z]+)*$`)

// Arguments returns the files and directories given as arguments. On Windows, wildcards are expanded. Where
// the file system ignores case, a name is replaced by its spelling on disk. An error is about an argument
// that must be a mistake: a URL, because refract fetches nothing, or a misspelled command.
func Arguments(c *cobra.Command, args []string) ([]string, error) {
	args, err := input.Expand(tree.Disk(), args, slash.Here())
	if err == nil {
		err = checkArguments(c, args)
	}
	return Spelled(args), err
}

// Spelled returns names of files as they are spelled on disk, and with one name for each directory: see [tree.Places].
func Spelled(names []string) []string {
	names = slices.Clone(names)
	places := PlacesOf("", nil)
	for i, name := range names {
		if name == "-" {
			continue
		}
		if is := tree.Spelled(tree.Disk(), "", name); is != slash.Path(name) {
			name = is
		}
		names[i] = places.Argument(name)
	}
	return names
}

// PlacesOf returns the directories of a command: dir, which is absolute, or the working directory for "",
// and those of its arguments.
func PlacesOf(dir string, args []string) *tree.Places {
	places := tree.NewPlaces(tree.Disk(), cmp.Or(dir, input.WorkingDir()))
	for _, arg := range args {
		places.Argument(arg)
	}
	return places
}

func checkArguments(c *cobra.Command, args []string) error {
	for i, arg := range args {
		_, err := os.Stat(arg)
		switch {
		case arg == "-" || err == nil || !errors.Is(err, fs.ErrNotExist):
		case isURL.MatchString(arg) && c.HasParent():
			return fmt.Errorf("%q is a URL, and refract fetches nothing: give the directory of its documents, and --site %s=DIR", arg, arg)
		case isURL.MatchString(arg):
			return fmt.Errorf("%q is a URL, and refract fetches nothing: curl -sL '%s' | refract --url '%s'\n  (refract resolve and refract normalize take URLs)", arg, arg, arg)
		case i == 0 && !c.HasParent() && !strings.ContainsAny(arg, "./\\"):
			if !c.HasSubCommands() {
				return ErrCommands
			}
			var names []string
			for _, sub := range c.Commands() {
				names = append(names, sub.Name())
			}
			if text := meant(arg); text != "" {
				return fmt.Errorf("%q is neither a file nor a command: %s", arg, text)
			}
			if meant := option.Near(arg, names); meant != "" {
				return fmt.Errorf("%q is neither a file nor a command: did you mean \"refract %s\"?", arg, meant)
			}
			if err := checkMissing(c, arg, len(args) == 1); err != nil {
				return err
			}
			if len(args) == 1 && isWord.MatchString(arg) {
				return fmt.Errorf("%q is neither a file nor a command: see refract --help", arg)
			}
		default:
			if err := checkMissing(c, arg, len(args) == 1); err != nil {
				return err
			}
		}
	}
	return nil
}

// A ByteSize is the value of a flag that is a number of bytes.
type ByteSize int64

func (b *ByteSize) String() string {
	for i, unit := range []string{"T", "G", "M", "K"} {
		if n := int64(1) << (40 - 10*i); int64(*b) >= n && int64(*b)%n == 0 {
			return strconv.FormatInt(int64(*b)/n, 10) + unit
		}
	}
	return strconv.FormatInt(int64(*b), 10)
}

func (b *ByteSize) Type() string { return "size" }

// sizePattern matches a size: a number, and a unit of 1024 ("K", "KiB") or 1000 ("kB").
var sizePattern = lazy.New(`^(-?[0-9]+(?:\.[0-9]+)?) ?([kKmMgGtT]?)(i?[bB])?$`)

func (b *ByteSize) Set(s string) error {
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
		*b = ByteSize(n)
		return nil
	}
	value, err := strconv.ParseFloat(m[1], 64)
	for range power {
		value *= unit
	}
	if err != nil || value >= 1<<62 || power == 0 && strings.Contains(m[1], ".") {
		return errors.New("give a number of bytes, such as 4096, 512K, 32M or 1G")
	}
	*b = ByteSize(value)
	return nil
}

// HostName returns the host in a value of --host, which may also be a URL or include a port.
func HostName(s string) (string, error) {
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

// SchemeName returns the scheme in a value of --scheme, which may also be "https:" or "https://".
func SchemeName(s string) (string, error) {
	name, _, _ := strings.Cut(s, ":")
	if !schemePattern.MatchString(name) {
		return "", fmt.Errorf("--scheme %q: give a scheme, such as https", s)
	}
	return name, nil
}

// EachOf returns the result of parse for each value.
func EachOf(values []string, parse func(string) (string, error)) (all []string, err error) {
	for _, v := range values {
		one, err := parse(v)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// CheckGlobs reports an invalid value of flag, whose values are globs.
func CheckGlobs(flag string, globs []string) error {
	for _, glob := range globs {
		if err := input.CheckGlob(glob); err != nil {
			return option.Bad(flag, glob, "%w", err)
		}
	}
	return nil
}

// Count returns a number and its unit, in the plural if necessary.
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return ascii.Number(n) + " " + what + "s"
}

// OneLine returns the name of a file, or a message, for a line of output. It escapes characters that could
// end the line, move the cursor, or reverse or hide other text.
func OneLine(name string) string {
	if strings.ContainsFunc(name, ascii.IsHidden) {
		return string(AppendVisible(nil, []byte(name)))
	}
	return name
}

// VisibleLines is like OneLine for a message of several lines, which may have tabs.
func VisibleLines(text string) string {
	isHidden := func(r rune) bool { return r != '\n' && r != '\t' && ascii.IsHidden(r) }
	if !strings.ContainsFunc(text, isHidden) {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = OneLine(strings.ReplaceAll(line, "\t", " "))
	}
	return strings.Join(lines, "\n")
}

// WithName adds the name of the file to err, unless err already quotes it.
func WithName(file input.File, err error) error {
	if err == nil || strings.Contains(err.Error(), strconv.Quote(file.Name)) || strings.Contains(err.Error(), file.Path) && filepath.ToSlash(file.Path) == file.Name && file.Range == "" {
		return err
	}
	return fmt.Errorf("%q: %w", file.Name, err)
}

// NoteGlobs writes a line for each glob of file names that matches nothing.
func NoteGlobs(w io.Writer, use *input.GlobUse) {
	for _, glob := range use.Unmatched() {
		fmt.Fprintf(w, "refract: glob %s matches no file\n", OneLine(strconv.Quote(glob)))
	}
}
