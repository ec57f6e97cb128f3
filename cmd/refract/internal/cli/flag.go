// Package cli is the code that the commands share: flags, commands and their help as data, and messages to
// users.
package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"example.org/refract/internal/config"
)

// A Flag is the single description of a flag: help, manual pages, completion, corrections and
// configurations are made from it.
type Flag struct {
	Name, Short string
	// Var points to the value, and has the default: a *bool, *int, *string, *[]string (a list with commas) or
	// pflag.Value. A Flag without Var is that of the main command with the same name: it says where the help of
	// a subcommand shows it.
	Var   any
	Help  string // for --help; `NAME` in it is the placeholder of the value
	Brief string // for -h; "" stands for the first sentence of Help
	Group string // the title under which --help shows it; "" hides it
	Topic string // the topic that shows it in place of --help

	Shared     bool            // subcommands also have it
	Each       bool            // of a *[]string: each use of the flag adds one value, commas included
	Not        string          // names of flags that it cannot be combined with
	Values     func() []string // the values that a shell offers; nil: names of files
	None       string          // the value of a flag whose value is optional, if it has none
	NextWord   func() []string // the values that it then accepts as the next word; nil: Values
	Config     Config
	Holds      config.Names // which file names its values hold
	OfRevision bool         // --changed-since takes it from the configuration of the revision
}

// A Config says which configuration may set a flag. A file that refract finds belongs to a stranger if the
// repository does, so it may set nothing that writes, runs, or points outside the repository.
type Config uint8

const (
	Unanswered Config = iota // of the flags of commands that read no configuration
	Never                    // only the command line
	Named                    // also a configuration that a person names with --config
	Found                    // also one that refract finds
)

// InGroup returns flags with a title for each.
func InGroup(title string, flags []Flag) []Flag {
	for i := range flags {
		flags[i].Group = title
	}
	return flags
}

// Pick returns the flags that names lists, in this order.
func Pick(flags []Flag, names string) (picked []Flag) {
	for name := range strings.FieldsSeq(names) {
		picked = append(picked, flags[indexFlag(flags, name)])
	}
	return picked
}

// indexFlag returns the index of the flag called name, or -1.
func indexFlag(flags []Flag, name string) int {
	return slices.IndexFunc(flags, func(f Flag) bool { return f.Name == name })
}

// Fixed returns a function that returns values, for Flag.Values.
func Fixed(values ...string) func() []string { return func() []string { return values } }

// declare adds f to a set of flags.
func (f *Flag) declare(l *pflag.FlagSet) {
	switch v := f.Var.(type) {
	case pflag.Value:
		l.VarP(v, f.Name, f.Short, f.Help)
	case *bool:
		l.BoolVarP(v, f.Name, f.Short, *v, f.Help)
	case *int:
		l.IntVarP(v, f.Name, f.Short, *v, f.Help)
	case *string:
		l.StringVarP(v, f.Name, f.Short, *v, f.Help)
	case *[]string:
		if f.Each {
			l.StringArrayVarP(v, f.Name, f.Short, *v, f.Help)
		} else {
			l.StringSliceVarP(v, f.Name, f.Short, *v, f.Help)
		}
	default:
		panic(fmt.Sprintf("--%s has a %T", f.Name, f.Var))
	}
	declared := l.Lookup(f.Name)
	declared.Hidden = f.Group == ""
	declared.NoOptDefVal = cmp.Or(f.None, declared.NoOptDefVal)
}
