package nextra

import (
	"testing"

	"example.org/refract/internal/site/sitetest"
)

func TestSite(t *testing.T) {
	for _, name := range []string{"nextra", "locales", "none"} {
		sitetest.Run(t, Generator, "testdata/"+name+".txtar")
	}
}
