package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// joinOptional returns args with each flag that has an optional value joined to its value in the
// next word: "--check rfc1738" becomes "--check=rfc1738". It returns an error if the next word can
// only be a misspelled value.
func joinOptional(root *Command, args []string) ([]string, error) {
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		return args, nil // the last word is not yet complete
	}
	cmd, _, err := root.Find(args)
	c := root.Of(cmd)
	if err != nil {
		return args, nil // Execute reports the error
	}
	var joined []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return append(joined, args[i:]...), nil
		}
		joined = append(joined, arg)
		flag := flagOf(cmd, arg)
		if flag == nil || i+1 == len(args) {
			continue
		}
		next := args[i+1]
		values := c.nextWords(flag)
		switch {
		case flag.NoOptDefVal == "": // the next word is always its value
			joined = append(joined, next)
			i++
		case values == nil:
		case areValues(values, next, flag.Value.Type() == "stringSlice"):
			joined[len(joined)-1] = arg + "=" + next
			i++
		case isLikeValue(values, next):
			return nil, fmt.Errorf("--%s %s: give one of %s, or write -- before %q", flag.Name, next, strings.Join(values, ", "), next)
		}
	}
	return joined, nil
}

// nextWords returns the values that a flag of c accepts as the next word, because pflag only accepts an optional value
// after "=".
func (c *Command) nextWords(flag *pflag.Flag) []string {
	f := c.known(flag.Name)
	switch {
	case f == nil || f.None == "":
		return nil
	case f.NextWord != nil:
		return f.NextWord()
	}
	return f.Values()
}

// flagOf returns the flag that arg names, or nil if arg includes a value.
func flagOf(cmd *cobra.Command, arg string) *pflag.Flag {
	name, isLong := strings.CutPrefix(arg, "--")
	switch {
	case strings.Contains(arg, "="):
	case isLong:
		return cmd.Flag(name)
	case len(arg) == 2 && arg[0] == '-':
		if flag := cmd.Flags().ShorthandLookup(arg[1:]); flag != nil {
			return flag
		}
		return cmd.InheritedFlags().ShorthandLookup(arg[1:])
	}
	return nil
}

// areValues reports whether word is one of values or, for a list, a list of values.
func areValues(values []string, word string, isList bool) bool {
	words := []string{word}
	if isList {
		words = strings.Split(word, ",")
	}
	for _, w := range words {
		if !slices.Contains(values, w) {
			return false
		}
	}
	return true
}

// isLikeValue reports whether word differs from one of values only in digits or in the case of
// letters: "rfc1739", "Full".
func isLikeValue(values []string, word string) bool {
	shape := func(s string) string {
		return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r >= '0' && r <= '9' }), "0")
	}
	return slices.ContainsFunc(values, func(v string) bool { return shape(v) == shape(word) })
}
