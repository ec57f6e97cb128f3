package audit_test

import (
	"testing"

	"example.org/refract/internal/testing/audittest"
)

// What a build shows decides where no model can.
func TestBuildMatch(t *testing.T) { audittest.Run(t, "buildmatch/testdata/match.txtar") }

// Small trees for the rules of package judge.
func TestJudge(t *testing.T) { audittest.Run(t, "judge/testdata/judge.txtar") }
