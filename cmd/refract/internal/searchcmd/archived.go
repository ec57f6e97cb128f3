package searchcmd

import (
	"bufio"
	"errors"
	"fmt"
	"os"

	"example.org/refract/cmd/refract/internal/archived"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/input"
)

// validateArchived checks the flags of --archived.
func (o *options) validateArchived() error {
	if o.archived.Indexes == nil {
		if o.archived.At != "" || o.archived.Replay != "" {
			return errors.New("--at and --replay require --archived INDEX")
		}
		return nil
	}
	for _, name := range o.archived.Indexes {
		if _, err := os.Stat(name); err != nil { // before a long run
			return fmt.Errorf("--archived %q: %w", name, input.CauseOf(err))
		}
	}
	return o.archived.Check(o.cfg.Rules)
}

// An archivedURL is a URL, and the date near which its captures should be.
type archivedURL struct {
	url  []byte
	date archived.Date
}

// An indexLine is the line of --json about the files of --archived.
type indexLine struct {
	Type     string `json:"type"` // "index"
	Files    int    `json:"files"`
	Captures int    `json:"captures"`
	NotRead  int    `json:"not_read"` // lines
}

// writeArchived writes the URLs of a run with --archived, in their order, with the nearest captures.
func (s *search) writeArchived(w *bufio.Writer) error {
	table := &archived.Table{Memory: s.distinct.Memory}
	var urls []archivedURL
	others := 0
	err := s.distinct.Finish(func(record []byte, _ uint64) error {
		url, date := output.ReadTrace(record)
		switch n := len(urls); {
		case n > 0 && string(urls[n-1].url) == string(url): // with a later date
			return nil
		case !archived.IsCapturable(url):
			others++
			return nil
		}
		u := archivedURL{append([]byte(nil), url...), s.archived.DateOf(date)}
		urls = append(urls, u)
		return table.Add(u.url, u.date)
	})
	if err != nil {
		return fmt.Errorf("--archived: %w", err)
	}
	stats, err := table.Read(s.archived.Indexes)
	if err != nil {
		return fmt.Errorf("--archived: %w", err)
	}
	found, onlyOthers := 0, 0
	var line []byte
	rows := s.rows(w)
	for _, u := range urls {
		f := table.Find(u.url, u.date)
		switch {
		case f.Before != 0 || f.After != 0:
			found++
		case f.OnlyOthers:
			onlyOthers++
		}
		line = s.renderer.AppendCapture(line[:0], &output.Capture{
			URL: string(u.url), Date: u.date.String(), OnlyOthers: f.OnlyOthers,
			Before: s.archived.Shown(f.Before, u.url), After: s.archived.Shown(f.After, u.url),
		})
		if _, err := rows.Write(line); err != nil {
			return err
		}
	}
	if s.renderer.Format.IsJSON {
		w.Write(jsontext.AppendLine(nil, indexLine{"index", stats.Files, stats.Captures, stats.Broken}))
	}
	if s.quiet || s.renderer.Format.IsJSON {
		return nil
	}
	w.Flush()
	s.progress.Clear()
	fmt.Fprintf(s.stderr, "refract: %s, %s with a capture (%s)\n", cli.Count(len(urls), "URL"), ascii.Number(found), stats.Summary())
	if onlyOthers > 0 {
		fmt.Fprintf(s.stderr, "refract: %s with captures of errors, redirects or revisits only\n", cli.Count(onlyOthers, "URL"))
	}
	if others > 0 {
		fmt.Fprintf(s.stderr, "refract: %s not looked up: archives have http, https and ftp\n", cli.Count(others, "URL"))
	}
	return nil
}
