package extract_test

import (
	"fmt"
	"log"
	"strings"

	"example.org/refract/base"
	"example.org/refract/extract"
)

func ExampleConfig_Walk() {
	cfg := extract.Config{
		Lines:     true,
		Retrieved: base.Source{URI: "http://www.example.org/notes/today", From: "the archive"},
	}
	text := "See www.w3.org/Addressing/, or\n<URL:../drafts/> if that is gone."
	for ref, err := range cfg.Walk("today", strings.NewReader(text)) {
		if err != nil {
			log.Fatal(err) // the input is unreadable; nothing follows
		}
		fmt.Printf("%d:%d %s -> %s", ref.Pos.Line, ref.Pos.Column, ref.Ref, ref.URL)
		if ref.Meant == "" {
			fmt.Printf(" by the %s base from %s", ref.Base.Layer, ref.Base.From)
		}
		fmt.Println()
	}
	// Output:
	// 1:5 www.w3.org/Addressing/ -> http://www.w3.org/Addressing/
	// 2:6 ../drafts/ -> http://www.example.org/drafts/ by the retrieval base from the archive
}
