package filter

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/lazy"
)

// mailFlags are the flags that select references by the message or part that contains them.
type mailFlags struct {
	mediaTypes, from []string
	since, until     string
	Thread           string
	NotQuoted        bool
}

func (v *mailFlags) flags() []cli.Flag {
	return append(
		cli.InGroup("Filters", []cli.Flag{
			{Name: "media-type", Var: &v.mediaTypes, Values: cli.Fixed("text/html", "text/plain", "text/*", "message/rfc822"),
				Help: "only documents and parts of these media `TYPE`s, such as text/html or text/*"}}),
		cli.InGroup("Filters of mail", []cli.Flag{
			{Name: "not-quoted", Var: &v.NotQuoted, Help: "in messages, only new text: no quotations"},
			{Name: "since", Var: &v.since,
				Help: "only messages since `DATE` in UTC: 2026, 2026-05, 2026-05-31, 2026-05-31T18:00:00Z,\nyesterday, 7d, \"2 weeks ago\""},
			{Name: "until", Var: &v.until, Help: "only messages until the end of `DATE`"},
			{Name: "from", Var: &v.from, Help: "only messages from these `SENDER`s: ann@example.org, @example.org (the domain), or words\nof a name, as in \"ann smith\""},
			{Name: "thread", Var: &v.Thread,
				Help: "only the message with `MESSAGE-ID` and replies to it, also indirect ones"}})...)
}

// NeedMessages reports whether a flag selects by message.
func (v *mailFlags) NeedMessages() bool {
	return v.NotQuoted || v.since != "" || v.until != "" || v.from != nil || v.Thread != ""
}

// RelativeDates reports whether a date depends on the day of the run.
func (v *mailFlags) RelativeDates() bool {
	_, since := relativeDay(v.since, time.Now())
	_, until := relativeDay(v.until, time.Now())
	return since || until
}

// A mailFilter selects references by the message or part that contains them. The zero mailFilter
// selects all. References outside of messages, or in messages without a readable date, have no
// date.
type mailFilter struct {
	some       bool // it may reject references
	mediaTypes choice[string]
	notQuoted  bool
	since      time.Time // zero: any
	until      time.Time // first instant that is too late; zero: any
	from       choice[string]
	Thread     *thread // nil: any
}

func parseMailFilter(v *mailFlags) (f mailFilter, err error) {
	f.notQuoted = v.NotQuoted
	for _, t := range v.mediaTypes {
		if major, minor, ok := strings.Cut(strings.TrimPrefix(t, "!"), "/"); !ok || major == "" || minor == "" {
			return f, fmt.Errorf("--media-type %q: give a type and a subtype, such as text/html or text/*", t)
		}
	}
	f.mediaTypes, _ = newChoice(v.mediaTypes, asIs)
	for _, s := range v.from {
		if strings.TrimSpace(strings.TrimPrefix(s, "!")) == "" {
			return f, fmt.Errorf("--from %q: give an address, @ and a host, or a name", s)
		}
	}
	f.from, _ = newChoice(v.from, asIs)
	if v.since != "" {
		f.since, _, err = ParseDate(v.since)
		if err != nil {
			return f, fmt.Errorf("--since %q: %w", v.since, err)
		}
	}
	if v.until != "" {
		_, f.until, err = ParseDate(v.until)
		if err != nil {
			return f, fmt.Errorf("--until %q: %w", v.until, err)
		}
	}
	if !f.since.IsZero() && !f.until.IsZero() && !f.since.Before(f.until) {
		return f, fmt.Errorf("--since %q --until %q: no message is in between: exchange the dates", v.since, v.until)
	}
	if v.Thread != "" {
		f.Thread = newThread(strings.Trim(v.Thread, "<> "))
	}
	f.some = len(v.mediaTypes) > 0 || v.NeedMessages()
	return f, nil
}

// ParseDate returns the first instant of a year, month, day or second, and the first instant after
// it. A day may be relative to today.
func ParseDate(s string) (first, behind time.Time, err error) {
	return parseDate(s, time.Now())
}

func parseDate(s string, now time.Time) (first, behind time.Time, err error) {
	if day, ok := relativeDay(s, now); ok {
		return day, day.AddDate(0, 0, 1), nil
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, t.Add(time.Second), nil
	}
	for _, form := range []struct {
		layout              string
		years, months, days int
	}{{"2006", 1, 0, 0}, {"2006-01", 0, 1, 0}, {time.DateOnly, 0, 0, 1}} {
		if t, err := time.Parse(form.layout, s); err == nil {
			return t, t.AddDate(form.years, form.months, form.days), nil
		}
	}
	if err := dateError(s); err != nil {
		return first, behind, err
	}
	return first, behind, fmt.Errorf("give a date such as 2026, 2026-05 or 2026-05-31, or 2026-05-31T18:00:00Z, or 7d or yesterday")
}

// relativeForm matches a number of days, weeks, months or years.
var relativeForm = lazy.New(`^([0-9]{1,4}) ?(d|days?|w|weeks?|months?|y|years?)(?: ago)?$`)

// relativeDay returns the beginning of a day in UTC that s names by its distance from now.
func relativeDay(s string, now time.Time) (day time.Time, ok bool) {
	s = strings.Join(strings.Fields(strings.ToLower(s)), " ")
	if rest, ok := strings.CutPrefix(s, "last "); ok {
		s = "1 " + rest
	}
	year, month, date := now.UTC().Date()
	today := time.Date(year, month, date, 0, 0, 0, 0, time.UTC)
	switch s {
	case "today", "now":
		return today, true
	case "yesterday":
		return today.AddDate(0, 0, -1), true
	}
	m := relativeForm.FindStringSubmatch(s)
	if m == nil {
		return day, false
	}
	n, _ := strconv.Atoi(m[1])
	switch m[2][0] {
	case 'd':
		day = today.AddDate(0, 0, -n)
	case 'w':
		day = today.AddDate(0, 0, -7*n)
	case 'm':
		day = monthsBefore(today, n)
	case 'y':
		day = monthsBefore(today, 12*n)
	}
	return day, day.Year() > 0
}

// monthsBefore returns the same day n months before, or the last one of the month if that is shorter.
func monthsBefore(day time.Time, n int) time.Time {
	before := day.AddDate(0, -n, 0)
	if before.Day() != day.Day() {
		before = before.AddDate(0, 0, -before.Day())
	}
	return before
}

// dateError says which part of a date with the right form does not exist, or returns nil.
func dateError(s string) error {
	var year, month, day int
	if n, err := fmt.Sscanf(s, "%4d-%2d-%2d", &year, &month, &day); n < 2 && err != nil || !dateForm.MatchString(s) {
		return nil
	}
	switch last := time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day(); {
	case month < 1 || month > 12:
		return fmt.Errorf("there is no month %02d", month)
	case day > last || strings.Count(s, "-") == 2 && day < 1:
		return fmt.Errorf("%s %d has %d days", time.Month(month), year, last)
	}
	return nil
}

// dateForm matches a month or a day.
var dateForm = lazy.New(`^[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?$`)

// match reports whether f selects r.
func (f *mailFilter) match(r *extract.Reference) bool {
	if f.mediaTypes.Any() && !f.mediaTypes.lets(func(want string) bool { return isType(r.Entity.Type, want) }) {
		return false
	}
	if f.notQuoted && r.Depth > 0 {
		return false
	}
	if f.since.IsZero() && f.until.IsZero() && !f.from.Any() && f.Thread == nil {
		return true
	}
	m := r.Message()
	if m == nil {
		return false
	}
	if !f.since.IsZero() && (m.Time.IsZero() || m.Time.Before(f.since)) ||
		!f.until.IsZero() && (m.Time.IsZero() || !m.Time.Before(f.until)) {
		return false
	}
	return f.matchUndated(m)
}

// matchUndated reports whether f selects m, regardless of its date.
func (f *mailFilter) matchUndated(m *scan.Message) bool {
	if f.from.Any() && !f.from.lets(func(want string) bool { return isSender(m, want) }) {
		return false
	}
	return f.Thread == nil || f.Thread.Has(m)
}

// SkipsUndated reports whether f rejects m, which has no readable date, only for that reason.
func (f *mailFilter) SkipsUndated(m *scan.Message) bool {
	return (!f.since.IsZero() || !f.until.IsZero()) && f.matchUndated(m)
}

// isType reports whether mediaType is want, or matches a want such as "text/*".
func isType(mediaType, want string) bool {
	mediaType, _, _ = strings.Cut(mediaType, ";")
	mediaType = strings.TrimSpace(mediaType)
	if major, ok := strings.CutSuffix(want, "/*"); ok {
		mediaType, _, _ = strings.Cut(mediaType, "/")
		want = major
	}
	return strings.EqualFold(mediaType, want)
}

// isSender reports whether the sender of m is want: an address, "@" and the host of one, or words of the name.
func isSender(m *scan.Message, want string) bool {
	if strings.HasPrefix(want, "@") {
		return strings.EqualFold(m.From[max(0, strings.LastIndexByte(m.From, '@')):], want)
	}
	return m.From != "" && strings.EqualFold(m.From, want) || hasWords(m.FromName, want)
}

// hasWords reports whether the words of want follow each other in text, in any case.
func hasWords(text, want string) bool {
	have, words := nameWords(text), nameWords(want)
	for len(words) > 0 && len(have) >= len(words) {
		if slices.EqualFunc(have[:len(words)], words, strings.EqualFold) {
			return true
		}
		have = have[1:]
	}
	return false
}

// nameWords returns the words of a name.
func nameWords(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && r != '@' && r != '-' && r != '\'' && r != '_'
	})
}

// A thread is a message and its answers. It must not be used concurrently. An answer that refers
// only to other answers is recognised if these have been read before.
type thread struct {
	root string
	seed maphash.Seed
	ids  map[uint64]bool // digests of the Message-IDs that belong to it
	last *scan.Message   // the last message that has was asked about
	is   bool            // whether last belongs to the thread
}

// maxThread limits the number of recorded answers, which take 16 bytes each.
const maxThread = 1 << 20

func newThread(root string) *thread {
	return &thread{root: root, seed: maphash.MakeSeed(), ids: make(map[uint64]bool)}
}

// Has reports whether m belongs to t.
func (t *thread) Has(m *scan.Message) bool {
	if m == t.last {
		return t.is
	}
	t.last = m
	t.is = m.ID == t.root || t.knows(m.InReplyTo) || slices.ContainsFunc(m.References, t.knows)
	if t.is && len(t.ids) < maxThread {
		t.ids[maphash.String(t.seed, m.ID)] = true
	}
	return t.is
}

// knows reports whether id identifies a message of t.
func (t *thread) knows(id string) bool {
	return id != "" && (id == t.root || t.ids[maphash.String(t.seed, id)])
}
