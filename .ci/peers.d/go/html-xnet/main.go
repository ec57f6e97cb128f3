// Html-xnet prints the attributes with URLs that the tokenizer of golang.org/x/net/html finds in the files
// of a directory.
package main

import (
	"bufio"
	"bytes"
	"log"
	"os"
	"path/filepath"

	"golang.org/x/net/html"
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
	z := html.NewTokenizer(bytes.NewReader(src))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			_, more := z.TagName()
			for more {
				var key, value []byte
				key, value, more = z.TagAttr()
				switch string(key) {
				case "href", "src", "action", "cite", "data", "poster":
					out.Write(value)
					out.WriteByte('\n')
				}
			}
		}
	}
}
