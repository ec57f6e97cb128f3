package pdf

import (
	"math"
	"strconv"
	"testing"
)

// decimal agrees with strconv wherever it decides.
func TestDecimal(t *testing.T) {
	for _, s := range []string{"0.5", "-.25", "12.", "-3", "123456789012345", "1234567.89012345", "0.00000000000001", "-0.0", "00012.3400", "-0", "99999999999999.9"} {
		got, ok := decimal([]byte(s))
		want, err := strconv.ParseFloat(s, 64)
		if !ok || err != nil || got != want || math.Signbit(got) != math.Signbit(want) {
			t.Errorf("decimal(%q) = %v, %v; strconv: %v", s, got, ok, want)
		}
	}
	for _, s := range []string{"", ".", "-", "-.", "1.2.3", "1e5", "+1", "--1", "1234567890123456", "0x1"} {
		if got, ok := decimal([]byte(s)); ok {
			t.Errorf("decimal(%q) = %v, but does not decide", s, got)
		}
	}
}
