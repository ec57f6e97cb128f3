package html

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/testing/scantest"
)

// opinions prints what parse5 (scripting off) and htmlparser2 see in each document: a line of JSON
// with the elements that have attributes, and the texts that hold a mark.
const opinions = `
const parse5 = require('parse5'), htmlparser2 = require('htmlparser2');
const spaces = {'http://www.w3.org/1999/xhtml': '', 'http://www.w3.org/2000/svg': 'svg', 'http://www.w3.org/1998/Math/MathML': 'math'};
function tree(src) {
  const out = {elements: [], texts: []};
  const walk = (n) => {
    if (n.attrs && n.attrs.length)
      out.elements.push([spaces[n.namespaceURI], n.tagName, n.attrs.map(a => [(a.prefix ? a.prefix + ':' : '') + a.name, a.value])]);
    const text = n.nodeName === '#text' ? n.value : n.data;
    if (text !== undefined && text.includes('refract:')) out.texts.push([n.parentNode.nodeName, text]);
    (n.childNodes || []).forEach(walk);
    if (n.content) walk(n.content);
  };
  walk(parse5.parse(src, {scriptingEnabled: false}));
  return out;
}
function events(src) {
  const out = {elements: [], texts: []}, open = [];
  const p = new htmlparser2.Parser({
    onopentag(name, attrs) {
      open.push(name);
      if (Object.keys(attrs).length) out.elements.push(['?', name, Object.entries(attrs)]);
    },
    onclosetag() { open.pop(); },
    ontext(text) { if (text.includes('refract:')) out.texts.push([open[open.length - 1], text]); },
  });
  p.write(src);
  p.end();
  return out;
}
const lines = require('readline').createInterface({input: process.stdin});
lines.on('line', (l) => {
  const src = JSON.parse(l);
  console.log(JSON.stringify([tree(src), events(src)]));
});
`

type opinion struct {
	Elements [][3]json.RawMessage
	Texts    [][2]string
}

// TestOpinions compares the contract with two other parsers, from the package registry.
func TestOpinions(t *testing.T) {
	scantest.Long(t, "asks programs of the package registry")
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	for _, command := range [][]string{
		{"npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "parse5@8.1.1", "htmlparser2@12.0.0"},
		{"node", "-e", "require('parse5'), require('htmlparser2')"},
	} {
		c := exec.CommandContext(ctx, command[0], command[1:]...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Skipf("%s: %v\n%s", command, err, out)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "opinions.js"), []byte(opinions), 0o666); err != nil {
		t.Fatal(err)
	}
	var docs [][]byte
	for _, s := range seeds {
		docs = append(docs, []byte(s))
	}
	all, _ := scantest.Corpus(t, "html.tar.xz", ".html")
	docs = append(docs, all...)
	var in bytes.Buffer
	var marks [][]mark
	for _, src := range docs {
		text, m := overwrite(bytes.ToValidUTF8(src, []byte("?")))
		line, _ := json.Marshal(string(text))
		in.Write(append(line, '\n'))
		marks = append(marks, m)
	}
	node := exec.Command("node", "opinions.js")
	node.Dir, node.Stdin, node.Stderr = dir, &in, os.Stderr
	out, err := node.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<30)
	dropped, unseen := make(map[string]int), make(map[string]int)
	n := 0
	for ; lines.Scan(); n++ {
		var both [2]opinion
		if err := json.Unmarshal(lines.Bytes(), &both); err != nil {
			t.Fatal(err)
		}
		r := both[0].report(t)
		if len(r.missed)+len(r.written) > 0 {
			t.Errorf("document %d: parse5 says missed: %.300q, invented: %.300q", n, r.missed, r.written)
		}
		count(dropped, r, marks[n])
		// htmlparser2 builds no tree: everything that it sees as a tag must also be one of ours.
		r = both[1].report(t)
		if n >= len(seeds) && len(r.missed) > 0 {
			t.Errorf("document %d: htmlparser2 says missed: %.300q", n, r.missed)
		}
		count(unseen, r, marks[n])
	}
	if n != len(docs) {
		t.Errorf("%d opinions of %d documents", n, len(docs))
	}
	t.Logf("%d documents; not in the tree of parse5: %v; not seen by htmlparser2: %v", n, dropped, unseen)
}

func count(into map[string]int, r *report, marks []mark) {
	for i, m := range marks {
		if !r.seen[i] {
			into[m.in]++
		}
	}
}

func (o *opinion) report(t *testing.T) *report {
	r := &report{seen: make(map[int]bool)}
	for _, text := range o.Texts {
		r.text(text[0], text[1])
	}
	for _, e := range o.Elements {
		var space, name string
		var attrs [][2]string
		for i, v := range []any{&space, &name, &attrs} {
			if err := json.Unmarshal(e[i], v); err != nil {
				t.Fatal(err)
			}
		}
		if space == "?" {
			space = ""
			if slices.Contains([]string{"svg", "path", "rect", "use", "image", "g"}, strings.ToLower(name)) {
				space = "svg"
			}
		}
		r.element(space, name, attrs)
	}
	return r
}
