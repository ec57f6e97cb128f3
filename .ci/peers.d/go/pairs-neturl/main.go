// Pairs-neturl resolves the pairs of standard input, a base, a tab and a reference in each line, with net/url.
package main

import (
	"bufio"
	"net/url"
	"os"
	"strings"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	defer out.Flush()
	var last string
	var base *url.URL
	for in.Scan() {
		text, ref, _ := strings.Cut(in.Text(), "\t")
		if text != last {
			base, _ = url.Parse(text)
			last = text
		}
		if base != nil {
			u, err := base.Parse(ref)
			if err == nil {
				out.WriteString(u.String())
			}
		}
		out.WriteByte('\n')
	}
}
