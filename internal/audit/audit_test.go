package audit

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/testing/scantest"
	"github.com/rogpeppe/go-internal/txtar"
)

// Each file of testdata holds a tree and the findings in it. Its leading comment says how to audit
// the tree, one setting per line:
//
//	# prose
//	args docs notes.md      in place of "."
//	site URL=DIR, root DIR, slugs NAME, orphans, link-texts, tests
//	symlink NAME -> TARGET  is put into the tree
//	name QUOTED             is an empty file, by its name as Go quotes it
//	zip NAME                the directory becomes a ZIP archive of that name
//
// A finding is "file:line:column+length rule: message", followed by "=>" and the suggestion, and by
// "(certain)".
// UPDATE=1 writes the findings into the file; review the diff.
func TestTrees(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no trees: ", err)
	}
	for i, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			full, _ := filepath.Abs(name)
			isThorough := scantest.IsLong() || i%8 == 0 // on a disk, which takes most of the time
			write := unpack
			if !isThorough && !needsDisk.Match(ar.Comment) {
				write = hold
			}
			o, args, want := write(t, ar)
			got := findings(t, o, args)
			if isThorough {
				o.Jobs = 4
				if findings(t, o, args) != got {
					t.Error("differs with four jobs")
				}
				cached(t, o, args, got)
				listed(t, o, args)
			}
			if want >= 0 && string(ar.Files[want].Data) == got {
				return
			}
			if os.Getenv("UPDATE") == "" {
				t.Fatalf("got\n%s", got)
			}
			if want < 0 {
				ar.Files = append(ar.Files, txtar.File{Name: "want"})
				want = len(ar.Files) - 1
			}
			ar.Files[want].Data = []byte(got)
			if err := os.WriteFile(full, txtar.Format(ar), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// listed checks that Options.Unchecked gets every reference that is counted.
func listed(t *testing.T, o *Options, args []string) {
	t.Helper()
	reasons := map[Reason]int{}
	o.Cache, o.Unchecked = nil, func(u *Unchecked) { reasons[u.Why]++ }
	report, err := o.audit(args, nil)
	o.Unchecked = nil
	must(t, err)
	for why, n := range report.Reasons {
		if reasons[why] != n {
			t.Errorf("%d of %d are listed as %q", reasons[why], n, why)
		}
	}
}

// cached checks that a cache changes nothing, empty, in memory or from a file, with the outcome of the whole audit
// and without.
func cached(t *testing.T, o *Options, args []string, want string) {
	t.Helper()
	o.Cache = new(doc.Cache)
	for _, state := range []string{"empty", "full", "without outcomes", "read"} {
		if got := findings(t, o, args); got != want {
			t.Errorf("with a cache that is %s: got\n%s", state, got)
		}
		switch state {
		case "full":
			o.Cache.Outcomes = nil
		case "without outcomes":
			var b bytes.Buffer // a file would change the directories
			must(t, o.Cache.Write(&b, "1"))
			o.Cache = new(doc.Cache)
			must(t, o.Cache.Read(&b, "1"))
		}
	}
	if o.Cache.Changed() {
		t.Error("something was read again")
	}
}

// needsDisk matches settings that unpack knows, and hold does not.
var needsDisk = regexp.MustCompile(`(?m)^(symlink|zip|name) `)

// hold is unpack for a tree in memory.
func hold(t *testing.T, ar *txtar.Archive) (o *Options, args []string, want int) {
	t.Helper()
	memory := inMemory()
	for _, f := range ar.Files {
		if f.Name != "want" {
			memory.Write("/t/"+f.Name, f.Data)
		}
	}
	o = &Options{Jobs: 1, Tree: memory, Dir: "/t"}
	return o, set(t, o, ar), indexOfWant(ar)
}

func indexOfWant(ar *txtar.Archive) int {
	return slices.IndexFunc(ar.Files, func(f txtar.File) bool { return f.Name == "want" })
}

// unpack writes a tree and changes to its directory. want is the index of the expected findings, or -1.
func unpack(t *testing.T, ar *txtar.Archive) (o *Options, args []string, want int) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range ar.Files {
		if f.Name == "want" {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if _, err := os.Lstat(path); err == nil {
			t.Skip("names differ only in case, which counts for nothing here: ", f.Name)
		}
		err := os.MkdirAll(filepath.Dir(path), 0o777)
		if err == nil {
			err = os.WriteFile(path, f.Data, 0o666)
		}
		if err != nil && runtime.GOOS != "linux" {
			t.Skip("no such names here: ", err)
		}
		must(t, err)
	}
	t.Chdir(dir)
	o = &Options{Jobs: 1}
	return o, set(t, o, ar), indexOfWant(ar)
}

// set sets options as the comment of an archive says, and returns the arguments.
func set(t *testing.T, o *Options, ar *txtar.Archive) (args []string) {
	t.Helper()
	args = []string{"."}
	for line := range strings.Lines(string(ar.Comment)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "#", "":
		case "args":
			args = strings.Fields(rest)
		case "site":
			url, dir, _ := strings.Cut(rest, "=")
			o.Sites = append(o.Sites, Site{url, dir})
		case "root":
			o.Root = rest
		case "slugs":
			o.Slugs = rest
		case "orphans":
			o.Orphans = true
		case "link-texts":
			o.LinkTexts = true
		case "tests":
			o.Tests = true
		case "doubts":
			o.Doubts = true
		case "symlink":
			name, target, _ := strings.Cut(rest, " -> ")
			must(t, os.MkdirAll(filepath.Dir(name), 0o777))
			if err := os.Symlink(target, name); err != nil {
				t.Skip("no symbolic links here: ", err)
			}
		case "zip":
			zipDir(t, rest)
		case "name":
			name, err := strconv.Unquote(rest)
			must(t, err)
			if err := os.WriteFile(name, nil, 0o666); err != nil {
				t.Skip("no such names here: ", err)
			}
		default:
			t.Fatalf("%q in the comment", line)
		}
	}
	return args
}

// audit runs an audit of args as tests write it.
func (o *Options) audit(args []string, emit func(*Finding)) (*Report, error) {
	o.Paths = args
	return Run(context.Background(), *o, emit)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// findings returns what a run finds, a line each, and checks what is true of each.
func findings(t *testing.T, o *Options, args []string) string {
	t.Helper()
	var b strings.Builder
	report, err := o.audit(args, func(f *Finding) {
		p := f.Pos
		if f.Ref != nil && f.Ref.Pos != p {
			t.Errorf("%v: two positions, %v and %v", f, p, f.Ref.Pos)
		}
		fmt.Fprintf(&b, "%s:%d:%d+%d %s: %s", f.File, p.Line, p.Column, p.Length, f.Rule, f.Message)
		if f.Suggestion != "" {
			fmt.Fprintf(&b, " => %s", f.Suggestion)
		}
		if f.Certain {
			b.WriteString(" (certain)")
		}
		b.WriteByte('\n')
		if !slices.Contains(rule.Rules(), f.Rule) {
			t.Errorf("rule %s is not listed", f.Rule)
		}
		text, err := o.readFileOrMember(f.Path)
		must(t, err)
		if raw := text[p.Offset : p.Offset+int64(p.Length)]; f.Ref != nil && !bytes.Equal(raw, f.Ref.Raw) {
			t.Errorf("%s: at its place stands %q", b.String(), raw)
		}
	})
	must(t, err)
	sums(t, report)
	for _, f := range report.Errors {
		fmt.Fprintf(&b, "error: %v\n", f.Err)
	}
	return b.String()
}
