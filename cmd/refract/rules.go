package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/refract/resolve"
)

// addRules adds --rules and a flag for each of its knobs.
func addRules(cmd *cobra.Command, rules *resolve.Rules) {
	var (
		name  string
		turns []func() error
	)
	p := cmd.PersistentFlags()
	p.StringVar(&name, "rules", "rfc3986", "resolve by the `RULES` of one document: "+strings.Join(resolve.Names(), ", "))
	for _, k := range resolve.Knobs() {
		value := p.String(k.Name, k.Values[0], k.Doc+": "+strings.Join(k.Values, ", "))
		if k.Name != "above-root" && k.Name != "same-scheme" {
			p.MarkHidden(k.Name)
		}
		turns = append(turns, func() error {
			if !p.Changed(k.Name) {
				return nil
			}
			if !slices.Contains(k.Values, *value) {
				return fmt.Errorf("--%s %q: give %s", k.Name, *value, strings.Join(k.Values, " or "))
			}
			if rules.Browser {
				return fmt.Errorf("--%s: the rules of browsers have no knobs: leave out --rules whatwg", k.Name)
			}
			return rules.Set(k.Name, *value)
		})
	}
	cmd.PersistentPreRunE = func(*cobra.Command, []string) error {
		named, ok := resolve.Named(name)
		if !ok {
			return fmt.Errorf("--rules %q: give one of %s", name, strings.Join(resolve.Names(), ", "))
		}
		*rules = named
		for _, turn := range turns {
			if err := turn(); err != nil {
				return err
			}
		}
		if two, _ := p.GetBool("two-readings"); two && rules.Browser {
			return errors.New("--two-readings compares RFC 3986 with browsers: leave out --rules whatwg")
		}
		return nil
	}
}
