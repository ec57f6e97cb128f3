package auditcmd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/cdx"
	"example.org/refract/internal/input"
	"example.org/refract/internal/lazy"
)

// maxKeptLine is the number of bytes of a line of a list; a longer one is an error.
const maxKeptLine = 1 << 20

// keptURLs yields the URLs that must not stop working, in their order. They come from plain lists, with or
// without numbers of uses, from the output of "refract audit --routes --json", from sitemaps and CDX files,
// and from directories with an earlier build. name is that of a file, a pipe or a directory, or "-" for
// standard input. It reads lists in one pass, and keeps one line. An error is the last element.
func keptURLs(name string) iter.Seq2[audit.Kept, error] {
	return func(yield func(audit.Kept, error) bool) {
		var err error
		switch info, failed := os.Stat(name); {
		case name == "-":
			err = keptInList("<standard input>", os.Stdin, yield)
		case failed != nil:
			err = input.CauseOf(failed)
		case info.IsDir():
			err = keptInBuild(name, yield)
		case info.Mode()&(fs.ModeDevice|fs.ModeSocket) != 0:
			err = errors.New("not a file or a pipe")
		default:
			err = keptInFile(name, yield)
		}
		if err != nil && !errors.Is(err, errStopped) {
			yield(audit.Kept{}, fmt.Errorf("--must-keep %q: %w", name, err))
		}
	}
}

// errStopped says that yield has returned false.
var errStopped = errors.New("stopped")

// keptInBuild yields the pages of a built site by the paths of their files.
func keptInBuild(dir string, yield func(audit.Kept, error) bool) error {
	return filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		ext := strings.ToLower(filepath.Ext(name))
		if !e.Type().IsRegular() || ext != ".html" && ext != ".htm" {
			return nil
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		u := "/" + filepath.ToSlash(rel)
		if at, base := path.Split(u); base == "index.html" {
			u = at
		}
		if u == "/404.html" {
			return nil
		}
		if !yield(audit.Kept{URL: u, File: filepath.ToSlash(name), Line: 1, IsBelow: true}, nil) {
			return errStopped
		}
		return nil
	})
}

// keptInFile yields the URLs in a list, which may be a pipe.
func keptInFile(name string, yield func(audit.Kept, error) bool) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return keptInList(name, f, yield)
}

// keptInList yields the URLs in a list, whose first bytes say which kind it is.
func keptInList(name string, in io.Reader, yield func(audit.Kept, error) bool) error {
	r := bufio.NewReaderSize(input.UTF8(in), 64<<10)
	head, _ := r.Peek(512)
	if bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("<")) {
		return keptInSitemap(name, r, yield)
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), maxKeptLine)
	for n := 1; lines.Scan(); n++ {
		for _, k := range keptInLine(lines.Text()) {
			k.File, k.Line = name, n
			if !yield(k, nil) {
				return errStopped
			}
		}
	}
	return lines.Err()
}

// keptInLine returns the URLs in a line: of JSON, of a CDX file, or of words, one of which is a URL or a
// path and another may be a number of uses.
func keptInLine(line string) (all []audit.Kept) {
	line = strings.TrimSpace(line)
	switch {
	case line == "" || line[0] == '#':
		return nil
	case line[0] == '{':
		var page struct {
			Type, URL string
			Aliases   []string
		}
		if json.Unmarshal([]byte(line), &page) != nil || page.URL == "" {
			return nil
		}
		for _, u := range append([]string{page.URL}, page.Aliases...) {
			all = append(all, audit.Kept{URL: u})
		}
		return all
	}
	words := strings.Fields(line)
	if len(words) > 2 && isTimestamp.MatchString(words[1]) {
		capture, ok, _ := new(cdx.Layout).Next([]byte(line))
		if !ok || capture.IsError() {
			return nil
		}
		return []audit.Kept{{URL: string(capture.URL)}}
	}
	k := audit.Kept{}
	for _, w := range words {
		for _, cell := range cells(strings.Trim(w, `",;`)) {
			n, err := strconv.Atoi(cell)
			switch {
			case err == nil && k.Uses == 0 && n > 0:
				k.Uses = n
			case k.URL == "" && (strings.HasPrefix(cell, "/") || strings.Contains(cell, "://")):
				k.URL = cell
			}
		}
	}
	if k.URL == "" {
		return nil
	}
	return []audit.Kept{k}
}

// cells returns the URL and the number in a line of CSV, or the whole word: commas and semicolons occur in URLs, too.
func cells(word string) []string {
	for _, at := range []int{strings.IndexAny(word, ",;"), strings.LastIndexAny(word, ",;")} {
		if at < 0 {
			break
		}
		first, last := strings.Trim(word[:at], `"`), strings.Trim(word[at+1:], `"`)
		if isNumber.MatchString(first) || isNumber.MatchString(last) {
			return []string{first, last}
		}
	}
	return []string{word}
}

var isNumber = lazy.New(`^\d+$`)

// isTimestamp matches the second field of a line of a CDX file.
var isTimestamp = lazy.New(`^\d{14}$`)

// keptInSitemap yields the locations in a sitemap.
func keptInSitemap(name string, r io.Reader, yield func(audit.Kept, error) bool) error {
	d := xml.NewDecoder(r)
	d.Strict = false
	var text []byte
	isIn := false
	for {
		token, err := d.RawToken()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			isIn, text = t.Name.Local == "loc", text[:0]
		case xml.CharData:
			if isIn && len(text)+len(t) < maxKeptLine {
				text = append(text, t...)
			}
		case xml.EndElement:
			u := strings.TrimSpace(string(text))
			line, _ := d.InputPos()
			if isIn && u != "" && !yield(audit.Kept{URL: u, File: name, Line: line}, nil) {
				return errStopped
			}
			isIn = false
		}
	}
}
