//go:build !js

package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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

// The outcome has the first findings of many, and counts all.
func TestOutcome(t *testing.T) {
	d := newDropped()
	for name, text := range map[string]string{
		"docs/a.md": strings.Repeat("[x](none.md) ", maxShown+1) + "\n",
	} {
		if err := d.add(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	text, err := d.audit()
	if err != nil {
		t.Fatal(err)
	}
	var o outcome
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatal(err)
	}
	if o.Count <= maxShown || len(o.Findings) != maxShown || o.Checked != maxShown+1 {
		t.Errorf("%d of %d findings; %d references are judged", len(o.Findings), o.Count, o.Checked)
	}
}

// Of an archive, directories and links are passed over; a member that is damaged is an error that names it.
func TestUnpack(t *testing.T) {
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	link := &zip.FileHeader{Name: "link.md"}
	link.SetMode(0o777 | fs.ModeSymlink)
	for _, h := range []*zip.FileHeader{{Name: "docs/"}, link, {Name: `docs\a.md`}} {
		w, err := z.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(h.Name, "/") {
			io.WriteString(w, "[b](b.md) \n")
		}
	}
	z.Close()
	d := newDropped()
	if err := d.add("a.zip", archive.Bytes()); err != nil {
		t.Fatal(err)
	}
	text, err := d.audit()
	if err != nil || !strings.Contains(string(text), `"docs/a.md","line":1`) || !strings.Contains(string(text), `"documents":1`) {
		t.Errorf("%s %v", text, err)
	}
	at := bytes.LastIndex(archive.Bytes(), []byte("[b](b.md)"))
	damaged := bytes.Clone(archive.Bytes())
	damaged[at]++
	if err := newDropped().add("a.zip", damaged); err == nil || !strings.Contains(err.Error(), `docs\\a.md`) {
		t.Errorf("damaged: %v", err)
	}
	unknown := bytes.Clone(archive.Bytes())
	unknown[bytes.LastIndex(unknown, []byte("PK\x01\x02"))+10] = 99 // the method in the last directory entry
	if err := newDropped().add("a.zip", unknown); err == nil || !strings.Contains(err.Error(), `docs\\a.md`) {
		t.Errorf("of an unknown method: %v", err)
	}
}

func TestRun(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.md")
	if err := os.WriteFile(name, []byte("[b](none.md)\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args      []string
		code      int
		out, errs string
	}{
		{[]string{name}, 0, `"rule":"missing-file"`, ""}, {[]string{"-policy"}, 0, "default-src 'none'", ""}, {nil, 2, "", "no document"}, {[]string{name + "x"}, 2, "", "a.mdx"},
	} {
		var out, errs strings.Builder
		code := run(tt.args, &out, &errs)
		if code != tt.code || !strings.Contains(out.String(), tt.out) || !strings.Contains(errs.String(), tt.errs) || (code == 0) != (errs.Len() == 0) || (code == 0) != (out.Len() > 0) {
			t.Errorf("%q: %d %s%s", tt.args, code, &out, &errs)
		}
	}
}
