package vocs

import (
	"testing"

	"example.org/refract/internal/site/sitetest"
)

func TestSite(t *testing.T) { sitetest.Run(t, Generator, "testdata/vocs.txtar") }
