package conf

import (
	"fmt"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// Configurations have the values that they had.
func TestPinned(t *testing.T) {
	mixture := func(name string) scantest.Mixture {
		tokens := "{ } [ ] [[ ]] , : :\\s = \\s=\\s ' \" \"\"\" ''' \\ # // - -\\s --- ... | > |- & * *a &a !! << \\n \\n\\s\\s \\s\\s \\s a b. 1 1.5 0x1 true null ~ yes [a] [a.b] a\\s=\\s1 a:\\s1 <<:"
		return scantest.Mixture{Grammar: scantest.Grammar{Tokens: tokens}, Count: 900}
	}
	scantest.Pinned(t, mixture, func(name string, _ int, doc []byte) string {
		front, body := FrontMatter(doc)
		return fmt.Sprintf("%+v\n%+v %d\n", Read(name, doc), front, body)
	})
}
