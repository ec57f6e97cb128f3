package input

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// stored is an archive of a crawler: records that are compressed one by one.
type stored struct {
	records []string
	file    []byte
	at      []int // where records begin in the file, and where it ends
}

// storedAs returns an archive of n records of up to size bytes.
func storedAs(n, size int, compress func(string) string) (s stored) {
	r := rand.New(rand.NewPCG(7, 8))
	for i := range n {
		text := make([]byte, 1+r.IntN(size))
		for k := range text {
			text[k] = byte('!' + r.IntN(90))
		}
		if i%3 == 1 {
			text = bytes.Repeat([]byte("a"), len(text))
		}
		s.records = append(s.records, string(text))
		s.at = append(s.at, len(s.file))
		s.file = append(s.file, compress(string(text))...)
	}
	s.at = append(s.at, len(s.file))
	return s
}

// check reads the records from first on, and compares where the reader of the contents says that they are.
func (s *stored) check(t *testing.T, what string, r io.Reader, where *Stored, first int) {
	t.Helper()
	offset := int64(0)
	for _, text := range s.records[:first] {
		offset += int64(len(text))
	}
	ends := offset
	ask := func(i int, start int64) {
		end := start + int64(len(s.records[i]))
		at, length, ok := where.Range(start, end)
		if !ok || at != int64(s.at[i]) || length != int64(s.at[i+1]-s.at[i]) {
			t.Errorf("%s: record %d is at %d+%d, %v; want %d+%d", what, i, at, length, ok, s.at[i], s.at[i+1]-s.at[i])
		}
	}
	for i := first; i < len(s.records); i++ {
		text := make([]byte, len(s.records[i]))
		_, err := io.ReadFull(r, text)
		if err != nil || string(text) != s.records[i] {
			t.Fatalf("%s: record %d: %v", what, i, err)
		}
		if i > first { // the end of a record is known when the next one has been read
			ask(i-1, offset)
			offset += int64(len(s.records[i-1]))
		}
		ends += int64(len(text))
	}
	n, err := r.Read(make([]byte, 1))
	if n != 0 || err != io.EOF {
		t.Errorf("%s: %d bytes behind the last record, %v", what, n, err)
	}
	ask(len(s.records)-1, offset)
	_, _, ok := where.Range(ends+1, ends+2)
	if ok {
		t.Errorf("%s: a record behind the end", what)
	}
}

func TestStored(t *testing.T) {
	dir := t.TempDir()
	for suffix, compress := range map[string]func(string) string{
		".gz":  gz,
		".zst": zst,
		".lz4": func(text string) string { return lz4Frame(text, true) },
	} {
		for _, n := range []int{30, 400} {
			if n > 30 && suffix != ".gz" { // only gzip is read ahead
				continue
			}
			s := storedAs(n, 9000, compress)
			name := filepath.Join(dir, fmt.Sprint(n)+".warc"+suffix)
			err := os.WriteFile(name, s.file, 0o666)
			if err != nil {
				t.Fatal(err)
			}
			f, err := Open(name)
			if err != nil {
				t.Fatal(err)
			}
			where := Locate(f, 0, 0)
			s.check(t, "Open "+name, f, where, 0)
			if at, ok := Position(f); !ok || at != int64(len(s.file)) {
				t.Errorf("%s: position %d of %d, %v", name, at, len(s.file), ok)
			}
			f.Close()
			r, where, ok, err := UnpackLocated(name, bytes.NewReader(s.file), maxWindow)
			if err != nil || !ok {
				t.Fatal(err)
			}
			s.check(t, "UnpackLocated "+name, r, where, 0)
			if c, ok := r.(io.Closer); ok {
				c.Close()
			}
			if suffix != ".gz" {
				continue
			}
			f, err = OpenAhead(name, 2)
			if err != nil {
				t.Fatal(err)
			}
			s.check(t, "OpenAhead "+name, f, Locate(f, 0, 0), 0)
			if at, ok := Position(f); !ok || at != int64(len(s.file)) {
				t.Errorf("%s: position %d of %d, %v", name, at, len(s.file), ok)
			}
			f.Close()
			// A section from a record on, with its place in the whole file and in the contents.
			first := n / 2
			f, err = OpenSection(name, int64(s.at[first]), -1, 2)
			if err != nil {
				t.Fatal(err)
			}
			before := int64(len(strings.Join(s.records[:first], "")))
			s.check(t, "OpenSection "+name, f, Locate(f, int64(s.at[first]), before), first)
			f.Close()
		}
	}
}

// Of what is not compressed, each byte is where it is. Of what has no members, no place is known.
func TestLocatePlain(t *testing.T) {
	dir := t.TempDir()
	for name, tt := range map[string]struct {
		data    string
		isPlain bool
	}{"a.warc": {"plain text", true}, "a.bz2": {bz, false}, "a.xz": {xzText, false}, "not.gz": {"plain text", true}} {
		path := filepath.Join(dir, name)
		err := os.WriteFile(path, []byte(tt.data), 0o666)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		where := Locate(f, 100, 30)
		if (where != nil) != tt.isPlain {
			t.Errorf("%s: %+v", name, where)
		} else if at, n, ok := where.rangeOrNot(35, 40); tt.isPlain && (at != 105 || n != 5 || !ok) {
			t.Errorf("%s: %d, %d, %v", name, at, n, ok)
		}
		_, where, ok, err := UnpackLocated(name, strings.NewReader(tt.data), maxWindow)
		if ok == tt.isPlain || (where != nil) != tt.isPlain || err != nil {
			t.Errorf("UnpackLocated %s: %v, %+v, %v", name, ok, where, err)
		}
		if at, ok := Position(f); ok && tt.isPlain {
			t.Errorf("%s: position %d of what is not compressed", name, at)
		}
	}
	if Locate(io.NopCloser(strings.NewReader("x")), 0, 0) != nil {
		t.Error("a reader that Open has not returned has places")
	}
	if _, ok := Position(strings.NewReader("x")); ok {
		t.Error("a reader that Open has not returned has a position")
	}
	_, _, _, err := UnpackLocated("a.gz", failingReader{}, maxWindow)
	if err != errFails {
		t.Error(err)
	}
	_, _, _, err = UnpackLocated("a.xz", strings.NewReader(xzText[:8]), maxWindow)
	if err == nil {
		t.Error("eight bytes are no stream")
	}
}

func (s *Stored) rangeOrNot(start, end int64) (at, n int64, ok bool) {
	if s == nil {
		return 0, 0, false
	}
	return s.Range(start, end)
}

var errFails = errors.New("fails")

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, errFails }

// Frames of zstd of all kinds end where the next one begins. What is damaged is an error.
func TestFrames(t *testing.T) {
	skipped := "\x50\x2a\x4d\x18\x03\x00\x00\x00abc"
	one, two := zst("one"), zst(strings.Repeat("x", 300<<10)) // blocks of one byte, repeated
	unpack := func(data string) (text string, marks marks, err error) {
		r, where, _, err := UnpackLocated("a.warc.zst", strings.NewReader(data), maxWindow)
		if err != nil {
			return "", nil, err
		}
		defer r.(io.Closer).Close()
		all, err := io.ReadAll(r)
		return string(all), where.marks, err
	}
	text, marks, err := unpack(one + skipped + two)
	if want := "one" + strings.Repeat("x", 300<<10); text != want || err != nil {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	places := map[int64]bool{}
	for _, m := range marks {
		places[m.at] = true
	}
	for _, at := range []int{0, len(one), len(one + skipped), len(one + skipped + two)} {
		if !places[int64(at)] {
			t.Errorf("no frame ends or begins at %d: %v", at, marks)
		}
	}
	for n := range len(one) {
		if n <= magicLen {
			continue
		}
		text, _, err := unpack(two + one[:n])
		if err == nil || !strings.HasPrefix(strings.Repeat("x", 300<<10)+"one", text) {
			t.Errorf("%d bytes of a frame: %q, %v", n, text[min(len(text), 300<<10):], err)
		}
	}
	_, _, err = unpack(one + "trailing bytes")
	if err == nil {
		t.Error("trailing bytes are no frame")
	}
}

// A gzip file can be split where a member begins, any other file that is not compressed anywhere.
func TestIndexed(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		t.Helper()
		path := filepath.Join(dir, name)
		err := os.WriteFile(path, data, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	s := storedAs(200, 3000, gz)
	path := write("a.warc.gz", s.file)
	x, err := OpenIndexed(path, 2)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(x)
	if err != nil || string(text) != strings.Join(s.records, "") || x.Size != int64(len(s.file)) {
		t.Fatalf("%d bytes, %v", len(text), err)
	}
	offset := int64(0)
	for i, record := range s.records {
		if at, ok := x.At(offset); !ok || at != int64(s.at[i]) {
			t.Fatalf("record %d: %d, %v, want %d", i, at, ok, s.at[i])
		}
		if at, ok := x.At(offset + 1); len(record) > 1 && ok {
			t.Fatalf("within record %d: %d", i, at)
		}
		offset += int64(len(record))
	}
	x.Close()
	for name, tt := range map[string]struct {
		data string
		size int64
	}{"a.warc": {"plain", 5}, "a.warc.zst": {zst("x"), -1}, "a.bz2": {bz, -1}, "b.gz": {"#! gunbatch\n" + gz("x"), -1}} {
		x, err := OpenIndexed(write(name, []byte(tt.data)), 2)
		if err != nil {
			t.Fatal(err)
		}
		if at, ok := x.At(3); x.Size != tt.size || ok != (tt.size >= 0) || ok && at != 3 {
			t.Errorf("%s: size %d, %d, %v", name, x.Size, at, ok)
		}
		x.Close()
	}
	_, err = OpenIndexed(filepath.Join(dir, "none"), 2)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}

	for _, tt := range []struct {
		name       string
		start, end int64
		want       string // or what is in the error
	}{
		{path, int64(s.at[3]), int64(s.at[5]), s.records[3] + s.records[4]},
		{path, int64(s.at[199]), 1 << 40, s.records[199]},
		{path, int64(s.at[3]) + 1, -1, "no gzip member begins at byte "},
		{filepath.Join(dir, "a.warc"), 1, 3, "la"},
		{filepath.Join(dir, "a.warc"), 3, -1, "in"},
		{filepath.Join(dir, "a.warc"), 4, 2, ""},
		{filepath.Join(dir, "none"), 0, -1, "none\": "},
	} {
		r, err := OpenSection(tt.name, tt.start, tt.end, 2)
		if err != nil {
			if !strings.Contains(err.Error(), tt.want) || tt.want == "" {
				t.Errorf("%s from %d: %v", tt.name, tt.start, err)
			}
			continue
		}
		text, err := io.ReadAll(r)
		r.Close()
		if string(text) != tt.want || err != nil {
			t.Errorf("%s from %d to %d: %.40q, %v", tt.name, tt.start, tt.end, text, err)
		}
	}
}

// A member of an archive is decompressed if its name and its first bytes say so, or if it is known to be.
func TestUnpack(t *testing.T) {
	for _, tt := range []struct {
		name, data string
		isKnown    bool
		want       string
		ok         bool
	}{
		{"a.gz", gz("text"), false, "text", true},
		{"a.bz2", bz, false, text, true},
		{"a.md", gz("text"), false, gz("text"), false},
		{"a.md", gz("text"), true, "text", true},
		{"a.gz", gz("text"), true, "text", true},
		{"a.gz", "plain text", false, "plain text", false},
		{"a.gz", "", false, "", false},
		{"a.zst", gz("text"), false, gz("text"), false},
		{"a.warc", zst("text"), false, "text", true},
		{"a.warc.zst", zst("text"), false, "text", true},
	} {
		r, ok, err := Unpack(tt.name, tt.isKnown, strings.NewReader(tt.data), maxWindow)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if string(got) != tt.want || ok != tt.ok || err != nil {
			t.Errorf("%s: %q, %v, %v", tt.name, got, ok, err)
		}
		if c, isCloser := r.(io.Closer); isCloser {
			c.Close()
		}
	}
}

func TestIsCompressed(t *testing.T) {
	for head, want := range map[string]bool{gz(""): true, bz: true, xzText: true, zst("x"): true, lz4Frame("x", true): true, "": false, "plain text": false, "\x1f": false} {
		if IsCompressed([]byte(head)) != want {
			t.Errorf("%q: %v", head, !want)
		}
	}
}

func TestCheckGlob(t *testing.T) {
	for glob, want := range map[string]string{
		"*.md": "", "!a": "", "[a]": "", "[!a]": "", "[]a]": "", "[^]]": "", `\[a`: "", `a\{`: "", "{a,b}": "", "{a,{b,c}}": "", "a]": "", "[a/b": "[",
		"[a": "[", "[": "[", "[!": "[", "[]": "[", "[^]": "[", "{a": "{", "{a,{b}": "{", `[a\`: "[",
	} {
		err := CheckGlob(glob)
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want+" is not closed")) {
			t.Errorf("%q: %v, want %q", glob, err, want)
		}
	}
	if err := CheckGlob("[z-a]"); err == nil {
		t.Error("a range without characters is a glob")
	}
}

// A tree of an fs.FS follows links within it, and shows nothing else.
func TestRooted(t *testing.T) {
	link := func(to string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(to), Mode: fs.ModeSymlink} }
	files := fstest.MapFS{"a/b.md": {Data: []byte("b")}, "a.gz": {Data: []byte(gz("text"))}, "l": link("a"), "gone": link("none")}
	for _, tree := range []Rooted{{FS: files}, {FS: files, IsReal: true}} {
		for name, want := range map[string]string{"/a/b.md": "b", "a/../a/b.md": "b", "l": "directory", "/": "directory", "gone": "", "none": ""} {
			info, err := tree.Stat(name)
			switch {
			case want == "" && !errors.Is(err, fs.ErrNotExist) || want != "" && err != nil:
				t.Errorf("%s: %v", name, err)
			case want != "" && info.IsDir() != (want == "directory"):
				t.Errorf("%s is a directory: %v", name, info.IsDir())
			}
			r, err := OpenIn(tree, name, "shown")
			if want == "" && (err == nil || !strings.Contains(err.Error(), "shown")) {
				t.Errorf("%s: %v", name, err)
			}
			if err != nil {
				continue
			}
			if text, _ := io.ReadAll(r); want != "directory" && string(text) != want {
				t.Errorf("%s: %q", name, text)
			}
			r.Close()
		}
		list, err := tree.ReadDir("/l")
		if err != nil || len(list) != 1 || list[0].Name() != "b.md" {
			t.Error(list, err)
		}
		_, err = tree.ReadDir("/gone")
		if !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
		to, err := tree.ReadLink("/l")
		if to != "a" || err != nil {
			t.Error(to, err)
		}
		r, err := OpenIn(tree, "/a.gz", "a.gz")
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(r); string(text) != "text" || err != nil {
			t.Errorf("%q, %v", text, err)
		}
		r.Close()
	}
	// What an fs.FS lists, but no name can name.
	odd, err := Rooted{FS: oddNames{files}}.ReadDir("/")
	if err != nil || len(odd) != 1 || odd[0].Name() != "a" {
		t.Error(odd, err)
	}
	// Without ReadLink, there are no links.
	real, err := Rooted{FS: struct{ fs.FS }{files}}.Real("l/../a")
	if real != "/a" || err != nil {
		t.Error(real, err)
	}
}

// oddNames is an fs.FS whose root lists names that are not below it.
type oddNames struct{ fstest.MapFS }

func (oddNames) ReadDir(string) (list []fs.DirEntry, err error) {
	for _, name := range []string{"", ".", "..", "a/b", "a"} {
		list = append(list, oddEntry{name: name})
	}
	return list, nil
}

type oddEntry struct {
	fs.DirEntry
	name string
}

func (e oddEntry) Name() string { return e.name }

func TestJoin(t *testing.T) {
	for _, tt := range []struct{ dir, name, want string }{
		{"", "a", "a"}, {"/d", "a", "/d/a"}, {"/d/", "./a", "/d/a"}, {"/d", "/a", "/a"}, {"/d", ".", "/d"}, {"/d", "../a", "/d/../a"}, {"/", "a", "/a"},
	} {
		if got := Join(tt.dir, tt.name); got != tt.want {
			t.Errorf("Join(%q, %q) = %q, want %q", tt.dir, tt.name, got, tt.want)
		}
	}
	if err := CauseOf(fmt.Errorf("x: %w", &fs.PathError{Op: "open", Path: "a", Err: fs.ErrNotExist})); err != fs.ErrNotExist {
		t.Error(err)
	}
	if CauseOf(errFails) != errFails {
		t.Error("the cause of an error about no file")
	}
}

// Relative arguments are relative to From, also of a tree in memory. The files have both names.
func TestFilesFrom(t *testing.T) {
	link := func(to string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(to), Mode: fs.ModeSymlink} }
	files := fstest.MapFS{
		"r/.git/HEAD": {}, "r/docs/a.md": {}, "r/docs/sub/b.md": {}, "r/docs/l": link("a.md"), "r/docs/.hidden/cur/1": {}, "r/docs/.h": link("a.md"), "r/real": link("docs"), "r/gone": link("x"),
		"r/docs/.gitignore": {Data: []byte("ignored*\n")}, "r/docs/ignored.md": {}, "r/docs/ignored-link": link("a.md"),
	}
	var links, left []string
	o := Options{
		Tree: Rooted{FS: files}, From: "/r",
		Link:    func(name, path string) { links = append(links, name+" "+path) },
		LeftOut: func(name string) { left = append(left, name) },
	}
	walk := func(args ...string) string {
		var all []string
		for f, err := range o.Files(args) {
			if err != nil {
				all = append(all, f.Name+": "+CauseOf(err).Error())
			} else {
				all = append(all, f.Name+" "+f.Path)
			}
		}
		return strings.Join(all, ", ")
	}
	if got, want := walk("docs", "none"), "docs/a.md /r/docs/a.md, docs/sub/b.md /r/docs/sub/b.md, none: input: \"none\": file does not exist"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if want := "docs/l /r/docs/l"; strings.Join(links, ", ") != want {
		t.Errorf("links %q", links)
	}
	if want := "docs/.hidden"; strings.Join(left, ", ") != want {
		t.Errorf("left out %q", left)
	}
	o.Real, o.Globs = true, []string{"*.md"}
	if got, want := walk("real/a.md", "real"), "real/a.md /r/docs/a.md, real/a.md /r/docs/a.md, real/ignored.md /r/docs/ignored.md, real/sub/b.md /r/docs/sub/b.md"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := walk("gone"); !strings.Contains(got, "does not exist") {
		t.Error(got)
	}
	o.NoIgnore = true
	if got := walk("docs"); !strings.Contains(got, "ignored.md") {
		t.Error(got)
	}
}
