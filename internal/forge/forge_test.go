package forge

import (
	"fmt"
	"strings"
	"testing"

	"example.org/refract/resolve"
)

func parsed(files map[string]string) Repository {
	return Parse(func(name string) []byte { return []byte(files[name]) })
}

func TestParse(t *testing.T) {
	for _, tt := range []struct{ config, want string }{
		{"", "[]"},
		{"[remote \"origin\"]\n\turl = https://github.com/acme/w.git\n", "[{github.com /acme/w}]"},
		{"[remote \"origin\"]\n\turl = https://user:secret@GitHub.com/Acme/w/\n", "[{github.com /Acme/w}]"},
		{"[remote \"origin\"]\n\turl = git@github.com:acme/w.git\n", "[{github.com /acme/w}]"},
		{"[remote \"origin\"]\r\n\turl = ssh://git@gitlab.example:2222/a/b/w.git\r\n", "[{gitlab.example /a/b/w}]"},
		{"[remote \"origin\"]\nurl=http://localhost:3000/acme/w\n", "[{localhost:3000 /acme/w}]"},
		{"[remote \"a\"]\nurl = git@h:o/r\n[branch \"x\"]\nurl = git@h:no/no\n[remote \"b\"]\nfetch = x\nurl = git://i/o/r\n", "[{h /o/r} {i /o/r}]"},
		{"[remote \"origin\"]\nurl = ../w.git\n", "[]"},
		{"[remote \"origin\"]\nurl = /srv/git/w.git\n", "[]"},
		{"[remote \"origin\"]\nurl = C:\\git\\w\n", "[]"},
		{"[remote \"origin\"]\nurl = https://h/\n", "[]"},
		{"[remote \"origin\"\nurl\n]\n=\n", "[]"},
		{strings.Repeat("[remote \"origin\"]\nurl = git@h:o/r\n", 1000), "[" + strings.TrimSuffix(strings.Repeat("{h /o/r} ", maxRemotes), " ") + "]"},
	} {
		if got := fmt.Sprint(parsed(map[string]string{"config": tt.config}).Remotes); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.config, got, tt.want)
		}
	}
}

func TestBranches(t *testing.T) {
	const config = "[core]\n\tsparseCheckout = true\n[remote \"up\"]\nurl = git@h:o/r\n"
	r := parsed(map[string]string{"config": config, "HEAD": "ref: refs/heads/fix/x\n", "refs/remotes/up/HEAD": "ref: refs/remotes/up/trunk\n"})
	if r.Branch != "fix/x" || r.Default != "trunk" || !r.IsSparse {
		t.Errorf("%+v", r)
	}
	for _, head := range []string{"", "0123456789abcdef0123456789abcdef01234567\n", "ref: refs/heads/.invalid\n", "ref: refs/tags/v1\n"} {
		if r := parsed(map[string]string{"config": config, "HEAD": head}); r.Branch != "" || r.Default != "" {
			t.Errorf("%q: %+v", head, r)
		}
	}
}

func TestFind(t *testing.T) {
	r := Repository{Remotes: []Remote{{"github.com", "/acme/w"}, {"gitlab.example", "/g/sub/w"}, {"codeberg.org", "/o/w"}, {"bitbucket.org", "/o/w"}}, Branch: "fix/x", Default: "main"}
	for _, tt := range []struct{ url, want string }{
		{"https://github.com/acme/w/blob/main/docs/x.md#L10", "main docs/x.md false"},
		{"https://www.github.com/ACME/W/blob/fix/x/docs/x.md", "fix/x docs/x.md true"},
		{"http://github.com/acme/w/tree/main", "main  false"},
		{"https://github.com/acme/w/tree/main/", "main  false"},
		{"https://github.com/acme/w/raw/refs/heads/main/a%20b.png", "main a%20b.png false"},
		{"https://github.com/acme/w/blob/HEAD/x", "HEAD x false"},
		{"https://github.com/acme/w/blob/main2/x", "  false"},
		{"https://github.com/acme/w/blob/v1.0/x", "  false"},
		{"https://github.com/acme/w/blob/0123abc/x", "  false"},
		{"https://raw.githubusercontent.com/acme/w/main/x.png", "main x.png false"},
		{"https://gitlab.example/g/sub/w/-/blob/main/x.md?ref_type=heads#L10-12", "main x.md false"},
		{"https://gitlab.example/g/sub/w/blob/main/x.md", "main x.md false"},
		{"https://codeberg.org/o/w/src/branch/fix/x/a.go", "fix/x a.go true"},
		{"https://codeberg.org/o/w/src/commit/main/a.go", "  false"},
		{"https://codeberg.org/o/w/raw/tag/main/a.go", "  false"},
		{"https://bitbucket.org/o/w/src/main/a.go#lines-3", "main a.go false"},
		{"https://github.com/acme/w", "none"},
		{"https://github.com/acme/w/issues/12", "none"},
		{"https://github.com/acme/w/blob/", "none"},
		{"https://github.com/acme/w2/blob/main/x", "none"},
		{"https://github.example/acme/w/blob/main/x", "none"},
		{"ftp://github.com/acme/w/blob/main/x", "none"},
	} {
		c := resolve.Parse([]byte(tt.url))
		f, ok := r.Find(&c)
		got := fmt.Sprint(f.Branch, " ", f.Path, " ", f.IsCurrent)
		if !ok {
			got = "none"
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.url, got, tt.want)
		}
		if ok && !strings.HasPrefix(tt.url, f.Before+f.Path) {
			t.Errorf("%s: %q and %q", tt.url, f.Before, f.Path)
		}
	}
	// Without a default branch, main and master are known, and HEAD stands for an unknown branch.
	r.Default, r.Branch = "", "master"
	for _, tt := range []struct{ url, want string }{
		{"https://github.com/acme/w/blob/main/x", "main false"},
		{"https://github.com/acme/w/blob/master/x", "master true"},
		{"https://github.com/acme/w/blob/HEAD/x", "HEAD false"},
	} {
		c := resolve.Parse([]byte(tt.url))
		if f, _ := r.Find(&c); fmt.Sprint(f.Branch, " ", f.IsCurrent) != tt.want {
			t.Errorf("%s: %+v", tt.url, f)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("[remote \"origin\"]\nurl = git@h:o/r\n", "https://h/o/r/blob/main/x")
	f.Fuzz(func(t *testing.T, config, url string) {
		r := parsed(map[string]string{"config": config, "HEAD": "ref: refs/heads/main"})
		c := resolve.Parse([]byte(url))
		if file, ok := r.Find(&c); ok && !strings.HasPrefix(url, file.Before+file.Path) {
			t.Errorf("%q is %q and %q", url, file.Before, file.Path)
		}
	})
}
