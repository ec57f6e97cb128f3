// Html-tdewolff prints the attributes with URLs that the lexer of tdewolff/parse finds in the files of a directory. It
// does not decode character references.
package main

import (
	"bufio"
	"bytes"
	"log"
	"os"
	"path/filepath"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/html"
)

func main() {
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	defer out.Flush()
	entries, err := os.ReadDir(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	for _, entry := range entries {
		src, err := os.ReadFile(filepath.Join(os.Args[1], entry.Name()))
		if err != nil {
			log.Fatal(err)
		}
		list(out, src)
	}
}

func list(out *bufio.Writer, src []byte) {
	lexer := html.NewLexer(parse.NewInputBytes(src))
	for {
		token, _ := lexer.Next()
		switch token {
		case html.ErrorToken:
			return
		case html.AttributeToken:
			switch string(lexer.AttrKey()) {
			case "href", "src", "action", "cite", "data", "poster":
				out.Write(bytes.Trim(lexer.AttrVal(), `"'`))
				out.WriteByte('\n')
			}
		}
	}
}
