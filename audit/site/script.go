package site

import "example.org/refract/internal/literal"

// readScript returns what a configuration in JavaScript or TypeScript exports.
func readScript(t *tree, file string) value { return value{script(t, file).Value} }

// script reads the literals of a configuration in JavaScript or TypeScript.
func script(t *tree, file string) literal.File {
	return literal.Read(t.config(file), literal.JavaScript)
}
