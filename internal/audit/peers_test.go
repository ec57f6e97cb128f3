package audit

import (
	"archive/tar"
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/input"
	"example.org/refract/internal/testing/scantest"
)

// Differences between the peers and refract, each with its reason. A line is a line
// of a document, of httpd a reference in one; "agreed" are those that two peers report.
//
// Looked at one by one: all that only refract has on rfcs is wrong there, and so is each
// of the 84 and 66 that peers have, too.
const differences = `
rfcs: 84 agreed, all found
rfcs: 145 of one peer: 132 found
rfcs: peer only: 13 id of HTML, which remark-validate-links does not read
rfcs: refract only: 3 missing-fragment: what the definition of a heading says is not its id
rfcs: refract only: 9 undefined-reference: the peers were not asked
rfcs: refract only: 631 unused-definition: the peers were not asked
electron: 0 agreed, all found
electron: 1 of one peer: 0 found
electron: peer only: 1 brackets in the code of a heading, which rumdl takes for a link
electron: refract only: 1 bad-url: https:/stackoverflow.com has one slash
electron: refract only: 3 missing-file: a page of an example names a file that it does not have
electron: refract only: 16 missing-file: leads out of docs, which is all that the corpus has
fastapi: 1 agreed, all found
fastapi: 34 of one peer: 0 found
fastapi: peer only: 34 id in an attribute list, which remark-validate-links does not read
fastapi: refract only: 1 empty-link: [text]() in the release notes
httpd: 0 agreed, all found
httpd: 66 of one peer: 66 found
httpd: refract only: 6258 missing-file, broken-image, outside: leads to style, images and languages that the corpus does not have
`

func TestPeers(t *testing.T) {
	peers := scantest.Shared(t, "cases/audit")
	r, err := input.Open(scantest.Shared(t, "corpus/docs.tar.xz"))
	must(t, err)
	defer r.Close()
	t.Chdir(untar(t, r))
	var got strings.Builder
	got.WriteByte('\n')
	for _, tree := range []struct{ name, peers string }{
		{"rfcs", "rfcs"}, {"electron", "electron"}, {"fastapi", "fastapi-en"}, {"httpd", "httpd-en"},
	} {
		compare(t, &got, tree.name, filepath.Join(peers, tree.peers+".peers.tsv"))
	}
	if got.String() != differences {
		t.Errorf("got%s", got.String())
	}
}

// compare writes the differences between the findings in a tree and those that peers report.
func compare(t *testing.T, w io.Writer, tree, peers string) {
	byRef := tree == "httpd"
	o := Options{Jobs: 2}
	ours := map[string][]*Finding{}
	_, err := o.audit([]string{tree}, func(f *Finding) {
		key := f.File + ":" + strconv.Itoa(f.Pos.Line)
		if byRef && f.Ref != nil {
			key = f.File + ":" + string(f.Ref.Ref)
		}
		ours[key] = append(ours[key], f)
	})
	must(t, err)
	theirs := map[string]map[string]bool{} // by line, the peers
	total, found := 0, 0
	left := map[string]int{}
	text, err := os.ReadFile(peers)
	must(t, err)
	rows := strings.Split(strings.TrimSpace(string(text)), "\n")[1:]
	message := map[string]string{}
	for _, row := range rows {
		c := strings.Split(row, "\t")
		key := c[1] + ":" + c[2]
		if byRef {
			key = c[2] + ":" + c[3]
			total++ // each counts, also in one line
			if left[key]++; left[key] <= len(ours[key]) {
				found++
			}
		} else {
			message[key] = c[5]
		}
		if theirs[key] == nil {
			theirs[key] = map[string]bool{}
		}
		theirs[key][c[0]] = true
	}
	agreed, missed := 0, 0
	lacking := map[string]int{}
	for _, key := range slices.Sorted(maps.Keys(theirs)) {
		if byRef {
			continue
		}
		has := len(ours[key]) > 0 && slices.ContainsFunc(ours[key], func(f *Finding) bool { return f.Rule != rule.Unused })
		if len(theirs[key]) > 1 {
			if agreed++; !has {
				missed++
				t.Errorf("two peers agree on %s: %s", key, message[key])
			}
			continue
		}
		if total++; has {
			found++
		} else {
			lacking[lack(t, tree, key, message[key])]++
		}
	}
	fmt.Fprintf(w, "%s: %d agreed, %s found\n", tree, agreed, map[bool]string{true: "all", false: "not all"}[missed == 0])
	fmt.Fprintf(w, "%s: %d of one peer: %d found\n", tree, total, found)
	for _, reason := range slices.Sorted(maps.Keys(lacking)) {
		fmt.Fprintf(w, "%s: peer only: %d %s\n", tree, lacking[reason], reason)
	}
	only := map[string]int{}
	for key, fs := range ours {
		for i, f := range fs {
			if theirs[key] != nil && (!byRef || i < left[key]) {
				if f.Rule != rule.Unused {
					continue
				}
			}
			only[surplus(tree, f)]++
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(only)) {
		fmt.Fprintf(w, "%s: refract only: %d %s\n", tree, only[reason], reason)
	}
}

// lack returns why refract does not report a finding of a peer.
func lack(t *testing.T, tree, key, message string) string {
	file, _, _ := strings.Cut(key, ":")
	fragment, _, _ := strings.Cut(message[strings.IndexByte(message, '#')+1:], "`")
	if _, rest, ok := strings.Cut(message, "in `"); ok {
		name, _, _ := strings.Cut(rest, "`")
		file = filepath.Join(filepath.Dir(file), name)
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		file += "/index.md"
	}
	text, err := os.ReadFile(file)
	must(t, err)
	has := func(format string) bool { return strings.Contains(string(text), fmt.Sprintf(format, fragment)) }
	switch {
	case has(`id="%s"`), has(`name="%s"`), has(`id='%s'`):
		return "id of HTML, which remark-validate-links does not read"
	case has("{ #%s }"):
		return "id in an attribute list, which remark-validate-links does not read"
	case tree == "electron" && strings.Contains(message, "utilityprocessforkmodulepath-args-options"):
		return "brackets in the code of a heading, which rumdl takes for a link"
	}
	return "no reason: " + key + " " + message
}

// surplus is the rule of a finding that no peer has, and why it is true.
func surplus(tree string, f *Finding) string {
	target := strings.TrimPrefix(f.Target, tree+"/")
	in, _, _ := strings.Cut(target, "/")
	switch {
	case tree == "rfcs" && (f.Rule == rule.Undefined || f.Rule == rule.Unused):
		return string(f.Rule) + ": the peers were not asked"
	case tree == "rfcs" && f.Rule == rule.MissingFragment && slices.Contains([]string{"rfcs/README.md", "rfcs/text/0769-sound-generic-drop.md"}, f.File):
		return string(f.Rule) + ": what the definition of a heading says is not its id"
	case tree == "electron" && f.Rule == rule.MissingFile && in != "docs":
		return string(f.Rule) + ": leads out of docs, which is all that the corpus has"
	case tree == "electron" && f.Rule == rule.MissingFile && strings.Contains(f.File, "/fiddles/"):
		return string(f.Rule) + ": a page of an example names a file that it does not have"
	case tree == "electron" && f.Rule == rule.BadURL:
		return string(f.Rule) + ": https:/stackoverflow.com has one slash"
	case tree == "fastapi" && f.Rule == rule.LocalURL:
		return string(f.Rule) + ": links of the tutorial to the server that its reader has started"
	case tree == "fastapi" && f.Rule == rule.EmptyLink:
		return string(f.Rule) + ": [text]() in the release notes"
	case tree == "httpd" && in != "en" && (f.Rule == rule.MissingFile || f.Rule == rule.BrokenImage || f.Rule == rule.Outside):
		return "missing-file, broken-image, outside: leads to style, images and languages that the corpus does not have"
	}
	return fmt.Sprintf("no reason: %s:%d: %s [%s]", f.File, f.Pos.Line, f.Message, f.Rule)
}

// untar unpacks what is below docs/ into a new directory.
func untar(t *testing.T, r io.Reader) string {
	dir := t.TempDir()
	for tr := tar.NewReader(bufio.NewReader(r)); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return dir
		}
		must(t, err)
		name := filepath.Join(dir, strings.TrimPrefix(strings.TrimPrefix(h.Name, "./"), "docs/"))
		switch h.Typeflag {
		case tar.TypeDir:
			must(t, os.MkdirAll(name, 0o777))
		case tar.TypeSymlink:
			must(t, os.Symlink(h.Linkname, name))
		case tar.TypeReg:
			must(t, os.MkdirAll(filepath.Dir(name), 0o777))
			f, err := os.Create(name)
			must(t, err)
			_, err = io.Copy(f, tr)
			must(t, errors.Join(err, f.Close()))
		}
	}
}
