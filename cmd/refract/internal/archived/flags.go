package archived

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.org/refract/base"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/filter"
	"example.org/refract/internal/cdx"
	"example.org/refract/internal/lazy"
	"example.org/refract/resolve"
)

// Flags holds the values of the flags about captures.
type Flags struct {
	Indexes []string // files of indexes or archives
	At      string
	Replay  string

	Date Date // of At; undated without it
}

// List returns the flags --at and --replay; requires names the flag that they require.
func (f *Flags) List(requires string) []cli.Flag {
	return []cli.Flag{
		{Name: "at", Var: &f.At, Help: "with " + requires + ": `DATE` that captures should be near to, such as 2019-05"},
		{Name: "replay", Var: &f.Replay,
			Help: "with " + requires + ": `URL` of the archive, before the date and the URL of captures,\nsuch as https://web.archive.org/web/"},
	}
}

// timestamp matches the dates of indexes.
var timestamp = lazy.New(`^\d{14}$`)

// Check checks the flags, and sets Date.
func (f *Flags) Check(rules resolve.Rules) error {
	f.Date = undated
	if f.At != "" {
		digits := f.At
		if !timestamp.MatchString(f.At) {
			at, _, err := filter.ParseDate(f.At)
			if err != nil {
				return fmt.Errorf("--at %q: %w", f.At, err)
			}
			digits = at.UTC().Format("20060102150405")
		}
		n, err := strconv.ParseUint(digits, 10, 64)
		if err != nil {
			return fmt.Errorf("--at %q: %w", f.At, err)
		}
		f.Date = Date(n)
	}
	if f.Replay == "" {
		return nil
	}
	if _, err := base.Root(rules, base.Source{URI: f.Replay, From: "--replay"}, base.Source{}); err != nil {
		return cli.BadBase(err)
	}
	f.Replay = strings.TrimSuffix(f.Replay, "/") + "/"
	return nil
}

// DateOf returns the date that captures of a reference should be near to: that of --at, or else its own, in
// the form of RFC 3339, or else undated.
func (f *Flags) DateOf(own string) Date {
	t, err := time.Parse(time.RFC3339, own)
	if f.At != "" || err != nil {
		return f.Date
	}
	n, err := strconv.ParseUint(cdx.Date14([]byte(t.UTC().Format("20060102150405"))), 10, 64)
	if err != nil {
		return f.Date
	}
	return Date(n)
}

// Shown returns how a capture of url is printed: as its date, or with --replay as its address; "" for no capture.
func (f *Flags) Shown(date Date, url []byte) string {
	if f.Replay == "" || date == 0 {
		return date.String()
	}
	return string(replayURL(f.Replay, date, url))
}

// Summary returns the numbers of what Read has read, for people.
func (s *Stats) Summary() string {
	text := fmt.Sprintf("%s in %s", cli.Count(s.Captures, "capture"), cli.Count(s.Files, "file"))
	if s.Broken > 0 {
		text += fmt.Sprintf("; %s not read, the first is %s", cli.Count(s.Broken, "line"), cli.OneLine(s.FirstBroken))
	}
	return text
}
