package cli

// Known is for tests.
func (c *Command) Known(name string) *Flag { return c.known(name) }
