package audit

import (
	"path"
	"strings"
)

// causeOf returns the Cause of a finding about k.
func (a *auditor) causeOf(k *reference, p *problem) string {
	switch p.rule {
	case MissingFragment:
		_, fragment, _ := strings.Cut(k.ref, "#")
		return a.target(p.target) + "#" + fragment
	case MissingFile, BrokenImage:
		if p.target == "" {
			return ""
		}
		missing := p.target
		for dir := path.Dir(missing); path.Dir(dir) != dir && !a.isThere(dir); dir = path.Dir(dir) {
			missing = dir
		}
		if missing != p.target {
			return a.target(missing) + "/"
		}
	}
	return a.target(p.target)
}

// isThere reports whether a directory exists. It looks at each directory once.
func (a *auditor) isThere(dir string) bool {
	return a.there.Get(dir, func(dir string) bool {
		info, err := a.Tree.Stat(dir)
		return err == nil && info.IsDir()
	})
}
