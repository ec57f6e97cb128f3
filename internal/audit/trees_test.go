package audit_test

import (
	"testing"

	"example.org/refract/internal/testing/audittest"
)

// What a build shows decides where no model can.
func TestWitness(t *testing.T) { audittest.Run(t, "witness/testdata/witness.txtar") }

// Small trees for the rules of package judge.
func TestJudge(t *testing.T) { audittest.Run(t, "judge/testdata/judge.txtar") }
