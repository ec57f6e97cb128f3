//go:build ablate

package ablate

import (
	"os"
	"slices"
	"strings"
)

// off holds the rules that are switched off, as "table: name", separated by commas.
var off = strings.Split(os.Getenv("REFRACT_OFF"), ",")

// Off reports whether a rule is switched off: one entry of a table of reasons, or one learner.
func Off(table, name string) bool { return slices.Contains(off, table+": "+name) }
