//go:build !unix

package input

const nonBlocking = 0
