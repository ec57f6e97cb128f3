package witness_test

import (
	"testing"

	"example.org/refract/internal/audittest"
)

func TestWitness(t *testing.T) { audittest.Run(t, "testdata/witness.txtar") }
