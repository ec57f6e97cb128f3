package audit_test

import (
	"testing"

	"example.org/refract/internal/audittest"
)

// What a build shows decides where no model can.
func TestWitness(t *testing.T) { audittest.Run(t, "witness/testdata/witness.txtar") }
