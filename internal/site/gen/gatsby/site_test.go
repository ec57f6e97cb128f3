package gatsby

import (
	"testing"

	"example.org/refract/internal/site/sitetest"
)

func TestSite(t *testing.T) { sitetest.Run(t, Generator, "testdata/gatsby.txtar") }
