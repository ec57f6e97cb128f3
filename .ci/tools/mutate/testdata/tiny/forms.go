package tiny

import (
	"bufio"
	"io"
	"strings"
)

// Most is used by package user alone, where it is a constant.
const Most = 5

const least, other = 2, 3

const size3 = 3

var grid [size3]int // its length is a type's

type counter struct{ n int }

func (c *counter) add(by int) (n int, ok bool) {
	if by > least {
		by = least
	}
	c.n += by
	return c.n, true
}

var names = map[string]int{"one": 1, "two": 2}

var upper = func(s string) string {
	if s == "no" {
		return s
	}
	return strings.ToUpper(s)
}

const half = 50 // used by a function

func isMost[T ~int](n T) bool { return n > half }

func buffer() []byte { return make([]byte, 0, 64) }

func index(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] == ':' {
			return i
		}
	}
	return -1
}

func lines(r io.Reader) (*bufio.Reader, chan int) {
	return bufio.NewReaderSize(r, 4096), make(chan int, 3)
}

func number(s string) (n int, ok bool) {
	if s == "one" {
		return 1, true
	}
	return 0, false
}

const (
	maxLines  = 200 // docs/limits.md does not have it
	maxTokens = 1000
	maxDepth  = 8
)

func fits(lines, tokens, depth int) bool {
	return lines <= maxLines && tokens <= maxTokens && depth <= maxDepth
}
