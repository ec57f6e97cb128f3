package canon

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
)

// idna2003 converts a host name to ASCII by RFC 3490, which, unlike UTS 46, maps ß and ς, and
// prohibits few characters. ok is false if a label is empty, too long or not permitted.
func idna2003(host string) (name string, ok bool) {
	const longest = 4 * 255 // as in IDN.name
	if len(host) > longest {
		return "", false
	}
	rest, isFull := strings.CutSuffix(dots2003.Replace(host), ".")
	var out []string
	for label := range strings.SplitSeq(rest, ".") {
		label, ok = label2003(label)
		if !ok {
			return "", false
		}
		out = append(out, label)
	}
	if isFull {
		out = append(out, "")
	}
	return strings.Join(out, "."), true
}

// dots2003 replaces the other dots of RFC 3490 section 3.1.
var dots2003 = strings.NewReplacer("。", ".", "．", ".", "｡", ".")

// label2003 is the operation ToASCII of RFC 3490 section 4.1. The case of ASCII labels is kept.
func label2003(label string) (out string, ok bool) {
	if !isASCII(label) {
		label, ok = nameprep(label)
		if !ok {
			return "", false
		}
	}
	if !isASCII(label) {
		if strings.HasPrefix(label, "xn--") {
			return "", false
		}
		label = "xn--" + punycode(label)
	}
	return label, 0 < len(label) && len(label) < 64
}

// punycode encodes a label, which may contain dots, by RFC 3492 section 6.3. It encodes only the beginning
// of a label that is too long for a name: the time grows with the square of the length.
func punycode(label string) string {
	const base, skew, damp, longest = 36, 38, 700, 256
	runes := []rune(label)
	runes = runes[:min(len(runes), longest)]
	out := make([]byte, 0, 64)
	for _, r := range runes {
		if r < utf8.RuneSelf {
			out = append(out, byte(r))
		}
	}
	done := len(out)
	basic := done
	if basic > 0 {
		out = append(out, '-')
	}
	n, delta, bias := rune(utf8.RuneSelf), 0, 72
	for ; done < len(runes); n++ {
		next := rune(utf8.MaxRune)
		for _, r := range runes {
			if r >= n {
				next = min(next, r)
			}
		}
		delta += int(next-n) * (done + 1)
		n = next
		for _, r := range runes {
			if r < n {
				delta++
			}
			if r != n {
				continue
			}
			q := delta
			for k := base; ; k += base {
				t := min(max(k-bias, 1), 26)
				if q < t {
					break
				}
				out = append(out, punycodeDigits[t+(q-t)%(base-t)])
				q = (q - t) / (base - t)
			}
			out = append(out, punycodeDigits[q])
			if done == basic {
				delta /= damp
			} else {
				delta /= 2
			}
			delta += delta / (done + 1)
			k := 0
			for ; delta > 35*26/2; k += base {
				delta /= 35
			}
			bias = k + 36*delta/(delta+skew)
			delta = 0
			done++
		}
		delta++
	}
	return string(out)
}

const punycodeDigits = "abcdefghijklmnopqrstuvwxyz0123456789"

func isASCII[T string | []byte](s T) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// nameprep is RFC 3491, with the tables of a Unicode later than its 3.2.
func nameprep(label string) (out string, ok bool) {
	fold := cases.Fold()
	label = strings.Map(func(r rune) rune {
		if unicode.Is(nothing, r) {
			return -1
		}
		return r
	}, label)
	label = norm.NFKC.String(fold.String(label))
	label = norm.NFKC.String(fold.String(label))
	if strings.ContainsFunc(label, isProhibited) {
		return "", false
	}
	return label, hasOneDirection(label)
}

// nothing holds what RFC 3454 table B.1 maps to nothing.
var nothing = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0xAD, Hi: 0xAD, Stride: 1}, {Lo: 0x34F, Hi: 0x34F, Stride: 1}, {Lo: 0x1806, Hi: 0x1806, Stride: 1},
	{Lo: 0x180B, Hi: 0x180D, Stride: 1}, {Lo: 0x200B, Hi: 0x200D, Stride: 1}, {Lo: 0x2060, Hi: 0x2060, Stride: 1},
	{Lo: 0xFE00, Hi: 0xFE0F, Stride: 1}, {Lo: 0xFEFF, Hi: 0xFEFF, Stride: 1},
}, LatinOffset: 1}

// isProhibited reports whether RFC 3491 section 5 excludes r from a label after mapping.
func isProhibited(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return false
	case r == 0x6DD, r == 0x70F, r == 0x180E, r == 0x340, r == 0x341, r == 0x200E, r == 0x200F,
		0x2028 <= r && r <= 0x202E, 0x2060 <= r && r <= 0x2063, 0x206A <= r && r <= 0x206F,
		0x2FF0 <= r && r <= 0x2FFB, 0xFFF9 <= r && r <= 0xFFFD, 0x1D173 <= r && r <= 0x1D17A,
		r == 0xE0001, 0xE0020 <= r && r <= 0xE007F, 0xFDD0 <= r && r <= 0xFDEF, r&0xFFFE == 0xFFFE:
		return true
	}
	return r <= 0x9F || unicode.In(r, unicode.Co, unicode.Cs, unicode.Zs)
}

// hasOneDirection is the condition of RFC 3454 section 6: a label with a letter written from right to
// left has none written from left to right, and begins and ends with one of the former.
func hasOneDirection(label string) bool {
	if !strings.ContainsFunc(label, isRightToLeft) {
		return true
	}
	first, _ := utf8.DecodeRuneInString(label)
	last, _ := utf8.DecodeLastRuneInString(label)
	return isRightToLeft(first) && isRightToLeft(last) && !strings.ContainsFunc(label, func(r rune) bool {
		p, _ := bidi.LookupRune(r)
		return p.Class() == bidi.L
	})
}

func isRightToLeft(r rune) bool {
	p, _ := bidi.LookupRune(r)
	isAssigned := unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.C)
	return isAssigned && (p.Class() == bidi.R || p.Class() == bidi.AL)
}
