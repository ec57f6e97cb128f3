// Package completeness tells whether crawl archives contain the resources that their pages need.
//
// It is a replay without a browser, in two passes. The first reads the archives: each record is a capture
// of an index, and the needs of a page go to a file, the spool. The second reads the spool and looks each
// reference up in the index. Memory holds neither: the index, the spool and the findings go to disk.
//
//	archives ─► captures ─► index (package distinct, then a sorted file)
//	        └─► rows ─► spool ─► looked up, redirects followed ─► findings (package distinct), once for each URL
//
// Of style sheets, two more passes over the spool find out which rules may apply: type applier keeps the rules of all of them, and then
// sees for each page which conditions it meets.
package completeness

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"example.org/refract/base"
	"example.org/refract/cmd/refract/internal/archived"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/distinct"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/cdx"
)

// Options selects the archives and how to read them.
type Options struct {
	Names     []string // of archives
	Archived  []string // of indexes of further archives
	Width     float64  // of the window of the browser, in pixels
	Memory    int64    // bytes for the index and the findings; 0 means 256 MiB
	MaxEntity int64    // as in extract.Config
	Jobs      int

	Audit audit.Options // which findings are reported, as in audit.Filter
	Page  func(*Page)   // is called for each page and style sheet, in the order of the archives; nil: not
}

// A Page says how many of the resources that a page or a style sheet needs are in the archives. Its frames
// and style sheets have Pages of their own.
type Page struct {
	File   string // as shown to users
	Offset int64  // of the record
	URL    string
	Type   string

	Needed    int // resources
	Here      int // of these; Errors are among them
	Errors    int // the server had no such resource
	Missing   int
	Redirects int // point to nothing, or to themselves
	Damaged   int
}

// A Result is the outcome except for the findings.
type Result struct {
	audit.Report
	Captures      int
	Pages, Sheets int
	Scripted      int  // of Pages, those with scripts: what these request is not known
	Total         Page // its numbers are those of all pages
}

// A job is one run.
type job struct {
	Options
	index    index
	file     *os.File // the spool
	spool    *bufio.Writer
	spooled  int64
	captures int
	report   *audit.Filter
	paths    map[string]string // of the archives, by their names
	result   Result

	place    *rowReader // reads single rows of the spool
	at       *bufio.Reader
	keys     keyer
	known    map[key]outcome // of redirects
	found    distinct.Set    // findings, once for each rule and URL
	notes    distinct.Set
	reported map[key]bool // what is missing
	line     []byte

	texts [1 << 13]recentText // by the key
	long  []byte              // a text that is not kept
}

// Run reads the archives, and passes each finding to emit: first damaged records, in the order of the
// archives, and then missing resources, most needed first.
func Run(o Options, emit func(*audit.Finding)) (*Result, error) {
	if o.Memory == 0 {
		o.Memory = 256 << 20
	}
	report, err := audit.NewFilter(o.Audit, emit)
	if err != nil {
		return nil, err
	}
	j := &job{Options: o, report: report, known: map[key]outcome{}, paths: map[string]string{}, reported: map[key]bool{}}
	j.index.set = distinct.Set{Memory: o.Memory / 2, Order: distinct.Sorted}
	j.found = distinct.Set{Memory: o.Memory / 8, Order: distinct.Count}
	j.notes = distinct.Set{Memory: o.Memory / 8, Order: distinct.Count}
	defer j.close()
	if err := j.openSpool(); err != nil {
		return nil, err
	}
	if err := j.readArchives(); err != nil {
		return nil, err
	}
	if j.captures == 0 && j.spooled == 0 && len(j.report.Errors) == 0 {
		return nil, fmt.Errorf("no captures found in %s", cli.OneLine(strings.Join(o.Names, ", ")))
	}
	if err := j.readIndexes(); err != nil {
		return nil, err
	}
	if err := j.spool.Flush(); err != nil {
		return nil, err
	}
	if err := j.index.seal(o.Memory / 4); err != nil {
		return nil, err
	}
	if err := j.judge(); err != nil {
		return nil, err
	}
	for _, set := range []*distinct.Set{&j.found, &j.notes} {
		if err := set.Finish(j.missing); err != nil {
			return nil, err
		}
	}
	for _, failed := range j.report.Errors {
		delete(j.paths, failed.File)
	}
	j.report.End(slices.Collect(maps.Values(j.paths)))
	t := &j.result.Total
	j.report.Documents, j.report.References, j.report.Checked = j.result.Pages+j.result.Sheets, t.Needed, t.Needed
	j.result.Report, j.result.Captures = *j.report.Report, j.captures
	return &j.result, nil
}

func (j *job) close() {
	j.index.close()
	j.found.Close()
	j.notes.Close()
	if j.file != nil {
		name := j.file.Name()
		j.file.Close()
		os.Remove(name) // where open files cannot be removed
	}
}

// readIndexes adds the captures of the indexes. They do not say where a redirect leads, so it counts as there.
func (j *job) readIndexes() error {
	if len(j.Archived) == 0 {
		return nil
	}
	var failed error
	_, err := archived.Captures(j.Archived, func(c *cdx.Capture) {
		s := isHere
		if c.IsError() {
			s = isError
		}
		k := hashOf(c.Key)
		if c.URL != nil {
			k = j.keys.of(c.URL)
		}
		if err := j.index.add(k, s, 0); err != nil {
			failed = err
		}
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		return fmt.Errorf("--archived: %w", err)
	}
	return nil
}

// An outcome is what a URL points to.
type outcome struct {
	state  state
	key    key   // of what is there, of which state is
	isLoop bool  // with isRedirect
	at     int64 // with isRedirect: the last row
}

// maxRedirects is the number of redirects that browsers follow (Fetch, "HTTP-redirect fetch").
const maxRedirects = 20

// follow looks k up, and follows redirects.
func (j *job) follow(k key) (o outcome, err error) {
	if o, ok := j.known[k]; ok {
		return o, nil
	}
	first, isRedirected := k, false
	defer func() {
		if isRedirected {
			if len(j.known) > 1<<16 {
				clear(j.known)
			}
			j.known[first] = o
		}
	}()
	for hop := 0; ; hop++ {
		s, at, err := j.index.find(k)
		if err != nil {
			return o, err
		}
		if s == isMissing && hop > 0 {
			return outcome{state: isRedirect, at: o.at}, nil
		}
		if s != isRedirect {
			return outcome{state: s, key: k}, nil
		}
		row, err := j.redirectAt(at)
		if err != nil {
			return o, err
		}
		isRedirected, o.at = true, at
		switch {
		case row.target == k: // another scheme, or with "www.": of that there is no capture, or k would be isHere
			return outcome{state: isRedirect, isLoop: row.url == row.to, at: at}, nil
		case hop == maxRedirects:
			return outcome{state: isRedirect, isLoop: true, at: at}, nil
		}
		k = row.target
	}
}

// A redirect is a row.
type redirect struct {
	offset  int64
	target  key
	file    string
	url, to string
}

// redirectAt reads the row at a place of the spool.
func (j *job) redirectAt(at int64) (row redirect, err error) {
	if j.place == nil {
		j.at = bufio.NewReaderSize(nil, 4096)
		j.place = &rowReader{r: j.at}
	}
	j.at.Reset(io.NewSectionReader(j.file, at+1, 1<<62))
	r := j.place
	r.begin()
	row = readRedirect(r)
	err, r.err = r.err, nil
	return row, err
}

func readRedirect(r *rowReader) (row redirect) {
	row.offset = int64(r.number())
	row.target = r.key()
	row.file, row.url, row.to = string(r.bytes()), string(r.bytes()), string(r.bytes())
	return row
}

// eachRow passes each row of the spool to do, which reads it.
func (j *job) eachRow(do func(kind byte, r *rowReader) error) error {
	in := bufio.NewReaderSize(io.NewSectionReader(j.file, 0, j.spooled), 256<<10)
	for r := (&rowReader{r: in}); ; {
		kind, err := in.ReadByte()
		if err == io.EOF {
			return nil
		}
		r.begin()
		if err == nil {
			err = do(kind, r)
		}
		if err == nil {
			err = r.err
		}
		if err != nil {
			return err
		}
	}
}

// judge reads the spool.
func (j *job) judge() error {
	unused, err := j.findUnused()
	if err != nil {
		return err
	}
	file, page, number := "", Page{}, 0
	met := map[key]bool{} // resources that the style sheet needs by conditionRows
	err = j.eachRow(func(kind byte, r *rowReader) error {
		switch kind {
		case inputRow:
			file = string(r.bytes())
		case pageRow:
			j.endPage(&page)
			page = Page{File: file, Offset: int64(r.number()), URL: string(r.bytes()), Type: string(r.bytes())}
			clear(met)
		case damageRow:
			offset, url, text := int64(r.number()), string(r.bytes()), string(r.bytes())
			j.damaged(file, offset, url, text)
		case needRow, linkRow, optionalRow, importRow, conditionRow:
			k, where, url, text := r.key(), r.bytes(), r.bytes(), r.bytes()
			if kind == conditionRow {
				r.bytes()
			}
			if kind == importRow || kind == conditionRow {
				kind = needRow
				if unused[number] {
					kind = optionalRow
				} else if met[k] {
					kind = 0
				} else {
					met[k] = true
				}
				number++
			}
			if r.err != nil || kind == 0 {
				return r.err
			}
			return j.reference(&page, kind, k, where, url, text)
		default:
			r.skip(kind)
		}
		return nil
	})
	if err == nil {
		j.endPage(&page)
	}
	return err
}

// endPage passes on a page that ends.
func (j *job) endPage(p *Page) {
	if p.Type == "" {
		return
	}
	t := &j.result.Total
	t.Needed += p.Needed
	t.Here += p.Here
	t.Errors += p.Errors
	t.Missing += p.Missing
	t.Redirects += p.Redirects
	t.Damaged += p.Damaged
	if p.Type == "text/css" {
		j.result.Sheets++
	} else {
		j.result.Pages++
	}
	if j.Page != nil {
		j.Page(p)
	}
}

// reference looks up a reference of a page, which has a kind of row. text is empty or that of surt.
func (j *job) reference(p *Page, kind byte, k key, in, url, text []byte) error {
	o, err := j.follow(k)
	if err != nil {
		return err
	}
	isLink := kind == linkRow
	if kind == needRow {
		p.Needed++
		switch o.state {
		case isHere:
			p.Here++
		case isError:
			p.Here++
			p.Errors++
		case isDamaged:
			p.Damaged++ // a finding of its own
		case isRedirect:
			p.Redirects++
		case isMissing:
			p.Missing++
		}
	}
	broken := rule.MissingResource
	switch {
	case o.state == isHere, o.state == isError, o.state == isDamaged:
		return nil
	case kind == optionalRow:
		broken, o = rule.MissingOptional, outcome{}
	case o.state == isRedirect && o.isLoop:
		broken = rule.RedirectLoop
	case o.state == isRedirect:
		broken = rule.RedirectTarget
	case isLink:
		broken = rule.MissingPage
	}
	var to redirect
	if o.state == isRedirect {
		to, err = j.redirectAt(o.at)
		if err != nil {
			return err
		}
		if isLink && !o.isLoop {
			if !bytes.EqualFold(hostOf([]byte(to.to)), hostOf([]byte(p.URL))) {
				return nil // it leaves the site
			}
			broken = rule.MissingPage
			url, text = []byte(to.to), nil
			k, to = j.keys.of(url), redirect{}
		}
	}
	at := p.File
	if broken == rule.RedirectTarget {
		at = to.file
	}
	if !j.report.Wants(j.pathOf(at), broken) {
		return nil
	}
	set := &j.found
	if broken == rule.MissingPage || broken == rule.MissingOptional {
		set = &j.notes
	}
	if len(text) == 0 {
		text = j.textOf(k, url)
	}
	j.line = append(append(append(j.line[:0], broken...), ' '), text...)
	n := len(j.line)
	j.line = append(j.line, kind)
	j.line = appendText(appendText(appendText(j.line, broken), p.File), p.URL)
	j.line = appendText(appendText(j.line, in), url)
	j.line = appendText(appendText(appendText(j.line, to.file), to.url), to.to)
	j.line = binary.AppendUvarint(binary.AppendUvarint(j.line, uint64(p.Offset)), uint64(to.offset))
	_, err = set.Add(j.line[:n], j.line[n:])
	return err
}

// A recentText is the text of surt with a key.
type recentText struct {
	key  key
	text []byte
}

// maxText limits the URLs whose texts are kept.
const maxText = 1 << 10

// textOf returns the text of surt of url, whose key is k: findings are in its order. It is valid until the next call.
func (j *job) textOf(k key, url []byte) []byte {
	if len(url) > maxText {
		j.long = surt.Append(j.long[:0], url)
		return j.long
	}
	t := &j.texts[k%key(len(j.texts))]
	if t.key != k || len(t.text) == 0 {
		t.key, t.text = k, surt.Append(t.text[:0], url)
	}
	return t.text
}

// damaged reports a damaged record.
func (j *job) damaged(file string, offset int64, url, text string) {
	f := &audit.Finding{File: file, Path: j.pathOf(file), Rule: rule.Damaged, Pos: extract.Position{Offset: offset}, Message: "a record that cannot be read to its end: " + text}
	if url != "" {
		f.Message = "the record of " + url + " cannot be read to its end: " + text
		f.Target = url
		f.Ref = referenceTo(url, "", offset, "", scan.Embed)
	}
	j.report.Take(f)
}

// maxReported limits the resources of which no optional use is reported as well.
const maxReported = 1 << 20

// missing reports a finding of the sets.
func (j *job) missing(record []byte, n uint64) error {
	all, rest := string(record), record[1:]
	number := func() uint64 {
		n, size := binary.Uvarint(rest)
		rest = rest[size:]
		return n
	}
	var texts [8]string
	for i := range texts {
		n := number()
		at := len(record) - len(rest)
		texts[i], rest = all[at:at+int(n)], rest[n:]
	}
	offset, redirectOffset := int64(number()), int64(number())
	broken, file, page, in, url := rule.Rule(texts[0]), texts[1], texts[2], texts[3], texts[4]
	f := &audit.Finding{File: file, Rule: broken, Pos: extract.Position{Offset: offset}, Target: url}
	users := "needed by " + page
	kind := scan.Embed
	k := j.keys.of([]byte(url))
	switch {
	case broken == rule.MissingOptional && j.reported[k]:
		return nil
	case broken != rule.MissingOptional && len(j.reported) < maxReported:
		j.reported[k] = true
	}
	switch record[0] {
	case linkRow:
		users, kind = "linked from "+page, scan.Link
	case optionalRow:
		users = "not needed as pages are shown, but named by " + page
	}
	if n > 1 {
		users += fmt.Sprintf(" and %s", cli.Count(int(n-1), "other record"))
	}
	switch broken {
	case rule.RedirectLoop:
		f.Target = "" // it has been fetched
		f.Message = fmt.Sprintf("%s is redirected in a circle, or more than %d times: %s", url, maxRedirects, users)
	case rule.RedirectTarget:
		f.File, f.Pos.Offset = texts[5], redirectOffset
		f.Message = fmt.Sprintf("%s redirects to %s, which is not in the archive: %s", texts[6], texts[7], users)
		f.Target = texts[7]
		url = texts[7]
	default:
		f.Message = url + " is not in the archive: " + users
	}
	f.Path = j.pathOf(f.File)
	f.Ref = referenceTo(url, page, f.Pos.Offset, in, kind)
	j.report.Take(f)
	return nil
}

// referenceTo returns what output shows of a reference to url.
func referenceTo(url, page string, offset int64, in string, kind scan.Kind) *extract.Reference {
	b := base.Base{}
	if page != "" {
		b = base.Base{URI: page, Layer: base.Retrieval}
	}
	u, how := []byte(url), scan.Attribute
	switch {
	case strings.Contains(in, "url()"), strings.Contains(in, "@import"), strings.Contains(in, "image-set()"), in == "src()", in == "image()":
		how = scan.CSS
	case in == "Link":
		how = scan.Field
	}
	return &extract.Reference{
		Entity: &extract.Entity{Base: b, Record: &extract.Record{Target: page, Offset: offset}}, Base: b,
		Pos: extract.Position{Offset: offset}, Kind: kind, How: how, In: in, Raw: u, Ref: u, URL: u,
	}
}

// pathOf returns the path of an archive of which an input, as shown to users, is all or a member.
func (j *job) pathOf(shown string) string {
	for end := 0; ; end += len("!/") {
		i := strings.Index(shown[end:], "!/")
		if i < 0 {
			return cmp.Or(j.paths[shown], shown)
		}
		end += i
		if path, ok := j.paths[shown[:end]]; ok {
			return path
		}
	}
}
