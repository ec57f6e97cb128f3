// Package zipdoc reads documents that are ZIP archives: EPUB, office documents. A Book is how an EPUB is
// put together: which members it declares, and in which order they are read (EPUB 3.3 sections 4 and 5; OPF
// 2.0.1). The references are those of its XML, XHTML and style sheets, which other packages scan.
package zipdoc

import (
	"io"

	"example.org/refract/internal/container"
	"example.org/refract/internal/decode"
)

// MaxMembers limits the members of a Document. They are held in memory.
const MaxMembers = 1 << 16

// A Document has the members of a ZIP archive which are files. The zero Document has none.
type Document struct {
	Members []container.Member // in the order of the directory
	Err     error              // what follows Members: the archive is damaged, or has more of them

	index map[string]int // by name; of those with the same name, the first
}

// Open lists at most limit members of the archive that r reads, which has size bytes.
func Open(r io.ReaderAt, size int64, limit int) *Document {
	d := &Document{index: make(map[string]int)}
	for m, err := range container.Zip(r, size, min(limit, MaxMembers)) {
		if err != nil {
			d.Err = err
			break
		}
		if !m.IsFile {
			continue
		}
		if _, again := d.index[m.Name]; !again {
			d.index[m.Name] = len(d.Members)
		}
		d.Members = append(d.Members, m)
	}
	return d
}

// Index returns the index of the first member with a name.
func (d *Document) Index(name string) (i int, ok bool) {
	i, ok = d.index[name]
	return i, ok
}

// Names returns the names of the members.
func (d *Document) Names() []string {
	names := make([]string, len(d.Members))
	for i := range d.Members {
		names[i] = d.Members[i].Name
	}
	return names
}

// Text returns the first limit bytes of the first member with a name, which is XML, in UTF-8; nil if there is none.
func (d *Document) Text(name string, limit int64) []byte {
	i, ok := d.Index(name)
	if !ok {
		return nil
	}
	r, err := d.Members[i].Open()
	if err != nil {
		return nil
	}
	if closer, ok := r.(io.Closer); ok {
		defer closer.Close()
	}
	src, _ := io.ReadAll(io.LimitReader(r, limit))
	return decodeMarkup(src)
}

// decodeMarkup returns src, which is XML, in UTF-8.
func decodeMarkup(src []byte) []byte {
	mark := decode.ByteOrderMark(src)
	if mark == "" {
		mark = decode.SniffUTF16(src[:min(len(src), 1024)])
	}
	switch mark {
	case "":
		return src
	case "utf-8":
		return src[3:]
	}
	text, _ := decode.Page(src, mark)
	return text
}

// Book returns what the package documents of an EPUB say; nil if there are none.
func (d *Document) Book() *Book {
	if _, ok := d.Index(ContainerName); !ok {
		return nil
	}
	return ReadBook(func(name string) []byte { return d.Text(name, MaxFile) })
}
