package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/util"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// bare adds the bare links in src[start:stop], a run of text that may be the cell
// of a table.
func (c *collector) bare(start, stop int, inCell bool) {
	switch c.Dialect.Bare {
	case BareGitHub:
		c.autolinks(start, stop, inCell)
	case BareGoldmark:
		c.linkify(start, stop)
	}
}

// linkify adds the links that goldmark's extension of that name makes: a URL of http, https
// or ftp, a host that begins with "www.", or an address. A link begins the text, or follows white
// space, one of "*_~(", or a "`" that ends no code. The last label of a host consists of small
// letters, and a non-ASCII character ends a URL.
func (c *collector) linkify(start, stop int) {
	text := c.src[start:stop]
	sign := bytes.IndexByte(text, '@')
	if sign < 0 && !bytes.Contains(text, []byte("://")) && !bytes.Contains(text, []byte("www.")) {
		return
	}
	for i := 0; i < len(text); i++ {
		if i > 0 && !before[text[i-1]] || i > 1 && text[i-2] == '\\' && text[i-1] != ' ' {
			continue
		}
		meant, n := "", 0
		switch text[i] {
		case 'h', 'f':
			n = urlLength(text[i:])
		case 'w':
			if n = wwwLength(text[i:]); n > 0 {
				meant = "http://"
			}
		}
		if n == 0 {
			for sign >= 0 && sign < i {
				next := bytes.IndexByte(text[i:], '@')
				sign = i + next
				if next < 0 {
					sign = -1
				}
			}
			if n = addressLength(text[i:], sign-i); n > 0 {
				meant = "mailto:"
			}
		}
		if n == 0 {
			continue
		}
		n = trimmed(text[i:i+n], sentenceEndGoldmark)
		at := scan.Span{Start: c.body + start + i, End: c.body + start + i + n}
		c.add(scan.Item{Kind: scan.Link, How: scan.Bare, In: "autolink", Span: at, Value: c.original[start+i : start+i+n], Meant: meant})
		i += n - 1
	}
}

var (
	before = set(" \t\r\n*_~(`")
	ofHost = set("-@:%._+~#=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
	ofPath = set("-@:%_+.~#$!?&/=();,'\">^{}[]`abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
)

func set(members string) (t [256]bool) {
	for _, c := range []byte(members) {
		t[c] = true
	}
	return t
}

var schemes = [][]byte{[]byte("https://"), []byte("http://"), []byte("ftp://")}

// urlLength returns the length of the URL at the start of s, or 0 if there is none.
func urlLength(s []byte) int {
	for _, scheme := range schemes {
		rest, ok := bytes.CutPrefix(s, scheme)
		if !ok {
			continue
		}
		host := hostLength(rest)
		if host == 0 {
			break
		}
		n := len(scheme) + host
		n += portLength(s[n:])
		return n + pathLength(s[n:])
	}
	return 0
}

// portLength returns the length of the colon and digits at the start of s, or 0 if there are
// none.
func portLength(s []byte) int {
	if len(s) == 0 || s[0] != ':' {
		return 0
	}
	n := 1
	for n < len(s) && ascii.IsDigit(s[n]) {
		n++
	}
	if n == 1 {
		return 0
	}
	return n
}

func wwwLength(s []byte) int {
	const www = "www."
	if !bytes.HasPrefix(s, []byte(www)) {
		return 0
	}
	n := hostLength(s[len(www):])
	if n == 0 {
		return 0
	}
	n += len(www)
	return n + pathLength(s[n:])
}

// hostLength returns the length of the host at the start of s: at most 256 bytes up to
// the dot before its last label, which consists of small letters.
func hostLength(s []byte) int {
	run := 0
	for run < min(len(s), 257) && ofHost[s[run]] {
		run++
	}
	for dot := min(run, 256); dot > 0; dot-- {
		if dot+1 < len(s) && s[dot] == '.' && isLower(s[dot+1]) {
			for dot++; dot < len(s) && isLower(s[dot]); dot++ {
			}
			return dot
		}
	}
	return 0
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

func pathLength(s []byte) (n int) {
	if len(s) == 0 || s[0] != '/' && s[0] != '#' && s[0] != '?' {
		return 0
	}
	for n < len(s) && ofPath[s[n]] {
		n++
	}
	return n
}

// addressLength returns the length of the address at the start of s, or 0 if there is none. Its "@"
// is at s[sign], if there is one. The part before the "@" has at most 64 bytes.
func addressLength(s []byte, sign int) int {
	if sign <= 0 || sign >= 64 || util.IsPunct(s[0]) {
		return 0
	}
	n := util.FindEmailIndex(s)
	if n <= sign || bytes.IndexByte(s[sign:n-1], '.') < 0 {
		return 0
	}
	if s[n-1] == '.' {
		n--
	}
	if n < len(s) && (s[n] == '-' || s[n] == '_') {
		return 0
	}
	return n
}
