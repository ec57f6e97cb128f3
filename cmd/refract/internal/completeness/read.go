package completeness

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"iter"
	"os"
	"strings"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/input"
	"example.org/refract/resolve"
)

// Rows of the spool, in the order of the archives.
const (
	inputRow    = 'I' // the file of what follows
	pageRow     = 'P' // a page or a style sheet: the next rows are of it
	needRow     = 'N' // a resource that it needs
	linkRow     = 'L' // a link to a page of the same site
	redirectRow = 'R'
	damageRow   = 'D'

	optionalRow  = 'O' // a resource that only another page or another state of it needs
	conditionRow = 'C' // a resource that a style sheet needs if a page to which it applies meets a condition
	importRow    = 'M' // a style sheet that a style sheet needs, and applies
	appliesRow   = 'A' // a style sheet that applies to the page
	idleRow      = 'X' // a style sheet of the page that does not apply: for printing
	namesRow     = 'S' // names in the page that selectors look at
	revisitRow   = 'V' // a page or a style sheet whose content is in another record, perhaps of another URL
)

// A page is what a worker has found, up to about rowsSize bytes of rows.
type page struct {
	rows     []byte
	captures []capture
	notes    []audit.Note
	scripted int // pages with scripts
}

// A capture is a record. at is the place of the row of a redirect among those of the page.
type capture struct {
	key   key
	state state
	at    int
}

const rowsSize = 64 << 10

// A reader is the work of one task: it reads the records of a piece of an archive.
type reader struct {
	keys   *keyer
	choose chooser
	emit   func(*page) bool
	page   *page
	isDone bool // no more pages are wanted

	name       string // of the file
	place      string // with the member of a WACZ that the piece is of
	shown      string // with the member of a WACZ; in the last inputRow
	isHAR      bool
	record     *extract.Record // the current one
	begun      bool            // there is a pageRow of it
	mediaType  string          // of it
	isScripted bool            // it has a script
	host       []byte
	seen       map[key]uint8 // of the references of the page
	entity     *extract.Entity
	isPart     bool // references of entity are those of the page

	mayNeed   []mayNeed
	mayBytes  int    // of conditions in mayNeed
	names     []byte // in the page, as in scan.Selectable
	isUnknown bool   // there are more
}

// A mayNeed is a resource that the page or style sheet needs on a condition.
type mayNeed struct {
	in   string
	url  []byte
	when condition
}

// maxConditions limits the bytes of conditions of a page or style sheet. What comes after them is needed.
const maxConditions = 1 << 20

// A task is a piece of an archive, or an error in place of an archive.
type task struct {
	name string
	err  error
}

// readArchives reads all archives: their rows go to the spool, and their captures to the index.
func (j *job) readArchives() error {
	tasks := func(yield func(*extract.Task[*task]) bool) {
		for file, err := range (&input.Options{NoIgnore: true}).Files(j.Names) {
			j.paths[file.Name] = file.Path
			for t := range j.pieces(file, err) {
				if !yield(t) {
					return
				}
			}
		}
	}
	do := func(t *extract.Task[*task], emit func(*page) bool) {
		if t.Batch != nil {
			j.read(t, emit)
		}
	}
	return extract.Parallel(j.Jobs, tasks, do, func(_ *extract.Task[*task], p *page) error { return j.take(p) }, func(t *extract.Task[*task]) error {
		var damaged *input.DamagedError
		switch {
		case errors.As(t.Value.err, &damaged):
			for extent, err := range damaged.Untold() {
				rows := appendText([]byte{inputRow}, t.Value.name)
				rows = appendDamage(rows, &extract.Damage{Offset: extent.Offset, Length: extent.Length, Err: err})
				if err := j.take(&page{rows: rows}); err != nil {
					return err
				}
			}
		case t.Value.err != nil:
			j.report.Errors = append(j.report.Errors, audit.Failure{File: t.Value.name, Err: t.Value.err})
		case t.Batch.Err() != nil:
			j.report.Errors = append(j.report.Errors, audit.Failure{File: t.Value.name, Err: t.Batch.Err()})
		}
		return nil
	})
}

// pieces yields the tasks for one archive.
func (j *job) pieces(file input.File, err error) iter.Seq[*extract.Task[*task]] {
	return func(yield func(*extract.Task[*task]) bool) {
		fail := func(err error) bool {
			return yield(&extract.Task[*task]{Value: &task{file.Name, cli.WithName(file, err)}})
		}
		if err != nil {
			fail(err)
			return
		}
		r, err := input.OpenAhead(file.Path, j.Jobs)
		if err != nil {
			fail(err)
			return
		}
		defer r.Close()
		cfg := extract.Config{Rules: resolve.Rules{SameScheme: true, Browser: true}, MaxEntity: j.MaxEntity, Choices: true, Records: true, Type: file.Type}
		if stored := input.Locate(r, 0, 0); stored != nil {
			cfg.Storage = stored
		}
		for b, err := range cfg.Batches(input.Inner(file.Name), r) {
			if err != nil {
				if !fail(err) {
					return
				}
			} else if !yield(&extract.Task[*task]{Batch: b, Value: &task{name: file.Name}}) {
				return
			}
		}
	}
}

// read reads a piece of an archive.
func (j *job) read(t *extract.Task[*task], emit func(*page) bool) {
	r := &reader{emit: emit, page: new(page), name: t.Value.name, isHAR: strings.HasSuffix(strings.ToLower(input.Inner(t.Value.name)), ".har"), seen: map[key]uint8{}}
	r.place = placeOf(r.name, t.Batch.MemberPath())
	r.keys = keyers.Get().(*keyer)
	defer keyers.Put(r.keys)
	r.choose = chooser{viewport: viewport{j.Width, screenHeight}, need: r.need, needIf: r.needIf, apply: r.apply}
	t.Batch.SelectRecord = r.begin
	t.Batch.Note = func(n *extract.Note) {
		if n.Code == scan.CodeDamaged && n.Damage != nil {
			r.showPlace(n.Entity)
			r.page.rows = appendDamage(r.page.rows, n.Damage)
		} else if n.Code == scan.CodeScript {
			r.addScript(n.Entity)
		} else if n.Code == scan.CodeTooLarge {
			r.page.notes = append(r.page.notes, audit.Note{File: t.Value.name, Pos: n.Pos, Text: n.Text})
		}
	}
	t.Batch.Mention = func(m *extract.Mention) {
		if m.Space == scan.Selectable && r.belongs(m.Entity) {
			r.names = append(r.names, m.Name...)
			r.isUnknown = r.isUnknown || len(m.Name) == 0
		}
	}
	for ref := range t.Batch.References() {
		r.reference(ref)
		if r.isDone {
			return
		}
	}
	r.endRecord()
	r.flush()
}

// endRecord ends the page or style sheet of the current record, if there is one.
func (r *reader) endRecord() {
	r.choose.end()
	var page names
	if !r.isUnknown && len(r.names) > 0 {
		r.page.rows = appendText(append(r.page.rows, namesRow), r.names)
		if len(r.mayNeed) > 0 {
			page = namesOf(r.names)
		}
	}
	for _, m := range r.mayNeed {
		if page.meet(m.when) {
			r.need(m.in, m.url)
		}
	}
	for _, m := range r.mayNeed { // of which some are not needed
		r.row(optionalRow, m.in, m.url, nil)
	}
	r.mayNeed, r.mayBytes, r.names, r.isUnknown, r.begun = r.mayNeed[:0], 0, r.names[:0], false, false
}

// screenHeight is the height of the window of the browser, for media queries.
const screenHeight = 720

func appendDamage(rows []byte, d *extract.Damage) []byte {
	rows = binary.AppendUvarint(append(rows, damageRow), uint64(d.Offset))
	return appendText(appendText(rows, d.Target), d.Err.Error())
}

// flush emits the page.
func (r *reader) flush() {
	if len(r.page.rows)+len(r.page.captures)+len(r.page.notes) > 0 && !r.isDone {
		r.isDone = !r.emit(r.page)
	}
	r.page, r.shown = new(page), ""
}

// begin takes the next record, and reports whether it is read: whether it may be a page or a style sheet.
func (r *reader) begin(rec *extract.Record) bool {
	r.endRecord()
	if len(r.page.rows) > rowsSize || len(r.page.captures) > rowsSize/entrySize {
		r.flush()
	}
	r.record, r.isScripted, r.entity, r.host = rec, false, nil, nil
	switch rec.Type {
	case "response", "resource", "revisit":
	default:
		return false
	}
	if rec.Target == "" || r.isHAR && rec.Status == 0 {
		return false // of a HAR, the request was not answered
	}
	c := capture{key: r.keys.of([]byte(rec.Target)), state: isHere}
	switch {
	case rec.Damaged != "":
		c.state = isDamaged
	case rec.Status >= 400:
		c.state = isError
	case rec.Redirect != "":
		if target, ok := r.target(rec); ok {
			c.state, c.at = isRedirect, len(r.page.rows)
			r.addRedirect(rec, target)
		}
	}
	r.page.captures = append(r.page.captures, c)
	if rec.Status != 0 && rec.Status != 200 {
		return false
	}
	declared := essence(rec.ContentType)
	switch declared {
	case "text/html", "application/xhtml+xml", "text/css":
	case "", "application/octet-stream", "application/http", "unknown/unknown", "*/*": // by its first bytes
	default:
		return false
	}
	if rec.Type == "revisit" {
		r.page.rows = appendText(binary.BigEndian.AppendUint64(append(r.page.rows, revisitRow), uint64(c.key)), declared)
		return false
	}
	return true
}

// target returns the URL to which a record redirects.
func (r *reader) target(rec *extract.Record) (url []byte, ok bool) {
	base := resolve.Rules{SameScheme: true, Browser: true}.Resolver(rec.Target)
	url, _ = base.Append(nil, []byte(rec.Redirect))
	return url, isFetchable(url)
}

func (r *reader) addRedirect(rec *extract.Record, target []byte) {
	rows := append(r.page.rows, redirectRow)
	rows = binary.AppendUvarint(rows, uint64(rec.Offset))
	rows = binary.BigEndian.AppendUint64(rows, uint64(r.keys.of(target)))
	r.page.rows = appendText(appendText(appendText(rows, r.place), rec.Target), target)
}

// isFetchable reports whether url is one that archives have.
func isFetchable(url []byte) bool {
	for _, scheme := range [...]string{"http://", "https://"} {
		if len(url) > len(scheme) && ascii.EqualFold(url[:len(scheme)], scheme) {
			return true
		}
	}
	return false
}

// reference takes the next reference.
func (r *reader) reference(ref *extract.Reference) {
	if ref.Entity != r.entity {
		r.choose.end() // numbers of elements are those of one document
		r.entity, r.isPart = ref.Entity, r.belongs(ref.Entity)
	}
	if !r.isPart {
		return
	}
	if ref.Kind == scan.Link && (ref.In == "a/href" || ref.In == "area/href") {
		if isFetchable(ref.URL) && ref.Labels&notFetched == 0 && ascii.EqualFold(hostOf(ref.URL), string(r.host)) {
			r.row(linkRow, ref.In, ref.URL, nil)
		}
		return
	}
	if ref.In == "script/src" {
		r.addScript(ref.Entity)
	}
	r.choose.add(ref)
}

// addScript notes that the page has a script.
func (r *reader) addScript(e *extract.Entity) {
	if !r.isScripted && r.belongs(e) {
		r.isScripted = true
		r.page.scripted++
	}
}

// belongs reports whether an entity is the page of the current record, or a document in it, and begins the page.
func (r *reader) belongs(e *extract.Entity) bool {
	mediaType := ""
	for at := e; ; at = at.Parent {
		if at == nil || at.Member != "" && at.Record == nil {
			return false
		}
		if at.Record != nil {
			if at.Record != r.record || at.Record.Damaged != "" {
				return false
			}
			mediaType = at.Type
			break
		}
	}
	switch mediaType {
	case "text/html", "application/xhtml+xml", "text/css":
	default:
		return false
	}
	if !r.begun {
		r.begun, r.mediaType = true, mediaType
		clear(r.seen)
		r.host = bytes.ToLower(hostOf([]byte(r.record.Target)))
		r.showPlace(e)
		rows := binary.AppendUvarint(append(r.page.rows, pageRow), uint64(r.record.Offset))
		r.page.rows = appendText(appendText(rows, r.record.Target), mediaType)
	}
	return true
}

// placeOf returns how a member of a file is shown; "" is the file itself.
func placeOf(name, member string) string {
	if member == "" {
		return name
	}
	return name + "!/" + member
}

// showPlace says in which file the next rows are.
func (r *reader) showPlace(e *extract.Entity) {
	shown := placeOf(r.name, e.MemberPath())
	if shown != r.shown {
		r.shown = shown
		r.page.rows = appendText(append(r.page.rows, inputRow), shown)
	}
}

// hostOf returns the host of an absolute URL, without "www.".
func hostOf(url []byte) []byte {
	host := resolve.Parse(url).Authority
	if i := bytes.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	return bytes.TrimPrefix(host, []byte("www."))
}

// need takes a resource that the page needs.
func (r *reader) need(in string, url []byte) {
	if !isFetchable(url) {
		return
	}
	kind := byte(needRow)
	if r.mediaType == "text/css" && in == "@import" {
		kind = importRow
	}
	r.row(kind, in, url, nil)
}

// needIf takes a resource that the page or style sheet needs on a condition.
func (r *reader) needIf(in string, url []byte, when condition) {
	isSheet := r.mediaType == "text/css"
	switch {
	case !isFetchable(url):
		return
	case len(when) == 0 && !isSheet, r.mayBytes > maxConditions:
		r.need(in, url)
	case isSheet:
		r.mayBytes += len(when)
		r.row(conditionRow, in, url, when)
	default:
		r.mayBytes += len(when)
		r.mayNeed = append(r.mayNeed, mayNeed{in, bytes.Clone(url), when})
	}
}

// apply takes a style sheet of the page.
func (r *reader) apply(url []byte, isApplied bool) {
	kind := byte(idleRow)
	if isApplied {
		kind = appliesRow
	}
	if isFetchable(url) && r.mediaType != "text/css" {
		r.page.rows = binary.BigEndian.AppendUint64(append(r.page.rows, kind), uint64(r.keys.of(cutFragment(url))))
	}
}

func cutFragment(url []byte) []byte {
	url, _, _ = bytes.Cut(url, []byte{'#'})
	return url
}

// row adds a reference of the page, once for each key, unless it is a conditionRow, which has a condition.
func (r *reader) row(kind byte, in string, url []byte, when condition) {
	url = cutFragment(url)
	k, text := r.keys.withText(url)
	bit := uint8(1)
	switch kind {
	case linkRow:
		bit = 2
	case conditionRow: // another condition may hold
		bit = 0
	}
	if r.seen[k]&bit != 0 {
		return
	}
	r.seen[k] |= bit
	rows := binary.BigEndian.AppendUint64(append(r.page.rows, kind), uint64(k))
	r.page.rows = appendText(appendText(appendText(rows, in), url), text)
	if kind == conditionRow {
		r.page.rows = appendText(r.page.rows, when)
	}
	if len(r.page.rows) > rowsSize {
		r.flush()
	}
}

// take takes a page of a worker.
func (j *job) take(p *page) error {
	for _, c := range p.captures {
		at := int64(0)
		if c.state == isRedirect {
			at = j.spooled + int64(c.at)
		}
		if err := j.index.add(c.key, c.state, at); err != nil {
			return err
		}
	}
	j.captures += len(p.captures)
	j.report.Notes = append(j.report.Notes, p.notes...)
	j.result.Scripted += p.scripted
	j.report.Skipped += p.scripted
	j.spooled += int64(len(p.rows))
	_, err := j.spool.Write(p.rows)
	return err
}

// openSpool makes the file of rows.
func (j *job) openSpool() (err error) {
	j.file, err = os.CreateTemp("", "refract")
	if err == nil {
		os.Remove(j.file.Name())
		j.spool = bufio.NewWriterSize(j.file, 256<<10)
	}
	return err
}
