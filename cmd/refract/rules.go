package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/refract/resolve"
)

// addRules adds --rules and the flags that adjust single rules. read sets rules from them.
func addRules(cmd *cobra.Command, rules *resolve.Rules) (read func() error) {
	var (
		name  string
		turns []func() error
	)
	p := cmd.PersistentFlags()
	p.StringVar(&name, "rules", "rfc3986", "resolve by `RULES`: "+strings.Join(resolve.Names(), ", "))
	for _, k := range resolve.Knobs() {
		value := p.String(k.Name, k.Values[0], "`MODE` for "+strings.ReplaceAll(k.Doc, "`", "")+": "+strings.Join(k.Values, ", "))
		if k.Name != "above-root" && k.Name != "same-scheme" {
			p.MarkHidden(k.Name)
		}
		turns = append(turns, func() error {
			if !p.Changed(k.Name) {
				return nil
			}
			if !slices.Contains(k.Values, *value) {
				return badValue("--"+k.Name, *value, k.Values)
			}
			if rules.Browser {
				return fmt.Errorf("--%s: it has no effect with --rules whatwg: leave one out", k.Name)
			}
			return rules.Set(k.Name, *value)
		})
	}
	return func() error {
		named, ok := resolve.Named(name)
		if !ok {
			return badValue("--rules", name, resolve.Names())
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
