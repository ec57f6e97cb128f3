package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// optionalValues is the annotation of a flag whose value may be left out: the values that it
// takes from the next word, too.
const optionalValues = "values"

// takesOptional lets a flag that needs no value take the next word for it, if that is one of
// values: pflag takes it only behind "=".
func takesOptional(flags *pflag.FlagSet, name, none string, values []string) {
	flags.Lookup(name).NoOptDefVal = none
	if err := flags.SetAnnotation(name, optionalValues, values); err != nil {
		panic(err)
	}
}

// joinOptional returns args in which a flag that may have a value, and a value of it that is
// the next word, are one: "--check rfc1738" is "--check=rfc1738". It fails if the next word can
// only be a misspelled value.
func joinOptional(root *cobra.Command, args []string) ([]string, error) {
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		return args, nil // the last of them is not yet complete
	}
	cmd, _, err := root.Find(args)
	if err != nil {
		return args, nil // Execute says so
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
		values := flag.Annotations[optionalValues]
		switch {
		case flag.NoOptDefVal == "": // the next word is its value, whatever that is
			joined = append(joined, next)
			i++
		case values == nil:
		case areValues(values, next, flag.Value.Type() == "stringSlice"):
			joined[len(joined)-1] = arg + "=" + next
			i++
		case isLikeValue(values, next):
			return nil, fmt.Errorf("--%s %s: give one of %s, or put %q behind --", flag.Name, next, strings.Join(values, ", "), next)
		}
	}
	return joined, nil
}

// flagOf returns the flag that arg is, if its value is not part of arg.
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

// areValues reports whether word is one of values, or, of a list, some of them.
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

// isLikeValue reports whether word differs from one of values in its digits or the case of its
// letters only: "rfc1739", "Full".
func isLikeValue(values []string, word string) bool {
	shape := func(s string) string {
		return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r >= '0' && r <= '9' }), "0")
	}
	return slices.ContainsFunc(values, func(v string) bool { return shape(v) == shape(word) })
}
