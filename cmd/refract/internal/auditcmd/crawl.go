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
var ofCrawls = strings.Fields("archived width memory rule no-rule format json output html report color hyperlink strict exit-zero quiet verbose jobs max-entity config no-config")

// checkCrawl reports flags that are not for the arguments, which are archives of crawls or not.
func (o *auditOptions) checkCrawl(flags *pflag.FlagSet, isCrawl bool) (err error) {
	if isCrawl {
		flags.Visit(func(f *pflag.Flag) {
			if err == nil && !slices.Contains(ofCrawls, f.Name) {
				err = fmt.Errorf("--%s is not for archives of crawls", f.Name)
			}
		})
		if err == nil && o.crawl.width < 1 {
			err = fmt.Errorf("--width %d: must be at least 1", o.crawl.width)
		}
		return err
	}
	for _, name := range []string{"archived", "width", "memory"} {
		if flags.Changed(name) {
			return fmt.Errorf("--%s is for archives of crawls: WARC, ARC, WACZ or HAR files", name)
		}
	}
	if o.format == urlsFormat {
		return errors.New("--format urls is for archives of crawls: WARC, ARC, WACZ or HAR files")
	}
	return nil
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
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	switch suffix := strings.ToLower(path.Ext(input.Inner(name))); suffix {
	case ".warc", ".arc", ".wacz", ".har":
		return true
	case "":
	default:
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
	wants := func(r rule.Rule) bool {
		return (len(o.Only) == 0 || slices.Contains(o.Only, r)) && !slices.Contains(o.Without, r)
	}
	run := completeness.Options{
		Names: a.args, Archived: o.crawl.archived, Width: float64(o.crawl.width), Memory: o.crawl.memory, MaxEntity: o.MaxEntity, Jobs: o.Jobs, Wants: wants,
	}
	if o.html != "" {
		a.pages = new(report.Pages)
	}
	run.Page = func(p *completeness.Page) {
		if o.format == "json" {
			a.buf = appendPage(a.buf[:0], p)
			a.w.Write(a.buf)
		}
		if a.pages != nil {
			a.pages.Add(report.Page{URL: p.URL, Text: countsOf(p, "needed, "), Lacks: p.Needed - p.Here}, p.Needed, p.Here)
		}
	}
	result, err := completeness.Run(run, a.take)
	if err != nil {
		return nil, err
	}
	a.completeness = result
	if a.pages != nil {
		a.pages.Sort()
	}
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
	if n := r.NoteFindings; n > 0 {
		fmt.Fprintf(a.stderr, "refract: %s (%s)\n", report.CountOf(r.Findings, "finding"), report.CountOf(n, "note"))
	}
}
