package fumadocs

import (
	"testing"

	"example.org/refract/internal/site/sitetest"
)

func TestSite(t *testing.T) {
	for _, name := range []string{"fumadocs", "languages"} {
		sitetest.Run(t, Generator, "testdata/"+name+".txtar")
	}
}
