// Package tiny has changes of each kind, of which its tests and those of its user notice some.
package tiny

const unused = 3

// Small is tested, but not at the boundary.
func Small(n int) bool { return n < 10 }

// Even is tested by package user alone.
func Even(n int) bool { return n%2 == 0 }

func isDE(c rune) bool {
	switch c {
	case 'd', 'e':
		return true
	}
	return false
}

func size(name string, isKnown bool) string {
	if !isKnown || name == "none" {
		return "?"
	}
	return name
}
