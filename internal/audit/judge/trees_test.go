package judge_test

import (
	"testing"

	"example.org/refract/internal/audit/audittest"
)

func TestTrees(t *testing.T) { audittest.Run(t, "testdata/judge.txtar") }
