package docsify

import (
	"testing"

	"example.org/refract/internal/site/sitetest"
)

func TestSite(t *testing.T) {
	for _, name := range []string{"docsify", "options", "open", "none"} {
		sitetest.Run(t, Generator, "testdata/"+name+".txtar")
	}
}
