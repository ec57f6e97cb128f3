package tree

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"
	"time"
)

// read reads the first n bytes of a file, or all if n is negative.
func read(t *testing.T, from Tree, name string, n int64) {
	t.Helper()
	f, err := from.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	var r io.Reader = f
	if n >= 0 {
		r = io.LimitReader(f, n)
	}
	_, err = io.Copy(io.Discard, r)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// A record holds as long as each question has the same answer.
func TestTrace(t *testing.T) {
	files := func() fstest.MapFS {
		return fstest.MapFS{
			"whole.md": {Data: []byte("whole")}, "part.md": {Data: []byte("part and rest")}, "ahead.md": {Data: []byte("ahead and rest")},
			"d/a.md": {}, "l": link("whole.md"), "unasked.md": {Data: []byte("x")},
		}
	}
	tr := NewTrace(FS(files()))
	read(t, tr, "/whole.md", -1)
	read(t, tr, "/part.md", 2)
	read(t, tr, "/part.md", 4) // of several, the longest counts
	read(t, tr, "/part.md", 1)
	f, err := tr.Open("/ahead.md")
	if err != nil {
		t.Fatal(err)
	}
	n, err := f.(io.ReaderAt).ReadAt(make([]byte, 5), 0)
	if n != 5 || err != nil {
		t.Error(n, err)
	}
	f.Close()
	_, open := tr.Open("/none.md")
	_, stat := tr.Stat("/none")
	_, lstat := tr.Lstat("/l")
	_, isDir := tr.Stat("/d")
	_, list := tr.ReadDir("/d")
	_, real := tr.Real("/l")
	_, to := tr.ReadLink("/l")
	if !errors.Is(open, fs.ErrNotExist) || !errors.Is(stat, fs.ErrNotExist) || errors.Join(lstat, isDir, list, real, to) != nil {
		t.Error(open, stat, lstat, isDir, list, real, to)
	}
	if !tr.End() {
		t.Fatal("nothing was vague")
	}
	_, err = tr.Stat("/unasked.md") // is not recorded: the audit has ended
	if err != nil {
		t.Error(err)
	}
	read(t, tr, "/unasked.md", -1)
	record := tr.Sorted()
	var questions string
	for _, a := range record.Answers {
		questions += string(a.Kind) + a.Name + " "
	}
	if want := "d/d s/d k/l l/l r/l s/none o/none.md "; questions != want {
		t.Errorf("recorded %s, want %s", questions, want)
	}
	var read string
	for _, f := range record.Files {
		read += f.Name + " "
	}
	if want := "/ahead.md /part.md /whole.md "; read != want {
		t.Errorf("read %s, want %s", read, want)
	}

	for _, test := range []struct {
		what  string
		do    func(f fstest.MapFS)
		holds bool
	}{
		{"nothing", func(fstest.MapFS) {}, true},
		{"a file that was not read", func(f fstest.MapFS) { f["unasked.md"].Data = nil }, true},
		{"what was not read of a file", func(f fstest.MapFS) { f["part.md"].Data = []byte("part") }, true},
		{"the rest behind what was looked at", func(f fstest.MapFS) { f["ahead.md"].Data = []byte("ahead of") }, true},
		{"a file that is being written", func(f fstest.MapFS) { f["d/x"+temporary] = &fstest.MapFile{} }, true},
		{"the bytes of a file", func(f fstest.MapFS) { f["whole.md"].Data = []byte("Whole") }, false},
		{"a longer file", func(f fstest.MapFS) { f["whole.md"].Data = []byte("whole and more") }, false},
		{"a shorter file", func(f fstest.MapFS) { f["part.md"].Data = []byte("par") }, false},
		{"the first bytes", func(f fstest.MapFS) { f["ahead.md"].Data = []byte("Ahead and rest") }, false},
		{"a file that is gone", func(f fstest.MapFS) { delete(f, "part.md") }, false},
		{"a directory in place of a file", func(f fstest.MapFS) { f["part.md"].Mode = fs.ModeDir }, false},
		{"a new entry", func(f fstest.MapFS) { f["d/b.md"] = &fstest.MapFile{} }, false},
		{"the type of an entry", func(f fstest.MapFS) { f["d/a.md"] = link("../whole.md") }, false},
		{"a new file", func(f fstest.MapFS) { f["none.md"] = &fstest.MapFile{} }, false},
		{"another new file", func(f fstest.MapFS) { f["none"] = &fstest.MapFile{} }, false},
		{"a link that leads elsewhere", func(f fstest.MapFS) { f["l"] = link("part.md") }, false},
		{"a link spelled otherwise", func(f fstest.MapFS) { f["l"] = link("./whole.md") }, false},
		{"a file in place of a link", func(f fstest.MapFS) { f["l"] = &fstest.MapFile{} }, false},
	} {
		changed := files()
		test.do(changed)
		for _, jobs := range []int{0, 2} {
			if record.Holds(t.Context(), FS(changed), jobs) != test.holds {
				t.Errorf("changed: %s: holds is %v", test.what, !test.holds)
			}
		}
	}
}

// What cannot be recorded makes a record of no use.
func TestVagueTrace(t *testing.T) {
	changing := fstest.MapFS{"a.md": {Data: []byte("text")}, "d/b.md": {}}
	for what, do := range map[string]func(tr *trace){
		"an answer changes": func(tr *trace) {
			tr.Stat("/new.md")
			changing["new.md"] = &fstest.MapFile{}
			tr.Stat("/new.md")
		},
		"a file is open":        func(tr *trace) { tr.Open("/a.md") },
		"a directory is opened": func(tr *trace) { read(t, &Overlay{base: tr}, "/made", 0) },
		"a file from its middle": func(tr *trace) {
			f, _ := tr.Open("/a.md")
			f.(io.ReaderAt).ReadAt(make([]byte, 1), 2)
			f.Close()
		},
		"an error while reading": func(tr *trace) {
			f, _ := tr.Open("/bad")
			_, err := f.Read(make([]byte, 1))
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Error(err)
			}
			_, err = f.(io.ReaderAt).ReadAt(make([]byte, 1), 0)
			if !errors.Is(err, errors.ErrUnsupported) {
				t.Error(err)
			}
			f.Close()
		},
	} {
		over := NewOverlay(FS(changing))
		over.Write("/made/c.md", nil)
		tr := NewTrace(failing{over})
		do(tr)
		if tr.End() {
			t.Errorf("%s: the record is of use", what)
		}
	}
}

// failing is a Tree with a file that cannot be read.
type failing struct{ Tree }

func (t failing) Open(name string) (fs.File, error) {
	if name != "/bad" {
		return t.Tree.Open(name)
	}
	f, err := t.Tree.Open("/a.md")
	return unreadable{f}, err
}

type unreadable struct{ fs.File }

func (unreadable) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// An Overlay lists what is written, moved and removed, and describes it.
func TestOverlayEntries(t *testing.T) {
	o := NewOverlay(FS(fstest.MapFS{"a.md": {Data: []byte("a"), ModTime: time.Unix(1, 0)}, "b.md": {}, "l": link("a.md"), "d/e.md": {}}))
	o.Write("/new/f.md", []byte("new"))
	o.Remove("/b.md")
	err := errors.Join(o.Rename("/a.md", "/moved.md"), o.Rename("/d", "/d"))
	if err != nil {
		t.Fatal(err)
	}
	list, err := o.ReadDir("/")
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	for _, e := range list {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		got.WriteString(info.Mode().Type().String() + info.Name() + " ")
		if e.Name() == "moved.md" && (info.Size() != 1 || !info.ModTime().Equal(time.Unix(1, 0))) {
			t.Errorf("%d bytes of %v", info.Size(), info.ModTime())
		}
	}
	if want := "d---------d L---------l ----------moved.md d---------new "; got.String() != want {
		t.Errorf("got  %s\nwant %s", &got, want)
	}
	for name, want := range map[string]string{"/l": "a.md", "/new/f.md": "invalid argument", "/b.md": "file does not exist", "/none": "file does not exist"} {
		to, err := o.ReadLink(name)
		if err != nil {
			to = Cause(err).Error()
		}
		if to != want {
			t.Errorf("ReadLink(%q): %s, want %s", name, to, want)
		}
	}
	for name, want := range map[string]string{"/moved.md": "/moved.md", "/b.md": "file does not exist", "/new/f.md": "/new/f.md", "/": "/"} {
		real, err := o.Real(name)
		if err != nil {
			real = Cause(err).Error()
		}
		if real != want {
			t.Errorf("Real(%q): %s, want %s", name, real, want)
		}
	}
	for _, name := range []string{"/moved.md", "/new/f.md", "/b.md", "/none"} {
		_, err := o.ReadDir(name)
		if err == nil {
			t.Errorf("%s is listed", name)
		}
	}
	// What is removed below something moved stays away.
	o.Remove("/d/e.md")
	err = o.Rename("/d", "/g")
	list, listed := o.ReadDir("/g")
	if err := errors.Join(err, listed); err != nil || len(list) > 0 {
		t.Error(list, err)
	}
	if list, _ := o.ReadDir("/"); slices.ContainsFunc(list, func(e fs.DirEntry) bool { return e.Name() == "d" }) {
		t.Error("what is moved is listed under its old name")
	}
}
