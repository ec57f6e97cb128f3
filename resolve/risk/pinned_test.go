package risk

import (
	"fmt"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// URLs have the risks and readers that they had.
func TestPinned(t *testing.T) {
	tokens := scantest.Grammar{Tokens: `http:// https:// HTTP:/ http: // / mailto: ftp: file:// gopher:// data: ws: x: h:// \\ ? # @ : [ ] [::1] [::1%25z] [v1.x] [v.x] [1.2.3.4] :80 :8a :65536 :1023
		%2 %20 %7F %1F %2E %2F %5B . .. a Z - -- xn-- xn--a xn--e1afmkfd x%6E-- localhost local internal arpa home.arpa example.com 127.0.0.1 10.0.0.1 1 0x 0X 08 255 \s \t \n ! " ~ é б а 漢 ひ ㄅ 한 α ① 。 ⁄ u:p@ www.e.com&x=y@ text/html`}
	mixture := func(string) scantest.Mixture { return scantest.Mixture{Grammar: tokens, Count: 3000, Pieces: 6} }
	scantest.Pinned(t, mixture, func(_ string, _ int, doc []byte) string {
		return fmt.Sprintln(Of(doc), risks(doc), IsPlain(doc), Readers(doc))
	})
}
