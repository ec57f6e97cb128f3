package sphinx

import (
	"bytes"
	"compress/zlib"
	"strings"
	"testing"

	"example.org/refract/internal/site"
	"example.org/refract/internal/testing/sitetest"
	"github.com/rogpeppe/go-internal/txtar"
)

func TestInventories(t *testing.T) {
	all := inventories()
	if len(all) < 35 {
		t.Errorf("%d inventories", len(all))
	}
	names := 0
	for _, v := range all {
		n := len(v.hashes) / 3
		names += n
		if len(v.hashes)%3 != 0 || n == 0 || n > 1<<14 || len(v.urls) == 0 || strings.Trim(v.kinds, "lt") != "" {
			t.Errorf("%s: %d hashes, %q, %q", v.about, n, v.urls, v.kinds)
		}
		for i := 3; i < len(v.hashes); i += 3 {
			if bytes.Compare(v.hashes[i-3:i], v.hashes[i:i+3]) >= 0 {
				t.Fatalf("%s: hash %d is not above the one before", v.about, i/3)
			}
		}
		byChance := 0
		const tried = 5000
		for i := range tried {
			if v.has('l', "no such label "+strings.Repeat("x", i%70)+strings.Repeat("y", i/70)) {
				byChance++
			}
		}
		if strings.Contains(v.kinds, "l") && byChance > tried/500 {
			t.Errorf("%s: has %d of %d names by chance", v.about, byChance, tried)
		}
	}
	t.Logf("%d names of %d projects", names, len(all))
	python := knownInventory("https://docs.python.org/3")
	for _, test := range []struct {
		kind byte
		name string
		want bool
	}{{'l', "tut-using", true}, {'l', "Tut-Using", true}, {'l', "tut-used", false}, {'t', "generator", true}, {'t', "generatör", false}, {'l', "generator", false}} {
		if got := python.has(test.kind, test.name); got != test.want {
			t.Errorf("Python has %q: %v", test.name, got)
		}
	}
	if v := knownInventory("https://numpy.org/doc/stable"); v == nil || !v.has('t', "anything") {
		t.Error("the terms of NumPy are not known")
	}
	for _, url := range []string{"", "https://", "https://docs.python.org.example/", "../docs.python.org/"} {
		if v := knownInventory(url); v != nil {
			t.Errorf("%q is %s", url, v.about)
		}
	}
}

// inventoryOf returns an objects.inv with these lines.
func inventoryOf(text string) []byte {
	var b bytes.Buffer
	b.WriteString("# Sphinx inventory version 2\n# Project: x\n# Version: 1\n# The remainder of this file is compressed using zlib.\n")
	w := zlib.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.Bytes()
}

func TestParseInventory(t *testing.T) {
	v := parseInventory(inventoryOf("a label std:label -1 x.html#$ A\nX y std:term -1 x.html#$ -\nf py:function 1 x.html#$ -\nodd\n"))
	if v == nil || len(v.names) != 2 || !v.has('l', "A  label") || !v.has('t', "x y") || v.has('l', "f") {
		t.Errorf("%+v", v)
	}
	whole := inventoryOf("a std:label -1 x.html#$ A\n")
	for _, data := range [][]byte{nil, []byte("# Sphinx inventory version 1\n"), whole[:len(whole)-6], whole[:80], append(whole[:len(whole)-10:len(whole)-10], "broken"...), inventoryOf(strings.Repeat("x", maxInventory))} {
		if v := parseInventory(data); v != nil {
			t.Errorf("%.20q: %+v", data, v)
		}
	}
}

func TestMappingEntries(t *testing.T) {
	for _, test := range []struct {
		text  string
		all   int
		isAll bool
	}{
		{"intersphinx_mapping = {'python': ('https://docs.python.org/3', None)}", 1, true},
		{"intersphinx_mapping = {\n    # x\n    \"python\": (\"https://docs.python.org/3\", None,),\n}", 1, true},
		{"intersphinx_mapping = {'x': ('https://x.example/', None), 'python': ('https://docs.python.org/3', None)}", 1, false},
		{"intersphinx_mapping = {'python': (python, None)}", 0, false},
		{"intersphinx_mapping = {'python': ('https://docs.python.org/3', None), **more}", 1, false},
		{"intersphinx_mapping = {'python': ('https://docs.python.org/3', None)}\nintersphinx_mapping.update(django=('https://docs.djangoproject.com/', None))", 2, true},
		{"intersphinx_mapping = {'python': ('https://docs.python.org/3', None)}\nintersphinx_mapping.update(more)", 1, false},
		{"intersphinx_mapping = {'python': ('https://docs.python.org/3', None)}\nintersphinx_mapping['d'] = ('https://docs.djangoproject.com/', None)", 2, true},
		{"intersphinx_mapping = {'x': ('https://x.example/', 'x.inv')}", 1, true},
		{"intersphinx_mapping = {'x': ('https://x.example/', (None, \"x.inv\"))}", 1, true},
		{"intersphinx_mapping = {'x': ('https://x.example/', '../../x.inv')}", 0, false},
		{"intersphinx_mapping = get()", 0, false},
		{"intersphinx_mapping = {'python': ('https://docs.python.org/3', (None, 'https://x.example/python.inv'))}", 1, true},
		{"intersphinx_mapping = {", 0, false},
		{"", 0, false},
	} {
		g := &model{text: test.text, hasIntersphinx: true}
		o := g.readOthers(siteOf(t, inventoryOf("only std:label -1 x.html#$ A\n")))
		if len(o.all) != test.all || o.isAll != test.isAll {
			t.Errorf("%s: %d, %v", test.text, len(o.all), o.isAll)
		}
	}
}

func TestWordSet(t *testing.T) {
	w := make(wordSet, 1<<(wordBits-6))
	w.addFrom([]byte("class Spawner(x):\n    def start_up2(self)"))
	for _, word := range strings.Fields("class Spawner x def start_up2 self") {
		if !w.has(word) {
			t.Errorf("lacks %q", word)
		}
	}
	if w.has("start_up") || w.has("pawner") {
		t.Error("has parts of words")
	}
	const ends = "_09azAZ"
	w.addFrom([]byte("/0:/9:`a{`z{@A[@Z[^_"))
	for _, c := range ends {
		if !w.has(string(c)) {
			t.Errorf("lacks %q", c)
		}
	}
}

// siteOf returns a site in a tree whose only other file is an inventory.
func siteOf(t *testing.T, inventory []byte) *site.Site {
	t.Helper()
	tree := sitetest.Tree([]txtar.File{{Name: "docs/conf.py", Data: []byte("extensions = []\n")}, {Name: "docs/index.rst"}, {Name: "docs/x.inv", Data: inventory}})
	s := site.NewFinder(tree, []*site.Generator{Generator}, "").Of("/site/docs/index.rst", "/site")
	if s == nil {
		t.Fatal("no site")
	}
	return s
}
