package mkdocs

import (
	"testing"

	"example.org/refract/internal/site/sitetest"
)

func TestSite(t *testing.T) { sitetest.Run(t, Generator, "testdata/mkdocs.txtar") }

func TestZensical(t *testing.T) { sitetest.Run(t, Generator, "testdata/zensical.txtar") }
