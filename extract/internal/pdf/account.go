package pdf

// What one pass over a document may cost, beside what its size allows.
const (
	leastWork  = 16 << 20
	workRatio  = 64 // units of work for each byte of the file
	ratio      = 64 // bytes that filters make for each byte of the file
	leastShown = 1 << 20
	shownRatio = 16 // characters that are shown for each byte of the file
)

// An account is the remaining work for a document, in multiples of its size. All code that reads, decodes,
// looks up or shows something draws from it: there is no tokenizer, no parser and no value without one. A
// document may name the same stream, object or dictionary any number of times, so no limit of a part bounds
// the whole.
type account struct {
	stream int  // bytes that the filters of one stream may make together, since all are in memory at a time; also of the content of a page
	left   int  // bytes that all streams may still make
	isCut  bool // a stream has more than that

	work  int // units that may still be done: bytes that are read, values that are looked at
	shown int // codes that may still be shown
	kept  int // bytes of text that may still be kept
}

// begin begins a pass over a document of some size. limit is that of one stream.
func (a *account) begin(size, limit int) {
	*a = account{
		stream: min(limit, leastDecoded+2*size),
		left:   min(4*limit, leastDecoded+ratio*size),
		work:   leastWork + workRatio*size,
		shown:  leastShown + shownRatio*size,
		kept:   limit,
	}
}

// spend takes n units of work, and reports whether there were as many.
func (a *account) spend(n int) bool {
	a.work -= n
	return a.work >= 0
}

// isSpent reports whether nothing more is read.
func (a *account) isSpent() bool { return a.work < 0 || a.left <= 0 }
