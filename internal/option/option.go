// Package option reports options that cannot be meant, in the same words for the library and the command.
package option

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"example.org/refract/internal/order"
)

// An Error reports a wrong option.
type Error struct {
	Name  string // as the caller spells it: a field of a struct, or a flag
	Value string // as in Go source: "x" with its quotes, 0; "" leaves it out
	Cause error  // the problem, and what to write instead
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

// unknown is the Cause of an Error for a value that is not one of Values.
type unknown struct {
	Value  string
	Number string // "one" or "some": how many of Values an option takes
	Values []string
	List   string // where Values are listed, a command; "" if nowhere
}

// most is how many values an unknown lists. Of more, it shows the nearest.
const most = 15

func (u *unknown) Error() string {
	if len(u.Values) <= most {
		all := strings.Join(u.Values, ", ")
		if meant := Near(u.Value, u.Values); meant != "" {
			return fmt.Sprintf("did you mean %q? Give %s of %s", meant, u.Number, all)
		}
		return fmt.Sprintf("give %s of %s", u.Number, all)
	}
	text := fmt.Sprintf("give %s of %s, …", u.Number, strings.Join(u.Values[:3], ", "))
	if near := nearest(u.Value, u.Values, 3); len(near) > 0 {
		text = fmt.Sprintf("did you mean %s?", alternatives(near))
	}
	if u.List != "" {
		text += " All are listed by " + u.List
	}
	return text
}

// alternatives returns "a", "b" or "c".
func alternatives(words []string) string {
	var b strings.Builder
	for i, w := range words {
		switch {
		case i > 0 && i == len(words)-1:
			b.WriteString(" or ")
		case i > 0:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", w)
	}
	return b.String()
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
	return &Error{name, fmt.Sprintf("%q", value), &unknown{Value: value, Number: number, Values: values}}
}

// Listed returns err with the place where the values of its option are listed, if it is about an unknown value.
func Listed(err error, place func(name string) string) error {
	var e *Error
	var u *unknown
	if !errors.As(err, &e) || !errors.As(e.Cause, &u) {
		return err
	}
	listed := *u
	listed.List = place(e.Name)
	return &Error{e.Name, e.Value, &listed}
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

// nearest returns at most n of words that word may misspell or abbreviate, the nearest first.
func nearest(word string, words []string, n int) []string {
	limit := 1 + min(2, utf8.RuneCountInString(word)/3)
	word = strings.ToLower(word)
	score := func(w string) int {
		w = strings.ToLower(w)
		d := distance(word, w, limit)
		if d == limit && len(word) >= 4 && strings.Contains(w, word) {
			d--
		}
		return d
	}
	near := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return score(w) >= limit })
	order.Sort(near, func(a, b string) int { return cmp.Compare(score(a), score(b)) })
	return near[:min(n, len(near))]
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
