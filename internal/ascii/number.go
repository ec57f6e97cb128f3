package ascii

import "strconv"

// Number formats n for people, with commas between thousands: "13,500". n is not negative.
func Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
