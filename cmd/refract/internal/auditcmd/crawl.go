package auditcmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/completeness"
	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/cmd/refract/internal/report"
	"example.org/refract/cmd/refract/internal/webpage"
	"example.org/refract/extract"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/input"
)

// crawlFlags are the flags for archives of crawls only.
type crawlFlags struct {
	archived []string
	width    int
	memory   int64
	unused   []string // settings of the configuration that are not for archives
}

// list returns the flags.
func (c *crawlFlags) list() []cli.Flag {
	c.width, c.memory = 1280, 256<<20
	return cli.InGroup("Archives of crawls", []cli.Flag{
		{Name: "archived", Var: &c.archived, Each: true, Config: cli.Named,
			Help: "the captures in `INDEX` (CDX, CDXJ, WACZ or WARC files, or a directory) count as well"},
		{Name: "width", Var: &c.width, Config: cli.Named, Help: "choose images for a window of this width in `PIXELS`"},
		{Name: "memory", Var: (*cli.ByteSize)(&c.memory), Config: cli.Named, Help: "memory for URLs of captures: `SIZE`; the rest goes to disk"},
	})
}

// ofCrawls are the flags that have a meaning for archives of crawls.
var ofCrawls = strings.Fields("archived width memory rule no-rule ignore baseline write-baseline format json output html report color hyperlink strict exit-zero quiet verbose jobs max-entity config no-config")

// checkCrawl reports flags that are not for the arguments, which are archives of crawls or not. A configuration that refract finds serves trees
// as well: what it sets and is not for archives is not used. given are the flags of the command line.
func (o *auditOptions) checkCrawl(flags *pflag.FlagSet, given []string, isCrawl bool) error {
	if !isCrawl {
		for _, name := range []string{"archived", "width", "memory"} {
			if slices.Contains(given, name) {
				return fmt.Errorf("--%s is for archives of crawls: WARC, ARC, WACZ or HAR files", name)
			}
		}
		if o.format == urlsFormat {
			return errors.New("--format urls is for archives of crawls: WARC, ARC, WACZ or HAR files")
		}
		return nil
	}
	if o.crawl.width < 1 {
		return fmt.Errorf("--width %d: must be at least 1", o.crawl.width)
	}
	if len(o.Only) > 0 && !slices.ContainsFunc(o.Only, func(r rule.Rule) bool { return slices.Contains(rule.OfCrawls, r) }) {
		return fmt.Errorf("--rule %s: archives of crawls have only %s", join(o.Only), join(rule.OfCrawls))
	}
	var others []string
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed && !slices.Contains(ofCrawls, f.Name) {
			others = append(others, f.Name)
		}
	})
	if len(o.Forbid) > 0 && !slices.Contains(others, "forbid") {
		others = append(others, "forbid") // by entries of the configuration
	}
	for _, name := range others {
		if slices.Contains(given, name) || o.repeat.Config != "" {
			return fmt.Errorf("--%s is not for archives of crawls", name)
		}
	}
	o.crawl.unused = others
	return nil
}

// join returns the names of rules as a list.
func join(rules []rule.Rule) string {
	var names []string
	for _, r := range rules {
		names = append(names, string(r))
	}
	return strings.Join(names, ", ")
}

// urlsFormat is the --format that lists what to fetch.
const urlsFormat = "urls"

// crawlFiles returns the archives of crawls that args name: files, or directories that hold nothing else but indexes. nil: an argument names
// something else.
func crawlFiles(args []string) (files []string) {
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case err == nil && info.IsDir():
			names := archivesIn(arg)
			if len(names) == 0 {
				return nil
			}
			files = append(files, names...)
		case isCrawl(arg):
			files = append(files, arg)
		default:
			return nil
		}
	}
	return files
}

// archivesIn returns the archives in a directory; nil: it holds other files, or none.
func archivesIn(dir string) (files []string) {
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		switch strings.ToLower(path.Ext(input.Inner(name))) {
		case ".warc", ".arc", ".wacz", ".har":
			files = append(files, name)
		case ".cdx", ".cdxj", ".idx":
		default:
			return errors.New("another file")
		}
		return nil
	})
	if err != nil {
		return nil
	}
	return files
}

// isCrawl reports whether a file is an archive of a crawl, by its name, or by its first bytes if the name says nothing.
func isCrawl(name string) bool {
	info, err := os.Stat(name)
	isFile := err == nil && info.Mode().IsRegular()
	switch strings.ToLower(path.Ext(input.Inner(name))) {
	case ".warc", ".arc", ".wacz", ".har":
		return isFile || err != nil // one that is missing does not make the others documents
	case "":
	default:
		return false
	}
	if !isFile {
		return false
	}
	r, err := input.Open(name)
	if err != nil {
		return false
	}
	defer r.Close()
	head := make([]byte, 4096)
	n, _ := io.ReadFull(r, head)
	return new(extract.Config).ArchiveType("", head[:n]) == "application/warc"
}

// auditCrawl audits archives of crawls.
func (a *auditRun) auditCrawl() (*audit.Report, error) {
	o := a.options
	for _, name := range o.crawl.archived {
		if _, err := os.Stat(name); err != nil { // before a long run
			return nil, fmt.Errorf("--archived %q: %w", name, input.CauseOf(err))
		}
	}
	run := completeness.Options{
		Names: a.args, Archived: o.crawl.archived, Width: float64(o.crawl.width), Memory: o.crawl.memory, MaxEntity: o.MaxEntity, Jobs: o.Jobs, Audit: o.Options,
	}
	a.pages = new(report.Pages)
	run.Page = func(p *completeness.Page) {
		if o.format == "json" && o.repeat.WriteBaseline == "" {
			a.buf = appendPage(a.buf[:0], p)
			a.w.Write(a.buf)
		}
		page := report.Page{URL: p.URL, Lacks: p.Needed - p.Here}
		if page.Lacks > 0 {
			page.Text = countsOf(p, "needed, ")
		}
		a.pages.Add(page, p.Needed, p.Here)
	}
	result, err := completeness.Run(run, a.take)
	if err != nil {
		return nil, err
	}
	a.completeness = result
	a.pages.Sort()
	return &result.Report, nil
}

// appendPage appends p as a --json line.
func appendPage(dst []byte, p *completeness.Page) []byte {
	dst = append(dst, `{"type":"page"`...)
	for _, field := range [...][2]string{{"input", p.File}, {"document", p.URL}, {"media_type", p.Type}} {
		dst = jsontext.AppendString(jsontext.AppendKey(dst, field[0]), field[1])
	}
	return fmt.Appendf(dst, `,"record_offset":%d,"needed":%d,"present":%d,"errors":%d,"missing":%d,"redirects":%d,"damaged":%d}`+"\n",
		p.Offset, p.Needed, p.Here, p.Errors, p.Missing, p.Redirects, p.Damaged)
}

// writeURL writes the URL that a finding asks to fetch.
func (a *auditRun) writeURL(f *audit.Finding) {
	if f.Target != "" && a.options.isFailure(f) {
		a.buf = cli.AppendVisible(a.buf[:0], []byte(f.Target))
		a.w.Write(append(a.buf, '\n'))
	}
}

// countsOf returns how many resources are needed, with the text after that number, and how many are there.
func countsOf(p *completeness.Page, needed string) string {
	text := fmt.Sprintf("%s %s%s here", webpage.Number(p.Needed), needed, webpage.Number(p.Here))
	for _, part := range []struct {
		n    int
		text string
	}{{p.Missing, "missing"}, {p.Redirects, "redirected to nothing"}, {p.Damaged, "damaged"}} {
		if part.n > 0 {
			text += fmt.Sprintf(", %s %s", webpage.Number(part.n), part.text)
		}
	}
	if p.Errors > 0 {
		text += fmt.Sprintf(" (%s of those here as an error of the server)", webpage.Number(p.Errors))
	}
	return text
}

// summarizeCrawl prints on standard error how much was read and found.
func (a *auditRun) summarizeCrawl(r *completeness.Result) {
	needed := "resources: "
	if r.Total.Needed == 1 {
		needed = "resource: "
	}
	fmt.Fprintf(a.stderr, "refract: %s; %s and %s need %s\n", report.CountOf(r.Captures, "capture"), report.CountOf(r.Pages, "page"),
		report.CountOf(r.Sheets, "style sheet"), countsOf(&r.Total, needed))
	if r.Scripted > 0 {
		fmt.Fprintf(a.stderr, "refract: %s with scripts: what these request is not known\n", report.CountOf(r.Scripted, "page"))
	}
	out := leftOut(&r.Report)
	if n := r.NoteFindings; n > 0 || out != "" {
		notes := ""
		if n > 0 {
			notes = fmt.Sprintf(" (%s)", report.CountOf(n, "note"))
		}
		fmt.Fprintf(a.stderr, "refract: %s%s%s\n", report.CountOf(r.Findings, "finding"), notes, out)
	}
	a.reportGone(&r.Report)
	if unused := a.options.crawl.unused; unused != nil {
		fmt.Fprintf(a.stderr, "refract: not used for archives of crawls: %s, in the configuration\n", strings.Join(unused, ", "))
	}
}
