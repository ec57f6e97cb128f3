package searchcmd

import (
	"fmt"

	"github.com/spf13/pflag"

	"example.org/refract/cmd/refract/internal/output"
)

// The values of --unique. Without one, each record is written when it first appears.
const (
	sorted   = "sorted"
	earliest = "earliest"
	first    = "first"
	last     = "last"
)

// age returns how dates decide what is written.
func (o *options) age() output.Age {
	switch o.unique.Value {
	case earliest:
		return output.Oldest
	case first:
		return output.First
	case last:
		return output.Last
	}
	if o.archived.Indexes != nil {
		return output.Archived
	}
	return output.AnyAge
}

// isDistinct reports whether the run needs all distinct records.
func (o *options) isDistinct() bool {
	return o.unique.IsSet() || o.count != "" || o.archived.Indexes != nil
}

// validateUnique reports flags that cannot be combined with values of --unique, and forms that cannot be
// combined with dates.
func (o *options) validateUnique(flags *pflag.FlagSet) error {
	age := o.age()
	if age == output.AnyAge {
		return nil
	}
	with, names := "--archived", "" // its flag lists the others
	if o.archived.Indexes == nil {
		with, names = "--unique="+o.unique.Value, notWithAges
	}
	if age == output.Oldest {
		names = "null checkpoint"
	}
	name, written := o.form()
	isLine := name == "edges" || name == "frontier"
	if o.isColumns() || isLine && age != output.Oldest {
		return fmt.Errorf("%s cannot be used with %s", with, written)
	}
	return without(flags, with, names)
}
