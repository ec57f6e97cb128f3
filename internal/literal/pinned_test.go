package literal

import (
	"fmt"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// Programs and JSON have the values that they had.
func TestPinned(t *testing.T) {
	languages := map[string]Language{"javascript": JavaScript, "python": Python, "json": JSON}
	mixture := func(name string) scantest.Mixture {
		tokens := "{ } [ ] ( ) , : ; = == => ... . + || ?? ' \" ` ${ \\ // /* */ # \\n \\s\\s \\s a b if else return const let export default module.exports import from function 1 1.5 0x1 true null f\" r' \"\"\" def for in lambda None True += if( <a /x/ async"
		return scantest.Mixture{Grammar: scantest.Grammar{Tokens: tokens}, Count: 900}
	}
	scantest.Pinned(t, mixture, func(name string, _ int, doc []byte) string { return fmt.Sprintf("%+v\n", Read(doc, languages[name])) })
}
