package filter

import (
	"fmt"
	"strconv"
	"strings"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/extract"
)

// recordFlags are the flags that select references by the record of a web archive that contains them.
type recordFlags struct{ statuses, types []string }

func (v *recordFlags) flags() []cli.Flag {
	return cli.InGroup("Filters of web archives", []cli.Flag{
		{Name: "status", Var: &v.statuses, Values: cli.Fixed("200", "2xx", "3xx", "4xx", "5xx"),
			Help: "only records of web archives with these HTTP `STATUS` codes, such as 200 or 3xx"},
		{Name: "warc-type", Var: &v.types, Values: cli.Fixed(recordTypes...),
			Help: "only records of these `TYPE`s: " + strings.Join(recordTypes, ", ") + ";\nalso reads the crawler's own records, such as its log"},
	})
}

// recordTypes are the types of records from which references are read.
var recordTypes = []string{"response", "resource", "conversion", "revisit", "metadata"}

// A recordFilter selects records of web archives. The zero recordFilter selects all, and all references
// outside of records; others select none of these.
type recordFilter struct {
	some     bool // it may reject references
	statuses choice[statusRange]
	types    choice[string]
}

// A statusRange is a range of status codes of HTTP.
type statusRange struct{ from, to int }

func parseRecordFilter(v *recordFlags) (f recordFilter, err error) {
	f.some = len(v.statuses)+len(v.types) > 0
	f.statuses, err = newChoice(v.statuses, parseStatus)
	if err != nil {
		return f, err
	}
	f.types, err = newChoice(v.types, func(name string) (string, error) {
		for _, t := range recordTypes {
			if strings.EqualFold(name, t) {
				return t, nil
			}
		}
		return "", cli.BadValue("--warc-type", name, recordTypes)
	})
	return f, err
}

// parseStatus parses "404", or "4xx" for all codes that begin with that digit.
func parseStatus(s string) (statusRange, error) {
	digits, size := s, 1
	if len(s) == 3 && strings.EqualFold(s[1:], "xx") {
		digits, size = s[:1]+"00", 100
	}
	n, err := strconv.Atoi(digits)
	if err != nil || len(digits) != 3 || n < 100 {
		return statusRange{}, fmt.Errorf("--status %q: give a code such as 200, or a class such as 2xx", s)
	}
	return statusRange{n, n + size - 1}, nil
}

// match reports whether f selects the references in a record.
func (f *recordFilter) match(r *extract.Record) bool {
	if f.statuses.Any() && !f.statuses.lets(func(s statusRange) bool { return s.from <= r.Status && r.Status <= s.to }) {
		return false
	}
	return !f.types.Any() || f.types.lets(func(t string) bool { return t == r.Type })
}

// Configure makes cfg read the records that f selects.
func (f *recordFilter) Configure(cfg *extract.Config) {
	if f.some {
		cfg.Records, cfg.SelectRecord, cfg.OwnRecords = true, f.match, f.types.only != nil
	}
}
