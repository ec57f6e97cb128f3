package sphinx

import (
	"testing"

	"example.org/refract/internal/site/sitetest"
)

func TestSite(t *testing.T) {
	for _, name := range []string{"sphinx", "dirhtml", "book", "sections", "myst", "files"} {
		sitetest.Run(t, Generator, "testdata/"+name+".txtar")
	}
}
