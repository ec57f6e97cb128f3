// Zero values work.
package main

import (
	"fmt"
	"os"

	"example.org/refract/audit"
	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/resolve"
)

func main() {
	var tree audit.Overlay
	tree.Write("/new.md", []byte("# New\n"))
	info, err := tree.Stat("/new.md")
	fmt.Println(info.Size(), err)
	url, differs := new(resolve.Readings).AppendBrowser(nil, []byte(`http://h\x`))
	fmt.Println(string(url), differs)
	for range new(extract.Batch).References() {
		panic("a reference")
	}
	var known *audit.Baseline
	known.Write(os.Stdout, ".")
	_, _, err = base.Base{}.Append(nil, []byte("x"))
	fmt.Println(scan.Kind(99), err)
}
