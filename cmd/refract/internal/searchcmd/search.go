package searchcmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"time"

	"example.org/refract/cmd/refract/internal/archived"
	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/dialect"
	"example.org/refract/cmd/refract/internal/distinct"
	"example.org/refract/cmd/refract/internal/filter"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/cmd/refract/internal/overview"
	"example.org/refract/cmd/refract/internal/resources"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/input"
)

// A search is one run of the command without a subcommand: it finds the references in the inputs,
// and writes the output of the renderer.
type search struct {
	stdout, stderr io.Writer

	cfg        extract.Config
	inputs     inputs
	dialects   dialect.Set
	places     bool // of records in their files are output
	filter     filter.Filter
	renderer   output.Renderer
	args       []string // of the run
	jobs       int
	jobsGiven  bool          // --jobs is given: it is not lowered in a container
	output     string        // --output; "" is stdout
	checkpoint *checkpoint   // nil: an interrupted run cannot be continued
	distinct   *distinct.Set // for --unique and --count; nil: write everything at once
	recent     recentURLs    // with distinct
	archived   archived.Flags
	color      string // --color
	quiet      bool
	strict     bool
	failsFound bool // --fail-if-found
	byLine     bool // --line-buffered
	fileBase   bool
	archives   bool
	twice      bool                // --join archive: the inputs are read for evidence first
	published  *published          // with --published
	inbox      string              // the command that reads the first public-inbox; "" if there is none
	overview   *overviewPage       // nil: without --html
	sortMemory int64               // limits the rows in memory that --sort-by sorts
	lost       *damagedList        // nil: without --damaged
	undecided  bool                // the first piece of standard input decides about the columns
	hasHeader  bool                // of the output
	columns    output.ColumnOutput // nil: without --format arrow and --parquet

	memory   memoryLimit
	written  []writtenFile // files that the run writes
	progress *cli.Progress // nil shows nothing
}

// run finds the references of args and writes them. Output and messages are in the order of the
// inputs, regardless of the number of jobs.
func (s *search) run(args []string) error {
	var total output.Counts
	s.args = args
	s.dialects.Given(args)
	out, commit, err := s.open(&total)
	if err != nil {
		return err
	}
	defer out.Discard()
	if err := s.overview.open(); err != nil {
		return err
	}
	defer s.overview.discard()
	if err := s.lost.open(); err != nil {
		return err
	}
	defer s.lost.discard()
	w := bufio.NewWriterSize(out, 64<<10)
	if s.columns != nil {
		if err := s.columns.Begin(w); err != nil {
			return err
		}
		defer s.columns.Discard()
	}
	if temps := s.temps(out); len(temps) > 0 {
		defer cli.OnInterrupt(func() {
			for _, temp := range temps {
				os.RemoveAll(temp)
			}
		})()
	}
	s.identifyOutput(out)
	s.inputs.walk.GlobUse = new(input.GlobUse)
	s.renderer.Terminal = s.output == "" && cli.IsTerminal(s.stdout)
	s.renderer.Colour = cli.Coloured(s.color, s.renderer.Terminal)
	if !s.quiet && !s.renderer.Terminal && cli.IsTerminal(s.stderr) {
		s.progress = cli.NewProgress(s.stderr)
		if s.inputs.list == "" && s.inputs.byteRange == "" {
			walk := s.inputs.walk
			walk.GlobUse = nil
			go func(p *cli.Progress) {
				time.Sleep(time.Second) // most runs end before this
				p.Measure(walk.Files(args))
			}(s.progress)
		}
	}
	if s.twice {
		if err := s.gather(args); err != nil {
			return err
		}
	}
	if s.sortMemory > 0 {
		defer s.memory.keep(20)()
	}
	if s.distinct != nil {
		defer s.distinct.Close()
		// The set has no pointers, so a collection takes almost no time. Letting garbage grow by as
		// much again would double --memory.
		defer s.memory.keep(20)()
	}
	if s.overview != nil {
		defer s.memory.keep(50)() // what the page keeps is large, too
	}
	s.chooseColumns(args)
	if err := s.work(args, w, &total); err != nil {
		return err
	}
	if err := s.writeEnd(w, &total); err != nil {
		return err
	}
	if err := s.overview.write(args, &total); err != nil {
		return err
	}
	if err := s.nameDamaged(args); err != nil {
		return err
	}
	if err := errors.Join(commit(), s.overview.commit(), s.lost.commit(), s.commitColumns()); err != nil {
		return err
	}
	return s.report(&total)
}

// chooseColumns adds columns about messages to the default ones of a table if the first file that the run
// reads is mail. Later files do not matter, so the header does not depend on them. For standard input, its
// first piece decides.
func (s *search) chooseColumns(args []string) {
	r := &s.renderer
	if r.Format != output.CSV || r.Chosen || r.Count != "" || r.Age == output.First || r.Age == output.Last || s.inputs.list != "" {
		return
	}
	for file, err := range s.inputs.files(args) {
		switch {
		case err != nil:
		case file.Name == "-" && s.cfg.Type == "":
			s.undecided = true
		case s.isMail(file):
			s.addMailColumns(&s.cfg)
		}
		return
	}
}

// addMailColumns adds columns about messages, of which cfg is to find the data.
func (s *search) addMailColumns(cfg *extract.Config) {
	s.cfg.Messages, cfg.Messages = true, true
	s.renderer.AddMailColumns()
}

// isMail reports whether a file is a message or an archive of messages.
func (s *search) isMail(file input.File) bool {
	var head []byte
	info, err := os.Stat(file.Path)
	if file.Name != "-" && err == nil && info.Mode().IsRegular() {
		r, err := input.Open(file.Path)
		if err != nil {
			return false
		}
		defer r.Close()
		head = make([]byte, 4096)
		n, _ := io.ReadFull(r, head)
		head = head[:n]
	}
	return extract.IsMail(s.config(file), input.Inner(file.Name), head)
}

// temps returns the names of the temporary files and directories of the run.
func (s *search) temps(out sink) []string {
	temps := []string{out.Temp(), s.overview.temp(), s.lost.temp()}
	if s.columns != nil {
		temps = append(temps, s.columns.Temps()...)
	}
	return slices.DeleteFunc(temps, func(name string) bool { return name == "" })
}

// open opens the output. With a checkpoint, it sets total to the counts of the previous runs.
func (s *search) open(total *output.Counts) (out sink, commit func() error, err error) {
	if c := s.checkpoint; c != nil {
		*total = c.state.Total
		return c, func() error { return c.commit(total) }, nil
	}
	file, err := atomicfile.Create(s.output, s.stdout, output.Replaceable(s.output))
	if err != nil {
		return nil, nil, err
	}
	file.SetForm(s.renderer.Format.Log())
	return file, file.Commit, nil
}

// A sink receives the result of a search. An interrupted run leaves either no file, or one that
// the next run can continue.
type sink interface {
	io.Writer
	Stat() (info os.FileInfo, isRegular bool)
	Temp() string
	Discard()
}

// work does all jobs and writes their pages to w.
func (s *search) work(args []string, w *bufio.Writer, total *output.Counts) error {
	defer s.progress.Finish()
	if s.distinct != nil {
		s.memory.more = s.distinct.Memory + s.distinct.Memory/8
		if s.dropsRepeated() {
			s.memory.more += int64(max(s.jobs, 1)) * distinct.RecentMemory
		}
	}
	if s.overview != nil {
		s.memory.more += overview.Memory
	}
	if s.columns != nil {
		s.memory.more += output.ColumnMemory + s.sortMemory + s.sortMemory/8
	}
	if !s.jobsGiven {
		resources.FitJobs(s.stderr, s.quiet, &s.jobs, s.cfg.MaxEntity, s.memory.more)
	}
	s.memory.jobs = max(s.jobs, 1)
	s.memory.start()
	defer s.memory.reset()
	return extract.Parallel(s.jobs, s.tasks(args),
		func(t *extract.Task[*job], emit func(*output.Page) bool) { s.do(t.Value, emit) },
		func(_ *extract.Task[*job], p *output.Page) error { return s.writePage(w, p) },
		func(t *extract.Task[*job]) error { return s.finish(w, t.Value, total) })
}

// tasks yields the jobs for args, in order.
func (s *search) tasks(args []string) iter.Seq[*extract.Task[*job]] {
	return func(yield func(*extract.Task[*job]) bool) {
		place := 0
		s.produce(args, func(j *job) error {
			place++
			j.place = place
			if !yield(&extract.Task[*job]{Batch: j.piece, Value: j}) {
				return io.ErrClosedPipe
			}
			return nil
		})
	}
}

// writeHeader writes what precedes the output, once. The first piece of the first input may have chosen the
// columns before.
func (s *search) writeHeader(w *bufio.Writer) {
	if !s.hasHeader && (s.checkpoint == nil || s.checkpoint.state.Offset == 0) {
		w.Write(s.renderer.Header())
	}
	s.hasHeader = true
}

// writeEnd writes what follows the blocks of all jobs.
func (s *search) writeEnd(w *bufio.Writer, total *output.Counts) error {
	s.writeHeader(w)
	if s.renderer.Age == output.Archived {
		if err := s.writeArchived(w); err != nil {
			return err
		}
	} else if s.renderer.Age != output.AnyAge {
		if err := s.writeDated(s.rows(w)); err != nil {
			return err
		}
	} else if s.distinct != nil {
		err := s.distinct.Finish(func(record []byte, n uint64) error {
			if s.renderer.Count != "" {
				record = s.renderer.CountLine(record, n)
			}
			_, err := s.rows(w).Write(record)
			return err
		})
		if err != nil {
			return err
		}
	}
	if s.columns != nil {
		if err := s.columns.End(total); err != nil {
			return err
		}
	}
	if s.renderer.Format.IsJSON {
		w.Write(total.AppendSummary(nil))
	}
	return w.Flush()
}

// writeDated writes the records of a run with an Age, in the order of their dates.
func (s *search) writeDated(w io.Writer) error {
	byDate := &distinct.Set{Memory: s.distinct.Memory, Order: distinct.Sorted, Temp: s.distinct.Temp}
	defer byDate.Close()
	h := output.History{Renderer: &s.renderer, Emit: func(key, line []byte) error {
		_, err := byDate.Add(key, line)
		return err
	}}
	if err := s.distinct.Finish(func(record []byte, _ uint64) error { return h.Add(record) }); err != nil {
		return err
	}
	if err := h.Flush(); err != nil {
		return err
	}
	return byDate.Finish(func(line []byte, _ uint64) error {
		_, err := w.Write(line)
		return err
	})
}

// do finds the references of j and renders them.
func (s *search) do(j *job, emit func(*output.Page) bool) {
	b := &j.block
	b.Begin(s.distinct != nil, s.byLine, emit)
	if s.dropsRepeated() {
		b.Known = s.recent.take(j.place)
		defer s.recent.put(j.place, b.Known)
	}
	switch {
	case j.unread != nil:
		s.note(b, j.name, j.unread)
	case j.err != nil:
		s.fail(b, j.name, j.err)
	case j.piece != nil:
		s.scan(b, j.name, j.piece)
	default:
		for _, file := range j.group {
			s.scanFile(b, file)
			if b.Canceled {
				break
			}
		}
	}
	b.End()
}

// scanFile renders the references of a small file.
func (s *search) scanFile(b *output.Block, file input.File) {
	r, err := input.Open(file.Path)
	if err != nil {
		s.fail(b, file.Name, cli.WithName(file, err))
		return
	}
	defer r.Close()
	cfg := s.config(file)
	s.locate(cfg, r, byteRange{})
	for piece, err := range cfg.Batches(input.Inner(file.Name), r) {
		if err != nil {
			s.fail(b, file.Name, cli.WithName(file, err))
			return
		}
		s.scan(b, file.Name, piece)
		piece.Release()
		if b.Canceled {
			return
		}
	}
}

// scan renders the references of piece that the filter selects.
func (s *search) scan(b *output.Block, name string, piece *extract.Batch) {
	if piece.First() {
		b.Inputs++
	}
	b.Budget = output.NewBudget(0)
	piece.Begin = func(size int64) {
		if size > smallFile {
			s.memory.set(size) // of a member of an archive
		}
		s.endEntity(b, name)
		b.Budget = output.NewBudget(size)
	}
	piece.Note = func(n *extract.Note) { s.note(b, name, n) }
	piece.Message = func(m *scan.Message) { s.message(b, m) }
	s.memory.collect(piece.Size())
	defer s.memory.collect(piece.Size())
	var entity *extract.Entity
	for r := range piece.References() {
		if entity != r.Entity {
			entity = r.Entity
			if entity.MemberPath() != "" {
				s.memory.inArchive(piece.Size())
			}
		}
		if piece.CountOnly {
			b.References++
			b.Budget.Skip(&b.Budget.References, r.Entity, r.Pos)
			continue
		}
		start := len(b.Out)
		s.reference(b, name, r)
		n := max(len(b.Out)-start, len(r.URL))
		if b.Known != nil {
			n = knownRatio * len(r.URL)
		}
		b.Budget.Charge(n)
		piece.CountOnly = b.Budget.IsSpent()
		if !b.HasRoom() {
			return
		}
	}
	s.endEntity(b, name)
	b.Skipped += piece.Skipped
}

// message notes m, which may have no references.
func (s *search) message(b *output.Block, m *scan.Message) {
	if t := s.filter.Mail.Thread; t != nil {
		t.Has(m) // answers to it may have references
	}
	if !m.Time.IsZero() {
		return
	}
	if m.Date != "" {
		b.UnreadableDates++
	}
	if s.filter.Mail.SkipsUndated(m) {
		b.Undated++
	}
}

// reference counts and renders r, if the filter selects it.
func (s *search) reference(b *output.Block, name string, r *extract.Reference) {
	out, keys, done := len(b.Out), len(b.Keys), false
	defer func() {
		if !done {
			s.recovered(b, name, r, out, keys, recover())
		}
	}()
	s.render(b, name, r)
	done = true
}

func (s *search) render(b *output.Block, name string, r *extract.Reference) {
	b.Target = ""
	if s.published != nil && r.Entity.MemberPath() == "" {
		b.Target = s.published.redirect(name, r)
	}
	if r.Err == extract.ErrTooLong {
		s.tooLong(b, name, r)
		return
	}
	if isDefanged(r) {
		b.Defanged++
	}
	url := s.renderer.WithoutFragment(r.URL)
	if !s.filter.Match(r, url, s.renderer.Format.IsData()) {
		return
	}
	isKnown := b.Known != nil && url != nil && b.Known.Has(url)
	if s.renderer.Format == output.Frontier && !s.enqueues(b, r, url, isKnown) {
		return
	}
	b.References++
	if r.Err != nil {
		b.Unresolved++
	}
	if r.Err == extract.ErrName {
		b.Names++
	}
	if isKnown {
		return
	}
	keys, found := len(b.Keys), url
	url = s.renderer.Printable(url)
	s.renderer.Reference(b, name, r, url)
	if b.Known != nil && len(b.Keys) > keys {
		b.Known.Add(found)
	}
	if s.overview != nil {
		s.show(b, name, r, url)
	}
}

// isDefanged reports whether r is a URL that its author has made unusable: hxxp://example[.]org.
func isDefanged(r *extract.Reference) bool {
	const scheme = "hxxp"
	return len(r.Ref) > len(scheme) && r.Ref[1]|0x20 == 'x' && ascii.EqualFold(r.Ref[:len(scheme)], scheme)
}

// tooLong counts r, whose URL is too long to output, and reports an error for it, if the filter
// selects its beginning.
func (s *search) tooLong(b *output.Block, name string, r *extract.Reference) {
	if s.filter.Match(r, r.Ref[:min(len(r.Ref), output.MaxRepeated)], s.renderer.Format.IsData()) {
		b.References++
		b.Errors++
		s.renderer.FailureAt(b, name, r.Entity, r.Pos, "", r.Err.Error()+": left out")
	}
}

// recovered reports the panic v while r was rendered, and discards the partial output.
func (s *search) recovered(b *output.Block, name string, r *extract.Reference, out, keys int, v any) {
	b.Out, b.Keys = b.Out[:out], b.Keys[:keys]
	b.Errors++
	if _, ok := v.(interface{ Addr() uintptr }); ok { // see extract.Config.MapFiles
		s.renderer.FailureAt(b, name, r.Entity, r.Pos, "", "the file became shorter while it was read")
		return
	}
	s.renderer.FailureAt(b, name, r.Entity, r.Pos, output.InternalError, fmt.Sprint(v))
}

// note counts and renders n.
func (s *search) note(b *output.Block, name string, n *extract.Note) {
	if n.Code == scan.CodeInternal {
		b.Errors++
		s.renderer.FailureAt(b, name, n.Entity, n.Pos, output.InternalError, n.Text)
		return
	}
	if n.Code == scan.CodeDamaged {
		s.damaged(b, name, n)
		return
	}
	b.Notes++
	s.showNote(b, n)
	switch {
	case n.Code == scan.CodeAsText:
		b.AsText.Add(n.Unread, 1)
	case n.Unread != "":
		b.NotRead.Add(n.Unread, 1)
	}
	if n.Code == scan.CodeUnreadType || n.Code == scan.CodeAsText {
		b.UnreadNotes++
	}
	if b.Budget.IsSpent() {
		b.Budget.Skip(&b.Budget.Notes, n.Entity, n.Pos)
		return
	}
	start := len(b.Out) + len(b.Messages)
	s.renderer.Note(b, name, n, s.strict)
	b.Budget.Charge(len(b.Out) + len(b.Messages) - start)
	b.HasRoom()
}

// endEntity reports how much of a document, message or record was left out.
func (s *search) endEntity(b *output.Block, name string) {
	if text := b.Budget.Message(); text != "" {
		b.Errors++
		s.renderer.FailureAt(b, name, b.Budget.Entity, b.Budget.Pos, "", text)
	}
	b.Budget = output.NewBudget(0)
}

// writePage writes a page of output, and its messages to standard error.
func (s *search) writePage(w *bufio.Writer, p *output.Page) error {
	if len(p.Messages) > 0 {
		s.progress.Clear()
		s.stderr.Write(p.Messages)
	}
	if s.overview != nil {
		s.overview.Take(&p.Overview)
	}
	s.writeHeader(w)
	err := errors.Join(s.write(s.rows(w), p), s.lost.write(p.Damaged))
	p.Release()
	if err == nil && s.byLine {
		err = w.Flush()
	}
	return err
}

// finish adds the counts of j to total, once its output has been written.
func (s *search) finish(w *bufio.Writer, j *job, total *output.Counts) error {
	if j.fatal != nil {
		return j.fatal
	}
	s.writeHeader(w)
	total.Add(&j.block.Counts)
	s.progress.AddOf(j.read, j.lastName())
	var err error
	if s.checkpoint != nil {
		err = s.checkpoint.reached(j.ends, w, total)
	}
	if err == nil && (s.inputs.list != "" || j.pauses) {
		err = w.Flush() // the process that sends names or text may wait for the result before it sends more
	}
	return err
}

// write writes a page; with --unique, without the records that were written before.
func (s *search) write(w io.Writer, p *output.Page) error {
	if s.distinct == nil {
		_, err := w.Write(p.Out)
		return err
	}
	flag := "unique"
	if s.renderer.Count != "" {
		flag = "count"
	}
	return p.WriteDistinct(w, s.distinct, flag)
}

// reportUnresolved says which references were left out because they have no URL. If there are no others, it
// names the command that is likely to be meant.
func (s *search) reportUnresolved(total *output.Counts) {
	relative, names := total.Unresolved-total.Names, total.Names
	if audit := s.auditCommand(); audit != "" && total.Unresolved > 0 && total.Unresolved == total.References {
		found := cli.Count(relative, "relative reference")
		switch {
		case relative == 0:
			found = cli.Count(names, "name") + " of documents"
		case names > 0:
			found += " and " + cli.Count(names, "name") + " of documents"
		}
		them := "them"
		if total.Unresolved == 1 {
			them = "it"
		}
		fmt.Fprintf(s.stderr, "refract: found only %s: %q checks %s, --unresolved lists %[3]s, --base URL resolves %[3]s\n", found, audit, them)
		return
	}
	if relative > 0 {
		fmt.Fprintf(s.stderr, "refract: skipped %s: no base URL is known (use --base or --url, or --unresolved to list them)\n",
			cli.Count(relative, "relative reference"))
	}
	if names > 0 {
		fmt.Fprintf(s.stderr, "refract: skipped %s of documents, such as [[page]]: only their site knows the URLs (use --unresolved to list them)\n",
			cli.Count(names, "name"))
	}
}

// auditCommand returns the command that audits the arguments, or "" if an audit does not read them:
// standard input, or files of other types.
func (s *search) auditCommand() string {
	if len(s.args) == 0 {
		return ""
	}
	for _, arg := range s.args {
		info, err := os.Stat(arg)
		if err != nil {
			return ""
		}
		if f := s.cfg.FormatOfName(arg); !info.IsDir() && (f == nil || f.Audit != extract.Always) {
			return ""
		}
	}
	if len(s.args) > 1 || strings.ContainsAny(s.args[0], " \t\n'\"\\$*?[](){}|&;<>!#~") {
		return "refract audit DIR"
	}
	return "refract audit " + s.args[0]
}

// report says on standard error what was left out or could not be read, and returns the exit
// status.
func (s *search) report(total *output.Counts) error {
	r := &s.renderer
	if !s.quiet {
		cli.NoteGlobs(s.stderr, s.inputs.walk.GlobUse)
	}
	if !r.Unresolved && !s.quiet && !r.Format.IsJSON {
		s.reportUnresolved(total)
	}
	if total.Defanged > 0 && !s.quiet && !r.Format.IsJSON {
		hint := "use --undo defang to get what was meant"
		if s.cfg.Undo&extract.UndoDefang != 0 {
			hint = "--undo decodes running text only; with --type text/plain, other documents are read as such"
		}
		fmt.Fprintf(s.stderr, "refract: %s with hxxp, as written: %s\n", cli.Count(total.Defanged, "URL"), hint)
	}
	if total.NoFollow > 0 && !s.quiet {
		fmt.Fprintf(s.stderr, "refract: left out %s that crawlers are asked not to follow\n", cli.Count(total.NoFollow, "reference"))
	}
	if total.Undated > 0 && !s.quiet && !r.Format.IsJSON {
		fmt.Fprintf(s.stderr, "refract: skipped %s without a readable date\n", cli.Count(total.Undated, "message"))
	}
	hint := " (use --strict to list them)"
	if s.strict {
		hint = ""
	}
	if len(total.NotRead) > 0 && !s.quiet && !r.Format.IsJSON {
		hint := hint
		if total.NotRead[output.HiddenFolder] > 0 && !s.strict {
			hint = " (use --hidden to read hidden folders, --strict to list all)"
		}
		fmt.Fprintf(s.stderr, "refract: not read: %v%s\n", total.NotRead, hint)
		if s.inbox != "" && !s.strict {
			fmt.Fprintf(s.stderr, "refract: git reads the messages of a public-inbox: %s\n", s.inbox)
		}
	}
	if len(total.AsText) > 0 && !s.quiet && !r.Format.IsJSON {
		fmt.Fprintf(s.stderr, "refract: binary, but scanned as text: %v%s\n", total.AsText, hint)
	}
	switch {
	case total.Errors > 0 && s.inputs.list != "" && !s.inputs.listFailed.Load():
		// A program that drives refract through a pipe would stop at a nonzero status.
		fmt.Fprintf(s.stderr, "refract: %s could not be read\n", cli.Count(total.Errors, "input"))
	case total.Errors > 0:
		return cli.Status(cli.ExitFailed)
	}
	if s.failsFound && s.hasPrinted(total) || s.strict && total.Notes > total.UnreadNotes {
		return cli.Status(cli.ExitFindings)
	}
	return nil
}

// hasPrinted reports whether a reference is among the output, or in a count.
func (s *search) hasPrinted(total *output.Counts) bool {
	if s.renderer.Unresolved || s.renderer.Format.IsJSON {
		return total.References > 0
	}
	return total.References > total.Unresolved
}
