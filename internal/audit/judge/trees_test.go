package judge_test

import (
	"testing"

	"example.org/refract/internal/audittest"
)

func TestJudge(t *testing.T) { audittest.Run(t, "testdata/judge.txtar") }

func TestTrees(t *testing.T) { audittest.Trees(t, "../testdata", "*") }
