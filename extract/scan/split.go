package scan

// A Splitter finds where the members of one container end: messages in a mailbox or a
// batch of news, records in a crawler's archive. A Splitter is used for one container,
// from its beginning, or from where a member begins if its fields say what the members
// before have shown.
type Splitter interface {
	// Next returns the piece that src begins with. atEOF says that src ends the input;
	// then ok is true. src is not empty. The first piece begins with whatever comes
	// first.
	//
	// If ok is false, more bytes are needed, and p.End is what to give as from when they
	// are there: from is 0 for a new piece. So each byte is searched once, but for a few
	// lines and headers, however src grows, and how much src holds does not change where
	// pieces end.
	//
	// If a member is too large to be held, all of it but the byte in front of p.End may be
	// cut off, and the rest searched from there.
	Next(src []byte, from int, atEOF bool) (p Piece, ok bool)
}

// A Piece is what Next found: a member with all that the container adds to it (the line in
// front, the header, the line ends behind), or bytes that are no member. The zero Odd is
// that of a member that ends where the container says, or where the next one begins.
type Piece struct {
	End  int   // where it ends, in bytes from its beginning
	Skip int64 // of a Cut one: so many bytes behind End are of it, too
	Odd  Odd

	// Quoted says that Next met lines that the container has put a ">" in front of, in what
	// this call has looked through. They are to be unquoted.
	Quoted bool
}

// Odd says what is wrong with a Piece.
type Odd uint8

const (
	Whole     Odd = iota // a member, as long as it should be
	Wrong                // a member, to where the next begins: its length leads elsewhere, or it has none
	Truncated            // a member that the end of the input cuts off
	Cut                  // the beginning of a member that is larger than the limit
	Junk                 // no member, or what remains of one that was cut
)
