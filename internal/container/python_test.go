package container

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"example.org/refract/internal/testing/scantest"
)

// members yields the members of an archive of either kind.
func members(src []byte) iter.Seq2[Member, error] {
	if bytes.HasPrefix(src, []byte("\x1f\x8b")) {
		if r, err := gzip.NewReader(bytes.NewReader(src)); err == nil {
			return Tar(r, 1<<18)
		}
	}
	if IsTar(src) {
		return Tar(bytes.NewReader(src), 1<<18)
	}
	return Zip(bytes.NewReader(src), int64(len(src)), 1<<18)
}

// facts returns a line for each member, in the form of testdata/python.py, without the archive.
func facts(src []byte) (lines []string) {
	number := 0
	for m, err := range members(src) {
		if err != nil {
			return append(lines, "-\terror")
		}
		kind, size, sum := "other", "-", "-"
		if m.IsFile {
			kind = "file"
			var text []byte
			r, err := m.Open()
			if err == nil {
				text, err = io.ReadAll(r)
				if c, ok := r.(io.Closer); ok {
					c.Close()
				}
			}
			size = "error"
			if err == nil {
				size, sum = strconv.Itoa(len(text)), fmt.Sprintf("%08x", crc32.ChecksumIEEE(text))
			}
		}
		lines = append(lines, fmt.Sprintf("%d\t%s\t%s\t%s\t%s", number, kind, escaped(m.Name), size, sum))
		number++
	}
	return lines
}

// escaped returns a name as testdata/python.py prints it.
func escaped(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		switch {
		case c == '\\':
			b.WriteString(`\\`)
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// divergences are the lines of testdata/python.tsv that differ on purpose, by archive and number.
var divergences = map[string]struct{ want, why string }{
	"comment.zip":     {"", "Python takes a signature in the comment for the end of the archive"},
	"encrypted.zip 2": {`file	dir/\xc3\xbc.md	error	-`, "UTF-8 without the flag that says so"},
	"infozip.zip 2":   {`file	dir/\xc3\xbc.md	31	2c707a3f`, "UTF-8 without the flag that says so"},
	"cut.tar -":       {"error", "Python does not report that an archive ends in a member"},
	"lzma.zip":        {"", "LZMA is not read: see TestKinds"},
}

// The members of archives are those that the modules zipfile and tarfile of Python 3.11 find.
// testdata/python.tsv is the output of testdata/python.py. The archives were made with these modules,
// Info-ZIP 3.0, GNU tar 1.34 and jar of OpenJDK 17; names, checksums and offsets of some were then changed.
func TestPython(t *testing.T) {
	want := readFacts(t, "testdata/python.tsv")
	files, _ := filepath.Glob("testdata/archives/*")
	if len(files) != 24 {
		t.Errorf("%d archives", len(files))
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		compareFacts(t, filepath.Base(file), facts(src), want[filepath.Base(file)])
	}
}

func compareFacts(t *testing.T, name string, got, want []string) {
	t.Helper()
	if _, ok := divergences[name]; ok {
		return
	}
	byNumber := make(map[string]string)
	for _, line := range got {
		number, rest, _ := strings.Cut(line, "\t")
		byNumber[number] = rest
	}
	for _, line := range want {
		number, rest, _ := strings.Cut(strings.TrimRight(line, "\t"), "\t")
		if d, ok := divergences[name+" "+number]; ok {
			rest = d.want
		}
		if byNumber[number] != rest {
			// Divergence: UTF-8 names without the flag that says so.
			if fields := strings.Split(rest, "\t"); len(fields) == 4 && strings.HasSuffix(byNumber[number], strings.Join(fields[2:], "\t")) && strings.Contains(byNumber[number], `\x`) && scantest.IsLong() {
				t.Logf("%s: got %q, Python %q", name, byNumber[number], rest)
			} else {
				t.Errorf("%s, member %s:\ngot  %s\nwant %s", name, number, byNumber[number], rest)
			}
		}
		delete(byNumber, number)
	}
	for number, line := range byNumber {
		if d, ok := divergences[name+" "+number]; !ok || d.want != line {
			t.Errorf("%s: more than Python has: %s %s", name, number, line)
		}
	}
}

// readFacts reads lines of testdata/python.py by archive.
func readFacts(t *testing.T, file string) map[string][]string {
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return parseFacts(string(src))
}

func parseFacts(text string) map[string][]string {
	all := make(map[string][]string)
	for line := range strings.Lines(text) {
		archive, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		all[archive] = append(all[archive], rest)
	}
	return all
}

// TestArchives compares the archives in the directory REFRACT_ARCHIVES with what the installed Python finds
// in them.
func TestArchives(t *testing.T) {
	dir := os.Getenv("REFRACT_ARCHIVES")
	if dir == "" {
		t.Skip("REFRACT_ARCHIVES is not set")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	total := 0
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("python3", "testdata/python.py", file).Output()
		if err != nil {
			t.Fatal(err)
		}
		got := facts(src)
		total += len(got)
		compareFacts(t, filepath.Base(file), got, parseFacts(string(out))[filepath.Base(file)])
	}
	t.Logf("%d archives, %d members", len(files), total)
}

// A damaged member is an error at its end, after its bytes.
func TestChecksum(t *testing.T) {
	src, err := os.ReadFile("testdata/archives/crc.zip")
	if err != nil {
		t.Fatal(err)
	}
	for m, err := range members(src) {
		if err != nil {
			t.Fatal(err)
		}
		if m.Name != "dir/b.txt" {
			continue
		}
		r, err := m.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(bufio.NewReader(r))
		if len(text) != 29 || err == nil || err.Error() != "zip: the checksum is wrong" {
			t.Errorf("%d bytes, %v", len(text), err)
		}
	}
}

// What is sound but not read says what it is.
func TestKinds(t *testing.T) {
	for archive, want := range map[string]string{"encrypted.zip": "encrypted ZIP", "lzma.zip": "ZIP with method LZMA"} {
		src, err := os.ReadFile("testdata/archives/" + archive)
		if err != nil {
			t.Fatal(err)
		}
		kinds := 0
		for m, err := range members(src) {
			if err != nil || !m.IsFile {
				continue
			}
			_, err = m.Open()
			if unread, ok := errors.AsType[*UnreadError](err); ok && unread.Kind == want && strings.HasSuffix(unread.Text, ": not read") {
				kinds++
			} else {
				t.Errorf("%s, %s: %v", archive, m.Name, err)
			}
		}
		if kinds == 0 {
			t.Errorf("%s: no member", archive)
		}
	}
}
