// Package archived finds the captures of URLs in the indexes of web archives and in the archives
// themselves. It joins URLs and captures by the key "cdx" of resolve/canon, whose rules disregard scheme,
// "www." and letter case.
//
// The URLs are held in memory, the captures are not: an index may have any size and any order, and is read
// once. Of the captures between two requested dates, the first and the last are kept, so that memory
// depends on the URLs only.
package archived

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/cdx"
	"example.org/refract/resolve/canon"
)

// perURL is about the number of bytes that a URL takes in a Table, and with a caller that keeps it, besides
// its text and the text of its key.
const perURL = 256

// undated is the date of a URL for which no date is known: all captures are before it.
const undated Date = 99999999999999

// A Date is a moment as 14 digits: 20060102150405.
type Date uint64

// String returns the digits; "" for the zero Date and for undated.
func (d Date) String() string {
	if d == 0 || d == undated {
		return ""
	}
	return strconv.FormatUint(uint64(d), 10)
}

// A Table holds the URLs whose captures are wanted, and then the results of Read about them.
type Table struct {
	Memory int64 // limits the bytes of the URLs that are added; 0 means 256 MiB

	captured map[string]*history // by key
	used     int64
	key      []byte
	sealed   bool
}

// A history is what is known about the captures of one key.
type history struct {
	dates []Date // that were asked for; sorted once the table is sealed

	// Of the captures after dates[i-1], and not after dates[i], the first and the last one; 0: there is none.
	first, last []Date
	others      bool // there are captures that show no page
}

// A Found holds the captures of a URL in a Table.
type Found struct {
	Before, After Date // of the nearest captures of a page, not after and after the requested date; 0: there is none

	// OnlyOthers reports that all captures are of errors, redirects, or revisits whose status the index does not say.
	OnlyOthers bool
}

// IsCapturable reports whether web archives have captures of URLs with the scheme of url.
func IsCapturable(url []byte) bool {
	for _, s := range [...]string{"http://", "https://", "ftp://"} {
		if len(url) > len(s) && ascii.EqualFold(url[:len(s)], s) {
			return true
		}
	}
	return false
}

// Add asks for the captures of url around a date. It must not be called after Read.
func (t *Table) Add(url []byte, date Date) error {
	if t.captured == nil {
		t.captured = map[string]*history{}
	}
	limit := t.Memory
	if limit == 0 {
		limit = 256 << 20
	}
	key := t.keyOf(url)
	t.used += int64(len(url)) + int64(len(key)) + perURL
	if t.used > limit {
		return fmt.Errorf("the URLs take more than %s: select fewer, or give more --memory", (*cli.ByteSize)(&limit))
	}
	h := t.captured[string(key)]
	if h == nil {
		h = new(history)
		t.captured[string(key)] = h
	}
	h.dates = append(h.dates, date)
	return nil
}

// keyOf returns the key of url, until the next call.
func (t *Table) keyOf(url []byte) []byte {
	t.key = cdxKey.Append(t.key[:0], url)
	return t.key
}

var cdxKey = &canon.Key{Profile: canon.CDX}

// seal prepares t for captures.
func (t *Table) seal() {
	if t.sealed {
		return
	}
	t.sealed = true
	for _, h := range t.captured {
		slices.Sort(h.dates)
		h.dates = slices.Compact(h.dates)
		gaps := make([]Date, 2*(len(h.dates)+1))
		h.first, h.last = gaps[:len(gaps)/2], gaps[len(gaps)/2:]
	}
}

// take notes a capture.
func (t *Table) take(c *cdx.Capture) {
	key := c.Key
	if c.URL != nil {
		if !IsCapturable(c.URL) {
			return
		}
		key = t.keyOf(c.URL)
	}
	h := t.captured[string(key)]
	if h == nil {
		return
	}
	isPage := c.Status/100 == 2 || c.Status == 0 && !c.IsRevisit
	n, err := strconv.ParseUint(cdx.Date14(c.Date), 10, 64)
	if !isPage || err != nil || len(c.Date) < 4 {
		h.others = true
		return
	}
	date := Date(n)
	i := sort.Search(len(h.dates), func(i int) bool { return h.dates[i] >= date })
	if h.first[i] == 0 || date < h.first[i] {
		h.first[i] = date
	}
	h.last[i] = max(h.last[i], date)
}

// Find returns what is known about the captures of url around a date, for which they were asked. After
// Read, it may be called concurrently.
func (t *Table) Find(url []byte, date Date) (f Found) {
	h := t.captured[string(cdxKey.Append(nil, url))]
	if h == nil || !t.sealed {
		return f
	}
	at, _ := slices.BinarySearch(h.dates, date)
	for i := min(at, len(h.dates)); i >= 0 && f.Before == 0; i-- {
		f.Before = h.last[i]
	}
	for i := at + 1; i < len(h.first) && f.After == 0; i++ {
		f.After = h.first[i]
	}
	f.OnlyOthers = f.Before == 0 && f.After == 0 && h.others
	return f
}

// Nearest returns the capture that is nearest to a date; 0: there is none. If two are equally near, the one
// before counts.
func (f Found) Nearest(date Date) Date {
	switch {
	case f.Before == 0:
		return f.After
	case f.After == 0 || seconds(date)-seconds(f.Before) <= seconds(f.After)-seconds(date):
		return f.Before
	}
	return f.After
}

// seconds returns about how many seconds after year 0 a date is. Months have 31 days, which matters only
// for captures that are equally near.
func seconds(d Date) int64 {
	n := int64(min(d, math.MaxInt64))
	s, m, h, day, month, year := n%100, n/100%100, n/1e4%100, n/1e6%100, n/1e8%100, n/1e10
	return ((((year*12+month)*31+day)*24+h)*60+m)*60 + s
}

// replayURL returns the address at which an archive shows a capture, by that of the archive, such as
// https://web.archive.org/web/.
func replayURL(archive string, date Date, url []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s%s/%s", archive, date, url)
	return b.Bytes()
}
