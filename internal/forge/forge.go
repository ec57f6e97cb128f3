// Package forge knows how code hosts (GitHub, GitLab, Gitea and Forgejo, Bitbucket) name the files of a
// repository in URLs. It tells them apart by the form of a path, so that hosts with any name are known.
package forge

import (
	"slices"
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/resolve"
)

// A Repository is what .git says about a checkout.
type Repository struct {
	Remotes []Remote
	Branch  string // the current one; "" if HEAD is no branch
	// Default is the default branch of a remote, as far as a clone has noted it; "" if it has not.
	Default string
	// IsSparse says that the checkout lacks files on purpose.
	IsSparse bool
}

// A Remote is the place of a repository on a host.
type Remote struct {
	Host string // in lower case, without a port of ssh
	Path string // "/owner/name", without ".git"
}

// A File is the URL of a file or directory of a Repository.
type File struct {
	Before string // the URL up to Path
	Path   string // of the file from the top, as in the URL; "" is the top
	Branch string // "" if it is another branch, a tag, or a commit
	// IsCurrent says that the checkout has this branch, so that it has all its files.
	IsCurrent bool
}

// Find returns the file that a URL names. ok is false if the URL is none of a file of r: another page of the host, or
// another repository.
func (r *Repository) Find(c *resolve.Components) (f File, ok bool) {
	if scheme := string(c.Scheme); !strings.EqualFold(scheme, "https") && !strings.EqualFold(scheme, "http") {
		return f, false
	}
	host := strings.ToLower(string(c.Authority))
	for i := range r.Remotes {
		rest, ok := r.Remotes[i].behind(host, string(c.Path))
		if !ok {
			continue
		}
		f = r.file(rest)
		f.Before = string(c.Scheme) + "://" + string(c.Authority) + strings.TrimSuffix(string(c.Path), f.Path)
		return f, true
	}
	return f, false
}

// behind returns what follows in a path the word that says how the file is shown: the revision, and the
// path of the file.
func (m *Remote) behind(host, path string) (string, bool) {
	if m.Host == "github.com" {
		switch host {
		case "raw.githubusercontent.com":
			rest, ok := cutFold(path, m.Path+"/")
			return rest, ok
		case "www.github.com":
			host = m.Host
		}
	}
	rest, ok := cutFold(path, m.Path+"/")
	if !ok || host != m.Host {
		return "", false
	}
	rest = strings.TrimPrefix(rest, "-/") // GitLab
	view, rest, ok := strings.Cut(rest, "/")
	if !ok || rest == "" || !slices.Contains([]string{"blob", "tree", "raw", "edit", "blame", "src"}, view) {
		return "", false
	}
	if view == "src" || view == "raw" { // Gitea
		kind, more, ok := strings.Cut(rest, "/")
		switch {
		case ok && kind == "branch":
			return more, true
		case ok && (kind == "commit" || kind == "tag"):
			return rest, true // of no branch
		}
	}
	return rest, true
}

// cutFold is strings.CutPrefix in any case of ASCII letters: hosts ignore the case of the names of owners
// and repositories.
func cutFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return "", false
	}
	return s[len(prefix):], true
}

// file takes a revision and a path apart. A branch may have slashes in its name, so it is compared.
func (r *Repository) file(rest string) File {
	rest = strings.TrimPrefix(rest, "refs/heads/")
	defaults := []string{r.Default}
	if r.Default == "" {
		defaults = []string{"main", "master"} // one of them, most likely
	}
	for _, name := range append([]string{r.Branch, "HEAD"}, defaults...) {
		if name == "" {
			continue
		}
		path, ok := strings.CutPrefix(rest, name)
		if !ok || path != "" && path[0] != '/' {
			continue
		}
		isCurrent := r.Branch != "" && (name == r.Branch || name == "HEAD" && r.Branch == r.Default)
		return File{Branch: name, Path: strings.TrimPrefix(path, "/"), IsCurrent: isCurrent && !r.IsSparse}
	}
	return File{}
}

// Parse returns what the files of .git say: config, HEAD, and refs/remotes/NAME/HEAD, which read returns; nil is a
// file that is not there.
func Parse(read func(name string) []byte) (r Repository) {
	var names []string
	remote, isCore := "", false
	for line := range strings.Lines(string(read("config"))) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section := strings.TrimSuffix(strings.TrimPrefix(line, "["), "]")
			kind, name, _ := strings.Cut(section, " ")
			remote, isCore = "", strings.EqualFold(kind, "core")
			if strings.EqualFold(kind, "remote") {
				remote = strings.Trim(name, `"`)
			}
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.Trim(strings.TrimSpace(value), `"`)
		switch {
		case isCore && key == "sparsecheckout":
			r.IsSparse = strings.EqualFold(value, "true")
		case remote != "" && key == "url":
			if m, ok := parseRemote(value); ok && len(names) < maxRemotes {
				r.Remotes, names = append(r.Remotes, m), append(names, remote)
			}
		}
	}
	if len(names) == 0 {
		return r
	}
	r.Branch = branchOf(read("HEAD"), "refs/heads/")
	for _, name := range names {
		if strings.ContainsAny(name, `/\`) || name == ".." || name == "." {
			continue // no file of its own
		}
		r.Default = branchOf(read("refs/remotes/"+name+"/HEAD"), "refs/remotes/"+name+"/")
		if r.Default != "" {
			break
		}
	}
	return r
}

// maxRemotes limits the remotes of a repository: each absolute URL of a document is compared with all of them.
const maxRemotes = 16

// branchOf returns the branch that a symbolic ref names, or "".
func branchOf(text []byte, prefix string) string {
	name, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "ref: "+prefix)
	if !ok || strings.ContainsAny(name, " \n") || strings.HasPrefix(name, ".") { // HEAD of reftables is .invalid
		return ""
	}
	return name
}

// parseRemote parses the URL of a remote: of https, ssh or git, or "user@host:path" (gitglossary and
// git-fetch, "GIT URLS").
func parseRemote(s string) (m Remote, ok bool) {
	c := resolve.Parse([]byte(s))
	host, path := "", ""
	switch strings.ToLower(string(c.Scheme)) {
	case "http", "https": // whose port is part of the host
		host, path = string(c.Authority[ascii.HostStart(c.Authority):]), string(c.Path)
	case "ssh", "git", "git+ssh":
		name, _, _ := ascii.CutPort(c.Authority[ascii.HostStart(c.Authority):])
		host, path = string(name), string(c.Path)
	default:
		before, after, isShort := strings.Cut(s, ":")
		if !isShort || strings.Contains(before, "/") || strings.HasPrefix(after, "//") {
			return m, false
		}
		host, path = before[strings.LastIndexByte(before, '@')+1:], "/"+strings.TrimPrefix(after, "/")
	}
	path = strings.TrimSuffix(strings.TrimRight(path, "/"), ".git")
	if host == "" || strings.Count(path, "/") < 2 { // an owner and a name
		return m, false
	}
	return Remote{strings.ToLower(host), path}, true
}
