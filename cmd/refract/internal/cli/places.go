package cli

import (
	"fmt"
	"os"
	"path/filepath"
)

// A Place is a file that a flag names.
type Place struct{ Flag, Name string }

// DistinctPlaces reports the first two flags that name the same file, under any name, if at least
// one of them is an output.
func DistinctPlaces(outputs, inputs []Place) error {
	for i, out := range outputs {
		for _, other := range append(outputs[i+1:len(outputs):len(outputs)], inputs...) {
			if out.Name == "" || other.Name == "" || !IsSameFile(out.Name, other.Name) {
				continue
			}
			if info, err := os.Stat(out.Name); err == nil && !info.Mode().IsRegular() {
				continue // a terminal, /dev/null
			}
			return fmt.Errorf("%s and %s name the same file: give two", out.Flag, other.Flag)
		}
	}
	return nil
}

// ArgumentPlaces returns the arguments as places.
func ArgumentPlaces(args []string) (places []Place) {
	for _, arg := range args {
		if arg != "-" {
			places = append(places, Place{fmt.Sprintf("the input %q", arg), arg})
		}
	}
	return places
}

// IsSameFile reports whether two names are equal or refer to the same file.
func IsSameFile(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	if err == nil && err2 == nil {
		return os.SameFile(x, y)
	}
	full, err := filepath.Abs(a)
	other, err2 := filepath.Abs(b)
	return err == nil && err2 == nil && full == other
}
