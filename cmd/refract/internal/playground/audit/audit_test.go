package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// An archive has the same findings as the files in it, and no file leaves the tree.
func TestAudit(t *testing.T) {
	files := map[string]string{"docs/a.md": "[b](b.md) [c](c.md)\n", "docs/b.md": "[a](a.md)\n", "../../out.md": "[a](docs/a.md)\n"}
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	plain := newDropped()
	for name, text := range files {
		if err := plain.add(name, []byte(text)); err != nil {
			t.Error(err)
		}
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, text)
	}
	z.Close()
	packed := newDropped()
	if err := packed.add("docs.ZIP", archive.Bytes()); err != nil {
		t.Error(err)
	}
	for name, d := range map[string]*dropped{"files": plain, "archive": packed} {
		text, err := d.audit()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var o outcome
		if err := json.Unmarshal(text, &o); err != nil {
			t.Fatal(err)
		}
		if o.Count != 1 || o.Documents != 3 || len(o.Findings) != 1 || o.Findings[0].Text != `no such file: "docs/c.md"` || !strings.Contains(o.Report, "docs/c.md") {
			t.Errorf("%s: %+v", name, o)
		}
	}
	if _, err := newDropped().audit(); err == nil {
		t.Error("an audit of nothing")
	}
	if err := newDropped().add("a.zip", []byte("PK")); err == nil {
		t.Error("not an archive")
	}
	full := newDropped()
	full.size = maxTotal
	if err := full.add("a.md", []byte("a")); err != errTooLarge {
		t.Error(err)
	}
	full.size = maxTotal - 1
	if err := full.add("a.zip", archive.Bytes()); err != errTooLarge {
		t.Error(err)
	}
}
