// A walk ends with its context.
package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"example.org/refract/extract"
)

type reader struct {
	context.Context
	io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	n, text := 0, io.MultiReader(strings.NewReader(strings.Repeat("http://h/x\n", 1<<17)), strings.NewReader(strings.Repeat("http://h/y\n", 1<<20)))
	for ref, err := range new(extract.Config).Walk("a.txt", reader{ctx, text}) {
		if err != nil {
			fmt.Println(err, n < len("http://h/x")<<20)
			break
		}
		n += len(ref.Raw)
		cancel()
	}
}
