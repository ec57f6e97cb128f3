package hugo

import (
	"testing"

	"example.org/refract/internal/site/sitetest"
)

func TestSite(t *testing.T) {
	sitetest.Run(t, Generator, "testdata/hugo.txtar")
	sitetest.Run(t, Generator, "testdata/mounts.txtar")
}
