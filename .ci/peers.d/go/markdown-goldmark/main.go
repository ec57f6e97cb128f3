// Markdown-goldmark parses the files of a directory as CommonMark, and prints how many links and images they have.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

func main() {
	entries, err := os.ReadDir(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	count := 0
	parser := goldmark.DefaultParser()
	for _, entry := range entries {
		src, err := os.ReadFile(filepath.Join(os.Args[1], entry.Name()))
		if err != nil {
			log.Fatal(err)
		}
		err = ast.Walk(parser.Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if entering && (n.Kind() == ast.KindLink || n.Kind() == ast.KindImage || n.Kind() == ast.KindAutoLink) {
				count++
			}
			return ast.WalkContinue, nil
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(count)
}
