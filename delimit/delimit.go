// Package delimit finds URL references in running text: where each begins and
// ends, by the recommendations of Appendix E of the 1997 draft,
// draft-fielding-url-syntax (RFC 3986 Appendix C), and, for abbreviated ones, of its
// Appendix F.
//
// [URLs] returns the URLs of a string. [Finder.All] yields the references of a text
// with their offsets, and [Finder.Next] those of a stream that is read in pieces.
//
// # Method
//
// The text is scanned for two triggers, a colon and the dot of "www." (and for other
// dots and "@" under [Rules].Domains and Addresses). From a trigger the scheme and the
// delimiter are found by looking back, the end by looking ahead. Text without a
// trigger is skipped 32 bytes at a time.
//
// # Divergences from Appendix E
//
//   - blanks other than line breaks end a reference in double quotes
//     ([Rules.JoinQuotedBlanks] ignores them, as the Appendix does), and more
//     than one such blank in angle brackets makes the content prose;
//   - a reference that is broken after a hyphen keeps the hyphen, and the
//     reading without it is reported as an alternative ([Joined.Hyphens]);
//   - a bare reference is never continued on the next line; where that begins like the
//     rest of it, [Span.Continued] is the reading with it;
//   - what is broken over lines is not joined across the quotes of strings, a backslash,
//     or the leader of a comment that only one of the lines has; a leader that both have
//     is left out;
//   - in angle brackets, "|" and what follows it is a label: "<http://h/x|text>".
//
// # Bare references
//
// Besides at white space, controls, and what RFC 3986 appendix C calls unsafe, a bare
// reference ends at punctuation of Unicode that ends sentences or opens or closes
// brackets and quotations; at a bracket "[" in its path unless more of the path follows;
// at a character of its authority that no host has; at a parenthesis that nothing closes;
// and before letters of a script without spaces that follow letters of ASCII. Then
// what belongs to the sentence is taken off its end.
//
// # Complexity
//
// Time is linear in the input for every input: a byte is read by a fixed number
// of look-backs (at most [Before] bytes) and look-aheads (at most 8,192 bytes in
// delimiters, of which none holds another opening delimiter, and [MaxReference]
// bytes otherwise). [Finder.Next] allocates only for references that are broken over
// lines, and reuses that memory.
package delimit

import (
	"iter"
	"slices"
	"unicode/utf8"

	"example.org/refract/internal/ascii"
)

const (
	// MaxReference is the length in bytes of the longest bare reference. Next reports
	// a longer run as one Span that is TooLong, and All skips it.
	MaxReference = 64 << 10

	// Before is the number of bytes in front of a position that Next looks at: a
	// caller that scans a stream in windows keeps that many.
	Before = 2048

	maxWrapped = 8192 // from the opening delimiter to its closer
	maxLocal   = 64   // of the local part of an address (RFC 5321 section 4.5.3.1.1)
	maxProof   = 255  // of a scheme, a host, and what proves a scheme without slashes
	maxLiteral = 80   // of an IP literal
	maxLead    = 256  // white space between an opening bracket and its reference
)

// How is what delimits a reference.
type How uint8

const (
	Bare     How = iota // white space and punctuation
	Angle               // <…> or <URL:…>
	Quoted              // "…"
	Prefixed            // URL: stands before it
)

func (h How) String() string {
	return [...]string{"bare", "angle", "quoted", "prefixed"}[h]
}

// A Range is the bytes src[Start:End].
type Range struct{ Start, End int }

// A Span is the place of a reference. Offsets are in bytes, in the src given to Next
// or All.
type Span struct {
	Start, End int    // from its first byte to behind its last, without delimiters
	Open       int    // where its delimiter or prefix begins; Start if it has none
	How        How    // what delimits it
	URL        bool   // the prefix "URL:" stands before it
	Meant      string // what is meant in front of an abbreviated one, "http://", "ftp://", "mailto:", or "http:" before "//" (Appendix F)

	// Joined has the parts of a reference that is broken over lines; nil when the
	// reference is src[Start:End]. In a Span that Next returns it is valid until the
	// next call of Next, and Clone keeps it.
	Joined *Joined

	// Continued has the parts of the other reading of a bare reference that ends with its
	// line, where the next line begins like the rest of it; nil otherwise. The reference
	// does not contain the rest. Its memory is that of Joined.
	Continued *Joined

	// TooLong is true for a run that is longer than MaxReference. It is not a
	// reference, and End is not its end: call Rest to skip it. Only Next returns such
	// a Span.
	TooLong bool
}

// Joined is a reference in several ranges.
type Joined struct {
	Parts []Range // that make it up, in order

	// Hyphens are the offsets of hyphens directly before a line break. Such a
	// hyphen is kept, but may be the typesetter's (Appendix E).
	Hyphens []int
}

// AppendTo appends the reference to dst, its parts joined. It is the reference
// as written, but for line breaks; an abbreviated one has no scheme.
func (s *Span) AppendTo(dst, src []byte) []byte {
	if s.Joined == nil {
		return append(dst, src[s.Start:s.End]...)
	}
	return s.Joined.AppendTo(dst, src)
}

// AppendURL is AppendTo with the scheme of an abbreviated reference put in front. A
// relative reference, which is found in "<URL:…>" only, stays relative.
func (s *Span) AppendURL(dst, src []byte) []byte {
	return s.AppendTo(append(dst, s.Meant...), src)
}

// Clone returns a copy of s that does not share memory with the Finder, so that it
// remains valid after the next call of Next.
func (s Span) Clone() Span {
	s.Joined, s.Continued = s.Joined.clone(), s.Continued.clone()
	return s
}

func (j *Joined) clone() *Joined {
	if j == nil {
		return nil
	}
	return &Joined{slices.Clone(j.Parts), slices.Clone(j.Hyphens)}
}

// AppendTo appends the parts, joined, to dst.
func (j *Joined) AppendTo(dst, src []byte) []byte {
	for _, p := range j.Parts {
		dst = append(dst, src[p.Start:p.End]...)
	}
	return dst
}

// Abbreviated says which references without a scheme are found.
type Abbreviated uint8

const (
	AbbreviatedWWW  Abbreviated = iota // www.…, and ftp.… in <URL:…>
	AbbreviatedNone                    // none
	AbbreviatedAll                     // www.… and ftp.…, //host/path, and IP addresses with a path or a port
)

// Rules say what is found. The zero Rules are the default.
type Rules struct {
	Abbreviated      Abbreviated
	Domains          bool // "example.org/x" is found: hosts below a top-level domain
	CommonDomains    bool // of Domains only those below a common top-level domain
	Addresses        bool // "ann@example.org" is found
	JoinQuotedBlanks bool // white space of any kind within "…" is ignored
}

// A Finder finds references. The zero Finder has the default rules. It must not be used
// by several goroutines at once. From one text to the next it keeps memory for reuse,
// and a cache of top-level domains.
type Finder struct {
	Rules

	joined   Joined
	suffixes *suffixCache
}

// All yields the references of src from first to last. They do not overlap, and none
// is TooLong: longer ones are skipped. Each Span owns its memory, so that spans may be
// collected; All allocates only for references that are broken over lines.
func (f *Finder) All(src []byte) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		for at := 0; ; {
			s, next, ok := f.Next(src, at, true)
			if !ok {
				return
			}
			at = next
			if s.TooLong {
				at = Rest(src, at)
				continue
			}
			if s.Joined != nil || s.Continued != nil {
				s = s.Clone()
			}
			if !yield(s) {
				return
			}
		}
	}
}

// URLs returns the absolute URLs of text from first to last, under the default Rules.
// References that are broken over lines are joined, and abbreviated ones get their
// scheme: "www.example.org" becomes "http://www.example.org". Relative references in
// "<URL:…>" are left out.
func URLs(text string) []string {
	var f Finder
	var urls []string
	var url []byte
	src := []byte(text)
	for s := range f.All(src) {
		url = s.AppendURL(url[:0], src)
		if ascii.SchemeEnd(url) > 0 {
			urls = append(urls, string(url))
		}
	}
	return urls
}

// Next finds the first reference of src[at:]. If ok is true, s is the reference, and
// the next call continues at next. If ok is false, there is none before next: with
// atEOF, next is len(src); otherwise whether one begins at next depends on what follows
// src, so the caller reads more and continues at next. Of the bytes in front of at, Next
// looks at src[at-Before:at] only.
func (f *Finder) Next(src []byte, at int, atEOF bool) (s Span, next int, ok bool) {
	for pos := at; ; {
		t := f.trigger(src, pos)
		if t < 0 {
			if atEOF {
				return Span{}, len(src), false
			}
			return Span{}, f.unfinished(src, at), false
		}
		var v verdict
		switch {
		case src[t] == ':' && f.Abbreviated == AbbreviatedAll && literalBefore(src, t) >= at:
			s, next, v = f.literal(src, literalBefore(src, t), t, atEOF)
		case src[t] == '.':
			s, next, v = f.abbreviated(src, at, t, atEOF)
		case src[t] == '@':
			s, next, v = f.address(src, at, t, atEOF)
		case t+2 < len(src) && src[t+1] == '/' && src[t+2] == '/':
			s, next, v = f.slashes(src, at, t, atEOF)
		default:
			s, next, v = f.noSlashes(src, at, t, atEOF)
		}
		switch v {
		case found:
			return s, next, true
		case more:
			return Span{}, s.Start, false
		}
		pos = max(t+1, next)
	}
}

// May reports whether src may hold a reference: false means that All yields nothing.
// Only ASCII bytes decide, so text in a charset that contains ASCII need not be decoded
// first.
func (f *Finder) May(src []byte) bool { return f.trigger(src, 0) >= 0 }

// Rest returns where a run that is too long ends, given a position in it, or
// len(src): then what follows src may belong to it too.
func Rest(src []byte, at int) int {
	for at < len(src) && class[src[at]]&cEnd == 0 {
		at++
	}
	return at
}

// unfinished returns where something that may become a trigger begins at the end
// of src: half a "www.", or a scheme, its colon, and a slash, or what stands before a
// dot or an "@".
func (f *Finder) unfinished(src []byte, at int) int {
	if f.Abbreviated != AbbreviatedAll {
		return f.unfinishedWord(src, at)
	}
	end := f.unfinishedWord(src, at)
	for floor := max(at, end-2); end > floor && (src[end-1] == '/' || src[end-1] == '['); {
		end--
	}
	return end
}

func (f *Finder) unfinishedWord(src []byte, at int) int {
	end := len(src)
	if f.Domains || f.Addresses {
		if end > at && src[end-1] == '@' {
			end--
		}
		for floor := max(at, end-maxProof); end > floor && (isLocal[src[end-1]] || hostByte[src[end-1]]); {
			end--
		}
		if end < len(src) {
			return schemeRun(src, at, end)
		}
	}
	if end > at && src[end-1] == '/' {
		end--
	}
	if end > at && src[end-1] == ':' {
		return schemeRun(src, at, end-1)
	}
	return schemeRun(src, at, len(src))
}

// A verdict is what looking at a place came to.
type verdict uint8

const (
	none    verdict = iota // no reference there, nor before what next says
	found                  // a reference
	more                   // it depends on what follows the text; Start says from where
	tooLong                // more than MaxReference bytes
)

// slashes looks at src[colon:] = "://…".
func (f *Finder) slashes(src []byte, at, colon int, atEOF bool) (Span, int, verdict) {
	start := schemeStart(src, at, colon)
	if start < 0 {
		return Span{}, 0, none
	}
	if ascii.EqualFold(src[start:colon], "url") {
		return f.relative(src, start, colon, atEOF) // <URL://h/x>
	}
	host := colon + 3
	need := utf8.UTFMax
	if host < len(src) {
		switch src[host] {
		case '[':
			need = maxLiteral
		case ':', '@':
			need = maxProof
		}
	}
	if len(src)-host < need && !atEOF {
		return Span{Start: start}, 0, more
	}
	is := located
	if !isHTTP(src[start:colon]) && emptyHost(src[start:colon]) {
		is = loose
	}
	if !hostStarts(src, host) && !(is == loose && host < len(src) && src[host] == '/') {
		return Span{}, 0, none
	}
	return f.delimited(src, start, host, is, atEOF)
}

// isHTTP reports whether scheme is "http" or "https", as most are.
func isHTTP(scheme []byte) bool { return string(scheme) == "https" || string(scheme) == "http" }

// noSlashes looks at src[colon:] = ":…" with a scheme before it that has no
// authority. Such a scheme is found in text only where what follows proves it.
func (f *Finder) noSlashes(src []byte, at, colon int, atEOF bool) (Span, int, verdict) {
	start := schemeRun(src, at, colon)
	if start > 0 && ascii.IsAlnum(src[start-1]) { // start == at
		return Span{}, 0, none
	}
	for start < colon && src[start] == '-' { // "--mailto:a@b.org"
		start++
	}
	if ascii.EqualFold(src[start:colon], "url") {
		return f.relative(src, start, colon, atEOF)
	}
	proof := proofOf(src[start:colon])
	if proof == nil {
		return Span{}, 0, none
	}
	end := min(colon+1+maxProof, len(src))
	if end == len(src) && !atEOF {
		return Span{Start: start}, 0, more
	}
	if !proof(src[colon+1 : end]) {
		if start > 0 && src[start-1] == '<' && ascii.EqualFold(src[start:colon], "news") {
			n := groupEnd(src[colon+1 : end])
			if string(src[colon+1:min(colon+3, end)]) == "*>" { // <news:*>, RFC 1738 section 3.6
				n = 1
			}
			if n > 0 {
				return Span{Open: start - 1, Start: start, End: colon + 1 + n, How: Angle}, colon + 2 + n, found
			}
		}
		return Span{}, 0, none
	}
	return f.delimited(src, start, colon+1, shapeOf(src[start:colon]), atEOF)
}

// relative looks at "<URL:…>", the only place in text where a reference may be
// relative. Absolute ones behind their own colon are left to that.
func (f *Finder) relative(src []byte, start, colon int, atEOF bool) (Span, int, verdict) {
	open := start - 1
	if open < 0 || src[open] != '<' {
		return Span{}, 0, none
	}
	ref := skipSpace(src, colon+1)
	end := min(ref+maxProof, len(src))
	if end == len(src) && !atEOF {
		return Span{Start: open}, 0, more
	}
	head := src[ref:end]
	if slashesFollow(head) {
		return Span{}, 0, none // found by its own colon
	}
	www := len(head) > 4 && (ascii.EqualFold(head[:4], "www.") || ascii.EqualFold(head[:4], "ftp."))
	blanks := 0
	if ascii.SchemeEnd(head) > 0 {
		blanks = 1
	}
	last, next, v := f.wrapped(src, open, ref, '>', blanks, atEOF)
	if v == more {
		return Span{Start: open}, 0, more
	}
	if v == none || last == ref {
		return Span{}, 0, none
	}
	s := f.span(src, ref, last, next, Angle)
	s.Open, s.URL = open, true
	if www && f.Abbreviated != AbbreviatedNone && wwwEnd(src[ref:last]) > 0 {
		s.Meant = meant(src[ref])
	}
	return s, next, found
}

// meant is the scheme that a host's name says.
func meant(first byte) string {
	if first|0x20 == 'f' {
		return "ftp://"
	}
	return "http://"
}

// delimited reads the reference at start by the delimiter that stands before it.
// rest is where its authority begins, or without one what follows the scheme.
func (f *Finder) delimited(src []byte, start, rest int, is shape, atEOF bool) (Span, int, verdict) {
	how, open, prefix := lead(src, start)
	if how != Bare {
		closer, blanks := byte('>'), 1
		if how == Quoted {
			closer, blanks = '"', 0
			if f.JoinQuotedBlanks {
				blanks = maxWrapped
			}
		}
		end, next, v := f.wrapped(src, open, start, closer, blanks, atEOF)
		if v == more {
			return Span{Start: start}, 0, more
		}
		if v == found && how == Quoted && next+1 >= len(src) && !atEOF {
			return Span{Start: start}, 0, more // what follows decides about the end
		}
		if v == found && end > rest {
			s := f.span(src, start, end, next, how)
			s.Open, s.URL = open, prefix
			return s, next, found
		}
	}
	how, open = Bare, prefixBefore(src, start)
	if open < start {
		how = Prefixed
	}
	end, v := f.bare(src, start, rest, is, atEOF)
	switch {
	case v == tooLong:
		return Span{Open: open, Start: start, End: start + MaxReference, How: how, TooLong: true}, start + MaxReference, found
	case v == more:
		return Span{Start: start}, 0, more
	case end <= rest:
		return Span{}, 0, none
	}
	s := Span{Open: open, Start: start, End: end, How: how, URL: how == Prefixed}
	if end == len(src) || !mayContinue[src[end]] || is == opaque || is == mailbox {
		return s, end, found
	}
	if s.Continued, v = f.continued(src, start, rest, end, atEOF); v == more {
		return Span{Start: start}, 0, more
	}
	return s, end, found
}

// span is the Span of what wrapped has read; next follows the closing delimiter.
func (f *Finder) span(src []byte, start, end, next int, how How) Span {
	s := Span{Start: start, End: end, How: how}
	j := &f.joined
	for how == Quoted && !isLiteral(src, next) {
		last := &j.Parts[len(j.Parts)-1]
		last.End = trimSentence(src, last.Start, last.End)
		s.End = last.End
		if len(j.Parts) == 1 || last.End > last.Start {
			break
		}
		j.Parts = j.Parts[:len(j.Parts)-1]
	}
	if len(j.Parts) > 1 {
		s.Joined = j
	}
	return s
}

// lead looks back from the first byte of a reference: what delimits it, where the
// opening delimiter stands, and whether "URL:" comes between.
func lead(src []byte, start int) (how How, open int, prefix bool) {
	i := prefixBefore(src, start)
	prefix = i < start
	if i > 0 && src[i-1] == '"' {
		return Quoted, i - 1, prefix
	}
	if open, ok := angleBefore(src, i); ok {
		return Angle, open, prefix
	}
	if !prefix {
		// "URL:" and a line break, in brackets only.
		if j := spaceBefore(src, start); j >= 5 && ascii.EqualFold(src[j-4:j], "url:") && src[j-5] == '<' {
			return Angle, j - 5, true
		}
	}
	return Bare, 0, prefix
}

// prefixBefore returns where the prefix "URL:", with or without a blank, in front
// of src[start] begins, or start.
func prefixBefore(src []byte, start int) int {
	i := start
	if i > 4 && src[i-1] == ' ' {
		i--
	}
	if i < 4 || src[i-1] != ':' || !ascii.EqualFold(src[i-4:i], "url:") || i > 4 && wordBefore[src[i-5]] {
		return start
	}
	return i - 4
}

// angleBefore looks for "<" before i, with nothing between but white space and,
// where a line break is among it, the reply marks that follow the break.
func angleBefore(src []byte, i int) (int, bool) {
	j := spaceBefore(src, i)
	if j == 0 || src[j-1] != '<' {
		return 0, false
	}
	for k, marks := j, -1; k < i; k++ {
		switch src[k] {
		case '\n', '\r':
			if marks < 0 {
				marks = replyMarks(src, j-1)
			}
			k = skipMarks(src[:i], k+1, marks) - 1
		case '>', '|': // more marks than the line of "<" has: this one closes it
			return 0, false
		}
	}
	return j - 1, true
}

// spaceBefore returns where the white space before i begins. Reply marks count as
// white space behind a line break; a blank line is not passed.
func spaceBefore(src []byte, i int) int {
	floor := max(0, i-maxLead)
	breaks, marks, j := 0, 0, i // marks: since the last break
	good := i
	for ; j > floor; j-- {
		switch c := src[j-1]; {
		case c == ' ' || c == '\t':
			if marks == 0 {
				good = j - 1
			}
			continue
		case c == '>' || c == '|':
			marks++
			continue
		case c == '\n' || c == '\r':
			if c == '\r' && j < i && src[j] == '\n' { // CR LF is one break
				good = j - 1
				continue
			}
			breaks++
			if breaks > 1 {
				return good
			}
			marks, good = 0, j-1
			continue
		}
		break
	}
	return good
}

// wrapped reads from start to the closer of the delimiter at open. White space
// with a line break in it is left out, together with the reply marks behind the
// break: at most as many as begin the line of the delimiter. So is white space
// next to the closer, and up to blanks other bytes of it. It fills f.joined, and
// returns where the content ends and what follows the closer.
//
// The closer must come within maxWrapped bytes, before a blank line, and before
// another "<"; a line that begins with a scheme and "://" is not joined.
func (f *Finder) wrapped(src []byte, open, start int, closer byte, blanks int, atEOF bool) (end, next int, v verdict) {
	f.joined.Parts, f.joined.Hyphens = f.joined.Parts[:0], f.joined.Hyphens[:0]
	limit := min(len(src), open+maxWrapped)
	part, marks := start, -1
	var lead []byte  // of a comment, on the line of open
	strange := false // a quote or a backslash: the lines are those of a program
	for i := start; ; {
		i += plainRun(src[i:limit], cWrapped)
		if i == limit {
			break
		}
		switch c := src[i]; {
		case c == closer:
			f.joined.Parts = append(f.joined.Parts, Range{part, i})
			return i, i + 1, found
		case c == '|':
			if closer == '>' && !(start-open > 4 && ascii.EqualFold(src[open+1:open+5], "url:")) {
				switch end, next, v = f.labelled(src, part, i, atEOF); v {
				case found, more:
					return end, next, v
				case tooLong:
					return 0, 0, none
				}
			}
			i++
			continue
		case c == '>' || c == '\\' || c == '"':
			strange = strange || c == '"'
			if closer == '"' || strange && marks >= 0 {
				return 0, 0, none
			}
			i++
			continue
		case !isSpace(c): // "<" or a control
			return 0, 0, none
		}
		space := i
		broken := false
		for i < limit && isSpace(src[i]) {
			if src[i] != '\n' && src[i] != '\r' {
				i++
				continue
			}
			if broken {
				return 0, 0, none // a blank line
			}
			broken = true
			if src[i] == '\r' && i+1 < limit && src[i+1] == '\n' {
				i++
			}
			if marks < 0 {
				marks, lead = lineStart(src, open)
			}
			i = skipMarks(src[:limit], i+1, marks)
			if limit-i < len("REM ") && limit == len(src) && !atEOF {
				return 0, 0, more
			}
			i = skipLeader(src[:limit], i, lead)
			if i < 0 {
				return 0, 0, none
			}
		}
		if broken && (strange || isQuote(src[space-1])) {
			return 0, 0, none
		}
		if i == limit {
			break
		}
		if src[i] == closer {
			f.joined.Parts = append(f.joined.Parts, Range{part, space})
			return space, i + 1, found
		}
		if broken {
			tail := src[i:min(len(src), i+maxProof)]
			if len(tail) < maxProof && !atEOF {
				return 0, 0, more
			}
			if slashesFollow(tail) || isQuote(src[i]) {
				return 0, 0, none
			}
			if src[space-1] == '-' {
				f.joined.Hyphens = append(f.joined.Hyphens, space-1)
			}
		} else {
			blanks -= i - space
			if blanks < 0 || isQuote(src[space-1]) {
				return 0, 0, none
			}
		}
		f.joined.Parts = append(f.joined.Parts, Range{part, space})
		part = i
	}
	if limit == len(src) && limit < open+maxWrapped && !atEOF {
		return 0, 0, more
	}
	return 0, 0, none
}

// trimSentence takes final sentence punctuation off src[start:end].
func trimSentence(src []byte, start, end int) int {
	for end > start {
		switch src[end-1] {
		case '.', ',', ';', ':', '!', '?':
			end--
			continue
		}
		break
	}
	return end
}

// labelled ends a reference in angle brackets at the "|" at src[i], which a label
// follows, as in "<http://h/x|text>" of chats. What is no label may be a reference, or
// part of one: "<http://h/x?a|b&c>". The verdict tooLong says that the label is one,
// so that there are two in the brackets.
func (f *Finder) labelled(src []byte, part, i int, atEOF bool) (end, next int, v verdict) {
	words, field := false, false
	for j := i + 1; j-i < maxProof; j++ {
		if j == len(src) {
			if !atEOF {
				return 0, 0, more
			}
			break
		}
		switch c := src[j]; {
		case c == ' ':
			words = true
		case c == '&' || c == '=' || c == '%':
			field = true
		case c == '>':
			if field && !words {
				return 0, 0, none
			}
			if part == i { // white space is in front of the "|"
				if len(f.joined.Parts) == 0 {
					return 0, 0, none
				}
				return f.joined.Parts[len(f.joined.Parts)-1].End, j + 1, found
			}
			f.joined.Parts = append(f.joined.Parts, Range{part, i})
			return i, j + 1, found
		case c == '/' && src[j-1] == '/' && src[j-2] == ':':
			return 0, 0, tooLong
		case c == '<', c == '\n', c == '\r':
			return 0, 0, none
		}
	}
	return 0, 0, none
}

// isQuote reports whether c begins or ends a string of a program.
func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' || c == '\\' }

// leaders begin the lines of a comment. Where loose is true, the first line may be that
// of a list, and the next ones have none.
var leaders = [...]struct {
	text  string
	loose bool
}{
	{"///", false}, {"//!", false}, {"//", false}, {"/**", true}, {"/*", true}, {"*", true},
	{"##", false}, {"#", false}, {";;;", false}, {";;", false}, {";", true}, {"--", true},
	{"%%", false}, {"%", false}, {"..", true}, {"dnl", false}, {"REM", false}, {"rem", false},
}

// leader returns what s begins with of leaders.
func leader(s []byte) (text string, loose bool) {
	for _, l := range leaders {
		n := len(l.text)
		if len(s) > n && string(s[:n]) == l.text && (isSpace(s[n]) || n < 3 && s[n] == '<') {
			return l.text, l.loose
		}
	}
	return "", false
}

// lineStart returns how many reply marks begin the line of src[i], and what follows
// them.
func lineStart(src []byte, i int) (marks int, rest []byte) {
	marks = replyMarks(src, i)
	j := i
	for floor := max(0, i-maxLead); j > floor && src[j-1] != '\n' && src[j-1] != '\r'; {
		j--
	}
	return marks, src[skipMarks(src[:i], j, marks) : i+1]
}

// skipLeader passes over the leader of a comment at a line's begin, where first, the
// line of the opening delimiter, has one. It returns -1 if only one of the two lines
// has a leader: then they do not belong together.
func skipLeader(src []byte, i int, first []byte) int {
	want, loose := leader(first)
	got, _ := leader(src[i:])
	switch {
	case want != "" && want[:min(2, len(want))] == "/*":
		want = "*"
	case want == "" && i < len(src) && src[i] == '*' && (i+1 == len(src) || src[i+1] == '/'):
		return i
	}
	switch {
	case got == want:
		return skipMarks(src, i+len(got), 0)
	case got == "" && loose:
		return i
	}
	return -1
}

// replyMarks counts the marks (">" or "|") that begin the line of src[i].
func replyMarks(src []byte, i int) int {
	floor := max(0, i-(Before-maxLead-maxProof))
	j := i
	for j > floor && src[j-1] != '\n' && src[j-1] != '\r' {
		j--
	}
	if j == floor && floor > 0 {
		return 0
	}
	n := 0
	for ; j < i; j++ {
		switch src[j] {
		case ' ', '\t':
		case '>', '|':
			n++
		default:
			return n
		}
	}
	return n
}

// skipMarks passes over indentation and up to max reply marks at a line's begin.
func skipMarks(src []byte, i, max int) int {
	for ; i < len(src); i++ {
		switch src[i] {
		case ' ', '\t':
		case '>', '|':
			if max == 0 {
				return i
			}
			max--
		default:
			return i
		}
	}
	return i
}
