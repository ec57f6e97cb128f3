//go:build peers

package playground

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"io"
	"testing"
)

// zipped returns an archive of one document, in base64.
func zipped(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("docs/a.md")
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "[b](b.md)\n")
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}
