package cli

import (
	"errors"
	"slices"
	"strings"
)

// A Choice is the value of a flag whose value is optional: "" or "false" (off), "true", or one of Values.
type Choice struct {
	Value  string
	Values []string
	Hint   string // ends the error about another value
}

func (c *Choice) String() string { return c.Value }

// Type returns "bool", so that help shows a flag that needs no value.
func (c *Choice) Type() string { return "bool" }

// IsSet reports whether the flag is on.
func (c *Choice) IsSet() bool { return c.Value != "" && c.Value != "false" }

// Set sets the value. An error lists the values.
func (c *Choice) Set(s string) error {
	if s != "true" && s != "false" && !slices.Contains(c.Values, s) {
		return errors.New("give " + strings.Join(c.Values, ", ") + ", or nothing" + c.Hint)
	}
	c.Value = s
	return nil
}
