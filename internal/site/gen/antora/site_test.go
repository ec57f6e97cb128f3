package antora

import (
	"testing"

	"example.org/refract/internal/site/sitetest"
)

func TestSite(t *testing.T) {
	sitetest.Run(t, Generator, "testdata/antora.txtar")
	sitetest.Run(t, Generator, "testdata/catalog.txtar")
	sitetest.Run(t, Generator, "testdata/playbooks.txtar")
}
