package eleventy

import (
	"testing"

	"example.org/refract/internal/site/sitetest"
)

func TestSite(t *testing.T) {
	for _, name := range []string{"eleventy", "plugins", "open"} {
		sitetest.Run(t, Generator, "testdata/"+name+".txtar")
	}
}
