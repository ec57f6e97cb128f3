package delimit

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"example.org/refract/internal/ascii"
)

// abbreviated examines a dot: that of "www." or "ftp.", or any dot under Domains.
func (f *Finder) abbreviated(src []byte, at, dot int, atEOF bool) (next int, v verdict) {
	start := f.hostName(src, dot)
	www := start >= 0
	if !www {
		start = labelStart(src, at, dot)
		if f.Abbreviated == AbbreviatedAll {
			if next, v := f.slashed(src, at, start, atEOF); v != none {
				return next, v
			}
		}
		if f.Domains == DomainsNone {
			return 0, none
		}
	}
	if start < at || start == dot {
		return 0, none
	}
	end := min(start+maxProof+1, len(src))
	if end == len(src) && !atEOF {
		return schemeRun(src, at, start), more // it may be part of a scheme
	}
	n, meant := 0, meant(src[start])
	if www {
		n = wwwEnd(src[start:end])
		if n == 0 && start > 1 && src[start-1] == '~' && src[start-2] == '~' {
			n = struckEnd(src[start:end])
		}
	} else {
		meant = "http://"
		var last, all int
		n, last, all = hostEnd(src[start:end])
		if n == 0 || start > 0 && (wordBefore[src[start-1]] || src[start-1] == '}') || followsSign(src, start) || inRoute(src, start, start+n) || isKey(src, start, start+n) ||
			isChanged(src[start+n:end]) || !f.isDomain(src[start:end], last, n) {
			return start + all, none // what ends it is not a host either
		}
		if start > 0 && src[start-1] == '"' && start+n < len(src) && (src[start+n] == ',' || src[start+n] == ']') { // a list in a string
			f.set(start, start, start+n, Bare)
			f.span.Meant = meant
			return start + n, found
		}
	}
	if n == 0 || start > 0 && wordBefore[src[start-1]] && !emphasized(src, start) && !assigned(src, start) && !(www && misspelled(src, start)) ||
		www && (start+n+1 < len(src) && src[start+n] == '@' && hostByte[src[start+n+1]] || followsSign(src, start)) {
		return start + n, none
	}
	next, v = f.delimited(src, start, start, abbreviated, atEOF)
	f.span.Meant = meant
	return next, v
}

// misspelled reports whether "http:/", "http//" or "http.//" stands before src[start], a host
// that begins with "www.".
func misspelled(src []byte, start int) bool {
	if src[start-1] != '/' {
		return false
	}
	for _, wrong := range [...]string{"http:/", "http//", "http.//", "https:/", "https//", "http;//"} {
		if i := start - len(wrong); i >= 0 && ascii.EqualFold(src[i:start], wrong) && (i == 0 || !wordBefore[src[i-1]]) {
			return true
		}
	}
	return false
}

// followsSign reports whether src[start] follows the "@" of an address that an archive has put into an
// element, as in "ann<span>@</span>www.x.org".
func followsSign(src []byte, start int) bool {
	const longest = len("@</strong")
	if start == 0 || src[start-1] != '>' {
		return false
	}
	for i := start - 2; i > 1 && start-i < longest; i-- {
		if src[i] == '/' {
			return src[i-1] == '<' && src[i-2] == '@'
		}
	}
	return false
}

// inRoute reports whether src[start:end] is a host of a route, "uunet!in1.uu.net!ann", or of an address
// whose "@" is written differently: "ann @ x.org", "ann(a)x.org", "ann [at] x.org".
func inRoute(src []byte, start, end int) bool {
	if end+1 < len(src) && src[end] == '!' && ascii.IsAlnum(src[end+1]) {
		return true
	}
	i := start
	if i > 0 && src[i-1] == ' ' {
		i--
	}
	if i < 2 {
		return false
	}
	switch src[i-1] {
	case '!':
		return i == start && ascii.IsAlnum(src[i-2])
	case '@':
		return i < start
	case ')', ']':
		for _, sign := range [...]string{"(a)", "(at)", "[at]", "(AT)", "[AT]"} {
			if i >= len(sign) && string(src[i-len(sign):i]) == sign {
				return true
			}
		}
	}
	return false
}

// isKey reports whether the host src[start:end], perhaps with a path, is a key at the start of a line, like
// the labels of Kubernetes: "app.kubernetes.io/name: x", "a.b.org=x". Hosts of two labels are more often
// web pages.
func isKey(src []byte, start, end int) bool {
	dots := 0
	for _, c := range src[start:end] {
		if c == '.' {
			dots++
		}
	}
	if dots < 2 {
		return false
	}
	i := start
	for i > 0 && start-i < maxLead && (src[i-1] == ' ' || src[i-1] == '-' || src[i-1] == '"' || src[i-1] == '\'') {
		i--
	}
	if i > 0 && src[i-1] != '\n' {
		return false
	}
	stop := min(len(src), start+maxProof+1)
	if end < stop && src[end] == '/' {
		for end++; end < stop && (isWord(src[end]) || src[end] == '-' || src[end] == '.'); {
			end++
		}
	}
	if end < stop && (src[end] == '"' || src[end] == '\'') {
		end++
	}
	return end < stop && (src[end] == '=' || src[end] == ':' && end+1 < stop && (src[end+1] == ' ' || src[end+1] == '\n' || src[end+1] == '\r'))
}

// isChanged reports whether the rest of a line of diffstat follows the beginning of a path: "/x.c | 3 +-".
func isChanged(rest []byte) bool {
	i := 0
	for i < len(rest) && rest[i] > ' ' {
		i++
	}
	rest = bytes.TrimLeft(rest[i:], " ")
	if len(rest) == 0 || rest[0] != '|' {
		return false
	}
	rest = bytes.TrimLeft(rest[1:], " ")
	n := 0
	for n < len(rest) && ascii.IsDigit(rest[n]) {
		n++
	}
	return n > 0 && n+1 < len(rest) && rest[n] == ' ' && (rest[n+1] == '+' || rest[n+1] == '-')
}

// struckEnd returns the length of the host in s if "~~" stands before and after it, otherwise 0. Such marks
// enclose prose, so the host needs no third label: "~~www.x~~".
func struckEnd(s []byte) int {
	n := len("www.")
	for n < len(s) && (hostByte[s[n]] && s[n] < utf8.RuneSelf || s[n] == '.') {
		n++
	}
	if n == len("www.") || n+1 >= len(s) || s[n] != '~' || s[n+1] != '~' || !ascii.IsAlnum(s[len("www.")]) || !ascii.IsAlnum(s[n-1]) {
		return 0
	}
	return n
}

// isDomain reports whether s[:n], whose last label begins at last, is a host name without "www.". If it
// could also be code or a file name, a path or a port must follow.
func (f *Finder) isDomain(s []byte, last, n int) bool {
	label := s[last:n]
	kind := f.suffix(label)
	if kind == noSuffix || n < len(s) && s[n] == '@' || isMixed(label) || f.Domains == DomainsCommon && !isExtension(label, common[:]) {
		return false
	}
	if s[0] == '_' || last == 2 && n-last > 3 { // the name of a target in reStructuredText, or "r.read/close"
		return false
	}
	switch rest := s[n:]; {
	case kind == mayBeSuffix && hasNumber(s[:last]): // the number of a version, "x-1.0.data/y"
		return false
	case len(rest) > len(" import") && string(rest[:len(" import")]) == " import":
		return false
	case len(rest) > 0 && (rest[0] == '(' || isLocal[rest[0]] && isAddress(rest)): // a call
		return false
	case len(rest) > len("/Contents/") && string(rest[:len("/Contents/")]) == "/Contents/": // a bundle, "X.app"
		return false
	case len(rest) > 1 && rest[0] == ':' && ascii.IsDigit(rest[1]) && kind == isSuffix: // or a line number after a file name
		return true
	case len(rest) > 1 && rest[0] == '/' && (isWord(rest[1]) || rest[1] == '~' || rest[1] == '@' || rest[1] == '%'):
		return !isFile(rest[1:]) || kind == isSuffix
	case len(rest) > 0 && rest[0] == '/' && (len(rest) == 1 || class[rest[1]]&cEnd != 0):
		return kind == isSuffix // or a directory, "x.data/"
	}
	return kind == isSuffix && !isCode(s, last, n)
}

// hasNumber reports whether one of the labels of s, which ends in a dot, is a number.
func hasNumber(s []byte) bool {
	digits := 0
	for i, c := range s {
		switch {
		case c == '.' && digits > 0 && (digits == i || s[i-digits-1] == '.'):
			return true
		case ascii.IsDigit(c):
			digits++
		default:
			digits = 0
		}
	}
	return false
}

// isAddress reports whether s, which follows "example.org", shows that "example.org" begins
// the local part of an address: "example.org+list@h.org".
func isAddress(s []byte) bool {
	for i, c := range s[:min(len(s), maxLocal)] {
		if c == '@' {
			return i+1 < len(s) && hostByte[s[i+1]]
		}
		if !isLocal[c] || c == '\'' {
			break
		}
	}
	return false
}

// isMixed reports whether label has the case of a method, "In", rather than of a top-level domain.
func isMixed(label []byte) bool {
	upper := 0
	for _, c := range label {
		if 'A' <= c && c <= 'Z' {
			upper++
		}
	}
	return upper > 0 && upper < len(label)
}

// isFile reports whether s begins with the name of a file, as in "README.md/NEWS.md".
func isFile(s []byte) bool {
	n, last, _ := hostEnd(s)
	return n > 0 && (isExtension(s[last:n], ambiguous[:]) || isExtension(s[last:n], extensions[:]))
}

// isCode reports whether s[:n] looks like a name in a program.
func isCode(s []byte, last, n int) bool {
	first := 0
	for first < n && s[first] != '.' {
		if s[first] == '_' {
			return true
		}
		first++
	}
	if first == 1 && last == 2 || isExtension(s[:first], receivers[:]) || first <= 2 && isField(s, first, last, n) {
		return true
	}
	for i := 1; i < last; i++ {
		if s[i] == '_' || ascii.IsLetter(s[i]) && s[i] < 'a' && s[i-1] >= 'a' && s[i-1] <= 'z' && s[0] >= 'a' {
			return true // "fooBar.org"
		}
	}
	if isExtension(s[:first], dotNet[:]) && ascii.EqualFold(s[last:n], "net") {
		return true
	}
	if s[n-1] <= 'Z' && s[last-2] >= 'a' && ascii.IsLetter(s[n-1]) {
		return true // "en.UK"
	}
	i := n
	for i < len(s) && s[i] == ' ' {
		i++
	}
	switch {
	case i == len(s):
	case s[i] == '=', s[i] == '[' && i == n, s[i] == '{' && i == n:
		return true
	case i+1 < len(s) && s[i+1] == '=': // "+=", ":=", "!="
		return true
	case i > n && i+1 < len(s) && (s[i] == '+' && s[i+1] == ' ' || s[i] == '<' && s[i+1] == '-'):
		return true
	}
	return false
}

// isField reports whether the name s[:n], which begins with a label of one or two letters, is the field of
// a variable. Few short names are registered below its top-level domain, and an expression continues or
// ends after it: "f(tt.net, x)", "range ls.cl {", "c.fd.net".
func isField(s []byte, first, last, n int) bool {
	switch label := s[last:n]; {
	case ascii.EqualFold(label, "com"), ascii.EqualFold(label, "org"), ascii.EqualFold(label, "edu"), ascii.EqualFold(label, "gov"):
		return false
	case first == 1 && ascii.EqualFold(label, "net"):
		return true
	case last != first+1 || n == len(s):
		return false
	}
	switch s[n] {
	case ',', ')', '}', ';':
		return true
	case ' ':
		return n+1 < len(s) && s[n+1] == '{'
	}
	return false
}

// receivers are the first labels of names in programs and of Java package names.
var receivers = [...]string{
	"android", "args", "cfg", "cls", "com", "config", "ctx", "edu", "err", "fmt", "gov", "http", "io", "java", "javax", "json", "kotlin", "log", "math",
	"net", "np", "opts", "org", "os", "pd", "req", "request", "res", "resp", "response", "scala", "self", "sun", "sys", "this", "tk", "url",
}

// dotNet holds the X of products named "X.NET", and words before ".NET".
var dotNet = [...]string{"ado", "and", "asp", "for", "from", "in", "ml", "of", "or", "the", "to", "vb", "with"}

// slashed examines a host that begins at src[start]: "//host/path", or an IPv4 address
// with a path or a port.
func (f *Finder) slashed(src []byte, at, start int, atEOF bool) (next int, v verdict) {
	end := min(start+maxProof+1, len(src))
	open := start
	if start-at >= 2 && src[start-1] == '/' && src[start-2] == '/' {
		open -= 2
	}
	if open < at || start == end || open > 0 && (open == start && wordBefore[src[open-1]] || !slashBefore[src[open-1]]) {
		return 0, none
	}
	if end == len(src) && !atEOF {
		return schemeRun(src, at, open), more
	}
	host := src[start:end]
	if n := ipv4(host); n > 0 {
		if !located4(host[n:]) && open == start || open < start && !(n < len(host) && (host[n] == '/' || host[n] == ':')) {
			return 0, none
		}
	} else {
		n, last, _ := hostEnd(host)
		if open == start || n == 0 || n == len(host) || f.suffix(host[last:n]) == noSuffix || isMixed(host[last:n]) ||
			host[n] != '/' && !(host[n] == ':' && n+1 < len(host) && ascii.IsDigit(host[n+1])) {
			return 0, none
		}
		if (open == 0 || src[open-1] <= ' ') && (f.suffix(host[last:n]) != isSuffix || isCode(host, last, n)) {
			return 0, none // it may be a comment
		}
	}
	next, v = f.delimited(src, open, start, abbreviated, atEOF)
	f.span.Meant = "http:"
	if open == start {
		f.span.Meant = "http://"
	}
	return next, v
}

// slashBefore holds the bytes that prove that a following "//host/" or IP address is a reference: the
// quotes and brackets of attributes, calls and prose, and white space. After white space "//" may begin a
// comment. There the host must have a top-level domain that is not a word of programs, and a path or a
// port.
//
// Source: chosen by hand, November 2026, on C, Go and JavaScript with their comments, and on HTML and CSS.
var slashBefore = func() (t [256]bool) {
	for _, c := range []byte("\"'`(=<>[{,;| \t\n\r") {
		t[c] = true
	}
	return t
}()

// mayBeAll reports whether only AbbreviatedAll may find the name around the dot at src[dot]: it follows
// "//", or consists of digits.
func mayBeAll(src []byte, dot int) bool {
	i := dot
	for floor := max(0, dot-maxProof); i > floor && hostByte[src[i-1]]; {
		i--
	}
	return i >= 2 && src[i-1] == '/' && src[i-2] == '/' || i < dot && ascii.IsDigit(src[i])
}

// ipv4 returns the length of the IPv4 address at the start of s, or 0.
func ipv4(s []byte) int {
	i := 0
	for part := range 4 {
		if part > 0 {
			if i == len(s) || s[i] != '.' {
				return 0
			}
			i++
		}
		n, digits := 0, 0
		for ; i < len(s) && digits < 4 && ascii.IsDigit(s[i]); i++ {
			n = n*10 + int(s[i]-'0')
			digits++
		}
		if digits == 0 || digits > 3 || n > 255 {
			return 0
		}
	}
	if i < len(s) && hostByte[s[i]] || i+1 < len(s) && s[i] == '.' && hostByte[s[i+1]] {
		return 0
	}
	return i
}

// located4 reports whether s, which follows an IP address, begins with a port, or with a
// path other than a prefix length, "10.0.0.0/8".
func located4(s []byte) bool {
	if len(s) < 2 || s[0] != '/' && s[0] != ':' {
		return false
	}
	if s[0] == ':' {
		return ascii.IsDigit(s[1])
	}
	i := 1
	for i < len(s) && ascii.IsDigit(s[i]) {
		i++
	}
	return i == 1 && class[s[1]]&cEnd == 0 || i > 4 || i > 1 && i < len(s) && (isWord(s[i]) || s[i] == '/')
}

// literalBefore returns the offset of the "[" of the IPv6 address whose first colon is
// src[colon], or -1.
func literalBefore(src []byte, colon int) int {
	i := colon
	for i > 0 && colon-i < 5 && ascii.IsHex(src[i-1]) {
		i--
	}
	if i == 0 || src[i-1] != '[' {
		return -1
	}
	return i - 1
}

// literal examines the IPv6 address at src[open], which must have a path or a port.
func (f *Finder) literal(src []byte, open, colon int, atEOF bool) (next int, v verdict) {
	if len(src)-open < maxLiteral+2 && !atEOF {
		return open, more
	}
	n := ipLiteral(src[open:])
	if n == 0 || !located4(src[open+n:]) || open > 0 && !slashBefore[src[open-1]] {
		return colon + 1, none
	}
	next, v = f.delimited(src, open, open, abbreviated, atEOF)
	f.span.Meant = "http://"
	return next, v
}

// address examines an "@" between a possible local part and a host.
func (f *Finder) address(src []byte, at, sign int, atEOF bool) (next int, v verdict) {
	start, ok := localStart(src, at, sign)
	end := min(sign+1+maxProof+1, len(src))
	if end == len(src) && !atEOF {
		return schemeRun(src, at, slashStart(src, at, start)), more
	}
	n, last, all := hostEnd(src[sign+1 : end])
	rest := src[sign+1+n : end]
	switch {
	case start == sign, !ok, start > 0 && src[start-1] == '@', n == 0, f.suffix(src[sign+1+last:sign+1+n]) == noSuffix,
		len(rest) > 0 && rest[0] == '@',
		len(rest) > 1 && rest[0] == ':' && hasSlash(rest[1:]), // git@h.org:a/b
		f.isReturnPath(src, at, start, sign), otherScheme(src, at, start):
		return sign + 1 + all, none
	}
	next = sign + 1 + n
	start = longerLocal(src, at, start, next)
	f.set(start, start, next, Bare)
	f.span.Meant = "mailto:"
	if start > 0 && src[start-1] == '<' && next < len(src) && src[next] == '>' {
		f.span.How, f.span.Open, next = Angle, start-1, next+1
	}
	return next, found
}

// localStart returns where the local part before the "@" at src[sign] begins. ok
// is false if the local part is a template, "$USER@h.org".
func localStart(src []byte, at, sign int) (start int, ok bool) {
	start = sign
	floor := max(at, sign-maxLocal)
	for start > floor {
		if c := src[start-1]; c < utf8.RuneSelf {
			if !isLocal[c] || c == '\'' && !(start-1 > floor && ascii.IsLetter(src[start-2]) && ascii.IsLetter(src[start])) {
				break
			}
			start--
			continue
		}
		r, n := utf8.DecodeLastRune(src[floor:start])
		if !unicode.In(r, unicode.Letter, unicode.Mark) || isUnspaced(r) {
			break
		}
		start -= n
	}
	for ; start < sign && !isWord(src[start]) && src[start] < utf8.RuneSelf; start++ {
		if src[start] == '$' || src[start] == '%' {
			return start, false
		}
	}
	return start, start == 0 || src[start-1] != '}' && src[start-1] != '$'
}

// slashStart returns where the text of letters of a local part and slashes begins that src[start:] is the end of.
func slashStart(src []byte, at, start int) int {
	i := start
	if i > at && src[i-1] == '/' {
		for floor := max(at, start-maxLocal); i > floor && (isLocal[src[i-1]] && src[i-1] != '\'' || src[i-1] == '/'); {
			i--
		}
	}
	return i
}

// longerLocal returns where the local part that ends with src[start:] begins if it contains slashes, which
// RFC 5322 3.2.3 allows: in "<…>", or after a "~", with which names of a user's lists begin. Other texts
// with slashes are paths before an address.
func longerLocal(src []byte, at, start, end int) int {
	i := slashStart(src, at, start)
	isAngle := i > 0 && src[i-1] == '<' && end < len(src) && src[end] == '>'
	if src[i] == '~' && i+1 < start-1 || isAngle && isWord(src[i]) {
		return i
	}
	return start
}

// isReturnPath reports whether the text before "=" and the host name src[start:sign]
// belongs to the address: "list-return-1-ann=x.org@h.org". Nobody writes to such an
// address.
func (f *Finder) isReturnPath(src []byte, at, start, sign int) bool {
	if start == at || start == 0 || src[start-1] != '=' {
		return false
	}
	n, last, _ := hostEnd(src[start : sign+1])
	return n == sign-start && f.suffix(src[start+last:sign]) != noSuffix
}

// otherScheme reports whether src[start] follows a scheme whose references look like addresses but are not.
func otherScheme(src []byte, at, start int) bool {
	if start == 0 || src[start-1] != ':' {
		return false
	}
	s := schemeRun(src, at, start-1)
	return isExtension(src[s:start-1], addressLike[:])
}

// Source: the IANA registry of URI schemes; those whose references have the form of an address.
var addressLike = [...]string{
	"acct", "aim", "callto", "cid", "git", "h323", "im", "jabber", "mid", "msrp", "msrps", "pres", "rsync", "scp", "sftp", "sip", "sips",
	"skype", "ssh", "stun", "turn", "xmpp",
}

// hasSlash reports whether s begins with a path of at least two segments.
func hasSlash(s []byte) bool {
	for i, c := range s {
		if c == '/' {
			return i > 0 || len(s) > 1 && isWord(s[1])
		}
		if !isLocal[c] {
			return false
		}
	}
	return false
}

// common holds the top-level domains of DomainsCommon: chosen by hand, November 2026, without words and
// file extensions. Of the 6,547 hosts of URLs in a corpus of mail and documentation, 93 % are below one of
// them.
var common = [...]string{
	"ai", "au", "biz", "br", "ca", "cn", "co", "com", "de", "edu", "eu", "fr", "gov", "io", "jp", "kr", "mil", "net", "nl",
	"org", "ru", "tv", "uk",
}

// countries holds the top-level domains of other countries that are not English words, file
// extensions or usual names in programs. Source: ISO 3166-1, and chosen by hand, November 2026.
var countries = [...]string{
	"ae", "ar", "ba", "bd", "bg", "bo", "ch", "cl", "cr", "cu", "cz", "dk", "dz", "ec", "ee", "es", "fi", "gr", "hk", "hr", "hu", "ie",
	"il", "iq", "ir", "ke", "kz", "lk", "lu", "lv", "mx", "ng", "nz", "pe", "ro", "sa", "se", "sg", "si", "sk", "th", "tn", "tr",
	"tw", "ua", "uy", "uz", "ve", "vn", "za",
}

// ambiguous holds the top-level domains that are just as often file extensions:
// README.md, build.zip, main.rs, configure.ac. Source: the same as for extensions.
var ambiguous = [...]string{
	"ac", "am", "cab", "cc", "do", "in", "la", "lc", "md", "mk", "ml", "mm", "mo", "mov", "pl", "pm", "ps", "pub", "py", "rs", "sc", "sh",
	"so", "st", "tc", "tf", "zip",
}
