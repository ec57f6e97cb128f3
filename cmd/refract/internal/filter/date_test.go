package filter

import (
	"strings"
	"testing"
	"time"
)

// A date is a year, a month, a day or a second, or a day by its distance from today.
func TestParseDate(t *testing.T) {
	now := time.Date(2026, 3, 31, 23, 30, 0, 0, time.FixedZone("", -3*3600)) // in UTC, it is April
	for _, tt := range []struct{ date, want string }{
		{"2026", "2026-01-01 2027-01-01"}, {"2026-02", "2026-02-01 2026-03-01"}, {"2026-02-28", "2026-02-28 2026-03-01"},
		{"today", "2026-04-01 2026-04-02"}, {"now", "2026-04-01 2026-04-02"}, {"yesterday", "2026-03-31 2026-04-01"}, {"Yesterday", "2026-03-31 2026-04-01"},
		{"7d", "2026-03-25 2026-03-26"}, {"1 day ago", "2026-03-31 2026-04-01"}, {"2 weeks ago", "2026-03-18 2026-03-19"}, {"2w", "2026-03-18 2026-03-19"},
		{"1  month  ago", "2026-03-01 2026-03-02"}, {"last month", "2026-03-01 2026-03-02"}, {"last week", "2026-03-25 2026-03-26"}, {"3 years", "2023-04-01 2023-04-02"}, {"1y", "2025-04-01 2025-04-02"},
		{"7", "give a date"}, {"7m", "give a date"}, {"tomorrow", "give a date"}, {"9999 years ago", "give a date"}, {"-7d", "give a date"}, {"2 weeks from now", "give a date"},
		{"2026-13", "there is no month 13"}, {"2026-02-30", "February 2026 has 28 days"},
	} {
		first, behind, err := parseDate(tt.date, now)
		got := first.Format(time.DateOnly) + " " + behind.Format(time.DateOnly)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.date, got, tt.want)
		}
	}
	end := time.Date(2024, 3, 31, 0, 0, 0, 0, time.UTC)
	for n, want := range map[int]string{1: "2024-02-29", 13: "2023-02-28", 2: "2024-01-31", 0: "2024-03-31"} {
		if got := monthsBefore(end, n).Format(time.DateOnly); got != want {
			t.Errorf("%d months: %s, want %s", n, got, want)
		}
	}
}
