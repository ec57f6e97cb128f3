package overview

import (
	"fmt"
	"time"
)

// A timeline shows references over time, in bars of one length.
type timeline struct {
	Unit        string // "day", "month", "quarter" or "year"
	Bars        []bar
	Most        int // references in the highest bar
	From, To    string
	Before      int // references that are earlier than the first bar
	After       int // references that are later than the last bar
	Undated     int
	Ticks       []string
	first, last int
}

// A bar is a period of a timeline.
type bar struct {
	Name  string
	N     int
	X     string // position and height in the drawing, in which bars are 1 wide, and the highest is 100 high
	Y     string
	High  string
	Start int // day, as in Collector.days
	End   int // first day that is later
}

// timeline returns the dates of all references; nil if there are none.
func (c *Collector) timeline() *timeline {
	total := 0
	first, last := -1, -1
	for day, n := range c.days {
		if n > 0 {
			if first < 0 {
				first = day
			}
			last = day
			total += int(n)
		}
	}
	if first < 0 {
		return nil
	}
	t := &timeline{first: first, last: last, Before: 0, After: c.outside, Undated: c.undated}
	c.trim(t, total)
	year := func(day int) int { return dateOf(day).Year() }
	begin, next := dateOf(t.first), func(d time.Time) time.Time { return d.AddDate(0, 0, 1) }
	name := func(d time.Time) string { return d.Format(time.DateOnly) }
	switch years := year(t.last) - year(t.first); {
	case t.last-t.first < 92:
		t.Unit = "day"
	case years <= 8:
		t.Unit = "month"
		begin = begin.AddDate(0, 0, 1-begin.Day())
		next = func(d time.Time) time.Time { return d.AddDate(0, 1, 0) }
		name = func(d time.Time) string { return d.Format("2006-01") }
	case years <= 30:
		t.Unit = "quarter"
		begin = begin.AddDate(0, -int(begin.Month()-1)%3, 1-begin.Day())
		next = func(d time.Time) time.Time { return d.AddDate(0, 3, 0) }
		name = func(d time.Time) string { return fmt.Sprintf("%d Q%d", d.Year(), (d.Month()-1)/3+1) }
	default:
		t.Unit = "year"
		begin = begin.AddDate(0, 0, 1-begin.YearDay())
		next = func(d time.Time) time.Time { return d.AddDate(1, 0, 0) }
		name = func(d time.Time) string { return d.Format("2006") }
	}
	for d := begin; dayOf(d) <= t.last; d = next(d) {
		b := bar{Name: name(d), Start: max(dayOf(d), t.first), End: min(dayOf(next(d)), t.last+1)}
		for day := b.Start; day < b.End; day++ {
			b.N += int(c.days[day])
		}
		t.Most = max(t.Most, b.N)
		t.Bars = append(t.Bars, b)
	}
	for i := range t.Bars {
		b := &t.Bars[i]
		high := 100 * float64(b.N) / float64(max(t.Most, 1))
		if b.N > 0 {
			high = max(high, 1)
		}
		b.X, b.Y, b.High = fmt.Sprintf("%.2f", float64(i)+.1), fmt.Sprintf("%.2f", 100-high), fmt.Sprintf("%.2f", high)
	}
	t.From, t.To = t.Bars[0].Name, t.Bars[len(t.Bars)-1].Name
	const ticks = 5
	for i := range ticks {
		if n := len(t.Bars); n >= 3*ticks || i == 0 || i == ticks-1 && n > 1 {
			t.Ticks = append(t.Ticks, t.Bars[i*(n-1)/(ticks-1)].Name)
		}
	}
	return t
}

// trim leaves out the first and the last days of t, if the range of the dates without them is less
// than half as long. Some dates of mail are wrong by years. It leaves out at most 0.5% of all.
func (c *Collector) trim(t *timeline, total int) {
	first, last, before, after := t.first, t.last, 0, 0
	for most := total / 400; before+int(c.days[first]) <= most; first++ {
		before += int(c.days[first])
	}
	for most := total / 400; after+int(c.days[last]) <= most; last-- {
		after += int(c.days[last])
	}
	if 2*(last-first+1) < t.last-t.first+1 {
		t.first, t.last = first, last
		t.Before += before
		t.After += after
	}
}

// dateOf returns the date of a day.
func dateOf(day int) time.Time { return firstDay.AddDate(0, 0, day) }
