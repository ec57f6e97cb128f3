package zipdoc_test

import (
	"fmt"

	"example.org/refract/internal/zipdoc"
)

func ExampleReadBook() {
	members := map[string]string{
		zipdoc.ContainerName: `<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
		"OEBPS/book.opf": `<package>
			<manifest><item id="one" href="ch%201.xhtml" media-type="application/xhtml+xml"/></manifest>
			<spine><itemref idref="one"/><itemref idref="two"/></spine>
		</package>`,
	}
	book := zipdoc.ReadBook(func(name string) []byte { return []byte(members[name]) })
	fmt.Println(book.Packages, book.Spine)
	for _, m := range book.Missing {
		fmt.Println("no item has the id", m.ID)
	}
	// Output:
	// [OEBPS/book.opf] [OEBPS/ch 1.xhtml]
	// no item has the id two
}
