package auditflags

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// givenFlags are the flags of a command line, to which settings of an editor and configuration files are
// added, for one folder after the other.
type givenFlags struct {
	cmd    *cobra.Command
	values map[*pflag.Flag]givenFlag
}

type givenFlag struct {
	list    []string // of a flag that takes several values
	value   string
	changed bool
}

// FlagsOf returns the flags that the command line of cmd has set.
func FlagsOf(cmd *cobra.Command) *givenFlags {
	g := &givenFlags{cmd, map[*pflag.Flag]givenFlag{}}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		was := givenFlag{value: f.Value.String(), changed: f.Changed}
		if many, ok := f.Value.(pflag.SliceValue); ok {
			was.list = append([]string{}, many.GetSlice()...)
		}
		g.values[f] = was
	})
	return g
}

// Restore sets all flags as on the command line.
func (g *givenFlags) Restore() {
	for f, was := range g.values {
		if many, ok := f.Value.(pflag.SliceValue); ok {
			many.Replace(was.list)
		} else {
			f.Value.Set(was.value)
		}
		f.Changed = was.changed
	}
}

// Apply sets flags, given as --NAME=VALUE, that the command line does not set. On error, the other
// flags are still set.
func (g *givenFlags) Apply(settings []string) (failure error) {
	for _, setting := range settings {
		name, value, _ := strings.Cut(strings.TrimPrefix(setting, "--"), "=")
		f := g.cmd.Flags().Lookup(name)
		switch {
		case f == nil || f.Hidden || name == "help" || name == "version" || name == "base":
			failure = cmp.Or(failure, fmt.Errorf("%q is not a flag of %s", name, g.cmd.CommandPath()))
		case g.values[f].changed:
		default:
			if err := g.cmd.Flags().Set(name, value); err != nil {
				failure = cmp.Or(failure, fmt.Errorf("%s: %w", name, err))
			}
		}
	}
	return failure
}
