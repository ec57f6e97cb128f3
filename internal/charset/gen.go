//go:build ignore

// Gen writes indexes.bin and labels.txt from a copy of the Encoding Standard (github.com/whatwg/encoding),
// whose directory is its argument.
package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"example.org/refract/internal/charset"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: go run gen.go DIR")
	}
	var all map[string]json.RawMessage
	read("indexes.json", &all)
	var out, astral []byte
	for _, x := range charset.Layout {
		var runes []*rune
		if x.Name == "gb18030-ranges" {
			runes = ranges(all[x.Name])
		} else {
			unmarshal(all[x.Name], &runes)
		}
		if len(runes) != x.Size {
			log.Fatalf("%s has %d entries, not %d", x.Name, len(runes), x.Size)
		}
		for _, r := range runes {
			v := uint16(0)
			switch {
			case r == nil:
			case *r < 0x10000:
				v = uint16(*r)
			default: // all are in plane 2
				v = uint16(0xd800 + len(astral)/2)
				astral = binary.LittleEndian.AppendUint16(astral, uint16(*r-0x20000))
			}
			out = binary.LittleEndian.AppendUint16(out, v)
		}
	}
	if len(astral)/2 != charset.Astral {
		log.Fatalf("%d characters beyond 16 bits", len(astral)/2)
	}
	write("indexes.bin", append(out, astral...))

	var groups []struct {
		Encodings []struct {
			Name   string
			Labels []string
		}
	}
	read("encodings.json", &groups)
	var labels strings.Builder
	for _, g := range groups {
		for _, e := range g.Encodings {
			fmt.Fprintf(&labels, "%s: %s\n", strings.ToLower(e.Name), strings.Join(e.Labels, " "))
		}
	}
	write("labels.txt", []byte(labels.String()))
}

// ranges returns the pointers and characters at which the ranges of gb18030 begin, but for the last one, of
// all planes above the first.
func ranges(text json.RawMessage) (runes []*rune) {
	var pairs [][2]rune
	unmarshal(text, &pairs)
	for _, p := range pairs[:len(pairs)-1] {
		runes = append(runes, &p[0], &p[1])
	}
	return runes
}

func read(name string, v any) {
	text, err := os.ReadFile(filepath.Join(os.Args[1], name))
	if err != nil {
		log.Fatal(err)
	}
	unmarshal(text, v)
}

func unmarshal(text []byte, v any) {
	if err := json.Unmarshal(text, v); err != nil {
		log.Fatal(err)
	}
}

func write(name string, text []byte) {
	if err := os.WriteFile(name, text, 0o644); err != nil {
		log.Fatal(err)
	}
}
