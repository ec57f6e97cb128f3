package output_test

import (
	"testing"

	"example.org/refract/cmd/refract/internal/program"
	"example.org/refract/internal/testing/cmdtest"
)

func TestMain(m *testing.M) { cmdtest.Main(m, program.Main) }
