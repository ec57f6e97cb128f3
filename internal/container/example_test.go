package container_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"

	"example.org/refract/internal/container"
)

func ExampleZip() {
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	f, _ := w.Create("docs/a.md")
	f.Write([]byte("[b](b.md)\n"))
	w.Create("docs/empty.md")
	w.Close()

	for m, err := range container.Zip(bytes.NewReader(archive.Bytes()), int64(archive.Len()), 100) {
		if err != nil {
			fmt.Println(err) // the archive is damaged, or has more than 100 members
			return
		}
		r, err := m.Open()
		if err != nil {
			fmt.Println(m.Name, err) // an encrypted member, for example
			continue
		}
		text, err := io.ReadAll(io.LimitReader(r, 1<<20))
		fmt.Printf("%s %q %v\n", m.Name, text, err)
	}
	// Output:
	// docs/a.md "[b](b.md)\n" <nil>
	// docs/empty.md "" <nil>
}
