package site

// readScript returns what a configuration in JavaScript or TypeScript exports.
func readScript(t *tree, file string) value {
	return value{unknownValue{}}
}
