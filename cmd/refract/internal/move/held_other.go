//go:build !windows

package move

// heldBelow returns a file that another program keeps from being renamed. Only Windows has that.
func heldBelow(string) string { return "" }
