package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/refract/extract"
)

// An Env is shared by the main command and its subcommands: the values of the main command's flags, once
// they are read.
type Env struct {
	Config    *extract.Config // rules and bases
	JSON      *bool
	ReadRules func() error // sets the rules in Config from flags again
	Root      *Command
}

// A Command is a command, or a topic of the help, with its flags.
type Command struct {
	*cobra.Command
	List   []Flag        // in the order of --help; groups are in the order of their first flags
	Common string        // the flags that -h shows, in this order; "" if -h shows all
	End    string        // follows the flags in the help
	Late   func() string // makes the text of a topic that is slow to make
	Schema func() []byte // makes what "refract help NAME --schema" prints; nil: nothing

	Subs   []*Command
	parent *Command
}

// NewCommand returns a command with flags. The help of each ends with --help and --version.
func NewCommand(c *cobra.Command, common string, flags ...[]Flag) *Command {
	cmd := &Command{Command: c, Common: common, List: slices.Concat(flags...)}
	c.Flags().SortFlags = false
	c.PersistentFlags().SortFlags = false
	for i := range cmd.List {
		switch f := &cmd.List[i]; {
		case f.Var == nil:
		case f.Shared:
			f.declare(c.PersistentFlags())
		default:
			f.declare(c.Flags())
		}
	}
	return cmd
}

// NewTopic returns a topic, or a command without flags of its own.
func NewTopic(c *cobra.Command) *Command { return &Command{Command: c} }

// Add adds subcommands and topics.
func (c *Command) Add(subs ...*Command) {
	for _, sub := range subs {
		c.AddCommand(sub.Command)
		sub.parent = c
	}
	c.Subs = append(c.Subs, subs...)
}

// known returns what is known about a flag of c, which may be one of the main command; nil if it is one of cobra's.
func (c *Command) known(name string) *Flag {
	for ; c != nil; c = c.parent {
		if i := slices.IndexFunc(c.List, func(f Flag) bool { return f.Name == name && f.Var != nil }); i >= 0 {
			return &c.List[i]
		}
	}
	return nil
}

// Sub returns the subcommand called name, or nil.
func (c *Command) Sub(name string) *Command {
	if i := slices.IndexFunc(c.Subs, func(sub *Command) bool { return sub.Name() == name }); i >= 0 {
		return c.Subs[i]
	}
	return nil
}

// Of returns the command, of c and its subcommands, that is inner. Those that cobra makes have no list.
func (c *Command) Of(inner *cobra.Command) *Command {
	for _, sub := range append(c.Subs, c) {
		if sub.Command == inner {
			return sub
		}
	}
	return &Command{Command: inner, parent: c}
}

// A FlagGroup is a part of the list of flags in the help.
type FlagGroup struct {
	Title string
	Flags []*pflag.Flag
}

// Groups returns the flags that the help shows.
func (c *Command) Groups() (groups []FlagGroup) {
	add := func(title, name string) {
		f := c.Flag(name)
		if f == nil || title == "" {
			return
		}
		i := slices.IndexFunc(groups, func(g FlagGroup) bool { return g.Title == title })
		if i < 0 {
			i = len(groups)
			groups = append(groups, FlagGroup{Title: title})
		}
		groups[i].Flags = append(groups[i].Flags, f)
	}
	last := "Help"
	if c.List == nil {
		last = "Flags"
		c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				add(last, f.Name)
			}
		})
	}
	for i := range c.List {
		if f := &c.List[i]; f.Topic == "" {
			add(f.Group, f.Name)
		}
	}
	if c.HasParent() {
		add(last, "help")
		add(last, "version")
	}
	return groups
}

// In returns the flags that a topic shows.
func (c *Command) In(topic string) (flags []*pflag.Flag) {
	for i := range c.List {
		if c.List[i].Topic == topic {
			flags = append(flags, c.Flag(c.List[i].Name))
		}
	}
	return flags
}

// CheckTogether reports flags that cannot be combined.
func (c *Command) CheckTogether() error {
	var set []string
	c.Flags().Visit(func(f *pflag.Flag) { set = append(set, f.Name) })
	if len(set) < 2 {
		return nil
	}
	slices.Sort(set)
	for i, name := range set {
		clash := []string{name}
		for _, other := range set[i+1:] {
			if !slices.ContainsFunc(clash, func(one string) bool { return !c.excludes(one, other) }) {
				clash = append(clash, other)
			}
		}
		if len(clash) > 1 {
			flags := "--" + strings.Join(clash, " and --")
			return fmt.Errorf("%s cannot be used together%s", flags, insteadOf[flags])
		}
	}
	return nil
}

// insteadOf says what to do in place of two flags that cannot be combined.
var insteadOf = map[string]string{
	"--count and --unique":  ": --count prints each value once, with its number",
	"--edges and --parquet": ": give its columns, --fields document,url,kind",
}

// excludes reports whether two flags cannot be combined.
func (c *Command) excludes(a, b string) bool {
	not := func(a, b string) bool {
		i := indexFlag(c.List, a)
		return i >= 0 && slices.Contains(strings.Fields(c.List[i].Not), b)
	}
	return not(a, b) || not(b, a)
}
