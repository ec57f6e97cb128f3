// Package delimit finds URL references in running text and reports where each begins and ends. It follows
// the recommendations of Appendix E of the 1997 draft, draft-fielding-url-syntax (RFC 3986 Appendix C), and
// for abbreviated references those of its Appendix F. Use it for offsets in one text; package extract reads
// files of any format.
//
// [URLs] returns the URLs of a string. [Finder.All] yields the references of a text with their offsets, and
// [Finder.Next] those of a stream that is read in pieces.
//
// # Method
//
// Finder scans the text for two triggers, a colon and the dot of "www." (also for other dots and "@" under
// [Rules].Domains and Addresses). From a trigger it looks back for the scheme and the delimiter, and ahead
// for the end. It skips text without a trigger 32 bytes at a time.
//
// # Divergences from Appendix E
//
//   - white space other than line breaks ends a reference in double quotes ([Rules.JoinQuotedBlanks] ignores
//     it, as the Appendix does), and more than one such character in angle brackets makes the content prose;
//   - a reference that is wrapped after a hyphen keeps the hyphen, and the form without it is reported as
//     an alternative ([Joined.Hyphens]);
//   - a bare reference never continues on the next line; if that line begins like the rest of the
//     reference, [Span.Continued] holds the longer reference;
//   - a wrapped reference is not joined across the quotes of strings, a backslash, or a comment leader that
//     only one of the lines has; a leader that both lines have is left out;
//   - in angle brackets, "|" and the text after it are a label: "<http://h/x|text>".
//
// # Bare references
//
// A bare reference ends at white space, at controls, and at the characters that RFC 3986 appendix C calls
// unsafe. It also ends
//
//   - at Unicode punctuation that ends sentences, or opens or closes brackets and quotations;
//   - at a "[" in its path unless more of the path follows;
//   - at a character in its authority that hosts cannot contain;
//   - at a parenthesis that nothing closes;
//   - before letters of a script without spaces that follow ASCII letters.
//
// Finally, the punctuation of the sentence is removed from its end.
//
// # Complexity
//
// Time is linear for every input: each byte is read by a fixed number of look-backs (at most [Before]
// bytes) and look-aheads. A look-ahead covers at most 8,192 bytes between delimiters, without another
// opening delimiter, and at most [MaxReference] bytes otherwise. [Finder.Next] allocates only for wrapped
// references, and reuses that memory.
package delimit

import (
	"iter"
	"slices"
	"strconv"
	"unicode/utf8"

	"example.org/refract/internal/ascii"
)

const (
	// MaxReference is the maximum length of a bare reference in bytes. Next reports a longer run as one Span
	// that is TooLong, and All skips it.
	MaxReference = 64 << 10

	// Before is the number of bytes before a position that Next examines. A caller that scans a stream in
	// windows must keep that many.
	Before = 2048

	maxWrapped = 8192 // from the opening delimiter to its closer
	maxLocal   = 64   // of the local part of an address (RFC 5321 section 4.5.3.1.1)
	maxProof   = 255  // of a scheme, a host, and what proves a scheme without slashes
	maxLiteral = 80   // of an IP literal
	maxLead    = 256  // white space between an opening bracket and its reference
)

// How says what delimits a reference.
type How uint8

const (
	Bare     How = iota // white space and punctuation
	Angle               // <…> or <URL:…>
	Quoted              // "…"
	Prefixed            // "URL:" stands before the reference
)

// String returns "bare", "angle", "quoted" or "prefixed".
func (h How) String() string {
	names := [...]string{"bare", "angle", "quoted", "prefixed"}
	if int(h) >= len(names) {
		return "How(" + strconv.Itoa(int(h)) + ")"
	}
	return names[h]
}

// A Range is the bytes src[Start:End].
type Range struct{ Start, End int }

// A Span is the location of a reference. Offsets are in bytes, in the src passed to Next or All.
type Span struct {
	Start, End int    // from the first byte to just after the last, without delimiters
	Open       int    // where the delimiter or prefix begins; Start if there is none
	How        How    // what delimits it
	URL        bool   // the prefix "URL:" stands before it
	Meant      string // prefix of an abbreviated reference: "http://", "ftp://", "mailto:", "http:" (Appendix F)

	// Joined holds the parts of a wrapped reference; it is nil if the reference is src[Start:End]. A Span that
	// Next returns is valid until the next call of Next, with all that it points to; Clone keeps it.
	Joined *Joined

	// Continued holds the longer form of a bare reference that ends with its line, if the next line begins like
	// the rest of the reference; otherwise it is nil. Start and End do not include the rest. Continued is valid
	// as long as Joined.
	Continued *Joined

	// TooLong is true for a run that is longer than MaxReference. It is not a reference, and End is not its
	// end: call Rest to skip it. Only Next returns such a Span.
	TooLong bool
}

// Joined is a reference that consists of several ranges.
type Joined struct {
	Parts []Range // the ranges, in order

	// Hyphens holds the offsets of hyphens directly before a line break. Such a hyphen is kept, although the
	// typesetter may have added it (Appendix E).
	Hyphens []int
}

// AppendTo appends the reference to dst, with its parts joined. The result is the reference as written,
// without line breaks; an abbreviated reference has no scheme.
func (s *Span) AppendTo(dst, src []byte) []byte {
	if s.Joined == nil {
		return append(dst, src[s.Start:s.End]...)
	}
	return s.Joined.AppendTo(dst, src)
}

// AppendURL is like AppendTo, but adds the scheme that an abbreviated reference lacks. A
// relative reference, which only occurs in "<URL:…>", stays relative.
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

// AppendTo appends the joined parts to dst.
func (j *Joined) AppendTo(dst, src []byte) []byte {
	for _, p := range j.Parts {
		dst = append(dst, src[p.Start:p.End]...)
	}
	return dst
}

// Abbreviated says which references without a scheme to find.
type Abbreviated uint8

const (
	AbbreviatedWWW  Abbreviated = iota // www.…, and ftp.… in <URL:…>
	AbbreviatedNone                    // none
	AbbreviatedAll                     // www.… and ftp.…, //host/path, and IP addresses with a path or a port
)

// Domains says which hosts without a scheme and "www." to find, with the path, query or fragment after
// them: "example.org/x".
type Domains uint8

const (
	DomainsNone   Domains = iota // none
	DomainsAll                   // those below a top-level domain
	DomainsCommon                // those below a common top-level domain
)

// Rules selects what to find. The zero Rules are the default.
type Rules struct {
	Abbreviated      Abbreviated
	Domains          Domains
	Addresses        bool // find "ann@example.org"
	JoinQuotedBlanks bool // ignore white space of any kind within "…"
}

// A Finder finds references. The zero Finder has the default rules. Several goroutines must not use it at
// once. It keeps memory for reuse with the next text, and a cache of top-level domains.
type Finder struct {
	Rules

	span     Span // that Next returns
	joined   Joined
	suffixes *suffixCache
}

// All yields the references of src in order. They do not overlap, and none is TooLong: All skips longer
// ones. Each Span owns its memory, so the caller may keep it. All allocates only for wrapped references.
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
			if !yield(s.Clone()) {
				return
			}
		}
	}
}

// URLs returns the absolute URLs of text in order, under the default Rules. It joins wrapped references and
// adds the scheme to abbreviated ones: "www.example.org" becomes "http://www.example.org". It leaves out
// relative references in "<URL:…>".
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

// Next finds the first reference of src[at:]. If ok is true, s is the reference, valid until the next call,
// which continues at next. If ok is false, there is no reference before next. With atEOF, next is then
// len(src). Without atEOF, the bytes after src decide whether a reference begins at next: read more and
// continue at next. Of the bytes before at, Next examines only src[at-Before:at].
func (f *Finder) Next(src []byte, at int, atEOF bool) (s *Span, next int, ok bool) {
	for pos := at; ; {
		t := f.trigger(src, pos)
		if t < 0 {
			if atEOF {
				return nil, len(src), false
			}
			return nil, f.unfinished(src, at), false
		}
		var v verdict
		switch {
		case src[t] == ':' && f.Abbreviated == AbbreviatedAll && literalBefore(src, t) >= at:
			next, v = f.literal(src, literalBefore(src, t), t, atEOF)
		case src[t] == '.':
			next, v = f.abbreviated(src, at, t, atEOF)
		case src[t] == '@':
			next, v = f.address(src, at, t, atEOF)
		case t+2 < len(src) && src[t+1] == '/' && src[t+2] == '/':
			next, v = f.slashes(src, at, t, atEOF)
		default:
			next, v = f.noSlashes(src, at, t, atEOF)
		}
		switch v {
		case found:
			return &f.span, next, true
		case more:
			return nil, next, false
		}
		pos = max(t+1, next)
	}
}

// May reports whether src may contain a reference. If it returns false, All yields nothing. Only ASCII
// bytes decide, so callers need not first decode text in a charset that contains ASCII.
func (f *Finder) May(src []byte) bool { return f.trigger(src, 0) >= 0 }

// Rest returns where the overlong run around src[at] ends. If it returns len(src), the bytes after src may
// belong to the run.
func Rest(src []byte, at int) int {
	for at < len(src) && class[src[at]]&cEnd == 0 {
		at++
	}
	return at
}

// unfinished returns where something at the end of src begins that may become a trigger: half a "www."; a
// scheme, its colon, and a slash; or text that may precede a dot or an "@".
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
	if f.Domains != DomainsNone || f.Addresses {
		if end > at && src[end-1] == '@' {
			end--
		}
		for floor := max(at, end-maxProof); end > floor && (isLocal[src[end-1]] || hostByte[src[end-1]] || f.Addresses && src[end-1] == '/'); {
			end--
		}
		if end > at && end < len(src) && src[end-1] == ':' {
			end-- // of "://"
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

// A verdict is the result of examining a place.
type verdict uint8

const (
	none    verdict = iota // no reference there, nor before next
	found                  // a reference
	more                   // the bytes after the text decide; next says where to continue
	tooLong                // more than MaxReference bytes
)

// slashes examines src[colon:] = "://…".
func (f *Finder) slashes(src []byte, at, colon int, atEOF bool) (next int, v verdict) {
	start := schemeStart(src, at, colon)
	if start < 0 {
		return 0, none
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
		return start, more
	}
	if end := f.usual(src, start, host); end > 0 {
		return end, found
	}
	is := located
	if !isHTTP(src[start:colon]) && emptyHost(src[start:colon]) {
		is = loose
	}
	if !hostStarts(src, host) && !(is == loose && host < len(src) && src[host] == '/') {
		return 0, none
	}
	return f.delimited(src, start, host, is, atEOF)
}

// usual does what delimited does for the usual reference, and returns its end, or 0 if it does not know it: one of http with a path, on
// a line of its own or between spaces, without a byte that needs a closer look. It reads each byte once.
func (f *Finder) usual(src []byte, start, host int) (end int) {
	if start < 2 || host == len(src) || !isHTTP(src[start:host-3]) || !ascii.IsAlnum(src[host]) {
		return 0
	}
	if c := src[start-2]; src[start-1] != '\n' && src[start-1] != ' ' || c <= ' ' || notBefore[c] {
		return 0
	}
	i, limit := host+1, min(len(src), start+maxUsual)
	for i < limit && inAuthority[src[i]] <= hColon {
		i++
	}
	if i == limit || inAuthority[src[i]] != hPath {
		return 0
	}
	i += plainRun(src[i:limit], cBare)
	if i == limit || src[i] != '\n' && src[i] != ' ' || !endsUsual[src[i-1]] || hasDots(src[host:i]) {
		return 0
	}
	if src[i] == '\n' {
		if i+1 == len(src) || !ascii.IsAlnum(src[i+1]) || openEnd[src[i-1]] && isLong(src, i) || hashDigits(src[host:i]) > 0 {
			return 0 // it may continue
		}
	}
	f.set(start, start, i, Bare)
	return i
}

// maxUsual limits a usual reference. There are few longer ones.
const maxUsual = 2048

// notBefore holds the bytes that, before a blank or a line break, may be a delimiter of what follows, or a part of one.
var notBefore = [256]bool{'<': true, '>': true, '|': true, ':': true}

// endsUsual holds the bytes at the end of a reference without "&" that belong to it.
var endsUsual = func() (t [256]bool) {
	for c := range t {
		t[c] = atEnd[c] == stays || atEnd[c] == dropsAsEntity
	}
	return t
}()

// isHTTP reports whether scheme is "http" or "https", the usual ones.
func isHTTP(scheme []byte) bool { return string(scheme) == "https" || string(scheme) == "http" }

// noSlashes examines src[colon:] = ":…" after a scheme that has no authority. It finds a reference only if
// the bytes after the colon prove one.
func (f *Finder) noSlashes(src []byte, at, colon int, atEOF bool) (next int, v verdict) {
	start := schemeRun(src, at, colon)
	if start > 0 && ascii.IsAlnum(src[start-1]) { // start == at
		return 0, none
	}
	for start < colon && src[start] == '-' { // "--mailto:a@b.org"
		start++
	}
	if ascii.EqualFold(src[start:colon], "url") {
		return f.relative(src, start, colon, atEOF)
	}
	proof := proofOf(src[start:colon])
	if proof == nil {
		return 0, none
	}
	end := min(colon+1+maxProof, len(src))
	if end == len(src) && !atEOF {
		return start, more
	}
	if !proof(src[colon+1 : end]) {
		if start > 0 && src[start-1] == '<' && ascii.EqualFold(src[start:colon], "news") {
			n := groupEnd(src[colon+1 : end])
			if string(src[colon+1:min(colon+3, end)]) == "*>" { // <news:*>, RFC 1738 section 3.6
				n = 1
			}
			if n > 0 {
				f.set(start-1, start, colon+1+n, Angle)
				return colon + 2 + n, found
			}
		}
		return 0, none
	}
	return f.delimited(src, start, colon+1, shapeOf(src[start:colon]), atEOF)
}

// relative examines "<URL:…>", the only place in text where a reference may be relative. It leaves absolute
// references to the colon of their scheme.
func (f *Finder) relative(src []byte, start, colon int, atEOF bool) (next int, v verdict) {
	open := start - 1
	if open < 0 || src[open] != '<' {
		return 0, none
	}
	ref := skipSpace(src, colon+1)
	end := min(ref+maxProof, len(src))
	if end == len(src) && !atEOF {
		return open, more
	}
	head := src[ref:end]
	if slashesFollow(head) {
		return 0, none // its own colon finds it
	}
	www := len(head) > 4 && (ascii.EqualFold(head[:4], "www.") || ascii.EqualFold(head[:4], "ftp."))
	blanks := 0
	if ascii.SchemeEnd(head) > 0 {
		blanks = 1
	}
	last, next, v := f.wrapped(src, open, ref, '>', blanks, atEOF)
	if v == more {
		return open, more
	}
	if v == none || last == ref {
		return 0, none
	}
	f.setWrapped(src, open, ref, last, next, Angle)
	f.span.URL = true
	if www && f.Abbreviated != AbbreviatedNone && wwwEnd(src[ref:last]) > 0 {
		f.span.Meant = meant(src[ref])
	}
	return next, found
}

// meant returns the prefix that the first byte of a host name ("www", "ftp") implies.
func meant(first byte) string {
	if first|0x20 == 'f' {
		return "ftp://"
	}
	return "http://"
}

// delimited reads the reference at start according to the delimiter before it. Its authority
// begins at rest; without an authority, rest is where the part after the scheme begins.
func (f *Finder) delimited(src []byte, start, rest int, is shape, atEOF bool) (next int, v verdict) {
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
			return start, more
		}
		if v == found && how == Quoted && next+1 >= len(src) && !atEOF {
			return start, more // the end depends on what follows
		}
		if v == found && end > rest {
			f.setWrapped(src, open, start, end, next, how)
			f.span.URL = prefix
			return next, found
		}
	}
	how, open = Bare, prefixBefore(src, start)
	if open < start {
		how = Prefixed
	}
	end, v := f.bare(src, start, rest, is, atEOF)
	switch {
	case v == tooLong:
		f.set(open, start, start+MaxReference, how)
		f.span.TooLong = true
		return start + MaxReference, found
	case v == more:
		return start, more
	case end <= rest:
		return 0, none
	}
	f.set(open, start, end, how)
	f.span.URL = how == Prefixed
	if end == len(src) || !mayContinue[src[end]] || is == opaque || is == mailbox {
		return end, found
	}
	f.span.Continued, v = f.continued(src, start, rest, end, atEOF)
	if v == more {
		return start, more
	}
	return end, found
}

// set makes f.span a reference that is not joined. Assigning the fields takes less time than a whole Span,
// which is copied.
func (f *Finder) set(open, start, end int, how How) {
	s := &f.span
	s.Open, s.Start, s.End, s.How = open, start, end, how
	s.URL, s.TooLong, s.Meant, s.Joined, s.Continued = false, false, "", nil, nil
}

// setWrapped makes f.span the reference that wrapped has read; next is the offset after the closing
// delimiter.
func (f *Finder) setWrapped(src []byte, open, start, end, next int, how How) {
	f.set(open, start, end, how)
	s, j := &f.span, &f.joined
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
}

// lead looks back from the first byte of a reference. It returns what delimits the
// reference, where the opening delimiter stands, and whether "URL:" stands between them.
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

// prefixBefore returns where the prefix "URL:" before src[start] begins, or start if there is none. A space
// may follow the prefix.
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

// angleBefore looks for "<" before i. Only white space may stand between and, after a line break, reply
// marks.
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
		case '>', '|': // more marks than the line of "<" has: this ">" closes the bracket
			return 0, false
		}
	}
	return j - 1, true
}

// spaceBefore returns where the white space before i begins. Reply marks after a line break count as white
// space. The search stops at an empty line.
func spaceBefore(src []byte, i int) int {
	floor := max(0, i-maxLead)
	breaks, marks, j := 0, 0, i // marks counts from the last break
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

// wrapped reads from start to the closer of the delimiter at open. It leaves out white space that contains
// a line break, and the reply marks after the break, at most as many as begin the line of the delimiter. It
// also leaves out white space next to the closer, and up to blanks other bytes of white space. It fills
// f.joined, and returns where the content ends and where the text after the closer begins.
//
// The closer must come within maxWrapped bytes, before an empty line, and before another "<". A line that
// begins with a scheme and "://" is not joined.
func (f *Finder) wrapped(src []byte, open, start int, closer byte, blanks int, atEOF bool) (end, next int, v verdict) {
	f.joined.Parts, f.joined.Hyphens = f.joined.Parts[:0], f.joined.Hyphens[:0]
	limit := min(len(src), open+maxWrapped)
	part, marks := start, -1
	var lead []byte  // the comment leader on the line of open
	strange := false // a quote or a backslash was seen: the lines are those of a program
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
		case !ascii.IsSpace(c): // "<" or a control
			return 0, 0, none
		}
		space := i
		broken := false
		for i < limit && ascii.IsSpace(src[i]) {
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

// trimSentence removes sentence punctuation from the end of src[start:end].
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

// labelled ends a reference in angle brackets at the "|" at src[i] if a label follows, as
// in the "<http://h/x|text>" of chats. Text that is not a label may be a reference, or part of
// one: "<http://h/x?a|b&c>". The verdict tooLong means that the label is a reference,
// so the brackets contain two.
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
			if part == i { // white space stands before the "|"
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

// isQuote reports whether c delimits strings in a program.
func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' || c == '\\' }

// leaders begin the lines of a comment. If loose is true, the first line may belong to a list, and the next
// lines have no leader.
var leaders = [...]struct {
	text  string
	loose bool
}{
	{"///", false}, {"//!", false}, {"//", false}, {"/**", true}, {"/*", true}, {"*", true},
	{"##", false}, {"#", false}, {";;;", false}, {";;", false}, {";", true}, {"--", true},
	{"%%", false}, {"%", false}, {"..", true}, {"dnl", false}, {"REM", false}, {"rem", false},
}

// leader returns the member of leaders that s begins with.
func leader(s []byte) (text string, loose bool) {
	for _, l := range leaders {
		n := len(l.text)
		if len(s) > n && string(s[:n]) == l.text && (ascii.IsSpace(s[n]) || n < 3 && s[n] == '<') {
			return l.text, l.loose
		}
	}
	return "", false
}

// lineStart returns the number of reply marks that begin the line of src[i], and the text
// after them.
func lineStart(src []byte, i int) (marks int, rest []byte) {
	marks = replyMarks(src, i)
	j := i
	for floor := max(0, i-maxLead); j > floor && src[j-1] != '\n' && src[j-1] != '\r'; {
		j--
	}
	return marks, src[skipMarks(src[:i], j, marks) : i+1]
}

// skipLeader skips the comment leader at the beginning of a line if first, the line of the opening
// delimiter, also has one. It returns -1 if only one of the two lines has a leader: then they do not belong
// together.
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

// skipMarks skips indentation and up to max reply marks at the beginning of a line.
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
