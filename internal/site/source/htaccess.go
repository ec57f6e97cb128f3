package source

import (
	"iter"
	"path"
	"strings"

	"example.org/refract/internal/lazy"
)

// ListsDirectory reports whether a server shows a directory that has no index page. Either the last Options
// directive of the .htaccess files from the root down to dir says so (Apache HTTP Server, core, Options),
// or the nearest DirectoryIndex names a file in it, or a configuration of nginx has autoindex for it.
func (t *Tree) ListsDirectory(dir string) bool {
	rest, ok := strings.CutPrefix(dir, t.Root)
	if !ok || rest != "" && rest[0] != '/' {
		return false
	}
	if t.hasIndex(dir) || t.isAutoindexed(rest+"/") {
		return true
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

// hasIndex reports whether a directory holds one of the files that the nearest DirectoryIndex names.
func (t *Tree) hasIndex(dir string) bool {
	for at := dir; Below(at, t.Root); at = path.Dir(at) {
		names := t.indexNames.Get(at, func(dir string) (names []string) {
			eachDirective(t.Config(dir+"/.htaccess"), func(name string, words []string) {
				if name == "directoryindex" {
					names = words
				}
			})
			return names
		})
		if names != nil {
			for _, name := range names {
				if t.IsFile(dir + "/" + name) {
					return true
				}
			}
			return false
		}
		if path.Dir(at) == at {
			break
		}
	}
	return false
}

var (
	nginxFiles = []string{"nginx.conf", "default.conf", "nginx/nginx.conf", "nginx/default.conf", "conf/nginx.conf", "docker/nginx.conf", "docker/default.conf", "deploy/nginx.conf", "config/nginx.conf"}
	// nginxWord matches what matters in a configuration of nginx: a location with its prefix, autoindex, and brackets.
	nginxWord = lazy.New(`(?m)#.*$|\blocation\s+(?:\^~\s+)?(/[^\s{]*)\s*\{|\bautoindex\s+(on|off)\s*;|([{}])`)
)

// isAutoindexed reports whether nginx lists a directory, which begins and ends with a slash: its path
// contains the prefix of a location that has autoindex on. The place of the files on the server is not
// known.
func (t *Tree) isAutoindexed(dir string) bool {
	prefixes := t.autoindexed.Get(func() (prefixes []string) {
		for _, name := range nginxFiles {
			prefixes = append(prefixes, autoindexOf(t.Config(t.Root+"/"+name))...)
		}
		return prefixes
	})
	for _, prefix := range prefixes {
		if strings.Contains(dir, prefix) {
			return true
		}
	}
	return false
}

// autoindexOf returns the prefixes of locations that are listed, "/" for a whole server.
func autoindexOf(text []byte) (prefixes []string) {
	const most = 100
	var blocks []string // the location of each open bracket; "" is none
	for _, m := range nginxWord.FindAllSubmatch(text, 10000) {
		location, isOn, bracket := string(m[1]), string(m[2]), string(m[3])
		switch {
		case location != "":
			blocks = append(blocks, strings.TrimSuffix(location, "/")+"/")
		case bracket == "{":
			blocks = append(blocks, "")
		case bracket == "}":
			blocks = blocks[:max(0, len(blocks)-1)]
		case isOn == "on" && len(prefixes) < most:
			prefix := "/"
			if n := len(blocks); n > 0 && blocks[n-1] != "" {
				prefix = blocks[n-1]
			}
			prefixes = append(prefixes, prefix)
		}
	}
	return prefixes
}

// eachDirective calls yield with the directives of a .htaccess that hold for all files: their names in
// lower case and the words that follow.
func eachDirective(text []byte, yield func(name string, words []string)) {
	var sections []string
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		switch first := strings.ToLower(fields[0]); {
		case strings.HasPrefix(first, "</"):
			sections = sections[:max(0, len(sections)-1)]
		case strings.HasPrefix(first, "<"):
			sections = append(sections, first)
		case isUnconditional(sections):
			for i, word := range fields {
				fields[i] = strings.Trim(word, `"`)
			}
			yield(first, fields[1:])
		}
	}
}

// ErrorDocuments yields the paths of the pages that a .htaccess shows for errors. They are paths on the
// server. Texts, URLs with a host and "default" are left out.
func ErrorDocuments(text []byte) iter.Seq[Value] {
	return func(yield func(Value) bool) {
		at := 0
		for line := range strings.Lines(string(text)) {
			words := wordsOf(line, at)
			at += len(line)
			if len(words) != 3 || !strings.EqualFold(words[0].Text, "ErrorDocument") {
				continue
			}
			if page := unquoted(words[2]); strings.HasPrefix(page.Text, "/") && !yield(page) {
				return
			}
		}
	}
}

// indexesIn returns whether a directory is listed, where isOn says whether the one above it is. It reads
// each .htaccess once.
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

// indexesOf returns whether directories are listed under the directives of a .htaccess, where isOn says
// whether they are in the directory above. Directives for some files only do not count.
func indexesOf(text []byte, isOn bool) bool {
	eachDirective(text, func(name string, words []string) {
		if name == "options" {
			isOn = optionsWith(words, isOn)
		}
	})
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
		switch strings.ToLower(o) {
		case "indexes", "+indexes", "all", "+all":
			isOn = true
		case "-indexes", "-all", "none":
			isOn = false
		}
	}
	return isOn
}
