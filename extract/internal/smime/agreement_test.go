package smime

import (
	"bytes"
	"strings"
	"testing"

	"example.org/refract/internal/testing/mailtest"
	"example.org/refract/internal/testing/scantest"
)

// The table counts what was compared with OpenSSL. Of each class, a file of our own gives the same here: whoever adds a
// class adds a file.
func TestAgreement(t *testing.T) {
	isContent := func(src []byte, want string) bool {
		got, _, err := read(src)
		return got == want && err == nil && Is(src)
	}
	samples := map[string]func() bool{
		"the content": func() bool {
			return isContent(mailtest.Signed(entity, 0), entity) && isContent(mailtest.Signed(entity, 10), entity)
		},
		"the references": func() bool { // a text that does not begin with a field
			return isContent(mailtest.Signed("\r\nhttp://a.example/", 0), "\r\nhttp://a.example/")
		},
		"test documents of which": func() bool {
			got, _, err := read(bytes.TrimSuffix(mailtest.Signed(entity, 10), []byte{0, 0}))
			return got == entity && err == nil
		},
		"encrypted": func() bool {
			_, _, err := read([]byte(value(tagSequence, pkcs7("\x03"), value(tagExplicit))))
			return err == ErrEncrypted
		},
	}
	for _, row := range scantest.Rows(t, "testdata/agreement.tsv", 5) {
		files, same, different := scantest.Number(t, row[1]), scantest.Number(t, row[2]), scantest.Number(t, row[3])
		if same+different != files {
			t.Errorf("%s: %d and %d of %d files", row[0], same, different, files)
		}
		if different > 0 && row[4] == "" {
			t.Errorf("%s: no reason", row[0])
		}
		found := 0
		for class, holds := range samples {
			if strings.HasPrefix(row[0], class) {
				found++
				if !holds() {
					t.Errorf("%s: a file of this class differs", row[0])
				}
			}
		}
		if found != 1 {
			t.Errorf("%s: %d files of this class", row[0], found)
		}
	}
}
