// Package config reads .refract.yaml, and keeps a file that refract finds from pointing outside the
// repository.
package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"example.org/refract/internal/input"
)

// maxSize limits the size of a configuration in bytes.
const maxSize = 64 << 10

// Name is the name of a configuration that refract finds.
const Name = ".refract.yaml"

// A Names says which names of files the values of a flag hold.
type Names uint8

const (
	NoNames   Names = iota
	File            // the name of a regular file
	Directory       // the name of a directory
	SiteDir         // URL=DIR
	BuildDir        // DIR, or URL=DIR
	RootDir         // DIR, or DIR=DIR
	AnyFile         // the name of a file or directory to audit
	Elements        // something that is added to the name of a file
)

// A Boundary is the tree that the names in a configuration which refract finds must not leave: the
// repository or, without one, the directory of the configuration.
type Boundary struct {
	top    string // without symbolic links
	isRepo bool
}

// boundaryOf returns the boundary of a configuration in dir.
func boundaryOf(dir string) (b Boundary, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return b, err
	}
	dir, err = filepath.EvalSymlinks(dir)
	if err != nil {
		return b, input.CauseOf(err)
	}
	b.top = dir
	for up := dir; ; up = filepath.Dir(up) {
		if input.Exists(filepath.Join(up, ".git")) {
			return Boundary{up, true}, nil
		}
		if filepath.Dir(up) == up {
			return b, nil
		}
	}
}

// Top returns the path of the tree, without symbolic links.
func (b *Boundary) Top() string { return b.top }

// IsRepository reports whether the tree is a repository.
func (b *Boundary) IsRepository() bool { return b.isRepo }

// String names b in messages.
func (b *Boundary) String() string {
	if b.isRepo {
		return "the repository"
	}
	return "the directory of the configuration"
}

// has reports whether a file, which need not exist, is inside b, by its name and without the symbolic
// links in it. The data of git, which holds credentials in many CI runs, is not.
func (b *Boundary) has(full string) bool {
	real, err := realPath(full)
	return err == nil && b.holds(full) && b.holds(real)
}

// holds is has for a path as it is.
func (b *Boundary) holds(full string) bool {
	rel, err := filepath.Rel(b.top, full)
	isGit := func(element string) bool { return strings.EqualFold(element, ".git") }
	return err == nil && filepath.IsLocal(rel) && !slices.ContainsFunc(strings.Split(rel, string(filepath.Separator)), isGit)
}

// Check reports why a value in a configuration in the directory at, which is absolute and without
// symbolic links, may not be used.
func (b *Boundary) Check(kind Names, value, at string) error {
	if kind == SiteDir {
		eq := strings.LastIndexByte(value, '=')
		if eq < 0 {
			return nil // an error about the flag
		}
		value = value[eq+1:]
	}
	if kind == BuildDir {
		_, value = CutBuild(value)
	}
	if below, dir, ok := CutRoot(value); ok && kind == RootDir {
		if err := b.Check(Directory, below, at); err != nil {
			return err
		}
		value = dir
	}
	local := filepath.FromSlash(value)
	switch {
	case kind == NoNames:
		return nil
	case kind == Elements:
		if slices.Contains(strings.FieldsFunc(value, func(r rune) bool { return r == '/' || r == '\\' }), "..") {
			return fmt.Errorf("%q leads out of its directory", value)
		}
		return nil
	case filepath.IsAbs(local) || filepath.VolumeName(local) != "" || strings.HasPrefix(local, string(filepath.Separator)):
		return fmt.Errorf("%q is absolute", value)
	}
	full := filepath.Join(at, local)
	if !b.has(full) {
		return fmt.Errorf("%q leads out of %v", value, b)
	}
	info, err := os.Stat(full)
	switch {
	case err != nil: // an error about the flag, if it must exist
		return nil
	case kind == File && !info.Mode().IsRegular(), kind == AnyFile && !info.Mode().IsRegular() && !info.IsDir():
		return fmt.Errorf("%q: %w", value, input.ErrNotRegular)
	case (kind == Directory || kind == SiteDir || kind == BuildDir || kind == RootDir) && !info.IsDir():
		return fmt.Errorf("%q is not a directory", value)
	}
	return nil
}

// CutBuild cuts a value of BuildDir into the URL, which may be "", and the directory.
func CutBuild(value string) (url, dir string) {
	if !strings.HasPrefix(value, "http://") && !strings.HasPrefix(value, "https://") {
		return "", value
	}
	i := strings.LastIndexByte(value, '=')
	if i < 0 {
		return value, ""
	}
	return value[:i], value[i+1:]
}

// CutRoot cuts a value of RootDir that has two directories: that of documents, and where their links "/x"
// are looked up.
func CutRoot(value string) (below, dir string, ok bool) {
	i := strings.LastIndexByte(value, '=')
	if i < 0 {
		return "", value, false
	}
	return value[:i], value[i+1:], true
}

// realPath returns a path without symbolic links. For a file that does not exist, only the existing
// directories and the links to it are resolved.
func realPath(name string) (string, error) {
	for range 40 { // as many symbolic links as operating systems follow
		real, err := filepath.EvalSymlinks(name)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return real, err
		}
		// The last element that exists may be a link that points nowhere.
		head, rest := name, ""
		for !input.Exists(head) && filepath.Dir(head) != head {
			head, rest = filepath.Dir(head), filepath.Join(filepath.Base(head), rest)
		}
		to, err := os.Readlink(head)
		if err != nil { // not a link
			head, err = filepath.EvalSymlinks(head)
			return filepath.Join(head, rest), err
		}
		if !filepath.IsAbs(to) {
			parent, err := filepath.EvalSymlinks(filepath.Dir(head))
			if err != nil {
				return "", err
			}
			to = filepath.Join(parent, to)
		}
		name = filepath.Join(to, rest)
	}
	return "", errors.New("too many symbolic links")
}

// Settings are what a configuration says.
type Settings struct {
	Dir    string   // of the file, without symbolic links
	Inside Boundary // what the values may name, unless a person has named the file
	Values map[string]Value
}

// A Value is the value of a key: a text, or a list of texts.
type Value struct {
	Line   int
	List   []string // as written
	IsNull bool     // nothing is set: for example, every item of the list is commented out
	Err    error    // it is neither a text nor a list of texts

	node *yaml.Node // see ForbidOf, OverridesOf and Pairs
}

// Locate returns the settings of a file, without values.
func Locate(name string) (s Settings, err error) {
	s.Inside, err = boundaryOf(filepath.Dir(name))
	if err != nil {
		return s, err
	}
	s.Dir, err = filepath.Abs(filepath.Dir(name))
	if err == nil {
		s.Dir, err = filepath.EvalSymlinks(s.Dir)
	}
	return s, err
}

// Read returns the settings of a file, without values, and its text. A file that no person has named must
// not be a link that points outside the repository; neither must the name of a file in the repository of
// the working directory.
func Read(name string, isNamed bool) (s Settings, text []byte, err error) {
	s, err = Locate(name)
	switch {
	case err != nil:
	case isNamed:
		err = CheckInside(name)
	case !s.Inside.has(filepath.Join(s.Dir, filepath.Base(name))):
		err = errLeadsOut
	}
	if err == nil {
		text, err = input.ReadRegular(name, maxSize)
	}
	return s, text, input.CauseOf(err)
}

// Parse sets the values from the text of the file.
func (s *Settings) Parse(text []byte) error {
	// Decoding into a map would compare all pairs of keys.
	var document yaml.Node
	err := yaml.Unmarshal(text, &document)
	if err != nil {
		return errors.New("not valid YAML: " + strings.TrimPrefix(strings.Join(strings.Fields(err.Error()), " "), "yaml: "))
	}
	s.Values = map[string]Value{}
	if len(document.Content) == 0 || isNull(document.Content[0]) {
		return nil
	}
	top := document.Content[0]
	if top.Kind != yaml.MappingNode {
		return errors.New("give flags and their values, such as root: docs")
	}
	of := map[*yaml.Node]Value{} // aliases share the list of their anchor
	for i := 0; i+1 < len(top.Content); i += 2 {
		key, node := anchored(top.Content[i]), top.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			return errors.New("give flags and their values, such as root: docs")
		}
		if before, isSet := s.Values[key.Value]; isSet {
			return fmt.Errorf("line %d: %.80q is set in line %d, too", node.Line, key.Value, before.Line)
		}
		v, isKnown := of[anchored(node)]
		if !isKnown {
			v.node, v.IsNull = anchored(node), isNull(anchored(node))
			v.List, v.Err = textsOf(anchored(node))
			of[anchored(node)] = v
		}
		v.Line = node.Line
		s.Values[key.Value] = v
	}
	return nil
}

func isNull(n *yaml.Node) bool { return n.ShortTag() == "!!null" }

// anchored returns n, or, if it is an alias, its anchor.
func anchored(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// textsOf returns the value of a YAML scalar, or the values of a YAML list, as written.
func textsOf(n *yaml.Node) (list []string, err error) {
	switch n.Kind {
	case yaml.ScalarNode:
		return []string{n.Value}, nil
	case yaml.SequenceNode:
		for _, item := range n.Content {
			if item.Kind != yaml.ScalarNode {
				return nil, errors.New("give a list of strings")
			}
			list = append(list, item.Value)
		}
		return slices.Clip(list), nil
	}
	return nil, errors.New("give a string, or a list of strings")
}

// A file that a person names may be anywhere. But a change to a repository can make a symbolic link of
// a name in it, so such a name must not point out.

// errLeadsOut is the error for that.
var errLeadsOut = errors.New("a symbolic link leads out of the repository: name the file itself")

// CheckInside returns errLeadsOut if name is that of a file in the repository of the working directory and
// points outside it.
func CheckInside(name string) error {
	b, err := boundaryOf(".")
	if err != nil || !b.isRepo || name == "" {
		return nil // there is nothing that it could leave
	}
	full, err := filepath.Abs(name)
	if err != nil {
		return nil
	}
	real, err := realPath(full)
	// The working directory may have been reached by a link.
	shown, e := filepath.Abs(".")
	here, e2 := filepath.EvalSymlinks(shown)
	if rel, e3 := filepath.Rel(shown, full); e == nil && e2 == nil && e3 == nil {
		full = filepath.Join(here, rel)
	}
	if b.holds(full) && (err != nil || !b.holds(real)) {
		return errLeadsOut
	}
	return nil
}

// Find returns the nearest configuration file, from dir up to the top of the repository. dir is absolute,
// or "" for the working directory. The name is relative to dir; "" means that there is none.
func Find(dir string) string {
	for at := "."; ; at = filepath.Join(at, "..") {
		name := filepath.Join(at, Name)
		if input.Exists(filepath.Join(dir, name)) {
			return name
		}
		_, err := os.Stat(filepath.Join(dir, at, ".git"))
		full, absErr := filepath.Abs(filepath.Join(dir, at))
		if err == nil || absErr != nil || filepath.Dir(full) == full {
			return ""
		}
	}
}

// ReadFS returns the values of the configuration in the root of fsys; nil if there is none.
func ReadFS(fsys fs.FS) (map[string]Value, error) {
	f, err := fsys.Open(Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, input.CauseOf(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, input.CauseOf(err)
	}
	if !info.Mode().IsRegular() {
		return nil, input.ErrNotRegular
	}
	text, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil {
		return nil, input.CauseOf(err)
	}
	if len(text) > maxSize {
		return nil, fmt.Errorf("larger than %d KiB", maxSize>>10)
	}
	var s Settings
	err = s.Parse(text)
	return s.Values, err
}
