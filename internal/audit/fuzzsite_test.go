package audit

import (
	"path"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
	"github.com/rogpeppe/go-internal/txtar"
)

// FuzzSite audits the sites of testdata with text inserted into one of their files: a configuration, a
// page of navigation, a template or a document. Nothing may fail, and each finding must lie in its file.
func FuzzSite(f *testing.F) {
	names, _ := filepath.Glob("testdata/*.txtar")
	var trees [][]txtar.File
	for i, name := range names {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		var files []txtar.File
		for j, file := range ar.Files {
			if file.Name == "want" || strings.Contains(file.Name, "..") || len(file.Data) > 1<<14 {
				continue
			}
			if len(file.Data) < 2000 && (i+j)%scantest.Amount(64, 4) == 0 {
				f.Add(uint8(i), uint8(j), uint16(0), uint16(0), string(file.Data))
				f.Add(uint8(i+7), uint8(j), uint16(10), uint16(20), string(file.Data))
			}
			files = append(files, file)
		}
		trees = append(trees, files)
	}
	f.Fuzz(func(t *testing.T, tree, file uint8, at, end uint16, text string) {
		files := trees[int(tree)%len(trees)]
		if len(text) > 1<<12 || len(files) == 0 {
			return
		}
		docs := map[string]string{}
		for i, ar := range files {
			data := string(ar.Data)
			if i == int(file)%len(files) {
				from, to := min(int(at), len(data)), min(int(end), len(data))
				data = data[:from] + text + data[max(from, to):]
			}
			docs[strings.TrimPrefix(path.Clean("/"+ar.Name), "/")] = data
		}
		o := holding(docs)
		report, err := o.audit([]string{"."}, func(f *Finding) {
			text, ok := docs[strings.TrimPrefix(f.Path, "/t/")]
			if end := int(f.Pos.Offset) + f.Pos.Length; !ok && f.Ref != nil || end > len(text) || f.Pos.Line < 1 || f.Pos.Column < 0 {
				t.Errorf("%s: %+v of %d: %s", f.Path, f.Pos, len(text), f.Message)
			}
			if f.Suggestion != "" && f.Ref != nil && f.Suggestion == string(f.Ref.Ref) {
				t.Errorf("%s: %s %s suggests itself: %q", f.Path, f.Rule, f.Message, f.Suggestion)
			}
		})
		if err != nil || len(report.Errors) > 0 {
			t.Error(err, report.Errors)
		}
	})
}
