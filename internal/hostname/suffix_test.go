package hostname

import (
	"cmp"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestList compares the list with the tables of golang.org/x/net/publicsuffix, as its comments describe them. UPDATE=1 writes it.
func TestList(t *testing.T) {
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "golang.org/x/net/publicsuffix").Output()
	if err != nil {
		t.Skip("go list: ", err)
	}
	table := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "data", name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	text, nodes, children := table("text"), table("nodes"), table("children")
	type rule struct{ name, flags string }
	var rules []rule
	var add func(from, to uint32, parent string)
	add = func(from, to uint32, parent string) {
		for ; from < to; from++ {
			node := uint64(nodes[5*from])<<32 | uint64(binary.BigEndian.Uint32(nodes[5*from+1:]))
			at := node >> 6 & 0xffff
			name := string(text[at:at+node&0x3f]) + parent
			private := []string{"p", ""}[node>>22&1]
			child := binary.BigEndian.Uint32(children[4*(node>>23&0x3ff):])
			kind, isWild := child>>28&3, child>>30&1 == 1
			switch {
			case kind == 1:
				rules = append(rules, rule{name, "!" + private})
			case kind == 0 && isWild:
				rules = append(rules, rule{name, "+*" + private})
			case isWild:
				rules = append(rules, rule{name, "*" + private})
			case kind == 0:
				rules = append(rules, rule{name, private})
			}
			add(child&0x3fff, child>>14&0x3fff, "."+name)
		}
	}
	top := uint32(len(nodes)) // nodes of top-level domains come first
	for i := 0; i < len(children); i += 4 {
		if c := binary.BigEndian.Uint32(children[i:]); c&0x3fff < c>>14&0x3fff {
			top = min(top, c&0x3fff)
		}
	}
	add(0, top, "")
	slices.SortFunc(rules, func(x, y rule) int { return cmp.Compare(x.name, y.name) })
	var b strings.Builder
	for _, r := range rules {
		if strings.Count(r.name, ".") > maxLabels-2 {
			t.Errorf("%s has more than %d labels", r.name, maxLabels-1)
		}
		b.WriteString(strings.TrimSpace(r.name+" "+r.flags) + "\n")
	}
	if b.String() == list {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Fatal("the list is not that of golang.org/x/net: run this with UPDATE=1")
	}
	if err := os.WriteFile("list.txt", []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// The names of a suffix, of what is registered below it, and the rules of the list that are exceptions. With the tag deep, TestOf compares
// all names of the list with golang.org/x/net/publicsuffix.
func TestRegistered(t *testing.T) {
	for _, test := range []struct{ host, suffix, domain string }{
		{"www.example.com", "com", "example.com"}, {"com", "com", ""}, {"a.b.example.co.uk", "co.uk", "example.co.uk"},
		{"a.user.github.io", "github.io", "user.github.io"}, {"x.y.z.ck", "z.ck", "y.z.ck"}, {"a.www.ck", "ck", "www.ck"},
		{"a.unknown", "unknown", "a.unknown"}, {"localhost", "localhost", ""}, {"a..b", "b", ""}, {"", "", ""},
	} {
		suffix, _ := Suffix(test.host)
		if domain, _ := Registered(test.host); suffix != test.suffix || domain != test.domain {
			t.Errorf("%s: %q, %q", test.host, suffix, domain)
		}
	}
}
