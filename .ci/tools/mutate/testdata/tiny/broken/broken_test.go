// Package broken imports tiny, too. Its test fails, so that it can notice nothing.
package broken

import (
	"testing"

	"tiny"
)

func Test(t *testing.T) { t.Error(tiny.Small(3)) }
