// Package keep reads lists of URLs that must not stop working: plain lists, with or without numbers of uses, the output of
// "refract audit --routes --json", sitemaps, CDX files, and directories with an earlier build.
package keep

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

// maxLine is the number of bytes of a line of a list; a longer one is an error.
const maxLine = 1 << 20

// List yields the URLs in a file, in a pipe, in standard input ("-") or in a directory of a build, in their order. It reads
// lists in one pass, and keeps one line.
// An error is the last element.
func List(name string) iter.Seq2[audit.Kept, error] {
	return func(yield func(audit.Kept, error) bool) {
		var err error
		switch info, failed := os.Stat(name); {
		case name == "-":
			err = list("<standard input>", os.Stdin, yield)
		case failed != nil:
			err = failed
		case info.IsDir():
			err = build(name, yield)
		case info.Mode()&(fs.ModeDevice|fs.ModeSocket) != 0:
			err = errors.New("not a file or a pipe")
		default:
			err = file(name, yield)
		}
		if err != nil && !errors.Is(err, errStopped) {
			yield(audit.Kept{}, fmt.Errorf("--must-keep %q: %w", name, err))
		}
	}
}

// errStopped says that yield has returned false.
var errStopped = errors.New("stopped")

// build yields the pages of a built site by the paths of their files.
func build(dir string, yield func(audit.Kept, error) bool) error {
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

// file yields the URLs in a list, which may be a pipe.
func file(name string, yield func(audit.Kept, error) bool) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return list(name, f, yield)
}

// list yields the URLs in a list, whose first bytes say which kind it is.
func list(name string, in io.Reader, yield func(audit.Kept, error) bool) error {
	r := bufio.NewReaderSize(input.UTF8(in), 64<<10)
	head, _ := r.Peek(512)
	if bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("<")) {
		return sitemap(name, r, yield)
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	for n := 1; lines.Scan(); n++ {
		for _, k := range urlsIn(lines.Text()) {
			k.File, k.Line = name, n
			if !yield(k, nil) {
				return errStopped
			}
		}
	}
	return lines.Err()
}

// urlsIn returns the URLs in a line: of JSON, of a CDX file, or of words of which one is a URL or a path and another one may be
// a number of uses.
func urlsIn(line string) (all []audit.Kept) {
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

// sitemap yields the locations in a sitemap.
func sitemap(name string, r io.Reader, yield func(audit.Kept, error) bool) error {
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
			if isIn && len(text)+len(t) < maxLine {
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
