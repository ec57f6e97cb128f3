package wiki

import (
	"testing"

	"example.org/refract/internal/site/sitetest"
)

func TestObsidian(t *testing.T) { sitetest.Run(t, Obsidian, "testdata/obsidian.txtar") }

func TestQuartz(t *testing.T) { sitetest.Run(t, Quartz, "testdata/quartz.txtar") }

func TestWiki(t *testing.T) {
	sitetest.Run(t, Wiki, "testdata/wiki.txtar")
	sitetest.Run(t, Wiki, "testdata/other.txtar")
}

func TestAzureWiki(t *testing.T) { sitetest.Run(t, AzureWiki, "testdata/azure.txtar") }
