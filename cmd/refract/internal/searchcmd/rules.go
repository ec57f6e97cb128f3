package searchcmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/extract"
	"example.org/refract/resolve"
)

// ruleFlags returns --rules and the flags that adjust single rules. read sets the rules of cfg from them;
// changed reports whether the command line or a configuration sets a flag.
func ruleFlags(cfg *extract.Config, changed func(name string) bool) (flags []cli.Flag, read func() error) {
	name := "rfc3986"
	flags = []cli.Flag{{Name: "rules", Var: &name, Shared: true, Values: resolve.RulesNames, Config: cli.Found, OfRevision: true,
		Brief: "resolve by the `RULES` of a document, such as rfc1808 or whatwg (default rfc3986)",
		Help:  "resolve by `RULES`: " + strings.Join(resolve.RulesNames(), ", ")}}
	var turns []func() error
	rules := &cfg.Rules
	for _, k := range resolve.Knobs() {
		value := k.Values[0]
		flags = append(flags, cli.Flag{Name: k.Name, Var: &value, Shared: true, Values: cli.Fixed(k.Values...), Config: cli.Found, OfRevision: true,
			Help: "`MODE` for " + strings.ReplaceAll(k.Doc, "`", "") + ": " + strings.Join(k.Values, ", ")})
		turns = append(turns, func() error {
			if !changed(k.Name) {
				return nil
			}
			if !slices.Contains(k.Values, value) {
				return cli.BadValue("--"+k.Name, value, k.Values)
			}
			if rules.Browser {
				return fmt.Errorf("--%s: it has no effect with --rules whatwg: leave one out", k.Name)
			}
			return rules.Set(k.Name, value)
		})
	}
	return flags, func() error {
		named, ok := resolve.RulesNamed(name)
		if !ok {
			return cli.BadValue("--rules", name, resolve.RulesNames())
		}
		*rules = named
		for _, turn := range turns {
			if err := turn(); err != nil {
				return err
			}
		}
		if cfg.TwoReadings && rules.Browser {
			return errors.New("--two-readings compares RFC 3986 with browsers: leave out --rules whatwg")
		}
		return nil
	}
}
