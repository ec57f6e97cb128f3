package gitbook

import (
	"testing"

	"example.org/refract/internal/site/sitetest"
)

func TestHonKit(t *testing.T) { sitetest.Run(t, HonKit, "testdata/honkit.txtar") }

func TestGitBook(t *testing.T) { sitetest.Run(t, GitBook, "testdata/gitbook.txtar") }
