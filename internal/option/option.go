// Package option reports options that cannot be meant, in the same words for the library and the command.
package option

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// An Error reports a wrong option.
type Error struct {
	Name  string // as the caller spells it: a field of a struct, or a flag
	Value string // as in Go source: "x" with its quotes, 0; "" leaves it out
	Cause error  // what is wrong, and what to write
}

func (e *Error) Error() string {
	if e.Value == "" {
		return fmt.Sprintf("%s: %v", e.Name, e.Cause)
	}
	return fmt.Sprintf("%s %s: %v", e.Name, e.Value, e.Cause)
}

func (e *Error) Unwrap() error { return e.Cause }

// Bad returns the Error for a value, with cause formatted as by [fmt.Errorf].
func Bad(name, value, cause string, args ...any) error {
	return &Error{name, fmt.Sprintf("%q", value), fmt.Errorf(cause, args...)}
}

// NotOneOf returns the Error for a value that is not one of values.
func NotOneOf(name, value string, values []string) error {
	return notOf(name, value, "one", values)
}

// NotSomeOf is NotOneOf for an option that takes several values of a set.
func NotSomeOf(name, value string, values []string) error {
	return notOf(name, value, "some", values)
}

func notOf(name, value, number string, values []string) error {
	all := strings.Join(values, ", ")
	if meant := Near(value, values); meant != "" {
		return Bad(name, value, "did you mean %q? Give %s of %s", meant, number, all)
	}
	return Bad(name, value, "give %s of %s", number, all)
}

// Renamed returns err with the name of its option replaced, if names has it.
func Renamed(err error, names map[string]string) error {
	var e *Error
	if errors.As(err, &e) && names[e.Name] != "" {
		return &Error{names[e.Name], e.Value, e.Cause}
	}
	return err
}

// Near returns the element of words that word most likely misspells, or "".
func Near(word string, words []string) string {
	best, least := "", 1+min(2, utf8.RuneCountInString(word)/3)
	word = strings.ToLower(word)
	for _, w := range words {
		d := distance(word, strings.ToLower(w), least)
		if d < least {
			best, least = w, d
		}
	}
	if best == "" && len(word) >= 4 {
		for _, w := range words {
			if strings.HasPrefix(strings.ToLower(w), word) {
				return w
			}
		}
	}
	return best
}

// distance returns how many letters must be changed, added, removed or swapped to turn a into b,
// but at most limit.
func distance(a, b string, limit int) int {
	if len(a) > 64 || len(b) > 64 || max(len(a)-len(b), len(b)-len(a)) >= limit {
		return limit
	}
	var before, above, row [65]int
	for j := range row {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above = above, row
	}
	return min(above[len(b)], limit)
}
