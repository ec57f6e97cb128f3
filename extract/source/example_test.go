package source_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"testing/fstest"

	"example.org/refract/extract"
	"example.org/refract/extract/source"
)

func Example() {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	fmt.Fprint(z, "[more](https://www.example.org/more)")
	z.Close()
	files := source.Options{FS: fstest.MapFS{
		"docs/.gitignore": {Data: []byte("draft.md\n")}, // .git makes it count
		".git":            {},
		"docs/draft.md":   {Data: []byte("[x](https://www.example.org/x)")},
		"docs/index.html": {Data: []byte("<a href=https://www.example.org/>home</a>")},
		"docs/old.md.gz":  {Data: packed.Bytes()},
		"mail/cur/1:2,S":  {Data: []byte("Subject: x\n\nsee https://www.example.org/mail\n")},
		"mail/new":        {Mode: 0o755 | 1<<31},
		"mail/tmp/2":      {Data: []byte("https://www.example.org/unfinished")},
	}}
	for f, err := range files.Files("docs", "mail") {
		if err != nil {
			fmt.Println(err)
			continue
		}
		for ref, err := range f.Walk(extract.Config{}) {
			if err != nil {
				fmt.Println(err)
				break
			}
			fmt.Printf("%s %s\n", f.Name, ref.URL)
		}
	}
	// Output:
	// docs/index.html https://www.example.org/
	// docs/old.md.gz https://www.example.org/more
	// mail/cur/1:2,S https://www.example.org/mail
}
