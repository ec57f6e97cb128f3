// Refract finds URL references in documents, resolves them, and audits links.
package main

import "example.org/refract/cmd/refract/internal/program"

func main() { program.Main() }
