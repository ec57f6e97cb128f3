package starlight

import (
	"testing"

	"example.org/refract/internal/site/sitetest"
)

func TestSite(t *testing.T) {
	for _, name := range []string{"starlight", "astro", "languages"} {
		sitetest.Run(t, Generator, "testdata/"+name+".txtar")
	}
}
