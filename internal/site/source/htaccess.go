package source

import "strings"

// ListsDirectory reports whether an Apache server lists a directory that has no index page: the last Options directive of
// the .htaccess files from the root down to dir that says so (Apache HTTP Server, core, Options).
func (t *Tree) ListsDirectory(dir string) bool {
	rest, ok := strings.CutPrefix(dir, t.Root)
	if !ok || rest != "" && rest[0] != '/' {
		return false
	}
	at := t.Root
	isOn := t.indexesIn(at, false)
	for name := range strings.SplitSeq(strings.Trim(rest, "/"), "/") {
		if name != "" {
			at += "/" + name
			isOn = t.indexesIn(at, isOn)
		}
	}
	return isOn
}

// indexesIn returns whether a directory is listed, where isOn says whether the one above it is. It reads each .htaccess once.
func (t *Tree) indexesIn(dir string, isOn bool) bool {
	listed := t.listed.Get(dir, func(dir string) [2]bool {
		text := t.Config(dir + "/.htaccess")
		return [2]bool{indexesOf(text, false), indexesOf(text, true)}
	})
	if isOn {
		return listed[1]
	}
	return listed[0]
}

// indexesOf returns whether directories are listed under the directives of a .htaccess, where isOn says whether they are in
// the directory above. Directives for some files only do not count.
func indexesOf(text []byte, isOn bool) bool {
	var sections []string
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(strings.ToLower(line))
		if len(fields) == 0 {
			continue
		}
		switch first := fields[0]; {
		case strings.HasPrefix(first, "</"):
			sections = sections[:max(0, len(sections)-1)]
		case strings.HasPrefix(first, "<"):
			sections = append(sections, first)
		case first == "options" && isUnconditional(sections):
			isOn = optionsWith(fields[1:], isOn)
		}
	}
	return isOn
}

// isUnconditional reports whether directives in these sections apply to all files, if the module is there.
func isUnconditional(sections []string) bool {
	for _, s := range sections {
		if !strings.HasPrefix(s, "<if") || strings.TrimRight(s, ">") == "<if" { // <IfModule>, but not <If>
			return false
		}
	}
	return true
}

// optionsWith returns whether Indexes is on after an Options directive: options without a sign replace all others.
func optionsWith(options []string, isOn bool) bool {
	if len(options) > 0 && options[0] != "" && options[0][0] != '+' && options[0][0] != '-' {
		isOn = false
	}
	for _, o := range options {
		switch o {
		case "indexes", "+indexes", "all", "+all":
			isOn = true
		case "-indexes", "-all", "none":
			isOn = false
		}
	}
	return isOn
}
