package output_test

import (
	"testing"

	"example.org/refract/cmd/refract/internal/cmdtest"
	"example.org/refract/cmd/refract/internal/program"
)

func TestMain(m *testing.M) { cmdtest.Main(m, program.Main) }
