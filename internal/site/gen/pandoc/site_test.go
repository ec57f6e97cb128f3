package pandoc

import (
	"testing"

	"example.org/refract/internal/site/sitetest"
)

func TestQuarto(t *testing.T) {
	for _, name := range []string{"quarto", "book", "rendered"} {
		sitetest.Run(t, Quarto, "testdata/"+name+".txtar")
	}
}

func TestBookdown(t *testing.T) {
	for _, name := range []string{"bookdown", "files"} {
		sitetest.Run(t, Bookdown, "testdata/"+name+".txtar")
	}
}
