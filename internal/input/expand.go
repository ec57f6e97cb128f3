package input

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/slash"
)

// Expand replaces each argument with wildcards by the files that match it, sorted, and reports one that
// matches none. Only shells of Unix do that; those of Windows leave it to the program. "*" and "?" are
// wildcards; case does not matter, and a leading dot must be written. On Unix, and if a file has the name,
// an argument stays as it is.
func Expand(t Tree, args []string, s slash.System) ([]string, error) {
	if s != slash.Windows || !slices.ContainsFunc(args, hasWildcard) {
		return args, nil
	}
	var all []string
	for _, arg := range args {
		name := s.Path(arg)
		if !hasWildcard(name) {
			all = append(all, arg)
			continue
		}
		if _, err := t.Lstat(name); err == nil {
			all = append(all, arg)
			continue
		}
		found := matching(t, name)
		if len(found) == 0 {
			return nil, fmt.Errorf("%q: no file matches", name)
		}
		all = append(all, found...)
	}
	return all, nil
}

// hasWildcard reports whether a name has "*" or "?". Those of a device, such as \\?\C:, are none.
func hasWildcard(name string) bool {
	return strings.ContainsAny(strings.TrimPrefix(name, `\\?\`), "*?")
}

// matching returns the files that match a name with forward slashes, sorted.
func matching(t Tree, name string) []string {
	found := []string{""}
	if i := strings.IndexByte(name, '/'); i >= 0 && (i == 0 || slash.Windows.Volume(name) != "") {
		found[0], name = name[:i+1], name[i+1:]
	}
	for component := range strings.SplitSeq(name, "/") {
		var next []string
		for _, at := range found {
			if !hasWildcard(component) {
				if _, err := t.Lstat(at + component); err == nil {
					next = append(next, at+component+"/")
				}
				continue
			}
			pattern := strings.ToLower(strings.ReplaceAll(component, "[", "[[]"))
			entries, _ := t.ReadDir(cmp.Or(at, "."))
			for _, e := range entries {
				isMatch, _ := path.Match(pattern, strings.ToLower(e.Name()))
				isHidden := strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(component, ".")
				if isMatch && !isHidden {
					next = append(next, at+e.Name()+"/")
				}
			}
		}
		found = next
	}
	for i := range found {
		found[i] = strings.TrimSuffix(found[i], "/")
	}
	slices.Sort(found)
	return found
}
