package jekyll

import (
	"testing"

	"example.org/refract/internal/site/sitetest"
)

func TestSite(t *testing.T) {
	for _, name := range []string{"jekyll", "collections", "pretty"} {
		sitetest.Run(t, Generator, "testdata/"+name+".txtar")
	}
}
