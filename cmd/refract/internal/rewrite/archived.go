package rewrite

import (
	"errors"
	"fmt"
	"os"

	"example.org/refract/cmd/refract/internal/archived"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/extract"
	"example.org/refract/extract/source"
	"example.org/refract/internal/ascii"
	"example.org/refract/resolve/canon"
)

// checkArchived checks the flags of --to-archive.
func (o *rewriteOptions) checkArchived() error {
	switch {
	case o.archived.Indexes == nil && o.dead == nil:
		if o.archived.At != "" || o.archived.Replay != "" {
			return errors.New("--at and --replay require --to-archive INDEX")
		}
		return nil
	case o.archived.Indexes == nil:
		return errors.New("--dead requires --to-archive INDEX, the index of an archive that has captures of these URLs")
	case o.dead == nil:
		return errors.New("--to-archive requires --dead LIST, a file with the URLs that no longer work")
	case o.archived.Replay == "":
		return errors.New("--to-archive requires --replay URL, the address of the archive: https://web.archive.org/web/ for the Wayback Machine")
	}
	return o.archived.Check(o.cfg.Rules)
}

// exact identifies a dead URL: what else joins with a capture, such as the URL with another scheme, may not be dead.
var exact = &canon.Key{NoFragment: true}

// readDead reads the list of dead URLs and the indexes, and sets the rule that replaces these URLs. It
// returns a summary.
func (o *rewriteOptions) readDead() (summary string, err error) {
	for _, name := range o.archived.Indexes {
		if _, err := os.Stat(name); err != nil {
			return "", fmt.Errorf("--to-archive: %w", err)
		}
	}
	var table archived.Table
	dead := map[string]bool{}
	files := source.Options{NoIgnore: true}
	for file, err := range files.Files(o.dead...) {
		if err != nil {
			return "", fmt.Errorf("--dead: %w", err)
		}
		for r, err := range file.Walk(extract.Config{}) {
			if err != nil {
				return "", fmt.Errorf("--dead: %w", err)
			}
			if !archived.IsCapturable(r.URL) || dead[string(exact.Append(nil, r.URL))] {
				continue
			}
			if err := table.Add(r.URL, o.archived.Date); err != nil {
				return "", fmt.Errorf("--dead: %w", err)
			}
			dead[string(exact.Append(nil, r.URL))] = true
		}
	}
	if len(dead) == 0 {
		return "", errors.New("--dead: no URLs found in the list")
	}
	stats, err := table.Read(o.archived.Indexes)
	if err != nil {
		return "", fmt.Errorf("--to-archive: %w", err)
	}
	found := 0
	for url := range dead {
		if table.Find([]byte(url), o.archived.Date).Nearest(o.archived.Date) != 0 {
			found++
		}
	}
	o.rules.Archived = func(url string) string {
		if !archived.IsCapturable([]byte(url)) || !dead[string(exact.Append(nil, []byte(url)))] {
			return ""
		}
		date := table.Find([]byte(url), o.archived.Date).Nearest(o.archived.Date)
		return o.archived.Shown(date, []byte(url))
	}
	return fmt.Sprintf("%s that no longer work, %s with a capture (%s)", cli.Count(len(dead), "URL"), ascii.Number(found), stats.Summary()), nil
}
