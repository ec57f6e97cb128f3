package input

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	// The glob language is a library's, the seven rules about lines are ours.
	// Tried against git check-ignore on the list in ignore_test.go and more
	// (202 pairs of patterns and path; wrong answers): git-pkgs/gitignore
	// 1.2.0 14, go-git/v6 alpha.4 16, boyter/gocodewalker 1.5.1 31,
	// sabhiram 33, denormal 33, go-git/v5 5.19.3 38, codeglyph/go-dotignore
	// 2.3.0 48, monochromegane 53. git-pkgs, go-git, sabhiram and dotignore
	// let "!d/" after "*" keep what is in d. With our lines: gobwas/glob
	// 1.1.0 24, git-lfs/wildmatch 2.0.1 22, bmatcuk/doublestar 4.10.4 17,
	// this one 9; gitDiffers in the test names them. It yields a regular
	// expression: matching is linear, whatever an ignore file says.
	"mvdan.cc/sh/v3/pattern"
)

// maxIgnoreFile limits the size in bytes of an ignore file. A larger one is an error, and not used.
const maxIgnoreFile = 1 << 20

type verdict int8

const (
	none verdict = iota
	ignore
	keep // "!"
)

// rules holds the patterns of one ignore file, in order.
type rules []rule

// A rule is one line. It matches names that begin with prefix, end with suffix, and match re; if
// exact, only prefix itself. re may be nil: nearly all patterns are name or *.ext, and a regular
// expression takes ten times as long.
type rule struct {
	verdict        verdict
	dir            bool // matches directories only
	base           bool // matches the last component; otherwise the whole path
	exact          bool
	prefix, suffix string
	re             *regexp.Regexp
}

// match returns the verdict of the last rule that matches path, which is relative to the directory
// of the ignore file. It does not check whether a parent directory is ignored, because the walk
// does not enter ignored directories.
func (rs rules) match(path string, isDir bool) verdict {
	name := path[strings.LastIndexByte(path, '/')+1:]
	for i := len(rs) - 1; i >= 0; i-- {
		r := &rs[i]
		if r.dir && !isDir {
			continue
		}
		s := path
		if r.base {
			s = name
		}
		if r.exact {
			if s == r.prefix {
				return r.verdict
			}
		} else if strings.HasSuffix(s, r.suffix) && strings.HasPrefix(s, r.prefix) &&
			(r.re == nil || r.re.MatchString(s)) {
			return r.verdict
		}
	}
	return none
}

func (rs rules) has(v verdict) bool {
	return slices.ContainsFunc(rs, func(r rule) bool { return r.verdict == v })
}

// parseRules parses an ignore file according to gitignore(5). A malformed pattern matches nothing.
func parseRules(text string) (rs rules) {
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if r, err := parseRule(line, 0); err == nil && r.verdict != none {
			rs = append(rs, r)
		}
	}
	return rs
}

// parseGlob parses a -g pattern. Its rule ignores where the glob includes, and keeps where the glob
// excludes, because "!" marks an exception in an ignore file, but an exclusion in a glob.
func parseGlob(glob string) (rules, error) {
	glob, err := braces(glob)
	if err != nil {
		return nil, err
	}
	r, err := parseRule(glob, pattern.ExtendedOperators)
	if err != nil || r.verdict == none {
		return nil, err
	}
	return rules{r}, nil
}

// parseRule parses one line. The verdict is none for a line without a pattern.
func parseRule(line string, mode pattern.Mode) (r rule, err error) {
	line = trimSpaces(line)
	if line == "" || line[0] == '#' {
		return r, nil
	}
	line, not := strings.CutPrefix(line, "!")
	line, r.dir = strings.CutSuffix(line, "/")
	if rest, ok := strings.CutPrefix(line, "**/"); ok && !strings.Contains(rest, "/") {
		line = rest // equivalent, and needs no expression
	}
	r.base = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return r, nil
	}
	const special = `*?[]\@)`
	first, last := strings.IndexAny(line, special), strings.LastIndexAny(line, special+"/")
	switch {
	case first < 0:
		r.exact, r.prefix = true, line
	case r.base && line[0] == '*' && last == 0:
		r.suffix = line[1:]
	default:
		r.prefix, r.suffix = line[:first], line[last+1:]
		expr, err := pattern.Regexp(line, mode|pattern.Filenames|pattern.EntireString|pattern.GlobLeadingDot)
		if err != nil {
			return r, err
		}
		if r.re, err = regexp.Compile(expr); err != nil {
			return r, err
		}
	}
	r.verdict = ignore
	if not {
		r.verdict = keep
	}
	return r, nil
}

// trimSpaces removes trailing spaces, except those that a backslash quotes.
func trimSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = min(i+1, len(line))
	}
	return line[:end]
}

// braces rewrites {a,b} as @(a|b), the library's syntax for alternatives.
func braces(glob string) (string, error) {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case c == '\\' && i+1 < len(glob):
			i++
			b.WriteString(glob[i-1 : i+1])
		case c == '[' && strings.IndexByte(glob[i:], ']') > 0:
			// "]" as the first character, or after the negation, is literal.
			n := 1 + len(glob[i+1:]) - len(strings.TrimLeft(glob[i+1:], "!^]"))
			if end := strings.IndexByte(glob[i+n:], ']'); end >= 0 {
				n += end + 1
			}
			b.WriteString(glob[i : i+n])
			i += n - 1
		case c == '{':
			depth++
			b.WriteString("@(")
		case c == ',' && depth > 0:
			b.WriteByte('|')
		case c == '}' && depth > 0:
			depth--
			b.WriteByte(')')
		case strings.IndexByte("@+()|", c) >= 0:
			b.WriteString(`\` + string(c))
		default:
			b.WriteByte(c)
		}
	}
	if depth > 0 {
		return "", errors.New("unclosed {")
	}
	return b.String(), nil
}

// A level holds the ignore files that apply in a directory. A directory without ignore files shares
// the level above it; nil is the top level without rules.
type level struct {
	above  *level
	prefix int      // length of the directory's absolute path, "/" included
	files  [4]rules // by source
	global rules    // the user's, if this is the root of a repository
	repo   bool     // the directory contains .git
	inRepo bool     // the directory is in a repository
}

// The sources of rules, in descending priority, regardless of their directories.
const (
	rgignore = iota
	dotignore
	gitignore
	exclude
)

// match returns the verdict on the path abs. For each source, the nearest directory that has a
// verdict decides. Above the root of the repository, or outside of one, only .rgignore and .ignore
// apply, because git would not read the others.
func (l *level) match(abs string, isDir bool) verdict {
	if l == nil {
		return none
	}
	var v [len(l.files)]verdict
	git, global := l.inRepo, none
	for ; l != nil; l = l.above {
		for i, rs := range l.files {
			if v[i] == none && (i < gitignore || git) {
				v[i] = rs.match(abs[l.prefix:], isDir)
			}
		}
		if l.repo && git {
			global, git = l.global.match(abs[l.prefix:], isDir), false
		}
	}
	return cmp.Or(v[rgignore], v[dotignore], v[gitignore], v[exclude], global)
}

// above returns the level of the directories above abs.
func (w *walker) above(abs string) (l *level, err error) {
	if w.NoIgnore {
		return nil, nil
	}
	for i := range len(abs) - 1 {
		if abs[i] != '/' {
			continue
		}
		var e error
		l, e = l.visit(w.tree, abs[:i+1])
		err = cmp.Or(err, e)
	}
	return l, err
}

// visit is like enter, for a directory whose entries have not been listed.
func (l *level) visit(t Tree, abs string) (*level, error) {
	var entries []fs.DirEntry
	for _, name := range []string{".git", ".gitignore", ".ignore", ".rgignore"} {
		if info, err := t.Lstat(abs + name); err == nil {
			entries = append(entries, fs.FileInfoToDirEntry(info))
		}
	}
	return l.enter(t, dir{name: abs, path: abs, abs: abs}, entries)
}

// own is like match, for the files of ripgrep alone, which also exclude what git has.
func (l *level) own(abs string, isDir bool) verdict {
	v := none
	for ; l != nil && v == none; l = l.above {
		for i, rs := range l.files {
			if i < gitignore && v == none {
				v = rs.match(abs[l.prefix:], isDir)
			}
		}
	}
	return v
}

// Ignored returns a function that reports whether ignore files exclude the file at an absolute
// path, with forward slashes and without symbolic links. The file need not exist. The function
// examines each directory once. It must not be called concurrently.
func (o *Options) Ignored() func(path string) bool {
	type inside struct {
		level   *level
		ignored bool
	}
	seen, tree := map[string]inside{}, o.tree()
	return func(path string) bool {
		var at inside
		for i := range len(path) {
			if path[i] != '/' || o.NoIgnore {
				continue
			}
			sub, ok := seen[path[:i+1]]
			if !ok {
				sub = at
				if i > 0 && at.level.match(path[:i], true) == ignore {
					sub.ignored = true
				}
				sub.level, _ = at.level.visit(tree, path[:i+1])
				seen[path[:i+1]] = sub
			}
			at = sub
		}
		return at.ignored || at.level.match(path, false) == ignore
	}
}

// enter returns the level for the entries of the directory d, which are sorted by name. l is the
// level above it. An unreadable ignore file is an error, but the others still apply.
func (l *level) enter(t Tree, d dir, entries []fs.DirEntry) (_ *level, err error) {
	has := func(name string) bool {
		_, ok := slices.BinarySearchFunc(entries, name, func(e fs.DirEntry, name string) int {
			return strings.Compare(e.Name(), name)
		})
		return ok
	}
	read := func(name string) rules {
		rs, e := readRules(t, d.path+name)
		if e != nil {
			err = cmp.Or(err, failure(d.name+name, e))
		}
		return rs
	}
	n := level{above: l, prefix: len(d.abs), repo: has(".git")}
	n.inRepo = n.repo || l != nil && l.inRepo
	found := n.repo
	for i, name := range []string{rgignore: ".rgignore", dotignore: ".ignore", gitignore: ".gitignore"} {
		if has(name) && (i < gitignore || n.inRepo) {
			n.files[i], found = read(name), true
		}
	}
	if !found {
		return l, nil
	}
	if n.repo {
		n.files[exclude] = read(".git/info/exclude")
		n.global, _ = readRules(t, globalExcludes(t))
	}
	return &n, err
}

// readRules reads the ignore file at path. A missing file has no rules. Neither has a file that is
// not regular, because reading a pipe might never end.
func readRules(t Tree, path string) (rules, error) {
	info, err := t.Stat(path)
	if errors.Is(err, ErrOutside) {
		return nil, ErrOutside
	}
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	if info.Size() > maxIgnoreFile {
		return nil, fmt.Errorf("an ignore file of more than %d bytes is not used", maxIgnoreFile)
	}
	text, err := readAll(t, path)
	if len(text) > maxIgnoreFile { // the size of a file in /proc is 0
		return nil, fmt.Errorf("an ignore file of more than %d bytes is not used", maxIgnoreFile)
	}
	return parseRules(string(text)), err
}

// readAll reads a regular file of t, and not more than one byte beyond maxIgnoreFile.
func readAll(t Tree, path string) ([]byte, error) {
	f, err := t.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	return io.ReadAll(io.LimitReader(f, maxIgnoreFile+1))
}

// UserDirs returns the user's home directory and the directory of configurations, where the user's own ignore
// file is.
func UserDirs() [2]string {
	userHome, _ := os.UserHomeDir()
	home := cmp.Or(os.Getenv("HOME"), userHome) // git on Windows asks for HOME first
	return [2]string{home, cmp.Or(os.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))}
}

// globalExcludes returns the path of the user's own ignore file: core.excludesFile in git's
// configuration, found like ripgrep finds it, by the form of its line; otherwise git's default. A
// Tree other than the disk has its own, or none.
func globalExcludes(t Tree) string {
	dirs := UserDirs()
	home, xdg := dirs[0], dirs[1]
	line := regexp.MustCompile(`(?im)^\s*excludesfile\s*=\s*"?\s*(\S+?)\s*"?\s*$`)
	for _, config := range []string{filepath.Join(home, ".gitconfig"), filepath.Join(xdg, "git", "config")} {
		text, _ := readAll(t, config)
		if m := line.FindSubmatch(text); m != nil {
			path := string(m[1])
			if rest, ok := strings.CutPrefix(path, "~/"); ok {
				path = filepath.Join(home, rest)
			}
			return path
		}
	}
	return filepath.Join(xdg, "git", "ignore")
}
