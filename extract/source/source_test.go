package source_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/source"
)

// packed compresses each text as a member of gzip.
func packed(texts ...string) string {
	var b bytes.Buffer
	for _, text := range texts {
		z := gzip.NewWriter(&b)
		io.WriteString(z, text)
		z.Close()
	}
	return b.String()
}

func zipped(t *testing.T, name, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, text)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func record(url string) string {
	body := "<a href=" + url + ">"
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://r/\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(body), body)
}

// tree is a directory of everything that the package opens; a name that ends in a slash is an empty directory.
func tree(t *testing.T) map[string]string {
	return map[string]string{
		"a.html":                   "<a href=http://h/html>",
		"a.txt.gz":                 packed("see http://h/gz\n"),
		"b.zip":                    zipped(t, "in.html", "<a href=http://h/zip>"),
		"c.warc.gz":                packed(record("http://h/warc1"), record("http://h/warc2")),
		"d/.git/config":            "",
		"d/.gitignore":             "*.log\n",
		"d/e/x.log":                "http://h/ignored",
		"d/e/x.md":                 "[x](http://h/md)",
		"d/.hidden.md":             "[x](http://h/hidden)",
		"mail/cur/1:2,S":           "Subject: x\n\nsee http://h/mail\n",
		"mail/new/":                "",
		"mail/tmp/2":               "http://h/unfinished",
		"mail/.Sent/cur/3":         "http://h/sent",
		".old/cur/4":               "http://h/old",
		"inbox/git/0.git/HEAD":     "ref: refs/heads/master\n",
		"inbox/git/0.git/objects/": "",
		"inbox/git/0.git/refs/":    "",
		"p.png":                    "\x89PNG\r\n\x1a\n http://h/png",
	}
}

// trees returns the files as an fs.FS, and in a directory of the disk.
func trees(t *testing.T, files map[string]string) (fstest.MapFS, string) {
	t.Helper()
	fsys, dir := fstest.MapFS{}, t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if rest, ok := strings.CutSuffix(name, "/"); ok {
			fsys[rest] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
			if err := os.MkdirAll(full, 0o777); err != nil {
				t.Fatal(err)
			}
			continue
		}
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return fsys, dir
}

// references lists what o finds: file, media type, URL; and errors.
func references(o *source.Options, names ...string) (list []string) {
	for f, err := range o.Files(names...) {
		if err != nil {
			list = append(list, "error "+err.Error())
			continue
		}
		for ref, err := range f.Walk(extract.Config{}) {
			if err != nil {
				list = append(list, f.Name+" error "+err.Error())
				break
			}
			e := ref.Entity
			for e.Parent != nil {
				e = e.Parent
			}
			list = append(list, fmt.Sprintf("%s %s %s", f.Name, e.Type, ref.URL))
		}
	}
	return list
}

// The disk, os.DirFS, os.Root and a MapFS give the same.
func TestSameEverywhere(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a name has a colon")
	}
	files := tree(t)
	fsys, dir := trees(t, files)
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	t.Chdir(dir)
	for _, tt := range []struct {
		o     source.Options
		names []string
		want  []string
	}{
		{source.Options{}, []string{"."}, []string{
			"a.html text/html http://h/html", "a.txt.gz text/plain http://h/gz", "c.warc.gz application/warc http://h/warc1",
			"c.warc.gz application/warc http://h/warc2", "d/e/x.md text/markdown http://h/md",
			"mail/.Sent/cur/3 message/rfc822 http://h/sent", "mail/cur/1:2,S message/rfc822 http://h/mail",
		}},
		{source.Options{Archives: true, Globs: []string{"*.zip"}}, []string{"."}, []string{"b.zip application/zip http://h/zip"}},
		{source.Options{}, []string{"b.zip", "d/e/x.log"}, []string{"b.zip application/zip http://h/zip", "d/e/x.log text/plain http://h/ignored"}},
		{source.Options{NoIgnore: true}, []string{"d"}, []string{"d/e/x.log text/plain http://h/ignored", "d/e/x.md text/markdown http://h/md"}},
		{source.Options{Hidden: true, Globs: []string{"!.old"}}, []string{"d"}, []string{"d/.hidden.md text/markdown http://h/hidden", "d/e/x.md text/markdown http://h/md"}},
		{source.Options{Hidden: true, Globs: []string{"/.old/**"}}, []string{"."}, []string{".old/cur/4 text/plain http://h/old"}},
		{source.Options{}, []string{"mail/cur", "mail/cur/1:2,S"}, []string{"mail/cur/1:2,S message/rfc822 http://h/mail", "mail/cur/1:2,S message/rfc822 http://h/mail"}},
	} {
		for i, of := range []fs.FS{nil, fsys, os.DirFS(dir), root.FS()} {
			var notes []string
			tt.o.FS, tt.o.Note = of, func(name, text string) { notes = append(notes, strings.TrimPrefix(name, "./")+": "+text) }
			got := references(&tt.o, tt.names...)
			if of == nil {
				for i, line := range got {
					got[i] = strings.TrimPrefix(line, "./")
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%d %q %+v:\ngot  %q\nwant %q", i, tt.names, tt.o, got, tt.want)
			}
			want := []string{
				".old: a hidden mail folder: not read without Hidden",
				"inbox/git/0.git: a public-inbox repository: not read, since only git reads it",
			}
			if tt.names[0] == "." && len(tt.o.Globs) == 0 && !slices.Equal(notes, want) {
				t.Errorf("%d notes %q", i, notes)
			}
		}
	}
}

// Files, Open and Config give the same as Walk.
func TestOpen(t *testing.T) {
	fsys, _ := trees(t, map[string]string{"d/a.md.gz": packed("[x](http://h/x)"), "m/cur/1": "A: b\n\nx\n", "m/new/": "", "m/tmp/": "", "-": "http://h/dash"})
	o := source.Options{FS: fsys}
	var got []string
	for f, err := range o.Files("-", "d", "m") {
		if err != nil {
			t.Fatal(err)
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil || r.Close() != nil {
			t.Error(err)
		}
		cfg := f.Config(extract.Config{})
		got = append(got, fmt.Sprintf("%s %s %v %s %q %v %v", f.Name, f.Inner(), f.Named, cfg.Type, text, cfg.SkipBinary, cfg.Archives == extract.OpenAttached))
		if f.Config(extract.Config{Type: "html"}).Type != "html" || f.Config(extract.Config{Archives: extract.OpenNone}).Archives != extract.OpenNone {
			t.Error("the configuration is lost")
		}
	}
	want := []string{
		`- - true  "http://h/dash" false false`,
		`d/a.md.gz d/a.md false  "[x](http://h/x)" true true`,
		`m/cur/1 m/cur/1 false message/rfc822 "A: b\n\nx\n" true true`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if _, err := new(source.File).Open(); err == nil {
		t.Error("a zero File was opened")
	}
}

// Records have their places in the compressed file.
func TestStored(t *testing.T) {
	first := packed(record("http://h/1"))
	for _, tt := range []struct {
		name, text string
		want       int64
	}{
		{"a.warc.gz", first + packed(record("http://h/2")), int64(len(first))},
		{"a.warc", record("http://h/1") + record("http://h/2"), int64(len(record("http://h/1")))},
	} {
		fsys, dir := trees(t, map[string]string{tt.name: tt.text})
		for _, of := range []fs.FS{fsys, os.DirFS(dir)} {
			var got []int64
			for f, err := range (&source.Options{FS: of}).Files(tt.name) {
				if err != nil {
					t.Fatal(err)
				}
				all, err := extract.All(f.Walk(extract.Config{Records: true}))
				if err != nil {
					t.Fatal(err)
				}
				for _, ref := range all {
					for e := ref.Entity; e != nil; e = e.Parent {
						if e.Record != nil {
							got = append(got, e.Record.Offset)
						}
					}
				}
			}
			if !slices.Equal(got, []int64{0, tt.want}) {
				t.Errorf("%s: %v, want %d", tt.name, got, tt.want)
			}
		}
	}
}

func TestWrongOptions(t *testing.T) {
	fsys := fstest.MapFS{"a.md": {}}
	for _, tt := range []struct {
		o     source.Options
		names []string
		want  string
	}{
		{source.Options{}, nil, `source: names []: nothing to read: name files or directories, such as "."`},
		{source.Options{}, []string{"a", ""}, `source: names "": name a file or directory, such as "."`},
		{source.Options{Globs: []string{"*.md", "[a"}}, []string{"."}, `source: Globs "[a": [ is not closed: write \[ for the character`},
		{source.Options{Globs: []string{"a{b"}}, []string{"."}, `source: Globs "a{b": { is not closed: write \{ for the character`},
		{source.Options{FS: fsys}, []string{"a.md", "/a.md"}, `source: names "/a.md": not a name in FS: write it without a slash at its ends, and without . and ..`},
		{source.Options{FS: fsys}, []string{"./a.md"}, `source: names "./a.md": not a name in FS: write it without a slash at its ends, and without . and ..`},
		{source.Options{FS: fsys}, []string{"../a.md"}, `source: names "../a.md": not a name in FS: write it without a slash at its ends, and without . and ..`},
		{source.Options{FS: fsys}, []string{"a\xff"}, `source: names "a\xff": not a name in FS: write it without a slash at its ends, and without . and ..`},
	} {
		if got := references(&tt.o, tt.names...); len(got) != 1 || got[0] != "error "+tt.want {
			t.Errorf("got  %q\nwant %q", got, tt.want)
		}
	}
}

// An error about one file does not hide the others.
func TestUnreadable(t *testing.T) {
	whole := packed("http://h/1 " + strings.Repeat("x ", 1000) + " http://h/2 ")
	files := map[string]string{"a.txt.gz": whole[:len(whole)-12], "b.txt": "http://h/b", "d/c.txt": "http://h/c", "d/.ignore": strings.Repeat("#\n", 1<<20)}
	fsys, dir := trees(t, files)
	want := []string{
		`error input: "none": file does not exist`,
		`a.txt.gz text/plain http://h/1`, `a.txt.gz text/plain http://h/2`, `a.txt.gz error input: "a.txt.gz": unexpected EOF`,
		`b.txt text/plain http://h/b`,
		`error input: "d/.ignore": an ignore file of more than 1048576 bytes is not used`, `d/c.txt text/plain http://h/c`,
	}
	for _, of := range []fs.FS{fsys, os.DirFS(dir)} {
		got := references(&source.Options{FS: of}, "none", "a.txt.gz", "b.txt", "d")
		got[0] = strings.Replace(got[0], syscall.ENOENT.Error(), "file does not exist", 1)
		if !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	for f, err := range new(source.Options).Files(filepath.Join(dir, "none")) {
		if f != nil || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v, %v", f, err)
		}
	}
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		return
	}
	if err := os.Chmod(filepath.Join(dir, "b.txt"), 0); err != nil {
		t.Fatal(err)
	}
	if got := references(&source.Options{FS: os.DirFS(dir), Globs: []string{"b.txt"}}, "."); len(got) != 1 || !strings.Contains(got[0], "b.txt error") {
		t.Errorf("%q", got)
	}
}

// A loop may be left anywhere.
func TestBreak(t *testing.T) {
	fsys, _ := trees(t, tree(t))
	o := source.Options{FS: fsys}
	all := references(&o, ".", "none")
	for stop := range all {
		n := 0
	files:
		for f, err := range o.Files(".", "none") {
			if err != nil {
				if n++; n > stop {
					break
				}
				continue
			}
			for range f.Walk(extract.Config{}) {
				if n++; n > stop {
					break files
				}
			}
		}
		if n != stop+1 {
			t.Fatal(n, stop)
		}
	}
}

// Links are followed if they are named, and never without end.
func TestLinks(t *testing.T) {
	link := func(to string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(to), Mode: fs.ModeSymlink} }
	fsys := fstest.MapFS{
		"d/a.md": {Data: []byte("[x](http://h/x)")}, "d/up": link(".."), "d/self": link("self"), "d/out": link("../../none"), "to-d": link("d"), "to-a.md": link("d/a.md"),
	}
	dir := t.TempDir()
	for name, f := range fsys {
		full := filepath.Join(dir, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(full), 0o777)
		write := func() error { return os.WriteFile(full, f.Data, 0o666) }
		if f.Mode != 0 {
			write = func() error { return os.Symlink(string(f.Data), full) }
		}
		if err := write(); err != nil {
			t.Skip(err)
		}
	}
	t.Chdir(dir)
	for i, of := range []fs.FS{nil, fsys, os.DirFS(dir)} {
		var notes []string
		o := source.Options{FS: of, Note: func(name, text string) { notes = append(notes, name+": "+text) }}
		got := references(&o, "d", "to-d", "to-a.md")
		if !slices.Equal(got, []string{"d/a.md text/markdown http://h/x", "to-d/a.md text/markdown http://h/x", "to-a.md text/markdown http://h/x"}) {
			t.Errorf("%d: %q", i, got)
		}
		if len(notes) != 6 || notes[0] != "d/out: a symbolic link: not followed" {
			t.Errorf("%d: %q", i, notes)
		}
		if got := references(&o, "d/self", "d/out"); len(got) != 2 || !strings.HasPrefix(got[0], `error input: "d/self": `) || !strings.HasPrefix(got[1], `error input: "d/out": `) {
			t.Errorf("%d: %q", i, got)
		}
	}
}

// A chain is a file system of directories that nest without end, with a file and a strange entry in each.
type chain struct{ dirs *int }

type entry struct {
	fs.FileInfo
	name string
	mode fs.FileMode
}

func (e entry) Name() string               { return e.name }
func (e entry) IsDir() bool                { return e.mode.IsDir() }
func (e entry) Type() fs.FileMode          { return e.mode.Type() }
func (e entry) Mode() fs.FileMode          { return e.mode }
func (e entry) Info() (fs.FileInfo, error) { return e, nil }

func (c chain) Open(name string) (fs.File, error) { return nil, fs.ErrNotExist }

func (c chain) Stat(name string) (fs.FileInfo, error) {
	if name != "." && strings.Trim(name, "d/") != "" {
		return nil, fs.ErrNotExist
	}
	return entry{name: name, mode: fs.ModeDir}, nil
}

func (c chain) ReadDir(string) ([]fs.DirEntry, error) {
	*c.dirs++
	return []fs.DirEntry{
		entry{name: "", mode: 0}, entry{name: ".", mode: fs.ModeDir}, entry{name: "..", mode: fs.ModeDir}, entry{name: "a/../../b"},
		entry{name: "a.md"}, entry{name: "d", mode: fs.ModeDir}, entry{name: "p", mode: fs.ModeNamedPipe},
	}, nil
}

// A file system that has no end does not exhaust the stack, and names that lead elsewhere are left out.
func TestEndless(t *testing.T) {
	dirs, files, failures := 0, 0, 0
	for f, err := range (&source.Options{FS: chain{&dirs}}).Files("d") {
		if err != nil {
			failures++
		} else if files++; !strings.HasSuffix(f.Name, "d/a.md") {
			t.Fatal(f.Name)
		}
	}
	if dirs < 1000 || dirs > 10000 || files != dirs || failures != 1 {
		t.Errorf("%d directories, %d files, %d failures", dirs, files, failures)
	}
}

// A counted file system counts what it is asked for.
type counted struct {
	fstest.MapFS
	n *int
}

func (c counted) Open(name string) (fs.File, error)          { *c.n++; return c.MapFS.Open(name) }
func (c counted) Stat(name string) (fs.FileInfo, error)      { *c.n++; return c.MapFS.Stat(name) }
func (c counted) Lstat(name string) (fs.FileInfo, error)     { *c.n++; return c.MapFS.Lstat(name) }
func (c counted) ReadDir(name string) ([]fs.DirEntry, error) { *c.n++; return c.MapFS.ReadDir(name) }

// Four times the files, directories and globs take four times the calls.
func TestGrowth(t *testing.T) {
	const n = 200
	calls := func(files func(i int) string, n int) int {
		fsys, calls := fstest.MapFS{"d/.ignore": {Data: []byte("*.log\n")}}, 0
		for i := range n {
			fsys[files(i)] = &fstest.MapFile{Data: []byte("http://h/")}
		}
		if got := references(&source.Options{FS: counted{fsys, &calls}, Globs: slices.Repeat([]string{"*.txt", "!x"}, n)}, "d"); len(got) != n {
			t.Errorf("%d of %d: %q", len(got), n, got[0])
		}
		return calls
	}
	for name, files := range map[string]func(i int) string{
		"wide":   func(i int) string { return fmt.Sprintf("d/%d.txt", i) },
		"many":   func(i int) string { return fmt.Sprintf("d/%d/a.txt", i) },
		"nested": func(i int) string { return "d/" + strings.Repeat("e/", i) + "a.txt" },
	} {
		small, large := calls(files, n), calls(files, 4*n)
		t.Logf("%s: %d calls, then %d", name, small, large)
		if large > 4*small {
			t.Errorf("%s: %d calls, then %d", name, small, large)
		}
	}
}

// A bomb is read as a stream, and a LimitReader ends it.
func TestBomb(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	block := bytes.Repeat([]byte("a "), 1<<19)
	for range 64 {
		z.Write(block)
	}
	io.WriteString(z, "http://h/end ")
	z.Close()
	o := source.Options{FS: fstest.MapFS{"a.txt.gz": {Data: b.Bytes()}}}
	for f, err := range o.Files(".") {
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		all, err := extract.All(f.Walk(extract.Config{}))
		runtime.ReadMemStats(&after)
		if err != nil || len(all) != 1 || all[0].Pos.Offset != 64<<20 {
			t.Errorf("%v %v", all, err)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 16<<20 {
			t.Errorf("%d bytes were allocated", grown)
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		cfg := f.Config(extract.Config{})
		all, err = extract.All(cfg.Walk(f.Inner(), io.LimitReader(r, 1<<20)))
		if err != nil || len(all) != 0 {
			t.Errorf("%v %v", all, err)
		}
	}
}

// The note about a compressed reader names this package.
func TestNote(t *testing.T) {
	var notes []string
	cfg := extract.Config{Note: func(n *extract.Note) { notes = append(notes, fmt.Sprintf("%s %s", n.Code, n.Text)) }}
	all, err := extract.All(cfg.Walk("a.txt.gz", strings.NewReader(packed("http://h/"))))
	want := fmt.Sprintf("%s a compressed file, which package source opens (%q): scanned as text", scan.CodeAsText, "a.txt.gz")
	if err != nil || len(all) != 0 || !slices.Equal(notes, []string{want}) {
		t.Errorf("%v %v %q", all, err, notes)
	}
}
