package mkdocs

import (
	"testing"

	"example.org/refract/internal/site/sitetest"
)

func TestSite(t *testing.T) {
	for _, name := range []string{"mkdocs", "languages", "folders", "plugins", "samedir"} {
		sitetest.Run(t, Generator, "testdata/"+name+".txtar")
	}
}

func TestZensical(t *testing.T) { sitetest.Run(t, Generator, "testdata/zensical.txtar") }

func TestHooks(t *testing.T) { sitetest.Run(t, Generator, "testdata/hooks.txtar") }

func TestOwnHooks(t *testing.T) { sitetest.Run(t, Generator, "testdata/hooks-own.txtar") }
