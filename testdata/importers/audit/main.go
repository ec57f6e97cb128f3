// What is broken in a directory of documents.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"example.org/refract/audit"
)

func main() {
	report, err := audit.Run(context.Background(), audit.Options{Dir: os.Args[1]}, func(f *audit.Finding) {
		fmt.Printf("%s:%d:%d: %s: %s\n", f.File, f.Pos.Line, f.Pos.Column, f.Rule, f.Text())
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Documents, report.References, report.Findings)
}
