package pandoc

import (
	"testing"

	"example.org/refract/internal/site/sitetest"
)

func TestQuarto(t *testing.T) { sitetest.Run(t, Quarto, "testdata/quarto.txtar") }

func TestBookdown(t *testing.T) { sitetest.Run(t, Bookdown, "testdata/bookdown.txtar") }
