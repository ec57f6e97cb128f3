package searchcmd

import (
	"errors"
	"fmt"
	"strings"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/extract"
	"example.org/refract/resolve"
)

// resolutionFlag returns --resolution. read sets the rules of cfg from it.
func resolutionFlag(cfg *extract.Config) (flag cli.Flag, read func() error) {
	text := "rfc3986"
	flag = cli.Flag{Name: "resolution", Var: &text, Shared: true, Values: resolve.RulesNames, Config: cli.Found, OfRevision: true,
		Brief: "resolution algorithm `RULES`, such as rfc1808 or whatwg",
		Help:  "resolution algorithm `RULES`: " + strings.Join(resolve.RulesNames(), ", ") + ";\nsingle points after commas, as in rfc3986,above-root=retain: see \"refract help resolution\""}
	return flag, func() (err error) {
		cfg.Rules, err = resolve.ParseRules(text)
		if err != nil {
			return cli.Listed(fmt.Errorf("--resolution %s", strings.TrimPrefix(err.Error(), "resolve: ")))
		}
		if cfg.ParserDifferences && cfg.Rules.Browser {
			return errors.New("--parser-differences compares RFC 3986 with browsers: leave out --resolution whatwg")
		}
		return nil
	}
}
